import { type RawBuilder, sql } from 'kysely'

/** The kinds of differences that an audit finds. */
export type DifferenceKind =
  | `wallet_${'missing' | 'balance' | 'held' | 'overdrawn'}`
  | `key_${'spent' | 'held'}`
  | `hold_${'captured' | 'expired' | 'overdue'}`
  | 'reconciliation_hold'
  | `posting_${'unbalanced' | 'accounts' | 'hold'}`
  | 'entry_without_posting'
  | 'credit_reversed'
  | 'checkpoint_sums'
  | 'payment_credit'
  | 'payment_reversed'
  | `plan_grant${'' | '_expired'}`

/** A figure of an organization that differs from what the ledger's rows add up to. */
export interface LedgerDifference {
  org: string
  kind: DifferenceKind
  /** A sentence with figures in micro-dollars. */
  what: string
}

/** Selects the rows of a query (`found`) that meet a condition, with a sentence that describes the difference. */
export function differences<Of>(
  found: (of: Of) => RawBuilder<unknown>,
  kinds: Readonly<Partial<Record<DifferenceKind, { when: RawBuilder<unknown>; what: RawBuilder<unknown> }>>>,
): (of: Of) => RawBuilder<LedgerDifference> {
  const conditions = Object.entries(kinds).map(([kind, { when, what }]) => sql`(${sql.lit(kind)}, ${when}, ${what})`)
  return of => sql<LedgerDifference>`
    with found as materialized (${found(of)})
    select org_id as org, difference as kind, what
    from found cross join lateral (values ${sql.join(conditions)}) as checked (difference, differs, what)
    where differs`
}

/** Selects rows by their ids. */
export const among = (column: string, ids: readonly string[]) => sql`${sql.ref(column)} = any(${ids}::text[])`
