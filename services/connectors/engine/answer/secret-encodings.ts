import { decodedText } from './decoded-text.ts'

/** Finds one secret in a text in any encoding. */
export interface SecretMatcher {
  /** A part of the secret that is the same in all encodings: a text without it does not contain the secret. */
  readonly core: string
  /** Replaces each occurrence, in time proportional to the text. */
  redact(text: string, replacement: string): string
}

/** Shorter secrets would also match ordinary words. */
export const MIN_LENGTH = 8
/** The maximum length of a core: every text is searched for it, and its length multiplies the longest search. */
const MAX_CORE = 32
/** The characters that no text encoding, or no form of Base64, changes. */
const PLAIN = { text: /[\w.-]+/g, base64: /[A-Za-z0-9]+/g }
const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', "'": '&#39;', '<': '&lt;', '>': '&gt;' }

/**
 * Matches a secret as it is, in JSON, percent-encoded with upper-case or lower-case digits, in a form, in HTML, and
 * nested in one another.
 */
export function secretMatcher(secret: string): SecretMatcher {
  if (/^[\w.-]+$/.test(secret)) return matcherWith(secret, 'text', { exact: () => [secret], decoded: () => [] })
  // Percent-encoded bytes of non-ASCII characters stay encoded when a text is decoded.
  const decoded = () => (/^\p{ASCII}*$/u.test(secret) ? [secret] : [secret, encodeURIComponent(secret.toWellFormed())])
  return matcherWith(secret, 'text', { exact: () => formsOf(secret), decoded })
}

/** Matches the Base64 of any text that contains a secret, standard or URL-safe. */
export function base64Matchers(secret: string): SecretMatcher[] {
  return inBase64(secret).map(form => {
    const exact = () => [form]
    const decoded = () => (/[+/]/.test(form) ? [form] : [])
    return matcherWith(form, 'base64', { exact, decoded })
  })
}

/** `exact`: the forms to find in the text itself; `decoded`: the forms to find in the decoded text. */
function matcherWith(
  wanted: string,
  kind: 'text' | 'base64',
  { exact, decoded }: Record<'exact' | 'decoded', () => readonly string[]>,
): SecretMatcher {
  const runs = wanted.match(PLAIN[kind]) ?? ['']
  const core = runs.reduce((longest, run) => (run.length > longest.length ? run : longest)).slice(0, MAX_CORE)
  const read = (text: string) => decodedText(text, kind === 'base64')
  // Created on first use: few answers contain a secret.
  let searches: readonly Search[] | undefined

  function makeSearches(): readonly Search[] {
    // Exact forms first: the characters around a secret may look like a part of one of its escapes.
    const inPlain = exact().map(form => {
      const beginning = form.slice(0, MAX_CORE)
      const find = searchCodes(codesOf(form))
      return (text: string) => (text.includes(beginning) ? find(codesOf(text)).map(at => [at, at + form.length]) : [])
    })
    const inDecoded = decoded()
      .map(form => ({ codes: read(form).codes, slashed: form.endsWith('\\') }))
      .filter(({ codes }) => codes.length >= MIN_LENGTH)
      .map(({ codes: { length }, codes, slashed }) => {
        const find = searchCodes(codes)
        return (text: string) => {
          const { codes, ends } = read(text)
          return find(codes).map(at => {
            const end = ends[at + length - 1] ?? text.length
            return [ends[at - 1] ?? 0, slashed ? afterBackslashes(text, end) : end]
          })
        }
      })
    return [...inPlain, ...inDecoded]
  }

  return {
    core,
    redact(text, replacement) {
      searches ??= makeSearches()
      return searches.reduce((rest, find) => without(rest, find(rest), replacement), text)
    },
  }
}

/** Returns the ranges of a text to replace: start and end (exclusive). */
type Search = (text: string) => readonly number[][]

function without(text: string, places: readonly number[][], replacement: string): string {
  if (places.length === 0) return text
  let rest = ''
  let kept = 0
  for (const [from = 0, to = 0] of places) {
    rest += text.slice(kept, from) + replacement
    kept = to
  }
  return rest + text.slice(kept)
}

function afterBackslashes(text: string, end: number): number {
  let at = end
  while (text[at] === '\\') at++
  return at
}

/** Returns the encoded forms of a secret, the longest first, so that none is replaced only in part. */
function formsOf(secret: string): string[] {
  const formed = secret.toWellFormed()
  const once = inJson(secret)
  const percent = encodeURIComponent(formed)
  const form = `${new URLSearchParams([['', formed]])}`.slice(1)
  const html = secret.replace(/[&"'<>]/g, sign => HTML[sign] ?? sign)
  const forms = [secret, once, inJson(once), percent, lowered(percent), form, lowered(form), html]
  return [...new Set(forms)].sort((a, b) => b.length - a.length)
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function lowered(percentEncoded: string): string {
  return percentEncoded.replace(/%../g, code => code.toLowerCase())
}

function codesOf(text: string): Uint16Array {
  const codes = new Uint16Array(text.length)
  for (let at = 0; at < codes.length; at++) codes[at] = text.charCodeAt(at)
  return codes
}

/**
 * Returns the three Base64 forms of a text, one for each offset within three bytes, without the characters that
 * neighboring bytes influence.
 */
function inBase64(text: string): string[] {
  // One character per byte, as btoa requires. It is several times faster than a Buffer, and every call waits for it.
  const bytes = /^[\x20-\x7e]*$/.test(text) ? text : Buffer.from(text).toString('latin1')
  return ['', '\0', '\0\0'].map(before =>
    btoa(before + bytes).slice(
      Math.ceil((before.length * 8) / 6),
      Math.floor(((before.length + bytes.length) * 8) / 6),
    ),
  )
}

/**
 * Compiles a search for a sequence that runs in linear time for any input (Knuth, Morris and Pratt). It returns the
 * start of each occurrence, without overlaps.
 */
function searchCodes(wanted: ArrayLike<number>): (codes: ArrayLike<number>) => number[] {
  const { length } = wanted
  /** The length of the prefix that still matches after a mismatch at each position. */
  const shorter = new Uint32Array(length)
  for (let at = 1, met = 0; at < length; at++) {
    while (met > 0 && wanted[at] !== wanted[met]) met = shorter[met - 1] ?? 0
    if (wanted[at] === wanted[met]) met++
    shorter[at] = met
  }

  return function find(codes) {
    const found: number[] = []
    for (let at = 0, met = 0; at < codes.length; at++) {
      while (met > 0 && codes[at] !== wanted[met]) met = shorter[met - 1] ?? 0
      if (codes[at] === wanted[met]) met++
      if (met < length) continue
      found.push(at - length + 1)
      met = 0
    }
    return found
  }
}
