import { isUtf8 } from 'node:buffer'
import { parse } from 'secure-json-parse'
import { digitsAsText, keptDigits } from '../exact-numbers.ts'

/** The maximum number of members and items: this many parse in 50 ms even if every name is unique. */
const MAX_ELEMENTS = 100_000

/**
 * Parses an upstream's JSON without prototype-polluting members; undefined if it is invalid or too large. Integers that a
 * number cannot represent become strings, because the digits of an ID matter more than its type.
 */
export function parseUpstream(text: string): unknown {
  if (text === '' || holdsTooMuch(text)) return undefined
  try {
    return parse(text, digitsAsText(text), { protoAction: 'remove', constructorAction: 'remove' })
  } catch {
    return undefined
  }
}

/** Whether JSON text has so many members and items that parsing would block the event loop. */
export function holdsTooMuch(text: string): boolean {
  // Each element has at least two characters, so most texts need no count.
  if (text.length <= 2 * MAX_ELEMENTS) return false
  return !isWithinBounds(text, { levels: Number.POSITIVE_INFINITY, elements: MAX_ELEMENTS })
}

/**
 * Decodes a body; undefined if it is not UTF-8 or has a byte order mark, which JSON must not have (RFC 8259, section
 * 8.1).
 */
export function decodeBody(body: Buffer): string | undefined {
  return isUtf8(body) && !hasByteOrderMark(body) ? body.toString('utf8') : undefined
}

/** Whether a body starts with the UTF-8 byte order mark. */
export function hasByteOrderMark(body: Buffer): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
}

/** The maximum nesting and the maximum number of members and items of a JSON text. */
export interface JsonBounds {
  readonly levels: number
  readonly elements: number
}

/** The limits of an MCP message. */
const MESSAGE: JsonBounds = { levels: 64, elements: 10_000 }

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Whether JSON text is within the limits (by default those of an MCP message). Checked before parsing: JSON.parse of 4
 * MiB of brackets takes a second. The result is meaningless for invalid JSON.
 */
export function isWithinBounds(text: string, bounds: JsonBounds = MESSAGE): boolean {
  return isSmall(text, bounds) || isWithin(text, bounds)
}

/**
 * Whether text opens few containers and is so short that it must be within the limits: true for most messages, at a
 * tenth of the cost.
 */
function isSmall(text: string, bounds: JsonBounds): boolean {
  // An element has at least one character, and the bracket or comma before it.
  if (text.length > 2 * bounds.elements) return false
  let opened = 0
  for (const bracket of ['[', '{'])
    for (let i = text.indexOf(bracket); i !== -1; i = text.indexOf(bracket, i + 1))
      if (++opened > bounds.levels) return false
  return true
}

function isWithin(text: string, bounds: JsonBounds): boolean {
  let levels = 0
  let elements = 0
  let opened = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code <= 0x20) continue
    if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
      opened = false
      levels--
      continue
    }
    // A container's first element follows its bracket, every other one a comma.
    if (opened || code === COMMA) {
      opened = false
      if (++elements > bounds.elements) return false
    }
    if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      opened = true
      if (++levels > bounds.levels) return false
    } else if (code === QUOTE) i = endOfString(text, i)
  }
  return true
}

/** Returns the index of the quote that ends a string, or the text's length. */
function endOfString(text: string, start: number): number {
  const end = text.indexOf('"', start + 1)
  if (end === -1) return text.length
  if (text.charCodeAt(end - 1) !== BACKSLASH) return end
  // Character by character: if every quote is escaped, searching from quote to quote costs ten times as much.
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === BACKSLASH) i++
    else if (code === QUOTE) return i
  }
  return text.length
}

/** Whether a value is a JSON object; not for a number whose digits were kept. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && keptDigits(value) === undefined
}

/** An object without its members that are null, which some servers send for absent ones; other values unchanged. */
export function withoutNulls(value: unknown): unknown {
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).filter(([, held]) => held !== null)) : value
}
