import { type Kysely, sql } from 'kysely'
import type { Clock } from '../../schemas/time.ts'
import type { Database } from '../database/tables.ts'
import { forOrg } from '../database/tenant.ts'
import { GatewayError } from '../error-envelope/errors.ts'
import { type Caller, isAdmin } from '../org-resolution/caller.ts'
import { requireOrganization } from '../organizations/require-organization.ts'
import { type AskedDays, askedDays, type Days } from './asked-days.ts'
import { daysAfter, startOf } from './days.ts'
import { toolConnector } from './tool-connector.ts'

/** Groups of an answer; what is beyond them is one more. */
const MOST_GROUPS = 200

/** What calls are summed up by, and the column that tells it. */
const COLUMNS = {
  day: 'day',
  tool: 'tool',
  connector: 'connector',
  member: 'user_id',
  key: 'key_id',
  agent: 'agent_id',
  account: 'account_id',
} as const

export type UsageBy = keyof typeof COLUMNS

/** What calls can be summed up by. */
export const USAGE_BY = Object.keys(COLUMNS) as UsageBy[]

export interface UsageQuestion extends AskedDays {
  by: UsageBy
  /** Of this member alone; of all when absent. */
  member?: string | undefined
}

export interface UsageSums {
  calls: number
  /** Those of the calls that did not end `ok`. */
  errors: number
  /** Of all calls together. */
  durationMs: number
  /** As the calls told it; what is owed is in the ledger. */
  costMicros: number
}

/** The calls that have one thing in common. */
export interface UsageGroup extends UsageSums {
  /** A day, a name or an id; null for calls without a key (a user's sign-in), an agent or an account. */
  name: string | null
}

export interface UsageSummary extends Days {
  by: UsageBy
  /** The most expensive first, then those with the most calls; days in their order. */
  groups: UsageGroup[]
  /** What is beyond the first 200 groups, added up; null when nothing is. */
  other: (UsageSums & { groups: number }) | null
  total: UsageSums
}

/** What was called and what it cost: of at most 92 days (UTC), up to the calls of a second ago. */
export interface UsageSummaries {
  /** Of an organization. Throws invalid_request where there is none of this id, or no such days. */
  summarize(question: UsageQuestion & { orgId: string }): Promise<UsageSummary>
  /**
   * Of the caller's organization, for an admin; a member is told of himself alone. Throws admin_required when he asks for
   * another, and invalid_request for one whom the organization has never had, or no such days.
   */
  summarizeFor(caller: Caller, question: UsageQuestion): Promise<UsageSummary>
}

export function createUsageSummaries({ db, clock }: { db: Kysely<Database>; clock: Clock }): UsageSummaries {
  async function answer(orgId: string, question: UsageQuestion): Promise<UsageSummary> {
    const { by, member } = question
    const days = askedDays(question, clock.now())
    const rows = await groupsOf(db, { orgId, ...days, by, member })
    const groups = rows.slice(0, MOST_GROUPS).map(row => ({ name: row.name, ...sumsOf(row) }))
    if (by === 'day') groups.sort((one, next) => (String(one.name) < String(next.name) ? -1 : 1))
    const beyond = rows[MOST_GROUPS]
    const other = beyond === undefined ? null : { groups: beyond.groups, ...sumsOf(beyond) }
    return { ...days, by, groups, other, total: totalOf(rows) }
  }

  return {
    async summarize({ orgId, ...question }) {
      await requireOrganization(db, orgId)
      return answer(orgId, question)
    },

    async summarizeFor(caller, question) {
      const { orgId, userId } = caller
      const { member } = question
      if (member !== undefined) await requireMemberOnce(db, orgId, member)
      if (isAdmin(caller)) return answer(orgId, question)
      if (member !== undefined && member !== userId)
        throw new GatewayError(
          'admin_required',
          'Only an owner or an admin of the organization may see what other members use. Leave member out for your own.',
        )
      return answer(orgId, { ...question, member: userId })
    },
  }
}

/** A group, or what is beyond the others: how many groups it is made of tells. */
type Row = UsageGroup & { groups: number }

/** One statement, and so one state of the database: what is rolled up meanwhile is counted once. */
async function groupsOf(
  db: Kysely<Database>,
  { orgId, from, to, by, member = null }: Days & { orgId: string; by: UsageBy; member: string | null | undefined },
): Promise<Row[]> {
  const end = daysAfter(to, 1)
  const asked = sql`org_id = ${orgId} and (${member}::text is null or user_id = ${member})`
  const { rows } = await sql<Row>`
    with rolled as (
      select least(greatest(coalesce(max(rolled_before), '-infinity'), ${from}::date), ${end}::date) as before
      from usage_rolled where org_id = ${orgId}
    ), parts as (
      select day, user_id, key_id, agent_id, connector, tool, account_id, calls, errors, duration_ms, cost_micros
      from usage_days
      where ${asked} and day >= ${from}::date and day < (select before from rolled)
      union all
      select (at at time zone 'utc')::date, user_id, key_id, agent_id, ${toolConnector}, tool, account_id,
        1, (outcome <> 'ok')::int, duration_ms, cost_micros
      from usage
      where ${asked} and at >= (select before::timestamp at time zone 'utc' from rolled) and at < ${startOf(end)}
    ), summed as (
      select ${sql.ref(COLUMNS[by])}::text as name, sum(calls) as calls, sum(errors) as errors,
        sum(duration_ms) as duration_ms, sum(cost_micros) as cost_micros
      from parts group by 1
    ), ranked as (
      select *, row_number() over (order by cost_micros desc, calls desc, name) as place from summed
    )
    select min(name) as name, count(*) as groups, sum(calls)::bigint as calls, sum(errors)::bigint as errors,
      sum(duration_ms)::bigint as "durationMs", sum(cost_micros)::bigint as "costMicros"
    from ranked
    group by least(place, ${MOST_GROUPS + 1}::bigint)
    order by min(place)
  `.execute(db)
  return rows
}

function sumsOf({ calls, errors, durationMs, costMicros }: UsageSums): UsageSums {
  return { calls, errors, durationMs, costMicros }
}

function totalOf(rows: readonly UsageSums[]): UsageSums {
  const sum = (of: (row: UsageSums) => number) => rows.reduce((total, row) => total + of(row), 0)
  return {
    calls: sum(row => row.calls),
    errors: sum(row => row.errors),
    durationMs: sum(row => row.durationMs),
    costMicros: sum(row => row.costMicros),
  }
}

/** Throws unless the user is a member or was one: what removed members have used stays. */
async function requireMemberOnce(db: Kysely<Database>, orgId: string, userId: string): Promise<void> {
  const found = await forOrg(db, orgId)
    .selectFrom('memberships')
    .where('user_id', '=', userId)
    .select('user_id')
    .executeTakeFirst()
  if (found === undefined)
    throw new GatewayError('invalid_request', `${userId} is no member of ${orgId}, and was none.`)
}
