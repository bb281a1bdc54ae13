import type { Generated } from 'kysely'
import type { OptionalTime, Time } from './column-types.ts'

/** The calls of a day (UTC) that have all of this in common. */
export interface UsageDaysTable {
  org_id: string
  day: string
  user_id: string
  key_id: string | null
  agent_id: string | null
  connector: string
  tool: string
  account_id: string | null
  calls: number
  /** Those of the calls that did not end `ok`. */
  errors: number
  /** Of all calls together. */
  duration_ms: number
  cost_micros: number
}

/** How far an organization's usage is rolled up; no row before its first day is. */
export interface UsageRolledTable {
  org_id: string
  /** Days before it are read from usage_days, the others from usage. */
  rolled_before: string
  /** When the last of them was rolled up for the first time. */
  rolled_at: Time
  /** Days before it were rolled up once more. */
  settled_before: string | null
}

/** What memories take up: of a member, or of the organization (user_id null). Maintained by triggers. */
export interface MemoryTotalsTable {
  org_id: string
  user_id: string | null
  memories: number
  /** As stored: texts and search words after compression. */
  bytes: number
}

/** The bytes of a holder's stored results, in eight rows by the hash of the idempotency key. Maintained by triggers. */
export interface ResultTotalsTable {
  org_id: string
  holder: string
  slot: number
  bytes: number
}

/** What an organization has: a cache of its ledger's entries and of its pending holds, kept by the functions of 0007. */
export interface WalletsTable {
  org_id: string
  balance_micros: Generated<number>
  held_micros: Generated<number>
}

export type HoldState = 'pending' | 'captured' | 'released' | 'expired'

/** What is set aside for a call of a metered tool while it runs. */
export interface HoldsTable {
  org_id: string
  id: string
  user_id: string
  key_id: string | null
  tool: string
  /** The first day of the month it counts in (UTC), by the database's clock. */
  month: string
  amount_micros: number
  state: Generated<HoldState>
  /** What the call did cost; of a captured hold alone. */
  cost_micros: number | null
  created_at: Generated<Date>
  expires_at: Time
  resolved_at: OptionalTime
}

/** What a key has spent and set aside in a month (UTC). */
export interface KeyMonthsTable {
  org_id: string
  key_id: string
  month: string
  spent_micros: Generated<number>
  held_micros: Generated<number>
}

export type PostingKind = 'credit' | 'capture' | 'overage'

/** One movement of money; its entries sum to zero. */
export interface LedgerPostingsTable {
  org_id: string
  id: string
  kind: PostingKind
  at: Generated<Date>
  hold_id: string | null
  key_id: string | null
  month: string | null
  description: string
}

export interface LedgerEntriesTable {
  org_id: string
  posting_id: string
  account: 'wallet' | 'revenue' | 'funding'
  amount_micros: number
}

/** Holds that no settlement came for in time, or with a cost that is none: let go in the customer's favour. */
export interface ReconciliationsTable {
  org_id: string
  hold_id: string
  reason: 'expired' | 'invalid_cost'
  user_id: string
  key_id: string | null
  tool: string
  held_micros: number
  /** What the call had cost, where that was learned afterwards. */
  cost_micros: number | null
  at: Generated<Date>
}
