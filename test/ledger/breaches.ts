import type { Invariant } from './invariants.ts'

const balance = (change: number) =>
  `update wallets set balance_micros = balance_micros + ${change} where org_id = '$org'`
const holdOf = (state: string) => `(select id from holds where org_id = '$org' and state = '${state}')`

/** A posting in the form of the ledger. */
const posting = (kind: string, hold: string, change: number) => `
  insert into ledger_postings (org_id, id, kind, hold_id, description) values ('$org', 'pst_more', '${kind}', ${hold}, '');
  insert into ledger_entries values
    ('$org', 'pst_more', 'wallet', ${change}), ('$org', 'pst_more', 'revenue', ${-change})`

/** A posting that the wallet's balance includes. */
const moved = (kind: string, hold: string, change: number) => `${posting(kind, hold, change)}; ${balance(change)}`

/**
 * Statements that break exactly one invariant each, for an organization (`$org`) with a credit of 1,000 and one hold of 40
 * of its first key in each state, the captured one at 50. The organization is suspended.
 */
export const breaches: Readonly<Record<Invariant, readonly string[]>> = {
  'every posting has entries, and they sum to zero': [
    `insert into ledger_entries select org_id, id, 'funding', 5 from ledger_postings where org_id = '$org' and kind = 'capture'`,
    `insert into ledger_postings (org_id, id, kind, description) values ('$org', 'txn_empty', 'credit', '')`,
    `insert into ledger_entries values ('$org', 'pst_none', 'revenue', 5), ('$org', 'pst_none', 'funding', -5)`,
    `delete from ledger_entries where org_id = '$org' and account = 'funding'`,
  ],
  'the balance is the sum of its entries': [balance(1), balance(-1), posting('credit', 'null', 5)],
  'the held amount is the sum of the pending holds': [
    `update wallets set held_micros = held_micros + 1 where org_id = '$org'`,
    `update wallets set held_micros = 0 where org_id = '$org'`,
  ],
  'neither the balance nor the free balance is below the sum of the overages': [
    moved('credit', 'null', -2_000),
    moved('credit', 'null', -921),
  ],
  'a captured hold is charged once at its cost, and no other hold is charged': [
    moved('capture', holdOf('captured'), -1),
    moved('overage', holdOf('captured'), -1),
    ...['pending', 'released', 'expired'].map(state => moved('capture', holdOf(state), -1)),
    moved('capture', `'hld_none'`, -1),
    `delete from ledger_postings where org_id = '$org' and kind = 'capture';
     delete from ledger_entries where org_id = '$org' and posting_id like 'cap%'; ${balance(40)}`,
  ],
  'exactly the expired holds are reconciled': [
    `delete from reconciliations where org_id = '$org'`,
    `insert into reconciliations (org_id, hold_id, reason, user_id, tool, held_micros)
      select org_id, id, 'expired', user_id, tool, amount_micros from holds where org_id = '$org' and state = 'released'`,
    `update reconciliations set held_micros = 39 where org_id = '$org'`,
  ],
  'the monthly amounts of a key match its holds': [
    `update key_months set spent_micros = spent_micros + 1 where org_id = '$org'`,
    `update key_months set held_micros = 0 where org_id = '$org'`,
    `update key_months set month = month - 40 where org_id = '$org'`,
    `delete from key_months where org_id = '$org'`,
    `insert into key_months (org_id, key_id, month, spent_micros) values ('$org', 'key_none', '2026-01-01', 1)`,
  ],
  'a suspended organization stays suspended and gets no new holds': [
    `update organizations set suspended_at = null where id = '$org'`,
    `update holds set created_at = now() + interval '1 minute' where org_id = '$org' and state = 'released'`,
  ],
}
