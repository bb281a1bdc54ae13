import rateLimiter, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Count, Counters } from '../../lib/rate-counters/counters.ts'
import { identityOf } from '../identity/plugin.ts'

interface RateLimitOptions {
  /** The maximum number of requests per credential and window. */
  max: number
  counters: Counters
}

const WINDOW_MS = 60_000

/** What the limit is called, by who is counted. */
const LIMITS = {
  'api-key': 'the limit for this API key',
  'agent-token': 'the limit for this agent',
  session: 'your limit',
  'mcp-oauth': 'your limit',
} as const

async function rateLimit(app: FastifyInstance, { max, counters }: RateLimitOptions) {
  await app.register(rateLimiter, {
    global: false,
    max,
    timeWindow: WINDOW_MS,
    keyGenerator: request => identityOf(request).meterKey,
    store: storeOn(counters),
  })
  const count = app.createRateLimit()

  app.addHook('onRequest', function countRequest(request, reply, done) {
    count(request).then(counted => {
      if (counted.isAllowed) return done()
      reply.header('ratelimit-limit', counted.max)
      reply.header('ratelimit-remaining', counted.remaining)
      reply.header('ratelimit-reset', counted.ttlInSeconds)
      if (!counted.isExceeded) return done()
      const retryAfter = Math.max(1, counted.ttlInSeconds)
      const limit = LIMITS[identityOf(request).via]
      const message = `Too many requests: ${limit} is ${max} per minute. Retry in ${retryAfter} s.`
      done(new GatewayError('rate_limit_exceeded', message, { retryAfter }))
    }, done)
  })
}

/** The counters as a store class of @fastify/rate-limit. */
function storeOn(counters: Counters): new () => FastifyRateLimitStore {
  return class {
    incr(key: string, done: (error: Error | null, count?: Count) => void, window: number) {
      const count = counters.increment(key, window)
      if (!(count instanceof Promise)) return done(null, count)
      count.then(counted => done(null, counted), done)
    }

    child() {
      return this
    }
  }
}

export default fp(rateLimit, { name: 'rate-limit', fastify: '5.x', dependencies: ['identity'] })
