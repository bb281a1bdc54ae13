import { isIPv4, isIPv6 } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseTimeout, LOOKUP_DEADLINE_MS, withDeadline } from '../../lib/database/database-errors.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { FairQueue } from './fair-queue.ts'

/** What the table says of a key, found by one of its hashes. */
export interface KeyRow {
  hash: string
}

export interface KeyLookupsOptions<Row extends KeyRow> {
  /** The rows of all these hashes, in one query. */
  find(hashes: string[]): Promise<Row[]>
  /** How many look-ups may wait; one more is refused, of the share that has most of them. */
  maxWaiting?: number
  /** How many look-ups of one share may wait. */
  maxEach?: number
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
 * Looks keys up in batches that are filled round-robin over shares: whoever sends random keys fills batches, not the
 * connection pool, and waits behind himself, while a caller with a good key is in the next batch or the one after.
 */
export class KeyLookups<Row extends KeyRow> {
  readonly #find: KeyLookupsOptions<Row>['find']
  readonly #deadlineMs: number
  readonly #line: FairQueue<Waiting<Row>>
  #running = false

  constructor({ find, maxWaiting = 5_000, maxEach = 200, deadlineMs = LOOKUP_DEADLINE_MS }: KeyLookupsOptions<Row>) {
    this.#find = find
    this.#deadlineMs = deadlineMs
    this.#line = new FairQueue({ max: maxWaiting, maxEach })
  }

  /** The row of a key by its hashes (one a pepper); rejects with overloaded, or with DatabaseTimeout at the deadline. */
  find(hashes: string[], share: string): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#line.delete(share, waiting)
        reject(new DatabaseTimeout(`The key look-up took longer than ${this.#deadlineMs} ms`))
      }, this.#deadlineMs)
      const waiting = { hashes, resolve, reject, timer }
      const refused = this.#line.push(share, waiting)
      if (refused !== undefined) {
        clearTimeout(refused.timer)
        refused.reject(overloaded())
      }
      if (!this.#running) void this.#run()
    })
  }

  /** How many look-ups wait. */
  get waiting(): number {
    return this.#line.size
  }

  async #run(): Promise<void> {
    this.#running = true
    // One turn of the loop gathers what came in together.
    await new Promise(setImmediate)
    while (this.#line.size > 0) {
      const started = performance.now()
      const batch = this.#line.take(BATCH)
      // A frozen database must not hold up the batches behind this one for longer than its callers wait.
      await withDeadline(this.#answer(batch), this.#deadlineMs).catch(() => {})
      const pause = (batch.length * 1000) / PER_SECOND - (performance.now() - started)
      if (this.#line.size > 0 && pause >= 1) await delay(pause)
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
  return new GatewayError('overloaded', 'Too many unknown keys are being looked up. Retry shortly.', { retryAfter: 1 })
}

/**
 * What a caller's address is counted as where callers get equal shares: an IPv4 address by itself, also as IPv6 writes
 * it, and an IPv6 address by its /64, which one host has for itself. Whatever is no address shares one name.
 */
export function addressGroup(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return 'unknown'
  const groups = groupsOf(address)
  const [, , , , , , high = 0, low = 0] = groups
  // ::ffff:0:0/96, how a socket of both families shows who came by IPv4.
  const mapped = groups[5] === 0xffff && groups.slice(0, 5).every(group => group === 0)
  if (mapped) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
  return `${groups
    .slice(0, 4)
    .map(group => group.toString(16))
    .join(':')}::/64`
}

/** The eight numbers of a valid IPv6 address, without its zone. */
function groupsOf(address: string): number[] {
  const [text = ''] = address.split('%')
  const [head = '', tail] = text.split('::')
  const before = numbersOf(head)
  if (tail === undefined) return before
  const after = numbersOf(tail)
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function numbersOf(part: string): number[] {
  if (part === '') return []
  return part.split(':').flatMap(group => {
    if (!group.includes('.')) return Number.parseInt(group, 16)
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [(a << 8) | b, (c << 8) | d]
  })
}
