import type { QueryResult, Transaction } from 'kysely'
import type { Database } from '../../../lib/database/tables.ts'
import type { LedgerDifference } from './checks.ts'

/** The maximum number of differences in the result; the others are only counted. */
const NAMED = 1_000

/** Rows of a large table that one statement reads. */
export const ROWS = 5_000

/** Runs work on one state of the database. */
export type Snapshot = <T>(work: (trx: Transaction<Database>) => Promise<T>) => Promise<T>

interface AuditRunOptions {
  snapshot: Snapshot
  signal?: AbortSignal | undefined
  /** The rows per page, instead of the default. */
  rows?: number | undefined
}

/** What an audit has found so far. Its memory does not grow with the ledger. */
export interface AuditRun extends AuditRunOptions {
  found(differences: Pick<QueryResult<LedgerDifference>, 'rows'>): void
  count(name: string, more?: number): void
  /** Whether an organization has a difference. */
  differs(org: string): boolean
  counted(name: string): number
  /** The number of differences. */
  total(): number
  /** The first 1,000 differences, sorted by organization and kind. */
  differences(): LedgerDifference[]
}

export function createAuditRun(options: AuditRunOptions): AuditRun {
  const counts = new Map<string, number>()
  const named: LedgerDifference[] = []
  const differing = new Set<string>()
  let total = 0
  return {
    ...options,
    found({ rows }) {
      total += rows.length
      for (const { org } of rows) differing.add(org)
      named.push(...rows.slice(0, NAMED - named.length))
    },
    count: (name, more = 1) => void counts.set(name, (counts.get(name) ?? 0) + more),
    differs: org => differing.has(org),
    counted: name => counts.get(name) ?? 0,
    total: () => total,
    differences: () => named.sort((a, b) => compare(a.org, b.org) || compare(a.kind, b.kind)),
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
