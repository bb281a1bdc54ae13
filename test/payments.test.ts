import { randomBytes } from 'node:crypto'
import t from 'tap'
import { DOLLAR } from '../schemas/money.ts'
import { build } from './build.ts'
import { session } from './fixture.ts'
import { httpStripe } from './payments/http-stripe.ts'
import { memoryStripe, sign } from './payments/memory-stripe.ts'

t.test('an admin tops up, pays at Stripe, and has the balance after the webhook; a refund takes it back', async t => {
  const stripe = memoryStripe()
  const webhookSecret = `whsec_${randomBytes(24).toString('hex')}`
  const users = new Map<string, string>()
  const { app, services, directory, clock } = await build(t, {
    settings: {
      dashboardUrl: 'https://dashboard.example',
      stripe: {
        secretKey: 'sk_test_0123456789',
        livemode: false,
        webhookSecrets: [webhookSecret],
        apiBase: await httpStripe(t, stripe),
        automaticTax: false,
      },
    },
    verifyJwt: async token => session({ userId: users.get(token) ?? '', meterKey: token }),
  })
  const [ada] = await directory.members('owner')
  users.set('e30.e30.ada', ada.userId)

  const started = await app.inject({
    method: 'POST',
    url: '/checkout/topup',
    headers: { authorization: 'Bearer e30.e30.ada', 'idempotency-key': 'first' },
    payload: { amount_micros: 25 * DOLLAR },
  })
  const [page] = stripe.sessions()
  t.match([started.statusCode, started.json()], [200, { checkout_url: page?.url ?? '' }])
  if (page === undefined) return
  t.match(page, { amount_subtotal: 2500, customer: 'cus_of_the_test' })

  async function deliver(type: string, object: { id: string; object: string }): Promise<void> {
    const payload = JSON.stringify(stripe.event(type, object))
    const signature = sign(payload, webhookSecret, Math.floor(clock.now() / 1000))
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    const { statusCode } = await app.inject({ method: 'POST', url: '/webhooks/stripe', headers, payload })
    t.equal(statusCode, 200)
    await services.jobs.runDue()
  }
  const balance = async () => (await services.wallets.balance(ada.orgId)).balanceMicros
  const before = await balance()
  const intent = stripe.pay(page, { tax: 475 })
  await deliver('checkout.session.completed', page)
  t.equal(await balance(), before + 25 * DOLLAR)
  stripe.refund(intent.id, 2975)
  // The event of the session again: any event leads to the current state.
  await deliver('checkout.session.completed', page)
  t.equal(await balance(), before)
  t.same((await services.auditLedger()).differences, [])
})
