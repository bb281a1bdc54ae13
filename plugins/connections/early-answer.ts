import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type Server,
  ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'

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
export function discard(body: Readable, bytes: number): void {
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
export function linger(socket: Socket, body: Readable, ms: number): void {
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
