import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { remoteCapability } from '../../schemas/remotes/names.ts'
import { type Days, daysAfter, startOf } from './days.ts'

/** The groupings of summaries and their columns. */
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

/** The groupings of summaries. */
export const USAGE_BY = Object.keys(COLUMNS) as UsageBy[]

export interface UsageSums {
  calls: number
  /** The calls with another outcome than `ok`. */
  errors: number
  /** The total duration of the calls. */
  durationMs: number
  /** The total cost as the calls reported it. The ledger holds the charges. */
  costMicros: number
}

/** The calls of one group. */
export interface UsageGroup extends UsageSums {
  /** A day, a name or an id; null for calls without a key (a user's sign-in), an agent or an account. */
  name: string | null
}

/** A group, or the sum of the remaining groups, of which `groups` is the number. */
type SummedGroups = UsageGroup & { groups: number }

/**
 * Sums the calls of an organization by group: at most `most` groups, the most expensive first, and the rest as one more.
 * A single statement sees one state of the database, so a concurrent roll-up cannot count calls twice.
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

/** SQL for the capability of the column `tool`: `memory` of `memory__remember`, `org__wiki` of `org__wiki__search`. */
export const toolConnector: RawBuilder<string> = sql`
  case when starts_with(tool, ${remoteCapability('')}) then ${remoteCapability('')} || split_part(tool, '__', 2)
  else split_part(tool, '__', 1) end`
