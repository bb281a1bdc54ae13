import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { acrossOrgs, type OrgDatabase } from '../../../lib/database/tenant.ts'
import { createJobs } from '../../../lib/jobs/jobs.ts'
import { auditLedger } from '../../../services/billing/audit/audit-ledger.ts'
import { createJobHolds } from '../../../services/billing/job-holds.ts'
import { createLedger, type HoldName } from '../../../services/billing/ledger.ts'
import { testDatabase } from '../../fixtures/database.ts'
import { testIds } from '../../fixtures/directory.ts'
import { testClock } from '../../fixtures/fixture.ts'
import { memoryLog } from '../../fixtures/memory-log.ts'
import { expireHolds, moneyOf, payingOrganization, reconciliationsOf } from '../../fixtures/metered-fixture.ts'
import { commands } from '../../fixtures/operator-commands.ts'

const KIND = 'test.video'

async function fixture(t: Test) {
  const { db } = await testDatabase(t)
  const ids = testIds({ now: Date.now })
  const { log } = memoryLog({ level: 'fatal' })
  const jobs = createJobs({ db, clock: testClock(Date.now()), ids, log, owner: 'test', scrub: text => text })
  const ledger = createLedger({ db, thresholdMicros: 0, commands })
  const holds = createJobHolds({ db, ids, log, ledger, overageLimitFactor: 10, enqueue: jobs.enqueue })
  const payer = await payingOrganization(db, 10_000)
  const { orgId } = payer
  const call = { orgId, userId: `usr_${orgId}`, keyId: payer.one.keyId, tool: 'test__video', estimateMicros: 1_000 }
  return {
    db,
    jobs,
    holds,
    call,
    open: () => holds.open(call, hold => ({ kind: KIND, payload: hold })),
    /** Stores a result in the transaction of the completion. */
    store: (name: string) => async (org: OrgDatabase, charged: number) => {
      await org.db
        .insertInto('jobs')
        .values(row(ids('job'), `${name} for ${charged}`))
        .execute()
    },
    results: async () => {
      const rows = acrossOrgs(db).selectFrom('jobs').where('kind', '=', 'result').select('payload').orderBy('id')
      return (await rows.execute()).map(({ payload }) => payload)
    },
    waiting: async () => {
      const rows = acrossOrgs(db).selectFrom('jobs').where('kind', '=', KIND).select('id')
      return (await rows.execute()).length
    },
    money: () => moneyOf(db, orgId),
    expire: () => expireHolds(db, orgId),
    reconciliations: () => reconciliationsOf(db, orgId),
    async differences() {
      return (await auditLedger(db)).differences
    },
    /** Sets when the hold was made, as seconds before now. */
    made: (hold: HoldName, secondsAgo: number) =>
      sql`update holds set created_at = now() - ${secondsAgo} * interval '1 second' where org_id = ${hold.orgId}`.execute(
        db,
      ),
  }
}

/** The row of a result; any table of the database would do. */
function row(id: string, text: string) {
  return { id, kind: 'result', payload: JSON.stringify(text), run_at: new Date(), created_at: new Date() }
}

t.test('a hold and its job are made together or not at all', async t => {
  const { holds, call, open, waiting, money } = await fixture(t)
  await open()
  t.equal(await waiting(), 1)
  t.match(await money(), { pending: 1, held: 1_000, balance: 10_000 })
  const many = holds.open({ ...call, estimateMicros: 9_001 }, hold => ({ kind: KIND, payload: hold }))
  await t.rejects(many, { code: 'insufficient_balance' })
  t.equal(await waiting(), 1)
  const broken = holds.open(call, () => ({ kind: KIND, payload: 1n }))
  await t.rejects(broken, TypeError)
  t.match(await money(), { pending: 1, held: 1_000 })
})

t.test('a job renews its hold, up to 60 minutes after it was made', async t => {
  const { db, holds, open, made, expire } = await fixture(t)
  const hold = await open()
  const minutes = async () => {
    const expires = await holds.renew(hold)
    const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db)
    return Math.round((expires.getTime() - (rows[0] as { now: Date }).now.getTime()) / 60_000)
  }
  await sql`update holds set expires_at = now() + interval '1 minute' where org_id = ${hold.orgId}`.execute(db)
  t.equal(await minutes(), 15)
  await made(hold, 50 * 60)
  t.equal(await minutes(), 15, 'a renewal never shortens a hold')
  await sql`update holds set expires_at = now() + interval '1 minute' where org_id = ${hold.orgId}`.execute(db)
  t.equal(await minutes(), 10)
  await made(hold, 61 * 60)
  await sql`update holds set expires_at = now() + interval '1 minute' where org_id = ${hold.orgId}`.execute(db)
  t.equal(await minutes(), 1)
  await expire()
  await t.rejects(holds.renew(hold), { name: 'HoldSettled', state: 'expired' })
  await t.rejects(holds.renew({ ...hold, id: 'hld_other' }), { name: 'HoldUnknown' })
  await t.rejects(holds.renew({ ...hold, orgId: 'org_other' }), { name: 'HoldUnknown' })
})

t.test('the job that owns the hold charges once and stores its result once, however often it runs', async t => {
  const { jobs, holds, open, store, results, money, differences } = await fixture(t)
  let runs = 0
  jobs.define(KIND, async payload => {
    await holds.renew(payload as HoldName).catch(() => {})
    const charged = await holds.complete(payload as HoldName, 400, store(`run ${++runs}`))
    t.equal(charged, 400)
    // As if the process had died after the commit.
    if (runs === 1) throw new Error('killed')
  })
  await open()
  await jobs.runDue()
  t.equal(runs, 1)
  const payload = await open()
  t.equal(await holds.complete(payload, 400, store('second')), 400)
  t.equal(await holds.complete(payload, 999, store('third')), 400, 'the first charge stays')
  t.same(await results(), ['run 1 for 400', 'second for 400'])
  t.match(await money(), { balance: 9_200, held: 0, captured: 2, pending: 0 })
  t.same(await differences(), [])
})

t.test('a result that cannot be stored is not charged, and can be stored later', async t => {
  const { holds, open, store, money } = await fixture(t)
  const hold = await open()
  const failing = async () => {
    throw new Error('the disk is full')
  }
  await t.rejects(holds.complete(hold, 400, failing), /disk is full/)
  t.match(await money(), { balance: 10_000, held: 1_000, pending: 1 })
  t.equal(await holds.complete(hold, 400, store('later')), 400)
})

t.test('a cost above the bound of the estimate is charged up to the bound, with a row for the operator', async t => {
  const { holds, open, store, money, reconciliations } = await fixture(t)
  t.equal(await holds.complete(await open(), 12_000, store('costly')), 10_000)
  t.match(await money(), { balance: 0, held: 0 })
  t.same(await reconciliations(), [{ reason: 'overage_bound', held: 1_000, cost: 12_000, tool: 'test__video' }])
})

t.test('after the expiry of its hold a result is stored and nothing is charged', async t => {
  const { holds, open, store, results, expire, money, reconciliations, differences } = await fixture(t)
  const hold = await open()
  await expire()
  t.equal(await holds.complete(hold, 700, store('late')), 0)
  t.same(await results(), ['late for 0'])
  t.match(await money(), { balance: 10_000, held: 0, expired: 1 })
  t.same(await reconciliations(), [{ reason: 'expired', held: 1_000, cost: 700, tool: 'test__video' }])
  await holds.release(hold)
  t.match(await money(), { expired: 1, released: 0 })
  t.same(await differences(), [])
})

t.test('a failed job releases its hold', async t => {
  const { holds, open, money } = await fixture(t)
  const hold = await open()
  await holds.release(hold)
  await holds.release(hold)
  t.match(await money(), { balance: 10_000, held: 0, released: 1 })
  await t.rejects(holds.release({ ...hold, id: 'hld_other' }), { name: 'HoldUnknown' })
})

t.test('a completion and an expiry at the same time agree', async t => {
  const { holds, open, store, expire, results, money, reconciliations, differences } = await fixture(t)
  let charged = 0
  for (let round = 0; round < 8; round++) {
    const hold = await open()
    const [cost] = await Promise.all([holds.complete(hold, 100, store('any')), expire()])
    charged += cost
  }
  t.equal((await results()).length, 8)
  const { balance, held, captured, expired } = await money()
  t.same({ balance, held, settled: captured + expired }, { balance: 10_000 - charged, held: 0, settled: 8 })
  t.equal((await reconciliations()).length, expired)
  t.same(await differences(), [])
})
