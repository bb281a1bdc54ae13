import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { acrossOrgs } from '../lib/database/tenant.ts'
import { DOLLAR } from '../schemas/billing/money.ts'
import { build } from './fixtures/build.ts'
import { testDatabase } from './fixtures/database.ts'
import { session } from './fixtures/fixture.ts'

// Each code of a route of money, through the whole app. The order of the cases matters: later ones need earlier ones.
const database = await testDatabase(t)
const hand = acrossOrgs(database.db)
const users: Record<string, string> = {}
const { app, directory } = await build(t, {
  database,
  settings: { topupLimits: { minMicros: 5 * DOLLAR, maxMicros: 10_000 * DOLLAR } },
  verifyJwt: async token => session({ userId: users[token.slice(8)] ?? 'usr_nobody', meterKey: token }),
})
const [ada, bob] = await directory.members('owner', 'member')
Object.assign(users, { ada: ada.userId, bob: bob.userId })
const { id: keyId, key } = await ada.key()

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
const ROUTES: [Method, string, object?][] = [
  ['POST', '/checkout/topup', { amount_micros: 10 * DOLLAR }],
  ['POST', '/checkout/subscribe', { plan_id: 'pro' }],
  ['POST', '/customers'],
  ['GET', '/customers/me'],
  ['GET', '/customers/me/billing-profile'],
  ['PATCH', '/customers/me/billing-profile', { name: 'Ada' }],
  ['GET', '/customers/me/payment-methods'],
  ['POST', '/customers/me/payment-methods'],
  ['DELETE', '/customers/me/payment-methods/pm_1'],
  ['GET', '/customers/me/wallet'],
  ['GET', '/customers/me/transactions'],
  ['GET', '/customers/me/auto-topup'],
  ['PATCH', '/customers/me/auto-topup', { enabled: false }],
]

async function ask(who: string | undefined, [method, url, payload]: (typeof ROUTES)[number]) {
  const credential =
    who === undefined ? {} : { authorization: who === 'key' ? `Bearer ${key}` : `Bearer e30.e30.${who}` }
  const { statusCode, body } = await app.inject({ method, url, headers: credential, ...(payload && { payload }) })
  const answer = body === '' ? {} : JSON.parse(body)
  const { error, code } = answer
  // The envelope tells them apart: message first, or nested.
  return typeof error === 'object'
    ? `${statusCode} nested ${error.code}`
    : `${statusCode}${code === undefined ? '' : ` ${code}`}`
}

async function answers(t: Test, who: string | undefined, expected: string) {
  for (const route of ROUTES) t.equal(await ask(who, route), expected, `${route[0]} ${route[1]}`)
}

const topup = (amount_micros: unknown): (typeof ROUTES)[number] => ['POST', '/checkout/topup', { amount_micros }]
const subscribe = (plan_id: string, pay_from = 'wallet'): (typeof ROUTES)[number] => [
  ...(['POST', '/checkout/subscribe'] as const),
  { plan_id, pay_from },
]
const suspend = (at: Date | null) =>
  hand.updateTable('organizations').set({ suspended_at: at }).where('id', '=', ada.orgId).execute()

t.test('the list of routes of money is complete', async t => {
  const own = ROUTES.map(([method, url]) => `${method} ${url.replace('pm_1', ':id')}`)
  const { paths } = JSON.parse(await readFile('docs/openapi.json', 'utf8')) as { paths: Record<string, object> }
  const served = Object.entries(paths).flatMap(([url, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${url.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  )
  t.same(own.toSorted(), served.filter(route => /\/(checkout|customers)/.test(route)).toSorted())
})

t.test('401 missing_authorization without a credential', async t =>
  answers(t, undefined, '401 nested missing_authorization'),
)

t.test('402 no_active_org for a user without an organization', async t => answers(t, 'nobody', '402 no_active_org'))

t.test('403 FORBIDDEN for a member', async t => answers(t, 'bob', '403 FORBIDDEN'))

t.test('403 SESSION_REQUIRED for an API key, and 402 key_spend_limit_exceeded at its cap', async t => {
  await answers(t, 'key', '403 SESSION_REQUIRED')
  await hand.updateTable('api_keys').set({ monthly_cap_micros: 0 }).where('id', '=', keyId).execute()
  await answers(t, 'key', '402 key_spend_limit_exceeded')
})

t.test('400 INVALID_REQUEST for a body that is not valid', async t => {
  for (const route of [topup('5'), topup(1), topup(-5 * DOLLAR), subscribe('pro', 'cash')])
    t.equal(await ask('ada', route), '400 INVALID_REQUEST', JSON.stringify(route[2]))
})

t.test('404 CUSTOMER_NOT_FOUND before there is a customer, then 409 CUSTOMER_ALREADY_EXISTS', async t => {
  for (const route of ROUTES.filter(([, url]) => /me($|\/(billing|payment|auto))/.test(url)))
    t.equal(await ask('ada', route), '404 CUSTOMER_NOT_FOUND', `${route[0]} ${route[1]}`)
  t.equal(await ask('ada', ['POST', '/customers']), '201')
  t.equal(await ask('ada', ['POST', '/customers']), '409 CUSTOMER_ALREADY_EXISTS')
})

t.test(
  '404 PLAN_NOT_FOUND, 409 ALREADY_FREE, 402 INSUFFICIENT_BALANCE, 409 ALREADY_PRO of POST /checkout/subscribe',
  async t => {
    t.equal(await ask('ada', subscribe('gold')), '404 PLAN_NOT_FOUND')
    t.equal(await ask('ada', subscribe('free')), '409 ALREADY_FREE')
    t.equal(
      await ask('ada', subscribe('pro')),
      '402 INSUFFICIENT_BALANCE',
      'development gives 5 dollars, the plan costs 20',
    )
    t.equal(await ask('ada', topup(20 * DOLLAR)), '200')
    t.equal(await ask('ada', subscribe('pro')), '200')
    t.equal(await ask('ada', subscribe('pro')), '409 ALREADY_PRO')
  },
)

t.test('403 WALLET_BLOCKED to subscribe while suspended, when a top-up is accepted and ends no suspension', async t => {
  await suspend(new Date(0))
  t.equal(await ask('ada', subscribe('pro', 'card')), '403 WALLET_BLOCKED')
  t.equal(await ask('ada', topup(5 * DOLLAR)), '200')
  t.equal(await ask('ada', subscribe('pro')), '403 WALLET_BLOCKED')
  t.equal(await ask('ada', ['GET', '/customers/me/wallet']), '200', 'reads keep working')
  await suspend(null)
})

t.test('404 WALLET_NOT_FOUND for an organization without a wallet', async t => {
  const [eve] = await directory.members('owner')
  users.eve = eve.userId
  await hand.deleteFrom('wallets').where('org_id', '=', eve.orgId).execute()
  for (const path of ['wallet', 'transactions'])
    t.equal(await ask('eve', ['GET', `/customers/me/${path}`]), '404 WALLET_NOT_FOUND')
})

t.test('429 rate_limit_exceeded, nested, for the eleventh top-up in a minute', async t => {
  for (let count = 0; count < 10; count++) await ask('ada', topup(5 * DOLLAR))
  t.equal(await ask('ada', topup(5 * DOLLAR)), '429 nested rate_limit_exceeded')
})

t.test('a failure is masked as 500 internal_error, nested', async t => {
  await sql`alter table payments rename to payments_gone`.execute(hand)
  t.equal(await ask('ada', ['GET', '/customers/me/auto-topup']), '500 nested internal_error')
  await sql`alter table payments_gone rename to payments`.execute(hand)
})
