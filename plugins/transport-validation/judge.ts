import { isJsonContentType } from '@modelcontextprotocol/sdk/shared/mediaType.js'
import { parse } from 'secure-json-parse'
import { isRpcMessage, type RpcMessage } from '../../schemas/mcp.ts'
import { GatewayError } from '../error-envelope/errors.ts'
import { type Headers, headerOf } from '../mcp/headers.ts'
import { isWithinBounds } from './bounds.ts'

/**
 * The one JSON-RPC message in the body of POST /mcp, or why the transport refuses the request: an array before the
 * headers are looked at, then Accept, Content-Type, JSON, message (spec.md, Transport errors on /mcp).
 * The headers are judged as the SDK's own transport judges them.
 */
export function judgeTransport(headers: Headers, body: string): RpcMessage | GatewayError {
  if (isArray(body))
    return new GatewayError(
      'batch_not_supported',
      'Invalid Request: JSON-RPC batches are not supported; send one call per request.',
    )
  const accept = headerOf(headers, 'accept')
  if (accept === undefined || !accept.includes('application/json') || !accept.includes('text/event-stream'))
    return new GatewayError(
      'not_acceptable',
      'Not Acceptable: Client must accept both application/json and text/event-stream',
    )
  if (!isJsonContentType(headerOf(headers, 'content-type')))
    return new GatewayError('unsupported_media_type', 'Unsupported Media Type: Content-Type must be application/json')
  return readMessage(body)
}

function readMessage(body: string): RpcMessage | GatewayError {
  if (!isWithinBounds(body))
    return new GatewayError('unparsable_body', 'Parse error: JSON over 64 levels or 10,000 elements')
  let message: unknown
  try {
    message = parse(body)
  } catch {
    return new GatewayError('unparsable_body', 'Parse error: Invalid JSON')
  }
  if (!isRpcMessage(message)) return new GatewayError('unparsable_body', 'Parse error: Invalid JSON-RPC message')
  return message
}

function isArray(body: string): boolean {
  return /^\s*\[/.test(body)
}
