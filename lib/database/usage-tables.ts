import type { Time } from './column-types.ts'

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
