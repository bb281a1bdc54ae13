import { sql } from 'kysely'
import t from 'tap'
import fc from '../../fixtures/property.ts'
import { plansFixture } from '../../payments/plans-fixture.ts'

t.test('a plan from the wallet costs its price, grants its credits, and is renewed when its month is over', async t => {
  const { subscribe, plan, dollars, spend, wait, actions, differences } = await plansFixture(t)
  t.equal(await plan(), 'free')
  t.same(await subscribe('pro', 'wallet'), { settled: true })
  t.equal(await plan(), 'pro wallet')
  t.equal(await dollars(), 50, 'less 20, with 20 of credits')
  await spend(5)
  await wait(27)
  t.equal(await dollars(), 45)
  await wait(4)
  t.equal(await plan(), 'pro wallet')
  t.equal(await dollars(), 30, 'the 15 unused ones expired, then again less 20, with 20')
  t.same(await actions(), ['subscribe', 'renew'])
  t.same(await differences(), [])
})

t.test('of concurrent subscriptions from the wallet, one is charged and the others get ALREADY_PRO', async t => {
  const { subscribe, dollars, differences } = await plansFixture(t)
  const answers = await Promise.allSettled(Array.from({ length: 6 }, () => subscribe('pro', 'wallet')))
  t.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1)
  const reasons = answers.flatMap(answer => (answer.status === 'rejected' ? [answer.reason.code] : []))
  t.same(new Set(reasons), new Set(['ALREADY_PRO']))
  t.equal(await dollars(), 50)
  await t.rejects(subscribe('pro', 'card'), { code: 'ALREADY_PRO', message: /paid from the wallet\. .* plan_id free/ })
  await subscribe('free')
  await t.rejects(subscribe('pro', 'card'), { code: 'ALREADY_PRO', message: /ends at .* send pay_from wallet/ })
  t.same(await differences(), [])
})

t.test('a wallet that cannot pay gets INSUFFICIENT_BALANCE, and nothing changes', async t => {
  const poor = await plansFixture(t)
  await poor.spend(31)
  await t.rejects(poor.subscribe('pro', 'wallet'), { code: 'INSUFFICIENT_BALANCE' })
  t.equal(await poor.plan(), 'free')
  t.equal(await poor.dollars(), 19)
  t.same(await poor.actions(), [])
})

t.test('an organization in billing hold cannot pay from its wallet', async t => {
  const { subscribe, plan } = await plansFixture(t, { thresholdMicros: 51_000_000 })
  await t.rejects(subscribe('pro', 'wallet'), { code: 'INSUFFICIENT_BALANCE', message: /threshold/ })
  t.equal(await plan(), 'free')
})

t.test('a suspended organization gets WALLET_BLOCKED for the paid plan, by card too, and may still cancel', async t => {
  const { subscribe, suspend, plan, provider } = await plansFixture(t)
  await subscribe('pro', 'wallet')
  await suspend()
  t.same(await subscribe('free'), { settled: true })
  t.equal(await plan(), 'pro wallet ends')
  for (const payFrom of ['wallet', 'card'] as const)
    await t.rejects(subscribe('pro', payFrom), { code: 'WALLET_BLOCKED' })
  t.same(provider.calls, [])
})

t.test('an unknown plan is PLAN_NOT_FOUND, and the free plan ALREADY_FREE for those who are on it', async t => {
  const { subscribe, plan } = await plansFixture(t)
  await t.rejects(subscribe('enterprise'), { code: 'PLAN_NOT_FOUND', message: /free, pro/ })
  await t.rejects(subscribe('free'), { code: 'ALREADY_FREE' })
  await subscribe('pro', 'wallet')
  await subscribe('free')
  await t.rejects(subscribe('free'), { code: 'ALREADY_FREE', message: /already ends at 20/ })
  t.equal(await plan(), 'pro wallet ends')
})

t.test('a canceled plan ends with its month, and subscribing again before continues it without a charge', async t => {
  const { subscribe, plan, dollars, wait, actions } = await plansFixture(t)
  await subscribe('pro', 'wallet')
  await subscribe('free')
  t.same(await subscribe('pro', 'wallet'), { settled: true })
  t.equal(await plan(), 'pro wallet')
  await subscribe('free')
  await wait(32)
  t.equal(await plan(), 'free')
  t.equal(await dollars(), 30, 'the credits expired')
  t.same(await actions(), ['subscribe', 'cancel', 'resume', 'cancel', 'end', 'expire'])
  await subscribe('pro', 'wallet')
  t.equal(await plan(), 'pro wallet')
})

t.test('after three failed renewals, a day apart, the plan ends', async t => {
  const { subscribe, plan, spend, wait, dollars, actions, differences } = await plansFixture(t)
  await subscribe('pro', 'wallet')
  await spend(45)
  const states: string[] = []
  for (const days of [31, 0.5, 0.5, 0.9, 0.2]) {
    await wait(days)
    states.push(await plan())
  }
  t.same(states, ['pro wallet past due', 'pro wallet past due', 'pro wallet past due', 'pro wallet past due', 'free'])
  t.equal(await dollars(), 5, 'without new credits')
  t.same(await actions(), ['subscribe', 'renewal_failed', 'renewal_failed', 'end'])
  t.same(await differences(), [])
})

t.test('a suspended organization is not charged for its plan, which ends like that of an empty wallet', async t => {
  const { subscribe, plan, suspend, wait, dollars } = await plansFixture(t)
  await subscribe('pro', 'wallet')
  await suspend()
  for (const days of [31, 1, 1]) await wait(days)
  t.equal(await plan(), 'free')
  t.equal(await dollars(), 30)
})

t.test('a plan that is past due is renewed by a top-up: at once by subscribing, or by the next renewal', async t => {
  for (const again of [true, false]) {
    const { subscribe, plan, spend, wait, ledger, db, orgId, dollars, differences } = await plansFixture(t)
    await subscribe('pro', 'wallet')
    await spend(45)
    await wait(31)
    await ledger.credit(db, { orgId, id: 'txn_more', amountMicros: 20_000_000, description: 'Top-up' })
    if (again) await subscribe('pro', 'wallet')
    else await wait(1)
    t.equal(await plan(), 'pro wallet')
    t.equal(await dollars(), 25)
    t.same(await differences(), [])
  }
})

t.test('the built-in provider of development settles a plan by card at once, and charges nobody', async t => {
  const { subscribe, plan, dollars, wait, differences } = await plansFixture(t, { cards: 'built_in' })
  t.same(await subscribe('pro'), { settled: true })
  t.equal(await plan(), 'pro card')
  t.equal(await dollars(), 70)
  await t.rejects(subscribe('pro', 'wallet'), { code: 'ALREADY_PRO', message: /paid from a card/ })
  await wait(32)
  t.equal(await dollars(), 70, 'the credits of the month before expired')
  t.same(await differences(), [])
})

t.test('a plan of the built-in provider ends once another provider or none takes payments', async t => {
  for (const cards of ['provider', 'nobody'] as const) {
    const { subscribe, plan, db, wait } = await plansFixture(t, { cards })
    await subscribe('pro', 'wallet')
    await sql`update subscriptions set provider = 'built_in'`.execute(db)
    t.equal(await plan(), 'pro card')
    await wait(0.01)
    t.equal(await plan(), 'free', cards)
  }
})

t.test('without a payment provider a plan is paid from the wallet only', async t => {
  const { subscribe, plan } = await plansFixture(t, { cards: 'nobody' })
  await t.rejects(subscribe('pro'), { code: 'not_found' })
  t.same(await subscribe('pro', 'wallet'), { settled: true })
  t.equal(await plan(), 'pro wallet')
})

t.test('a failure in one organization does not keep others from their renewal', async t => {
  const { subscribe, plan, wait, db } = await plansFixture(t)
  await subscribe('pro', 'wallet')
  await sql`insert into organizations (id, name, created_at) values ('org_broken', 'Broken', now())`.execute(db)
  await sql`insert into subscriptions (org_id, id, provider, plan_id, price_micros, included_micros, livemode, status,
    period_start, period_end, created_at, checked_at)
    values ('org_broken', 'pln_0', 'wallet', 'pro', 1, 1, false, 'active', now() - interval '2 days', now() - interval '1 day', now(), now())`.execute(
    db,
  )
  await wait(32)
  t.equal(await plan(), 'pro wallet')
})

t.test(
  'in any order of use, cancellations and renewals, the ledger has no difference and grants pay for themselves',
  async t => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('spend'), dollars: fc.integer({ min: 1, max: 30 }) }),
      fc.record({ kind: fc.constant('credit'), dollars: fc.integer({ min: 1, max: 30 }) }),
      fc.record({ kind: fc.constant('wait'), days: fc.constantFrom(0.3, 1, 5, 20, 31, 70) }),
      fc.record({ kind: fc.constantFrom('pro', 'free') }),
    )
    const property = fc.asyncProperty(fc.array(step, { maxLength: 14, size: 'max' }), async steps => {
      const fixture = await plansFixture(t)
      for (const [index, step] of steps.entries()) {
        try {
          if ('days' in step) await fixture.wait(step.days)
          else if (!('dollars' in step)) await fixture.subscribe(step.kind, 'wallet')
          else if (step.kind === 'spend') await fixture.spend(step.dollars)
          else {
            const credit = {
              orgId: fixture.orgId,
              id: `txn_${index}`,
              amountMicros: step.dollars * 1_000_000,
              description: 'x',
            }
            await fixture.ledger.credit(fixture.db, credit)
          }
        } catch (error) {
          const { code } = error as { code?: string }
          if (!EXPECTED.includes(code ?? '')) throw error
        }
      }
      const { rows } = await sql<{ wrong: string }>`
      select id as wrong from plan_grants where unspent_micros < 0 or expired_micros > unspent_micros
      union all select 'balance' from wallets where balance_micros <> (
        select sum(amount_micros) from ledger_entries where account = 'wallet' and ledger_entries.org_id = wallets.org_id)
      union all select 'negative' from wallets where balance_micros < 0
      union all select 'promotion' where (select coalesce(sum(amount_micros), 0) from ledger_entries where account = 'promotion')
        <> (select coalesce(sum(coalesce(expired_micros, 0) - amount_micros), 0) from plan_grants)`.execute(fixture.db)
      t.same([...rows, ...(await fixture.differences())], [])
    })
    await fc.assert(property, { numRuns: 15 })
  },
)

const EXPECTED = ['ALREADY_PRO', 'ALREADY_FREE', 'INSUFFICIENT_BALANCE', 'insufficient_balance', 'payment_required']
