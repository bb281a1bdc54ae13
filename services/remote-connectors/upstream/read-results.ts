import type { ContentBlock } from '@modelcontextprotocol/sdk/types.js'
import { isJsonObject } from '../../../lib/http/json.ts'
import type { ToolResult } from '../../mcp/contract.ts'
import type { MessageBounds, RpcObject } from './rpc-message.ts'
import type { RequestOptions } from './transport.ts'
import { type PromptResult, type Protocol, type ReadResult, type ResourceContents, UpstreamError } from './upstream.ts'

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

/** The result of a `tools/call`, unchanged; undefined if it is invalid. */
export function readToolResult(result: RpcObject, protocol: Protocol | undefined): ToolResult | undefined {
  const { content, structuredContent, isError, _meta } = result
  const modern = protocol?.generation === 'modern'
  if (_meta !== undefined && !isJsonObject(_meta)) return undefined
  if (modern && result.resultType !== undefined && result.resultType !== 'complete')
    return result.resultType === 'input_required' ? readInputRequired(result) : undefined
  if (isError !== undefined && typeof isError !== 'boolean') return undefined
  // Before 2026-07-28 it must be an object.
  if (structuredContent !== undefined && !modern && !isJsonObject(structuredContent)) return undefined
  if (content === undefined)
    return structuredContent === undefined ? undefined : ({ ...result, content: [] } as ToolResult)
  return Array.isArray(content) && content.every(isBlock) ? (result as ToolResult) : undefined
}

function readInputRequired(result: RpcObject): ToolResult | undefined {
  const { inputRequests, requestState } = result
  if (inputRequests !== undefined && !isJsonObject(inputRequests)) return undefined
  if (requestState !== undefined && typeof requestState !== 'string') return undefined
  return inputRequests === undefined && requestState === undefined ? undefined : (result as unknown as ToolResult)
}

/** The result of a `resources/read`, unchanged; undefined if it is invalid. */
export function readContents(result: RpcObject): ReadResult | undefined {
  const { contents, ttlMs, _meta } = result
  if (!isComplete(result) || !Array.isArray(contents) || !contents.every(isContents)) return undefined
  return {
    contents,
    ...(typeof ttlMs === 'number' && Number.isSafeInteger(ttlMs) && ttlMs >= 0 && { ttlMs }),
    ...(isJsonObject(_meta) && { _meta }),
  }
}

/** The result of a `prompts/get`, unchanged; undefined if it is invalid. */
export function readPrompt(result: RpcObject): PromptResult | undefined {
  const { description, messages, _meta } = result
  if (!isComplete(result) || !Array.isArray(messages) || !messages.every(isPromptMessage)) return undefined
  return {
    ...(typeof description === 'string' && { description }),
    messages,
    ...(isJsonObject(_meta) && { _meta }),
  }
}

/** The gateway declares no capability for input in these requests, so an upstream must not request any. */
function isComplete({ resultType }: RpcObject): boolean {
  return resultType === undefined || resultType === 'complete'
}

function isPromptMessage(message: unknown): message is PromptResult['messages'][number] {
  if (!isJsonObject(message) || (message.role !== 'user' && message.role !== 'assistant')) return false
  return isBlock(message.content)
}

function isContents(contents: unknown): contents is ResourceContents {
  if (!isJsonObject(contents) || typeof contents.uri !== 'string') return false
  if (contents.mimeType !== undefined && typeof contents.mimeType !== 'string') return false
  return typeof contents.text === 'string' || typeof contents.blob === 'string'
}

/** Whether a content block has a known type and the members that the type requires. */
function isBlock(block: unknown): block is ContentBlock {
  if (!isJsonObject(block)) return false
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string'
    case 'image':
    case 'audio':
      return typeof block.data === 'string' && typeof block.mimeType === 'string'
    case 'resource_link':
      return typeof block.uri === 'string' && typeof block.name === 'string'
    case 'resource':
      return isContents(block.resource)
    default:
      return false
  }
}
