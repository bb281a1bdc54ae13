import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { auditLedger } from '../../services/billing/audit/audit-ledger.ts'
import { createActor, run, runTogether, type Step } from './commands.ts'
import { brokenInvariants, type Invariant } from './invariants.ts'
import { addOrganization, KEYS, suspend } from './ledger-fixture.ts'

/**
 * Runs calls of two organizations with all their keys, twenty at a time, during top-ups, suspensions, and expiries of holds
 * that are being settled. Throws for an outcome that no call may have, such as a deadlock.
 */
export async function runUnderContention(db: Kysely<Database>, { calls }: { calls: number }) {
  const orgIds = [await addOrganization(db), await addOrganization(db)]
  const actors = orgIds.map(orgId => createActor({ db, orgId, sequential: false, thresholdMicros: 0 }))
  for (const actor of actors) await run(actor, { kind: 'credit', amount: calls * 20, made: 0 })
  let next = 0
  let done = 0

  async function call(index: number): Promise<void> {
    const actor = actors[index % 2]!
    const step = { made: index, back: 0 }
    const hold: Step = { kind: 'hold', key: [...KEYS, null][index % 3]!, amount: 10, ...step }
    const release: Step = { kind: 'release', ...step }
    // Some holds are released during their creation, as by a caller without a response.
    await runTogether(actor, index % 5 === 2 ? [hold, release, release, release] : [hold])
    const others: Step[] = [{ kind: 'capture', cost: (index * 7) % 25, ...step }]
    if (index % 3 === 1) others.push({ kind: 'expire', made: index, back: [0, 2, 4] })
    if (index % 5 > 2) others.unshift(release)
    if (index % 7 === 3) others.push({ kind: 'credit', amount: 5, made: index })
    if (index % 31 === 4) others.push({ kind: 'suspend', made: index }, { kind: 'resume', made: index })
    await runTogether(actor, others)
    done++
  }

  const caller = async () => {
    for (let index = next++; index < calls; index = next++) await call(index)
  }
  await Promise.all(Array.from({ length: 20 }, caller))

  const broken: Invariant[] = []
  for (const orgId of orgIds) {
    await suspend(db, orgId, false)
    broken.push(...(await brokenInvariants(db, { orgId, suspended: false })))
  }
  // The audit must agree with the invariants. Rows of other tests are ignored.
  const { differences } = await auditLedger(db, { rows: 5_000 })
  return { calls: done, broken, differences: differences.filter(({ org }) => orgIds.includes(org)) }
}
