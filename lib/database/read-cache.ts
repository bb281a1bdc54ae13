import { LRUCache } from 'lru-cache'
import type { Clock } from '../../schemas/primitives/time.ts'
import { atMost } from '../lru.ts'
import { isDatabaseUnavailable } from './database-errors.ts'

const FRESH_MS = 10_000
const USABLE_MS = 10 * 60_000
/** How long a failed read is not retried for a caller that is served from the cache. */
const BACK_OFF_MS = 1_000

interface ReadCacheOptions {
  clock: Clock
  /** The maximum number of entries. */
  max: number
  /** How long an entry is fresh; 10 s when absent. */
  freshMs?: number
  /** How long an entry is usable while the database is unavailable; 10 min when absent. */
  usableMs?: number
  /** Called for a key that was read and does not exist, unless a change came in between. */
  onMissing?(key: string): void
  /** Other failures than an unavailable database during which entries stay usable. */
  outlasts?(error: unknown): boolean
}

interface Entry<V> {
  value: V
  readAt: number
  recheckAt: number
}

/** A read in flight, and the effect of a change since its start. */
interface Reading<V> {
  result: Promise<V | undefined>
  outdated: 'no' | 'recheck' | 'drop'
}

/**
 * A cache of what every request reads from the database: fresh for 10 s, and usable for 10 min while the database is
 * unavailable. Change events invalidate entries early, but are not guaranteed.
 */
export class ReadCache<V> {
  readonly #options: ReadCacheOptions
  readonly #freshMs: number
  readonly #usableMs: number
  readonly #entries: LRUCache<string, Entry<V>>
  /** A change removes the read from this map, so that later callers do not wait for a result from before the change. */
  readonly #inFlight = new Map<string, Reading<V>>()

  constructor(options: ReadCacheOptions) {
    this.#options = options
    this.#freshMs = options.freshMs ?? FRESH_MS
    this.#usableMs = options.usableMs ?? USABLE_MS
    this.#entries = new LRUCache(atMost(options.max))
  }

  /** Returns a fresh value. Synchronous, because every request asks. */
  fresh(key: string): V | undefined {
    const entry = this.#entries.get(key)
    return entry !== undefined && this.#options.clock.now() < entry.recheckAt ? entry.value : undefined
  }

  /** Whether the last read found it, however long ago. */
  has(key: string): boolean {
    return this.#entries.has(key)
  }

  /**
   * Reads once for all concurrent callers, and caches the result. While the database is unavailable, returns an earlier
   * value as long as it is usable; otherwise throws what the read threw.
   */
  read(key: string, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const running = this.#inFlight.get(key)
    if (running !== undefined) return running.result
    const reading: Reading<V> = { result: Promise.resolve(undefined), outdated: 'no' }
    this.#inFlight.set(key, reading)
    reading.result = this.#read(key, load, reading).finally(() => {
      if (reading.outdated === 'no') this.#inFlight.delete(key)
    })
    return reading.result
  }

  async #read(key: string, load: () => Promise<V | undefined>, reading: Reading<V>): Promise<V | undefined> {
    try {
      const value = await load()
      this.#keep(key, value, reading)
      return value
    } catch (error) {
      const usable = this.#outlasts(error) ? this.#usable(key) : undefined
      if (usable === undefined) throw error
      return usable
    }
  }

  #outlasts(error: unknown): boolean {
    return isDatabaseUnavailable(error) || this.#options.outlasts?.(error) === true
  }

  #keep(key: string, value: V | undefined, { outdated }: Reading<V>): void {
    if (outdated === 'drop') return
    const now = this.#options.clock.now()
    if (outdated === 'recheck') {
      // Kept for use while the database is down, unless a newer value exists.
      if (value !== undefined && !this.#entries.has(key)) this.#entries.set(key, { value, readAt: now, recheckAt: 0 })
    } else if (value === undefined) {
      this.#entries.delete(key)
      this.#options.onMissing?.(key)
    } else this.#entries.set(key, { value, readAt: now, recheckAt: now + this.#freshMs })
  }

  #usable(key: string): V | undefined {
    const entry = this.#entries.get(key)
    const now = this.#options.clock.now()
    if (entry === undefined || now >= entry.readAt + this.#usableMs) return undefined
    entry.recheckAt = Math.min(now + BACK_OFF_MS, entry.readAt + this.#usableMs)
    return entry.value
  }

  /**
   * Removes the entries that a change may concern. A read in flight still serves its waiting callers, but is not
   * cached.
   */
  drop(concerns: (value: V, key: string) => boolean): void {
    for (const key of this.#inFlight.keys()) this.#outdate(key, 'drop')
    for (const [key, { value }] of this.#entries.entries()) if (concerns(value, key)) this.#entries.delete(key)
  }

  /** Makes the next use read the entry again. It stays usable if the database is down. */
  recheck(key: string): void {
    this.#outdate(key, 'recheck')
    const entry = this.#entries.peek(key)
    if (entry !== undefined) entry.recheckAt = 0
  }

  /** Makes the next use of every entry read it again, because changes may have been missed. */
  recheckAll(): void {
    for (const key of this.#inFlight.keys()) this.#outdate(key, 'recheck')
    for (const entry of this.#entries.values()) entry.recheckAt = 0
  }

  #outdate(key: string, how: 'recheck' | 'drop'): void {
    const reading = this.#inFlight.get(key)
    if (reading === undefined) return
    reading.outdated = how
    this.#inFlight.delete(key)
  }

  /** The number of entries and reads in flight. */
  get size(): number {
    return this.#entries.size + this.#inFlight.size
  }
}
