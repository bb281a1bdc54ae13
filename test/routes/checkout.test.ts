import t, { type Test } from 'tap'
import { checkoutRoutes } from '../../routes/checkout.ts'
import { DOLLAR } from '../../schemas/billing/money.ts'
import { createStandings } from '../../services/billing/standings.ts'
import { createIdempotency } from '../../services/idempotency/idempotency.ts'
import { directoryOn } from '../fixtures/directory.ts'
import { routeFixture } from '../fixtures/route-fixture.ts'
import { RESULT_LIMITS } from '../fixtures/settings.ts'
import { paymentsFixture } from '../payments/payments-fixture.ts'

async function fixture(t: Test, options: Parameters<typeof paymentsFixture>[1] = {}) {
  const payments = await paymentsFixture(t, options)
  const { clock, topups } = payments
  const { db } = payments.database
  const { once } = createIdempotency({ db, clock, limits: RESULT_LIMITS })
  const standings = createStandings({ db, thresholdMicros: 0 })
  const made = await routeFixture(
    t,
    { directory: directoryOn(db, clock), clock },
    scope => {
      const subscribing = { subscribe: async () => ({ settled: true as const }) }
      scope.register(checkoutRoutes, { topups, subscribing, standings, once })
    },
    { ajv: { customOptions: { removeAdditional: false, coerceTypes: false } } },
  )
  const topup = (body: object | string, { who = 'ada.b.c', headers = {} } = {}) =>
    made.ask(who, 'POST', '/checkout/topup', { body, headers })
  return { ...payments, ...made, topup }
}

t.test('POST /checkout/topup answers the page of the payment', async t => {
  const { topup, stripe } = await fixture(t)
  const { status, body } = await topup({ amount_micros: 5 * DOLLAR })
  t.equal(status, 200)
  t.same(body, { checkout_url: stripe.sessions()[0]?.url })
})

t.test('POST /checkout/topup with the built-in provider answers the new balance', async t => {
  const { topup } = await fixture(t, { provider: { kind: 'built_in' } })
  t.match(await topup({ amount_micros: 5 * DOLLAR, save_payment_method: true }), {
    status: 200,
    body: { settled: true, balance_micros: 5 * DOLLAR },
  })
})

t.test('POST /checkout/topup without a provider says that none is configured', async t => {
  const { topup } = await fixture(t, { provider: { kind: 'none' } })
  t.match(await topup({ amount_micros: 5 * DOLLAR }), {
    status: 404,
    body: { code: 'NOT_FOUND', error: /^No payment provider is configured/ },
  })
})

t.test('POST /checkout/topup rejects every amount that is not whole cents within the limits', async t => {
  const { topup, stripe, hand } = await fixture(t)
  const bodies = [
    '0',
    '-1',
    '1.5',
    '1e3',
    '9007199254740993',
    '"5000000"',
    'null',
    'true',
    '[5000000]',
    '5000001',
    '4990000',
  ]
  for (const amount of [...bodies, '10000010000', '1e400', '-0'])
    t.match(
      await topup(`{"amount_micros":${amount}}`),
      { status: 400, body: { code: 'INVALID_REQUEST', error: /amount_micros/ } },
      amount,
    )
  t.match(await topup('{"amount_micros":NaN}'), { status: 400, body: { code: 'INVALID_REQUEST' } })
  t.match(await topup({}), { status: 400, body: { code: 'INVALID_REQUEST', error: /amount_micros/ } })
  t.match(await topup({ amount_micros: 5 * DOLLAR, currency: 'eur' }), {
    status: 400,
    body: { code: 'INVALID_REQUEST' },
  })
  t.same(stripe.requests, [])
  t.same(await hand.selectFrom('payments').select('id').execute(), [])
})

t.test('POST /checkout/topup requires the session of an owner or admin', async t => {
  const { topup, stripe } = await fixture(t)
  const as = (who: string) => topup({ amount_micros: 5 * DOLLAR }, { who })
  t.match(await as('bob.b.c'), { status: 403, body: { code: 'FORBIDDEN' } })
  t.match(await as('ada'), { status: 403, body: { code: 'SESSION_REQUIRED' } })
  t.match(await as('agent'), { status: 403, body: { code: 'SESSION_REQUIRED' } })
  t.match(await as('a.b.c'), { status: 402, body: { code: 'no_active_org' } })
  t.match(await as('gone.b.c'), { status: 403, body: { code: 'MEMBERSHIP_REVOKED' } })
  t.match(await as('unknown.b.c'), { status: 401, body: { error: { code: 'invalid_jwt' } } })
  t.same(stripe.requests, [])
})

t.test('POST /checkout/topup is open to a suspended organization and to one in billing hold', async t => {
  const { topup, hand, ada } = await fixture(t)
  await hand
    .updateTable('wallets')
    .set({ balance_micros: -5 * DOLLAR })
    .where('org_id', '=', ada.orgId)
    .execute()
  t.match(await topup({ amount_micros: 5 * DOLLAR }), { status: 200 })
  await hand.updateTable('organizations').set({ suspended_at: new Date() }).where('id', '=', ada.orgId).execute()
  t.match(await topup({ amount_micros: 5 * DOLLAR }), { status: 200 })
})

t.test('a repeated Idempotency-Key gets the same page, also after a lost answer of Stripe', async t => {
  const { topup, stripe } = await fixture(t)
  const once = { headers: { 'idempotency-key': 'k1' } }
  stripe.fail({ error: { type: 'StripeConnectionError' }, done: true })
  t.match(await topup({ amount_micros: 5 * DOLLAR }, once), {
    status: 502,
    body: { error: { code: 'internal_error' } },
  })
  const first = await topup({ amount_micros: 5 * DOLLAR }, once)
  t.match(first, { status: 200, body: { checkout_url: String } })
  const second = await topup({ amount_micros: 5 * DOLLAR }, once)
  t.same(second.body, first.body)
  t.match(second.headers, { 'idempotent-replayed': 'true' })
  t.equal(stripe.sessions().length, 1)
  t.match(await topup({ amount_micros: 6 * DOLLAR }, once), { status: 409, body: { code: 'IDEMPOTENCY_CONFLICT' } })
})

t.test('the eleventh top-up of an organization in a minute is rejected', async t => {
  const { topup } = await fixture(t)
  for (let i = 0; i < 10; i++) t.match(await topup({ amount_micros: 5 * DOLLAR }), { status: 200 })
  t.match(await topup({ amount_micros: 5 * DOLLAR }), { status: 429, headers: { 'retry-after': '60' } })
  t.match(await topup({ amount_micros: 5 * DOLLAR }, { who: 'eve.b.c' }), { status: 200 })
})
