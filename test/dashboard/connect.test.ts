import t, { type Test } from 'tap'
import { browserSignIn } from '../browser-sign-in.ts'
import { shop } from '../journey-fixture.ts'
import { keyProvider } from '../key-provider.ts'
import { keyConnector, newKey, registerApp } from '../sample-connectors.ts'
import { DASHBOARD, dashboardFixture } from './dashboard-fixture.ts'

const CALLBACK = `${DASHBOARD}/connect/callback`

async function fixture(t: Test) {
  const [hub, provider] = [await shop(t), await keyProvider(t)]
  const connectors = [hub.connector, keyConnector('vaulted', provider.origin, { probe: true })]
  const app = await registerApp(hub.server.issuer, [CALLBACK])
  const oauthClients = new Map([['shop', app]])
  const made = await dashboardFixture(t, { connectors, settings: { oauthClients } })
  const org = await made.directory.org()
  const [ada, bob] = [await org.member('admin'), await org.member('member')]
  const browsers = { ada: await made.signIn(ada.userId), bob: await made.signIn(bob.userId) }

  /** Begins at the provider and signs in there. Returns the query of the callback. */
  async function begin(browser = browsers.bob, body: object = {}, as = 'bob@shop') {
    const begun = await made.ask('POST', '/api/connect/shop', body, browser)
    return (await browserSignIn(new URL(begun.json().location), as)).search
  }
  const finish = (search: string, browser = browsers.bob) =>
    made.ask('POST', '/api/connect-callback', { search }, browser)
  const entry = async (id: string, browser = browsers.bob) =>
    (await made.ask('GET', `/api/connectors/${id}`, undefined, browser)).json()
  return { ...made, hub, provider, app, org, ada, bob, browsers, begin, finish, entry }
}

t.test('a member connects an account at the provider, and calls its tools from the page', async t => {
  const { ask, browsers, begin, finish, entry } = await fixture(t)
  t.match((await ask('GET', '/api/connect/shop', undefined, browsers.bob)).json(), {
    oauth: true,
    oauth_configured: true,
    key: null,
    settings: [],
    callback_url: CALLBACK,
  })
  const search = await begin(browsers.bob, { alias: 'work', scope: 'private' })
  const done = await finish(search)
  t.equal(done.statusCode, 200)
  t.match(done.json(), {
    location: null,
    account: { connector: 'shop', alias: 'work', identity: 'bob@shop', status: 'connected', missing_scopes: [] },
  })
  t.match((await entry('shop')).accounts, [{ alias: 'work', identity: 'bob@shop', status: 'connected' }])
  t.match((await entry('shop', browsers.ada)).accounts, [], 'private to the member')
  t.match((await finish(search)).json(), { error: 'connect_failed', message: /not pending/ }, 'a callback works once')

  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'shop__list_orders', arguments: {} } }
  const accept = { accept: 'application/json, text/event-stream' }
  const called = await ask('POST', '/api/mcp', call, browsers.bob, accept)
  t.match(called.json(), { result: { structuredContent: { items: [{ id: 1 }, { id: 2 }] } } })
})

t.test('a callback works only in the session of the member who began', async t => {
  const { browsers, begin, finish, entry } = await fixture(t)
  const search = await begin()
  const stolen = await finish(search, browsers.ada)
  t.match(stolen.json(), { error: 'connect_failed', message: /begun by another member/ })
  t.match((await entry('shop', browsers.ada)).accounts, [])
  for (const wrong of ['', '?state=unknown&code=x', search.replace('state=', 'state=x')])
    t.equal((await finish(wrong)).statusCode, 422, wrong)
})

t.test('a member who declines, or signs in as someone else, is told what happened', async t => {
  const { ask, browsers, begin, finish, entry, hub } = await fixture(t)
  const begun = await ask('POST', '/api/connect/shop', {}, browsers.bob)
  const state = new URL(begun.json().location).searchParams.get('state')
  const iss = encodeURIComponent(hub.server.issuer)
  const declined = await finish(`?error=access_denied&state=${state}&iss=${iss}`)
  t.match(declined.json(), { error: 'connect_failed', message: /declined/ })

  const account = (await finish(await begin())).json().account
  const other = await finish(await begin(browsers.bob, { account_id: account.id }, 'eve@shop'))
  t.match(other.json(), { error: 'identity_mismatch' })
  t.match((await entry('shop')).accounts, [{ id: account.id, identity: 'bob@shop' }])
  const again = await finish(await begin(browsers.bob, { account_id: account.id }))
  t.match(again.json().account, { id: account.id, status: 'connected' })
})

t.test('a member pastes a key, which the provider verifies', async t => {
  const { ask, browsers, provider, entry } = await fixture(t)
  const key = newKey()
  provider.people.set(key, { id: 7, login: 'bob' })
  t.match((await ask('GET', '/api/connect/vaulted', undefined, browsers.bob)).json(), {
    oauth: false,
    key: { hint: 'A key from the settings.', verified: true },
    settings: [{ name: 'region', title: 'Region', required: false }],
  })
  const wrong = await ask('POST', '/api/connect/vaulted', { key: newKey() }, browsers.bob)
  t.equal(wrong.statusCode, 422)
  t.notMatch(wrong.body, key)
  const done = await ask(
    'POST',
    '/api/connect/vaulted',
    { key, settings: { region: 'eu' }, scope: 'shared' },
    browsers.bob,
  )
  t.match(done.json().account, { identity: 'bob', scope: 'shared', status: 'connected' })
  t.notMatch(done.body, key)
  t.match((await entry('vaulted', browsers.ada)).accounts, [{ identity: 'bob', scope: 'shared' }])
  t.equal((await ask('POST', '/api/connect/unknown', {}, browsers.bob)).statusCode, 404)
})

t.test('an admin sets the organization’s own OAuth app; its secret is never answered', async t => {
  const { ask, browsers, app, begin, finish, entry, hub } = await fixture(t)
  const own = await registerApp(hub.server.issuer, [CALLBACK])
  const body = { client_id: own.id, client_secret: own.secret }
  t.equal((await ask('PUT', '/api/connect/shop/oauth-app', body, browsers.bob)).statusCode, 403)
  const unknown = await ask('PUT', '/api/connect/shop/oauth-app', { client_id: own.id }, browsers.ada)
  t.match(unknown.json().error, /^Enter the client secret/)
  t.equal((await ask('PUT', '/api/connect/shop/oauth-app', body, browsers.ada)).statusCode, 204)
  const kept = await ask('PUT', '/api/connect/shop/oauth-app', { client_id: own.id }, browsers.ada)
  t.equal(kept.statusCode, 204, 'an empty field keeps the secret')
  t.match((await entry('shop', browsers.ada)).credential_source, { active: 'org', org: { client_id: own.id } })
  for (const browser of [browsers.ada, browsers.bob])
    t.notMatch(JSON.stringify(await entry('shop', browser)), own.secret)
  const begun = await ask('POST', '/api/connect/shop', {}, browsers.bob)
  t.equal(new URL(begun.json().location).searchParams.get('client_id'), own.id)
  t.equal((await finish(await begin())).statusCode, 200)
  t.equal((await ask('DELETE', '/api/connect/shop/oauth-app', undefined, browsers.ada)).statusCode, 204)
  t.equal((await ask('DELETE', '/api/connect/shop/oauth-app', undefined, browsers.ada)).statusCode, 404)
  const platform = await ask('POST', '/api/connect/shop', {}, browsers.bob)
  t.equal(new URL(platform.json().location).searchParams.get('client_id'), app.id)
})

t.test('tools are switched off for oneself, or by an admin for all', async t => {
  const { ask, browsers } = await fixture(t)
  const put = (browser: typeof browsers.ada, enabled: boolean, scope: string) =>
    ask('PUT', '/api/capabilities/shop__add_order', { enabled, for: scope }, browser)
  const off = async (browser: typeof browsers.ada) =>
    (await ask('GET', '/api/capabilities', undefined, browser)).json().off
  t.equal((await put(browsers.bob, false, 'organization')).statusCode, 403)
  t.equal((await put(browsers.bob, false, 'self')).statusCode, 204)
  t.same(await off(browsers.bob), [{ capability: 'shop__add_order', for: 'self' }])
  t.same(await off(browsers.ada), [])
  t.equal((await put(browsers.ada, false, 'organization')).statusCode, 204)
  t.same(await off(browsers.ada), [{ capability: 'shop__add_order', for: 'organization' }])
  t.equal((await put(browsers.bob, true, 'self')).statusCode, 204)
  t.same(await off(browsers.bob), [{ capability: 'shop__add_order', for: 'organization' }])
  const unknown = await ask('PUT', '/api/capabilities/nothing', { enabled: false, for: 'self' }, browsers.bob)
  t.equal(unknown.statusCode, 400)
})

t.test('every client has a configuration, or the reason why it has none; none has a secret', async t => {
  const { ask, browsers } = await fixture(t)
  const { clients } = (await ask('GET', '/api/client-configurations', undefined, browsers.bob)).json()
  t.ok(clients.length > 20)
  for (const { id, key, sign_in: signIn } of clients)
    for (const form of [key, signIn]) t.equal((form.steps === null) !== (form.unsupported === null), true, id)
  t.match(JSON.stringify(clients), 'claude mcp add')
})
