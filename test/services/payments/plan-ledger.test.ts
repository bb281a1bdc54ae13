import { sql } from 'kysely'
import t from 'tap'
import { createPlanLedger } from '../../../services/payments/plans/plan-ledger.ts'
import { commands } from '../../fixtures/operator-commands.ts'
import { ledgerDatabase, suspend } from '../../ledger/ledger-fixture.ts'
import { payer } from '../../ledger/payer.ts'
import { runPlans } from '../../ledger/plan-runs.ts'

const day = (number: number) => new Date(Date.UTC(2026, 0, 1 + number))

t.test('the ledger of plans', async t => {
  const db = await ledgerDatabase(t)

  /** An organization with a balance and a subscription. */
  async function subscriber(balance: number, { thresholdMicros = 0 } = {}) {
    const made = await payer(db, { credit: balance })
    const { orgId } = made
    const subscriptionId = `pln_${orgId}`
    await sql`insert into subscriptions (org_id, id, provider, plan_id, price_micros, included_micros, livemode, status, created_at, checked_at)
      values (${orgId}, ${subscriptionId}, 'wallet', 'pro', 20, 20, false, 'canceled', now(), now())`.execute(db)
    const plans = createPlanLedger({ thresholdMicros, commands })
    const period = (start: number, includedMicros: number) => ({
      orgId,
      subscriptionId,
      start: day(start),
      end: day(start + 30),
      includedMicros,
      description: 'Pro',
    })
    return {
      ...made,
      grant: (start: number, amount: number, at = start) => plans.grant(db, period(start, amount), day(at)),
      expire: (at: number) => plans.expire(db, orgId, day(at)),
      charge: (start: number, feeMicros: number, included: number) =>
        plans.charge(db, { ...period(start, included), feeMicros }, day(start)),
      async lines() {
        const { rows } = await sql<{ line: string }>`
          select kind || ' ' || account || ' ' || amount_micros as line from ledger_postings as p
          join ledger_entries as e on e.posting_id = p.id
          where p.org_id = ${orgId} and kind <> 'credit' order by p.at, p.id, account desc`.execute(db)
        return rows.map(({ line }) => line)
      },
    }
  }

  await t.test('every order of captures, grants, expiries and charges ends in the wallet of the model', async () => {
    await runPlans(db, { runs: 150 })
  })

  await t.test('a grant is spent first, and its rest expires with the period', async t => {
    const { grant, expire, hold, ledger, wallet, lines } = await subscriber(100)
    t.equal(await grant(0, 20), true)
    await ledger.capture(db, await hold(10), 15)
    t.equal(await expire(29), 0, 'before the end of the period')
    t.equal(await expire(30), 5)
    t.equal(await expire(31), 0, 'once')
    t.same(await wallet(), { balance: 100, held: 0 })
    const charges = ['capture wallet -10', 'capture revenue 10', 'overage wallet -5', 'overage revenue 5']
    const plan = ['grant wallet 20', 'grant promotion -20', 'grant_expiry wallet -5', 'grant_expiry promotion 5']
    t.same((await lines()).sort(), [...charges, ...plan].sort())
  })

  await t.test('what pending holds reserve of a grant does not expire', async t => {
    const { grant, expire, hold, ledger, wallet } = await subscriber(100)
    await grant(0, 20)
    const name = await hold(15)
    t.equal(await expire(30), 5)
    await ledger.capture(db, name, 15)
    t.same(await wallet(), { balance: 100, held: 0 }, 'the credit that was paid is untouched')
  })

  await t.test('an expiry takes at most the available balance, and nothing of a negative one', async t => {
    const { orgId, grant, expire, wallet } = await subscriber(10)
    await grant(0, 20)
    const reverse = (id: string, amount: number) =>
      sql`select gateway_post_payment(${orgId}, ${`rev_${orgId}_${id}`}, 'reversal', ${-amount}, null, 'Refund')`.execute(
        db,
      )
    await reverse('1', 18)
    t.equal(await expire(30), 12)
    await grant(30, 20)
    await reverse('2', 50)
    t.equal(await expire(60), 0)
    t.same(await wallet(), { balance: -30, held: 0 })
  })

  await t.test('a period is granted and charged once, also by concurrent calls', async t => {
    const { grant, charge, wallet, lines, whole } = await subscriber(100)
    const granted = await Promise.all(Array.from({ length: 8 }, () => grant(0, 20)))
    t.equal(granted.filter(Boolean).length, 1)
    t.equal(await grant(0, 20), false)
    const charged = await Promise.allSettled(Array.from({ length: 4 }, () => charge(30, 7, 5)))
    t.equal(charged.filter(({ status }) => status === 'fulfilled').length, 1)
    t.same(await wallet(), { balance: 98, held: 0 }, '100, less 7, with 5; the first grant expired')
    t.equal((await lines()).filter(line => line.startsWith('grant wallet')).length, 2)
    t.same(await whole(), [])
  })

  await t.test('a period that is over is not granted', async t => {
    const { grant, wallet } = await subscriber(1)
    t.equal(await grant(0, 20, 30), false)
    t.same(await wallet(), { balance: 1, held: 0 })
  })

  await t.test(
    'a wallet pays for a plan like for a hold: not suspended, in a hold, below the fee or with grants',
    async t => {
      const { orgId, grant, charge, hold, wallet, lines, whole } = await subscriber(30)
      await suspend(db, orgId, true)
      await t.rejects(charge(0, 20, 20), { code: 'WALLET_BLOCKED' })
      await suspend(db, orgId, false)
      const owing = await subscriber(30, { thresholdMicros: 31 })
      await t.rejects(owing.charge(0, 20, 20), { code: 'INSUFFICIENT_BALANCE' })
      await t.rejects(charge(0, 31, 20), { code: 'INSUFFICIENT_BALANCE' })
      await hold(11)
      await t.rejects(charge(0, 20, 20), { code: 'INSUFFICIENT_BALANCE' }, 'the reserved amount does not pay')
      t.same(await lines(), [])
      await charge(0, 19, 25)
      t.same(await wallet(), { balance: 36, held: 11 })
      const other = await subscriber(10)
      await other.grant(0, 50)
      await t.rejects(other.charge(-1, 11, 1), { code: 'INSUFFICIENT_BALANCE' }, 'credits of a plan do not pay')
      await other.charge(-1, 10, 1)
      t.equal(await grant(0, 25), false, 'the charge has granted the period')
      t.same(await whole(), [])
    },
  )
})
