import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseTimeout, LOOKUP_DEADLINE_MS, withDeadline } from '../../lib/database/database-errors.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { FairQueue } from '../../lib/fair-queue.ts'

/** The row of a key, found by one of its hashes. */
export interface KeyRow {
  hash: string
}

interface KeyLookupsOptions<Row extends KeyRow> {
  /** Reads the rows of all these hashes in one query. */
  find(hashes: string[]): Promise<Row[]>
  /** The maximum number of waiting lookups. Above it, a lookup of the largest group is rejected. */
  maxWaiting?: number
  /** The maximum number of waiting lookups of one group. */
  maxEach?: number
  /** The deadline of a lookup, including the time in the queue. */
  deadlineMs?: number
}

interface Waiting<Row> {
  hashes: string[]
  resolve(row: Row | undefined): void
  reject(error: unknown): void
  timer: NodeJS.Timeout
}

const BATCH = 100
/** The maximum number of keys that this process looks up per second. */
const PER_SECOND = 4_000

/**
 * Looks up keys in batches that take from all groups in turn. A client that sends random keys delays only its own group
 * and uses one connection. A caller with a valid key gets into the next batch or the one after it.
 */
export class KeyLookups<Row extends KeyRow> {
  readonly #find: KeyLookupsOptions<Row>['find']
  readonly #deadlineMs: number
  readonly #queue: FairQueue<Waiting<Row>>
  #running = false

  constructor({ find, maxWaiting = 5_000, maxEach = 200, deadlineMs = LOOKUP_DEADLINE_MS }: KeyLookupsOptions<Row>) {
    this.#find = find
    this.#deadlineMs = deadlineMs
    this.#queue = new FairQueue({ max: maxWaiting, maxEach })
  }

  /** Finds the row of a key by its hashes, one per pepper. Rejects with overloaded, or with DatabaseTimeout at the deadline. */
  find(hashes: string[], group: string): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#queue.delete(group, waiting)
        reject(new DatabaseTimeout(`The key lookup took longer than ${this.#deadlineMs} ms`))
      }, this.#deadlineMs)
      const waiting = { hashes, resolve, reject, timer }
      const refused = this.#queue.push(group, waiting)
      if (refused !== undefined) {
        clearTimeout(refused.timer)
        refused.reject(overloaded())
      }
      if (!this.#running) void this.#run()
    })
  }

  /** The number of waiting lookups. */
  get waiting(): number {
    return this.#queue.size
  }

  async #run(): Promise<void> {
    this.#running = true
    // One turn of the event loop collects the lookups of requests that arrived together.
    await new Promise(setImmediate)
    while (this.#queue.size > 0) {
      const started = performance.now()
      const batch = this.#queue.take(BATCH)
      // A hanging database must not block the next batch for longer than the callers of this batch wait.
      await withDeadline(this.#answer(batch), this.#deadlineMs).catch(() => {})
      const pause = (batch.length * 1000) / PER_SECOND - (performance.now() - started)
      if (this.#queue.size > 0 && pause >= 1) await delay(pause)
    }
    this.#running = false
  }

  async #answer(batch: Waiting<Row>[]): Promise<void> {
    try {
      const rows = await this.#find(batch.flatMap(waiting => waiting.hashes))
      const byHash = new Map(rows.map(row => [row.hash, row]))
      for (const { hashes, resolve } of batch) resolve(byHash.get(hashes.find(hash => byHash.has(hash)) ?? ''))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      for (const { timer } of batch) clearTimeout(timer)
    }
  }
}

function overloaded(): GatewayError {
  return new GatewayError('overloaded', 'The gateway is looking up too many unknown API keys. Retry in a second.', {
    retryAfter: 1,
  })
}
