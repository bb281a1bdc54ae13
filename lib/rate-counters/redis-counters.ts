import { once } from 'node:events'
import { Redis } from 'ioredis'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'
import { type Counters, localCounters } from './counters.ts'

/**
 * Counts one request: KEYS the counter; ARGV the window's length, how often the process has seen it counted in the
 * window that runs, and the milliseconds until that ends. Redis may have lost the counter (a flush, an eviction, a
 * fail-over) or its end: then it goes on from what the process knows, and never without an end.
 */
const COUNT = `
  local window, known, left = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local current = redis.call('INCR', KEYS[1])
  local ttl = redis.call('PTTL', KEYS[1])
  local ends = ttl
  if ends < 0 or ends > window then ends = window end
  if current <= known then
    current = redis.call('INCRBY', KEYS[1], known + 1 - current)
    ends = math.min(ends, left)
  end
  if ends ~= ttl then redis.call('PEXPIRE', KEYS[1], ends) end
  return {current, ends}
`
/** How long Redis is not asked again after it failed, so that its time-out is not paid by every request. */
const PAUSE_MS = 1_000
/** A window that is about to end may end before Redis is reached: what is known of it does not go into the next. */
const ALMOST_OVER_MS = 1_000

/** Counters that several processes share. */
export interface RedisCounters extends Counters {
  /** Settles when Redis has answered first, or is known not to. */
  ready(): Promise<void>
}

/** The client with the script above as a command. */
type CountingRedis = Redis & {
  countRequest(key: string, windowMs: number, known: number, leftMs: number): Promise<[current: number, ttl: number]>
}

/**
 * Counts in Redis, and in this process while Redis does not answer: a limit goes on from where it was, and nobody is
 * refused because of the limiter's own trouble.
 */
export function redisCounters(url: string, { clock, log }: { clock: Clock; log: Logger }): RedisCounters {
  const redis = new Redis(url, {
    commandTimeout: 250,
    connectTimeout: 1_000,
    // A connection that was lost without a word (a fail-over, a firewall) is given up and made anew.
    socketTimeout: 1_000,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    // What was not answered has been counted here meanwhile.
    autoResendUnfulfilledCommands: false,
    retryStrategy: attempt => Math.min(attempt * 200, 2_000),
    reconnectOnError: error => error.message.startsWith('READONLY'),
    scripts: { countRequest: { lua: COUNT, numberOfKeys: 1 } },
  }) as CountingRedis
  const local = localCounters(clock)
  let down = false
  let askAgainAt = Number.NEGATIVE_INFINITY
  // Without a listener ioredis prints every failed reconnection by itself.
  redis.on('error', () => {})

  /** While Redis is down one request a pause finds out whether it still is; all others go on without it. */
  function mayAsk(): boolean {
    if (!down) return true
    const now = clock.now()
    if (now < askAgainAt) return false
    askAgainAt = now + PAUSE_MS
    return true
  }

  function failed(error: unknown): void {
    askAgainAt = clock.now() + PAUSE_MS
    if (!down) log.warn({ err: error }, 'Redis does not answer: rate limits are counted by each process alone.')
    down = true
  }

  function backAgain(): void {
    down = false
    log.info('Redis answers again: rate limits are shared.')
  }

  return {
    async increment(key, windowMs) {
      if (!mayAsk()) return local.increment(key, windowMs)
      const known = local.read(key, windowMs)
      const goesOn = known !== undefined && known.ttl > ALMOST_OVER_MS
      const sentAt = clock.now()
      // What was asked before Redis failed does not say that it is back.
      const asksWhetherBack = down
      try {
        const [current, ttl] = await redis.countRequest(
          `cgw:rate:${key}`,
          windowMs,
          goesOn ? known.current : 0,
          goesOn ? known.ttl : 0,
        )
        if (asksWhetherBack && down) backAgain()
        // By the time of sending, so that the window never ends later here than it does in Redis.
        local.follow(key, current, sentAt + ttl)
        return { current, ttl }
      } catch (error) {
        failed(error)
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
