import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../lib/database/tables.ts'

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

/** A key's captures in a month: the first day as a text, the amount as a decimal number. */
interface Spending {
  key: string
  month: string
  spent: string
}

/** Sums over postings: exact, in micro-dollars. */
export interface Sums {
  postings: number
  /** Of the wallet, revenue, funding and promotion, and of the wallet without overages and refunds. */
  readonly amounts: bigint[]
  add(more: { postings: number; amounts: readonly string[] }): void
  /** Adds to a key's spending. Returns the name of its sum. */
  spend(spending: Spending): string
  /** The sums of all keys. */
  spending(): Iterable<Spending & { name: string }>
  /** Adds other sums to a copy of these. */
  plus(other: Sums): Sums
}

export function createSums(): Sums {
  const keys = new Map<string, { key: string; month: string; spent: bigint }>()
  const sums: Sums = {
    postings: 0,
    amounts: [0n, 0n, 0n, 0n, 0n],
    add({ postings, amounts }) {
      sums.postings += postings
      for (const [index, amount] of amounts.entries())
        sums.amounts[index] = (sums.amounts[index] ?? 0n) + BigInt(amount)
    },
    spend({ key, month, spent }) {
      const name = `${key} ${month}`
      const known = keys.get(name)
      if (known === undefined) keys.set(name, { key, month, spent: BigInt(spent) })
      else known.spent += BigInt(spent)
      return name
    },
    *spending() {
      for (const [name, { key, month, spent }] of keys) yield { name, key, month, spent: String(spent) }
    },
    plus(other) {
      const both = createSums()
      for (const { postings, amounts, spending } of [sums, other]) {
        both.add({ postings, amounts: amounts.map(String) })
        for (const { name: _, ...spent } of spending()) both.spend(spent)
      }
      return both
    },
  }
  return sums
}

/** Whether two sums are of equal amounts and as many postings. */
export function sameSums(one: Sums, other: Sums): boolean {
  return one.postings === other.postings && one.amounts.every((amount, index) => amount === other.amounts[index])
}
