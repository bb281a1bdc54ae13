import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { createYield } from '../../lib/process/event-loop.ts'
import { entries, holds, reconciliations } from './audit-checks.ts'
import type { LedgerDifference } from './audit-differences.ts'
import { payments, planGrants } from './audit-payment-checks.ts'
import type { AuditRun } from './audit-run.ts'

/** Rows of a large table that one statement reads. */
export const ROWS = 5_000

/** A table that is read page by page, and the checks of its rows. */
interface Walk {
  table: keyof Database
  id: 'id' | 'posting_id' | 'hold_id'
  /** The time by which the rows are read; without one, they are read by id. */
  by?: 'resolved_at' | 'expires_at' | 'at'
  /** Reads the rows from the time of the earliest checkpoint; without it, all rows. */
  recent?: true
  where?: RawBuilder<unknown>
  /** The expression by which rows are counted; without one, all rows count together. */
  tally?: RawBuilder<string>
  /** Each returns a row per difference. */
  check: (ids: readonly string[]) => RawBuilder<LedgerDifference>
}

const STATE = sql<string>`state`
const RECENT = sql<string>`case when at > now() - interval '24 hours' then 'recent' else 'earlier' end`

const PAYMENTS: Walk = { table: 'payments', id: 'id', check: payments }
const GRANTS: Walk = { table: 'plan_grants', id: 'id', check: planGrants }

/** All rows but the postings. */
const ALL: readonly Walk[] = [
  { table: 'ledger_entries', id: 'posting_id', check: entries },
  { table: 'holds', id: 'id', tally: STATE, check: holds },
  PAYMENTS,
  GRANTS,
  { table: 'reconciliations', id: 'hold_id', tally: RECENT, check: reconciliations },
]

/** The rows that changed after the earliest checkpoint, and the pending holds, which can be overdue. */
const CHANGED: readonly Walk[] = [
  {
    ...{ table: 'holds', id: 'id', by: 'resolved_at', recent: true, tally: STATE, check: holds },
    where: sql`resolved_at is not null`,
  },
  { table: 'holds', id: 'id', by: 'expires_at', tally: STATE, check: holds, where: sql`state = 'pending'` },
  PAYMENTS,
  GRANTS,
  { table: 'reconciliations', id: 'hold_id', by: 'at', recent: true, tally: RECENT, check: reconciliations },
]

/** Reads and checks the rows of a run: all of them, or those that changed since a time (`-infinity`: ever). */
export async function walkRows(run: AuditRun, { full, since }: { full: boolean; since: string }): Promise<void> {
  for (const walk of full ? ALL : CHANGED) {
    let after: Position = { at: walk.recent ? since : '-infinity', id: '' }
    const yieldIfDue = createYield()
    for (let more = true; more; ) {
      run.signal?.throwIfAborted()
      // Each page is read at one moment, because a check compares rows of several tables.
      const next = await run.snapshot(async trx => {
        const { rows } = await pageOf(walk, after, run.rows ?? ROWS).execute(trx)
        const ids = rows.map(({ id }) => id)
        if (ids.length > 0) run.found(await walk.check([...new Set(ids)]).execute(trx))
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
