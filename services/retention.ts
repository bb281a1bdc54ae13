import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/tables.ts'
import { acrossOrgs } from '../lib/database/tenant.ts'
import type { Jobs } from '../lib/jobs/jobs.ts'
import { createYield } from '../lib/process/event-loop.ts'
import type { Clock } from '../schemas/primitives/time.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** How long settled holds and keys' monthly spending are kept. The ledger itself is kept forever. */
export const HOLDS_KEPT_DAYS = 400

/**
 * The maximum number of rows per statement: a sweep must hold few locks, and the event loop of the embedded database,
 * only for a short time.
 */
const BATCH = 1_000

interface Retention {
  table: keyof Database
  keepMs: number
  /** Matches the rows that are past their retention. */
  expired: (cutoff: Date) => RawBuilder<boolean>
}

/** The retention of growing tables. Finished jobs are removed at once and need no sweep. */
export const RETENTION: readonly Retention[] = [
  { table: 'usage', keepMs: 400 * DAY_MS, expired: cutoff => sql`at < ${cutoff}` },
  {
    table: 'usage_days',
    keepMs: 5 * 365 * DAY_MS,
    expired: cutoff => sql`day < (${cutoff}::timestamptz at time zone 'utc')::date`,
  },
  { table: 'audit', keepMs: 730 * DAY_MS, expired: cutoff => sql`at < ${cutoff}` },
  { table: 'idempotency', keepMs: DAY_MS, expired: cutoff => sql`created_at < ${cutoff}` },
  {
    table: 'api_keys',
    keepMs: 90 * DAY_MS,
    expired: cutoff => sql`(revoked_at < ${cutoff} or expires_at < ${cutoff})`,
  },
  { table: 'holds', keepMs: HOLDS_KEPT_DAYS * DAY_MS, expired: cutoff => sql`resolved_at < ${cutoff}` },
  { table: 'stripe_events', keepMs: 35 * DAY_MS, expired: cutoff => sql`received_at < ${cutoff}` },
  { table: 'payment_reconciliations', keepMs: 730 * DAY_MS, expired: cutoff => sql`at < ${cutoff}` },
  { table: 'reconciliations', keepMs: 730 * DAY_MS, expired: cutoff => sql`at < ${cutoff}` },
  {
    table: 'key_months',
    keepMs: HOLDS_KEPT_DAYS * DAY_MS,
    expired: cutoff => sql`(month + interval '1 month') at time zone 'utc' < ${cutoff}`,
  },
  { table: 'generations', keepMs: 7 * DAY_MS, expired: cutoff => sql`created_at < ${cutoff}` },
  { table: 'invitations', keepMs: 90 * DAY_MS, expired: cutoff => sql`expires_at < ${cutoff}` },
  { table: 'dashboard_sessions', keepMs: 0, expired: cutoff => sql`expires_at < ${cutoff}` },
  { table: 'pending_sign_ins', keepMs: 0, expired: cutoff => sql`expires_at < ${cutoff}` },
  { table: 'issuer_records', keepMs: 0, expired: cutoff => sql`expires_at < ${cutoff}` },
  { table: 'assertion_keys', keepMs: 0, expired: cutoff => sql`published_until < ${cutoff}` },
  { table: 'sign_in_links', keepMs: DAY_MS, expired: cutoff => sql`expires_at < ${cutoff}` },
  { table: 'key_claims', keepMs: 0, expired: cutoff => sql`expires_at < ${cutoff}` },
  { table: 'web_pages', keepMs: 0, expired: cutoff => sql`expires_at < ${cutoff}` },
  { table: 'connect_attempts', keepMs: 0, expired: cutoff => sql`expires_at < ${cutoff}` },
  {
    table: 'remote_snapshots',
    keepMs: 30 * DAY_MS,
    // The served snapshot and the one that waits for an admin stay, whatever their age.
    expired: cutoff => sql`fetched_at < ${cutoff} and not exists (
      select from remote_connectors as served
      where served.org_id = remote_snapshots.org_id and remote_snapshots.id in (served.snapshot_id, served.candidate ->> 'snapshotId')
    )`,
  },
]

/** Defines a sweeper per table and runs each every hour. */
export function defineRetention(jobs: Jobs, { db, clock }: { db: Kysely<Database>; clock: Clock }): void {
  for (const { table, keepMs, expired } of RETENTION) {
    const kind = `retention.${table}`
    jobs.define(kind, async (_payload, { signal, log }) => {
      const swept = await sweep(db, table, expired(new Date(clock.now() - keepMs)), signal)
      if (swept > 0) log.info({ table, rows: swept }, 'removed rows past their retention')
    })
    jobs.every(kind, HOUR_MS)
  }
}

async function sweep(
  db: Kysely<Database>,
  table: keyof Database,
  expired: RawBuilder<boolean>,
  signal: AbortSignal,
): Promise<number> {
  const yieldIfDue = createYield()
  for (let swept = 0; ; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)}
      where ctid = any(array(select ctid from ${sql.table(table)} where ${expired} limit ${BATCH}))
    `.execute(acrossOrgs(db))
    swept += Number(numAffectedRows)
    if (numAffectedRows < BATCH || signal.aborted) return swept
    // The embedded database answers without leaving the event loop, so a backlog would block it.
    await yieldIfDue()
  }
}
