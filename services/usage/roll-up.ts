import { type Kysely, sql } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs, forOrg } from '../../lib/database/tenant.ts'
import type { Jobs } from '../../lib/jobs/jobs.ts'
import { createYield } from '../../lib/process/event-loop.ts'
import type { Logger } from '../../schemas/gateway/log.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { daysAfter, startOf, utcDay } from './days.ts'
import { toolConnector } from './usage-groups.ts'

const HOUR_MS = 3_600_000
/** How long after its end a day is rolled up, because rows are written with a delay. Until then, summaries read single rows. */
const CLOSED_AFTER_MS = HOUR_MS
/** How long after that a day is rolled up again, for rows that arrived late. */
const AGAIN_AFTER_MS = 6 * HOUR_MS
/** Organizations per query. */
const BATCH = 100
const MOST_FAILURES = 3

/** An organization with days to roll up. */
interface Due {
  orgId: string
  /** The first of these days; null for no lower bound. */
  from: string | null
  before: string
}

/**
 * Defines the hourly job that sums usage by day (UTC). It sums a day an hour after its end, and again at least 6 hours
 * later for rows of processes that could not reach the database. Rows that arrive even later stay in `usage` until they
 * are swept and are in no sum. The ledger, which holds the charges, does not depend on these sums.
 */
export function defineUsageRollUp(jobs: Jobs, { db, clock }: Pick<Infrastructure, 'db' | 'clock'>): void {
  const kind = 'usage.roll-up'
  const yieldIfDue = createYield()
  jobs.define(kind, async (_payload, { signal, log }) => {
    const now = clock.now()
    // The second pass over earlier days comes first. Otherwise new days could delay it again and again on a process that
    // runs a few hours a day.
    const again = await pass({ next: after => rolledOnce(db, { now, after }), work: rollAgain, signal, log })
    const work = (due: Due) => rollUp(due, now, signal)
    const days = await pass({ next: after => withClosedDays(db, { now, after }), work, signal, log })
    if (days + again > 0) log.info({ days, again }, 'rolled up usage by day')
  })
  jobs.every(kind, HOUR_MS)

  async function rollUp(due: Due, now: number, signal: AbortSignal): Promise<number> {
    return rollDays(due, signal, async day => {
      const row = { rolled_before: daysAfter(day, 1), rolled_at: new Date(now) }
      await forOrg(db, due.orgId)
        .insertInto('usage_rolled', row)
        .onConflict(conflict => conflict.column('org_id').doUpdateSet(row))
        .execute()
    })
  }

  async function rollAgain(due: Due, signal: AbortSignal): Promise<number> {
    const count = await rollDays(due, signal)
    const { orgId, before } = due
    if (!signal.aborted) await forOrg(db, orgId).updateTable('usage_rolled').set({ settled_before: before }).execute()
    return count
  }

  /** Rolls up one day per statement. Returns the number of days. */
  async function rollDays(due: Due, signal: AbortSignal, rolled?: (day: string) => Promise<void>): Promise<number> {
    const { orgId, before } = due
    for (let count = 0, { from } = due; ; count++) {
      const day = signal.aborted ? undefined : await firstDay(db, { orgId, from, before })
      if (day === undefined) return count
      await rollDay(db, orgId, day)
      await rolled?.(day)
      from = daysAfter(day, 1)
      // The embedded database never yields to the event loop. Without this, a long backlog would block it.
      await yieldIfDue()
    }
  }
}

interface Pass {
  /** The organizations with work after an id, in order. */
  next(after: string): Promise<Due[]>
  /** Processes an organization. Returns the number of days. */
  work(due: Due, signal: AbortSignal): Promise<number>
  signal: AbortSignal
  log: Pick<Logger, 'warn'>
}

/** Processes all organizations. A failure in one does not affect the others; the next run retries it. */
async function pass({ next, work, signal, log }: Pass): Promise<number> {
  let days = 0
  let failures = 0
  for (let after = ''; ; ) {
    const batch = await next(after)
    for (const due of batch) {
      if (signal.aborted) return days
      after = due.orgId
      try {
        days += await work(due, signal)
      } catch (error) {
        log.warn({ err: error, orgId: after }, 'cannot roll up the usage of an organization')
        failures += 1
        // Several failures mean a problem with the database, and each may have waited for its timeout.
        if (failures === MOST_FAILURES) throw error
      }
    }
    if (batch.length < BATCH) return days
  }
}

/** Organizations with calls on an ended day that is not rolled up. Reads one index entry per organization. */
async function withClosedDays(db: Kysely<Database>, { now, after }: { now: number; after: string }): Promise<Due[]> {
  const before = utcDay(now - CLOSED_AFTER_MS)
  const { rows } = await sql<Due>`
    select organizations.id as "orgId", rolled_before as "from", ${before} as before
    from organizations
    left join usage_rolled on usage_rolled.org_id = organizations.id
    cross join lateral (
      select from usage
      where usage.org_id = organizations.id and at < ${startOf(before)}
        and at >= coalesce(rolled_before, '-infinity')::timestamp at time zone 'utc'
      order by at limit 1
    ) as unrolled
    where organizations.id > ${after}
    order by organizations.id limit ${BATCH}
  `.execute(acrossOrgs(db))
  return rows
}

/** Organizations with days that were rolled up once, at least 6 hours ago. */
async function rolledOnce(db: Kysely<Database>, { now, after }: { now: number; after: string }): Promise<Due[]> {
  return acrossOrgs(db)
    .selectFrom('usage_rolled')
    .where('org_id', '>', after)
    .where('rolled_at', '<=', new Date(now - AGAIN_AFTER_MS))
    .where(eb => eb.or([eb('settled_before', 'is', null), eb('settled_before', '<', eb.ref('rolled_before'))]))
    .orderBy('org_id')
    .limit(BATCH)
    .select(['org_id as orgId', 'settled_before as from', 'rolled_before as before'])
    .execute()
}

/** The first day in the range with calls of the organization. */
async function firstDay(db: Kysely<Database>, { orgId, from, before }: Due): Promise<string | undefined> {
  const first = await forOrg(db, orgId)
    .selectFrom('usage')
    .where('at', '<', startOf(before))
    .$if(from !== null, query => query.where('at', '>=', startOf(from ?? before)))
    .orderBy('at')
    .select('at')
    .limit(1)
    .executeTakeFirst()
  return first && utcDay(first.at.getTime())
}

/**
 * Sums an organization's calls of a day (UTC) in one statement, with a row per member, key, agent, tool and account. A
 * repeated run adds late calls and late charges. It never reduces a sum, even if rows were swept in the meantime.
 */
export async function rollDay(db: Kysely<Database>, orgId: string, day: string): Promise<void> {
  await sql`
    insert into usage_days as rolled
      (org_id, day, user_id, key_id, agent_id, connector, tool, account_id, calls, errors, duration_ms, cost_micros)
    select org_id, ${day}::date, user_id, key_id, agent_id, ${toolConnector}, tool, account_id,
      count(*), count(*) filter (where outcome <> 'ok'), sum(duration_ms), sum(cost_micros)
    from usage
    where org_id = ${orgId} and at >= ${startOf(day)} and at < ${startOf(daysAfter(day, 1))}
    group by org_id, user_id, key_id, agent_id, tool, account_id
    on conflict (org_id, day, user_id, key_id, agent_id, tool, account_id) do update set
      calls = excluded.calls, errors = excluded.errors,
      duration_ms = excluded.duration_ms, cost_micros = excluded.cost_micros
    where rolled.calls < excluded.calls
      or rolled.calls = excluded.calls and rolled.cost_micros < excluded.cost_micros
  `.execute(db)
}
