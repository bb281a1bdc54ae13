import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { SCHEDULE_PREFIX } from '../../lib/jobs/jobs.ts'

interface Copied {
  how: 'copied'
  /** The maximum number of rows in memory. */
  rows: number
  /** Rows with the same value of this column are inserted by one statement, because a trigger checks them together. */
  together?: string
  /** Only these rows are data; the others are created by every start. */
  where?: RawBuilder<unknown>
  /** The rows that triggers of other tables inserted are replaced by those of the source. */
  replaced?: true
}

interface Rebuilt {
  how: 'rebuilt'
  /** Inserts the rows; null if the triggers of a copied table do. */
  by: RawBuilder<unknown> | null
}

const copied = { how: 'copied', rows: 500 } as const

/**
 * What a move does with each table, in the order of the foreign keys. What a killed process leaves behind (leases, running
 * claims, pending authorizations and holds) is copied unchanged: it ends at its own time limit, as after a restart.
 */
export const MOVED_TABLES: Readonly<Record<keyof Database, Copied | Rebuilt>> = {
  organizations: copied,
  users: copied,
  user_subjects: copied,
  memberships: copied,
  invitations: copied,
  dashboard_sessions: copied,
  sign_in_links: copied,
  pending_sign_ins: copied,
  issuer_records: copied,
  active_organizations: copied,
  agents: copied,
  agent_sign_ins: copied,
  api_keys: copied,
  key_claims: copied,
  capability_settings: copied,
  policies: copied,
  assertion_keys: copied,
  remote_connectors: copied,
  // Up to 8 MiB of tools each.
  remote_snapshots: { ...copied, rows: 4 },
  accounts: copied,
  account_credentials: copied,
  oauth_clients: copied,
  connect_attempts: copied,
  artifacts: copied,
  generations: copied,
  // Up to 1 MB of text each.
  web_pages: { ...copied, rows: 10 },
  // Up to 16,000 characters and their search words each. The indexes of the search are built from them.
  memories: { ...copied, rows: 200 },
  // Sizes after compression, which differ between servers.
  memory_totals: { how: 'rebuilt', by: null },
  usage: copied,
  usage_days: copied,
  usage_rolled: copied,
  audit: copied,
  // Up to 256 KB of result each.
  idempotency: { ...copied, rows: 50 },
  // By the server's own hash of the keys.
  result_totals: {
    how: 'rebuilt',
    by: sql`
      insert into result_totals (org_id, holder, slot, bytes)
      select org_id, holder, hashtext(key) & 7, sum(result_bytes) from idempotency where result_bytes > 0 group by 1, 2, 3`,
  },
  // Schedules are created by every start, also by one of the target before the move.
  jobs: { ...copied, where: sql`not starts_with(id, ${sql.lit(SCHEDULE_PREFIX)})` },
  wallets: copied,
  customers: copied,
  payments: copied,
  subscriptions: copied,
  plan_grants: copied,
  payment_reconciliations: copied,
  stripe_events: copied,
  holds: copied,
  key_months: copied,
  ledger_postings: copied,
  ledger_entries: { ...copied, together: 'posting_id' },
  reconciliations: copied,
  ledger_checkpoints: copied,
  ledger_checkpoint_keys: copied,
  // Last, because changes of other tables increase the versions.
  org_surface: { ...copied, replaced: true },
}

/** The tables that migrations fill themselves. */
export const MIGRATION_TABLES: readonly string[] = ['kysely_migration', 'kysely_migration_lock']
