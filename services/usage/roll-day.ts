import { type Kysely, sql } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { daysAfter, startOf } from './days.ts'
import { toolConnector } from './tool-connector.ts'

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
