import t, { type Test } from 'tap'
import { jira } from '../../tools/connectors/jira/connector.ts'
import { browserSignIn } from '../fixtures/browser-sign-in.ts'
import { freePort } from '../fixtures/free-port.ts'
import { shop } from '../fixtures/journey-fixture.ts'
import { keyProvider } from '../fixtures/key-provider.ts'
import { meteredTools, PRICES } from '../fixtures/metered-tools.ts'
import { keyConnector, newKey, registerApp } from '../fixtures/sample-connectors.ts'
import { DASHBOARD, dashboardFixture, tokenOf } from './dashboard-fixture.ts'

const CALLBACK = `${DASHBOARD}/connect/callback`

async function fixture(t: Test) {
  const [hub, provider] = [await shop(t), await keyProvider(t)]
  const connectors = [
    hub.connector,
    keyConnector('vaulted', provider.origin, { probe: true }),
    keyConnector('blind', provider.origin, { probe: false }),
    jira,
  ]
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
    app_guide: null,
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

t.test('members who may reauthorize an account see what was granted, and which tools need more', async t => {
  const { ask, browsers, begin, finish } = await fixture(t)
  const grantsOf = async (browser: typeof browsers.ada, connector = 'shop') =>
    (await ask('GET', `/api/connect/${connector}/grants`, undefined, browser)).json().grants
  const { account } = (await finish(await begin(browsers.bob, { optional_scopes: [] }))).json()
  t.same(await grantsOf(browsers.bob), [
    {
      account_id: account.id,
      granted_scopes: ['openid'],
      missing: [{ scope: 'offline_access', tools: ['Watch orders'] }],
    },
  ])
  t.same(await grantsOf(browsers.ada), [], 'private to the member')

  await finish(await begin(browsers.bob, { account_id: account.id, optional_scopes: ['offline_access'] }))
  t.match(await grantsOf(browsers.bob), [{ granted_scopes: ['openid', 'offline_access'], missing: [] }])
  await ask('PATCH', `/api/connectors/shop/accounts/${account.id}`, { scope: 'shared' }, browsers.bob)
  t.match(await grantsOf(browsers.ada), [{ account_id: account.id }], 'shared accounts are those of admins too')
  t.equal((await ask('GET', '/api/connect/unknown/grants', undefined, browsers.bob)).statusCode, 404)
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

t.test('another organization, or another member, cannot sign an account in again', async t => {
  const { ask, browsers, begin, finish, entry, directory, signIn } = await fixture(t)
  const { account } = (await finish(await begin())).json()
  const [eve] = await directory.members('admin')
  for (const browser of [await signIn(eve.userId), browsers.ada]) {
    const refused = await ask('POST', '/api/connect/shop', { account_id: account.id }, browser)
    t.ok([403, 404, 422].includes(refused.statusCode), refused.body)
    t.notMatch(refused.body, 'bob@shop')
  }
  t.match((await entry('shop')).accounts, [{ id: account.id, identity: 'bob@shop', status: 'connected' }])
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
  t.match(done.json().account, { identity: 'bob', scope: 'shared', status: 'connected', key_verified: true })
  t.notMatch(done.body, key)
  t.match((await entry('vaulted', browsers.ada)).accounts, [{ identity: 'bob', scope: 'shared' }])
  t.equal((await ask('POST', '/api/connect/unknown', {}, browsers.bob)).statusCode, 404)
})

t.test('a key that the provider cannot verify is stored, and the answer says so', async t => {
  const { ask, browsers, entry } = await fixture(t)
  t.match((await ask('GET', '/api/connect/blind', undefined, browsers.bob)).json(), { key: { verified: false } })
  const done = await ask('POST', '/api/connect/blind', { key: newKey() }, browsers.bob)
  t.match(done.json().account, { alias: 'Vaulted', key_verified: false })
  t.match((await entry('blind')).accounts, [{ alias: 'Vaulted', key_verified: false }])
})

t.test('the form has how an OAuth app is registered at the provider', async t => {
  const { ask, browsers } = await fixture(t)
  t.match((await ask('GET', '/api/connect/jira', undefined, browsers.bob)).json(), {
    oauth_configured: false,
    app_guide: {
      url: jira.oauthApp?.url,
      docs: jira.oauthApp?.docs,
      steps: jira.oauthApp?.steps,
      notes: [jira.oauthApp?.redirectUris, jira.oauthApp?.limits, ...(jira.oauthApp?.notes ?? [])],
    },
  })
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

t.test('admins see what the operator has not configured, and which variables to set; members do not', async t => {
  const { ask, browsers } = await fixture(t)
  const missing = async (browser: typeof browsers.ada) =>
    (await ask('GET', '/api/capabilities', undefined, browser)).json().not_configured
  t.same(await missing(browsers.bob), [])
  t.match(await missing(browsers.ada), [
    { what: 'Web search', variables: 'BRAVE_API_KEY, TAVILY_API_KEY, EXA_API_KEY or SEARXNG_URL' },
    { what: 'Generating images, speech and video', variables: /FAL_KEY/ },
    { what: 'Questions about files, and transcripts' },
    { what: 'Search on Bluesky' },
    { what: 'Full-text search on Mastodon' },
    { what: 'Reddit' },
    { what: 'X', variables: 'X_BEARER_TOKEN' },
  ])
})

t.test('a page learns what a call will cost, without a call', async t => {
  const work = async () => {
    throw new Error('nothing is called')
  }
  const { ask, signIn, directory } = await dashboardFixture(t, { families: meteredTools({ work }) })
  const browser = await signIn((await (await directory.org()).member('member')).userId)
  const quote = async (name: string, args: object) =>
    (await ask('POST', '/api/tool-quotes', { name, arguments: args }, browser)).json()
  t.same(await quote('memory__search', { query: 'tea' }), { metered: false, hold_micros: 0 })
  t.same(await quote('test__fixed', {}), { metered: true, hold_micros: PRICES.fixed })
  t.same(await quote('test__by_argument', { units: 3 }), { metered: true, hold_micros: 3 * PRICES.unit })
  t.same(await quote('test__by_argument', {}), { metered: true, hold_micros: null }, 'the arguments are refused')
})

t.test('every client has a configuration, or the reason why it has none; none has a secret', async t => {
  const { ask, browsers } = await fixture(t)
  const { clients } = (await ask('GET', '/api/client-configurations', undefined, browsers.bob)).json()
  t.ok(clients.length > 20)
  for (const { id, key, sign_in: signIn } of clients)
    for (const form of signIn === null ? [key] : [key, signIn])
      t.equal((form.steps === null) !== (form.unsupported === null), true, id)
  const signIns = new Set(clients.map(({ sign_in }: { sign_in: unknown }) => sign_in))
  t.same([...signIns], [null], 'no client signs in without an issuer')
  t.match(JSON.stringify(clients), 'claude mcp add')
})

t.test('no answer to a read has a secret', async t => {
  const { ask, browsers, app, provider, begin, finish, hub, reads } = await fixture(t)
  const own = await registerApp(hub.server.issuer, [CALLBACK])
  const pasted = newKey()
  provider.people.set(pasted, { id: 7, login: 'ada' })
  const write = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const answer = await ask(method, path, body, browsers.ada)
    t.ok(answer.statusCode < 300, answer.body)
    return answer.body === '' ? undefined : answer.json()
  }
  await write('PUT', '/api/connect/shop/oauth-app', { client_id: own.id, client_secret: own.secret })
  await finish(await begin(browsers.ada, { scope: 'shared' }, 'ada@shop'), browsers.ada)
  await write('POST', '/api/connect/vaulted', { key: pasted, scope: 'shared' })
  const { key } = await write('POST', '/api/api-keys', { name: 'Laptop' })
  const { link } = await write('POST', '/api/invitations', { email: 'new@example.test', role: 'member' })
  const { cookie, token } = browsers.ada
  const secrets = [own.secret, app.secret, pasted, key, tokenOf(link), cookie.slice('gw='.length), token]
  for (const secret of secrets) t.ok(secret.length > 20)

  let answered = 0
  for (const route of reads)
    for (const id of ['shop', 'vaulted']) {
      const path = route.replace('*', '').replace(/:\w+/g, id)
      const { statusCode, body } = await ask('GET', path, undefined, browsers.ada)
      t.ok(statusCode < 500, `${path}: ${body}`)
      if (statusCode === 200) answered++
      for (const secret of secrets) t.notOk(body.includes(secret), path)
    }
  t.ok(answered >= 30, `${answered} answers of ${reads.length} routes`)
})

t.test('the URLs of connectors and registered servers lead to the gateway, not to the dashboard', async t => {
  const { ask, browsers, services } = await fixture(t)
  const mcpUrl = services.hosts.mcpResources[0] ?? ''
  const { origin } = new URL(mcpUrl)
  t.not(origin, DASHBOARD)
  const auth = { mode: 'none' }
  const server = { slug: 'wiki', name: 'Wiki', upstream_url: `http://127.0.0.1:${await freePort()}/mcp`, auth }
  const registered = await ask('POST', '/api/connectors/org', server, browsers.ada)
  t.equal(registered.statusCode, 201)
  t.match(registered.json(), { url: `${origin}/connectors/org/wiki`, mcp_url: mcpUrl })
  t.match((await ask('GET', '/api/connectors/org/wiki', undefined, browsers.bob)).json(), { mcp_url: mcpUrl })
  const { connectors } = (await ask('GET', '/api/connectors', undefined, browsers.bob)).json()
  for (const { mcp_url, icon_url } of connectors) {
    t.equal(mcp_url, mcpUrl)
    if (icon_url !== null) t.equal(new URL(icon_url).origin, origin)
  }
})

t.test('members connect themselves at a registered server, and only admins change it', async t => {
  const { ask, browsers } = await fixture(t)
  const write = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: object | undefined, browser = browsers.bob) =>
    ask(method, `/api/connectors/org${path}`, body, browser)
  const auth = { mode: 'bearer', token: 'a-token-of-the-admin', per: 'member' }
  const server = { slug: 'wiki', name: 'Wiki', upstream_url: `http://127.0.0.1:${await freePort()}/mcp`, auth }
  t.match(await write('POST', '', server), { statusCode: 403 })
  t.match(await write('POST', '', server, browsers.ada), { statusCode: 201 })
  t.match(await write('POST', '/wiki/refresh', {}), { statusCode: 403 })
  t.match(await write('DELETE', '/wiki', undefined), { statusCode: 403 })
  const connected = await write('POST', '/wiki/credential', { key: 'a-token-of-the-member' })
  t.match(connected.json(), { remote: { credential: { per: 'member', connected: true } } })
  t.match(await write('DELETE', '/wiki/credential', undefined), { statusCode: 204 })
  const outside = await ask('POST', '/api/connectors/org/wiki/credential', { key: 'a-token' }, browsers.bob, {
    origin: 'http://127.0.0.1:3999',
  })
  t.equal(outside.statusCode, 403, 'another site cannot')
  const without = await ask(
    'POST',
    '/api/connectors/org/wiki/credential',
    { key: 'a-token' },
    {
      ...browsers.bob,
      token: 'of-another-page',
    },
  )
  t.equal(without.statusCode, 401, 'a cookie is not enough')
})
