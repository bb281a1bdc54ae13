import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseTimeout } from '../database/unavailable.ts'
import { GatewayError } from '../error-envelope/errors.ts'

/** What the table says of a key, found by one of its hashes. */
export interface KeyRow {
  hash: string
}

export interface KeyLookupsOptions<Row extends KeyRow> {
  /** The rows of all these hashes, in one query. */
  find(hashes: string[]): Promise<Row[]>
  /** How many look-ups may wait; one more is refused. */
  maxWaiting?: number
  /** How long a look-up may take, waiting included. */
  deadlineMs?: number
}

interface Waiting<Row> {
  hashes: string[]
  resolve(row: Row | undefined): void
  reject(error: unknown): void
  timer: NodeJS.Timeout
}

const BATCH = 100
/** How many keys are looked up in a second at most, by all callers together. */
const PER_SECOND = 4_000

/**
 * Looks keys up in batches: whoever sends random keys fills batches, not the connection pool, and a caller with a
 * good key waits in the same short line instead of being locked out.
 */
export class KeyLookups<Row extends KeyRow> {
  readonly #options: Required<KeyLookupsOptions<Row>>
  readonly #waiting = new Set<Waiting<Row>>()
  #running = false

  constructor(options: KeyLookupsOptions<Row>) {
    this.#options = { maxWaiting: 5_000, deadlineMs: 1_500, ...options }
  }

  /** The row of a key by its hashes (one a pepper); throws overloaded, or DatabaseTimeout at the deadline. */
  find(hashes: string[]): Promise<Row | undefined> {
    const { maxWaiting, deadlineMs } = this.#options
    if (this.#waiting.size >= maxWaiting)
      throw new GatewayError('overloaded', 'Too many unknown keys are being looked up. Retry shortly.', {
        retryAfter: 1,
      })
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting)
        reject(new DatabaseTimeout(`The key look-up took longer than ${deadlineMs} ms`))
      }, deadlineMs)
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
      await Promise.race([this.#answer(batch), delay(this.#options.deadlineMs, undefined, { ref: false })])
      const pause = (batch.length * 1000) / PER_SECOND - (performance.now() - started)
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
