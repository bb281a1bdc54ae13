import t from 'tap'
import { DOLLAR } from '../schemas/billing/money.ts'
import { stripeFixture } from './stripe/stripe-fixture.ts'

t.test('a top-up through the app: late, doubled and reordered webhooks credit once, and refunds take back', async t => {
  const { app, ask, stripe, deliver, dollars, differences } = await stripeFixture(t)
  const { account, buyer, fault, webhook } = stripe
  // The answer of the first request is lost. The SDK repeats it.
  fault('cut done')
  const opened = await ask('POST', '/checkout/topup', { amount_micros: 25 * DOLLAR, save_payment_method: true })
  const [page] = account.all('checkout.session')
  const customers = account.all('customer')
  t.equal(customers.length, 1)
  t.match(opened, { status: 200, body: { checkout_url: page?.url } })
  if (page === undefined) return
  t.match(page, { amount_subtotal: 2500, customer: customers[0]?.id })

  const before = await dollars()
  const completed = buyer.pay(page, { slow: true, tax: 475 })
  const arrived = buyer.settle(page)
  for (const event of [arrived, completed, arrived]) await deliver(event)
  t.equal(await dollars(), before + 25)
  t.equal((await app.inject(webhook(completed, { at: account.seconds() - 301 }))).statusCode, 400)

  const refund = buyer.refund(page.payment_intent, 2975)
  await deliver(refund)
  t.equal(await dollars(), before)
  // An event again: any event leads to the current state.
  await deliver(completed)
  t.equal(await dollars(), before)
  t.same(await differences(), [])
})
