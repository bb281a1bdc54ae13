import { type Kysely, sql } from 'kysely'
import { errorCode } from '../../lib/database/database-errors.ts'
import type { Database } from '../../lib/database/tables.ts'
import { createLedger, type HoldName } from '../../services/billing/ledger.ts'
import { commands } from '../fixtures/operator-commands.ts'
import { brokenInvariants } from './invariants.ts'
import { addOrganization, type KeyName, keyId } from './ledger-fixture.ts'

/** Creates an organization with 100 micro-dollars, and its ledger. */
export async function payer(db: Kysely<Database>, { credit = 100, thresholdMicros = 0 } = {}) {
  const orgId = await addOrganization(db)
  const ledger = createLedger({ db, thresholdMicros, commands })
  let made = 0
  const add = (amountMicros: number, id = `txn_${orgId}_${++made}`) =>
    ledger.credit(db, { orgId, id, amountMicros, description: 'Top-up' })
  if (credit > 0) await add(credit)
  return {
    orgId,
    ledger,
    credit: add,
    async hold(amountMicros: number, key: KeyName | null = null, on = ledger): Promise<HoldName> {
      const name = { orgId, id: `hld_${orgId}_${++made}` }
      const by = { userId: `usr_${orgId}`, keyId: keyId(orgId, key), tool: 'a__b' }
      await on.hold({ ...name, ...by, amountMicros })
      return name
    },
    async wallet() {
      const { rows } = await sql<{ balance: number; held: number }>`
        select balance_micros as balance, held_micros as held from wallets where org_id = ${orgId}`.execute(db)
      return rows[0]
    },
    /** The postings of holds, such as `capture wallet -7`. */
    async taken() {
      const { rows } = await sql<{ line: string }>`
        select kind || ' ' || account || ' ' || amount_micros as line from ledger_postings as p
        join ledger_entries as e on e.posting_id = p.id
        where p.org_id = ${orgId} and kind <> 'credit' order by kind, account desc`.execute(db)
      return rows.map(({ line }) => line)
    },
    async months() {
      const { rows } = await sql<{ line: string }>`
        select month || ' ' || spent_micros || ' ' || held_micros as line from key_months
        where org_id = ${orgId} order by month, key_id`.execute(db)
      return rows.map(({ line }) => line)
    },
    whole: async (suspended = false) => brokenInvariants(db, { orgId, suspended }),
  }
}

/** A digest of all rows of all tables. */
export async function everything(db: Kysely<Database>): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`.execute(db)
  const each = tables.map(
    ({ name }) =>
      `select '${name} ' || count(*) || ' ' || md5(string_agg(r::text, '|' order by r::text)) as line from ${name} as r`,
  )
  const { rows } = await sql<{ line: string }>`${sql.raw(each.join(' union all '))}`.execute(db)
  return rows.map(({ line }) => line).join('\n')
}

/** The error code of a rejected call. */
export async function refusal(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => 'done',
    error => errorCode(error),
  )
}

/** Ends the time of a hold. */
export async function due(db: Kysely<Database>, { orgId, id }: HoldName): Promise<void> {
  await sql`update holds set expires_at = now() where org_id = ${orgId} and id = ${id}`.execute(db)
}

/** Expires the due holds of an organization. Returns their ids. */
export async function expired(db: Kysely<Database>, orgId: string, limit = 100): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from gateway_expire_holds(${orgId}, ${limit})`.execute(db)
  return rows.map(({ id }) => id).sort()
}
