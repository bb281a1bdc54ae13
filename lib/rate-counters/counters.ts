import { LRUCache } from 'lru-cache'
import type { Clock } from '../../schemas/time.ts'
import { atMost } from '../lru.ts'

/** How often a caller was counted in the running window, and the milliseconds until it ends. */
export interface Count {
  current: number
  ttl: number
}

/** Counts requests in fixed windows by caller: a window begins with the first request after the last one's end. */
export interface Counters {
  increment(key: string, windowMs: number): Count | Promise<Count>
  /** Lets go of what they count with. */
  close(): Promise<void>
}

/** Counters of this process: for a single one, and for every one while Redis is down. */
export interface LocalCounters extends Counters {
  increment(key: string, windowMs: number): Count
  /** What the running window has, without counting; undefined where none runs. */
  read(key: string, windowMs: number): Count | undefined
  /** Goes on from what another counter says of the window that runs. */
  follow(key: string, current: number, endsAt: number): void
}

interface Window {
  current: number
  endsAt: number
}

export function localCounters(clock: Clock): LocalCounters {
  const windows = new LRUCache<string, Window>(atMost(100_000))

  /** A window that has more to go than it is long is from before the clock was set back: it has ended too. */
  function running(key: string, windowMs: number, now: number): Window | undefined {
    const window = windows.get(key)
    return window !== undefined && now < window.endsAt && window.endsAt - now <= windowMs ? window : undefined
  }

  return {
    increment(key, windowMs) {
      const now = clock.now()
      let window = running(key, windowMs, now)
      if (window === undefined) {
        window = { current: 0, endsAt: now + windowMs }
        windows.set(key, window)
      }
      window.current++
      return { current: window.current, ttl: window.endsAt - now }
    },
    read(key, windowMs) {
      const now = clock.now()
      const window = running(key, windowMs, now)
      return window && { current: window.current, ttl: window.endsAt - now }
    },
    follow(key, current, endsAt) {
      windows.set(key, { current, endsAt })
    },
    async close() {},
  }
}
