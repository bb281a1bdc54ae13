import { once } from 'node:events'
import { Redis } from 'ioredis'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'
import { type Counters, localCounters } from './counters.ts'

const COUNT = `
  local current = redis.call('INCR', KEYS[1])
  if current == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
  return {current, redis.call('PTTL', KEYS[1])}
`
/** How long Redis is not asked again after it failed, so that its time-out is not paid by every request. */
const PAUSE_MS = 1_000

/** Counters that several processes share. */
export interface RedisCounters extends Counters {
  /** Settles when Redis has answered first, or is known not to. */
  ready(): Promise<void>
}

/**
 * Counts in Redis, and in this process while Redis does not answer: a limit goes on, and nobody is refused
 * because of the limiter's own trouble.
 */
export function redisCounters(url: string, { clock, log }: { clock: Clock; log: Logger }): RedisCounters {
  const redis = new Redis(url, {
    commandTimeout: 250,
    connectTimeout: 1_000,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    retryStrategy: attempt => Math.min(attempt * 200, 2_000),
  })
  const local = localCounters(clock)
  let failedAt = Number.NEGATIVE_INFINITY
  // Without a listener ioredis prints every failed reconnection by itself.
  redis.on('error', () => {})

  function fallBack(error: unknown): void {
    const first = failedAt === Number.NEGATIVE_INFINITY
    failedAt = clock.now()
    if (first) log.warn({ err: error }, 'Redis does not answer: rate limits are counted by each process alone.')
  }

  return {
    async increment(key, windowMs) {
      if (clock.now() - failedAt < PAUSE_MS) return local.increment(key, windowMs)
      try {
        const [current, ttl] = (await redis.eval(COUNT, 1, `cgw:rate:${key}`, windowMs)) as [number, number]
        failedAt = Number.NEGATIVE_INFINITY
        return { current, ttl: ttl < 0 ? windowMs : ttl }
      } catch (error) {
        fallBack(error)
        return local.increment(key, windowMs)
      }
    },
    async ready() {
      if (redis.status !== 'ready') await once(redis, 'ready').catch(() => {})
    },
    async close() {
      redis.disconnect()
    },
  }
}
