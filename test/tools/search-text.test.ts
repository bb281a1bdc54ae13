import t from 'tap'
import { oneSlip, resembles } from '../../tools/memory/fuzzy-match.ts'
import { QUERY_WORDS, queryWords, searchVector } from '../../tools/memory/search-text.ts'
import { fold, wordsOf } from '../../tools/memory/words.ts'

const letters = (word: string) => Array.from(word)

t.test('folding makes one text of what readers take for one', async t => {
  for (const [a, b] of [
    ['GRÖSSE', 'größe'],
    ['Ёлка', 'елка'],
    ['ＡＢＣ', 'abc'],
    ['ﬁne', 'FINE'],
    ['café', 'cafe\u0301'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['مُحَمَّد', 'محمد'],
    ['ｶﾞ', 'ガ'],
  ] as const)
    t.equal(fold(a), fold(b), `${a} and ${b}`)
  t.not(fold('が'), fold('か'), 'a dakuten is no accent')
  t.not(fold('น้ำ'), fold('นำ'), 'a Thai tone mark is no accent')
})

t.test('words are found in languages with and without spaces', async t => {
  const cases: [string, string[]][] = [
    ["Anna's e-mail is a.b@c.de", ['anna', 's', 'e', 'mail', 'is', 'a', 'b', 'c', 'de']],
    ['snake_case v1.2', ['snake', 'case', 'v1', '2']],
    ['Größe des Passworts', ['grosse', 'des', 'passworts']],
    ['Пароль от сети', ['пароль', 'от', 'сети']],
    ['无线网密码', ['无线', '网', '密码']],
    ['東京タワーです', ['東京タワー', 'です']],
    ['รหัสผ่าน', ['รหัส', 'ผ่าน']],
    ['كلمة المرور', ['كلمة', 'المرور']],
    ['?! 😀 … --', []],
    ['', []],
  ]
  for (const [text, words] of cases) t.same(wordsOf(fold(text)), words, text)
})

t.test('the vector holds each lexeme once, quoted for PostgreSQL, and marks trigrams', async t => {
  t.equal(searchVector('tea tea'), "'tea' '~  t' '~ te' '~tea' '~ea '")
  t.equal(searchVector('猫です'), "'猫' 'です' '~猫' '~で' '~す' '~猫で' '~です'")
  t.equal(searchVector(''), '')
})

t.test('a query is bounded: sixteen words, each of 64 characters at most', async t => {
  const many = Array.from({ length: 100 }, (_, i) => `word${i}`).join(' ')
  t.equal(queryWords(many).length, QUERY_WORDS)
  t.equal(queryWords('x'.repeat(1000))[0]?.word.length, 64)
  t.same(queryWords('... !? 😀'), [])
  t.equal(queryWords('same SAME sáme').length, 1)
})

t.test('one slip is a letter added, left out, changed, or swapped with its neighbour', async t => {
  for (const other of [
    'abcdef',
    'abcdxf',
    'abcdf',
    'abcdeef',
    'abdcef',
    'bacdef',
    'abcdfe',
    'xbcdef',
    'abcdefg',
    'bcdef',
  ])
    t.ok(oneSlip(letters('abcdef'), letters(other)), other)
  for (const other of ['abcdxy', 'abxdyf', 'abcd', 'abcdefgh', 'cbadef', 'fedcba', ''])
    t.notOk(oneSlip(letters('abcdef'), letters(other)), other)
})

t.test('a text resembles a part, a typo and a form of its words, and no stranger', async t => {
  const judge = resembles('He prefers the Krankenversicherung; 无线网络密码设置完成', { left: 1_000 })
  for (const word of ['preferred', 'krankenversicherumg', 'versicherung', '网络密码', '网络蜜码'])
    t.ok(judge(word), word)
  for (const word of ['reserved', 'insurance', '电脑密码', 'hexagon']) t.notOk(judge(word), word)
})

t.test('a text that is one thing over and over is compared with each word a thousand times a half at most', async t => {
  const effort = { left: 100_000 }
  const judge = resembles(`${'가'.repeat(15_990)}나나`, effort)
  for (let i = 0; i < 16; i++) t.notOk(judge('가'.repeat(34 + i) + '나'.repeat(26 - i)))
  t.ok(effort.left >= 100_000 - 16 * 2 * 1_000, `${100_000 - effort.left} comparisons`)
})

t.test('where the effort is used up, only what needs none is told', async t => {
  const effort = { left: 3 }
  const judge = resembles('one two three four preferred', effort)
  t.notOk(judge('prefers'), 'the fifth word is not looked at any more')
  t.ok(effort.left <= 0)
  t.ok(judge('prefer'), 'a part of a word')
  t.ok(resembles('one two three four preferred', { left: 5 })('prefers'))
})
