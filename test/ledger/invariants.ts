import { type Kysely, sql } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'

/** The invariants of an organization's money (`p_org`). Each query finds the rows that break one. */
const INVARIANTS = {
  'every posting has entries, and they sum to zero': `
    select from (select * from ledger_postings where org_id = p_org) as p
    full join (
      select posting_id, sum(amount_micros) as total, count(*) as entries
      from ledger_entries where org_id = p_org group by posting_id
    ) as e on e.posting_id = p.id
    where p.id is null or e.posting_id is null or e.total <> 0 or e.entries < 2`,

  'the balance is the sum of its entries': `
    select where coalesce((select balance_micros from wallets where org_id = p_org), 0) <> coalesce(
      (select sum(amount_micros) from ledger_entries where org_id = p_org and account = 'wallet'), 0)`,

  'the held amount is the sum of the pending holds': `
    select where coalesce((select held_micros from wallets where org_id = p_org), 0) <> coalesce(
      (select sum(amount_micros) from holds where org_id = p_org and state = 'pending'), 0)`,

  'neither the balance nor the free balance is below the sum of the overages': `
    select from wallets where org_id = p_org and least(balance_micros, balance_micros - held_micros) < coalesce((
      select sum(e.amount_micros) from ledger_postings as p join ledger_entries as e on e.posting_id = p.id
      where p.org_id = p_org and p.kind = 'overage' and e.account = 'wallet'), 0)`,

  'a captured hold is charged once at its cost, and no other hold is charged': `
    select from (select * from holds where org_id = p_org) as h
    full join (
      select p.hold_id,
        count(*) filter (where p.kind = 'capture') as captures,
        count(*) filter (where p.kind = 'overage') as overages,
        sum(-e.amount_micros) filter (where p.kind = 'capture') as captured,
        sum(-e.amount_micros) as taken
      from ledger_postings as p join ledger_entries as e on e.posting_id = p.id and e.account = 'wallet'
      where p.org_id = p_org and p.hold_id is not null group by p.hold_id
    ) as p on p.hold_id = h.id
    where h.id is null or (h.state = 'captured') <> (h.cost_micros is not null)
      or coalesce(p.captures, 0) <> coalesce((h.cost_micros > 0)::int, 0)
      or coalesce(p.overages, 0) <> coalesce((h.cost_micros > h.amount_micros)::int, 0)
      or coalesce(p.captured, 0) <> coalesce(least(h.cost_micros, case when h.cost_micros is not null then h.amount_micros end), 0)
      or coalesce(p.taken, 0) <> coalesce(h.cost_micros, 0)`,

  'exactly the expired holds are reconciled': `
    select from (select * from holds where org_id = p_org and state = 'expired') as h
    full join (select * from reconciliations where org_id = p_org) as r on r.hold_id = h.id
    where h.id is null or r.hold_id is null or (r.held_micros, r.user_id, r.tool, r.reason) <> (h.amount_micros, h.user_id, h.tool, 'expired')
      or r.key_id is distinct from h.key_id or r.cost_micros is not null`,

  'the monthly amounts of a key match its holds': `
    select from (select * from key_months where org_id = p_org) as m
    full join (
      select key_id, month, coalesce(sum(cost_micros), 0) as spent,
        coalesce(sum(amount_micros) filter (where state = 'pending'), 0) as held
      from holds where org_id = p_org and key_id is not null group by key_id, month
    ) as h on h.key_id = m.key_id and h.month = m.month
    where coalesce(m.spent_micros, 0) <> coalesce(h.spent, 0) or coalesce(m.held_micros, 0) <> coalesce(h.held, 0)`,

  'a suspended organization stays suspended and gets no new holds': `
    select from organizations where id = p_org and (suspended_at is not null) <> p_suspended
    union all
    select from holds as h join organizations as o on o.id = h.org_id
    where h.org_id = p_org and h.created_at > o.suspended_at`,
} as const

export type Invariant = keyof typeof INVARIANTS

export const ALL_INVARIANTS = Object.keys(INVARIANTS) as Invariant[]

/** Creates the invariants as a function in a test database, so that thousands of checks share one plan. */
export async function installInvariants(db: Kysely<Database>): Promise<void> {
  const findings = Object.entries(INVARIANTS).map(([name, broken]) => `select '${name}' where exists (${broken})`)
  await sql
    .raw(`create function broken_invariants(p_org text, p_suspended boolean) returns setof text language plpgsql stable as
      $$ begin return query ${findings.join(' union all ')}; end $$`)
    .execute(db)
}

/** The names of the invariants that an organization breaks. */
export async function brokenInvariants(
  db: Kysely<Database>,
  { orgId, suspended }: { orgId: string; suspended: boolean },
): Promise<Invariant[]> {
  const { rows } = await sql<{
    name: Invariant
  }>`select name from broken_invariants(${orgId}, ${suspended}) as name`.execute(db)
  return rows.map(({ name }) => name)
}
