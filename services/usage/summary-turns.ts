import { createShares, type Shares } from '../../lib/egress/concurrency-limiter.ts'
import { GatewayError } from '../../lib/errors/errors.ts'

/** Runs the summaries of an organization one after the other, two of a process at a time. */
export type LimitSummaries = <T>(orgId: string, work: () => Promise<T>) => Promise<T>

const WAIT_MS = 10_000

/**
 * A summary of a busy day reads many rows: without turns a few members who ask would have all connections. Throws
 * overloaded when the line is long, or not moving.
 */
export function createSummaryLimiter(): LimitSummaries {
  const ofOrganization = createShares({ max: 1, maxInLine: 8, waitMs: WAIT_MS })
  const ofProcess = createShares({ max: 2, maxInLine: 64, waitMs: WAIT_MS })
  return (orgId, work) => inTurn(ofOrganization, orgId, () => inTurn(ofProcess, '', work))
}

function inTurn<T>(shares: Shares, share: string, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    shares.take(share, {
      start: leave => void work().finally(leave).then(resolve, reject),
      refuse: () =>
        reject(
          new GatewayError('overloaded', 'Others are having their usage summed up. Ask again in a few seconds.', {
            retryAfter: 5,
          }),
        ),
    })
  })
}
