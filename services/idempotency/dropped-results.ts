import { type Kysely, sql } from 'kysely'
import { boundLocks } from '../../lib/database/bounded.ts'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'

/** The rows of one transaction: calls of the same holder wait for it when they store their results. */
const BATCH = 200

/** A holder of idempotency keys, and the most bytes of results that it may keep. */
export interface HolderLevel {
  orgId: string
  holder: string
  level: number
}

/** Drops the oldest results of a holder above its level. The rows stay: a call whose result is gone must not run again. */
export async function dropResults(db: Kysely<Database>, { orgId, holder, level }: HolderLevel): Promise<void> {
  for (let more = true; more; ) {
    more = await forOrg(db, orgId).transaction(org => dropBatch(org, holder, level))
  }
}

/** Whether it dropped results, so that there may be more to drop. */
async function dropBatch(org: OrgDatabase, holder: string, level: number): Promise<boolean> {
  await boundLocks(org.db)
  // Locked before the results and in the order of the triggers. Two processes do not drop for the same excess.
  const totals = await org
    .selectFrom('result_totals')
    .select('bytes')
    .where('holder', '=', holder)
    .orderBy('slot')
    .forUpdate()
    .execute()
  const excess = totals.reduce((sum, { bytes }) => sum + bytes, 0) - level
  if (excess <= 0) return false

  // Skips rows that a repeated call or a sweep has locked: their holder may be waiting for a total.
  const results = await org
    .selectFrom('idempotency')
    .select(['tool', 'key', 'result_bytes'])
    .where('holder', '=', holder)
    // A literal, so that the planner sees that the partial index fits.
    .where('result_bytes', '>', sql.lit(0))
    .orderBy('created_at')
    .limit(BATCH)
    .forUpdate()
    .skipLocked()
    .execute()
  const oldest = upTo(excess, results)
  if (oldest.length === 0) return false
  await org
    .updateTable('idempotency')
    .set({ result: sql`jsonb_build_object('v', 1, 'dropped', result_bytes)`, result_bytes: 0 })
    .where('holder', '=', holder)
    .where(eb =>
      eb(
        eb.refTuple('tool', 'key'),
        'in',
        oldest.map(({ tool, key }) => eb.tuple(tool, key)),
      ),
    )
    .execute()
  return true
}

/** The first results that free so many bytes together. */
function upTo<R extends { result_bytes: number }>(bytes: number, results: readonly R[]): R[] {
  let freed = 0
  return results.filter(({ result_bytes }) => {
    const needed = freed < bytes
    freed += result_bytes
    return needed
  })
}
