import t from 'tap'
import { evaluateConditions } from '../../lib/http/conditions.ts'
import fc from '../fixtures/property.ts'

const lastModified = new Date('2026-11-20T10:00:00.700Z')
const file = { etag: '"a"', lastModified, bytes: 100 }
const AT = lastModified.toUTCString()
const EARLIER = 'Fri, 20 Nov 2026 09:59:59 GMT'
const LATER = 'Fri, 20 Nov 2026 10:00:01 GMT'

t.test('conditions are evaluated in the order of RFC 9110', async t => {
  const cases: [headers: Record<string, string>, status: number][] = [
    [{}, 200],
    [{ 'if-match': '"a"' }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': '"b", "a"' }, 200],
    [{ 'if-match': '"b"' }, 412],
    [{ 'if-match': 'W/"a"' }, 412],
    [{ 'if-match': '"a"', 'if-unmodified-since': EARLIER }, 200],
    [{ 'if-unmodified-since': EARLIER }, 412],
    [{ 'if-unmodified-since': AT }, 200],
    [{ 'if-unmodified-since': 'no date' }, 200],
    [{ 'if-none-match': '"a"' }, 304],
    [{ 'if-none-match': 'W/"a"' }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"b"' }, 200],
    [{ 'if-none-match': '"b"', 'if-modified-since': LATER }, 200],
    [{ 'if-modified-since': AT }, 304],
    [{ 'if-modified-since': LATER }, 304],
    [{ 'if-modified-since': EARLIER }, 200],
    [{ 'if-modified-since': 'no date' }, 200],
    [{ 'if-match': '"b"', 'if-none-match': '"a"' }, 412],
    [{ 'if-none-match': '"a"', range: 'bytes=0-1' }, 304],
    [{ range: 'bytes=0-1', 'if-range': '"a"' }, 206],
    [{ range: 'bytes=0-1', 'if-range': 'W/"a"' }, 200],
    [{ range: 'bytes=0-1', 'if-range': '"b"' }, 200],
    [{ range: 'bytes=0-1', 'if-range': AT }, 206],
    [{ range: 'bytes=0-1', 'if-range': LATER }, 200],
    [{ range: 'bytes=500-', 'if-range': '"b"' }, 200],
  ]
  for (const [headers, status] of cases)
    t.equal(evaluateConditions(headers, file).status, status, JSON.stringify(headers))
})

t.test('one range of bytes is served, everything else is ignored or cannot be satisfied', async t => {
  const cases: [range: string, expected: object][] = [
    ['bytes=0-0', { status: 206, range: { start: 0, end: 0 } }],
    ['bytes=90-', { status: 206, range: { start: 90, end: 99 } }],
    ['bytes=90-5000', { status: 206, range: { start: 90, end: 99 } }],
    ['bytes=-10', { status: 206, range: { start: 90, end: 99 } }],
    ['bytes=-5000', { status: 206, range: { start: 0, end: 99 } }],
    ['Bytes= 1-2 ', { status: 206, range: { start: 1, end: 2 } }],
    ['bytes=100-', { status: 416 }],
    ['bytes=-0', { status: 416 }],
    [`bytes=${'9'.repeat(400)}-`, { status: 416 }],
    ['bytes=5-2', { status: 200 }],
    ['bytes=-', { status: 200 }],
    ['bytes=0-1,5-6', { status: 200 }],
    ['bytes=a-b', { status: 200 }],
    ['items=0-1', { status: 200 }],
  ]
  for (const [range, expected] of cases) t.same(evaluateConditions({ range }, file), expected, range)
  t.same(
    evaluateConditions({ range: 'bytes=0-' }, { ...file, bytes: 0 }),
    { status: 416 },
    'an empty file has no range',
  )
  t.same(evaluateConditions({ range: 'bytes=-1' }, { ...file, bytes: 0 }), { status: 416 })
})

t.test('a served range is never empty and lies within the file', async t => {
  const number = fc.option(fc.nat(150), { nil: '' })
  fc.assert(
    fc.property(number, number, fc.nat(100), (first, last, bytes) => {
      const answer = evaluateConditions({ range: `bytes=${first}-${last}` }, { ...file, bytes })
      if (answer.status !== 206) return true
      const { start, end } = answer.range
      return start >= 0 && start <= end && end < bytes
    }),
  )
  t.pass()
})
