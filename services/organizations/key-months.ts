import { type Kysely, sql } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'

/** What the keys of an organization have spent and hold in this month (UTC, by the database's clock), to be joined. */
export function thisMonthOf(db: Kysely<Database>, orgId: string) {
  return db
    .selectFrom('key_months')
    .where('org_id', '=', orgId)
    .where('month', '=', sql<string>`gateway_month()`)
    .select(['key_id', 'spent_micros', 'held_micros'])
    .as('this_month')
}
