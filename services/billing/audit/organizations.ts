import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../lib/database/tables.ts'
import { createYield } from '../../../lib/process/event-loop.ts'
import {
  type Checkpoint,
  createSums,
  readCheckpoints,
  type Sums,
  sameSums,
  writeCheckpoint,
  writeNoCheckpoint,
} from './checkpoints.ts'
import { type LedgerDifference, ROW_CHECKS, SUM_CHECKS, type Totals } from './checks.ts'
import { type AuditRun, ROWS } from './run.ts'

/** Organizations that are read at a time. */
const ORGANIZATIONS = 10

/** How an audit treats checkpoints. */
interface Checkpoints {
  /** Reads all postings instead of those after the checkpoints, and compares the checkpoints. */
  full: boolean
  /** Stores new checkpoints. */
  write: boolean
  /** Checkpoints end here: a posting before it is visible, unless its transaction takes very long. */
  horizon: string
}

/** Audits the postings, the wallet and the keys of each organization. */
export async function auditOrganizations(run: AuditRun, checkpoints: Checkpoints): Promise<void> {
  for (let after = '', more = true; more; ) {
    run.signal?.throwIfAborted()
    more = await run.snapshot(async trx => {
      const { rows } = await sql<{ id: string }>`
        select id from organizations where id > ${after} order by id limit ${run.rows ?? ORGANIZATIONS}`.execute(trx)
      const orgs = rows.map(({ id }) => id)
      run.count('organizations', orgs.length)
      after = orgs.at(-1) ?? after
      if (orgs.length > 0) await auditBatch(trx, run, orgs, checkpoints)
      return orgs.length > 0
    })
  }
}

async function auditBatch(
  trx: Transaction<Database>,
  run: AuditRun,
  orgs: readonly string[],
  { full, write, horizon }: Checkpoints,
): Promise<void> {
  const known = await readCheckpoints(trx, orgs, horizon)
  const first = await auditFrom(trx, run, orgs, full ? new Map() : known, org =>
    full ? (known.get(org)?.through ?? '-infinity') : (known.get(org)?.next ?? horizon),
  )
  const doubtful = full
    ? []
    : [...new Set(first.differences.map(({ org }) => org))].filter(
        org => (known.get(org)?.through ?? '-infinity') !== '-infinity',
      )
  // A posting can have become visible after the checkpoint that should have it. The postings themselves decide.
  const again = await auditFrom(trx, run, doubtful, new Map(), () => horizon)
  const recounted = new Set(doubtful)
  const found = [...first.differences.filter(({ org }) => !recounted.has(org)), ...again.differences]
  run.found({ rows: found })
  if (full) run.found({ rows: orgs.flatMap(org => disagreement(known.get(org), first.read.get(org))) })
  if (!write) return
  for (const org of orgs) {
    const read = again.read.get(org) ?? first.read.get(org)
    if (read === undefined) continue
    if (run.differs(org)) {
      await writeNoCheckpoint(trx, org)
      continue
    }
    const base = recounted.has(org) ? undefined : known.get(org)
    const through = base?.next ?? horizon
    const sums = base === undefined ? read.settled : base.sums.plus(read.settled)
    await writeCheckpoint(trx, { org, through, sums }, base && read.changed)
    if (recounted.has(org)) run.count('recounted')
  }
}

/** Reads the postings of organizations after their checkpoints, and compares all their sums. */
async function auditFrom(
  trx: Transaction<Database>,
  run: AuditRun,
  orgs: readonly string[],
  bases: ReadonlyMap<string, Checkpoint>,
  horizonOf: (org: string) => string,
): Promise<{ read: Map<string, Read>; differences: LedgerDifference[] }> {
  if (orgs.length === 0) return { read: new Map(), differences: [] }
  const starts = orgs.map(org => ({ org, from: bases.get(org)?.through ?? '-infinity', horizon: horizonOf(org) }))
  const { read, differences } = await readPostings(trx, run, starts)
  const totals = columnsOf(
    [...read.values()].map(({ org, settled, later }) => {
      const base = bases.get(org)?.sums ?? createSums()
      return { org, sums: base.plus(settled).plus(later) }
    }),
  )
  for (const check of SUM_CHECKS) differences.push(...(await check(totals).execute(trx)).rows)
  return { read, differences }
}

function columnsOf(all: readonly { org: string; sums: Sums }[]): Totals {
  const keys = all.flatMap(({ org, sums }) => [...sums.spending()].map(spending => ({ org, ...spending })))
  return {
    orgs: all.map(({ org }) => org),
    wallet: all.map(({ sums }) => String(sums.amounts[0])),
    covered: all.map(({ sums }) => String(sums.amounts[4])),
    keys: {
      orgs: keys.map(({ org }) => org),
      ids: keys.map(({ key }) => key),
      months: keys.map(({ month }) => month),
      spent: keys.map(({ spent }) => spent),
    },
  }
}

/** A checkpoint that the postings before its time do not add up to. More postings than it counts came late. */
function disagreement(checkpoint: Checkpoint | undefined, read: Read | undefined): LedgerDifference[] {
  if (checkpoint === undefined || read === undefined || checkpoint.through === '-infinity') return []
  const { org, through, sums } = checkpoint
  const { settled } = read
  if (sameSums(sums, settled) || settled.postings > sums.postings) return []
  const of = ({ postings, amounts }: Sums) => `${postings} postings, ${amounts[0]} in the wallet`
  const what = `The checkpoint of ${through} has ${of(sums)}, but the ledger has ${of(settled)} before it.`
  return [{ org, kind: 'checkpoint_sums', what }]
}

/** Where the postings of an organization are read from, and the time that divides their sums. Texts of the database. */
interface Start {
  org: string
  from: string
  horizon: string
}

/** What was read of an organization. */
interface Read {
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
async function readPostings(
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
    for (const check of ids.length === 0 ? [] : ROW_CHECKS.ledger_postings)
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
