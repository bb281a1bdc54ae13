import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type Server,
  ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { type ErrorCode, GatewayError } from '../../lib/errors/errors.ts'
import { answerOn, hasLongBody } from '../../lib/http/connection-answers.ts'
import { renderError } from '../error-envelope/render-error.ts'

const MAX_HEADER_BYTES = 16 * 1024

/** The limits for a client to read its last response. */
const LINGER_LIMITS = { ms: 1_000, bytes: 1024 * 1024, smallBody: 64 * 1024 }

/** Limits on the size and duration of requests, under the names of Fastify's options, in bytes and milliseconds. */
export const SERVER_LIMITS = {
  bodyLimit: 64 * 1024,
  requestTimeout: 30_000,
  /** Longer than balancers keep an idle connection, because the client should end it. */
  keepAliveTimeout: 72_000,
  /** Also limits a close that waits for responses. lib/process/process-events.ts has the lower limit for that. */
  pluginTimeout: 60_000,
  /** As long as all headers can be, so that an ID of any length reaches its route and gets 404. */
  routerOptions: { maxParamLength: MAX_HEADER_BYTES },
  http: {
    headersTimeout: 15_000,
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: false, // plugin.ts checks it
    ServerResponse: earlyAnswers(LINGER_LIMITS),
  },
}

/** A limit of Node that cannot be changed. */
const MAX_CHUNK_EXTENSIONS = 16 * 1024

/** Node's errors before there is a request, by their code. Every other code is a malformed request. */
const REFUSALS: Record<string, { code: ErrorCode; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'request_timeout',
    message: `The request took too long to arrive. Send its headers within ${seconds(SERVER_LIMITS.http.headersTimeout)} and all of it within ${seconds(SERVER_LIMITS.requestTimeout)}.`,
  },
  HPE_HEADER_OVERFLOW: {
    code: 'headers_too_large',
    message: `The headers exceed ${kilobytes(MAX_HEADER_BYTES)}. Send fewer or shorter headers.`,
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    code: 'body_too_large',
    message: `The chunk extensions exceed ${kilobytes(MAX_CHUNK_EXTENSIONS)}. Send none.`,
  },
}
const MALFORMED = {
  code: 'invalid_request',
  message: 'This is not a well-formed HTTP/1.1 request. Correct it and send it again.',
} as const

/** Answers a request that Node cannot parse with the nested envelope, then closes the connection; for `clientErrorHandler`. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  // Node reports the end of the time for a request once, and leaves what to do to this function.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && hasLongBody(socket)) return
  // Within a response that has begun, the client would read another one as its bytes.
  if (!socket.writable || answerOn(socket)?.headersSent === true) {
    socket.destroy()
    return
  }
  socket.write(refusal(error.code ?? ''))
  // Node's parser would fail again on every further chunk.
  socket.removeAllListeners('data')
  discard(socket, LINGER_LIMITS.bytes)
  linger(socket, socket, LINGER_LIMITS.ms)
}

function refusal(reason: string): string {
  const { code, message } = REFUSALS[reason] ?? MALFORMED
  const { status, body } = renderError(new GatewayError(code, message), 'general')
  const text = JSON.stringify(body)
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    text,
  ].join('\r\n')
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1_000} s`
}

function kilobytes(bytes: number): string {
  return `${bytes / 1_024} KB`
}

interface LingerLimits {
  /** How long a connection stays open after its last response, for its client to read it. */
  ms: number
  /** How many further bytes of the client are read and discarded meanwhile. */
  bytes: number
  /** The largest remaining body that is read and discarded to keep the connection for the next request. */
  smallBody: number
}

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[]

/**
 * A response class that closes the connection after a response that is sent before the body is read. Node would read the
 * whole body, or reset the connection before its client has read the response.
 */
export function earlyAnswers(limits: LingerLimits): typeof ServerResponse {
  return class EarlyAnswer<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(status: number, message?: string | Headers, headers?: Headers): this {
      if (leavesBody(this, limits.smallBody)) closeAfter(this, limits)
      return super.writeHead(status, message as string, headers)
    }
  }
}

function leavesBody(response: ServerResponse, smallBody: number): boolean {
  const { complete, headers } = response.req
  if (complete) return false
  const length = headers['content-length']
  // An unknown length can be any, and a client that waits for 100 Continue may send its body or not.
  if (length === undefined) return headers['transfer-encoding'] !== undefined
  return Number(length) > smallBody || headers.expect !== undefined
}

function closeAfter(response: ServerResponse, limits: LingerLimits): void {
  response.shouldKeepAlive = false
  const { req } = response
  const { socket } = req
  const { destroySoon } = socket
  discard(req, limits.bytes)
  // Node calls this after it sent the response.
  socket.destroySoon = function lingerThenDestroy() {
    socket.destroySoon = destroySoon
    if (req.readableEnded) socket.destroySoon()
    else linger(socket, req, limits.ms)
  }
}

/** Reads and discards the given number of bytes, then stops reading, so that the client's send buffer fills up. */
function discard(body: Readable, bytes: number): void {
  let left = bytes
  body.on('data', (chunk: Buffer | string) => {
    left -= chunk.length
    if (left <= 0) body.pause()
  })
  body.resume()
}

/**
 * Ends a connection so that its client can read the last response. Unread bytes would make the kernel reset the connection,
 * and the client would lose the response.
 */
function linger(socket: Socket, body: Readable, ms: number): void {
  const timer = setTimeout(() => socket.destroy(), ms)
  socket.once('close', () => clearTimeout(timer))
  body.once('end', () => socket.destroySoon())
  socket.end()
}

/**
 * Sends `100 Continue` when the body is first read, so that a request that is rejected by its headers gets its response
 * without sending its body.
 */
export function askForBodiesLate(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const read = request._read
    request._read = function readAfterAsking(size) {
      request._read = read
      if (!response.headersSent) response.writeContinue()
      read.call(request, size)
    }
    server.emit('request', request, response)
  })
}
