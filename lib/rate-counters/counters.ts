import { LRUCache } from 'lru-cache'
import type { Clock } from '../../schemas/primitives/time.ts'
import { atMost } from '../lru.ts'

/** The count in the current window, and the milliseconds until the window ends. */
export interface Count {
  current: number
  ttl: number
}

/** Counts requests per caller in fixed windows. A window starts with the first request after the previous one ended. */
export interface Counters {
  increment(key: string, windowMs: number): Count | Promise<Count>
  /** Closes connections. */
  close(): Promise<void>
}

/** Counters in this process's memory: for a single process, and while Redis is down. */
interface LocalCounters extends Counters {
  increment(key: string, windowMs: number): Count
  /** Reads the current window without counting; undefined if there is none. */
  read(key: string, windowMs: number): Count | undefined
  /** Sets the current window from another counter. */
  follow(key: string, current: number, endsAt: number): void
}

interface Window {
  current: number
  endsAt: number
}

export function localCounters(clock: Clock): LocalCounters {
  const windows = new LRUCache<string, Window>(atMost(100_000))

  /** A window that ends later than its length allows started before the clock was set back. It counts as ended. */
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
