import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../../lib/errors/errors.ts'

export interface OverloadOptions {
  /** The mean delay of the event loop in a sample above which the process is overloaded. Default: 500 ms. */
  maxLoopDelayMs?: number
  /** The heap size in bytes above which the process is overloaded. Default: 90 % of V8's limit. */
  maxHeapBytes?: number
  /** The length of a sample. Default: 1,000 ms. */
  sampleMs?: number
}

/** One bad sample can be a slow query of the embedded database. Overload lasts longer. */
const SAMPLES_IN_A_ROW = 2
const RETRY_AFTER_SECONDS = 2

async function overload(app: FastifyInstance, options: OverloadOptions) {
  const { maxLoopDelayMs = 500, maxHeapBytes = 0.9 * getHeapStatistics().heap_size_limit, sampleMs = 1_000 } = options
  // Only used to measure: with limits, it would add an unnamed hook that rejects at the first bad sample.
  await app.register(underPressure, { sampleInterval: sampleMs })
  let badSamples = 0
  let last = { eventLoopDelay: 0, heapUsed: 0 }

  function checkSample(): void {
    const { eventLoopDelay, heapUsed } = app.memoryUsage()
    // Its timer is not ours: after a blocked loop, ours can run twice before it takes the next sample.
    if (eventLoopDelay === last.eventLoopDelay && heapUsed === last.heapUsed) return
    last = { eventLoopDelay, heapUsed }
    badSamples = eventLoopDelay > maxLoopDelayMs || heapUsed > maxHeapBytes ? badSamples + 1 : 0
    if (badSamples === SAMPLES_IN_A_ROW)
      app.log.warn({ loopDelayMs: Math.round(eventLoopDelay), heapUsed }, 'overloaded; requests are rejected')
  }
  const timer = setInterval(checkSample, sampleMs).unref()
  app.addHook('onClose', async function stopSampling() {
    clearInterval(timer)
  })

  app.addHook('onRequest', function shedLoad(_request, _reply, done) {
    if (badSamples < SAMPLES_IN_A_ROW) return done()
    done(
      new GatewayError('overloaded', 'The gateway is overloaded. Retry with backoff.', {
        retryAfter: RETRY_AFTER_SECONDS,
      }),
    )
  })
}

export default fp(overload, { name: 'overload', fastify: '5.x', dependencies: ['error-envelope'] })
