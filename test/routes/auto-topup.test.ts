import t, { type Test } from 'tap'
import { autoTopupRoutes } from '../../routes/customers.ts'
import { DOLLAR } from '../../schemas/billing/money.ts'
import { createStandings } from '../../services/billing/standings.ts'
import { directoryOn } from '../fixtures/directory.ts'
import { routeFixture } from '../fixtures/route-fixture.ts'
import { paymentsFixture } from '../payments/payments-fixture.ts'

const URL = '/customers/me/auto-topup'
const AMOUNTS = { threshold_micros: 5 * DOLLAR, amount_micros: 20 * DOLLAR, monthly_limit_micros: 100 * DOLLAR }

async function fixture(t: Test, options: Parameters<typeof paymentsFixture>[1] = {}) {
  const payments = await paymentsFixture(t, options)
  const { clock, autoTopupSettings, newCustomer, stripe } = payments
  const { db } = payments.database
  const standings = createStandings({ db, thresholdMicros: 0 })
  const made = await routeFixture(
    t,
    { directory: directoryOn(db, clock), clock },
    scope => {
      scope.register(autoTopupRoutes, { autoTopupSettings, standings })
    },
    { ajv: { customOptions: { removeAdditional: false, coerceTypes: false } } },
  )
  const customer = await newCustomer(made.ada.orgId)
  return {
    ...payments,
    ...made,
    saveCard: () => stripe.methods.push({ id: 'pm_1', customer }),
    read: (who = 'ada.b.c') => made.ask(who, 'GET', URL),
    change: (body: object, who = 'ada.b.c') => made.ask(who, 'PATCH', URL, { body }),
  }
}

t.test('GET /customers/me/auto-topup answers that they are off until an admin switches them on', async t => {
  const { read, change, saveCard } = await fixture(t)
  const off = { enabled: false, threshold_micros: null, amount_micros: null, monthly_limit_micros: null }
  t.same((await read()).body, { ...off, charged_this_month_micros: 0 })
  saveCard()
  t.match(await change(AMOUNTS), { status: 200, body: { ...AMOUNTS, enabled: false } })
  t.match(await change({ enabled: true }), { status: 200, body: { ...AMOUNTS, enabled: true } })
  t.match((await read()).body, { ...AMOUNTS, enabled: true })
  t.match((await change({ enabled: false })).body, { ...AMOUNTS, enabled: false })
})

t.test('PATCH /customers/me/auto-topup needs all amounts, a saved card and a limit of one top-up', async t => {
  const { change, saveCard } = await fixture(t)
  const invalid = { status: 400, body: { code: 'INVALID_REQUEST' } }
  const { monthly_limit_micros: _, ...incomplete } = AMOUNTS
  t.match(await change({ ...AMOUNTS, enabled: true }), { ...invalid, body: { error: /saved payment method/ } })
  saveCard()
  t.match(await change({ ...incomplete, enabled: true }), { ...invalid, body: { error: /monthly_limit_micros/ } })
  t.match(await change({ ...AMOUNTS, enabled: true, monthly_limit_micros: 19 * DOLLAR }), invalid)
  for (const wrong of [
    {},
    { enabled: 'yes' },
    { threshold_micros: -1 },
    { amount_micros: 4 * DOLLAR },
    { amount_micros: 20 * DOLLAR + 1 },
    { amount_micros: 10_001 * DOLLAR },
    { monthly_limit_micros: 0 },
    { monthly_limit_micros: 2_000_000 * DOLLAR },
    { ceiling: 1 },
  ])
    t.match(await change(wrong), invalid, JSON.stringify(wrong))
})

t.test('automatic top-ups are for admins in a session, of an organization that is a customer', async t => {
  const { read, change } = await fixture(t)
  for (const [who, status, code] of [
    ['bob.b.c', 403, 'FORBIDDEN'],
    ['ada', 403, 'SESSION_REQUIRED'],
    ['a.b.c', 402, 'no_active_org'],
    ['eve.b.c', 404, 'CUSTOMER_NOT_FOUND'],
  ] as const) {
    t.match(await read(who), { status, body: { code } }, who)
    t.match(await change(AMOUNTS, who), { status, body: { code } }, who)
  }
})

t.test('without a payment provider they cannot be switched on; the built-in one needs no card', async t => {
  const none = await fixture(t, { provider: { kind: 'none' } })
  t.match(await none.change({ ...AMOUNTS, enabled: true }), { status: 404, body: { code: 'NOT_FOUND' } })
  const builtIn = await fixture(t, { provider: { kind: 'built_in' } })
  t.match(await builtIn.change({ ...AMOUNTS, enabled: true }), { status: 200, body: { enabled: true } })
})

t.test('a failure of Stripe while a saved card is looked up is masked, and nothing changes', async t => {
  const { change, stripe, read } = await fixture(t)
  stripe.fail({ error: { type: 'StripeConnectionError' }, done: false })
  const { status, body } = await change({ ...AMOUNTS, enabled: true })
  t.match([status >= 500, body], [true, { error: { code: 'internal_error' } }])
  t.match((await read()).body, { enabled: false, amount_micros: null })
})
