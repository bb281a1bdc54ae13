import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../../../lib/database/tables.ts'
import { acrossOrgs } from '../../../lib/database/tenant.ts'
import type { HoldState } from '../../../lib/database/usage-tables.ts'
import type { Jobs } from '../../../lib/jobs/jobs.ts'
import { createYield } from '../../../lib/process/event-loop.ts'
import type { OperatorCommands } from '../../operator/operator-commands.ts'
import { earliestCheckpoint } from './checkpoints.ts'
import { type LedgerDifference, ROW_CHECKS } from './checks.ts'
import { auditOrganizations } from './organizations.ts'
import { type AuditRun, createAuditRun, ROWS, type Snapshot } from './run.ts'

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

/** A table whose rows are read and checked page by page. */
interface Walk {
  table: keyof typeof ROW_CHECKS
  id: 'id' | 'posting_id' | 'hold_id'
  /** The time by which the rows are read; without one, they are read by id. */
  by?: 'resolved_at' | 'expires_at' | 'at'
  /** Reads the rows from the time of the earliest checkpoint; without it, all rows. */
  recent?: true
  where?: RawBuilder<unknown>
  /** The expression by which rows are counted; without one, all rows count together. */
  tally?: RawBuilder<string>
}

const STATE = sql<string>`state`
const RECENT = sql<string>`case when at > now() - interval '24 hours' then 'recent' else 'earlier' end`

/** All rows but the postings. */
const ALL: readonly Walk[] = [
  { table: 'ledger_entries', id: 'posting_id' },
  { table: 'holds', id: 'id', tally: STATE },
  { table: 'payments', id: 'id' },
  { table: 'plan_grants', id: 'id' },
  { table: 'reconciliations', id: 'hold_id', tally: RECENT },
]

/** The rows that changed after the earliest checkpoint, and the pending holds, which can be overdue. */
const CHANGED: readonly Walk[] = [
  { table: 'holds', id: 'id', by: 'resolved_at', recent: true, tally: STATE, where: sql`resolved_at is not null` },
  { table: 'holds', id: 'id', by: 'expires_at', tally: STATE, where: sql`state = 'pending'` },
  { table: 'payments', id: 'id' },
  { table: 'plan_grants', id: 'id' },
  { table: 'reconciliations', id: 'hold_id', by: 'at', recent: true, tally: RECENT },
]

/** Reads and checks the rows of a run: all of them, or those that changed since a time (`-infinity`: ever). */
async function walkRows(run: AuditRun, { full, since }: { full: boolean; since: string }): Promise<void> {
  for (const walk of full ? ALL : CHANGED) {
    let after: Position = { at: walk.recent ? since : '-infinity', id: '' }
    const yieldIfDue = createYield()
    for (let more = true; more; ) {
      run.signal?.throwIfAborted()
      // Each page is read at one moment, because a check compares rows of several tables.
      const next = await run.snapshot(async trx => {
        const { rows } = await pageOf(walk, after, run.rows ?? ROWS).execute(trx)
        const ids = rows.map(({ id }) => id)
        if (ids.length > 0)
          for (const check of ROW_CHECKS[walk.table]) run.found(await check([...new Set(ids)]).execute(trx))
        for (const { tally } of rows) run.count(`${walk.table} ${tally}`)
        return rows.at(-1)
      })
      more = next !== undefined
      if (next !== undefined) after = next
      // The embedded database never yields to the event loop, which has other work to do.
      await yieldIfDue()
    }
  }
}

/** Where a page ends. The time is a text of the database, which is more exact than a Date. */
interface Position {
  at: string
  id: string
}

function pageOf({ table, id, by, where = sql`true`, tally = sql.lit('rows') }: Walk, after: Position, limit: number) {
  const [from, key] = [sql.table(table), sql.ref(id)]
  if (by === undefined)
    return sql<Position & { tally: string }>`
      select ${key} as id, ${tally} as tally, '-infinity' as at from ${from} where ${where} and ${key} > ${after.id}
      order by ${key} limit ${limit}`
  const time = sql.ref(by)
  return sql<Position & { tally: string }>`
    select ${key} as id, ${tally} as tally, ${time}::text as at from ${from}
    where ${where} and (${time}, ${key}) > (${after.at}::timestamptz, ${after.id}) order by ${time}, ${key} limit ${limit}`
}
