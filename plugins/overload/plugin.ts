import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../../lib/errors/errors.ts'

export interface OverloadOptions {
  /** The mean delay of the event loop, over a sample, that is too long: 500 ms when absent. */
  maxLoopDelayMs?: number
  /** Bytes in use on the heap that are too many: 90 % of what V8 ends the process at when absent. */
  maxHeapBytes?: number
  /** How long a sample is, 1,000 ms when absent. */
  sampleMs?: number
}

/** A loop that stood still once (a slow query of the embedded database) has caught up; one that is overloaded stays so. */
const SAMPLES_IN_A_ROW = 2
const RETRY_AFTER_SECONDS = 2

async function overload(app: FastifyInstance, options: OverloadOptions) {
  const { maxLoopDelayMs = 500, maxHeapBytes = 0.9 * getHeapStatistics().heap_size_limit, sampleMs = 1_000 } = options
  // It measures alone: with limits it would add a hook of no telling name, which refuses at the first bad sample.
  await app.register(underPressure, { sampleInterval: sampleMs })
  let badSamples = 0

  function judgeSample(): void {
    const { eventLoopDelay, heapUsed } = app.memoryUsage()
    badSamples = eventLoopDelay > maxLoopDelayMs || heapUsed > maxHeapBytes ? badSamples + 1 : 0
    if (badSamples === SAMPLES_IN_A_ROW)
      app.log.warn({ loopDelayMs: Math.round(eventLoopDelay), heapUsed }, 'overloaded: requests are refused')
  }
  const judging = setInterval(judgeSample, sampleMs).unref()
  app.addHook('onClose', async function stopJudging() {
    clearInterval(judging)
  })

  app.addHook('onRequest', function shedLoad(_request, _reply, done) {
    if (badSamples < SAMPLES_IN_A_ROW) return done()
    done(
      new GatewayError('overloaded', 'The gateway has more to do than it can right now. Retry with backoff.', {
        retryAfter: RETRY_AFTER_SECONDS,
      }),
    )
  })
}

export default fp(overload, { name: 'overload', fastify: '5.x', dependencies: ['error-envelope'] })
