import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { EgressStream } from '../../../../lib/egress/egress.ts'
import type { Artifacts } from '../../../artifacts/artifacts.ts'
import type { ConnectorCall } from '../../../definitions/connector-tool.ts'
import { structured } from '../../../definitions/define-tool.ts'
import { type Redact, redactedJson } from './redactor.ts'
import type { Budget, Selection } from './select.ts'

/** UTF-8 bytes of a result's JSON at most: more drowns what the model has in hand. */
const MAX_BYTES = 200_000
/** How long a text in it may be: the later ones where the whole would not fit. */
const LONGEST_TEXTS = [20_000, 2000, 300]

/** What is given of a provider's answer. */
export interface Found {
  /** What stands where the tool's result does. */
  readonly found: unknown
  readonly nextCursor?: string | undefined
  readonly redact: Redact
}

/**
 * What a tool answers of a provider's JSON, as data and as the same text, without the account's secrets: an object
 * itself, a list as `items`. Where it does not fit, its texts are cut further, and then items are left out; `truncated`
 * and `note` say so. No more is walked through than fits.
 */
export function boundedResult({ keep }: Pick<Selection, 'keep'>, { found, nextCursor, redact }: Found): CallToolResult {
  let content: Record<string, unknown> = {}
  let met = Number.POSITIVE_INFINITY
  for (const longest of LONGEST_TEXTS) {
    // No text was longer: the same would not fit again.
    if (met <= longest) continue
    const room: Budget = { longest, left: MAX_BYTES, met: 0, redact }
    content = contentOf(keep(found, room), nextCursor)
    const text = room.left < 0 ? undefined : fitting(content)
    if (text !== undefined)
      return redact(text) === text ? structured(content, text) : structured(clean(content, redact))
    met = room.met
    // The last one is not whole.
    if (room.left < 0 && Array.isArray(content.items)) content.items.pop()
  }
  const partial = clean(content, redact)
  return structured(
    Array.isArray(partial.items) ? fewerItems(partial, partial.items, countOf(found)) : opening(partial),
  )
}

/** How many items there were, before they were left out. */
function countOf(found: unknown): number {
  const items = Array.isArray(found) ? found : (found as { items: readonly unknown[] }).items
  return items.length
}

function contentOf(kept: unknown, nextCursor: string | undefined): Record<string, unknown> {
  if (Array.isArray(kept)) return { items: kept, ...(nextCursor !== undefined && { next_cursor: nextCursor }) }
  if (typeof kept === 'object' && kept !== null) return kept as Record<string, unknown>
  return { value: kept }
}

/** By its texts and names: as JSON a secret is written otherwise, and what is struck from JSON need not be JSON. */
function clean(content: Record<string, unknown>, redact: Redact): Record<string, unknown> {
  return redactedJson(content, redact) as Record<string, unknown>
}

/** Its JSON, where that is within bounds. */
function fitting(content: Record<string, unknown>): string | undefined {
  const text = JSON.stringify(content)
  return text.length <= MAX_BYTES && Buffer.byteLength(text) <= MAX_BYTES ? text : undefined
}

function fewerItems(content: Record<string, unknown>, items: readonly unknown[], of: number): Record<string, unknown> {
  let bytes = 1000
  let count = 0
  for (const item of items) {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1
    if (bytes > MAX_BYTES) break
    count++
  }
  const note =
    `Only the first ${count} of ${of} items fit, and long texts in them are cut. The others of this page are left out: ` +
    'begin again with a smaller limit, or narrow the search.'
  return { ...content, items: items.slice(0, count), truncated: true, note }
}

/** The beginning of an object that has too many members to leave any out in good faith. */
function opening(content: Record<string, unknown>): Record<string, unknown> {
  // JSON within JSON: quotes and backslashes count twice.
  const beginning = JSON.stringify(content)
    .slice(0, MAX_BYTES / 8)
    .toWellFormed()
  return { truncated: true, note: 'The answer is too large: this is how its JSON begins.', beginning }
}

/** Characters of a text at most: what is behind them drowns what the model has in hand. */
const LONGEST = 100_000
/** How many are looked through, and how many of them no half of a secret is longer than, however it is written. */
const READ = 200_000
const MARGIN = 50_000
/** What JSON writes with a backslash. */
const ESCAPE = /\\(?:u([\da-f]{4})|[\s\S])/gi

/** A text as it is, without the account's secrets; of a longer one its beginning, which says so. */
export function textResult(body: string, redact: Redact = text => text): CallToolResult {
  const whole = body.length <= READ
  const clean = redactedSource(whole ? body : body.slice(0, READ), redact)
  if (whole && clean.length <= LONGEST) return resultOf(clean)
  const beginning = (whole ? clean : clean.slice(0, -MARGIN)).slice(0, LONGEST).toWellFormed()
  const length = whole ? clean.length : body.length
  return resultOf(`${beginning}\n\n[Only the first ${beginning.length} of ${length} characters are given.]`)
}

/** The same of a text that may be JSON, where a secret may stand behind escapes that no JSON needs. */
function redactedSource(source: string, redact: Redact): string {
  const clean = redact(source)
  if (!/\\[/u]/.test(clean)) return clean
  const plain = clean.replace(ESCAPE, unescaped)
  const redacted = redact(plain)
  // A text that gave nothing away stays as it is written: it may be somebody's file.
  return redacted === plain ? clean : redacted
}

function unescaped(written: string, hex: string | undefined): string {
  if (hex !== undefined) return JSON.stringify(String.fromCharCode(Number.parseInt(hex, 16))).slice(1, -1)
  return written === '\\/' ? '/' : written
}

function resultOf(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] }
}

/** Stores a streaming body as a file of the caller's, and answers its signed URL. Throws what the store throws. */
export async function artifactResult(
  artifacts: Pick<Artifacts, 'create' | 'urlOf'>,
  { caller, origin, signal }: Pick<ConnectorCall, 'caller' | 'origin' | 'signal'>,
  { body }: Pick<EgressStream, 'body'>,
  name: string,
): Promise<CallToolResult> {
  const { orgId, userId } = caller
  const artifact = await artifacts.create({ orgId, userId, name, body, signal })
  const url = artifacts.urlOf(artifact, origin)
  const content = {
    artifact: artifact.id,
    name: artifact.name,
    media_type: artifact.mediaType,
    bytes: artifact.bytes,
    url,
    expires_at: artifact.expiresAt.toISOString(),
  }
  return {
    content: [
      { type: 'text', text: JSON.stringify(content) },
      { type: 'resource_link', uri: url, name: artifact.name, mimeType: artifact.mediaType, size: artifact.bytes },
    ],
    structuredContent: content,
  }
}
