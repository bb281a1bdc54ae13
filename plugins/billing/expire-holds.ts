import { type Kysely, sql } from 'kysely'
import type { Database } from '../database/tables.ts'
import { acrossOrgs } from '../database/tenant.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { publishHold } from './hold-event.ts'

const KIND = 'billing.expire-holds'
const MINUTE_MS = 60_000
/** Holds of one statement, and of one line of the log. */
const BATCH = 500

interface ExpiredHold {
  orgId: string
  holdId: string
  tool: string
  amountMicros: number
}

/**
 * Defines the job that lets go of holds nobody settled in time, and runs it every minute, by the database's clock. What
 * their calls did cost is not known and not charged, so each is told of: to the log, and as a row of reconciliations.
 */
export function defineHoldExpiry(jobs: Jobs, { db }: { db: Kysely<Database> }): void {
  jobs.define(KIND, async (_payload, { signal, log }) => {
    for (;;) {
      const { rows: holds } = await sql<ExpiredHold>`
        select org_id as "orgId", id as "holdId", tool, amount_micros as "amountMicros"
        from gateway_expire_holds(${BATCH})
      `.execute(acrossOrgs(db))
      if (holds.length > 0) log.warn({ count: holds.length, holds }, 'holds have expired: nothing was charged')
      for (const hold of holds) publishHold({ ...hold, state: 'expired', costMicros: 0 })
      if (holds.length < BATCH || signal.aborted) return
    }
  })
  jobs.every(KIND, MINUTE_MS)
}
