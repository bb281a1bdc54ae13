import { type Kysely, sql } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import type { JobContext, Jobs } from '../../lib/jobs/jobs.ts'
import { holdChannel } from './ledger.ts'

const KIND = 'billing.expire-holds'
const MINUTE_MS = 60_000
/** The number of holds per statement and per line of the log. */
const BATCH = 500

interface ExpiredHold {
  holdId: string
  tool: string
  amountMicros: number
}

/**
 * Defines the job that releases holds which were not settled in time, every minute by the database's clock. The cost of
 * their calls is unknown and not charged, so the job logs each hold and writes a reconciliation row.
 */
export function defineHoldExpiry(jobs: Jobs, options: { db: Kysely<Database> }): void {
  const db = acrossOrgs(options.db)

  async function expire(orgId: string, { signal, log }: JobContext): Promise<void> {
    for (;;) {
      const { rows: holds } = await sql<ExpiredHold>`
        select id as "holdId", tool, amount_micros as "amountMicros" from gateway_expire_holds(${orgId}, ${BATCH})
      `.execute(db)
      if (holds.length > 0) log.warn({ orgId, count: holds.length, holds }, 'holds have expired: nothing was charged')
      for (const hold of holds) holdChannel.publish({ orgId, ...hold, state: 'expired', costMicros: 0 })
      if (holds.length < BATCH || signal.aborted) return
    }
  }

  jobs.define(KIND, async (_payload, context) => {
    const { rows } = await sql<{ orgId: string }>`
      select distinct org_id as "orgId" from holds where state = 'pending' and expires_at <= now()`.execute(db)
    for (const { orgId } of rows) {
      try {
        await expire(orgId, context)
      } catch (error) {
        // A failure in one wallet must not block the others.
        context.log.error(
          { err: error, orgId },
          'cannot release the expired holds of an organization; the next run tries again',
        )
      }
      if (context.signal.aborted) return
    }
  })
  jobs.every(KIND, MINUTE_MS)
}
