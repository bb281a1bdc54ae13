import { Buffer } from 'node:buffer'
import t from 'tap'
import { createRedactor, redactedJson } from '../../lib/redaction/redactor.ts'
import { cpuMs } from '../fixtures/elapsed.ts'
import fc from '../fixtures/property.ts'

const SIGNS = ['\\', '%', '&', '"', "'", '/', '+', ' ', '=', '~', '!', ';', '#', 'u', '4', '1', 'f', '-', '_', '.']
/** The encodings that providers and their frameworks use, each also nested in another. */
const WRITTEN: Record<string, (text: string) => string> = {
  'as it is': text => text,
  percent: encodeURIComponent,
  'small percent': text => encodeURIComponent(text).replace(/%../g, hex => hex.toLowerCase()),
  form: text => `${new URLSearchParams({ text })}`,
  HTML: text => text.replace(/[&"'<>]/g, sign => `&#x${sign.charCodeAt(0).toString(16)};`),
  'named HTML': text => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  JSON: text => JSON.stringify(text).slice(1, -1),
  'JSON with signs escaped': text =>
    text.replace(/[^\w.-]/g, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`),
}

function redactorOf(secret: string) {
  return createRedactor({ sent: [secret] })
}

t.test('a secret is redacted in each encoding and each nested encoding, whatever its characters', t => {
  const letter = fc.constantFrom(...'abcdefghijklmnopqrstvwxyzGHIJKLMNOPQRSTUVWXYZ')
  const secrets = fc
    .tuple(
      fc.array(letter, { minLength: 8, maxLength: 8 }),
      fc.array(fc.constantFrom(...SIGNS), { maxLength: 12 }),
      fc.array(letter, { minLength: 4, maxLength: 40 }),
    )
    .map(parts => parts.flat().join(''))
  const form = fc.constantFrom(...Object.keys(WRITTEN))
  fc.assert(
    fc.property(secrets, form, form, fc.boolean(), (key, inner, outer, encoded) => {
      const sent = encoded ? Buffer.from(`Bearer ${key} é`).toString('base64') : key
      const write = (text: string) => WRITTEN[outer]?.(WRITTEN[inner]?.(text) ?? '') ?? ''
      const text = `before, ${write(sent)} behind.`
      const redacted = redactorOf(key)(text)
      if (!redacted.startsWith('before, ') || !redacted.endsWith('behind.') || !redacted.includes('[redacted]'))
        throw new Error(`${inner} in ${outer}: ${text} -> ${redacted}`)
      const halves = encoded ? [sent.slice(12, -8)] : [key.slice(0, 8), key.slice(-4)]
      const left = redacted.replaceAll('[redacted]', '')
      if (halves.some(half => left.includes(half))) throw new Error(`${inner} in ${outer}: ${text} -> ${redacted}`)
    }),
    { numRuns: 3_000 },
  )
  t.end()
})

t.test('a secret of special characters is redacted in plain and encoded form, at any position', t => {
  const sign = fc.constantFrom(...SIGNS)
  const secrets = fc.array(sign, { minLength: 8, maxLength: 60 }).map(signs => signs.join(''))
  const around = fc.array(sign, { maxLength: 12 }).map(signs => signs.join(''))
  const forms = ['as it is', 'percent', 'small percent', 'JSON'] as const
  fc.assert(
    fc.property(secrets, around, around, fc.constantFrom(...forms), (key, before, behind, how) => {
      const written = WRITTEN[how]?.(key) ?? ''
      const redacted = redactorOf(key)(before + written + behind)
      return redacted.includes('[redacted]') && !redacted.includes(written)
    }),
    { numRuns: 2_000 },
  )
  const key = '\\'.repeat(11)
  t.equal(redactorOf(`${key}Q`)(`a ${key}Q, ${JSON.stringify(`${key}Q`)}`), 'a [redacted], "[redacted]"')
  const long = `${'!'.repeat(7_980)}tail-of-secret-77`
  t.equal(redactorOf(long)(`a ${encodeURIComponent(long)} b tail-of-secret-77`), 'a [redacted] b tail-of-secret-77')
  t.equal(redactorOf('pässwört+1')('a p%c3%a4ssw%C3%B6rt%2B1 p\\u00e4ssw&#246;rt+1'), 'a [redacted] [redacted]')
  t.end()
})

t.test('redacting takes linear time in the secret and the text', async t => {
  const units = [
    '\\',
    '%',
    '%25',
    '&',
    '&amp;',
    '&#38;',
    '"',
    '\\"',
    '\\u005c',
    '\\u0025',
    '%5C',
    '!',
    'a',
    '+',
    '/',
    'Q',
  ]
  const unit = fc.constantFrom(...units)
  const runOf = (length: number) =>
    fc.tuple(unit, unit, fc.boolean()).map(([one, other, first]) => {
      const run = one.repeat(length / one.length)
      return first ? other + run : run + other
    })
  let slowest = 0
  await fc.assert(
    fc.asyncProperty(runOf(16_000), runOf(200_000), async (key, text) => {
      const redact = redactorOf(key)
      const spent = await cpuMs(() => redact(text))
      slowest = Math.max(slowest, spent)
      // Some 20 ms per encoding. Quadratic time would take a minute.
      return spent < 1_000
    }),
    { numRuns: 60 },
  )
  t.comment(`the slowest took ${Math.round(slowest)} ms`)
  const texts = [12, 24, 48].map(n => [`${'\\'.repeat(n)}Q`, `${'\\'.repeat(n * 3)}! Q`] as const)
  for (const [key, text] of texts) t.ok((await cpuMs(() => redactorOf(key)(text))) < 100, key)
  const redact = redactorOf('!'.repeat(1_000))
  t.ok((await cpuMs(() => Array.from({ length: 20_000 }, () => redact('')).join())) < 200, 'many empty texts')
  t.ok(
    (await cpuMs(() => Array.from({ length: 20_000 }, () => redact('some words')).join())) < 1_500,
    'many short texts',
  )
})

t.test('a result keeps all levels up to the maximum', async t => {
  const redact = redactorOf('a-secret-of-an-account')
  const nested = (levels: number, text: string): unknown =>
    JSON.parse(`${'{"a":['.repeat(levels / 2)}"${text}"${']}'.repeat(levels / 2)}`)
  t.same(redactedJson(nested(64, 'a-secret-of-an-account'), redact), nested(64, '[redacted]'))
})
