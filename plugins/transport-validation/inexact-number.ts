import { keepInexact, keptDigits } from '../../lib/exact-numbers.ts'
import { isJsonObject } from '../../lib/http/json.ts'
import { type Path, pathText } from '../../lib/schema-faults/describe-expected.ts'
import type { RpcMessage } from '../../schemas/tools/mcp.ts'

/** The maximum number of characters of a number in a message. */
const MAX_SHOWN = 40

/**
 * Names the first number in the arguments or input responses of a message that a double cannot represent: one out of
 * range, or an integer above 2^53 - 1. Fractions are rounded, as everywhere in JSON. JSON.parse changes such a number, so
 * a tool must not get it: 1e400 becomes Infinity, 9007199254740993 another integer.
 */
export function inexactNumberIn(message: RpcMessage, text: string): string | undefined {
  const reviver = keepInexact(text)
  if (reviver === undefined || !('params' in message) || !isJsonObject(message.params?.arguments)) return undefined
  const { params } = JSON.parse(text, reviver)
  return faultIn(params.arguments, []) ?? faultIn(params.inputResponses, ['inputResponses'])
}

/** Names the first inexact number in a value. */
function faultIn(value: unknown, path: Path): string | undefined {
  const digits = keptDigits(value)
  if (digits !== undefined)
    return `\`${pathText(path)}\` has the number ${shown(digits)}, which cannot be represented exactly. Send it as a string.`
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
