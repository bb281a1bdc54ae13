import Stripe from 'stripe'
import t, { type Test } from 'tap'
import { DOLLAR } from '../../schemas/billing/money.ts'
import { createPlans } from '../../services/payments/plans/plans.ts'
import { createStripeSubscriptions } from '../../services/payments/plans/stripe-subscriptions.ts'
import { createAutoCharge } from '../../services/payments/topups/auto-topup-job.ts'
import { createFindMethod } from '../../services/payments/topups/auto-topup-settings.ts'
import type { Payment } from '../../services/payments/topups/payment-rows.ts'
import { testClock } from '../fixtures/fixture.ts'
import { testSettings } from '../fixtures/settings.ts'
import { stripeProvider } from '../payments/stripe-provider.ts'
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
    const plans = createStripeSubscriptions({
      provider: { ...provider, automaticTax },
      ensureCustomer: async () => customerId,
      plans: createPlans(testSettings().plans),
    })
    const opened = await plans.open({
      id: `pln_${automaticTax}`,
      orgId: 'org_1',
      provider: 'stripe',
      stripeId: null,
      sessionId: null,
      planId: 'pro',
      priceMicros: 20 * DOLLAR,
      includedMicros: 0,
      livemode: false,
      status: 'checkout',
      anchor: null,
      start: null,
      end: null,
      cancelAt: null,
      failures: 0,
      version: 0,
      createdAt: new Date(clock.now()),
      checkedAt: new Date(clock.now()),
    })
    t.match(account.get('checkout.session', opened.sessionId), { mode: 'subscription', status: 'open' })
  }
})

t.test('Stripe accepts an automatic charge, and its refusals are told apart', async t => {
  const { clock, provider, customerId, buyer, account } = await provided(t)
  const charge = createAutoCharge(provider)
  const payment = (id: string): Payment => ({
    id,
    orgId: 'org_1',
    kind: 'auto_topup',
    provider: 'stripe',
    state: 'created',
    userId: null,
    amountMicros: 20 * DOLLAR,
    amountCents: 2000,
    livemode: false,
    sessionId: null,
    paymentIntentId: null,
    chargedCents: null,
    creditedAt: null,
    reversedMicros: 0,
    failure: null,
    createdAt: new Date(clock.now()),
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
