import type { IncomingMessage } from 'node:http'
import { parse as parseMediaType } from 'content-type'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { parse } from 'secure-json-parse'
import { GatewayError } from '../../lib/errors/errors.ts'
import { keepInexact, keptDigits } from '../../lib/exact-numbers.ts'
import { declaresJson, isJson, listRepeated } from '../../lib/http/headers.ts'
import { decodeBody, hasByteOrderMark, isJsonObject, isWithinBounds } from '../../lib/http/json.ts'
import { type Path, pathText } from '../../lib/schema-faults/describe-expected.ts'
import { isRpcMessage, type RpcMessage } from '../../schemas/tools/mcp.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The JSON-RPC message of the body; null outside the scope that registers this plugin. */
    mcpMessage: RpcMessage | null
    /** Why no tool may get the arguments of the message; null if they are as the client sent them. */
    argumentsFault: string | null
    /** Why the transport rejects the headers; null if it accepts them. */
    headerRefusal: GatewayError | null
  }
}

const BODY_LIMIT = 4 * 1024 * 1024
const NO_BODY = Buffer.alloc(0)

async function transportValidation(app: FastifyInstance) {
  app.decorateRequest('mcpMessage', null)
  app.decorateRequest('argumentsFault', null)
  app.decorateRequest('headerRefusal', null)

  // Reads a body of any type, because the check for a batch comes before the check of its type.
  app.removeAllContentTypeParsers()
  // The common type has its own entry: Fastify parses the header again for every request that only the wildcard matches.
  app.addContentTypeParser(
    ['application/json', '*'],
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
    function takeBytes(_request, body, done) {
      done(null, body)
    },
  )

  app.addHook('onRequest', function readAnyBody(request, _reply, done) {
    listRepeated(request.raw)
    request.headerRefusal = headerRefusal(request.raw) ?? null
    // Fastify rejects a malformed Content-Type before it reads the body, but the check below reports a batch first.
    if (request.headerRefusal !== null) request.headers = { 'content-type': 'application/octet-stream' }
    done()
  })

  app.addHook('preValidation', function validateMessage(request, _reply, done) {
    // Without a body Fastify calls no parser.
    const body = Buffer.isBuffer(request.body) ? request.body : NO_BODY
    const received = validateTransport(request.headerRefusal, body)
    if (received instanceof Error) return done(received)
    request.mcpMessage = received.message
    request.argumentsFault = received.argumentsFault
    done()
  })
}

/** The validated message. Throws outside the scope of this plugin. */
export function mcpMessageOf(request: FastifyRequest): RpcMessage {
  if (request.mcpMessage === null) throw new Error('No message was read: transport-validation is not registered here.')
  return request.mcpMessage
}

export default fp(transportValidation, {
  name: 'transport-validation',
  fastify: '5.x',
  dependencies: ['error-envelope'],
})

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

/** The maximum number of characters of a number in a message. */
const MAX_SHOWN = 40

/**
 * Names the first number in the arguments or input responses of a message that a double cannot represent: one out of
 * range, or an integer above 2^53 - 1. Fractions are rounded, as everywhere in JSON. JSON.parse changes such a number, so
 * a tool must not get it: 1e400 becomes Infinity, 9007199254740993 another integer.
 */
function inexactNumberIn(message: RpcMessage, text: string): string | undefined {
  const reviver = keepInexact(text)
  if (reviver === undefined || !('params' in message) || !isJsonObject(message.params?.arguments)) return undefined
  const { params } = JSON.parse(text, reviver)
  return faultIn(params.arguments, []) ?? faultIn(params.inputResponses, ['inputResponses'])
}

/** Names the first inexact number in a value. */
function faultIn(value: unknown, path: Path): string | undefined {
  const digits = keptDigits(value)
  if (digits !== undefined)
    return `\`${pathText(path)}\` has the number ${shown(digits)}, which cannot be represented exactly. Send it as a string.`
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, member] of Object.entries(value)) {
    const fault = faultIn(member, [...path, Array.isArray(value) ? Number(key) : key])
    if (fault !== undefined) return fault
  }
  return undefined
}

function shown(source: string): string {
  return source.length <= MAX_SHOWN ? source : `${source.slice(0, MAX_SHOWN)}…`
}
