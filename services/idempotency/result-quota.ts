import { type Kysely, sql } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import type { ResultLimits } from '../../schemas/limits.ts'
import type { Logger } from '../../schemas/log.ts'
import { dropResults } from './dropped-results.ts'

/** Keeps the stored results within their limits: drops the oldest results behind the calls that store new ones. */
export interface ResultQuota {
  /** Reports a stored result. Checks the limits once a sixteenth of them was stored since the last check. */
  stored(orgId: string, bytes: number): void
  /** Waits for the checks that run. */
  close(): Promise<void>
}

export interface ResultQuotaOptions {
  db: Kysely<Database>
  log?: Pick<Logger, 'error'> | undefined
  limits: ResultLimits
}

export function createResultQuota({ db, log, limits }: ResultQuotaOptions): ResultQuota {
  const checkEvery = Math.floor(Math.min(limits.organization, limits.holder) / 16)
  /** What this process stored since it last checked, by organization. */
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
      unchecked.delete(orgId)
      await check(orgId)
    } catch (error) {
      // The next result that is stored tries again.
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
 * The most bytes that a holder may have stored. Where the holders of an organization are above its limit together, those
 * with the most bytes give up theirs first: a holder below an equal share loses nothing to the others.
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
