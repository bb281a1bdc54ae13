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
