type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown

/** JSON.rawJSON, which the types of TypeScript do not have yet. */
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): object
  isRawJSON(value: unknown): value is { readonly rawJSON: string }
}

/** Matches every text in which JSON.parse can change a number, and few others. */
const MAY_BE_INEXACT = /\d{15}|\d[eE][+-]?\d{3}/
/** Matches every text that may have a number above 2^53, exact ones such as 1e20 too, and few others. */
const MAY_BE_LARGE = /[[:,\s]-?(?:\d{16}|\d[\d.]*[eE]\+?\d)/
/** Doubles represent every integer with this number of digits. */
const EXACT_DIGITS = 15
/** The most digits that are kept. PostgreSQL's jsonb writes exponents out: 1e131071 as 131,072 digits. */
const MAX_KEPT = 500

/**
 * Whether a number that was written as `source` keeps its value: not if it is out of range, or an integer above 2^53 - 1.
 * Fractions are rounded, as everywhere in JSON.
 */
export function isExactNumber(source: string, value: number): boolean {
  if (!Number.isFinite(value)) return false
  const [mantissa = '', exponent] = source.toLowerCase().split('e')
  if (value === 0) return !/[1-9]/.test(mantissa)
  if (Number.isSafeInteger(value) || Math.abs(value) < Number.MAX_SAFE_INTEGER) return true
  if (mantissa.replace(/^-?0*|\./g, '').length <= EXACT_DIGITS) return true
  // The source is the JSON of the double, such as 1.7976931348623157e+308.
  return exponent !== undefined && JSON.stringify(value) === source
}

/** Whether JSON.parse changes a number in a valid JSON text. */
export function hasInexactNumber(text: string): boolean {
  if (!MAY_BE_INEXACT.test(text)) return false
  let isFound = false
  JSON.parse(text, (_key: string, value: unknown, context?: { source?: string }) => {
    isFound ||= isInexact(value, context?.source)
    return value
  })
  return isFound
}

/** The reviver that keeps the digits of inexact numbers as raw JSON; undefined if the text has none. */
export function keepInexact(text: string): Reviver | undefined {
  return MAY_BE_INEXACT.test(text) ? inexactToRaw : undefined
}

/**
 * The reviver that keeps the digits of large numbers in JSON text: as raw JSON, which JSON.stringify writes as it was. Does not
 * keep those of absurd numbers, which JSON.parse takes for infinite.
 */
export function keepDigits(text: string): Reviver | undefined {
  return MAY_BE_LARGE.test(text) ? largeToRaw : undefined
}

/** The reviver that turns integers above 2^53 into strings with their digits, for values that are only read and shown. */
export function digitsAsText(text: string): Reviver | undefined {
  return MAY_BE_LARGE.test(text) ? largeToText : undefined
}

/** The digits of a number that a reviver kept; undefined for any other value. */
export function keptDigits(value: unknown): string | undefined {
  return isRawJSON(value) ? value.rawJSON : undefined
}

const inexactToRaw: Reviver = (_key, value, context) => {
  const source = context?.source
  return source !== undefined && isInexact(value, source) ? rawJSON(source) : value
}

const largeToRaw: Reviver = (_key, value, context) => {
  const source = context?.source
  return isLarge(value) && source !== undefined && isKept(source) ? rawJSON(source) : value
}

const largeToText: Reviver = (_key, value, context) => {
  const source = context?.source
  return isLarge(value) && source !== undefined && /^-?\d+$/.test(source) ? source : value
}

/** Whether a number has few digits, also without its exponent. */
function isKept(source: string): boolean {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e')
  return mantissa.length + Math.abs(Number(exponent)) <= MAX_KEPT
}

function isInexact(value: unknown, source: string | undefined): boolean {
  return typeof value === 'number' && source !== undefined && !isExactNumber(source, value)
}

function isLarge(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
}
