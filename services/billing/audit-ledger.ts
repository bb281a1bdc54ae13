import { setImmediate as turn } from 'node:timers/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import type { HoldState } from '../../lib/database/usage-tables.ts'
import type { Jobs } from '../../lib/jobs/jobs.ts'
import { type DifferenceKind, WALKS, type Walk } from './audit-checks.ts'

const KIND = 'billing.audit'
const DAY_MS = 24 * 60 * 60_000
/** Differences that are named; the others are counted. */
const NAMED = 1_000
/** Those of a line of the log. */
const LOGGED = 20

/** Something about an organization's money that is not what it is made of. */
interface LedgerDifference {
  org: string
  kind: DifferenceKind
  /** In words, with figures in micro-dollars. */
  what: string
}

/** What an audit has looked at, and what it has found. */
export interface LedgerAudit {
  organizations: number
  postings: number
  holds: Record<HoldState, number>
  /** Of the last 24 hours: holds that were let go of in the customer's favour. */
  reconciliations: number
  /** How many differences there are. */
  found: number
  /** The first thousand of them, by organization and kind. */
  differences: LedgerDifference[]
}

interface AuditLedgerOptions {
  /** Ends the audit early; it throws then. */
  signal?: AbortSignal
  /** Rows that a statement looks at, in place of what suits each table. */
  rows?: number
}

/**
 * Derives everything the ledger counts anew from what it is made of, over all organizations, and answers where the two
 * differ. It sees one moment: on PostgreSQL by a snapshot, on the embedded database because everybody else waits.
 */
export function auditLedger(db: Kysely<Database>, options: AuditLedgerOptions = {}): Promise<LedgerAudit> {
  const moment = acrossOrgs(db).transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return moment.execute(async trx => {
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
  })
}

/** Looks at a table window by window; adds up what is found, and how many rows there are. */
async function walkOver(
  trx: Transaction<Database>,
  { table, by, rows, tally = sql.lit('rows'), checks }: Walk,
  { signal, rows: atOnce = rows }: AuditLedgerOptions,
  { found, counts }: { found: { count: number; named: LedgerDifference[] }; counts: Map<string, number> },
): Promise<void> {
  for (let after = ''; ; ) {
    signal?.throwIfAborted()
    // Ids are in the order of the database's collation, and so it says which is the last.
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
    // The embedded database answers without leaving the turn, and the process has other things to do.
    await turn()
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Defines the audit that runs once a day; what it finds is an error of the log. */
export function defineLedgerAudit(jobs: Jobs, { db }: { db: Kysely<Database> }): void {
  jobs.define(KIND, async (_payload, { signal, log }) => {
    const { differences, ...seen } = await auditLedger(db, { signal })
    if (seen.found === 0) return log.info(seen, 'the ledger was audited: everything is what it is made of')
    const first = differences.slice(0, LOGGED)
    log.error({ ...seen, differences: first }, 'the ledger differs from what it is made of: billing audit lists where')
  })
  jobs.every(KIND, DAY_MS)
}
