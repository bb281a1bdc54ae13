import { LRUCache } from 'lru-cache'
import type { Clock } from '../../schemas/time.ts'
import { atMost } from '../lru.ts'
import { isDatabaseUnavailable } from './database-errors.ts'

const FRESH_MS = 10_000
const USABLE_MS = 10 * 60_000
/** How long a failed read is not tried again for a caller who is served from the cache meanwhile. */
const BACK_OFF_MS = 1_000

export interface ReadCacheOptions {
  clock: Clock
  /** Entries at most. */
  max: number
  /** How long what was read is not read again, 10 s when absent. */
  freshMs?: number
  /** How long it goes on while the database cannot be had, 10 min when absent. */
  usableMs?: number
  /** Told of a key that was read and is not there, where no change came between. */
  onMissing?(key: string): void
  /** Failures beside an unreachable database with which what was read goes on. */
  outlasts?(error: unknown): boolean
}

interface Entry<V> {
  value: V
  readAt: number
  recheckAt: number
}

/** A read under way, and what a change since its beginning has done to it. */
interface Reading<V> {
  result: Promise<V | undefined>
  outdated: 'no' | 'recheck' | 'drop'
}

/**
 * What is read from the database for every request, kept in memory: fresh for 10 s, and usable for 10 min while the
 * database is down (decisions.md, key cache). Change events make it forget; they hasten, they are no guarantee.
 */
export class ReadCache<V> {
  readonly #options: ReadCacheOptions
  readonly #freshMs: number
  readonly #usableMs: number
  readonly #entries: LRUCache<string, Entry<V>>
  /** Whoever asks after a change does not wait for what was read before it: the change takes the read out of here. */
  readonly #inFlight = new Map<string, Reading<V>>()

  constructor(options: ReadCacheOptions) {
    this.#options = options
    this.#freshMs = options.freshMs ?? FRESH_MS
    this.#usableMs = options.usableMs ?? USABLE_MS
    this.#entries = new LRUCache(atMost(options.max))
  }

  /** What was read a short while ago; without a promise, because every request asks. */
  fresh(key: string): V | undefined {
    const entry = this.#entries.get(key)
    return entry !== undefined && this.#options.clock.now() < entry.recheckAt ? entry.value : undefined
  }

  /** Whether it was there when it was read last, however long ago. */
  has(key: string): boolean {
    return this.#entries.has(key)
  }

  /**
   * Reads, once for all who ask at a time, and keeps what it finds. While the database cannot be had, answers what was
   * read before, as long as that is usable; else throws what the read threw.
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
      // Better than nothing while the database is down, unless something newer has come.
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

  /** Forgets what a change may be about; a read that is under way is for those who wait already, and is not kept. */
  drop(concerns: (value: V, key: string) => boolean): void {
    for (const key of this.#inFlight.keys()) this.#outdate(key, 'drop')
    for (const [key, { value }] of this.#entries.entries()) if (concerns(value, key)) this.#entries.delete(key)
  }

  /** Has an entry read again at its next use; it goes on meanwhile if the database is down. */
  recheck(key: string): void {
    this.#outdate(key, 'recheck')
    const entry = this.#entries.peek(key)
    if (entry !== undefined) entry.recheckAt = 0
  }

  /** Has everything read again at its next use, because changes may have been missed. */
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

  /** How many entries are kept and reads under way. */
  get size(): number {
    return this.#entries.size + this.#inFlight.size
  }
}
