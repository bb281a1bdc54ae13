import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addAnswerBehind, answerOn, countAnswersBehind } from '../../lib/http/connection-answers.ts'

/** Requests of one connection that may wait behind the one that is answered. Hardly any client sends a second one. */
const MAX_WAITING = 16

/**
 * Cuts connections on which requests pile up: one read of 64 KB holds a thousand of them, all of which would be begun
 * at once, and answers that nobody reads would keep them. Whoever waits for each answer costs nothing.
 */
export function limitPipelining(server: Server): void {
  // Before Fastify sees a request: what it makes of one is most of what a thousand cost.
  const handlers = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!admit(request, response)) return
    // Node would answer these two by itself, however many there are behind one another.
    if (lacksHost(request)) response.writeHead(400, { connection: 'close' }).end()
    else for (const handler of handlers) handler.call(server, request, response)
  })
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    if (admit(request, response)) response.writeHead(417).end()
  })
}

/** Cuts the connection of a request that is one too many. Returns whether the request is to be answered. */
function admit({ socket }: IncomingMessage, response: ServerResponse): boolean {
  // Node makes requests of all that it has read, also behind the one that was too many, and behind the last answer.
  if (socket.destroyed || socket.writableEnded) return false
  if (answerOn(socket) === response || mayWait(socket, response)) return true
  socket.destroy()
  return false
}

/** RFC 9112, section 3.2: such a request of HTTP/1.1 is answered with 400. */
function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1'
}

function mayWait(socket: Socket, response: ServerResponse): boolean {
  if (countAnswersBehind(socket) >= MAX_WAITING) return false
  addAnswerBehind(socket, response)
  return true
}
