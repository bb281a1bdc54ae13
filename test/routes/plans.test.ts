import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { checkoutRoutes, planRoutes } from '../../routes/checkout.ts'
import { createIdempotency } from '../../services/idempotency/idempotency.ts'
import { build } from '../fixtures/build.ts'
import { session } from '../fixtures/fixture.ts'
import { routeFixture } from '../fixtures/route-fixture.ts'
import { RESULT_LIMITS } from '../fixtures/settings.ts'
import { plansFixture } from '../payments/plans-fixture.ts'

async function fixture(t: Test, options: Parameters<typeof plansFixture>[1] = {}) {
  const plans = await plansFixture(t, options)
  const { clock, guarded: db, standings, subscribing } = plans
  const { once } = createIdempotency({ db, clock, limits: RESULT_LIMITS })
  const topups = { start: () => Promise.reject(new Error('There are no top-ups here')) }
  const made = await routeFixture(
    t,
    plans,
    scope => {
      scope.register(planRoutes, { plans: plans.plans })
      scope.register(checkoutRoutes, { topups, subscribing, standings, once })
    },
    { ajv: { customOptions: { removeAdditional: false, coerceTypes: false } } },
  )
  const { orgId } = made.ada
  await plans.ledger.credit(db, { orgId, id: 'txn_ada', amountMicros: 25_000_000, description: 'Top-up' })
  const subscribe = (body: object | string, { who = 'ada.b.c', headers = {} } = {}) =>
    made.ask(who, 'POST', '/checkout/subscribe', { body, headers })
  return { ...plans, ...made, subscribe, planId: async () => (await plans.planOf(orgId)).plan.id }
}

t.test('GET /plans lists both plans, for users without an organization, removed members and API keys too', async t => {
  const { ask } = await fixture(t)
  const [free, pro] = ['Free', 'Pro'].map(name => ({
    id: name.toLowerCase(),
    name,
    interval: 'month',
    features: [String],
  }))
  for (const who of ['ada.b.c', 'a.b.c', 'gone.b.c', 'bob']) {
    const { status, body } = await ask(who, 'GET', '/plans')
    t.equal(status, 200)
    t.match(body, {
      plans: [
        { ...free, price_micros: 0, included_micros: 0 },
        { ...pro, price_micros: 20_000_000, included_micros: 20_000_000 },
      ],
    })
  }
})

t.test('POST /checkout/subscribe answers the page of a card, and settles from the wallet', async t => {
  const { subscribe, planId } = await fixture(t)
  t.match(await subscribe({ plan_id: 'pro' }), { status: 200, body: { checkout_url: /^https:/ } })
  t.equal(await planId(), 'free')
  t.same((await subscribe({ plan_id: 'pro', pay_from: 'wallet' })).body, { settled: true })
  t.equal(await planId(), 'pro')
  t.same((await subscribe({ plan_id: 'free' })).body, { settled: true })
})

t.test('POST /checkout/subscribe with an idempotency key charges once', async t => {
  const { subscribe, dollarsOf } = await ownWallet(t)
  const headers = { 'idempotency-key': 'one' }
  const answers = await Promise.all([1, 2, 3].map(() => subscribe({ plan_id: 'pro', pay_from: 'wallet' }, { headers })))
  t.same(new Set(answers.map(({ body }) => JSON.stringify(body))), new Set(['{"settled":true}']))
  t.equal(await dollarsOf(), 25, 'less 20, with 20 of credits')
})

async function ownWallet(t: Test) {
  const made = await fixture(t)
  return {
    ...made,
    async dollarsOf() {
      const { rows } = await sql<{ dollars: number }>`
        select (balance_micros / 1000000)::int as dollars from wallets where org_id = ${made.ada.orgId}`.execute(
        made.db,
      )
      return rows[0]?.dollars
    },
  }
}

t.test('POST /checkout/subscribe rejects with the code of each reason', async t => {
  const { subscribe, db, ada, provider } = await fixture(t)
  const wallet = { plan_id: 'pro', pay_from: 'wallet' }
  const code = async (body: object | string, options = {}) => {
    const { status, body: answer } = await subscribe(body, options)
    return `${status} ${answer.code}`
  }
  t.equal(await code({ plan_id: 'gold' }), '404 PLAN_NOT_FOUND')
  t.equal(await code({ plan_id: 'free' }), '409 ALREADY_FREE')
  await sql`update organizations set suspended_at = now() where id = ${ada.orgId}`.execute(db)
  t.equal(await code(wallet), '403 WALLET_BLOCKED')
  await sql`update organizations set suspended_at = null where id = ${ada.orgId}`.execute(db)
  t.equal(await code(wallet), '200 undefined')
  t.equal(await code(wallet), '409 ALREADY_PRO')
  t.equal(await code(wallet, { who: 'eve.b.c' }), '402 INSUFFICIENT_BALANCE')
  t.equal(await code(wallet, { who: 'bob.b.c' }), '403 FORBIDDEN')
  t.equal(await code(wallet, { who: 'ada' }), '403 SESSION_REQUIRED')
  t.equal(await code(wallet, { who: 'a.b.c' }), '402 no_active_org')
  t.equal(await code(wallet, { who: 'gone.b.c' }), '403 MEMBERSHIP_REVOKED', 'a former member')
  for (const body of [{}, { plan_id: 7 }, { ...wallet, pay_from: 'cash' }, { ...wallet, price: 1 }, '{"plan_id"'])
    t.equal(await code(body), '400 INVALID_REQUEST', JSON.stringify(body))
  provider.stop(true)
  const { status, body } = await subscribe({ plan_id: 'pro' }, { who: 'eve.b.c' })
  t.match([status, body], [500, { error: { code: 'internal_error' } }])
})

t.test(
  'POST /checkout/subscribe in a billing hold is INSUFFICIENT_BALANCE from the wallet, and works by card',
  async t => {
    const { subscribe } = await fixture(t, { thresholdMicros: 26_000_000 })
    const refused = await subscribe({ plan_id: 'pro', pay_from: 'wallet' })
    t.match(refused, { status: 402, body: { code: 'INSUFFICIENT_BALANCE', error: /threshold/ } })
    t.match(await subscribe({ plan_id: 'pro' }), { status: 200, body: { checkout_url: String } })
  },
)

t.test('POST /checkout/subscribe without a payment provider says so; the built-in one settles at once', async t => {
  const none = await fixture(t, { cards: 'nobody' })
  t.match(await none.subscribe({ plan_id: 'pro' }), { status: 404, body: { code: 'NOT_FOUND' } })
  const builtIn = await fixture(t, { cards: 'built_in' })
  t.same((await builtIn.subscribe({ plan_id: 'pro' })).body, { settled: true })
  t.equal(await builtIn.planId(), 'pro')
})

t.test('in development the app settles a plan at once, renews it by a job and tops up automatically', async t => {
  let userId = ''
  const { app, services, clock, directory } = await build(t, {
    verifyJwt: async () => session({ userId, meterKey: userId }),
  })
  const [ada] = await directory.members('owner')
  userId = ada.userId
  const { orgId } = ada
  const ask = async (method: 'POST' | 'PATCH', url: string, payload: object) => {
    const headers = { authorization: 'Bearer e30.e30.x' }
    return (await app.inject({ method, url, headers, payload })).json()
  }
  const balance = async () => (await services.wallets.balance(orgId)).balanceMicros / 1_000_000
  t.same(await ask('POST', '/checkout/subscribe', { plan_id: 'pro' }), { settled: true })
  t.match(await services.planOf(orgId), { plan: { id: 'pro' }, payFrom: 'card' })
  t.equal(await balance(), 25, 'the 5 of development, and the credits of the plan')
  await services.jobs.runDue()
  clock.advance(32 * 86_400_000)
  await services.jobs.runDue()
  t.equal(await balance(), 25, 'new credits replaced the unused ones')
  await sql`insert into customers (org_id, livemode) values (${orgId}, false)`.execute(acrossOrgs(services.database.db))
  const amounts = { threshold_micros: 30_000_000, amount_micros: 10_000_000, monthly_limit_micros: 10_000_000 }
  t.match(await ask('PATCH', '/customers/me/auto-topup', { ...amounts, enabled: true }), { enabled: true })
  clock.advance(15_000)
  await services.jobs.runDue()
  t.equal(await balance(), 35)
  t.same((await services.auditLedger()).differences, [])
})
