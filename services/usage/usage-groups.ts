import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { remoteCapability } from '../../schemas/remote-names.ts'
import { type Days, daysAfter, startOf } from './days.ts'

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

/** A group, or what is beyond the others: how many groups it is made of tells. */
type SummedGroups = UsageGroup & { groups: number }

/**
 * The calls of an organization by what they have in common: so many groups at most, the most expensive first, and all
 * others as one more. It is one statement, and so one state of the database: what is rolled up meanwhile is counted once.
 */
export async function groupsOf(
  db: Kysely<Database>,
  { orgId, from, to, by, member, most }: Days & { orgId: string; by: UsageBy; member: string | null; most: number },
): Promise<SummedGroups[]> {
  const end = daysAfter(to, 1)
  const asked = sql`org_id = ${orgId} and (${member}::text is null or user_id = ${member})`
  const { rows } = await sql<SummedGroups>`
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
    group by least(place, ${most + 1}::bigint)
    order by min(place)
  `.execute(db)
  return rows
}

/**
 * The connector of the column `tool`: its capability, as the registry has it, so `memory` of `memory__remember` and
 * `org__wiki` of `org__wiki__search`.
 */
export const toolConnector: RawBuilder<string> = sql`
  case when starts_with(tool, ${remoteCapability('')}) then ${remoteCapability('')} || split_part(tool, '__', 2)
  else split_part(tool, '__', 1) end`
