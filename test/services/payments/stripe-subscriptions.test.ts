import Stripe from 'stripe'
import t, { type Test } from 'tap'
import { createPlans } from '../../../services/payments/plans/plans.ts'
import { createStripeSubscriptions } from '../../../services/payments/plans/stripe-subscriptions.ts'
import type { Subscription } from '../../../services/payments/plans/subscription.ts'
import { testSettings } from '../../fixtures/settings.ts'
import { type Answers, scriptedStripe } from '../../payments/scripted-stripe.ts'
import { stripeProvider } from '../../payments/stripe-provider.ts'

const SUBSCRIPTION: Subscription = {
  id: 'pln_1',
  orgId: 'org_1',
  provider: 'stripe',
  stripeId: null,
  sessionId: null,
  planId: 'pro',
  priceMicros: 20_000_000,
  includedMicros: 5_000_000,
  livemode: false,
  status: 'checkout',
  anchor: null,
  start: null,
  end: null,
  cancelAt: null,
  failures: 0,
  version: 0,
  createdAt: new Date(1_800_000_000_000),
  checkedAt: new Date(1_800_000_000_000),
}

const INVOICE = {
  id: 'in_1',
  object: 'invoice',
  status: 'paid',
  customer: 'cus_1',
  livemode: false,
  currency: 'usd',
  subtotal: 2000,
  total_excluding_tax: 2000,
  amount_paid: 2380,
  parent: { type: 'subscription_details', subscription_details: { subscription: 'sub_1' } },
  lines: {
    data: [
      { period: { start: 1, end: 2 }, parent: { subscription_item_details: { proration: true } } },
      {
        period: { start: 1_800_000_000, end: 1_802_592_000 },
        parent: { subscription_item_details: { proration: false } },
      },
    ],
  },
}

const REMOTE = {
  id: 'sub_1',
  object: 'subscription',
  customer: 'cus_1',
  livemode: false,
  status: 'active',
  cancel_at: null,
  cancel_at_period_end: false,
  latest_invoice: INVOICE,
  items: { data: [{ current_period_start: 1_800_000_000, current_period_end: 1_802_592_000 }] },
}

async function stage(t: Test, answers: Answers) {
  const { requests, port } = await scriptedStripe(t, answers)
  const stripe = new Stripe('sk_test_1', {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  })
  const card = createStripeSubscriptions({
    provider: stripeProvider(stripe, { automaticTax: true }),
    plans: createPlans(testSettings().plans),
    ensureCustomer: async () => 'cus_1',
  })
  return { card, requests }
}

t.test('the page of a subscription has the price of its row, and leads back to the dashboard only', async t => {
  const answer = { body: { id: 'cs_1', object: 'checkout.session', url: 'https://pay.test/1' } }
  const { card, requests } = await stage(t, { 'POST /v1/checkout/sessions': answer })
  t.same(await card.open(SUBSCRIPTION), { sessionId: 'cs_1', url: 'https://pay.test/1' })
  await card.open(SUBSCRIPTION)
  const [first, second] = requests
  t.equal(first?.key, 'pln:pln_1')
  t.same(first, second, 'a repeated request is the same')
  t.same(Object.fromEntries(first?.body ?? []), {
    mode: 'subscription',
    customer: 'cus_1',
    client_reference_id: 'pln_1',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': '2000',
    'line_items[0][price_data][recurring][interval]': 'month',
    'line_items[0][price_data][product_data][name]': 'Pro',
    'line_items[0][price_data][tax_behavior]': 'exclusive',
    'automatic_tax[enabled]': 'true',
    'customer_update[address]': 'auto',
    allow_promotion_codes: 'false',
    expires_at: '1800003600',
    success_url: 'https://dashboard.example/billing?subscription=done',
    cancel_url: 'https://dashboard.example/billing?subscription=canceled',
    'metadata[org_id]': 'org_1',
    'metadata[subscription_id]': 'pln_1',
    'subscription_data[metadata][org_id]': 'org_1',
    'subscription_data[metadata][subscription_id]': 'pln_1',
  })
})

t.test('a subscription is read with its period, its end and what its latest invoice pays for', async t => {
  const answers: Record<string, { body: object }> = { 'GET /v1/subscriptions/sub_1': { body: REMOTE } }
  const { card } = await stage(t, answers)
  const [start, end] = [new Date(1_800_000_000_000), new Date(1_802_592_000_000)]
  const period = { start, end }
  const paid = {
    id: 'in_1',
    customerId: 'cus_1',
    livemode: false,
    currency: 'usd',
    subtotalCents: 2000,
    chargedCents: 2380,
    ...period,
  }
  const expected = {
    id: 'sub_1',
    livemode: false,
    customerId: 'cus_1',
    status: 'active',
    ...period,
    cancelAt: null,
    paid,
  }
  t.same(await card.read('sub_1'), expected)
  for (const [facts, changed] of [
    [{ latest_invoice: { ...INVOICE, status: 'open' } }, { paid: null }],
    [{ latest_invoice: 'in_1' }, { paid: null }],
    [{ cancel_at_period_end: true }, { cancelAt: end }],
    [{ cancel_at: 1_801_000_000 }, { cancelAt: new Date(1_801_000_000_000) }],
    [{ status: 'a_new_state' }, { status: 'paused' }],
    [{ customer: { id: 'cus_2' } }, { customerId: 'cus_2' }],
  ] as const) {
    answers['GET /v1/subscriptions/sub_1'] = { body: { ...REMOTE, ...facts } }
    t.same(await card.read('sub_1'), { ...expected, ...changed }, JSON.stringify(facts))
  }
})

t.test('an invoice names its subscription; one of no subscription is not ours', async t => {
  const { card } = await stage(t, {
    'GET /v1/invoices/in_1': { body: INVOICE },
    'GET /v1/invoices/in_2': { body: { ...INVOICE, id: 'in_2', parent: null } },
    'GET /v1/invoices/in_3': { body: { ...INVOICE, id: 'in_3', status: 'open' } },
  })
  t.match(await card.readInvoice('in_1'), { subscriptionId: 'sub_1', paid: { id: 'in_1', subtotalCents: 2000 } })
  t.equal(await card.readInvoice('in_2'), undefined)
  t.same(await card.readInvoice('in_3'), { subscriptionId: 'sub_1', paid: null })
})

t.test('pages and subscriptions that have ended are no error to end again', async t => {
  const rejected = {
    status: 400,
    body: { error: { type: 'invalid_request_error', message: 'Only open sessions can be expired' } },
  }
  const { card, requests } = await stage(t, {
    'GET /v1/checkout/sessions/cs_1': {
      body: { id: 'cs_1', status: 'complete', url: null, subscription: 'sub_1', customer: 'cus_1' },
    },
    'POST /v1/checkout/sessions/cs_1/expire': rejected,
    'GET /v1/subscriptions/sub_1': { body: { ...REMOTE, status: 'canceled' } },
    'GET /v1/subscriptions/sub_2': { body: { ...REMOTE, id: 'sub_2' } },
    'DELETE /v1/subscriptions/sub_2': { body: { ...REMOTE, id: 'sub_2', status: 'canceled' } },
    'POST /v1/subscriptions/sub_2': { body: REMOTE },
  })
  await card.closeCheckout('cs_1')
  t.same(await card.readCheckout('cs_1'), {
    status: 'complete',
    url: null,
    subscriptionId: 'sub_1',
    customerId: 'cus_1',
  })
  await card.end('sub_1')
  await card.end('sub_2')
  await card.setEnding('sub_2', true)
  t.same(
    requests.slice(2).map(({ line, body }) => [line, String(body)].join(' ').trim()),
    [
      'GET /v1/subscriptions/sub_1',
      'GET /v1/subscriptions/sub_2',
      'DELETE /v1/subscriptions/sub_2',
      'POST /v1/subscriptions/sub_2 cancel_at_period_end=true',
    ],
  )
})

t.test('a failure of Stripe carries nothing of its answer', async t => {
  const { card } = await stage(t, {
    'POST /v1/checkout/sessions/cs_1/expire': { status: 500, body: { error: { message: 'secret_of_stripe' } } },
  })
  for (const work of [card.closeCheckout('cs_1'), card.read('sub_9'), card.readInvoice('in_9')]) {
    const error = await work.then(
      () => undefined,
      failure => failure,
    )
    t.equal(error?.name, 'StripeFailure')
    t.notMatch(JSON.stringify({ ...error, message: error?.message }), /secret_of_stripe/)
  }
})
