import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'

interface LingerLimits {
  /** How long a connection is kept after its last answer, for its client to read that. */
  ms: number
  /** How much of what the client still sends is read and discarded meanwhile. */
  bytes: number
  /** The longest rest of a body that is read and discarded to keep the connection for the next request. */
  smallBody: number
}

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[]

/**
 * The responses of a server that closes its connection after an answer that is sent before the body was read. Node
 * itself would go on reading the body to its end, or reset the connection before its client has read the answer.
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
  // An unknown length could be any, and a client that was not asked for its body may send it or not.
  if (length === undefined) return headers['transfer-encoding'] !== undefined
  return Number(length) > smallBody || headers.expect !== undefined
}

function closeAfter(response: ServerResponse, limits: LingerLimits): void {
  response.shouldKeepAlive = false
  const { req } = response
  const { socket } = req
  const { destroySoon } = socket
  discard(req, limits.bytes)
  // What Node calls when the answer was sent.
  socket.destroySoon = function lingerThenDestroy() {
    socket.destroySoon = destroySoon
    if (req.readableEnded) socket.destroySoon()
    else linger(socket, req, limits.ms)
  }
}

/** Reads and discards so many bytes, then reads no more, so that the client's side fills up. */
export function discard(body: Readable, bytes: number): void {
  let left = bytes
  body.on('data', (chunk: Buffer | string) => {
    left -= chunk.length
    if (left <= 0) body.pause()
  })
  body.resume()
}

/**
 * Ends a connection in a way that its client can read the last answer: bytes that nobody has read would make the kernel
 * reset the connection, and clients lose the answer over that.
 */
export function linger(socket: Socket, body: Readable, ms: number): void {
  const timer = setTimeout(() => socket.destroy(), ms)
  socket.once('close', () => clearTimeout(timer))
  body.once('end', () => socket.destroySoon())
  socket.end()
}
