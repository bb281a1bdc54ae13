import { setTimeout as delay } from 'node:timers/promises'
import { GatewayError } from '../error-envelope/errors.ts'

/** What the table says of a key, found by one of its hashes. */
export interface KeyRow {
  hash: string
}

export interface KeyLookupsOptions<Row extends KeyRow> {
  /** The rows of all these hashes, in one query. */
  find(hashes: string[]): Promise<Row[]>
  /** How many keys are looked up in a second at most, by all callers together. */
  perSecond?: number
  /** How many look-ups may wait; one more is refused. */
  maxWaiting?: number
  /** Milliseconds a look-up may take, waiting included. */
  deadline?: number
}

interface Waiting<Row> {
  hashes: string[]
  resolve(row: Row | undefined): void
  reject(error: unknown): void
  timer: NodeJS.Timeout
}

const BATCH = 100

/**
 * Looks keys up in batches: whoever sends random keys fills batches, not the connection pool, and a caller with a
 * good key waits in the same short line instead of being locked out.
 */
export class KeyLookups<Row extends KeyRow> {
  readonly #options: Required<KeyLookupsOptions<Row>>
  readonly #waiting = new Set<Waiting<Row>>()
  #running = false

  constructor(options: KeyLookupsOptions<Row>) {
    this.#options = { perSecond: 4_000, maxWaiting: 5_000, deadline: 1_500, ...options }
  }

  /** The row of a key by its hashes (one a pepper); throws overloaded, or platform_db_unavailable at the deadline. */
  find(hashes: string[]): Promise<Row | undefined> {
    const { maxWaiting, deadline } = this.#options
    if (this.#waiting.size >= maxWaiting)
      throw new GatewayError('overloaded', 'Too many unknown keys are being looked up. Retry shortly.', {
        retryAfter: 1,
      })
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting)
        reject(keyAuthorityUnavailable(new Error('The key look-up took longer than its deadline.')))
      }, deadline)
      const waiting = { hashes, resolve, reject, timer }
      this.#waiting.add(waiting)
      if (!this.#running) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#running = true
    // One turn of the loop gathers what came in together.
    await new Promise(setImmediate)
    while (this.#waiting.size > 0) {
      const started = performance.now()
      const batch = this.#take()
      // A frozen database must not hold up the batches behind this one for longer than its callers wait.
      await Promise.race([this.#answer(batch), delay(this.#options.deadline, undefined, { ref: false })])
      const pause = (batch.length * 1000) / this.#options.perSecond - (performance.now() - started)
      if (this.#waiting.size > 0 && pause >= 1) await delay(pause)
    }
    this.#running = false
  }

  #take(): Waiting<Row>[] {
    const batch = [...this.#waiting.values().take(BATCH)]
    for (const waiting of batch) this.#waiting.delete(waiting)
    return batch
  }

  async #answer(batch: Waiting<Row>[]): Promise<void> {
    try {
      const rows = await this.#options.find(batch.flatMap(waiting => waiting.hashes))
      const byHash = new Map(rows.map(row => [row.hash, row]))
      for (const { hashes, resolve } of batch) resolve(byHash.get(hashes.find(hash => byHash.has(hash)) ?? ''))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      for (const { timer } of batch) clearTimeout(timer)
    }
  }
}

/** The answer while keys cannot be looked up: the gateway fails closed, and says that it is its own fault. */
export function keyAuthorityUnavailable(cause: unknown): GatewayError {
  return new GatewayError('platform_db_unavailable', 'Keys cannot be checked right now. Retry with backoff.', {
    cause,
    retryAfter: 2,
  })
}
