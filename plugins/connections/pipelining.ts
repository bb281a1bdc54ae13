import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addAnswerBehind, answerOn, countAnswersBehind } from '../../lib/http/connection-answers.ts'

/** The maximum number of requests that wait on one connection. Few clients pipeline at all. */
const MAX_WAITING = 16

/**
 * Cuts connections that pipeline too many requests. One read of 64 KB holds a thousand requests, which would all start at
 * once, and unread responses would keep them in memory. Clients that wait for each response are not affected.
 */
export function limitPipelining(server: Server): void {
  // Runs before Fastify, because its objects are most of the cost of a thousand requests.
  const handlers = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!admit(request, response)) return
    // Node would answer these two itself, without a limit.
    if (lacksHost(request)) response.writeHead(400, { connection: 'close' }).end()
    else for (const handler of handlers) handler.call(server, request, response)
  })
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    if (admit(request, response)) response.writeHead(417).end()
  })
}

/** Returns whether to answer a request. Cuts the connection if there are too many. */
function admit({ socket }: IncomingMessage, response: ServerResponse): boolean {
  // Node emits requests for everything that it has read, even after the connection was cut or ended.
  if (socket.destroyed || socket.writableEnded) return false
  if (answerOn(socket) === response || mayWait(socket, response)) return true
  socket.destroy()
  return false
}

/** RFC 9112, section 3.2: an HTTP/1.1 request without Host gets 400. */
function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1'
}

function mayWait(socket: Socket, response: ServerResponse): boolean {
  if (countAnswersBehind(socket) >= MAX_WAITING) return false
  addAnswerBehind(socket, response)
  return true
}
