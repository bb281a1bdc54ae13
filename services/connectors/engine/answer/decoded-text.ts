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
export function decodedText(text: string, base64: boolean): DecodedText {
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
