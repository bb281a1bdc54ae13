import { type Kysely, sql } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { keyId } from './ledger-fixture.ts'

/** Rows per statement. */
const CHUNK = 20_000

/**
 * Adds captured holds of 10 micro-dollars each to an organization, as the ledger's functions would leave them, over the
 * days before yesterday. The triggers of the ledger check them; its wallet must cover them.
 */
export async function addCaptures(db: Kysely<Database>, orgId: string, captures: number): Promise<void> {
  const user = `usr_${orgId}`
  const key = keyId(orgId, 'one')
  const at = sql`now() - interval '1 day' - i * interval '0.5 seconds'`
  await sql`select gateway_credit(${orgId}, ${`txn_${orgId}_bulk`}, ${captures * 10}, 'Credit')`.execute(db)
  for (let from = 1; from <= captures; from += CHUNK) {
    const range = sql`generate_series(${from}::int, ${Math.min(from + CHUNK - 1, captures)}::int) as i`
    const id = sql`${orgId}::text || '_' || i`
    const month = sql`date_trunc('month', (${at}) at time zone 'utc')::date`
    await db.transaction().execute(async trx => {
      await sql`insert into holds (org_id, id, user_id, key_id, tool, month, amount_micros, state, cost_micros, created_at, expires_at, resolved_at)
        select ${orgId}, 'hld_' || ${id}, ${user}, ${key}, 'test__bulk', ${month}, 10, 'captured', 10, ${at}, ${at}, ${at} from ${range}`.execute(
        trx,
      )
      await sql`insert into ledger_postings (org_id, id, kind, at, hold_id, key_id, month, description)
        select ${orgId}, 'cap_' || ${id}, 'capture', ${at}, 'hld_' || ${id}, ${key}, ${month}, 'test__bulk' from ${range}`.execute(
        trx,
      )
      await sql`insert into ledger_entries (org_id, posting_id, account, amount_micros)
        select ${orgId}, 'cap_' || ${id}, account, amount
        from ${range} cross join (values ('wallet', -10), ('revenue', 10)) as e (account, amount)`.execute(trx)
      await sql`update wallets set balance_micros = balance_micros - 10 * (select count(*) from ${range}) where org_id = ${orgId}`.execute(
        trx,
      )
      await sql`insert into key_months as m (org_id, key_id, month, spent_micros)
        select ${orgId}, ${key}, ${month}, 10 * count(*) from ${range} group by 3
        on conflict (org_id, key_id, month) do update set spent_micros = m.spent_micros + excluded.spent_micros`.execute(
        trx,
      )
    })
  }
}
