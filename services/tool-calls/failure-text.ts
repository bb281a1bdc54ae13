import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { isJsonObject } from '../../lib/http/json.ts'
import type { ToolResult } from '../mcp/contract.ts'

/** How much of a text is read. Its first sentences say what failed. */
const MAX_TEXT = 2_000
/** Longer values are found by their beginning, because a text may quote only that. */
const MAX_QUOTE = 60
/** Shorter values are parts of ordinary words. */
const MIN_QUOTE = 3
/** Arguments with more values than this cannot be compared with a text in a short time. */
const MAX_VALUES = 200
const GAP = '…'

/** The text of a tool's own error. */
export function errorText(result: ToolResult): string {
  const [first] = (result as CallToolResult).content
  return first?.type === 'text' ? first.text : ''
}

/**
 * Returns what a failed call said, without the values of its arguments and the names that its schema does not have: no table
 * keeps arguments. Undefined if there are too many of them to look for.
 */
export function failureText(text: string, args: unknown, schema: object): string | undefined {
  const values = quotable(args, JSON.stringify(schema))
  if (values === undefined) return undefined
  let said = text.slice(0, MAX_TEXT)
  // The longest first: a short value can be a part of a long one.
  for (const value of values.toSorted((a, b) => b.length - a.length)) {
    const quote = value.slice(0, MAX_QUOTE)
    // Where a long value begins, its end is unknown: the rest of the text goes with it.
    const at = quote.length < value.length ? said.search(patternOf(quote)) : -1
    said = at === -1 ? said.replace(patternOf(quote), GAP) : said.slice(0, at) + GAP
  }
  return said
}

/** The values and unknown names of arguments as a text can quote them; undefined if they are too many. */
function quotable(args: unknown, schema: string): string[] | undefined {
  const found = new Set<string>()
  const waiting: unknown[] = [args]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (found.size + waiting.length > MAX_VALUES) return undefined
    if (Array.isArray(value)) waiting.push(...value)
    else if (isJsonObject(value)) {
      const unknown = Object.keys(value).filter(name => !schema.includes(JSON.stringify(name)))
      waiting.push(...Object.values(value), ...unknown)
    } else if (typeof value === 'string' || typeof value === 'number')
      for (const form of [String(value).trim(), JSON.stringify(String(value).trim()).slice(1, -1)])
        if (form.length >= MIN_QUOTE) found.add(form)
  }
  return [...found]
}

/** Matches a quote in any case. */
function patternOf(quote: string): RegExp {
  return new RegExp(quote.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'), 'gi')
}
