import type { ContentBlock } from '@modelcontextprotocol/sdk/types.js'
import { isJsonObject } from '../../../lib/http/json.ts'
import type { ToolResult } from '../../mcp/mcp-types.ts'
import { isRole, leftOut, type Mended, mendBlock, mendContents } from './content-blocks.ts'
import type { MessageBounds, RpcObject } from './rpc-message.ts'
import type { RequestOptions } from './transport.ts'
import { type PromptResult, type Protocol, type ReadResult, UpstreamError } from './upstream.ts'

const MAX_PAGES = 100
const MAX_ITEMS = 2_000
/** The maximum size of all pages in characters, and of one in bytes. */
const MAX_SIZE = 8 * 1024 ** 2

/**
 * The bounds of one page. They allow deep schemas and `__proto__`: each item is validated separately, so that one faulty
 * item does not hide the others.
 */
const BOUNDS: MessageBounds = { levels: 5_000, elements: 100_000, letsProto: true }

interface Page {
  readonly items: readonly unknown[]
  readonly nextCursor: string | undefined
}

/** The member of a page that has its items, and how to call them. */
export type ListMember = 'tools' | 'resources' | 'resourceTemplates' | 'prompts'
const NOUNS: Readonly<Record<ListMember, string>> = {
  tools: 'tools',
  resources: 'resources',
  resourceTemplates: 'resource templates',
  prompts: 'prompts',
}

type AskPage = (
  cursor: string | undefined,
  options: Pick<RequestOptions<Page>, 'bounds' | 'maxBytes' | 'read'>,
) => Promise<{ page: Page; size: number }>

/** Reads all pages of a list. Throws too_large for a list that does not end, and malformed for a repeated cursor. */
export async function listPages(host: string, member: ListMember, ask: AskPage): Promise<unknown[]> {
  const noun = NOUNS[member]
  const items: unknown[] = []
  const seen = new Set<string>()
  let left = MAX_SIZE
  let cursor: string | undefined
  for (let pages = 1; ; pages++) {
    const { page, size } = await ask(cursor, {
      bounds: BOUNDS,
      maxBytes: left,
      read: result => readPage(result, member),
    })
    for (const item of page.items) items.push(item)
    if (items.length > MAX_ITEMS) throw tooMany(host, `more than ${MAX_ITEMS} ${noun}`)
    cursor = page.nextCursor
    if (cursor === undefined) return items
    if (pages === MAX_PAGES) throw tooMany(host, `more than ${MAX_PAGES} pages of ${noun}`)
    if (seen.has(cursor)) throw new UpstreamError('malformed', `${host} repeats the same page of ${noun}.`)
    seen.add(cursor)
    left -= size
    if (left <= 0) throw tooMany(host, `more than ${MAX_SIZE} characters of ${noun}`)
  }
}

function readPage(result: RpcObject, member: ListMember): Page | undefined {
  const { nextCursor, [member]: items } = result
  if (!Array.isArray(items)) return undefined
  if (nextCursor === undefined || nextCursor === null || nextCursor === '') return { items, nextCursor: undefined }
  return typeof nextCursor === 'string' ? { items, nextCursor } : undefined
}

function tooMany(host: string, what: string): UpstreamError {
  return new UpstreamError('too_large', `${host} has ${what}.`)
}

/**
 * The result of a `tools/call`, unchanged where it is valid. The tool has run, so a sentence replaces what is invalid, and only
 * an answer that is no result at all is undefined.
 */
export function readToolResult(result: RpcObject, protocol: Protocol | undefined): ToolResult | undefined {
  const modern = protocol?.generation === 'modern'
  const { resultType, content, structuredContent, isError, _meta, ...others } = result
  if (modern && resultType !== undefined && resultType !== 'complete')
    return resultType === 'input_required' ? readInputRequired(result) : undefined
  const faults: string[] = []
  const blocks = asList(content).flatMap((block, n) => taken(mendBlock(block), `block ${n + 1}`, faults))
  if (!isAbsent(isError) && typeof isError !== 'boolean') faults.push('`isError` is not a boolean')
  if (!isAbsent(_meta) && !isMeta(_meta)) faults.push('`_meta` is invalid')
  const note: ContentBlock[] = faults.length === 0 ? [] : [{ type: 'text', text: leftOut(faults) }]
  return {
    ...others,
    content: [...blocks, ...note],
    // null is a value since 2026-07-28. In older revisions, servers send it for an absent member.
    ...(structuredContent !== undefined && (modern || structuredContent !== null) && { structuredContent }),
    ...(typeof isError === 'boolean' && { isError }),
    ...(isMeta(_meta) && { _meta }),
  } as ToolResult
}

function readInputRequired(result: RpcObject): ToolResult | undefined {
  const { inputRequests, requestState } = result
  if (inputRequests !== undefined && !isJsonObject(inputRequests)) return undefined
  if (requestState !== undefined && typeof requestState !== 'string') return undefined
  return inputRequests === undefined && requestState === undefined ? undefined : (result as unknown as ToolResult)
}

/** The result of a `resources/read`, unchanged where it is valid; undefined if it has no contents. */
export function readContents(result: RpcObject, requested: string): ReadResult | undefined {
  const { contents, ttlMs, _meta } = result
  if (!isComplete(result) || !Array.isArray(contents)) return undefined
  const faults: string[] = []
  const parts = contents.flatMap((part, n) => taken(mendContents(part, requested), `part ${n + 1}`, faults))
  if (faults.length > 0) parts.push({ uri: requested, mimeType: 'text/plain', text: leftOut(faults) })
  return {
    contents: parts,
    ...(typeof ttlMs === 'number' && Number.isSafeInteger(ttlMs) && ttlMs >= 0 && { ttlMs }),
    ...(isMeta(_meta) && { _meta }),
  }
}

/** The result of a `prompts/get`, unchanged where it is valid; undefined if it has no messages. */
export function readPrompt(result: RpcObject): PromptResult | undefined {
  const { description, messages, _meta } = result
  if (!isComplete(result) || !Array.isArray(messages)) return undefined
  const faults: string[] = []
  const said = messages.flatMap((message, n) => readMessage(message, `message ${n + 1}`, faults))
  if (faults.length > 0) said.push({ role: 'user', content: { type: 'text', text: leftOut(faults) } })
  return {
    ...(typeof description === 'string' && { description }),
    messages: said,
    ...(isMeta(_meta) && { _meta }),
  }
}

/** One message per content block: servers send several blocks, as in a message of sampling. */
function readMessage(message: unknown, where: string, faults: string[]): PromptResult['messages'][number][] {
  if (!isJsonObject(message) || !isRole(message.role)) {
    faults.push(`${where} has no valid \`role\``)
    return []
  }
  const { role } = message
  const blocks = asList(message.content)
  if (blocks.length === 0) faults.push(`${where} has no content`)
  return blocks.flatMap(block => taken(mendBlock(block), where, faults)).map(content => ({ role, content }))
}

/** The gateway declares no capability for input in these requests, so an upstream must not request any. */
function isComplete({ resultType }: RpcObject): boolean {
  return isAbsent(resultType) || resultType === 'complete'
}

/** Returns a valid part as a list of one. Notes the fault of an invalid part, and returns an empty list. */
function taken<T>(mended: Mended<T>, where: string, faults: string[]): T[] {
  if ('value' in mended) return [mended.value]
  faults.push(`${where} ${mended.fault}`)
  return []
}

/** A list, because servers send null for an empty one, and a single item without a list. */
function asList(value: unknown): readonly unknown[] {
  if (isAbsent(value)) return []
  return Array.isArray(value) ? value : [value]
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

/** Whether a value is the `_meta` of a result, with the members that MCP defines. */
function isMeta(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isJsonObject(value)) return false
  const { progressToken, 'io.modelcontextprotocol/related-task': task } = value
  return (
    (progressToken === undefined || typeof progressToken === 'string' || Number.isSafeInteger(progressToken)) &&
    (task === undefined || (isJsonObject(task) && typeof task.taskId === 'string'))
  )
}
