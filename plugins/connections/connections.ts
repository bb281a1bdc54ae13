import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../../schemas/log.ts'
import { answerOn, takesLastAnswer } from './answer-on.ts'
import { limitPipelining } from './pipelining.ts'

export interface ConnectionLimits {
  /** Connections that stand at once; more are closed as they come. */
  max: number
  /** How long bytes of answers may wait for their reader before the connection is cut, 45,000 ms when absent. */
  unreadMs?: number
  /** How often that is looked at, 5,000 ms when absent. */
  sweepMs?: number
}

/** The connections of a server. */
export interface Connections {
  /** From here on each answer is the last of its connection, so that clients go elsewhere with the next request. */
  drain(): void
  /** Stops accepting; resolves when every connection has its answer, and is cut where that takes its client too long. */
  close(): Promise<void>
}

const WARN_EVERY_MS = 60_000
/** What a reader has to take of a long answer, within the time that unread bytes may wait. */
const READS_BYTES = 256 * 1024
/** While closing: how often it is looked, what a client has for the rest of its request, and for reading its answer. */
const CLOSING = { everyMs: 50, receiveMs: 2_000, unreadMs: 10_000 }

/** Bounds how many connections a server has, and how long a client that does not read holds one. */
export function watchConnections(server: Server, limits: ConnectionLimits & { log: Logger }): Connections {
  const { max, unreadMs = 45_000, sweepMs = 5_000, log } = limits
  /** Since when bytes wait for the reader of a connection, and what he had taken by then; undefined while none do. */
  const unreadSince = new Map<Socket, { at: number; taken: number } | undefined>()
  let draining = false
  let warnedAt = Number.NEGATIVE_INFINITY

  limitPipelining(server)
  server.maxConnections = max
  server.on('drop', () => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return
    warnedAt = performance.now()
    log.warn({ max }, 'connections are refused: as many stand as may')
  })
  server.on('connection', socket => {
    unreadSince.set(socket, undefined)
    socket.once('close', () => unreadSince.delete(socket))
  })

  /** Cuts who has not read for so long. A reset, because a plain end would leave the kernel what nobody reads. */
  function cutUnread(unreadMs: number): void {
    const now = performance.now()
    for (const [socket, since] of unreadSince) {
      const taken = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0) unreadSince.set(socket, undefined)
      // Of a file that streams some bytes always wait: who takes enough of them reads, and who drips does not.
      else if (since === undefined || taken - since.taken >= READS_BYTES) unreadSince.set(socket, { at: now, taken })
      else if (now - since.at >= unreadMs) socket.resetAndDestroy()
    }
  }

  const sweep = setInterval(() => cutUnread(unreadMs), sweepMs).unref()

  function drain(): void {
    if (draining) return
    draining = true
    server.prependListener('request', (_request, response) => takesLastAnswer(response))
    for (const socket of unreadSince.keys()) takesLastAnswer(answerOn(socket))
  }

  async function close(): Promise<void> {
    clearInterval(sweep)
    drain()
    // Of a TCP server, which only stops accepting: that of an HTTP server also cuts answers which are not read to their
    // end yet (3.9 of 20 MB arrived), waits for clients that never send, and watches no slow ones while it does.
    NetServer.prototype.close.call(server)
    const stopped = performance.now()
    while (unreadSince.size > 0) {
      cutUnread(CLOSING.unreadMs)
      const sockets = [...unreadSince.keys()]
      if (sockets.every(socket => socket.writableLength === 0)) server.closeIdleConnections()
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
