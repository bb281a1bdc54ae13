import Stripe from 'stripe'
import t, { type Test } from 'tap'
import { testClock } from '../fixtures/fixture.ts'
import { SCHEMA_VERSION } from './check-parameters.ts'
import { stripeDouble } from './stripe-double.ts'

/** Part of an error of the SDK. */
const error = (facts: object) => facts as Error

/** The double and the SDK, without repetitions. */
async function connected(t: Test, config: Stripe.StripeConfig = {}) {
  const clock = testClock(Date.now())
  const double = await stripeDouble(t, { clock })
  const { secretKey, apiBase = '' } = double.settings
  const { hostname: host, port } = new URL(apiBase)
  const fixed = { host, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false } as const
  const connect = (key: string) => new Stripe(key, { ...fixed, ...config })
  const stripe = connect(secretKey)
  const { id: customer } = await stripe.customers.create({})
  const page = (change: Partial<Stripe.Checkout.SessionCreateParams> = {}): Stripe.Checkout.SessionCreateParams => ({
    mode: 'payment',
    customer,
    line_items: [
      { quantity: 1, price_data: { currency: 'usd', unit_amount: 2000, product_data: { name: 'Balance top-up' } } },
    ],
    success_url: 'https://dashboard.example/billing',
    ...change,
  })
  return { ...double, clock, stripe, customer, page, connect }
}

t.test('the schemas of the double were made from the installed SDK', async t => {
  t.equal(SCHEMA_VERSION, Stripe.PACKAGE_VERSION, 'run test/stripe/make-parameters.ts')
})

t.test('another key, version or encoding, and unknown or invalid parameters are rejected', async t => {
  const { stripe, page, connect, settings, customer } = await connected(t)
  await t.rejects(connect('sk_test_other').customers.retrieve(customer), error({ statusCode: 401 }))
  // biome-ignore lint/suspicious/noExplicitAny: the types exclude what the double must reject
  const create = (change: any) => stripe.checkout.sessions.create(page(change))
  await t.rejects(create({ payment_method_types: ['card'] }), error({ code: 'parameter_unknown' }))
  await t.rejects(create({ mode: 'gift' }), error({ code: 'parameter_invalid', param: 'mode' }))
  await t.rejects(
    create({ line_items: [{ quantity: 1, price_data: { currency: 'usd', color: 'red' } }] }),
    error({ param: /line_items/ }),
  )
  await t.rejects(create({ customer: 'cus_none' }), error({ code: 'resource_missing' }))
  const post = (headers: Record<string, string>) =>
    fetch(`${settings.apiBase}/v1/customers`, { method: 'POST', headers, body: '{}' })
  const authorization = `Bearer ${settings.secretKey}`
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  t.equal((await post({ authorization, ...form, 'stripe-version': '2023-08-16' })).status, 400)
  const version = { 'stripe-version': '2026-10-28.endive' }
  t.equal((await post({ authorization, ...version, 'content-type': 'application/json' })).status, 400)
})

t.test('amounts below the minimum, and pages that end too soon or too late, are rejected', async t => {
  const { stripe, page, account } = await connected(t)
  const create = (change: Partial<Stripe.Checkout.SessionCreateParams>) => stripe.checkout.sessions.create(page(change))
  const price_data = { currency: 'usd', unit_amount: 49, product_data: { name: 'x' } }
  await t.rejects(create({ line_items: [{ quantity: 1, price_data }] }), error({ code: 'amount_too_small' }))
  for (const seconds of [60, 25 * 3600])
    await t.rejects(create({ expires_at: account.seconds() + seconds }), error({ param: 'expires_at' }))
})

t.test(
  'a repeated idempotency key gets the saved answer, 500 included; with other parameters it is rejected',
  async t => {
    const { stripe, page, fault, account } = await connected(t)
    const create = (idempotencyKey: string, change = {}) =>
      stripe.checkout.sessions.create(page(change), { idempotencyKey })
    const first = await create('a')
    t.equal((await create('a')).id, first.id)
    await t.rejects(create('a', { client_reference_id: 'other' }), error({ type: 'StripeIdempotencyError' }))
    for (const [key, broken, made] of [
      ['b', '500', 1],
      ['c', '500 done', 2],
    ] as const) {
      fault(broken)
      for (let i = 0; i < 2; i++) await t.rejects(create(key), error({ statusCode: 500 }))
      t.equal(account.all('checkout.session').length, made)
    }
  },
)

t.test('the key of a slow request is in use until it has ended', async t => {
  const { stripe, page, fault, finish, account } = await connected(t, { timeout: 100 })
  const create = (idempotencyKey: string) => stripe.checkout.sessions.create(page(), { idempotencyKey })
  for (const [key, slow, before, after] of [
    ['a', 'slow', 0, 1],
    ['b', 'slow done', 2, 2],
  ] as const) {
    fault(slow)
    await t.rejects(create(key), error({ type: 'StripeConnectionError' }))
    await t.rejects(create(key), error({ statusCode: 409, code: 'idempotency_key_in_use' }))
    t.equal(account.all('checkout.session').length, before)
    finish()
    const [made] = [await create(key), await create(key)].map(({ id }) => id)
    t.equal(made, account.all('checkout.session')[0]?.id)
    t.equal(account.all('checkout.session').length, after)
  }
})

t.test('a page is paid once, expires with time, and a slow payment settles later', async t => {
  const { stripe, page, buyer, account, clock, events } = await withEvents(t)
  const paid = await stripe.checkout.sessions.create(page())
  buyer.pay(account.get('checkout.session', paid.id), { tax: 380 })
  t.throws(() => buyer.pay(account.get('checkout.session', paid.id)))
  const read = await stripe.checkout.sessions.retrieve(paid.id, { expand: ['payment_intent'] })
  t.match(read, { payment_status: 'paid', amount_total: 2380, payment_intent: { amount_received: 2380 } })

  const slow = account.get('checkout.session', (await stripe.checkout.sessions.create(page())).id)
  buyer.pay(slow, { slow: true })
  t.equal((await stripe.checkout.sessions.retrieve(slow.id)).payment_status, 'unpaid')
  buyer.settle(slow)
  t.equal((await stripe.checkout.sessions.retrieve(slow.id)).payment_status, 'paid')

  const open = await stripe.checkout.sessions.create(page())
  clock.advance(25 * 3_600_000)
  t.match(await stripe.checkout.sessions.retrieve(open.id), { status: 'expired', url: null })
  await t.rejects(stripe.checkout.sessions.expire(open.id), error({ statusCode: 400 }))
  t.same(events(), ['completed', 'completed', 'async_payment_succeeded', 'expired'])
})

async function withEvents(t: Test) {
  const made = await connected(t)
  const events = () => made.account.events.map(({ type }) => type.replace('checkout.session.', ''))
  return { ...made, events }
}

t.test('a saved card is charged, declined, or settles later; a card of another customer is rejected', async t => {
  const { stripe, buyer, customer } = await connected(t)
  const charge = (payment_method: string) =>
    stripe.paymentIntents.create({
      amount: 2000,
      currency: 'usd',
      customer,
      payment_method,
      off_session: true,
      confirm: true,
    })
  t.match(await charge(buyer.saveCard(customer).id), { status: 'succeeded', amount_received: 2000 })
  t.match(await charge(buyer.saveCard(customer, 'slow').id), { status: 'processing', amount_received: 0 })
  for (const [card, code] of [
    ['declined', 'card_declined'],
    ['authentication', 'authentication_required'],
  ] as const)
    await t.rejects(charge(buyer.saveCard(customer, card).id), error({ type: 'StripeCardError', code }))
  await t.rejects(charge(buyer.saveCard('cus_other').id), error({ statusCode: 400 }))
})

t.test('events are signed for the SDK, and show the object as it was', async t => {
  const { stripe, page, buyer, account, settings, webhook } = await connected(t)
  const session = account.get('checkout.session', (await stripe.checkout.sessions.create(page())).id)
  const event = buyer.pay(session, { slow: true })
  buyer.settle(session)
  const { payload, headers } = webhook(event)
  const [secret = ''] = settings.webhookSecrets
  const read = stripe.webhooks.constructEvent(payload, headers['stripe-signature'], secret, 300, undefined, Date.now())
  t.match(read, { type: 'checkout.session.completed', data: { object: { payment_status: 'unpaid' } } })
})
