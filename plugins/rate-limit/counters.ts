import { LRUCache } from 'lru-cache'
import type { Clock } from '../../schemas/time.ts'

/** How often a caller was counted in the running window, and the milliseconds until it ends. */
export interface Count {
  current: number
  ttl: number
}

/** Counts requests in fixed windows by caller. */
export interface Counters {
  increment(key: string, windowMs: number): Count | Promise<Count>
  /** Lets go of what they count with. */
  close(): Promise<void>
}

/** Counters of this process: for a single one, and for every one while Redis is down. */
export function localCounters(clock: Clock): Counters & { increment(key: string, windowMs: number): Count } {
  const windows = new LRUCache<string, { current: number; endsAt: number }>({ max: 100_000 })
  return {
    increment(key, windowMs) {
      const now = clock.now()
      let counted = windows.get(key)
      if (counted === undefined || now >= counted.endsAt) {
        counted = { current: 0, endsAt: now + windowMs }
        windows.set(key, counted)
      }
      counted.current++
      return { current: counted.current, ttl: counted.endsAt - now }
    },
    async close() {},
  }
}
