import { decodedText } from './decoded-text.ts'

/** One thing to look for in a text, however it is written there. */
export interface SecretMatcher {
  /** A part of it that every form has as it is: a text without that has none of them. */
  readonly core: string
  /** The text with something in the place of each: in time in proportion to the text, whatever either is made of. */
  redact(text: string, replacement: string): string
}

/** What is shorter would take innocent words with it. */
export const MIN_LENGTH = 8
/** Characters of a core at most: it is looked for in every text, and the longest search multiplies by it. */
const MAX_CORE = 32
/** What no encoding of texts writes otherwise, and no form of Base64. */
const PLAIN = { text: /[\w.-]+/g, base64: /[A-Za-z0-9]+/g }
const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', "'": '&#39;', '<': '&lt;', '>': '&gt;' }

/**
 * What to look for where a secret may be written as it is, in JSON, percent-encoded with either case of digits, in a
 * form, in HTML, and in one of them within the other.
 */
export function secretMatcher(secret: string): SecretMatcher {
  if (/^[\w.-]+$/.test(secret)) return matcherWith(secret, 'text', { exact: () => [secret], decoded: () => [] })
  // A percent-encoded byte of what is no ASCII stays one when a text is decoded.
  const decoded = () => (/^\p{ASCII}*$/u.test(secret) ? [secret] : [secret, encodeURIComponent(secret.toWellFormed())])
  return matcherWith(secret, 'text', { exact: () => formsOf(secret), decoded })
}

/** What to look for where Base64 of something that holds a secret may stand, or its form for URLs. */
export function base64Matchers(secret: string): SecretMatcher[] {
  return inBase64(secret).map(form => {
    const exact = () => [form]
    const decoded = () => (/[+/]/.test(form) ? [form] : [])
    return matcherWith(form, 'base64', { exact, decoded })
  })
}

/** `exact`: what is looked for as it is; `decoded`: what in a text whose escapes are taken off. */
function matcherWith(
  wanted: string,
  kind: 'text' | 'base64',
  { exact, decoded }: Record<'exact' | 'decoded', () => readonly string[]>,
): SecretMatcher {
  const runs = wanted.match(PLAIN[kind]) ?? ['']
  const core = runs.reduce((longest, run) => (run.length > longest.length ? run : longest)).slice(0, MAX_CORE)
  const read = (text: string) => decodedText(text, kind === 'base64')
  // Made where it is needed: few answers have a secret in them.
  let searches: readonly Search[] | undefined

  function makeSearches(): readonly Search[] {
    // As it is first: what stands before or behind a secret may look like a part of one of its escapes.
    const asItIs = exact().map(form => {
      const beginning = form.slice(0, MAX_CORE)
      const find = searchCodes(codesOf(form))
      return (text: string) => (text.includes(beginning) ? find(codesOf(text)).map(at => [at, at + form.length]) : [])
    })
    const byMeaning = decoded()
      .map(form => ({ codes: read(form).codes, slashed: form.endsWith('\\') }))
      .filter(({ codes }) => codes.length >= MIN_LENGTH)
      .map(({ codes: { length }, codes, slashed }) => {
        const find = searchCodes(codes)
        return (text: string) => {
          const { codes, ends } = read(text)
          return find(codes).map(at => {
            const end = ends[at + length - 1] ?? text.length
            return [ends[at - 1] ?? 0, slashed ? behindSlashes(text, end) : end]
          })
        }
      })
    return [...asItIs, ...byMeaning]
  }

  return {
    core,
    redact(text, replacement) {
      searches ??= makeSearches()
      return searches.reduce((rest, find) => without(rest, find(rest), replacement), text)
    },
  }
}

/** Where something stands in a text: from, and to before. */
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

function behindSlashes(text: string, end: number): number {
  let at = end
  while (text[at] === '\\') at++
  return at
}

/** The forms that encoders give a secret, the longest first: none of them is left in half. */
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

/** Base64 of whatever holds a text: three, for where in three bytes it begins, each less what its neighbours decide. */
function inBase64(text: string): string[] {
  // One character a byte, as btoa takes them: it is several times as fast as a Buffer, and every call waits for it.
  const bytes = /^[\x20-\x7e]*$/.test(text) ? text : Buffer.from(text).toString('latin1')
  return ['', '\0', '\0\0'].map(before =>
    btoa(before + bytes).slice(
      Math.ceil((before.length * 8) / 6),
      Math.floor(((before.length + bytes.length) * 8) / 6),
    ),
  )
}

/**
 * Makes what finds a sequence in others, each time in as many steps as there are codes (Knuth, Morris and Pratt), whatever
 * either of them is made of: where it begins, without overlaps.
 */
export function searchCodes(wanted: ArrayLike<number>): (codes: ArrayLike<number>) => number[] {
  const { length } = wanted
  /** How much of the sequence is still met after a code that is not the next one. */
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
