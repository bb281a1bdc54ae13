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

/**
 * A text with its escapes of JSON, URLs and HTML decoded, at any nesting depth, and without backslashes. Space becomes
 * plus, as in forms.
 */
interface DecodedText {
  /** UTF-16 code units. */
  readonly codes: Uint16Array
  /**
   * For each code unit, the index in the original text where its encoding ends. Its encoding begins where the previous
   * one ends.
   */
  readonly ends: Uint32Array
}

const BACKSLASH = 0x5c
const PERCENT = 0x25
const AMPERSAND = 0x26
const SEMICOLON = 0x3b
const SMALL_U = 0x75
const SPACE = 0x20
const PLUS = 0x2b
const DASH = 0x2d
const UNDERSCORE = 0x5f
const SLASH = 0x2f
/** `&#x`, leading zeros, and six digits. */
const LONGEST_ENTITY = 14
const ENTITY = /^#(?:(\d{1,11})|x([\da-f]{1,10}))$/i
const NAMED: Readonly<Record<string, number>> = { amp: AMPERSAND, quot: 0x22, apos: 0x27, lt: 0x3c, gt: 0x3e }

/**
 * Decodes a text in one pass. An escape is replaced at its last character, and the result may complete another escape.
 * `base64` also maps the two special characters of URL-safe Base64 to the standard ones.
 */
function decodedText(text: string, base64: boolean): DecodedText {
  const decoder = new Decoder(text.length, base64)
  for (let at = 0; at < text.length; at++) decoder.add(text.charCodeAt(at), at + 1)
  return decoder.decoded()
}

/** The text decoded so far. */
class Decoder {
  readonly #base64: boolean
  readonly #codes: Uint16Array
  readonly #ends: Uint32Array
  /** Whether each code unit followed a backslash. */
  readonly #escaped: Uint8Array
  #count = 0
  #afterBackslash = 0

  constructor(length: number, base64: boolean) {
    this.#base64 = base64
    this.#codes = new Uint16Array(length)
    this.#ends = new Uint32Array(length)
    this.#escaped = new Uint8Array(length)
  }

  /** Adds a code unit of the text, and replaces the escapes that it completes. `end`: where its encoding ends. */
  add(unit: number, end: number): void {
    let code: number | undefined = unit
    while (code !== undefined) {
      if (code > 0xffff) {
        this.#push(0xd800 + ((code - 0x10000) >> 10), end)
        code = 0xdc00 + ((code - 0x10000) & 0x3ff)
      }
      this.#push(code, end)
      code = this.#afterBackslash === 1 || this.#count === 0 ? undefined : this.#popEscape()
    }
  }

  decoded(): DecodedText {
    return { codes: this.#codes.subarray(0, this.#count), ends: this.#ends.subarray(0, this.#count) }
  }

  #push(code: number, end: number): void {
    if (code === BACKSLASH) {
      this.#afterBackslash = 1
      return
    }
    this.#codes[this.#count] = folded(code, this.#base64)
    this.#ends[this.#count] = end
    this.#escaped[this.#count] = this.#afterBackslash
    this.#afterBackslash = 0
    this.#count++
  }

  /** Removes an escape from the end of the decoded text and returns its code point; undefined if there is no escape. */
  #popEscape(): number | undefined {
    const count = this.#count
    const last = this.#codes[count - 1]
    if (last === SEMICOLON) return this.#popEntity()
    if (digitOf(last) < 0) return undefined
    if (count >= 3 && this.#codes[count - 3] === PERCENT) {
      const byte = this.#lastNumber(2)
      if (byte >= 0x80) this.#lowerDigits()
      else if (byte >= 0) return this.#cut(count - 3, byte)
    }
    if (count < 5 || this.#codes[count - 5] !== SMALL_U || this.#escaped[count - 5] === 0) return undefined
    const unit = this.#lastNumber(4)
    if (unit < 0) return undefined
    this.#escaped[count - 5] = 0
    return this.#cut(count - 5, unit)
  }

  #popEntity(): number | undefined {
    const count = this.#count
    for (let at = count - 2; at >= 0 && at >= count - LONGEST_ENTITY; at--) {
      if (this.#codes[at] !== AMPERSAND) continue
      const name = String.fromCharCode(...this.#codes.subarray(at + 1, count - 1))
      const [, decimal, hex] = ENTITY.exec(name) ?? []
      const point = NAMED[name] ?? Number.parseInt(decimal ?? hex ?? '', decimal === undefined ? 16 : 10)
      return point <= 0x10ffff ? this.#cut(at, point) : undefined
    }
    return undefined
  }

  #cut(count: number, code: number): number {
    this.#count = count
    this.#afterBackslash = this.#escaped[count] ?? 0
    return code
  }

  /** Parses the last digits as a hexadecimal number; negative if one is not a digit. */
  #lastNumber(digits: number): number {
    let number = 0
    for (let at = this.#count - digits; at < this.#count; at++) {
      const digit = digitOf(this.#codes[at])
      if (digit < 0) return -1
      number = number * 16 + digit
    }
    return number
  }

  /** A byte of a multi-byte character stays percent-encoded, with lower-case digits. */
  #lowerDigits(): void {
    const codes = this.#codes
    for (const at of [this.#count - 2, this.#count - 1])
      if ((codes[at] ?? 0) < 0x47) codes[at] = (codes[at] ?? 0) | 0x20
  }
}

function folded(code: number, base64: boolean): number {
  if (code === SPACE) return PLUS
  if (!base64) return code
  return code === DASH ? PLUS : code === UNDERSCORE ? SLASH : code
}

/** Returns the value of a hexadecimal digit; negative if it is not a digit. */
function digitOf(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
