import type { IncomingMessage } from 'node:http'
import { parse as parseMediaType } from 'content-type'
import { parse } from 'secure-json-parse'
import { GatewayError } from '../../lib/errors/errors.ts'
import { declaresJson, isJson } from '../../lib/http/headers.ts'
import { decodeBody, hasByteOrderMark, isWithinBounds } from '../../lib/http/json.ts'
import { isRpcMessage, type RpcMessage } from '../../schemas/tools/mcp.ts'
import { inexactNumberIn } from './inexact-number.ts'

/** Why the transport rejects the headers of POST /mcp: Accept first, then Content-Type. */
export function headerRefusal(request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): GatewayError | undefined {
  if (!acceptsJsonAndEvents(request.headers.accept))
    return new GatewayError(
      'not_acceptable',
      'Not Acceptable: Client must accept both application/json and text/event-stream',
    )
  if (!declaresJson(request))
    return new GatewayError(
      'unsupported_media_type',
      `Unsupported Media Type: Content-Type must be application/json${isJson(request.headers['content-type']) ? ONCE_IN_UTF8 : ''}`,
    )
  return undefined
}

/** The addition for a Content-Type that the SDK's transport accepts. */
const ONCE_IN_UTF8 = ', sent once, without a charset or with charset=utf-8'

/** A message that the transport accepts. */
interface ReceivedMessage {
  readonly message: RpcMessage
  /** Why a tool must not get the arguments of the message; null if they are as the client sent them. */
  readonly argumentsFault: string | null
}

/**
 * The JSON-RPC message in the body of POST /mcp, or why the transport rejects the request. Checks for an array first, then
 * the headers, then JSON, then the message.
 */
export function validateTransport(refused: GatewayError | null, body: Buffer): ReceivedMessage | GatewayError {
  if (isArray(body))
    return new GatewayError(
      'batch_not_supported',
      'Invalid Request: JSON-RPC batches are not supported; send one call per request.',
    )
  return refused ?? readMessage(body)
}

function readMessage(body: Buffer): ReceivedMessage | GatewayError {
  const text = decodeBody(body)
  if (text === undefined)
    return new GatewayError('unparsable_body', 'Parse error: The body must be UTF-8 without a byte order mark')
  if (!isWithinBounds(text))
    return new GatewayError('unparsable_body', 'Parse error: JSON over 64 levels or 10,000 elements')
  let message: unknown
  try {
    message = parse(text)
  } catch {
    return new GatewayError('unparsable_body', 'Parse error: Invalid JSON')
  }
  if (!isRpcMessage(message)) return new GatewayError('unparsable_body', 'Parse error: Invalid JSON-RPC message')
  return { message, argumentsFault: inexactNumberIn(message, text) ?? null }
}

const OPEN_ARRAY = 0x5b

function isArray(body: Buffer): boolean {
  let at = hasByteOrderMark(body) ? 3 : 0
  while (isWhiteSpace(body[at])) at++
  return body[at] === OPEN_ARRAY
}

function isWhiteSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** The headers of the official clients. */
const COMMON_ACCEPT = new Set(['application/json, text/event-stream', 'text/event-stream, application/json'])

/**
 * Whether an Accept header lists both application/json and text/event-stream with a weight above 0 (RFC 9110, section
 * 12.5.1). A wildcard does not count: MCP requires clients to list both.
 */
function acceptsJsonAndEvents(accept: string | undefined): boolean {
  if (accept === undefined) return false
  if (COMMON_ACCEPT.has(accept)) return true
  const listed = new Set<string>()
  for (let start = 0; start < accept.length; ) {
    const { type, parameters, index } = parseMediaType(accept, { comma: true, start })
    if (parameters.q === undefined || Number(parameters.q) > 0) listed.add(type)
    start = index + 1
  }
  return listed.has('application/json') && listed.has('text/event-stream')
}
