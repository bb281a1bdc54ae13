import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { addAnswerBehind, answerOn, countAnswersBehind, takesLastAnswer } from '../../lib/http/connection-answers.ts'
import type { Logger } from '../../schemas/gateway/log.ts'
import { askForBodiesLate } from './server-options.ts'

export interface ConnectionsOptions extends ConnectionLimits {
  /** Calls its listener, which returns the number of requests in flight, when the process begins to drain. */
  onDrain(listener: () => number): void
}

async function connections(app: FastifyInstance, { onDrain, ...limits }: ConnectionsOptions) {
  const watched = watchConnections(app.server, { ...limits, log: app.log })
  onDrain(watched.drain)
  app.addHook('preClose', async function closeConnections() {
    await watched.close()
  })
}

export default fp(connections, { name: 'connections', fastify: '5.x' })

/** Counts the bytes of responses that clients have not read. */
interface UnreadBytes {
  /** Cuts the connections whose client has not read for this long. */
  sweep(sockets: Iterable<Socket>, unreadMs: number): void
  /** Forgets a closed connection. */
  forget(socket: Socket): void
}

interface ConnectionLimits {
  /** The maximum number of open connections; further ones are closed at once. */
  max: number
  /** How long a client can leave a response unread before its connection is cut. Default: 45,000 ms. */
  unreadMs?: number
  /** How often that is checked. Default: 1,000 ms. */
  sweepMs?: number
  unread: UnreadBytes
}

/** The connections of a server. */
interface Connections {
  /**
   * Makes each further response the last of its connection, so that clients send the next request elsewhere. Returns the
   * number of requests without a complete response.
   */
  drain(): number
  /** Stops accepting connections. Resolves when all clients have their response, or were cut for being too slow. */
  close(): Promise<void>
}

const WARN_EVERY_MS = 60_000
/** While closing: the interval of the checks, and the time for a client to finish its request and to read its response. */
const CLOSING = { everyMs: 50, receiveMs: 2_000, unreadMs: 10_000 }

/** Limits the number of connections, and how long a client that does not read can hold one. */
function watchConnections(server: Server, limits: ConnectionLimits & { log: Logger }): Connections {
  const { max, unreadMs = 45_000, sweepMs = 1_000, unread, log } = limits
  const sockets = new Set<Socket>()
  let draining = false
  let warnedAt = Number.NEGATIVE_INFINITY

  limitPipelining(server)
  askForBodiesLate(server)
  server.maxConnections = max
  server.on('drop', () => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return
    warnedAt = performance.now()
    log.warn({ max }, 'connection limit reached; new connections are closed')
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      unread.forget(socket)
    })
  })

  const sweep = setInterval(() => unread.sweep(sockets, unreadMs), sweepMs).unref()

  function drain(): number {
    const answers = [...sockets].map(answerOn).filter(answer => answer !== undefined)
    if (!draining) {
      draining = true
      server.prependListener('request', (_request, response) => takesLastAnswer(response))
      for (const answer of answers) takesLastAnswer(answer)
    }
    return answers.length + [...sockets].reduce((sum, socket) => sum + countAnswersBehind(socket), 0)
  }

  async function close(): Promise<void> {
    clearInterval(sweep)
    drain()
    // The close of a TCP server only stops accepting. The close of an HTTP server also cuts responses that are not fully
    // read (3.9 of 20 MB arrived), waits for clients that never send, and ignores slow ones meanwhile.
    NetServer.prototype.close.call(server)
    const stopped = performance.now()
    while (sockets.size > 0) {
      unread.sweep(sockets, CLOSING.unreadMs)
      if ([...sockets].every(socket => socket.writableLength === 0)) server.closeIdleConnections()
      if (performance.now() - stopped >= CLOSING.receiveMs)
        for (const socket of sockets) if (!hasRequest(socket)) socket.destroy()
      await delay(CLOSING.everyMs)
    }
  }

  return { drain, close }
}

/** Whether a connection has a complete request without a complete response. */
function hasRequest(socket: Socket): boolean {
  return answerOn(socket)?.req.complete === true
}

/** The maximum number of requests that wait on one connection. Few clients pipeline at all. */
const MAX_WAITING = 16

/**
 * Cuts connections that pipeline too many requests. One read of 64 KB holds a thousand requests, which would all start at
 * once, and unread responses would keep them in memory. Clients that wait for each response are not affected.
 */
function limitPipelining(server: Server): void {
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
