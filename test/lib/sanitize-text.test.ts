import t from 'tap'
import { sanitizeLine, sanitizeText, sanitizeTitle } from '../../lib/sanitize-text.ts'
import fc from '../fixtures/property.ts'

/**
 * Hidden characters, one of each kind: fillers, selectors, tags, joiners, bidirectional marks, controls, a lone
 * surrogate.
 */
const HIDDEN = [
  ...['\u3164', '\uffa0', '\u115f', '\u034f', '\u180e', '\ufe00', '\u{e0100}', '\u{e0041}'],
  ...['\u200b', '\u200d', '\u202e', '\u2066', '\u00ad', '\u0000', '\u001b', '\ud800'],
]

t.test('no sanitizer keeps characters that models read but people cannot see', async t => {
  for (const hidden of HIDDEN) {
    const text = `ab${hidden}cd`
    for (const clean of [sanitizeText, sanitizeTitle])
      t.equal(clean(text, 100), 'abcd', `${clean.name} of ${JSON.stringify(hidden)}`)
    const seen = hidden === '\ud800' ? 'ab\ufffdcd' : 'ab cd'
    t.equal(sanitizeLine(text, 100), seen, `sanitizeLine of ${JSON.stringify(hidden)}`)
  }
  await fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 2, max: 60 }), (text, length) => {
      const line = sanitizeLine(text, length)
      t.ok(line.length <= length)
      t.notMatch(line, /(?!\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u)
    }),
    { numRuns: 200 },
  )
})

t.test('a sanitized line has the words of its markup, and removing tags never creates a new tag', async t => {
  t.equal(sanitizeLine('It <b>failed</b>:\r\n\t see <a href="x">here</a>.'), 'It failed : see here .')
  t.equal(sanitizeLine('a <scr\u200bipt>b</scr\u3164ipt> c'), 'a b c')
  t.equal(sanitizeLine('1 < 2 and 3 > 2'), '1 < 2 and 3 > 2')
  t.equal(sanitizeTitle('a <b>\n c', 20), 'a <b> c')
})

t.test('a text that is too long is cut between characters and ends with an ellipsis', async t => {
  t.equal(sanitizeLine('a'.repeat(600)), `${'a'.repeat(499)}…`)
  t.equal(sanitizeLine('a😀b', 3), 'a…')
  t.equal(sanitizeLine(`a${'\u200b'.repeat(10)}`, 8), 'a')
})
