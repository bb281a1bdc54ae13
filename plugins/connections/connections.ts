import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { answerOn, countAnswersBehind, takesLastAnswer } from '../../lib/http/connection-answers.ts'
import type { Logger } from '../../schemas/log.ts'
import { askForBodiesLate } from './early-answer.ts'
import { limitPipelining } from './pipelining.ts'

/** Counts the bytes of responses that clients have not read. */
interface UnreadBytes {
  /** Cuts the connections whose client has not read for this long. */
  sweep(sockets: Iterable<Socket>, unreadMs: number): void
  /** Forgets a closed connection. */
  forget(socket: Socket): void
}

export interface ConnectionLimits {
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
export function watchConnections(server: Server, limits: ConnectionLimits & { log: Logger }): Connections {
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
