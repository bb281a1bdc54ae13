import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { EgressStream } from '../../../../lib/egress/egress.ts'
import { formatList } from '../../../../lib/format-text.ts'
import { MARGIN, type Redact, redactedJson, redactedSource } from '../../../../lib/redaction/redactor.ts'
import type { Artifacts } from '../../../artifacts/artifacts.ts'
import type { ConnectorCall } from '../../../definitions/connector-tool.ts'
import { structured } from '../../../definitions/define-tool.ts'
import type { ConvertField } from '../convert/converters.ts'
import { conversionState } from '../convert/html-to-markdown.ts'
import type { Budget, Selection } from './select.ts'

/** The maximum size of a result's JSON in UTF-8 bytes: a larger one would crowd out the model's context. */
const MAX_BYTES = 200_000
/** The maximum lengths of a text in a result. The next one applies if the whole does not fit. */
const LONGEST_TEXTS = [20_000, 2000, 300]

/** The selected part of a provider's answer. */
interface Found {
  /** The value at the pointer of the tool's result. */
  readonly found: unknown
  readonly nextCursor?: string | undefined
  readonly redact: Redact
  /** The texts of its PDFs in base64. */
  readonly pdfs?: ReadonlyMap<string, string> | undefined
}

/**
 * Converts a provider's JSON to a tool result, as data and as the same text, without the account's secrets: an object
 * itself, a list as `items`. If it does not fit, its texts are cut further, then items are left out; `truncated` and
 * `note` say so. It visits no more values than fit.
 */
export function boundedResult(
  { keep }: Pick<Selection, 'keep'>,
  { found, nextCursor, redact, pdfs }: Found,
): CallToolResult {
  let content: Record<string, unknown> = {}
  let longestSeen = Number.POSITIVE_INFINITY
  const { convert, lost } = convertOnce(pdfs)
  for (const longest of LONGEST_TEXTS) {
    // No text is longer, so that the result would not fit again.
    if (longestSeen <= longest) continue
    const budget: Budget = { longest, left: MAX_BYTES, longestSeen: 0, redact, convert }
    content = { ...contentOf(keep(found, budget), nextCursor), ...lossWarning(lost) }
    const text = budget.left < 0 ? undefined : fitting(content)
    if (text !== undefined)
      return redact(text) === text ? structured(content, text) : structured(redactContent(content, redact))
    longestSeen = budget.longestSeen
    // The last item is incomplete.
    if (budget.left < 0 && Array.isArray(content.items)) content.items.pop()
  }
  const partial = redactContent(content, redact)
  return structured(
    Array.isArray(partial.items) ? withFewerItems(partial, partial.items, countOf(found)) : beginningOf(partial),
  )
}

/** Converts the fields of one result within its limits, and each value once, however often the result is cut. */
function convertOnce(pdfs: Found['pdfs']): { convert: Budget['convert']; lost: ReadonlySet<string> } {
  const state = conversionState(pdfs)
  const converted = new Map<ConvertField, Map<unknown, unknown>>()
  const convertValue: Budget['convert'] = (convert, value) => {
    const known = converted.get(convert) ?? new Map<unknown, unknown>()
    converted.set(convert, known)
    if (!known.has(value)) known.set(value, convert(value, state))
    return known.get(value)
  }
  return { convert: convertValue, lost: state.lost }
}

/** Says what is lost where the Markdown of a result is written back. */
function lossWarning(lost: ReadonlySet<string>): { warning?: string } {
  if (lost.size === 0) return {}
  return {
    warning: `Missing in the Markdown: ${formatList([...lost].sort(), 'and')}. Replacing the text with this Markdown would remove them.`,
  }
}

/** Returns the number of items before any were left out. */
function countOf(found: unknown): number {
  const items = Array.isArray(found) ? found : (found as { items: readonly unknown[] }).items
  return items.length
}

function contentOf(kept: unknown, nextCursor: string | undefined): Record<string, unknown> {
  if (Array.isArray(kept)) return { items: kept, ...(nextCursor !== undefined && { next_cursor: nextCursor }) }
  if (typeof kept === 'object' && kept !== null) return kept as Record<string, unknown>
  return { value: kept }
}

/** Redacts the texts and names instead of the JSON: redacted JSON might not be valid JSON. */
function redactContent(content: Record<string, unknown>, redact: Redact): Record<string, unknown> {
  return redactedJson(content, redact) as Record<string, unknown>
}

/** Returns the JSON if it fits. */
function fitting(content: Record<string, unknown>): string | undefined {
  const text = JSON.stringify(content)
  return text.length <= MAX_BYTES && Buffer.byteLength(text) <= MAX_BYTES ? text : undefined
}

function withFewerItems(
  content: Record<string, unknown>,
  items: readonly unknown[],
  of: number,
): Record<string, unknown> {
  let bytes = 1000
  let count = 0
  for (const item of items) {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1
    if (bytes > MAX_BYTES) break
    count++
  }
  const note =
    `Only the first ${count} of ${of} items fit, and long texts in them are cut. The other items of this page are omitted: ` +
    'start again with a smaller limit, or narrow the search.'
  return { ...content, items: items.slice(0, count), truncated: true, note }
}

/** Returns the beginning of the JSON of an object with too many members. */
function beginningOf(content: Record<string, unknown>): Record<string, unknown> {
  // JSON within JSON: quotes and backslashes count twice.
  const beginning = JSON.stringify(content)
    .slice(0, MAX_BYTES / 8)
    .toWellFormed()
  return { truncated: true, note: 'The answer is too large. This is the beginning of its JSON.', beginning }
}

/** The maximum length of a text result in characters: a longer one would crowd out the model's context. */
const LONGEST = 100_000
/** The number of characters to redact. */
const REDACTED_CHARACTERS = 200_000

/** Converts a text to a tool result without the account's secrets. A longer text is cut and says so: its beginning stays. */
export function textResult(body: string, redact: Redact = text => text): CallToolResult {
  const whole = body.length <= REDACTED_CHARACTERS
  const clean = redactedSource(body.slice(0, REDACTED_CHARACTERS), redact)
  if (whole && clean.length <= LONGEST) return resultOf(clean)
  const length = whole ? clean.length : body.length
  const kept = clean
    .slice(0, clean.length - (whole ? 0 : MARGIN))
    .slice(0, LONGEST)
    .toWellFormed()
  return resultOf(`${kept}\n\n[Cut: the first ${kept.length} of ${length} characters.]`)
}

function resultOf(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] }
}

/** Stores a streamed body as an artifact of the caller, and returns its signed URL. Throws what the store throws. */
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
