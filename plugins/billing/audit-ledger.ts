import { type Kysely, sql, type Transaction } from 'kysely'
import type { HoldState } from '../database/billing-tables.ts'
import type { Database } from '../database/tables.ts'
import { acrossOrgs } from '../database/tenant.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { WALKS, type Walk } from './audit-checks.ts'

const KIND = 'billing.audit'
const DAY_MS = 24 * 60 * 60_000
/** Differences that are named; the others are counted. */
const NAMED = 1_000
/** Those of a line of the log. */
const LOGGED = 20

/** Something about an organization's money that is not what it is made of. */
export interface LedgerDifference {
  org: string
  /** `wallet_balance`, `hold_captured`, … */
  kind: string
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

export interface AuditLedgerOptions {
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
    const rows = new Map<Walk['table'], number>()
    for (const walk of WALKS) rows.set(walk.table, await walkOver(trx, walk, options, found))
    return {
      organizations: rows.get('organizations') ?? 0,
      postings: rows.get('ledger_postings') ?? 0,
      ...(await countsOf(trx)),
      found: found.count,
      differences: found.named.sort((a, b) => compare(a.org, b.org) || compare(a.kind, b.kind)),
    }
  })
}

/** Looks at a table window by window; answers how many rows it has. */
async function walkOver(
  trx: Transaction<Database>,
  { table, by, rows, checks }: Walk,
  { signal, rows: atOnce = rows }: AuditLedgerOptions,
  found: { count: number; named: LedgerDifference[] },
): Promise<number> {
  let after = ''
  for (let walked = 0; ; ) {
    signal?.throwIfAborted()
    const { rows: ends } = await sql<{ count: number; last: string | null }>`
      select count(*) as count, max(${sql.ref(by)}) as last from (
        select ${sql.ref(by)} from ${sql.table(table)} where ${sql.ref(by)} > ${after}
        order by ${sql.ref(by)} limit ${atOnce}
      ) as page
    `.execute(trx)
    const { count = 0, last = null } = ends[0] ?? {}
    if (last === null) return walked
    for (const check of checks) {
      const { rows } = await sql<LedgerDifference & { org_id: string }>`${check({ after, upTo: last })}`.execute(trx)
      found.count += rows.length
      const named = rows.slice(0, NAMED - found.named.length)
      found.named.push(...named.map(({ org_id, kind, what }) => ({ org: org_id, kind, what })))
    }
    walked += count
    after = last
  }
}

async function countsOf(trx: Transaction<Database>): Promise<Pick<LedgerAudit, 'holds' | 'reconciliations'>> {
  const states = await trx
    .selectFrom('holds')
    .groupBy('state')
    .select(eb => ['state', eb.fn.countAll<number>().as('count')])
    .execute()
  const { count } = await trx
    .selectFrom('reconciliations')
    .where('at', '>', sql<Date>`now() - interval '24 hours'`)
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const holds = { pending: 0, captured: 0, released: 0, expired: 0 }
  for (const { state, count } of states) holds[state] = count
  return { holds, reconciliations: count }
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
