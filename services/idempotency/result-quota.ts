import { type Kysely, sql } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { boundLocks, forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import type { Logger } from '../../schemas/gateway/log.ts'
import type { Infrastructure } from '../infrastructure.ts'

/** The maximum number of bytes of results stored for repeated calls. */
export interface ResultLimits {
  /** For all callers of an organization together. */
  readonly organization: number
  /** For one caller: an API key, or a user with one OAuth client. */
  readonly holder: number
}

/** Keeps the stored results within their limits: drops the oldest ones in the background after new ones are stored. */
interface ResultQuota {
  /** Reports a stored result. Checks the limits once a sixteenth of them was stored since the last check. */
  stored(orgId: string, bytes: number): void
  /** Waits for running checks. */
  close(): Promise<void>
}

interface ResultQuotaOptions extends Pick<Infrastructure, 'db'> {
  log?: Pick<Logger, 'error'> | undefined
  limits: ResultLimits
}

export function createResultQuota({ db, log, limits }: ResultQuotaOptions): ResultQuota {
  const checkEvery = Math.floor(Math.min(limits.organization, limits.holder) / 16)
  /** Bytes that this process stored since its last check, by organization. */
  const unchecked = new Map<string, number>()
  const checks = new Map<string, Promise<void>>()

  async function check(orgId: string): Promise<void> {
    const totals = await forOrg(db, orgId)
      .selectFrom('result_totals')
      .select(eb => ['holder', sql<number>`${eb.fn.sum('bytes')}::bigint`.as('bytes')])
      .groupBy('holder')
      .execute()
    const level = fairLevel(
      totals.map(({ bytes }) => bytes),
      limits,
    )
    for (const { holder, bytes } of totals) if (bytes > level) await dropResults(db, { orgId, holder, level })
  }

  async function checkAndReport(orgId: string): Promise<void> {
    try {
      // What is stored while a check runs may need the next one.
      do {
        unchecked.delete(orgId)
        await check(orgId)
      } while ((unchecked.get(orgId) ?? 0) >= checkEvery)
    } catch (error) {
      // The next stored result triggers another check.
      unchecked.set(orgId, checkEvery)
      log?.error({ err: error, org: orgId }, 'cannot drop the oldest stored results of an organization above its limit')
    } finally {
      checks.delete(orgId)
    }
  }

  return {
    stored(orgId, bytes) {
      const since = (unchecked.get(orgId) ?? 0) + bytes
      unchecked.set(orgId, since)
      if (since >= checkEvery && !checks.has(orgId)) checks.set(orgId, checkAndReport(orgId))
    },
    async close() {
      await Promise.all(checks.values())
    },
  }
}

/**
 * The maximum number of stored bytes per holder. If an organization exceeds its limit, the holders with the most bytes
 * lose theirs first. A holder below an equal share loses nothing.
 */
export function fairLevel(sizes: readonly number[], { organization, holder }: ResultLimits): number {
  let left = organization
  for (const [index, size] of sizes.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (sizes.length - index))
    if (size > share) return Math.min(share, holder)
    left -= size
  }
  return holder
}

/** Rows per transaction. Calls of the same holder wait for it when they store their results. */
const BATCH = 200

/** A holder of idempotency keys, and the maximum number of bytes that it may store. */
interface HolderLevel {
  orgId: string
  holder: string
  level: number
}

/** Drops the oldest results of a holder above its level. The rows stay: a call whose result is gone must not run again. */
async function dropResults(db: Kysely<Database>, { orgId, holder, level }: HolderLevel): Promise<void> {
  for (let more = true; more; ) {
    more = await forOrg(db, orgId).transaction(org => dropBatch(org, holder, level))
  }
}

/** Drops one batch; true if it dropped any, so that there may be more. */
async function dropBatch(org: OrgDatabase, holder: string, level: number): Promise<boolean> {
  await boundLocks(org.db)
  // Locked before the results, in the order of the triggers. Two processes must not drop results for the same excess.
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
    // A literal, so that the planner uses the partial index.
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

/** The first results that together free this many bytes. */
function upTo<R extends { result_bytes: number }>(bytes: number, results: readonly R[]): R[] {
  let freed = 0
  return results.filter(({ result_bytes }) => {
    const needed = freed < bytes
    freed += result_bytes
    return needed
  })
}
