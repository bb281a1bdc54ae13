import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { answerOn, takesLastAnswer } from '../../lib/http/connection-answers.ts'
import type { Logger } from '../../schemas/log.ts'
import { askForBodiesLate } from './late-continue.ts'
import { limitPipelining } from './pipelining.ts'

/** Where the bytes are counted that wait for readers. */
interface UnreadBytes {
  /** Cuts the connections whose client did not read for so long. */
  sweep(sockets: Iterable<Socket>, unreadMs: number): void
  /** Forgets a connection that is closed. */
  forget(socket: Socket): void
}

export interface ConnectionLimits {
  /** Connections that stand at once; more are closed as they come. */
  max: number
  /** How long bytes of answers may wait for their reader before the connection is cut; 45,000 ms when absent. */
  unreadMs?: number
  /** How often that is checked; 1,000 ms when absent. */
  sweepMs?: number
  unread: UnreadBytes
}

/** The connections of a server. */
interface Connections {
  /** From here on each answer is the last of its connection, so that clients go elsewhere with the next request. */
  drain(): void
  /** Stops accepting; resolves when every connection has its answer, and is cut where that takes its client too long. */
  close(): Promise<void>
}

const WARN_EVERY_MS = 60_000
/** While closing: how often it is looked, what a client has for the rest of its request, and for reading its answer. */
const CLOSING = { everyMs: 50, receiveMs: 2_000, unreadMs: 10_000 }

/** Bounds how many connections a server has, and how long a client that does not read holds one. */
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
    log.warn({ max }, 'connections are refused: as many stand as may')
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      unread.forget(socket)
    })
  })

  const sweep = setInterval(() => unread.sweep(sockets, unreadMs), sweepMs).unref()

  function drain(): void {
    if (draining) return
    draining = true
    server.prependListener('request', (_request, response) => takesLastAnswer(response))
    for (const socket of sockets) takesLastAnswer(answerOn(socket))
  }

  async function close(): Promise<void> {
    clearInterval(sweep)
    drain()
    // Of a TCP server, which only stops accepting: that of an HTTP server also cuts answers which are not read to their
    // end yet (3.9 of 20 MB arrived), waits for clients that never send, and watches no slow ones while it does.
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

/** Whether a whole request came on a connection and is not answered to its end yet. */
function hasRequest(socket: Socket): boolean {
  return answerOn(socket)?.req.complete === true
}
