import t from 'tap'
import { forOrg } from '../lib/database/tenant.ts'
import { newsHeard, testDatabase } from './fixtures/database.ts'
import { json, type Reply, shopJourney } from './fixtures/journey-fixture.ts'

/** Shared by all tests: each has its own organization. */
const database = await testDatabase(t)

const SHOP_TOOLS = ['shop__add_order', 'shop__export_orders', 'shop__list_orders', 'shop__watch_orders']

t.test(
  'a member who connects an account immediately sees it, its tools and their results, and other members do not',
  async t => {
    const { as, ada, eve, connect, services, api } = await shopJourney(t, { shared: database })
    t.match(await as(ada).entry('shop'), { status: 'disconnected', accounts: [] })
    t.equal((await as(ada).tools('shop')).size, 0)

    const account = await connect(ada, 'ada@shop.test')
    t.match(await as(ada).entry('shop'), {
      status: 'connected',
      url: 'http://localhost/connectors/shop',
      accounts: [
        { id: account.id, alias: 'ada@shop.test', identity: 'ada@shop.test', scope: 'private', can_remove: true },
      ],
    })
    const tools = await as(ada).tools('shop')
    t.same([...tools.keys()], SHOP_TOOLS)
    for (const aliases of tools.values()) t.same(aliases, ['ada@shop.test'])

    const listed = await as(ada).call('shop__list_orders')
    t.match(listed, { status: 200, outcome: 'ok', data: { items: [{ id: 1 }, { id: 2 }] } })
    t.same(listed.account, { id: account.id, alias: 'ada@shop.test', identity: 'ada@shop.test' })
    t.notMatch(listed.text, 'not for models')
    t.match(api.requests[0]?.headers, { authorization: /^Bearer .{20}/ })
    await services.usage.flush()
    const [row] = await forOrg(services.database.db, ada.orgId).selectFrom('usage').selectAll().execute()
    t.match(row, { tool: 'shop__list_orders', account_id: account.id, user_id: ada.userId, outcome: 'ok' })

    t.match(await as(eve).entry('shop'), { status: 'disconnected', accounts: [] })
    t.equal((await as(eve).tools('shop')).size, 0)
    t.equal((await as(eve).call('shop__list_orders')).text, 'Tool shop__list_orders not found')
    t.equal(api.requests.length, 1)
  },
)

t.test('a list continues from its next_cursor to its end; a cursor of another tool is rejected', async t => {
  const { as, ada, connect, api } = await shopJourney(t, { shared: database })
  await connect(ada, 'ada')
  const first = await as(ada).call('shop__list_orders')
  const next = first.data.next_cursor
  t.type(next, 'string')
  const second = await as(ada).call('shop__list_orders', { cursor: next })
  t.same(second.data, { items: [{ id: 3 }] })
  const asked = api.requests.length
  t.match(await as(ada).call('shop__list_orders', { cursor: 'made up' }), { outcome: 'invalid_request' })
  t.equal(api.requests.length, asked)
})

t.test('a repeated write under its idempotency key reaches the provider once', async t => {
  const { as, ada, connect, api } = await shopJourney(t, { shared: database })
  await connect(ada, 'ada')
  const key = { 'idempotency-key': 'one' }
  const first = await as(ada).call('shop__add_order', { item: 'tea' }, key)
  const again = await as(ada).call('shop__add_order', { item: 'tea' }, key)
  t.match(first, { outcome: 'ok', data: { id: 1 } })
  t.same([again.data, again.account], [first.data, first.account])
  t.same(
    api.requests.map(({ method, body }) => [method, body]),
    [['POST', '{"item":"tea"}']],
  )
  t.match(await as(ada).call('shop__add_order', { item: 'ink' }, key), { outcome: 'idempotency_conflict' })
  await as(ada).call('shop__add_order', { item: 'tea' })
  t.equal(api.requests.length, 2)
})

t.test('a call must name one of several accounts; otherwise it lists them and sends nothing', async t => {
  const { as, ada, eve, connect, api } = await shopJourney(t, { shared: database })
  const home = await connect(ada, 'ada-at-home', { alias: 'home' })
  await connect(ada, 'ada-at-work', { alias: 'work' })
  t.same((await as(ada).tools('shop')).get('shop__list_orders'), ['home', 'work'])
  const unsaid = await as(ada).call('shop__list_orders')
  t.match(unsaid, { outcome: 'account_required', error: { message: /"home", "work"/ } })
  t.match(await as(ada).call('shop__list_orders', { account: 'elsewhere' }), {
    outcome: 'error',
    text: /`account` must be "home" or "work"; got "elsewhere"/,
  })
  t.equal(api.requests.length, 0)
  t.match((await as(ada).call('shop__list_orders', { account: 'home' })).account, { id: home.id, alias: 'home' })

  const shared = await connect(eve, 'the-team', { alias: 'home', scope: 'shared' })
  t.same((await as(ada).tools('shop')).get('shop__list_orders'), ['home', 'work', 'shared:home'])
  t.match((await as(ada).call('shop__list_orders', { account: 'shared:home' })).account, { id: shared.id })
  t.match((await as(eve).call('shop__list_orders')).account, { id: shared.id, alias: 'home' }, 'their only one')
  t.match(await as(ada).entry('shop'), { accounts: [{ alias: 'home' }, { alias: 'work' }, { alias: 'shared:home' }] })
})

t.test('reauthorizing keeps the ID and the alias, and rejects another identity', async t => {
  const { as, ada, connect, services } = await shopJourney(t, { shared: database })
  const account = await connect(ada, 'ada', { alias: 'work' })
  await services.accounts.setStatus(account.id, 'needs_reauth', 'operator')
  t.match(await as(ada).entry('shop'), { status: 'needs_reauth', accounts: [{ status: 'needs_reauth' }] })
  t.equal((await as(ada).tools('shop')).size, SHOP_TOOLS.length, 'its tools stay')
  t.match(await as(ada).call('shop__list_orders'), {
    outcome: 'needs_reauth',
    error: { message: new RegExp(`account connect --account ${account.id}`) },
  })

  await t.rejects(connect(ada, 'somebody else', { accountId: account.id }), { code: 'identity_mismatch' })
  t.match(await as(ada).call('shop__list_orders'), { outcome: 'needs_reauth' })
  t.match(await connect(ada, 'ada', { accountId: account.id }), { id: account.id, alias: 'work', status: 'connected' })
  t.match(await as(ada).call('shop__list_orders'), { outcome: 'ok', account: { id: account.id } })
  t.match(await as(ada).entry('shop'), { status: 'connected', accounts: [{ id: account.id }] })
})

t.test('a removed account disappears from the next index, list and call, by either route or the tool', async t => {
  const { as, ada, owner, connect } = await shopJourney(t, { shared: database })
  const gone = async () => {
    t.match(await as(ada).entry('shop'), { status: 'disconnected', accounts: [] })
    t.equal((await as(ada).tools('shop')).size, 0)
    t.match(await as(ada).call('shop__list_orders'), { text: 'Tool shop__list_orders not found' })
  }
  await connect(ada, 'ada')
  t.match(await as(ada).remove('/connectors/shop'), { status: 204, text: '' })
  await gone()
  t.match(await as(ada).remove('/connectors/shop'), { status: 204 }, 'nothing is left to remove')

  const account = await connect(ada, 'ada')
  const url = `/connectors/shop/accounts/${account.id}`
  t.match(
    await as(owner).remove(url),
    { status: 404, code: 'account_not_found' },
    'a private account of another member is unknown',
  )
  t.match(await as(ada).remove(url), { status: 204 })
  await gone()
  t.match(await as(ada).remove(url), { status: 404, code: 'account_not_found' })

  await connect(ada, 'ada', { alias: 'work' })
  t.match(await as(ada).call('manage__accounts_remove', { alias: 'work' }), { outcome: 'ok', data: { alias: 'work' } })
  await gone()

  await connect(ada, 'one')
  await connect(ada, 'two')
  t.match(await as(ada).remove('/connectors/shop'), { status: 409, code: 'multiple_accounts' })
  t.match(await as(ada).entry('shop'), { accounts: [{ alias: 'one' }, { alias: 'two' }] })
})

t.test('disabling a capability removes the tools and keeps the entry', async t => {
  const { as, ada, connect, services, org } = await shopJourney(t, { shared: database })
  await connect(ada, 'ada')
  const set = async (capability: string, enabled: boolean) => {
    await services.capabilities.set({ orgId: org.id, userId: null, capability, enabled })
    await newsHeard(services.database)
  }
  await set('shop', false)
  t.equal((await as(ada).tools('shop')).size, 0)
  t.match(await as(ada).call('shop__list_orders'), { text: 'Tool shop__list_orders not found' })
  t.match(await as(ada).entry('shop'), { status: 'connected', accounts: [{ alias: 'ada' }] })
  const { data } = await as(ada).call('manage__explain_tool', { name: 'shop__list_orders' })
  t.match(data, { callable: false, reason: 'disabled' })

  await set('shop', true)
  await set('shop__add_order', false)
  t.same(
    [...(await as(ada).tools('shop')).keys()],
    SHOP_TOOLS.filter(name => name !== 'shop__add_order'),
  )
})

t.test('a tool that returns a file returns a URL that serves it, whole or in part, without a credential', async t => {
  const { as, ada, connect, app, clock } = await shopJourney(t, { shared: database })
  await connect(ada, 'ada')
  const { data, text, account } = await as(ada).call('shop__export_orders')
  t.match(account, { alias: 'ada' })
  t.match(data, {
    name: 'orders.csv',
    media_type: 'text/plain',
    bytes: 20,
    url: /^http:\/\/localhost\/artifacts\/art_/,
  })
  t.same(JSON.parse(text), data)
  const url = String(data.url)
  const whole = await app.inject(url)
  t.match([whole.statusCode, whole.body], [200, 'id,item\n1,tea\n2,ink\n'])
  t.match(whole.headers, { 'content-disposition': /orders\.csv/, 'x-content-type-options': 'nosniff' })
  const part = await app.inject({ url, headers: { range: 'bytes=0-6' } })
  t.match([part.statusCode, part.body, part.headers['content-range']], [206, 'id,item', 'bytes 0-6/20'])
  t.equal((await app.inject({ url, headers: { range: 'bytes=20-' } })).statusCode, 416)
  t.equal((await app.inject(url.replace(/.$/, last => (last === 'A' ? 'B' : 'A')))).statusCode, 404)
  clock.advance(86_400_000)
  t.equal((await app.inject(url)).statusCode, 404)
})

t.test('a tool without its granted scope is listed, names the scope, and sends nothing', async t => {
  const { as, ada, connect, api } = await shopJourney(t, { shared: database })
  const account = await connect(ada, 'ada', { optionalScopes: [] })
  t.ok((await as(ada).tools('shop')).has('shop__watch_orders'))
  t.match(await as(ada).call('shop__watch_orders'), {
    outcome: 'scope_missing',
    error: { message: new RegExp(`offline_access.*account connect --account ${account.id}`) },
    details: { account: account.id, scopes: ['offline_access'] },
  })
  const { data } = await as(ada).call('manage__explain_tool', { name: 'shop__watch_orders' })
  t.match(data, { callable: false, reason: 'scope_missing', accounts: [{ missing_scopes: ['offline_access'] }] })
  t.equal(api.requests.length, 0)
  await connect(ada, 'ada', { accountId: account.id })
  t.match(await as(ada).call('shop__watch_orders'), { outcome: 'ok' })
})

t.test('a rate-limited provider gives the wait, in each of its forms', async t => {
  const journey = await shopJourney(t, { shared: database })
  const { as, ada, connect, clock, provider } = journey
  await connect(ada, 'ada')
  const reset = { 'x-ratelimit-reset': String(Math.floor(clock.now() / 1000) + 40) }
  const forms: [name: string, seconds: number, Reply][] = [
    ['429 with Retry-After', 30, (_, response) => json(response, 429, { message: 'slow' }, { 'retry-after': '30' })],
    ['429 with its own header', 40, (_, response) => json(response, 429, {}, reset)],
    [
      '403 with none remaining',
      40,
      (_, response) => json(response, 403, { message: 'limit' }, { 'x-ratelimit-remaining': '0', ...reset }),
    ],
    ['200 with a code', 60, (_, response) => json(response, 200, { ok: false, error: 'ratelimited' })],
  ]
  for (const [name, seconds, reply] of forms) {
    provider.reply = reply
    const { outcome, error, details } = await as(ada).call('shop__list_orders')
    t.equal(outcome, 'upstream_rate_limited', name)
    t.ok(Math.abs(Number(details.retry_after) - seconds) <= 1, `${name}: ${error?.message}`)
  }
  provider.reply = (_, response) => json(response, 403, { message: 'Not yours' })
  t.match(await as(ada).call('shop__list_orders'), { outcome: 'upstream_rejected', error: { message: /Not yours/ } })
  provider.reply = () => false
  t.match(await as(ada).call('shop__list_orders'), { outcome: 'ok' })
})
