import t, { type Test } from 'tap'
import { acrossOrgs } from '../lib/database/tenant.ts'
import { DOLLAR } from '../schemas/billing/money.ts'
import { build } from './fixtures/build.ts'
import { testDatabase } from './fixtures/database.ts'
import { session } from './fixtures/fixture.ts'
import { stripeDouble } from './stripe/stripe-double.ts'

const PATIENCE_MS = 10_000

/** Makes the time that the client waits for Stripe pass fast. */
function hurry(t: Test): void {
  const { setTimeout } = globalThis
  const faster = (work: (...rest: unknown[]) => void, ms?: number, ...rest: unknown[]) =>
    setTimeout(() => work(...rest), ms === PATIENCE_MS ? 600 : ms)
  globalThis.setTimeout = Object.assign(faster, setTimeout) as typeof setTimeout
  t.teardown(() => {
    globalThis.setTimeout = setTimeout
  })
}

/** The app with the double of Stripe through its SDK, and an admin. */
async function stage(t: Test) {
  let now = Date.now
  const stripe = await stripeDouble(t, { clock: { now: () => now() } })
  let userId = ''
  const database = await testDatabase(t)
  const { app, services, directory, clock } = await build(t, {
    database,
    settings: { stripe: stripe.settings, dashboardUrl: 'https://dashboard.example' },
    verifyJwt: async () => session({ userId, meterKey: userId }),
  })
  now = clock.now
  const [ada] = await directory.members('owner')
  userId = ada.userId
  const ask = async (method: 'POST' | 'PATCH' | 'GET' | 'DELETE', url: string, payload?: object, key?: string) => {
    const headers = { authorization: 'Bearer e30.e30.ada', ...(key !== undefined && { 'idempotency-key': key }) }
    const response = await app.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: response.statusCode, body: response.body === '' ? null : response.json() }
  }
  const { account } = stripe
  return {
    app,
    ask,
    stripe,
    services,
    clock,
    hand: acrossOrgs(database.db),
    topup: (key?: string, more: object = {}) =>
      ask('POST', '/checkout/topup', { amount_micros: 20 * DOLLAR, ...more }, key),
    pages: () => account.all('checkout.session'),
    balance: async () => (await services.wallets.balance(ada.orgId)).balanceMicros,
    async deliver(event: Parameters<typeof stripe.webhook>[0]) {
      t.equal((await app.inject(stripe.webhook(event))).statusCode, 200)
      await services.jobs.runDue()
    },
    differences: async () => (await services.auditLedger()).differences,
  }
}

const UNAVAILABLE = { status: 502, body: { error: { type: 'api_error', code: 'internal_error', message: String } } }

t.test('a top-up whose answer takes too long opens one page, and is paid once', async t => {
  hurry(t)
  const { ask, topup, stripe, pages, balance, deliver, differences } = await stage(t)
  t.equal((await ask('POST', '/customers')).status, 201)
  const before = await balance()
  stripe.fault('slow done')
  t.match(await topup('k1'), UNAVAILABLE)
  t.equal(stripe.requests.filter(name => name === 'POST checkout/sessions').length, 2, 'the client repeats it once')
  t.match(await topup('k1'), UNAVAILABLE, 'while the first request runs at Stripe, its key is in use')
  stripe.finish()
  const { status, body } = await topup('k1')
  t.equal(status, 200)
  t.same((await topup('k1')).body, body)
  const [page, ...others] = pages()
  t.same([page?.url, others], [body.checkout_url, []])
  if (page !== undefined) await deliver(stripe.buyer.pay(page))
  t.same([await balance(), await differences()], [before + 20 * DOLLAR, []])
})

t.test('a request that never reached Stripe is made by the repetition', async t => {
  hurry(t)
  const { ask, topup, stripe, pages } = await stage(t)
  stripe.fault('slow')
  t.match(await ask('POST', '/customers'), UNAVAILABLE)
  stripe.finish()
  t.equal((await ask('POST', '/customers')).status, 201)
  stripe.fault('slow')
  t.match(await topup('k1'), UNAVAILABLE)
  stripe.finish()
  t.equal((await topup('k1')).status, 200)
  t.same([stripe.account.all('customer').length, pages().length], [1, 1])
})

t.test('a subscription whose page takes too long has one page', async t => {
  hurry(t)
  const { ask, stripe, pages } = await stage(t)
  const subscribe = () => ask('POST', '/checkout/subscribe', { plan_id: 'pro' })
  t.equal((await ask('POST', '/customers')).status, 201)
  stripe.fault('slow done')
  t.match(await subscribe(), UNAVAILABLE)
  stripe.finish()
  const { status, body } = await subscribe()
  t.equal(status, 200)
  const [page, ...others] = pages()
  t.same([page?.url, others], [body.checkout_url, []])
})

t.test('an automatic top-up whose answer takes too long charges once', async t => {
  hurry(t)
  const { ask, stripe, services, clock, balance, differences } = await stage(t)
  t.equal((await ask('POST', '/customers')).status, 201)
  // The jobs of the hour, which read at Stripe too.
  await services.jobs.runDue()
  const { id } = stripe.buyer.saveCard(stripe.account.all('customer')[0]?.id ?? '')
  const amounts = { threshold_micros: 10 * DOLLAR, amount_micros: 20 * DOLLAR, monthly_limit_micros: 100 * DOLLAR }
  t.equal((await ask('PATCH', '/customers/me/auto-topup', { ...amounts, enabled: true })).status, 200)
  const before = await balance()
  stripe.fault('slow done')
  const wait = async (ms: number) => {
    clock.advance(ms)
    await services.jobs.runDue()
  }
  await wait(15_000)
  await wait(15_000)
  t.equal(await balance(), before)
  stripe.finish()
  await wait(15_000)
  await wait(15_000)
  t.match(stripe.account.all('payment_intent'), [{ payment_method: id, amount: 2000 }])
  t.same([await balance(), await differences()], [before + 20 * DOLLAR, []])
})

t.test('reads and changes that take too long answer an error, and change nothing here', async t => {
  hurry(t)
  const { ask, stripe, hand } = await stage(t)
  t.equal((await ask('POST', '/customers')).status, 201)
  const card = stripe.buyer.saveCard(stripe.account.all('customer')[0]?.id ?? '')
  const rows = async () => [
    await hand.selectFrom('customers').selectAll().execute(),
    await hand.selectFrom('audit').select('action').execute(),
  ]
  const known = await rows()
  const amounts = { threshold_micros: 10 * DOLLAR, amount_micros: 20 * DOLLAR, monthly_limit_micros: 100 * DOLLAR }
  // The client repeats each request once. The key of a POST to Stripe is in use then.
  for (const [method, path, faults, body] of [
    ['GET', 'billing-profile', 2, undefined],
    ['PATCH', 'billing-profile', 1, { name: 'Ada AG' }],
    ['GET', 'payment-methods', 2, undefined],
    ['POST', 'payment-methods', 1, undefined],
    ['DELETE', `payment-methods/${card.id}`, 2, undefined],
    ['PATCH', 'auto-topup', 2, { ...amounts, enabled: true }],
  ] as const) {
    for (let i = 0; i < faults; i++) stripe.fault('slow')
    t.match(await ask(method, `/customers/me/${path}`, body), UNAVAILABLE, `${method} ${path}`)
    stripe.finish()
  }
  t.same(await rows(), known)
})

t.test('a failure that Stripe repeats for a key keeps nobody from paying', async t => {
  const { ask, topup, stripe, pages, balance, deliver } = await stage(t)
  stripe.fault('500')
  t.equal((await ask('POST', '/customers')).status, 201, 'with another key')
  const before = await balance()
  for (const fault of ['500', '500 done'] as const) {
    stripe.fault(fault)
    t.match(await topup(fault), UNAVAILABLE)
    t.match(await topup(fault), { status: 200 })
  }
  const subscribe = () => ask('POST', '/checkout/subscribe', { plan_id: 'pro' })
  stripe.fault('500')
  t.match(await subscribe(), UNAVAILABLE)
  t.equal((await subscribe()).status, 200)
  const [page] = pages().filter(({ mode }) => mode === 'payment')
  if (page !== undefined) await deliver(stripe.buyer.pay(page))
  t.equal(await balance(), before + 20 * DOLLAR)
})

t.test(
  'a repetition of a lost request with other parameters is a conflict, and the first one is still found',
  async t => {
    const { ask, topup, stripe, pages } = await stage(t)
    t.equal((await ask('POST', '/customers')).status, 201)
    stripe.fault('cut done')
    stripe.fault('cut')
    t.match(await topup('k1'), { status: 200 }, 'the client repeats it')
    t.equal(pages().length, 1)
    stripe.fault('slow done')
    hurry(t)
    t.match(await topup('k2'), UNAVAILABLE)
    stripe.finish()
    t.match(await topup('k2', { save_payment_method: true }), { status: 409, body: { code: 'IDEMPOTENCY_CONFLICT' } })
    t.equal((await topup('k2')).status, 200)
    t.equal(pages().length, 2)
  },
)
