import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { answerOn } from './answer-on.ts'

/** Requests of one connection that may wait behind the one that is answered. Hardly any client sends a second one. */
const MAX_WAITING = 16

/**
 * Cuts connections on which requests pile up: one read of 64 KB holds a thousand of them, all of which would be begun
 * at once, and answers that nobody reads would keep them. Whoever waits for each answer costs nothing.
 */
export function limitPipelining(server: Server): void {
  const waiting = new WeakMap<Socket, number>()
  // Before Fastify sees a request: what it makes of one is most of what a thousand cost.
  const handlers = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    // Node makes requests of all that it has read, also behind the one that was too many.
    if (socket.destroyed) return
    if (answerOn(socket) !== response && !mayWait(socket, response)) {
      socket.destroy()
      return
    }
    for (const handler of handlers) handler.call(server, request, response)
  })

  function mayWait(socket: Socket, response: ServerResponse): boolean {
    const count = (waiting.get(socket) ?? 0) + 1
    if (count > MAX_WAITING) return false
    waiting.set(socket, count)
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1))
    return true
  }
}
