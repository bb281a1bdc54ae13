import type { Socket } from 'node:net'
import type { Logger } from '../../schemas/gateway/log.ts'
import type { Clock } from '../../schemas/primitives/time.ts'
import { diagnosticsChannel } from '../diagnostics-channel.ts'
import { GatewayError } from '../errors/errors.ts'
import { createUnreadBytes, type UnreadBytes, type UnreadConnection } from './unread-bytes.ts'

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
  rate_limit_exceeded: 'Too many bytes of answers to this credential are unread. Read the answers, then retry.',
  overloaded: 'Too many bytes of answers of this process are unread. Retry with backoff.',
}
const DROPPED = 'The request was carried out, but its answer was dropped. Do not repeat a call that changes something.'

/** Bounds the bytes of answers that wait for readers, per credential and per process. */
export function createUnreadAnswers(options: UnreadAnswersOptions): UnreadAnswers {
  return new BoundedAnswers(options)
}

class BoundedAnswers implements UnreadAnswers {
  readonly #log: Logger
  readonly #clock: Clock
  readonly #unread: UnreadBytes
  readonly #perProcess: number
  readonly #perCredential: number
  readonly #largestAnswer: number
  readonly #patienceMs: number
  #warnedAt = Number.NEGATIVE_INFINITY
  #cuts = 0
  #refusals = 0
  /** Bytes of closed connections: the memory is free only when Node has closed them, later in the event loop. */
  #closingBytes = 0

  constructor(options: UnreadAnswersOptions) {
    this.#log = options.log
    this.#clock = options.clock ?? performance
    this.#unread = createUnreadBytes(this.#clock)
    this.#perProcess = options.perProcess ?? 48 * MIB
    this.#perCredential = options.perCredential ?? 24 * MIB
    this.#largestAnswer = options.largestAnswer ?? 8 * MIB
    this.#patienceMs = options.patienceMs ?? 5_000
  }

  bytes(): number {
    this.#unread.recount()
    return this.#unread.total()
  }

  refusal(credential: string): GatewayError | undefined {
    // The only check that most requests need.
    if (this.#unread.total() <= this.#perCredential - this.#largestAnswer) return undefined
    if (!this.#isNearCredentialLimit(credential) && !this.#isNearProcessLimit(credential)) return undefined
    this.#unread.recount()
    if (this.#isNearCredentialLimit(credential) && !this.#makeRoomForCredential(credential, this.#largestAnswer))
      return this.#refuse('rate_limit_exceeded')
    if (this.#isNearProcessLimit(credential) && !this.#makeRoomInProcess(credential, this.#largestAnswer))
      return this.#refuse('overloaded')
    return undefined
  }

  keep(socket: Socket, credential: string, bytes: number): GatewayError | undefined {
    if (this.#unread.total() + bytes > this.#perCredential) {
      this.#unread.recount()
      if (!this.#makeRoomForCredential(credential, bytes)) return this.#refuse('rate_limit_exceeded', ` ${DROPPED}`)
      if (!this.#makeRoomInProcess(credential, bytes)) return this.#refuse('overloaded', ` ${DROPPED}`)
    }
    this.#unread.add(socket, credential, bytes)
    return undefined
  }

  sweep(sockets: Iterable<Socket>, unreadMs: number): void {
    this.#unread.recount(sockets)
    for (const connection of [...this.#unread.all()]) if (this.#idleMs(connection) >= unreadMs) this.#cut(connection)
    // Small answers and streams are counted only in the sweep.
    while (this.#unread.total() > this.#perProcess && this.#cutOne(0));
    unreadChannel.publish({
      bytes: this.#unread.total(),
      connections: [...this.#unread.all()].length,
      cut: this.#cuts,
      refused: this.#refusals,
    })
    this.#cuts = 0
    this.#refusals = 0
  }

  forget(socket: Socket): void {
    this.#unread.forget(socket)
  }

  /** Resets the connection, because a plain end would leave the unread bytes in the kernel. */
  #cut(connection: UnreadConnection): void {
    this.#unread.remove(connection)
    this.#cuts++
    this.#closingBytes += connection.bytes
    connection.socket.once('close', () => {
      this.#closingBytes -= connection.bytes
    })
    connection.socket.resetAndDestroy()
  }

  #idleMs({ activeAt }: UnreadConnection): number {
    return this.#clock.now() - activeAt
  }

  #isStale(connection: UnreadConnection): boolean {
    return this.#idleMs(connection) >= this.#patienceMs
  }

  /**
   * Whether no cut connection is still closing. More than one at a time would be too many: within one iteration of the
   * event loop, hundreds of answers could each displace another.
   */
  #mayCut(): boolean {
    return this.#closingBytes === 0
  }

  /** Cuts the credential's stale connections until an answer fits into its limit. Returns whether it fits. */
  #makeRoomForCredential(credential: string, bytes: number): boolean {
    while (this.#unread.heldBy(credential) > 0 && this.#unread.heldBy(credential) + bytes > this.#perCredential) {
      const stale = this.#unread.longestWaiting(
        connection => connection.holder === credential && this.#isStale(connection),
      )
      if (stale === undefined || !this.#mayCut()) return false
      this.#cut(stale)
    }
    return true
  }

  /**
   * Cuts stale connections, and then those of larger holders, until an answer fits into the limit of the process. Returns
   * whether it fits.
   */
  #makeRoomInProcess(credential: string, bytes: number): boolean {
    while (this.#unread.total() > 0 && this.#unread.total() + bytes > this.#perProcess)
      if (!this.#cutOne(this.#unread.heldBy(credential) + bytes)) return false
    return true
  }

  /** Cuts a stale connection, or else one of the largest holder if it holds more than `bytes`. Returns whether it did. */
  #cutOne(bytes: number): boolean {
    const largest = this.#unread.largestHolder()
    const isLarger = largest !== undefined && this.#unread.heldBy(largest) > bytes
    const victim =
      this.#unread.longestWaiting(connection => this.#isStale(connection)) ??
      (isLarger ? this.#unread.longestWaiting(({ holder }) => holder === largest) : undefined)
    if (victim === undefined || !this.#mayCut()) return false
    this.#cut(victim)
    return true
  }

  #refuse(code: keyof typeof REFUSALS, consequence = ''): GatewayError {
    this.#refusals++
    if (this.#clock.now() - this.#warnedAt >= WARN_EVERY_MS) {
      this.#warnedAt = this.#clock.now()
      this.#log.warn({ bytes: this.#unread.total(), code }, 'too many bytes of answers are unread: refusing requests')
    }
    return new GatewayError(code, `${REFUSALS[code]}${consequence}`, { retryAfter: RETRY_AFTER_SECONDS })
  }

  /** Whether the credential's limit has no room for the largest answer. A request whose answer is dropped should not run. */
  #isNearCredentialLimit(credential: string): boolean {
    return this.#unread.heldBy(credential) > this.#perCredential - this.#largestAnswer
  }

  /**
   * Whether the limit of the process has no room for the largest answer. Never for a credential without unread answers,
   * because those of others can be dropped for it.
   */
  #isNearProcessLimit(credential: string): boolean {
    return this.#unread.total() > this.#perProcess - this.#largestAnswer && this.#unread.heldBy(credential) > 0
  }
}
