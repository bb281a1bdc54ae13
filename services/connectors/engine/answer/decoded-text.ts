/**
 * A text with the escapes of JSON, URLs and HTML taken off, however deep they stand in one another, and without
 * backslashes; space and plus are one, as forms have them.
 */
export interface DecodedText {
  /** UTF-16. */
  readonly codes: Uint16Array
  /** Where each of them ends in the text that was read; what stands before it and behind the last one is written for it. */
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
 * Reads a text once: an escape is replaced where its last character is met, by what may end another one. `base64`: with
 * the two characters that Base64 for URLs has of its own as those that they stand for.
 */
export function decodedText(text: string, base64: boolean): DecodedText {
  const codes = new Uint16Array(text.length)
  const ends = new Uint32Array(text.length)
  /** Which of them stood behind a backslash. */
  const slashed = new Uint8Array(text.length)
  let count = 0
  let behindSlash = 0

  function push(code: number, end: number): void {
    if (code === BACKSLASH) {
      behindSlash = 1
      return
    }
    codes[count] = folded(code, base64)
    ends[count] = end
    slashed[count] = behindSlash
    behindSlash = 0
    count++
  }

  /** Takes an escape off the end of what was read, and says what it stands for; undefined where there is none. */
  function pop(): number | undefined {
    const last = codes[count - 1]
    if (last === SEMICOLON) return popEntity()
    if (digitOf(last) < 0) return undefined
    if (count >= 3 && codes[count - 3] === PERCENT) {
      const byte = numberAt(2)
      if (byte >= 0x80) lower()
      else if (byte >= 0) return drop(3)
    }
    if (count < 5 || codes[count - 5] !== SMALL_U || slashed[count - 5] === 0) return undefined
    const unit = numberAt(4)
    if (unit < 0) return undefined
    slashed[count - 5] = 0
    return drop(5, unit)

    function drop(length: number, code = numberAt(length - 1)): number {
      count -= length
      behindSlash = slashed[count] ?? 0
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
      behindSlash = slashed[at] ?? 0
      return point
    }
    return undefined
  }

  /** The number that the last digits are, in base 16; below 0 where one is none. */
  function numberAt(digits: number): number {
    let number = 0
    for (let at = count - digits; at < count; at++) {
      const digit = digitOf(codes[at])
      if (digit < 0) return -1
      number = number * 16 + digit
    }
    return number
  }

  /** A byte of a longer character stays percent-encoded, with digits of one case. */
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
      code = behindSlash === 1 || count === 0 ? undefined : pop()
    }
  }
  return { codes: codes.subarray(0, count), ends: ends.subarray(0, count) }
}

function folded(code: number, base64: boolean): number {
  if (code === SPACE) return PLUS
  if (!base64) return code
  return code === DASH ? PLUS : code === UNDERSCORE ? SLASH : code
}

/** Of a digit in base 16; below 0 for what is none. */
function digitOf(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
