import { isJsonObject } from '../../lib/http/json.ts'
import { type Path, pathText } from '../../lib/schema-faults/shown.ts'
import type { RpcMessage } from '../../schemas/mcp.ts'

/** Matches every text in which JSON.parse can change a number, and few others. */
const SUSPICIOUS = /\d{15}|\d[eE][+-]?\d{3}/

/** Doubles represent every integer with this number of digits. */
const EXACT_DIGITS = 15

/** The maximum number of characters of a number in a message. */
const MAX_SHOWN = 40

/** A number as written in the JSON text, instead of the parsed value. */
class InexactNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

/**
 * Names the first number in the arguments or input responses of a message that a double cannot represent: one out of
 * range, or an integer above 2^53 - 1. Fractions are rounded, as everywhere in JSON. JSON.parse changes such a number, so
 * a tool must not get it: 1e400 becomes Infinity, 9007199254740993 another integer.
 */
export function inexactNumberIn(message: RpcMessage, text: string): string | undefined {
  if (!SUSPICIOUS.test(text) || !('params' in message) || !isJsonObject(message.params?.arguments)) return undefined
  const { params } = JSON.parse(text, keepInexact)
  return faultIn(params.arguments, []) ?? faultIn(params.inputResponses, ['inputResponses'])
}

function keepInexact(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  return typeof value !== 'number' || source === undefined || isExact(source, value) ? value : new InexactNumber(source)
}

function isExact(source: string, value: number): boolean {
  if (!Number.isFinite(value)) return false
  const [mantissa = '', exponent] = source.toLowerCase().split('e')
  if (value === 0) return !/[1-9]/.test(mantissa)
  if (Number.isSafeInteger(value) || Math.abs(value) < Number.MAX_SAFE_INTEGER) return true
  if (mantissa.replace(/^-?0*|\./g, '').length <= EXACT_DIGITS) return true
  // The source is the JSON of the double, such as 1.7976931348623157e+308.
  return exponent !== undefined && JSON.stringify(value) === source
}

/** Names the first inexact number in a value. */
function faultIn(value: unknown, path: Path): string | undefined {
  if (value instanceof InexactNumber)
    return `\`${pathText(path)}\` has the number ${shown(value.source)}, which cannot be represented exactly. Send it as a string.`
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, member] of Object.entries(value)) {
    const fault = faultIn(member, [...path, Array.isArray(value) ? Number(key) : key])
    if (fault !== undefined) return fault
  }
  return undefined
}

function shown(source: string): string {
  return source.length <= MAX_SHOWN ? source : `${source.slice(0, MAX_SHOWN)}…`
}
