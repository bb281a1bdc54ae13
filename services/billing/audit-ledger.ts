import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import type { HoldState } from '../../lib/database/usage-tables.ts'
import type { Jobs } from '../../lib/jobs/jobs.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import { earliestCheckpoint } from './audit-checkpoints.ts'
import type { LedgerDifference } from './audit-differences.ts'
import { auditOrganizations } from './audit-organizations.ts'
import { createAuditRun, type Snapshot } from './audit-run.ts'
import { walkRows } from './audit-walks.ts'

const KIND = 'billing.audit'
const DAY_MS = 24 * 60 * 60_000
/** The maximum number of differences in a line of the log. */
const LOGGED = 20

/**
 * How long before an audit its checkpoints end. A posting has the time at which its transaction began, and transactions of
 * the ledger are canceled after seconds.
 */
const SETTLED = sql.lit('10 minutes')

/** The numbers of checked rows, and the differences. */
export interface LedgerAudit {
  organizations: number
  postings: number
  holds: Record<HoldState, number>
  /** What was given up in the customer's favor in the last 24 hours. */
  reconciliations: number
  /** Organizations whose checkpoint was replaced, because a posting became visible after it. */
  recounted: number
  /** The number of differences. */
  found: number
  /** The first 1,000 differences, sorted by organization and kind. */
  differences: LedgerDifference[]
}

interface AuditLedgerOptions {
  /** Checks all rows instead of those after the checkpoints, and the checkpoints. */
  full?: boolean | undefined
  /** Stores checkpoints of the organizations without differences. */
  write?: boolean
  /** Aborts the audit, which then throws. */
  signal?: AbortSignal
  /** The rows per page, instead of the default. */
  rows?: number
}

/**
 * Recomputes the figures of the ledger from its rows, for all organizations, and returns the differences. Each
 * organization is audited on one state of the database: a snapshot on PostgreSQL; on the embedded database, all other
 * queries wait.
 */
export function auditLedger(db: Kysely<Database>, options: AuditLedgerOptions = {}): Promise<LedgerAudit> {
  const access = options.write ? 'read write' : 'read only'
  const begin = () => acrossOrgs(db).transaction().setIsolationLevel('repeatable read').setAccessMode(access)
  return audit(work => begin().execute(work), options)
}

/** The same within a transaction, from the beginning: it also sees what that has not committed yet. */
export function auditLedgerIn(trx: Transaction<Database>): Promise<LedgerAudit> {
  return audit(work => work(trx), { full: true })
}

async function audit(begin: Snapshot, options: AuditLedgerOptions): Promise<LedgerAudit> {
  const { full = false, write = false, signal, rows } = options
  const snapshot: Snapshot = work =>
    begin(async trx => {
      // Without statistics PostgreSQL would sort all postings of an organization for each page, and compile each statement.
      await sql`select set_config('enable_bitmapscan', 'off', true), set_config('jit', 'off', true)`.execute(trx)
      return work(trx)
    })
  const run = createAuditRun({ snapshot, signal, rows })
  const { horizon, since } = await snapshot(async trx => {
    const { rows } = await sql<{ horizon: string }>`
      select (now() - interval ${SETTLED})::text as horizon`.execute(trx)
    return { horizon: rows[0]?.horizon ?? '-infinity', since: await earliestCheckpoint(trx) }
  })
  // First, because an organization with a difference gets no checkpoint.
  await walkRows(run, { full, since })
  await auditOrganizations(run, { full, write, horizon })
  const holds = (state: HoldState) => run.counted(`holds ${state}`)
  return {
    organizations: run.counted('organizations'),
    postings: run.counted('ledger_postings'),
    holds: {
      pending: holds('pending'),
      captured: holds('captured'),
      released: holds('released'),
      expired: holds('expired'),
    },
    reconciliations: run.counted('reconciliations recent'),
    recounted: run.counted('recounted'),
    found: run.total(),
    differences: run.differences(),
  }
}

/** Defines the daily audit, which continues after its last checkpoints. Logs an error if it finds a difference. */
export function defineLedgerAudit(
  jobs: Jobs,
  { db, commands }: { db: Kysely<Database>; commands: Pick<OperatorCommands, 'auditLedger'> },
): void {
  jobs.define(KIND, async (_payload, { signal, log }) => {
    const { differences, ...seen } = await auditLedger(db, { write: true, signal })
    if (seen.found === 0) return log.info(seen, 'audited the ledger: no differences')
    const first = differences.slice(0, LOGGED)
    log.error(
      { ...seen, differences: first },
      `audited the ledger: found differences. To list them, run: ${commands.auditLedger()}`,
    )
  })
  jobs.every(KIND, DAY_MS)
}
