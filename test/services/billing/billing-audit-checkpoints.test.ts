import { type Kysely, type RawBuilder, sql } from 'kysely'
import t from 'tap'
import type { Database } from '../../../lib/database/tables.ts'
import { acrossOrgs } from '../../../lib/database/tenant.ts'
import { auditLedger } from '../../../services/billing/audit/audit-ledger.ts'
import { createLedger } from '../../../services/billing/ledger.ts'
import { testDatabase, testDatabaseUrl } from '../../fixtures/database.ts'
import { testIds } from '../../fixtures/directory.ts'
import { commands } from '../../fixtures/operator-commands.ts'
import fc from '../../fixtures/property.ts'
import { addOrganization, keyId } from '../../ledger/ledger-fixture.ts'

// Embedded database: its one session sees what is not committed.

const { db } = await testDatabase(t)
const hand = acrossOrgs(db)
const ids = testIds({ now: Date.now })
const ledger = createLedger({ db, thresholdMicros: 0, commands })
const TABLES = ['ledger_checkpoints', 'ledger_entries', 'ledger_postings', 'holds', 'key_months', 'reconciliations']

/** Runs statements without the triggers that protect the ledger. */
async function byHand(on: Kysely<Database>, ...statements: RawBuilder<unknown>[]): Promise<void> {
  await sql`set local session_replication_role = replica`.execute(on)
  for (const statement of statements) await statement.execute(on)
  await sql`set local session_replication_role = origin`.execute(on)
}
const alter = (...statements: RawBuilder<unknown>[]) => hand.transaction().execute(trx => byHand(trx, ...statements))

/** Makes everything of an organization an hour older, on a connection. */
function age(on: Kysely<Database>, orgId: string): Promise<void> {
  const hour = sql`interval '1 hour'`
  return byHand(
    on,
    sql`update ledger_postings set at = at - ${hour} where org_id = ${orgId}`,
    sql`update holds set created_at = created_at - ${hour}, resolved_at = resolved_at - ${hour} where org_id = ${orgId}`,
    sql`update reconciliations set at = at - ${hour} where org_id = ${orgId}`,
  )
}

const credit = (orgId: string, on: Kysely<Database> = hand) =>
  ledger.credit(on, { orgId, id: ids('txn'), amountMicros: 1_000, description: 'Credit' })

/** A hold of 10 with its end: a cost, a release, an expiry, or none yet. */
async function call(orgId: string, end: number | 'released' | 'expired' | 'pending'): Promise<string> {
  const id = ids('hld')
  await ledger.hold({ orgId, id, userId: `usr_${orgId}`, keyId: keyId(orgId, 'one'), tool: 'a__b', amountMicros: 10 })
  if (typeof end === 'number') await ledger.capture(hand, { orgId, id }, end)
  if (end === 'released') await ledger.release(hand, { orgId, id })
  if (end === 'expired') {
    await sql`update holds set expires_at = now() where id = ${id}`.execute(hand)
    await sql`select gateway_expire_holds(${orgId}, 10)`.execute(hand)
  }
  return id
}

const settled = (work: (on: Kysely<Database>) => Promise<unknown>) => hand.transaction().execute(work)

/** Removes all money, for the next test. */
async function reset(): Promise<void> {
  await alter(
    ...TABLES.map(table => sql`delete from ${sql.table(table)}`),
    sql`update wallets set balance_micros = 0, held_micros = 0`,
  )
}

t.beforeEach(reset)

t.test('an audit reads what is new since the checkpoints, and a full one everything', async t => {
  const [orgId, quiet] = [await addOrganization(hand), await addOrganization(hand)]
  for (const org of [orgId, quiet]) {
    await credit(org)
    for (const end of [4, 10, 13, 0, 'released', 'expired'] as const) await call(org, end)
    await settled(trx => age(trx, org))
  }
  const first = await auditLedger(db, { write: true })
  t.match(first, { postings: 10, holds: { captured: 8, released: 2, expired: 2 }, found: 0 })
  t.match(await auditLedger(db, { write: true }), { postings: 0, holds: { captured: 0, expired: 0 }, found: 0 })

  await call(orgId, 7)
  await call(orgId, 'pending')
  for (const rows of [1, 3, 5_000]) {
    const next = await auditLedger(db, { rows })
    t.match(next, { postings: 1, holds: { captured: 1, pending: 1 }, recounted: 0, found: 0 })
  }
  t.match(await auditLedger(db, { full: true }), { postings: 11, holds: { captured: 9 }, found: 0 })
  const { rows } =
    await sql`select postings, wallet_micros as wallet, revenue_micros as revenue, funding_micros as funding,
    covered_micros as covered, (select sum(spent_micros)::bigint from ledger_checkpoint_keys as k where k.org_id = c.org_id) as spent
    from ledger_checkpoints as c where org_id = ${orgId}`.execute(hand)
  t.same(rows, [{ postings: 5, wallet: 973, revenue: 27, funding: -1_000, covered: 976, spent: 27 }])
})

t.test('a difference is found by each audit until it is repaired, and there is no checkpoint until then', async t => {
  const orgId = await addOrganization(hand)
  await credit(orgId)
  const expired = await call(orgId, 'expired')
  await settled(trx => age(trx, orgId))
  const { rows } = await sql<{ row: string }>`
    select to_jsonb(r)::text as row from reconciliations as r where hold_id = ${expired}`.execute(hand)
  await alter(sql`delete from reconciliations where hold_id = ${expired}`)
  for (let day = 0; day < 3; day++) {
    const audit = await auditLedger(db, { write: true })
    t.match(audit.differences, [{ org: orgId, kind: 'hold_expired' }], `day ${day}`)
  }
  await sql`insert into reconciliations select * from jsonb_populate_record(null::reconciliations, ${rows[0]?.row}::jsonb)`.execute(
    hand,
  )
  t.match(await auditLedger(db, { write: true }), { found: 0 })
  t.match(await auditLedger(db, { write: true }), { found: 0, postings: 0 })

  await alter(sql`update wallets set balance_micros = balance_micros + 1 where org_id = ${orgId}`)
  for (let day = 0; day < 2; day++)
    t.match((await auditLedger(db, { write: true })).differences, [{ org: orgId, kind: 'wallet_balance' }])
  await alter(sql`update wallets set balance_micros = balance_micros - 1 where org_id = ${orgId}`)
  t.match(await auditLedger(db, { write: true }), { found: 0 })
})

t.test(
  'a posting that becomes visible after its checkpoint is no difference, and the checkpoint is replaced',
  async t => {
    const orgId = await addOrganization(hand)
    await credit(orgId)
    await settled(trx => age(trx, orgId))
    // Its transaction began an hour ago and commits after the checkpoint.
    await hand.transaction().execute(async trx => {
      await credit(orgId, trx)
      await age(trx, orgId)
      // The embedded database has one session, which sees the posting before its commit.
      if (testDatabaseUrl !== undefined) t.match(await auditLedger(db, { write: true }), { found: 0, postings: 1 })
    })
    if (testDatabaseUrl === undefined)
      await sql`insert into ledger_checkpoints values (${orgId}, now() - interval '30 minutes', 1, 1000, 0, -1000, 0, 1000)`.execute(
        hand,
      )
    t.match(await auditLedger(db, { full: true }), { found: 0, recounted: 0 }, 'a full audit accepts it, too')
    t.match(await auditLedger(db, { write: true }), { found: 0, recounted: 1 })
    t.match(await auditLedger(db, { write: true }), { found: 0, recounted: 0, postings: 0 })
    t.match(await auditLedger(db, { full: true }), { found: 0 })
  },
)

t.test('a full audit finds a change of old postings that an incremental one does not read', async t => {
  const orgId = await addOrganization(hand)
  await credit(orgId)
  await call(orgId, 4)
  await settled(trx => age(trx, orgId))
  await auditLedger(db, { write: true })
  await alter(
    sql`update ledger_entries set amount_micros = amount_micros * 2 where org_id = ${orgId} and posting_id like 'txn%'`,
    sql`update wallets set balance_micros = balance_micros + 1000 where org_id = ${orgId}`,
  )
  const { differences } = await auditLedger(db, { full: true })
  t.match(differences, [{ org: orgId, kind: 'checkpoint_sums' }])
})

t.test('incremental audits of any history find what full ones find', async t => {
  const step = fc.constantFrom('credit', 4, 13, 'released', 'expired', 'pending', 'age', 'audit', 'late', 'tamper')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async steps => {
      await reset()
      const orgId = await addOrganization(hand)
      await credit(orgId)
      let tampered = 0
      for (const step of steps) {
        if (step === 'credit') await credit(orgId)
        else if (step === 'age') await settled(trx => age(trx, orgId))
        else if (step === 'audit') await auditLedger(db, { write: true, rows: 2 })
        else if (step === 'tamper') {
          tampered++
          await alter(sql`update wallets set balance_micros = balance_micros + 1 where org_id = ${orgId}`)
        } else if (step === 'late') {
          await hand.transaction().execute(async trx => {
            const id = ids('txn')
            await ledger.credit(trx, { orgId, id, amountMicros: 5, description: 'Late' })
            await byHand(trx, sql`update ledger_postings set at = at - interval '10 hours' where id = ${id}`)
          })
        } else await call(orgId, step as never)
      }
      const kinds = async (full: boolean) => (await auditLedger(db, { full })).differences.map(({ kind }) => kind)
      const expected = tampered > 0 ? ['wallet_balance'] : []
      return String(await kinds(false)) === String(expected) && String(await kinds(true)) === String(expected)
    }),
    { numRuns: 30 },
  )
  t.pass()
})
