import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, GatewayError } from '../../lib/errors/errors.ts'
import { answerOn, hasLongBody } from '../../lib/http/connection-answers.ts'
import { renderError } from '../error-envelope/render.ts'
import { discard, linger } from './early-answer.ts'
import { LINGER_LIMITS, SERVER_LIMITS } from './server-limits.ts'

const { requestTimeout, http } = SERVER_LIMITS
/** A limit of Node that cannot be changed. */
const MAX_CHUNK_EXTENSIONS = 16 * 1024

/** Node's errors before there is a request, by their code. Every other code is a malformed request. */
const REFUSALS: Record<string, { code: ErrorCode; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'request_timeout',
    message: `The request took too long to arrive. Send its headers within ${seconds(http.headersTimeout)} and all of it within ${seconds(requestTimeout)}.`,
  },
  HPE_HEADER_OVERFLOW: {
    code: 'headers_too_large',
    message: `The headers exceed ${kilobytes(http.maxHeaderSize)}. Send fewer or shorter headers.`,
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
