import { randomBytes } from 'node:crypto'
import Stripe from 'stripe'
import t, { type Test } from 'tap'
import { DOLLAR } from '../../schemas/money.ts'
import { createAutoCharge, createFindMethod } from '../../services/payments/auto-charge.ts'
import type { Payment } from '../../services/payments/payment.ts'
import { createPlans } from '../../services/payments/plans.ts'
import { createStripePlans } from '../../services/payments/stripe-plans.ts'
import { build } from '../build.ts'
import { session, testClock } from '../fixture.ts'
import { stripeProvider } from '../payments/stripe-provider.ts'
import { testSettings } from '../settings.ts'
import { stripeDouble } from './stripe-double.ts'

/** The double through the SDK, as the provider of payments. */
async function provided(t: Test) {
  const clock = testClock(Date.now())
  const double = await stripeDouble(t, { clock })
  const { secretKey, apiBase = '' } = double.settings
  const { hostname: host, port } = new URL(apiBase)
  const stripe = new Stripe(secretKey, { host, port, protocol: 'http', telemetry: false })
  const { id: customerId } = await stripe.customers.create({})
  const provider = stripeProvider(stripe)
  return { ...double, clock, provider, customerId }
}

t.test('Stripe accepts the parameters of a subscription’s page, with and without tax', async t => {
  const { clock, provider, customerId, account } = await provided(t)
  for (const automaticTax of [false, true]) {
    const plans = createStripePlans({
      provider: { ...provider, automaticTax },
      ensureCustomer: async () => customerId,
      plans: createPlans(testSettings().plans),
    })
    const opened = await plans.open({
      ...{ id: `pln_${automaticTax}`, orgId: 'org_1', provider: 'stripe', stripeId: null, sessionId: null },
      ...{ planId: 'pro', priceMicros: 20 * DOLLAR, includedMicros: 0, livemode: false, status: 'checkout' },
      ...{ anchor: null, start: null, end: null, cancelAt: null, failures: 0, version: 0 },
      ...{ createdAt: new Date(clock.now()), checkedAt: new Date(clock.now()) },
    })
    t.match(account.get('checkout.session', opened.sessionId), { mode: 'subscription', status: 'open' })
  }
})

t.test('Stripe accepts an automatic charge, and its refusals are told apart', async t => {
  const { clock, provider, customerId, buyer, account } = await provided(t)
  const charge = createAutoCharge(provider)
  const payment = (id: string): Payment => ({
    ...{ id, orgId: 'org_1', kind: 'auto_topup', provider: 'stripe', state: 'created', userId: null },
    ...{ amountMicros: 20 * DOLLAR, amountCents: 2000, livemode: false, sessionId: null, paymentIntentId: null },
    ...{ chargedCents: null, creditedAt: null, reversedMicros: 0, failure: null, createdAt: new Date(clock.now()) },
  })
  const { id: good } = buyer.saveCard(customerId)
  const find = createFindMethod(provider)
  t.equal(await find(customerId, null), good)
  const first = await charge(payment('pay_1'), { customerId, methodId: good })
  t.same(await charge(payment('pay_1'), { customerId, methodId: good }), first, 'charged once')
  t.equal(account.all('payment_intent').length, 1)
  for (const [card, declined] of [
    ['declined', 'card_declined'],
    ['authentication', 'authentication_required'],
  ] as const) {
    const { id: methodId } = buyer.saveCard(customerId, card)
    t.match(await charge(payment(`pay_${card}`), { customerId, methodId }), { declined, intentId: /^pi_/ })
  }
})

t.test('a top-up through the app: late, doubled and reordered webhooks credit once, and refunds take back', async t => {
  const clock = testClock(Date.now())
  const stripe = await stripeDouble(t, { clock })
  const users = new Map<string, string>()
  const { app, services, directory } = await build(t, {
    settings: { dashboardUrl: 'https://dashboard.example', stripe: stripe.settings },
    verifyJwt: async token => session({ userId: users.get(token) ?? '', meterKey: token }),
  })
  const [ada] = await directory.members('owner')
  users.set('e30.e30.ada', ada.userId)
  const headers = { authorization: 'Bearer e30.e30.ada', 'idempotency-key': randomBytes(8).toString('hex') }
  const payload = { amount_micros: 25 * DOLLAR, save_payment_method: true }
  const topup = () => app.inject({ method: 'POST', url: '/checkout/topup', headers, payload })
  // Each request is repeated once by the SDK: the customer, then the page.
  stripe.fault('cut done')
  const opened = await topup()
  const [page] = stripe.account.all('checkout.session')
  t.match([opened.statusCode, opened.json()], [200, { checkout_url: page?.url }])
  t.equal(stripe.account.all('customer').length, 1)
  if (page === undefined) return

  const balance = async () => (await services.wallets.balance(ada.orgId)).balanceMicros
  const before = await balance()
  const completed = stripe.buyer.pay(page, { slow: true, tax: 475 })
  const arrived = stripe.buyer.settle(page)
  for (const event of [arrived, completed, arrived]) {
    t.equal((await app.inject(stripe.webhook(event))).statusCode, 200)
    await services.jobs.runDue()
  }
  t.equal(await balance(), before + 25 * DOLLAR)
  const old = stripe.account.seconds() - 301
  t.equal((await app.inject(stripe.webhook(completed, { at: old }))).statusCode, 400)

  const refund = stripe.buyer.refund(page.payment_intent, 2975)
  t.equal((await app.inject(stripe.webhook(refund))).statusCode, 200)
  await services.jobs.runDue()
  t.equal(await balance(), before)
  t.same((await services.auditLedger()).differences, [])
})
