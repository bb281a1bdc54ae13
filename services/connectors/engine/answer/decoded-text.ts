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
  const codes = new Uint16Array(text.length)
  const ends = new Uint32Array(text.length)
  /** Whether each code unit followed a backslash. */
  const escaped = new Uint8Array(text.length)
  let count = 0
  let afterBackslash = 0

  function push(code: number, end: number): void {
    if (code === BACKSLASH) {
      afterBackslash = 1
      return
    }
    codes[count] = folded(code, base64)
    ends[count] = end
    escaped[count] = afterBackslash
    afterBackslash = 0
    count++
  }

  /** Removes an escape from the end of the decoded text and returns its code point; undefined if there is no escape. */
  function pop(): number | undefined {
    const last = codes[count - 1]
    if (last === SEMICOLON) return popEntity()
    if (digitOf(last) < 0) return undefined
    if (count >= 3 && codes[count - 3] === PERCENT) {
      const byte = numberAt(2)
      if (byte >= 0x80) lower()
      else if (byte >= 0) return drop(3)
    }
    if (count < 5 || codes[count - 5] !== SMALL_U || escaped[count - 5] === 0) return undefined
    const unit = numberAt(4)
    if (unit < 0) return undefined
    escaped[count - 5] = 0
    return drop(5, unit)

    function drop(length: number, code = numberAt(length - 1)): number {
      count -= length
      afterBackslash = escaped[count] ?? 0
      return code
    }
  }

  function popEntity(): number | undefined {
    for (let at = count - 2; at >= 0 && at >= count - LONGEST_ENTITY; at--) {
      if (codes[at] !== AMPERSAND) continue
      const name = String.fromCharCode(...codes.subarray(at + 1, count - 1))
      const [, decimal, hex] = ENTITY.exec(name) ?? []
      const point = NAMED[name] ?? Number.parseInt(decimal ?? hex ?? '', decimal === undefined ? 16 : 10)
      if (!(point <= 0x10ffff)) return undefined
      count = at
      afterBackslash = escaped[at] ?? 0
      return point
    }
    return undefined
  }

  /** Parses the last digits as a hexadecimal number; negative if one is not a digit. */
  function numberAt(digits: number): number {
    let number = 0
    for (let at = count - digits; at < count; at++) {
      const digit = digitOf(codes[at])
      if (digit < 0) return -1
      number = number * 16 + digit
    }
    return number
  }

  /** A byte of a multi-byte character stays percent-encoded, with lower-case digits. */
  function lower(): void {
    for (const at of [count - 2, count - 1]) if ((codes[at] ?? 0) < 0x47) codes[at] = (codes[at] ?? 0) | 0x20
  }

  for (let at = 0; at < text.length; at++) {
    let code: number | undefined = text.charCodeAt(at)
    while (code !== undefined) {
      if (code > 0xffff) {
        push(0xd800 + ((code - 0x10000) >> 10), at + 1)
        code = 0xdc00 + ((code - 0x10000) & 0x3ff)
      }
      push(code, at + 1)
      code = afterBackslash === 1 || count === 0 ? undefined : pop()
    }
  }
  return { codes: codes.subarray(0, count), ends: ends.subarray(0, count) }
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
