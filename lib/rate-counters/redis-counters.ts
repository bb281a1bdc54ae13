import { once } from 'node:events'
import { Redis } from 'ioredis'
import type { Logger } from '../../schemas/gateway/log.ts'
import type { Clock } from '../../schemas/primitives/time.ts'
import { type Counters, localCounters } from './counters.ts'

/**
 * Counts one request. KEYS: the counter. ARGV: the window's length, the count that this process last saw in the current
 * window, and the milliseconds until that window ends. If Redis lost the counter (a flush, an eviction, a failover) or
 * its expiry, the script continues from what the process knows. It never leaves a counter without an expiry.
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
/** How long Redis is not asked after a failure, so that not every request waits for its timeout. */
const PAUSE_MS = 1_000
/** A window that is about to end may end before Redis answers, so its count must not go into the next one. */
const ALMOST_OVER_MS = 1_000

/** Counters shared by several processes. */
export interface RedisCounters extends Counters {
  /** Resolves when Redis has answered for the first time, or has failed to. */
  ready(): Promise<void>
}

/** The client with the script above as a command. */
type CountingRedis = Redis & {
  countRequest(key: string, windowMs: number, known: number, leftMs: number): Promise<[current: number, ttl: number]>
}

/**
 * Counts in Redis, and in this process while Redis does not answer. Limits continue from their current count, and no
 * caller is refused because of Redis.
 */
export function redisCounters(url: string, { clock, log }: { clock: Clock; log: Logger }): RedisCounters {
  const redis = new Redis(url, {
    commandTimeout: 250,
    connectTimeout: 1_000,
    // Detects a silently lost connection (a failover, a firewall) and reconnects.
    socketTimeout: 1_000,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    // Unanswered commands have been counted locally in the meantime.
    autoResendUnfulfilledCommands: false,
    retryStrategy: attempt => Math.min(attempt * 200, 2_000),
    reconnectOnError: error => error.message.startsWith('READONLY'),
    scripts: { countRequest: { lua: COUNT, numberOfKeys: 1 } },
  }) as CountingRedis
  const local = localCounters(clock)
  let down = false
  let askAgainAt = Number.NEGATIVE_INFINITY
  // Without a listener, ioredis prints every failed reconnection.
  redis.on('error', () => {})

  /** While Redis is down, one request per pause probes it. All others count locally. */
  function mayAsk(): boolean {
    if (!down) return true
    const now = clock.now()
    if (now < askAgainAt) return false
    askAgainAt = now + PAUSE_MS
    return true
  }

  function failed(error: unknown): void {
    askAgainAt = clock.now() + PAUSE_MS
    if (!down)
      log.warn(
        { err: error },
        'Redis does not answer: each process counts its own rate limits. Check REDIS_URL and that Redis is running',
      )
    down = true
  }

  function backAgain(): void {
    down = false
    log.info('Redis answers again: processes share rate limits')
  }

  return {
    async increment(key, windowMs) {
      if (!mayAsk()) return local.increment(key, windowMs)
      const known = local.read(key, windowMs)
      const goesOn = known !== undefined && known.ttl > ALMOST_OVER_MS
      const sentAt = clock.now()
      // A command sent before Redis failed does not prove that Redis is back.
      const asksWhetherBack = down
      try {
        const [current, ttl] = await redis.countRequest(
          `cgw:rate:${key}`,
          windowMs,
          goesOn ? known.current : 0,
          goesOn ? known.ttl : 0,
        )
        if (asksWhetherBack && down) backAgain()
        // Based on the time of sending, so that the local window never ends later than the one in Redis.
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
