import { type ConcurrencyLimiter, createConcurrencyLimiter } from '../../lib/egress/concurrency-limiter.ts'
import { GatewayError } from '../../lib/errors/errors.ts'

/** Runs the summaries of an organization one after the other, two of a process at a time. */
export type LimitSummaries = <T>(orgId: string, work: () => Promise<T>) => Promise<T>

const WAIT_MS = 10_000

/**
 * A summary of a busy day reads many rows: without turns a few members who ask would have all connections. Throws
 * overloaded when the line is long, or not moving.
 */
export function createSummaryLimiter(): LimitSummaries {
  const ofOrganization = createConcurrencyLimiter({ maxConcurrent: 1, maxQueued: 8, waitMs: WAIT_MS })
  const ofProcess = createConcurrencyLimiter({ maxConcurrent: 2, maxQueued: 64, waitMs: WAIT_MS })
  return (orgId, work) => withSlot(ofOrganization, orgId, () => withSlot(ofProcess, '', work))
}

function withSlot<T>(limiter: ConcurrencyLimiter, key: string, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    limiter.acquire(key, {
      start: release => void work().finally(release).then(resolve, reject),
      reject: () =>
        reject(
          new GatewayError('overloaded', 'Others are having their usage summed up. Ask again in a few seconds.', {
            retryAfter: 5,
          }),
        ),
    })
  })
}
