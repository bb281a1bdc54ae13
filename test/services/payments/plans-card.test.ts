import { sql } from 'kysely'
import t from 'tap'
import fc from '../../fixtures/property.ts'
import { paymentsFixture } from '../../payments/payments-fixture.ts'
import { plansFixture } from '../../payments/plans-fixture.ts'

/** A fixture with a subscription by card, and what events of it would do. */
async function subscribed(t: Parameters<typeof plansFixture>[0]) {
  const fixture = await plansFixture(t)
  const { provider, applyPlans } = fixture
  const apply = (type: string) => (id: string) => applyPlans[type]?.(id)
  const sync = { checkout: apply('checkout.session'), subscription: apply('subscription'), invoice: apply('invoice') }
  await fixture.subscribe()
  const [pageId = ''] = provider.pages.keys()
  const stripeId = provider.complete(pageId)
  return { ...fixture, sync, pageId, stripeId }
}

t.test('a subscription by card begins when its page is paid, and grants each paid month once', async t => {
  const { sync, pageId, stripeId, plan, dollars, provider, wait, differences, actions } = await subscribed(t)
  t.equal(await plan(), 'free')
  for (let repeated = 0; repeated < 2; repeated++) {
    await sync.checkout(pageId)
    await sync.subscription(stripeId)
  }
  t.equal(await plan(), 'pro card')
  t.equal(await dollars(), 70)
  await wait(30)
  t.equal(await dollars(), 50, 'the unused credits expired')
  provider.turn(stripeId)
  await sync.subscription(stripeId)
  t.equal(await dollars(), 50, 'nothing is granted before it is paid')
  await sync.invoice(provider.pay(stripeId))
  t.equal(await dollars(), 70)
  t.same(await differences(), [])
  t.same(await actions(), ['change', 'grant', 'expire', 'grant'])
})

t.test('whatever comes first, the page, the subscription or the invoice: the plan begins once', async t => {
  const property = fc.asyncProperty(
    fc.shuffledSubarray(['page', 'page', 'subscription', 'subscription', 'invoice', 'invoice'], { minLength: 1 }),
    async order => {
      const { sync, pageId, stripeId, plan, dollars, provider, differences } = await subscribed(t)
      const invoice = provider.pay(stripeId)
      for (const first of order) {
        if (first === 'page') await sync.checkout(pageId)
        else if (first === 'subscription') await sync.subscription(stripeId)
        else await sync.invoice(invoice)
      }
      t.same([await plan(), await dollars(), await differences()], ['pro card', 70, []], order.join())
    },
  )
  await fc.assert(property, { numRuns: 12 })
})

t.test('events at the same time have the effect of one', async t => {
  const { sync, pageId, stripeId, plan, dollars, provider, differences } = await subscribed(t)
  const invoice = provider.pay(stripeId)
  await Promise.all(
    [1, 2, 3].flatMap(() => [sync.checkout(pageId), sync.subscription(stripeId), sync.invoice(invoice)]),
  )
  t.same([await plan(), await dollars(), await differences()], ['pro card', 70, []])
})

t.test('concurrent subscriptions by card get the same page', async t => {
  const { subscribe, provider } = await plansFixture(t)
  const answers = await Promise.all(Array.from({ length: 5 }, () => subscribe()))
  t.equal(new Set(answers.map(answer => JSON.stringify(answer))).size, 1)
  t.equal(provider.pages.size, 1)
  t.same(await subscribe(), answers[0], 'also later')
})

t.test('while a subscription by card is active, another one is rejected', async t => {
  const { sync, stripeId, subscribe, provider } = await subscribed(t)
  await sync.subscription(stripeId)
  for (const payFrom of ['card', 'wallet'] as const) await t.rejects(subscribe('pro', payFrom), { code: 'ALREADY_PRO' })
  t.equal(provider.pages.size, 1)
})

t.test('a page that was paid without an event is noticed by the next request', async t => {
  for (const payFrom of ['card', 'wallet'] as const) {
    const { subscribe, plan, dollars } = await subscribed(t)
    await t.rejects(subscribe('pro', payFrom), { code: 'ALREADY_PRO' })
    t.same([await plan(), await dollars()], ['pro card', 70])
  }
})

t.test('a plan from the wallet closes the open page, so that nobody pays twice', async t => {
  const { subscribe, provider, plan } = await plansFixture(t)
  await subscribe()
  await subscribe('pro', 'wallet')
  t.same(
    [...provider.pages.values()].map(({ status }) => status),
    ['expired'],
  )
  t.equal(await plan(), 'pro wallet')
})

t.test('a page that is opened while a plan is paid from the wallet cannot be paid too', async t => {
  for (let run = 0; run < 5; run++) {
    const { subscribe, provider, plan } = await plansFixture(t)
    await Promise.allSettled([subscribe('pro', 'card'), subscribe('pro', 'wallet')])
    const open = [...provider.pages.values()].filter(({ status }) => status === 'open')
    t.same([await plan(), open.length], ['pro wallet', 0])
  }
})

t.test('an expired page makes room for a new one', async t => {
  const { subscribe, provider } = await plansFixture(t)
  await subscribe()
  const [page] = provider.pages.values()
  if (page !== undefined) page.status = 'expired'
  t.match(await subscribe(), { checkoutUrl: /^https/ })
  t.equal(provider.pages.size, 2)
})

t.test('while the provider is down nothing changes, and the next request gets the page of the first', async t => {
  const { subscribe, provider, db, plan } = await plansFixture(t)
  provider.stop(true)
  await t.rejects(subscribe())
  provider.stop(false)
  t.match(await subscribe(), { checkoutUrl: /^https/ })
  t.equal((await db.selectFrom('subscriptions').selectAll().execute()).length, 1)
  t.equal(await plan(), 'free')
})

t.test('the free plan lets a subscription end with its month; until then it can be continued', async t => {
  const { sync, stripeId, subscribe, plan, provider, actions } = await subscribed(t)
  await sync.subscription(stripeId)
  t.same(await subscribe('free'), { settled: true })
  t.equal(await plan(), 'pro card ends')
  t.same(await subscribe(), { settled: true })
  t.equal(await plan(), 'pro card')
  await subscribe('free')
  provider.subscription(stripeId).status = 'canceled'
  await sync.subscription(stripeId)
  t.equal(await plan(), 'free')
  t.same(new Set(await actions()), new Set(['change', 'grant', 'cancel', 'resume']))
})

t.test('each state at the provider is pro or free', async t => {
  const { sync, stripeId, provider, plan } = await subscribed(t)
  const plans: Record<string, string> = {}
  for (const status of [
    'active',
    'trialing',
    'unpaid',
    'paused',
    'incomplete',
    'active',
    'incomplete_expired',
  ] as const) {
    provider.subscription(stripeId).status = status
    await sync.subscription(stripeId)
    plans[status] = await plan()
  }
  const free = { unpaid: 'free', paused: 'free', incomplete: 'free', incomplete_expired: 'free' }
  t.same(plans, { active: 'pro card', trialing: 'pro card', ...free })
})

t.test('a renewal that is not paid keeps the plan for three days, without credits', async t => {
  for (const seen of [true, false]) {
    const { sync, stripeId, provider, plan, wait, dollars } = await subscribed(t)
    await sync.subscription(stripeId)
    await wait(30)
    provider.turn(stripeId)
    // The provider shows the new month as active until it tries to charge it.
    if (seen) await sync.subscription(stripeId)
    provider.subscription(stripeId).status = 'past_due'
    await sync.subscription(stripeId)
    await sync.subscription(stripeId)
    t.same([await plan(), await dollars()], ['pro card past due', 50])
    await wait(2.9)
    t.equal(await plan(), 'pro card past due')
    await wait(0.2)
    t.equal(await plan(), 'free')
    provider.subscription(stripeId).status = 'active'
    await sync.invoice(provider.pay(stripeId))
    t.same([await plan(), await dollars()], ['pro card', 70], 'paid late')
  }
})

t.test('a late answer does not restore a plan that has ended', async t => {
  const { sync, stripeId, provider, plan } = await subscribed(t)
  await sync.subscription(stripeId)
  const read = provider.card.read
  const late = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  let first = true
  provider.card.read = async id => {
    const answer = await read(id)
    if (first) {
      first = false
      asked.resolve()
      await late.promise
    }
    return answer
  }
  const slow = sync.subscription(stripeId)
  await asked.promise
  provider.subscription(stripeId).status = 'canceled'
  await sync.subscription(stripeId)
  t.equal(await plan(), 'free')
  late.resolve()
  await slow
  t.equal(await plan(), 'free')
  provider.subscription(stripeId).status = 'active'
  await sync.subscription(stripeId)
  t.equal(await plan(), 'free', 'not even if the provider says so')
})

t.test('a subscription of another customer, of the other mode or of no page of ours changes nothing', async t => {
  const { sync, stripeId, provider, plan, dollars } = await subscribed(t)
  const remote = provider.subscription(stripeId)
  const { customerId } = remote
  for (const wrong of [{ customerId: 'cus_other' }, { customerId: null }, { customerId, livemode: true }]) {
    Object.assign(remote, wrong)
    await sync.subscription(stripeId)
    t.same([await plan(), await dollars()], ['free', 50], JSON.stringify(wrong))
  }
})

t.test('subscriptions and pages of the test mode count for nothing with a key of the live mode', async t => {
  const { sync, stripeId, db, plan, subscribe, provider } = await subscribed(t)
  await sync.subscription(stripeId)
  await sql`update subscriptions set livemode = true`.execute(db)
  t.equal(await plan(), 'free')
  t.match(await subscribe(), { checkoutUrl: /^https/ })
  await sql`update subscriptions set livemode = true where status = 'checkout'`.execute(db)
  t.match(await subscribe(), { checkoutUrl: /^https/ }, 'the page of the other mode is replaced')
  t.equal(provider.pages.size, 3)
  t.equal(provider.subscription(stripeId).status, 'active', 'it is not touched')
})

t.test('an invoice that differs from the subscription grants nothing and is listed for the operator', async t => {
  const { sync, stripeId, provider, dollars, db, differences } = await subscribed(t)
  const { paid } = provider.subscription(stripeId)
  if (paid === null) throw new Error('It is paid')
  Object.assign(paid, { subtotalCents: 1, currency: 'eur' })
  for (let repeated = 0; repeated < 2; repeated++) await sync.subscription(stripeId)
  t.equal(await dollars(), 50)
  const rows = await db.selectFrom('payment_reconciliations').orderBy('reason').selectAll().execute()
  t.match(rows, [
    { reason: 'currency', detail: { expected: 'usd', found: 'eur' } },
    { reason: 'subtotal', detail: { expected: 2000, found: 1 } },
  ])
  t.same(await differences(), [])
})

t.test('the hourly job finds paid pages and changes whose events were lost', async t => {
  const { stripeId, provider, plan, wait, db, sync } = await subscribed(t)
  await wait(0.1)
  t.equal(await plan(), 'pro card', 'the page was open for two hours')
  provider.subscription(stripeId).status = 'canceled'
  await wait(1.1)
  t.equal(await plan(), 'free')
  const other = await plansFixture(t)
  await other.subscribe()
  await sql`update subscriptions set session_id = null`.execute(other.db)
  await other.wait(0.1)
  t.same(await other.db.selectFrom('subscriptions').selectAll().execute(), [], 'a checkout that never had a page')
  t.ok(db && sync)
})

t.test('a subscription whose invoice stays unpaid is ended at the provider before a new one begins', async t => {
  const { sync, stripeId, provider, subscribe } = await subscribed(t)
  provider.subscription(stripeId).status = 'unpaid'
  await sync.subscription(stripeId)
  t.match(await subscribe(), { checkoutUrl: /^https/ })
  t.equal(provider.subscription(stripeId).status, 'canceled')
  const other = await subscribed(t)
  other.provider.subscription(other.stripeId).status = 'unpaid'
  await other.sync.subscription(other.stripeId)
  t.same(await other.subscribe('pro', 'wallet'), { settled: true })
  t.equal(other.provider.subscription(other.stripeId).status, 'canceled', 'also when the wallet pays')
})

t.test('webhooks of pages, subscriptions and invoices reach the plans by the ID of their object', async t => {
  const applied: string[] = []
  const record = (type: string) => async (id: string) => {
    applied.push(`${type} ${id}`)
  }
  const types = ['checkout.session', 'subscription', 'invoice']
  const { send, run, stripe } = await paymentsFixture(t, {
    applyPlans: Object.fromEntries(types.map(type => [type, record(type)])),
  })
  for (const [event, object] of [
    ['checkout.session.completed', { id: 'cs_1', object: 'checkout.session' }],
    ['customer.subscription.updated', { id: 'sub_1', object: 'subscription' }],
    ['invoice.paid', { id: 'in_1', object: 'invoice' }],
  ] as const)
    await send(stripe.event(event, object))
  await run()
  t.same(applied.sort(), ['checkout.session cs_1', 'invoice in_1', 'subscription sub_1'])
})
