import type { Socket } from 'node:net'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'
import { diagnosticsChannel } from '../diagnostics-channel.ts'
import { GatewayError } from '../errors/errors.ts'
import { createTally, type Waiting } from './tally.ts'

/** The answers that wait for their readers in this process, and what was done about them since the last event. */
export interface UnreadEvent {
  /** Bytes of answers that are kept in memory until their readers take them. */
  bytes: number
  /** Connections that these bytes wait on. */
  connections: number
  /** Connections that were cut because their client did not read, or to make room. */
  cut: number
  /** Requests that were refused, or whose answer was dropped, because of the bounds. */
  refused: number
}

/** Reports unread answers once a second. */
export const unreadChannel = diagnosticsChannel<UnreadEvent>('connector-gateway:unread-answers')

interface UnreadAnswersOptions {
  log: Logger
  /** A monotonic clock; the process's own when absent. */
  clock?: Clock
  /** The maximum number of unread bytes per process; 48 MiB when absent. */
  perProcess?: number
  /** The maximum number of unread bytes per credential; 24 MiB when absent. */
  perCredential?: number
  /** The free bytes that a request needs to start; 8 MiB, about the largest answer, when absent. */
  largestAnswer?: number
  /** How long bytes may stay unread while other answers need their room; 5,000 ms when absent. */
  patienceMs?: number
}

/** Bounds the memory of answers that wait for their readers. */
export interface UnreadAnswers {
  /** The current number of unread bytes. */
  bytes(): number
  /**
   * Returns the error for a request that must not start because too many bytes are unread; undefined if it may start.
   */
  refusal(credential: string): GatewayError | undefined
  /** Makes room for an answer and counts it. Returns the error if there is no room. */
  keep(socket: Socket, credential: string, bytes: number): GatewayError | undefined
  /** Closes connections whose client has not read for `unreadMs`, and publishes the current state. */
  sweep(sockets: Iterable<Socket>, unreadMs: number): void
  /** Removes a closed connection. */
  forget(socket: Socket): void
}

const MIB = 1024 * 1024
const RETRY_AFTER_SECONDS = 5
const WARN_EVERY_MS = 60_000

const REFUSALS = {
  rate_limit_exceeded: 'This credential has too many bytes of unread answers. Read them, then retry.',
  overloaded: 'This process has too many bytes of unread answers. Retry with backoff.',
}
const DROPPED = 'The request was carried out, but its answer was dropped. Do not repeat a call that changes something.'

/** Bounds the bytes of answers that wait for readers, per credential and per process. */
export function createUnreadAnswers(options: UnreadAnswersOptions): UnreadAnswers {
  const { log, clock = performance, perProcess = 48 * MIB, perCredential = 24 * MIB } = options
  const { largestAnswer = 8 * MIB, patienceMs = 5_000 } = options
  const tally = createTally(clock)
  let warnedAt = Number.NEGATIVE_INFINITY
  let [cuts, refusals] = [0, 0]
  /** Bytes of closed connections: the memory is free only when Node has closed them, later in the event loop. */
  let closing = 0

  /** Resets the connection, because a plain end would leave the unread bytes in the kernel. */
  function cut(waiting: Waiting): void {
    tally.remove(waiting)
    cuts++
    closing += waiting.bytes
    waiting.socket.once('close', () => {
      closing -= waiting.bytes
    })
    waiting.socket.resetAndDestroy()
  }

  function isStale({ since }: Waiting): boolean {
    return clock.now() - since >= patienceMs
  }

  /**
   * Closes one connection at a time: within one iteration of the event loop, hundreds of answers could each displace
   * another.
   */
  function mayClose(): boolean {
    return closing === 0
  }

  /** Whether an answer fits into its credential's limit after the credential's stale answers are dropped. */
  function fitsCredential(credential: string, bytes: number): boolean {
    while (tally.heldBy(credential) > 0 && tally.heldBy(credential) + bytes > perCredential) {
      const stale = tally.longestWaiting(waiting => waiting.holder === credential && isStale(waiting))
      if (stale === undefined || !mayClose()) return false
      cut(stale)
    }
    return true
  }

  /**
   * Whether an answer fits into the process's limit after stale answers, and then answers of larger holders, are
   * dropped.
   */
  function fitsProcess(credential: string, bytes: number): boolean {
    while (tally.total() > 0 && tally.total() + bytes > perProcess)
      if (!giveWay(tally.heldBy(credential) + bytes)) return false
    return true
  }

  function giveWay(toHolderOf: number): boolean {
    const largest = tally.largest()
    const isLarger = largest !== undefined && tally.heldBy(largest) > toHolderOf
    const victim =
      tally.longestWaiting(isStale) ?? (isLarger ? tally.longestWaiting(({ holder }) => holder === largest) : undefined)
    if (victim === undefined || !mayClose()) return false
    cut(victim)
    return true
  }

  function refuse(code: keyof typeof REFUSALS, consequence = ''): GatewayError {
    refusals++
    if (clock.now() - warnedAt >= WARN_EVERY_MS) {
      warnedAt = clock.now()
      log.warn({ bytes: tally.total(), code }, 'too many bytes of answers are unread: refusing requests')
    }
    return new GatewayError(code, `${REFUSALS[code]}${consequence}`, { retryAfter: RETRY_AFTER_SECONDS })
  }

  /** Without room for its answer, a request would be carried out for nothing. */
  function hasSpentShare(credential: string): boolean {
    return tally.heldBy(credential) > perCredential - largestAnswer
  }

  /** Callers without unread answers are served even if the process is full: answers of others can be dropped. */
  function meetsFullProcess(credential: string): boolean {
    return tally.total() > perProcess - largestAnswer && tally.heldBy(credential) > 0
  }

  return {
    bytes() {
      tally.recount()
      return tally.total()
    },

    refusal(credential) {
      if (tally.total() <= perCredential - largestAnswer) return undefined // the only check that most requests need
      if (!hasSpentShare(credential) && !meetsFullProcess(credential)) return undefined
      tally.recount()
      if (hasSpentShare(credential) && !fitsCredential(credential, largestAnswer)) return refuse('rate_limit_exceeded')
      if (meetsFullProcess(credential) && !fitsProcess(credential, largestAnswer)) return refuse('overloaded')
      return undefined
    },

    keep(socket, credential, bytes) {
      if (tally.total() + bytes > perCredential) {
        tally.recount()
        if (!fitsCredential(credential, bytes)) return refuse('rate_limit_exceeded', ` ${DROPPED}`)
        if (!fitsProcess(credential, bytes)) return refuse('overloaded', ` ${DROPPED}`)
      }
      tally.add(socket, credential, bytes)
      return undefined
    },

    sweep(sockets, unreadMs) {
      tally.recount(sockets)
      for (const waiting of [...tally.all()]) if (clock.now() - waiting.since >= unreadMs) cut(waiting)
      // Small answers and streams are counted only in the sweep.
      while (tally.total() > perProcess && giveWay(0));
      unreadChannel.publish({
        bytes: tally.total(),
        connections: [...tally.all()].length,
        cut: cuts,
        refused: refusals,
      })
      ;[cuts, refusals] = [0, 0]
    },

    forget: tally.forget,
  }
}
