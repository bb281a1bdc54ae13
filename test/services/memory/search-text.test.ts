import t from 'tap'
import { fuzzyMatch, isOneEdit } from '../../../services/memory/rank-memories.ts'
import {
  fold,
  QUERY_WORDS,
  queryWord,
  queryWords,
  searchVector,
  wordsOf,
} from '../../../services/memory/search-text.ts'

const letters = (word: string) => Array.from(word)

t.test('texts that readers take for the same fold to the same text', async t => {
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
  t.not(fold('が'), fold('か'), 'a dakuten is not an accent')
  t.not(fold('น้ำ'), fold('นำ'), 'a Thai tone mark is not an accent')
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

t.test('the vector has each lexeme once, quoted for PostgreSQL, and marks trigrams', async t => {
  t.equal(searchVector('tea tea'), "'tea' '~  t' '~ te' '~tea' '~ea '")
  t.equal(searchVector('猫です'), "'猫' 'です' '~猫' '~で' '~す' '~猫で' '~です'")
  t.equal(searchVector(''), '')
})

t.test('a query has at most sixteen words of at most 64 characters', async t => {
  const many = Array.from({ length: 100 }, (_, i) => `word${i}`).join(' ')
  t.equal(queryWords(many).length, QUERY_WORDS)
  t.equal(queryWords('x'.repeat(1000))[0]?.length, 64)
  t.same(queryWords('... !? 😀'), [])
  t.equal(queryWords('same SAME sáme').length, 1)
})

t.test('a prefix goes before each lexeme of a query, inside its quotes', async t => {
  t.same(queryWord('abcd', "O'x"), {
    word: 'abcd',
    exact: "'O''xabcd'",
    prefix: "'O''xabcd':*",
    fuzzy: "('O''x~abc' & 'O''x~bcd')",
  })
  t.same(queryWord('ab', 'O'), { word: 'ab', exact: "'Oab'", prefix: "'Oab'", fuzzy: undefined })
})

t.test('one edit is a letter added, left out, changed, or swapped with its neighbor', async t => {
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
    t.ok(isOneEdit(letters('abcdef'), letters(other)), other)
  for (const other of ['abcdxy', 'abxdyf', 'abcd', 'abcdefgh', 'cbadef', 'fedcba', ''])
    t.notOk(isOneEdit(letters('abcdef'), letters(other)), other)
})

t.test('a text matches a part, a typo and another form of its words, and no other word', async t => {
  const matches = fuzzyMatch('Ada prefers the Krankenversicherung; 无线网络密码设置完成', { left: 1_000 })
  for (const word of ['preferred', 'krankenversicherumg', 'versicherung', '网络密码', '网络蜜码'])
    t.ok(matches(word), word)
  for (const word of ['reserved', 'insurance', '电脑密码', 'hexagon']) t.notOk(matches(word), word)
})

t.test('a text that repeats itself is compared at most a thousand times with each half of a word', async t => {
  const budget = { left: 100_000 }
  const matches = fuzzyMatch(`${'가'.repeat(15_990)}나나`, budget)
  for (let i = 0; i < 16; i++) t.notOk(matches('가'.repeat(34 + i) + '나'.repeat(26 - i)))
  t.ok(budget.left >= 100_000 - 16 * 2 * 1_000, `${100_000 - budget.left} comparisons`)
})

t.test('once the budget is used up, only literal occurrences match', async t => {
  const budget = { left: 3 }
  const matches = fuzzyMatch('one two three four preferred', budget)
  t.notOk(matches('prefers'), 'the fifth word is not compared')
  t.ok(budget.left <= 0)
  t.ok(matches('prefer'), 'a part of a word')
  t.ok(fuzzyMatch('one two three four preferred', { left: 5 })('prefers'))
})
