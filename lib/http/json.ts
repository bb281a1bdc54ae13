import { parse } from 'secure-json-parse'
import { isWithinBounds } from './json-bounds.ts'

/** Members and items in all: so many are parsed in 50 ms even where each has a name of its own. */
const MAX_ELEMENTS = 100_000

/** An upstream's JSON without what would reach a prototype; undefined for what is no JSON, and where it holds too much. */
export function parseUpstream(text: string): unknown {
  if (text === '' || holdsTooMuch(text)) return undefined
  try {
    return parse(text, undefined, { protoAction: 'remove', constructorAction: 'remove' })
  } catch {
    return undefined
  }
}

/** Whether JSON text has more members and items than are parsed while everybody else waits. */
export function holdsTooMuch(text: string): boolean {
  // Each element takes two characters at least: of most texts nothing need be counted.
  if (text.length <= 2 * MAX_ELEMENTS) return false
  return !isWithinBounds(text, { levels: Number.POSITIVE_INFINITY, elements: MAX_ELEMENTS })
}

/** Whether a value is a JSON object. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
