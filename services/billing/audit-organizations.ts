import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { type Checkpoint, readCheckpoints, writeCheckpoint, writeNoCheckpoint } from './audit-checkpoints.ts'
import type { LedgerDifference } from './audit-differences.ts'
import { type Read, readPostings } from './audit-postings.ts'
import type { AuditRun } from './audit-run.ts'
import { keyMonths, type Totals, wallets } from './audit-sum-checks.ts'
import { createSums, type Sums, sameSums } from './audit-sums.ts'

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
  const compare = async (check: RawBuilder<LedgerDifference>) => (await check.execute(trx)).rows
  return {
    read,
    differences: [...differences, ...(await compare(wallets(totals))), ...(await compare(keyMonths(totals)))],
  }
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
