import { sql, type Transaction } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { createYield } from '../../lib/process/event-loop.ts'
import { postings, reversals } from './audit-checks.ts'
import type { LedgerDifference } from './audit-differences.ts'
import type { AuditRun } from './audit-run.ts'
import { createSums, type Sums } from './audit-sums.ts'
import { ROWS } from './audit-walks.ts'

/** Where the postings of an organization are read from, and the time that divides their sums. Texts of the database. */
interface Start {
  org: string
  from: string
  horizon: string
}

/** What was read of an organization. */
export interface Read {
  org: string
  /** The postings before the horizon, and the others. */
  settled: Sums
  later: Sums
  /** The names of the sums of keys that postings before the horizon changed. */
  changed: Set<string>
}

interface Group {
  org: string
  settled: boolean
  key: string | null
  month: string | null
  ids: string[]
  amounts: string[]
  /** The number of the last posting on its page, its time and its id. */
  last: [n: string, at: string, id: string]
}

/**
 * Reads and checks the postings of some organizations, page by page: at most 5,000 of each at a time. Returns what they
 * add up to, and the differences.
 */
export async function readPostings(
  trx: Transaction<Database>,
  run: AuditRun,
  starts: readonly Start[],
): Promise<{ read: Map<string, Read>; differences: LedgerDifference[] }> {
  const limit = run.rows ?? ROWS
  const differences: LedgerDifference[] = []
  const read = new Map(
    starts.map(({ org }) => [org, { org, settled: createSums(), later: createSums(), changed: new Set<string>() }]),
  )
  const yieldIfDue = createYield()
  let open = starts.map(start => ({ ...start, at: start.from, id: '' }))
  while (open.length > 0) {
    run.signal?.throwIfAborted()
    const { rows: groups } = await pageOf(open, limit).execute(trx)
    for (const group of groups) addTo(read.get(group.org), group)
    const ids = groups.flatMap(({ ids }) => ids)
    run.count('ledger_postings', ids.length)
    for (const check of ids.length === 0 ? [] : [postings, reversals])
      differences.push(...(await check(ids).execute(trx)).rows)
    open = open.flatMap(start => {
      const ends = groups
        .filter(({ org }) => org === start.org)
        .map(({ last: [n, at, id] }) => ({ n: Number(n), at, id }))
      const last = ends.reduce((a, b) => (b.n > a.n ? b : a), { n: 0, at: '', id: '' })
      return last.n < limit ? [] : [{ ...start, at: last.at, id: last.id }]
    })
    // The embedded database never yields to the event loop, which has other work to do.
    await yieldIfDue()
  }
  return { read, differences }
}

function addTo(read: Read | undefined, { settled, key, month, ids, amounts }: Group): void {
  const sums = settled ? read?.settled : read?.later
  sums?.add({ postings: ids.length, amounts })
  if (key === null || month === null) return
  const name = sums?.spend({ key, month, spent: String(-BigInt(amounts[0] ?? 0)) })
  if (settled && name !== undefined) read?.changed.add(name)
}

function pageOf(open: readonly (Start & { at: string; id: string })[], limit: number) {
  const column = (name: 'org' | 'at' | 'id' | 'horizon') => open.map(start => start[name])
  // The entries are found by the id of their posting alone: without statistics PostgreSQL would read all entries of the
  // organization for each posting.
  return sql<Group>`
    with page as materialized (
      select p.*, p.at < s.horizon as settled
      from unnest(${column('org')}::text[], ${column('at')}::timestamptz[], ${column('id')}::text[],
        ${column('horizon')}::timestamptz[]) as s (org_id, at, id, horizon)
      cross join lateral (
        select l.org_id, l.id, l.at, l.key_id, l.month, row_number() over (order by l.at, l.id) as n
        from ledger_postings as l where l.org_id = s.org_id and (l.at, l.id) > (s.at, s.id) order by l.at, l.id limit ${limit}
      ) as p
    ), posted as materialized (
      select page.*, e.* from page cross join lateral (
        select coalesce(sum(amount_micros) filter (where account = 'wallet'), 0) as wallet,
          coalesce(sum(amount_micros) filter (where account = 'revenue'), 0) as revenue,
          coalesce(sum(amount_micros) filter (where account = 'funding'), 0) as funding,
          coalesce(sum(amount_micros) filter (where account = 'promotion'), 0) as promotion
        from ledger_entries where posting_id = page.id and org_id is not distinct from page.org_id
      ) as e
    )
    select org_id as org, settled, key_id as key, month::text, array_agg(id) as ids,
      array[sum(wallet), sum(revenue), sum(funding), sum(promotion),
        coalesce(sum(wallet) filter (where left(id, 3) not in ('ovr', 'rev')), 0)]::text[] as amounts,
      (array_agg(n::text order by n desc))[1:1] || (array_agg(at::text order by n desc))[1:1]
        || (array_agg(id order by n desc))[1:1] as last
    from posted group by org_id, settled, key_id, month`
}
