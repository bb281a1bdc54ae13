import { isJsonObject } from '../../../lib/http/json.ts'
import type { ToolResult } from '../../mcp/contract.ts'
import type { MessageBounds, RpcObject } from './rpc-message.ts'
import type { RequestOptions } from './transport.ts'
import { type Protocol, UpstreamError } from './upstream.ts'

const MAX_PAGES = 100
const MAX_TOOLS = 2_000
/** The maximum size of all pages in characters, and of one in bytes. */
const MAX_SIZE = 8 * 1024 ** 2

/**
 * The bounds of one page. They allow deep schemas and `__proto__`: each tool is validated separately, so that one faulty
 * tool does not hide the others.
 */
const BOUNDS: MessageBounds = { levels: 5_000, elements: 100_000, letsProto: true }

interface ToolPage {
  readonly tools: readonly unknown[]
  readonly nextCursor: string | undefined
}

type AskPage = (
  cursor: string | undefined,
  options: Pick<RequestOptions<ToolPage>, 'bounds' | 'maxBytes' | 'read'>,
) => Promise<{ page: ToolPage; size: number }>

/** Reads all pages of a list of tools. Throws too_large for a list that does not end, and malformed for a repeated cursor. */
export async function listPages(host: string, ask: AskPage): Promise<unknown[]> {
  const tools: unknown[] = []
  const seen = new Set<string>()
  let left = MAX_SIZE
  let cursor: string | undefined
  for (let pages = 1; ; pages++) {
    const { page, size } = await ask(cursor, { bounds: BOUNDS, maxBytes: left, read: readPage })
    for (const tool of page.tools) tools.push(tool)
    if (tools.length > MAX_TOOLS) throw tooMany(host, `more than ${MAX_TOOLS} tools`)
    cursor = page.nextCursor
    if (cursor === undefined) return tools
    if (pages === MAX_PAGES) throw tooMany(host, `more than ${MAX_PAGES} pages of tools`)
    if (seen.has(cursor)) throw new UpstreamError('malformed', `${host} repeats the same page of tools.`)
    seen.add(cursor)
    left -= size
    if (left <= 0) throw tooMany(host, `more than ${MAX_SIZE} characters of tools`)
  }
}

function readPage({ tools, nextCursor }: RpcObject): ToolPage | undefined {
  if (!Array.isArray(tools)) return undefined
  if (nextCursor === undefined || nextCursor === null || nextCursor === '') return { tools, nextCursor: undefined }
  return typeof nextCursor === 'string' ? { tools, nextCursor } : undefined
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

/** Whether a content block has a known type and the members that the type requires. */
function isBlock(block: unknown): boolean {
  if (!isJsonObject(block)) return false
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string'
    case 'image':
    case 'audio':
      return typeof block.data === 'string' && typeof block.mimeType === 'string'
    case 'resource_link':
      return typeof block.uri === 'string' && typeof block.name === 'string'
    case 'resource': {
      const { resource } = block
      if (!isJsonObject(resource) || typeof resource.uri !== 'string') return false
      return typeof resource.text === 'string' || typeof resource.blob === 'string'
    }
    default:
      return false
  }
}
