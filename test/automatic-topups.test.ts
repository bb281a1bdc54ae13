import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { DOLLAR } from '../schemas/billing/money.ts'
import { stripeFixture } from './stripe/stripe-fixture.ts'

const URL = '/customers/me/auto-topup'
const HOUR_MS = 3_600_000

type Card = Parameters<Awaited<ReturnType<typeof stripeFixture>>['stripe']['buyer']['saveCard']>[1]

/** An organization with a saved card that tops up 20 dollars below 10. */
async function stage(t: Test, card: Card) {
  const fixture = await stripeFixture(t)
  const { ask, stripe, clock, services, hand } = fixture
  t.equal((await ask('POST', '/customers')).status, 201)
  const customer = stripe.account.all('customer')[0]?.id ?? ''
  const method = stripe.buyer.saveCard(customer, card)
  const amounts = { threshold_micros: 10 * DOLLAR, amount_micros: 20 * DOLLAR, monthly_limit_micros: 100 * DOLLAR }
  t.match(await ask('PATCH', URL, { ...amounts, enabled: true }), { status: 200, body: { enabled: true } })
  // Development credits 5 dollars, which is below the threshold.
  return {
    ...fixture,
    customer,
    method,
    async run(ms = 15_000) {
      clock.advance(ms)
      await services.jobs.runDue()
    },
    charges: () => stripe.requests.filter(request => request === 'POST payment_intents').length,
    intents: () => stripe.account.all('payment_intent'),
    settings: async () => (await ask('GET', URL)).body,
    states: async () => {
      const payments = hand.selectFrom('payments').where('kind', '=', 'auto_topup').orderBy('created_at').selectAll()
      return (await payments.execute()).map(({ state, failure }) => [state, failure].filter(Boolean).join(' '))
    },
  }
}

t.test(
  'an automatic top-up charges the saved card by Stripe’s SDK, and a partial refund takes its share back',
  async t => {
    const { run, ada, customer, method, intents, dollars, states, stripe, deliver, differences } = await stage(
      t,
      'good',
    )
    await run()
    const [intent] = intents()
    t.match(intent, { amount: 2000, currency: 'usd', customer, payment_method: method.id, status: 'succeeded' })
    t.match(intent?.metadata, { org_id: ada.orgId, payment_id: /^pay_/ })
    t.same([await dollars(), await states()], [25, ['paid']])
    await deliver(stripe.buyer.refund(intent?.id ?? '', 500))
    t.equal(await dollars(), 20)
    await deliver(stripe.buyer.dispute(intent?.id ?? '', 2000))
    t.equal(await dollars(), 5, 'never more than it credited')
    t.same(await differences(), [])
  },
)

t.test('a card that declines, and a bank that wants the buyer, are refusals by Stripe’s SDK', async t => {
  for (const [card, state, enabled] of [
    ['declined', 'failed card_declined', true],
    ['authentication', 'failed authentication_required', false],
  ] as const) {
    const { run, dollars, states, settings, charges } = await stage(t, card)
    await run()
    t.same([await dollars(), await states(), charges()], [5, [state], 1], card)
    t.match(await settings(), { enabled, charged_this_month_micros: 0 })
  }
})

t.test('a charge that fails or is cut off in Stripe’s SDK is credited once, whether it took effect or not', async t => {
  for (const fault of ['500', '500 done', 'cut', 'cut done'] as const) {
    const { run, dollars, intents, stripe } = await stage(t, 'good')
    stripe.fault(fault)
    await run()
    // Stripe saves a failure for its key: the payment is looked up after an hour, and otherwise begins anew.
    for (let hours = 0; hours < 4; hours++) await run(HOUR_MS + 1)
    t.same([await dollars(), intents().length], [25, 1], fault)
  }
})

t.test('a slow charge is in flight until its event, and nothing else is charged meanwhile', async t => {
  const { run, dollars, states, intents, charges, deliver, stripe, settings } = await stage(t, 'slow')
  await run()
  await run()
  await run(2 * HOUR_MS)
  t.same([await dollars(), await states(), charges()], [5, ['processing'], 1])
  t.match(await settings(), { charged_this_month_micros: 20 * DOLLAR })
  const [intent] = intents()
  if (intent === undefined) throw new Error('No payment')
  Object.assign(intent, { status: 'succeeded', amount_received: 2000 })
  await deliver(stripe.account.emit('payment_intent.succeeded', intent))
  t.same([await dollars(), await states()], [25, ['paid']])
})

t.test(
  'an organization that becomes a customer of the other mode loses the saved card, and is not charged',
  async t => {
    const { hand, ask, run, ada, charges } = await stage(t, 'good')
    await sql`update customers set livemode = true, stripe_id = 'cus_of_the_other_mode'`.execute(hand)
    t.equal((await ask('POST', '/customers')).status, 201)
    const row = hand.selectFrom('customers').where('org_id', '=', ada.orgId).selectAll()
    t.match(await row.executeTakeFirst(), { livemode: false, stripe_id: /^cus_\d+/, default_payment_method: null })
    await run()
    t.equal(charges(), 0)
  },
)
