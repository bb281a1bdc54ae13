import type { Readable } from 'node:stream'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { MARGIN, type Redact, redactedSource, splitsSecret } from '../../../lib/redaction/redactor.ts'
import { invalidCursor, readCursor, writeCursor } from './pagination.ts'

/** The page to read, by a position in bytes: the page after it, or the one before it. The last page is before infinity. */
export type LogPlace = { readonly after: number } | { readonly before: number }

/** The maximum bytes of a page: a longer text would crowd out the model's context. */
const PAGE = 100_000
/** How many lines are tried for a border that splits no secret. */
const TRIES = 20
const LINE_END = 10
/** How far from the border characters are tried where no line ends, in bytes. */
const STEPS = [0, 100, 1000, 10_000, MARGIN]

/** Returns the page to read. Throws invalid_request for a cursor that `tool` did not return. */
export function askLog(tool: string, { from, cursor }: Readonly<Record<string, unknown>>): LogPlace {
  if (typeof cursor !== 'string') return from === 'start' ? { after: 0 } : { before: Number.POSITIVE_INFINITY }
  const { at } = readCursor(tool, cursor)
  const [[side, position] = [], ...others] = typeof at === 'object' ? Object.entries(at) : []
  if (others.length > 0 || !/^\d{1,15}$/.test(position ?? '')) throw invalidCursor(tool)
  if (side === 'after') return { after: Number(position) }
  if (side === 'before') return { before: Number(position) }
  throw invalidCursor(tool)
}

/** A part of a log with what is around it, as far as a secret may reach. */
interface Part {
  readonly bytes: Buffer
  /** The position of the first byte in the log. */
  readonly start: number
  /** The size of the log, if its end was read. */
  readonly size: number | undefined
}

/** Converts a page of a log to a tool result. Throws what the stream throws. */
export async function logResult(
  tool: string,
  body: Readable,
  place: LogPlace,
  redact: Redact,
): Promise<CallToolResult> {
  return { content: [{ type: 'text', text: await readLog(tool, body, place, redact) }] }
}

/**
 * Reads a page of a log without the account's secrets, in whole lines where there are lines. A page that is not the
 * whole log says which part it is, and the cursor of the next one.
 */
async function readLog(tool: string, body: Readable, place: LogPlace, redact: Redact): Promise<string> {
  const part = await partOf(body, place)
  const end = part.start + part.bytes.length
  const forward = 'after' in place
  const [low, high] = forward
    ? [Math.min(place.after, end), Math.min(place.after + PAGE, end)]
    : [Math.max(0, Math.min(place.before, end) - PAGE), Math.min(place.before, end)]
  const isFirst = low === 0
  const isLast = high === end && part.size !== undefined
  const borderAt = (at: number): Border => ({ at, isInSecret: isInSecret(part, at, redact) })
  const first = forward || isFirst ? borderAt(low) : borderOf(part, { low, high, forward }, redact)
  const last = !forward || isLast ? borderAt(high) : borderOf(part, { low, high, forward }, redact)
  const text = textOf(part, first.at, last.at).replaceAll('\0', '\ufffd')
  const page = first.isInSecret || last.isInSecret ? '[redacted]' : redactedSource(text, redact)
  if (isFirst && isLast) return page === '' ? 'The log is empty.' : page
  const span =
    high > low ? `Bytes ${first.at + 1} to ${last.at}${part.size === undefined ? '' : ` of ${part.size}`}.` : 'Nothing.'
  const more = forward ? !isLast : !isFirst
  const at = forward ? { after: String(last.at) } : { before: String(first.at) }
  const next = more ? `For what comes ${forward ? 'after' : 'before'}: cursor "${writeCursor(tool, { at })}".` : ''
  const edge = forward ? 'This is the end of the log.' : 'This is the beginning of the log.'
  const note = `[${span} ${next || edge}]`
  return forward ? `${page}\n\n${note}` : `${note}\n\n${page}`
}

/** Reads as far as needed, and keeps only the part around a page. */
async function partOf(body: Readable, place: LogPlace): Promise<Part> {
  const from = ('after' in place ? place.after : place.before - PAGE) - MARGIN
  const to = ('after' in place ? place.after + PAGE : place.before) + MARGIN
  const chunks: Buffer[] = []
  let start = 0
  let end = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    end += chunk.length
    const needed = Math.min(from, end - PAGE - MARGIN)
    for (let [oldest] = chunks; oldest !== undefined && start + oldest.length <= needed; [oldest] = chunks) {
      start += oldest.length
      chunks.shift()
    }
    // Leaving the loop destroys the stream.
    if (end > to) return { bytes: Buffer.concat(chunks), start, size: undefined }
  }
  return { bytes: Buffer.concat(chunks), start, size: end }
}

interface Border {
  readonly at: number
  /** Whether it splits a secret, so that redaction would miss both parts: the page must be left out. */
  readonly isInSecret: boolean
}

/**
 * Returns the border of a page to the next one: between two lines, or between characters of a long line, where it splits
 * no secret.
 */
function borderOf(
  part: Part,
  { low, high, forward }: { low: number; high: number; forward: boolean },
  redact: Redact,
): Border {
  const inwards = forward ? -1 : 1
  const nearby = STEPS.map(step => characterAt(part, (forward ? high : low) + step * inwards))
  const borders = [...linesBetween(part, low, high, forward), ...nearby.filter(at => (forward ? at > low : at < high))]
  const at = borders.find(at => !isInSecret(part, at, redact))
  return at === undefined ? { at: nearby[0] ?? low, isInSecret: true } : { at, isInSecret: false }
}

function isInSecret(part: Part, at: number, redact: Redact): boolean {
  return splitsSecret(textOf(part, at - MARGIN, at), textOf(part, at, at + MARGIN), redact)
}

/** Returns the first beginnings of lines within a page, from the border inwards. */
function linesBetween({ bytes, start }: Part, low: number, high: number, forward: boolean): number[] {
  const found: number[] = []
  let at = forward ? high - start - 1 : Math.max(0, low - start - 1)
  while (found.length < TRIES) {
    at = forward ? bytes.lastIndexOf(LINE_END, at) : bytes.indexOf(LINE_END, at)
    const line = start + at + 1
    if (at < 0 || (forward ? line <= low : line >= high)) break
    if (line >= low) found.push(line)
    at += forward ? -1 : 1
    if (at < 0) break
  }
  return found
}

/** Moves a position to the beginning of a character of UTF-8. */
function characterAt({ bytes, start }: Part, at: number): number {
  let index = at - start
  while (index > 0 && ((bytes[index] ?? 0) & 0xc0) === 0x80) index--
  return start + index
}

function textOf({ bytes, start }: Part, from: number, to: number): string {
  return bytes.subarray(Math.max(0, from - start), Math.max(0, to - start)).toString()
}
