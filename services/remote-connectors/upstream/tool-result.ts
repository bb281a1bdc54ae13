import { isJsonObject } from '../../../lib/http/json.ts'
import type { ToolResult } from '../../mcp/contract.ts'
import type { Protocol } from './protocol.ts'
import type { RpcObject } from './rpc-message.ts'

/** The result of a `tools/call`, as the upstream sent it; undefined for what no client could read as one. */
export function readToolResult(result: RpcObject, protocol: Protocol | undefined): ToolResult | undefined {
  const { content, structuredContent, isError, _meta } = result
  const modern = protocol?.generation === 'modern'
  if (_meta !== undefined && !isJsonObject(_meta)) return undefined
  if (modern && result.resultType !== undefined && result.resultType !== 'complete')
    return result.resultType === 'input_required' ? readInputRequired(result) : undefined
  if (isError !== undefined && typeof isError !== 'boolean') return undefined
  // Any value since 2026-07-28.
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

/** A block of one of the types that there are, with what a client needs of it. */
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
