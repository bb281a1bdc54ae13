import type { Generated } from 'kysely'
import type { OptionalTime, Time } from './column-types.ts'

/** One tool call. */
export interface UsageTable {
  org_id: string
  id: string
  at: Time
  user_id: string
  key_id: string | null
  agent_id: string | null
  /** What called: the name of the client, or its OAuth client ID. Null if neither is known, and for calls from the dashboard. */
  client: string | null
  tool: string
  account_id: string | null
  /** `ok`, `error` if the tool itself refused, or a code of the error table. */
  outcome: string
  duration_ms: number
  cost_micros: number
  /** What a failed call said, without arguments and credentials. */
  message: Generated<string | null>
  /** Whether the tool got mended arguments; null for calls from before this column. */
  mended: Generated<boolean | null>
}

/** The number of calls of one day (UTC) that share all of these columns. */
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
  /** The calls that did not end `ok`. */
  errors: number
  /** The sum over all calls. */
  duration_ms: number
  cost_micros: number
}

/** How far an organization's usage is rolled up. There is no row before the first rolled-up day. */
export interface UsageRolledTable {
  org_id: string
  /** Days before it are read from usage_days, later days from usage. */
  rolled_before: string
  /** When the last of these days was rolled up for the first time. */
  rolled_at: Time
  /** Days before it were rolled up a second time. */
  settled_before: string | null
}

/** The number and size of memories of a member, or of the organization (user_id null). Maintained by triggers. */
export interface MemoryTotalsTable {
  org_id: string
  user_id: string | null
  memories: number
  /** The stored size: texts and search words after compression. */
  bytes: number
}

/**
 * The bytes of a credential's stored results, in eight rows by the hash of the idempotency key. Maintained by triggers.
 */
export interface ResultTotalsTable {
  org_id: string
  holder: string
  slot: number
  bytes: number
}

/**
 * An organization's balance: a cache of its ledger entries and pending holds, maintained by the functions of migration
 * 0007.
 */
export interface WalletsTable {
  org_id: string
  balance_micros: Generated<number>
  held_micros: Generated<number>
}

export type HoldState = 'pending' | 'captured' | 'released' | 'expired'

/** Money reserved for a call of a metered tool while it runs. */
export interface HoldsTable {
  org_id: string
  id: string
  user_id: string
  key_id: string | null
  tool: string
  /** The first day of its month (UTC), by the database's clock. */
  month: string
  amount_micros: number
  state: Generated<HoldState>
  /** The actual cost of the call; only for a captured hold. */
  cost_micros: number | null
  created_at: Generated<Date>
  expires_at: Time
  resolved_at: OptionalTime
}

/** What a key has spent and reserved in a month (UTC). */
export interface KeyMonthsTable {
  org_id: string
  key_id: string
  month: string
  spent_micros: Generated<number>
  held_micros: Generated<number>
}

export type PostingKind =
  | 'credit'
  | 'capture'
  | 'overage'
  | 'reversal'
  | 'reinstatement'
  | 'grant'
  | 'grant_expiry'
  | 'plan_fee'
  | 'adjustment'

/** One movement of money. Its entries sum to zero. */
export interface LedgerPostingsTable {
  org_id: string
  id: string
  kind: PostingKind
  at: Generated<Date>
  hold_id: string | null
  key_id: string | null
  month: string | null
  /** The payment that was credited, reversed or reinstated. */
  payment_id: string | null
  description: string
  /** The operator's name for a credit or reversal, unique in the organization. */
  reference: string | null
  /** The credit that a reversal of the operator takes back. */
  reverses: string | null
}

export interface LedgerEntriesTable {
  org_id: string
  posting_id: string
  account: 'wallet' | 'revenue' | 'funding' | 'promotion'
  amount_micros: number
}

/**
 * What was given up in the customer's favor: holds that were not settled in time or with an invalid cost, and the costs
 * above the bound of an overage.
 */
export interface ReconciliationsTable {
  org_id: string
  hold_id: string
  reason: 'expired' | 'invalid_cost' | 'overage_bound'
  user_id: string
  key_id: string | null
  tool: string
  held_micros: number
  /** The cost that the tool reported; null if it never became known. */
  cost_micros: number | null
  at: Generated<Date>
}

/** What the audit of the ledger has verified: the sums over an organization's postings before a time. In micro-dollars. */
export interface LedgerCheckpointsTable {
  org_id: string
  /** The sums are of all postings before it. */
  through: Time
  /** The number of these postings. */
  postings: number
  wallet_micros: number
  revenue_micros: number
  funding_micros: number
  promotion_micros: number
  /** The wallet without overages and what refunds and disputes took back. */
  covered_micros: number
}

/** What a key has spent in a month (UTC) before the time of its organization's checkpoint. */
export interface LedgerCheckpointKeysTable {
  org_id: string
  key_id: string
  month: string
  spent_micros: number
}
