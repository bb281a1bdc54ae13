import { randomBytes } from 'node:crypto'
import t from 'tap'
import { acrossOrgs } from '../lib/database/tenant.ts'
import { build } from './fixtures/build.ts'
import { session } from './fixtures/fixture.ts'
import { sign } from './payments/memory-stripe.ts'
import { type Answers, scriptedStripe } from './payments/scripted-stripe.ts'

const DAY_S = 86_400

t.test('an admin subscribes, pays at Stripe, and is on the plan after the webhook until it ends there', async t => {
  const page = {
    id: 'cs_1',
    object: 'checkout.session',
    status: 'open',
    url: 'https://pay.test/1',
    subscription: null,
    customer: 'cus_1',
  }
  const answers: Answers = {
    'POST /v1/customers': { body: { id: 'cus_1', object: 'customer' } },
    'POST /v1/checkout/sessions': { body: page },
    'GET /v1/checkout/sessions/cs_1': { body: page },
  }
  const { requests, port } = await scriptedStripe(t, answers)
  const webhookSecret = `whsec_${randomBytes(24).toString('hex')}`
  let userId = ''
  const { app, services, directory, clock } = await build(t, {
    settings: {
      dashboardUrl: 'https://dashboard.example',
      stripe: {
        secretKey: 'sk_test_0123456789',
        livemode: false,
        webhookSecrets: [webhookSecret],
        apiBase: `http://127.0.0.1:${port}`,
        automaticTax: false,
      },
    },
    verifyJwt: async () => session({ userId, meterKey: userId }),
  })
  const [ada] = await directory.members('owner')
  userId = ada.userId
  const { orgId } = ada

  async function deliver(type: string, object: { id: string; object: string }): Promise<void> {
    const payload = JSON.stringify({ id: `evt_${type}`, object: 'event', type, livemode: false, data: { object } })
    const signature = sign(payload, webhookSecret, Math.floor(clock.now() / 1000))
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    t.equal((await app.inject({ method: 'POST', url: '/webhooks/stripe', headers, payload })).statusCode, 200)
    await services.jobs.runDue()
  }
  const subscribe = async (plan_id: string) => {
    const headers = { authorization: 'Bearer e30.e30.x' }
    return (await app.inject({ method: 'POST', url: '/checkout/subscribe', headers, payload: { plan_id } })).json()
  }
  const plan = async () => (await services.planOf(orgId)).plan.id
  const balance = async () => (await services.wallets.balance(orgId)).balanceMicros

  t.same(await subscribe('pro'), { checkout_url: 'https://pay.test/1' })
  t.equal(requests.find(({ line }) => line === 'POST /v1/checkout/sessions')?.body.get('customer'), 'cus_1')
  const before = await balance()

  const start = Math.floor(clock.now() / 1000)
  const period = { start, end: start + 30 * DAY_S }
  const invoice = {
    id: 'in_1',
    object: 'invoice',
    status: 'paid',
    customer: 'cus_1',
    livemode: false,
    currency: 'usd',
    subtotal: 2000,
    total_excluding_tax: 2000,
    amount_paid: 2000,
    parent: { subscription_details: { subscription: 'sub_1' } },
    lines: { data: [{ period, parent: { subscription_item_details: { proration: false } } }] },
  }
  const subscription = {
    id: 'sub_1',
    object: 'subscription',
    customer: 'cus_1',
    livemode: false,
    status: 'active',
    cancel_at: null,
    cancel_at_period_end: false,
    latest_invoice: invoice,
    items: { data: [{ current_period_start: period.start, current_period_end: period.end }] },
  }
  answers['GET /v1/checkout/sessions/cs_1'] = {
    body: { ...page, status: 'complete', url: null, subscription: 'sub_1' },
  }
  answers['GET /v1/subscriptions/sub_1'] = { body: subscription }
  answers['GET /v1/invoices/in_1'] = { body: invoice }
  // The invoice comes first, and what events say is not used.
  await deliver('invoice.paid', { id: 'in_1', object: 'invoice' })
  t.equal(await plan(), 'pro')
  t.equal(await balance(), before + 20_000_000)
  await deliver('checkout.session.completed', { id: 'cs_1', object: 'checkout.session' })
  await deliver('customer.subscription.updated', { id: 'sub_1', object: 'subscription' })
  t.equal(await balance(), before + 20_000_000)
  t.match(await subscribe('pro'), { code: 'ALREADY_PRO' })

  answers['GET /v1/subscriptions/sub_1'] = { body: { ...subscription, status: 'canceled' } }
  await deliver('customer.subscription.deleted', { id: 'sub_1', object: 'subscription' })
  t.equal(await plan(), 'free')
  t.same((await services.auditLedger()).differences, [])
  const audited = await acrossOrgs(services.database.db).selectFrom('audit').selectAll().execute()
  t.match(
    audited
      .map(({ action }) => action)
      .sort()
      .join(),
    /plan\.change,plan\.change,plan\.grant/,
  )
  t.notMatch(JSON.stringify(audited), /pay\.test|sk_test|whsec_/)
})
