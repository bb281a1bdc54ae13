import { sql, type Transaction } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { createSums, type Sums } from './audit-sums.ts'

/** What an audit verified of an organization: the sums of its postings before a time. */
export interface Checkpoint {
  org: string
  /** A text of the database, which is more exact than a Date. */
  through: string
  sums: Sums
}

/** A stored checkpoint, and the time of its successor: the horizon of the audit, unless this one is later. */
interface StoredCheckpoint extends Checkpoint {
  next: string
}

/** Reads the checkpoints of some organizations. */
export async function readCheckpoints(
  trx: Transaction<Database>,
  orgs: readonly string[],
  horizon: string,
): Promise<Map<string, StoredCheckpoint>> {
  const { rows } = await sql<{ org: string; through: string; next: string; postings: number; amounts: string[] }>`
    select org_id as org, through::text, greatest(through, ${horizon}::timestamptz)::text as next, postings,
      array[wallet_micros, revenue_micros, funding_micros, promotion_micros, covered_micros]::text[] as amounts
    from ledger_checkpoints where org_id = any(${orgs}::text[])`.execute(trx)
  const found = new Map(
    rows.map(({ org, through, next, postings, amounts }) => {
      const sums = createSums()
      sums.add({ postings, amounts })
      return [org, { org, through, next, sums }]
    }),
  )
  const { rows: keys } = await sql<{ org: string; key: string; month: string; spent: string }>`
    select org_id as org, key_id as key, month::text, spent_micros::text as spent
    from ledger_checkpoint_keys where org_id = any(${orgs}::text[])`.execute(trx)
  for (const { org, ...spending } of keys) found.get(org)?.sums.spend(spending)
  return found
}

/** The earliest time that a checkpoint has reached: `-infinity` without one. */
export async function earliestCheckpoint(trx: Transaction<Database>): Promise<string> {
  const { rows } = await sql<{ through: string }>`
    select coalesce(min(through), '-infinity')::text as through from ledger_checkpoints`.execute(trx)
  return rows[0]?.through ?? '-infinity'
}

/** Stores what was verified. `changed` are the keys whose sums differ from the stored ones; undefined: all are new. */
export async function writeCheckpoint(
  trx: Transaction<Database>,
  { org, through, sums }: Checkpoint,
  changed: ReadonlySet<string> | undefined,
): Promise<void> {
  const [wallet, revenue, funding, promotion, covered] = sums.amounts.map(String)
  await sql`
    insert into ledger_checkpoints (org_id, through, postings, wallet_micros, revenue_micros, funding_micros,
      promotion_micros, covered_micros)
    values (${org}, ${through}::timestamptz, ${sums.postings}, ${wallet}::bigint, ${revenue}::bigint, ${funding}::bigint,
      ${promotion}::bigint, ${covered}::bigint)
    on conflict (org_id) do update set through = excluded.through, postings = excluded.postings,
      wallet_micros = excluded.wallet_micros, revenue_micros = excluded.revenue_micros,
      funding_micros = excluded.funding_micros, promotion_micros = excluded.promotion_micros,
      covered_micros = excluded.covered_micros`.execute(trx)
  if (changed === undefined) await sql`delete from ledger_checkpoint_keys where org_id = ${org}`.execute(trx)
  const keys = [...sums.spending()].filter(({ name }) => changed === undefined || changed.has(name))
  if (keys.length === 0) return
  await sql`
    insert into ledger_checkpoint_keys (org_id, key_id, month, spent_micros)
    select ${org}, * from unnest(${keys.map(({ key }) => key)}::text[], ${keys.map(({ month }) => month)}::date[],
      ${keys.map(({ spent }) => spent)}::bigint[])
    on conflict (org_id, key_id, month) do update set spent_micros = excluded.spent_micros`.execute(trx)
}

/** Makes the next audits read an organization from the beginning until its differences are repaired. */
export async function writeNoCheckpoint(trx: Transaction<Database>, org: string): Promise<void> {
  await sql`insert into ledger_checkpoints
    (org_id, through, postings, wallet_micros, revenue_micros, funding_micros, promotion_micros, covered_micros)
    values (${org}, '-infinity', 0, 0, 0, 0, 0, 0) on conflict (org_id) do nothing`.execute(trx)
}
