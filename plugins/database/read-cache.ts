import { LRUCache } from 'lru-cache'
import type { Clock } from '../../schemas/time.ts'

const FRESH_MS = 10_000
const USABLE_MS = 10 * 60_000
/** How long a failed read is not tried again for a caller who is served from the cache meanwhile. */
const BACK_OFF_MS = 1_000

export interface ReadCacheOptions {
  clock: Clock
  /** Entries at most. */
  max: number
  /** Told of a key that was read and is not there, where no change came between. */
  onMissing?(key: string): void
}

interface Entry<V> {
  value: V
  readAt: number
  recheckAt: number
}

/**
 * What is read from the database for every request, kept in memory: fresh for 10 s, and usable for 10 min while the
 * database is down (decisions.md, key cache). Change events make it forget; they hasten, they are no guarantee.
 */
export class ReadCache<V extends object> {
  readonly #options: ReadCacheOptions
  readonly #entries: LRUCache<string, Entry<V>>
  readonly #underWay = new Map<string, Promise<V | undefined>>()
  /** Grows with every change event: what was read before one is not kept after it. */
  #generation = 0

  constructor(options: ReadCacheOptions) {
    this.#options = options
    this.#entries = new LRUCache({ max: options.max })
  }

  /** What was read within the last 10 s; without a promise, because every request asks. */
  fresh(key: string): V | undefined {
    const entry = this.#entries.get(key)
    return entry !== undefined && this.#options.clock.now() < entry.recheckAt ? entry.value : undefined
  }

  /** Whether it was there when it was read last, however long ago. */
  has(key: string): boolean {
    return this.#entries.has(key)
  }

  /**
   * Reads, once for all who ask at a time, and keeps what it finds. Where reading fails, answers what was read within
   * the last 10 min, else throws what the read threw.
   */
  read(key: string, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const running = this.#underWay.get(key)
    if (running !== undefined) return running
    const reading = this.#read(key, load).finally(() => {
      if (this.#underWay.get(key) === reading) this.#underWay.delete(key)
    })
    this.#underWay.set(key, reading)
    return reading
  }

  async #read(key: string, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const generation = this.#generation
    try {
      const value = await load()
      if (generation === this.#generation) this.#keep(key, value)
      return value
    } catch (error) {
      const usable = this.#usable(key)
      if (usable === undefined) throw error
      return usable
    }
  }

  #keep(key: string, value: V | undefined): void {
    if (value === undefined) {
      this.#entries.delete(key)
      this.#options.onMissing?.(key)
    } else {
      const now = this.#options.clock.now()
      this.#entries.set(key, { value, readAt: now, recheckAt: now + FRESH_MS })
    }
  }

  #usable(key: string): V | undefined {
    const entry = this.#entries.get(key)
    const now = this.#options.clock.now()
    if (entry === undefined || now >= entry.readAt + USABLE_MS) return undefined
    entry.recheckAt = Math.min(now + BACK_OFF_MS, entry.readAt + USABLE_MS)
    return entry.value
  }

  /** Forgets what a change may be about; a read that is under way is for those who wait already, and is not kept. */
  drop(concerns: (value: V, key: string) => boolean): void {
    this.#generation++
    this.#underWay.clear()
    for (const [key, { value }] of this.#entries.entries()) if (concerns(value, key)) this.#entries.delete(key)
  }

  /** Has everything read again at its next use, because changes may have been missed. */
  recheckAll(): void {
    this.#generation++
    this.#underWay.clear()
    for (const entry of this.#entries.values()) entry.recheckAt = 0
  }

  /** How many entries are kept and reads under way. */
  get size(): number {
    return this.#entries.size + this.#underWay.size
  }
}
