import { isUtf8 } from 'node:buffer'
import { parse } from 'secure-json-parse'

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

/** The text of a body; undefined if it is not UTF-8, or has a byte order mark, which JSON must not have (RFC 8259, section 8.1). */
export function decodeBody(body: Buffer): string | undefined {
  return isUtf8(body) && !hasByteOrderMark(body) ? body.toString('utf8') : undefined
}

/** Whether a body begins with the byte order mark of UTF-8. */
export function hasByteOrderMark(body: Buffer): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
}

/** How deep JSON text may nest, and how many members and items it may have in all. */
export interface JsonBounds {
  readonly levels: number
  readonly elements: number
}

/** Of a message (decisions.md, sizes). */
const MESSAGE: JsonBounds = { levels: 64, elements: 10_000 }

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Whether JSON text nests and holds no more than it may (a message, unless other bounds are given). It is asked before
 * the text is parsed: 4 MiB of brackets hold up JSON.parse for a second, and a walk over what comes of it again. Of text
 * that is no JSON the answer means nothing.
 */
export function isWithinBounds(text: string, bounds: JsonBounds = MESSAGE): boolean {
  return isSmall(text, bounds) || isWithin(text, bounds)
}

/** Whether text opens so few containers and is so short that JSON cannot hold too much in it: most messages, at a tenth of the cost. */
function isSmall(text: string, bounds: JsonBounds): boolean {
  // An element takes a character at least, and the bracket or comma before it.
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
    // A container's first element follows its bracket; every other follows a comma.
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

/** The index of the quote that ends a string, or of the text's end. */
function endOfString(text: string, start: number): number {
  const end = text.indexOf('"', start + 1)
  if (end === -1) return text.length
  if (text.charCodeAt(end - 1) !== BACKSLASH) return end
  // One by one: a search from quote to quote costs ten times that where each is escaped.
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === BACKSLASH) i++
    else if (code === QUOTE) return i
  }
  return text.length
}

/** Whether a value is a JSON object. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
