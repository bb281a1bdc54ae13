import { setImmediate as turn } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs, forOrg } from '../../lib/database/tenant.ts'
import type { Jobs } from '../../lib/jobs/jobs.ts'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'
import { daysAfter, startOf, utcDay } from './days.ts'
import { toolConnector } from './usage-groups.ts'

const HOUR_MS = 3_600_000
/** How long after its end a day is rolled up: rows are written behind, and until then they are read one by one. */
const CLOSED_AFTER_MS = HOUR_MS
/** How long after that it is rolled up again, for the rows that came later still. */
const AGAIN_AFTER_MS = 6 * HOUR_MS
/** Organizations that are looked up at once. */
const BATCH = 100
const MOST_FAILURES = 3

/** An organization with days to be rolled up. */
interface Due {
  orgId: string
  /** The first of them; null for all there are. */
  from: string | null
  before: string
}

/**
 * Rolls usage up by day (UTC), every hour: each day an hour after its end, and once more 6 hours later or at the next run
 * after that, for the rows of processes that could not reach the database. A row that comes later still stays in `usage`
 * for as long as such rows are kept, and is in no sum; what is owed is in the ledger, which knows nothing of this.
 */
export function defineUsageRollUp(jobs: Jobs, { db, clock }: { db: Kysely<Database>; clock: Clock }): void {
  const kind = 'usage.roll-up'
  jobs.define(kind, async (_payload, { signal, log }) => {
    const now = clock.now()
    // What an earlier run rolled up comes first: where processes run a few hours a day, this one would put it off again.
    const again = await pass({ next: after => rolledOnce(db, { now, after }), work: rollAgain, signal, log })
    const work = (due: Due) => rollUp(due, now, signal)
    const days = await pass({ next: after => withClosedDays(db, { now, after }), work, signal, log })
    if (days + again > 0) log.info({ days, again }, 'usage was rolled up by day')
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

  /** A day a statement; answers how many there were. */
  async function rollDays(due: Due, signal: AbortSignal, rolled?: (day: string) => Promise<void>): Promise<number> {
    const { orgId, before } = due
    for (let count = 0, { from } = due; ; count++) {
      const day = signal.aborted ? undefined : await firstDay(db, { orgId, from, before })
      if (day === undefined) return count
      await rollDay(db, orgId, day)
      await rolled?.(day)
      from = daysAfter(day, 1)
      // The embedded database answers without leaving the turn: without this a backlog would hold the loop to its end.
      await turn()
    }
  }
}

interface Pass {
  /** The organizations with work beyond an id, in order. */
  next(after: string): Promise<Due[]>
  /** Does the work of one; answers how many days that were. */
  work(due: Due, signal: AbortSignal): Promise<number>
  signal: AbortSignal
  log: Pick<Logger, 'warn'>
}

/** Goes through the organizations; one whose work fails costs the others nothing and is tried again by the next run. */
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
        log.warn({ err: error, orgId: after }, 'the usage of an organization could not be rolled up')
        failures += 1
        // More than a few: it is not them, and each may have waited for its time-out.
        if (failures === MOST_FAILURES) throw error
      }
    }
    if (batch.length < BATCH) return days
  }
}

/** Organizations with calls of a closed day that is not rolled up, by one look into the index for each. */
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

/** Organizations with days that were rolled up once, and not just now. */
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

/** The first day of these with calls of the organization. */
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
 * Sums up an organization's calls of a day (UTC), a row for each combination of what they have in common, in one
 * statement. Done again it adds what has come since, and never takes away: not even where rows were swept meanwhile.
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
  `.execute(db)
}
