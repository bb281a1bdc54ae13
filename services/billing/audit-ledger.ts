import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import type { HoldState } from '../../lib/database/usage-tables.ts'
import type { Jobs } from '../../lib/jobs/jobs.ts'
import { createYield } from '../../lib/process/event-loop.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import { type DifferenceKind, WALKS, type Walk } from './audit-checks.ts'

const KIND = 'billing.audit'
const DAY_MS = 24 * 60 * 60_000
/** The maximum number of differences in the result; the others are only counted. */
const NAMED = 1_000
/** The maximum number of differences in a line of the log. */
const LOGGED = 20

/** A figure of an organization that differs from what the ledger's rows add up to. */
interface LedgerDifference {
  org: string
  kind: DifferenceKind
  /** A sentence with figures in micro-dollars. */
  what: string
}

/** The numbers of checked rows, and the differences. */
export interface LedgerAudit {
  organizations: number
  postings: number
  holds: Record<HoldState, number>
  /** Holds of the last 24 hours that were released in the customer's favor. */
  reconciliations: number
  /** The number of differences. */
  found: number
  /** The first 1,000 differences, sorted by organization and kind. */
  differences: LedgerDifference[]
}

interface AuditLedgerOptions {
  /** Aborts the audit, which then throws. */
  signal?: AbortSignal
  /** The rows per window, instead of each table's own number. */
  rows?: number
}

/**
 * Recomputes all figures of the ledger from its rows, for all organizations, and returns the differences. It sees one
 * state of the database: a snapshot on PostgreSQL; on the embedded database, all other queries wait.
 */
export function auditLedger(db: Kysely<Database>, options: AuditLedgerOptions = {}): Promise<LedgerAudit> {
  const moment = acrossOrgs(db).transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return moment.execute(trx => auditLedgerIn(trx, options))
}

/** The same within a transaction: it also sees what that has not committed yet. */
export async function auditLedgerIn(
  trx: Transaction<Database>,
  options: AuditLedgerOptions = {},
): Promise<LedgerAudit> {
  const found = { count: 0, named: [] as LedgerDifference[] }
  const counts = new Map<string, number>()
  for (const walk of WALKS) await walkOver(trx, walk, options, { found, counts })
  const count = (table: Walk['table'], tally = 'rows') => counts.get(`${table} ${tally}`) ?? 0
  return {
    organizations: count('organizations'),
    postings: count('ledger_postings'),
    holds: {
      pending: count('holds', 'pending'),
      captured: count('holds', 'captured'),
      released: count('holds', 'released'),
      expired: count('holds', 'expired'),
    },
    reconciliations: count('reconciliations', 'recent'),
    found: found.count,
    differences: found.named.sort((a, b) => compare(a.org, b.org) || compare(a.kind, b.kind)),
  }
}

/** Reads a table window by window. Collects the differences and counts the rows. */
async function walkOver(
  trx: Transaction<Database>,
  { table, by, rows, tally = sql.lit('rows'), checks }: Walk,
  { signal, rows: atOnce = rows }: AuditLedgerOptions,
  { found, counts }: { found: { count: number; named: LedgerDifference[] }; counts: Map<string, number> },
): Promise<void> {
  const yieldIfDue = createYield()
  for (let after = ''; ; ) {
    signal?.throwIfAborted()
    // Ids are in the order of the database's collation, so the database determines the last one.
    const { rows: tallied } = await sql<{ tally: string; count: number; last: string }>`
      select tally, count(*) as count, max(max(id)) over () as last from (
        select ${sql.ref(by)} as id, ${tally} as tally from ${sql.table(table)} where ${sql.ref(by)} > ${after}
        order by ${sql.ref(by)} limit ${atOnce}
      ) as page group by tally
    `.execute(trx)
    const [first] = tallied
    if (first === undefined) return
    for (const { tally, count } of tallied) {
      const counted = `${table} ${tally}`
      counts.set(counted, (counts.get(counted) ?? 0) + count)
    }
    for (const check of checks) {
      const window = { after, upTo: first.last }
      const { rows } = await sql<LedgerDifference & { org_id: string }>`${check(window)}`.execute(trx)
      found.count += rows.length
      const named = rows.slice(0, NAMED - found.named.length)
      found.named.push(...named.map(({ org_id, kind, what }) => ({ org: org_id, kind, what })))
    }
    after = first.last
    // The embedded database never yields to the event loop, which has other work to do.
    await yieldIfDue()
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Defines the daily audit. Logs an error if it finds a difference. */
export function defineLedgerAudit(
  jobs: Jobs,
  { db, commands }: { db: Kysely<Database>; commands: Pick<OperatorCommands, 'auditLedger'> },
): void {
  jobs.define(KIND, async (_payload, { signal, log }) => {
    const { differences, ...seen } = await auditLedger(db, { signal })
    if (seen.found === 0) return log.info(seen, 'audited the ledger: no differences')
    const first = differences.slice(0, LOGGED)
    log.error(
      { ...seen, differences: first },
      `audited the ledger: found differences. To list them, run: ${commands.auditLedger()}`,
    )
  })
  jobs.every(KIND, DAY_MS)
}
