import t, { type Test } from 'tap'
import { forOrg } from '../../../lib/database/tenant.ts'
import type { Oauth2Connector } from '../../../services/connectors/connect/connect-errors.ts'
import type { BeginRequest } from '../../../services/connectors/connect/oauth-connect-method.ts'
import { authorizationUrl } from '../../../services/connectors/connect/oauth-redirect.ts'
import { defaultAlias } from '../../../services/connectors/connect/store-connection.ts'
import { defineRetention } from '../../../services/retention.ts'
import { authorizationServer } from '../../fixtures/authorization-server.ts'
import { browserSignIn } from '../../fixtures/browser-sign-in.ts'
import { connectFixture } from '../../fixtures/connect-fixture.ts'
import { testDatabase } from '../../fixtures/database.ts'
import { keyProvider } from '../../fixtures/key-provider.ts'
import { REDIRECT_URI } from '../../fixtures/oauth-client.ts'
import { oauth1Server } from '../../fixtures/oauth1-server.ts'
import {
  keyConnector,
  newKey,
  oauth1Connector,
  oauth2Connector,
  registerApp,
  siteConnector,
} from '../../fixtures/sample-connectors.ts'
import { recordingUpstream } from './connector-engine-fixture.ts'

/** Shared by the tests that do not change other organizations. */
const shared = await testDatabase(t)

/** A fixture with a connector on a real authorization server, and a member. */
async function hubFixture(t: Test, database = shared) {
  const fixture = await connectFixture(t, database)
  const server = await authorizationServer(t)
  fixture.connectors.set('hub', oauth2Connector(server.issuer))
  fixture.platform.set('hub', await registerApp(server.issuer, [REDIRECT_URI]))
  const [ada, eve] = await fixture.directory.members('member', 'member')
  const request = (more: Partial<BeginRequest> = {}): BeginRequest => ({
    caller: ada.caller,
    connector: 'hub',
    redirectUri: REDIRECT_URI,
    scope: 'private',
    ...more,
  })
  /** Completes an authorization through the provider's pages. */
  async function connect(as: string, more: Partial<BeginRequest> = {}) {
    const { authorizationUrl } = await fixture.connecting.begin(request(more))
    const callback = await browserSignIn(new URL(authorizationUrl), as)
    return fixture.connecting.finish({ caller: more.caller ?? ada.caller, callback: callback.href })
  }
  return { ...fixture, server, ada, eve, request, connect }
}

const failed = (message: RegExp) => ({ name: 'GatewayError', code: 'connect_failed', message })

t.test('a sign-in at a real provider creates an account with its identity and granted scopes', async t => {
  const { connect, ada, credential, platform, changes, stored, db } = await hubFixture(t)
  const account = await connect('ada@hub.test')
  t.match(account, {
    id: /^acc_/,
    orgId: ada.orgId,
    userId: ada.userId,
    connector: 'hub',
    scope: 'private',
    alias: 'ada@hub.test',
    identity: 'ada@hub.test',
    authKind: 'oauth2',
    keyVerified: null,
    status: 'connected',
    settings: {},
    grantedScopes: ['openid', 'offline_access'],
  })
  t.match(await credential(ada.orgId, account.id), { kind: 'oauth2', accessToken: /.{20}/, refreshToken: /.{20}/ })
  const row = await forOrg(db, ada.orgId).selectFrom('account_credentials').selectAll().executeTakeFirstOrThrow()
  t.match(row, { client_id: platform.get('hub')?.id, client_source: 'platform', expires_at: Date })
  t.same(changes, [ada.orgId])
  t.same(await stored(), { accounts: 1, attempts: 0 })

  const second = await connect('ada@hub.test', { optionalScopes: [] })
  t.equal(second.alias, 'ada@hub.test-2', 'a derived alias never collides')
  t.same(second.grantedScopes, ['openid'])
})

t.test(
  'an authorization requests what the connector declares, with a proof that only the gateway can complete',
  async t => {
    const { connecting, request, server } = await hubFixture(t)
    const begun = await connecting.begin(request())
    const { searchParams } = new URL(begun.authorizationUrl)
    t.match(Object.fromEntries(searchParams), {
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      scope: 'openid offline_access',
      prompt: 'consent',
      code_challenge: /^[\w-]{43}$/,
      code_challenge_method: 'S256',
      state: /^[\w-]{43}$/,
    })
    t.equal(searchParams.get('state'), begun.state)
    t.not((await connecting.begin(request())).state, begun.state)
    await t.rejects(connecting.begin(request({ optionalScopes: ['admin'] })), {
      code: 'invalid_request',
      message: /no optional scope admin.*offline_access/,
    })

    const slackish = oauth2Connector(server.issuer, {
      pkce: 'none',
      scopes: { 'chat:write': '', 'users:read': '' },
      optionalScopes: {},
      userScopes: { 'search:read': '' },
      scopeSeparator: ',',
      authorizationParams: { response_type: 'token' },
    }) as Oauth2Connector
    const asked = { clientId: 'app', redirectUri: REDIRECT_URI, state: 's' }
    t.same(Object.fromEntries(authorizationUrl(slackish.auth, asked).searchParams), {
      response_type: 'code',
      client_id: 'app',
      redirect_uri: REDIRECT_URI,
      state: 's',
      scope: 'chat:write,users:read',
      user_scope: 'search:read',
    })
  },
)

t.test('a state is single-use, bound to its member, and valid for ten minutes', async t => {
  const { connecting, request, ada, eve, stored, db, clock, jobs } = await hubFixture(t, await testDatabase(t))
  const callback = async () => {
    const { authorizationUrl } = await connecting.begin(request())
    return (await browserSignIn(new URL(authorizationUrl), 'ada@hub.test')).href
  }
  const first = await callback()
  await t.rejects(
    connecting.finish({ caller: eve.caller, callback: first }),
    failed(/not pending/),
    'it does not work for another member',
  )
  t.match(await connecting.finish({ caller: ada.caller, callback: first }), { alias: 'ada@hub.test' })
  await t.rejects(connecting.finish({ caller: ada.caller, callback: first }), failed(/not pending.*Begin again/))

  const twice = await callback()
  const both = await Promise.allSettled([1, 2].map(() => connecting.finish({ caller: ada.caller, callback: twice })))
  t.same(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'], 'one of two concurrent callbacks wins')

  const late = await callback()
  clock.advance(600_000)
  await t.rejects(connecting.finish({ caller: ada.caller, callback: late }), failed(/ten minutes/))
  for (const nonsense of ['', 'no url', REDIRECT_URI, `${REDIRECT_URI}?state=`, `${REDIRECT_URI}?code=x`])
    await t.rejects(connecting.finish({ caller: ada.caller, callback: nonsense }), failed(/Begin again/))
  t.same(await stored(), { accounts: 2, attempts: 0 })

  await connecting.begin(request())
  defineRetention(jobs, { db, clock })
  await jobs.enqueue(db, { kind: 'retention.connect_attempts', payload: {} })
  await jobs.runDue()
  t.match(await stored(), { attempts: 1 }, 'the sweep keeps a pending authorization')
  clock.advance(600_001)
  await jobs.enqueue(db, { kind: 'retention.connect_attempts', payload: {} })
  await jobs.runDue()
  t.match(await stored(), { attempts: 0 }, 'the sweep removes an expired authorization')
})

t.test('a pending authorization is sealed: the database contains neither its state nor its verifier', async t => {
  const { connecting, request, ada, db } = await hubFixture(t)
  const { state } = await connecting.begin(request({ alias: 'secret alias' }))
  const rows = JSON.stringify(await forOrg(db, ada.orgId).selectFrom('connect_attempts').selectAll().execute())
  for (const plain of [state, 'verifier', 'secret alias', REDIRECT_URI]) t.notMatch(rows, plain)
})

t.test('a callback from another issuer is rejected before its code is used', async t => {
  const { connecting, request, ada, stored, server } = await hubFixture(t)
  const tampered = async (change: (callback: URLSearchParams) => void) => {
    const { authorizationUrl } = await connecting.begin(request())
    const callback = await browserSignIn(new URL(authorizationUrl), 'ada@hub.test')
    change(callback.searchParams)
    return connecting.finish({ caller: ada.caller, callback: callback.searchParams })
  }
  const asked = () => server.asked.filter(path => path === '/token').length
  await t.rejects(
    tampered(callback => callback.set('iss', 'https://evil.example')),
    failed(/Hub was not connected/),
  )
  await t.rejects(
    tampered(callback => callback.delete('iss')),
    failed(/Hub was not connected/),
    'the provider knows the issuer',
  )
  await t.rejects(
    tampered(callback => callback.append('code', 'another')),
    failed(/./),
  )
  t.equal(asked(), 0)
  await t.rejects(
    tampered(callback => callback.set('code', 'x'.repeat(43))),
    failed(/invalid_grant/),
  )
  t.equal(asked(), 1)
  t.same(await stored(), { accounts: 0, attempts: 0 })
})

t.test('a decline and an unavailable provider store nothing', async t => {
  const { connecting, request, ada, stored, server } = await hubFixture(t)
  const { state } = await connecting.begin(request())
  const denied = new URLSearchParams({ error: 'access_denied', state, iss: server.issuer })
  await t.rejects(
    connecting.finish({ caller: ada.caller, callback: denied }),
    failed(/^The access was declined at Hub. To connect, begin again/),
  )

  const { authorizationUrl } = await connecting.begin(request())
  const callback = await browserSignIn(new URL(authorizationUrl), 'ada@hub.test')
  await server.stop()
  await t.rejects(
    connecting.finish({ caller: ada.caller, callback: callback.href }),
    failed(/^Hub is unreachable: 127\.0\.0\.1:\d+ refused the connection\. Retry later\.$/),
  )
  t.same(await stored(), { accounts: 0, attempts: 0 })
})

t.test('an alias is validated before the person goes to the provider, and again on their return', async t => {
  const { connecting, connect, request, ada, eve, stored } = await hubFixture(t)
  await connect('ada@hub.test', { alias: 'work' })
  await t.rejects(connecting.begin(request({ alias: 'work' })), {
    code: 'alias_taken',
    message: /private account of hub with this alias .work;/,
  })
  await t.rejects(connecting.begin(request({ alias: 'a:b' })), { code: 'invalid_request', message: /An alias begins/ })

  const raced = await connecting.begin(request({ alias: 'home' }))
  const callback = await browserSignIn(new URL(raced.authorizationUrl), 'ada@hub.test')
  await connect('ada@hub.test', { alias: 'home' })
  await t.rejects(connecting.finish({ caller: ada.caller, callback: callback.href }), { code: 'alias_taken' })

  t.match(await connect('eve@hub.test', { caller: eve.caller, alias: 'work' }), { alias: 'work', userId: eve.userId })
  t.match(await connect('team@hub.test', { caller: eve.caller, alias: 'work', scope: 'shared' }), { scope: 'shared' })
  await t.rejects(connecting.begin(request({ alias: 'work', scope: 'shared' })), { code: 'alias_taken' })
  t.match(await stored(), { accounts: 4 })
})

t.test('an alias is taken only for accounts of its connector', async t => {
  const { connecting, connectors, directory } = await connectFixture(t, shared)
  const provider = await keyProvider(t)
  const [ada] = await directory.members('member')
  const key = newKey()
  provider.people.set(key, { id: 1, login: 'ada' })
  for (const connector of ['one', 'other']) {
    connectors.set(connector, keyConnector(connector, provider.origin, { probe: true }))
    const request = { caller: ada.caller, connector, key, scope: 'private' } as const
    t.match(await connecting.connectWithKey({ ...request, alias: 'work' }), { connector, alias: 'work' })
    t.match(await connecting.connectWithKey(request), { connector, alias: 'ada' })
  }
})

t.test('reauthorizing keeps ID, alias and scope, and rejects another identity', async t => {
  const { connecting, connect, request, accounts, eve, ada, credential, stored } = await hubFixture(t)
  const account = await connect('ada@hub.test', { alias: 'work' })
  const before = await credential(ada.orgId, account.id)
  await accounts.setStatus(account.id, 'needs_reauth', 'operator')

  const again = await connect('ada@hub.test', { accountId: account.id, alias: 'other', scope: 'shared' })
  t.match(again, { id: account.id, alias: 'work', scope: 'private', status: 'connected' })
  const after = await credential(ada.orgId, account.id)
  t.notSame(after, before)

  await t.rejects(connect('eve@hub.test', { accountId: account.id }), {
    code: 'identity_mismatch',
    message: /ada@hub.test.*eve@hub.test/,
  })
  t.same(await credential(ada.orgId, account.id), after, 'the existing grant stays')
  await t.rejects(connecting.begin(request({ caller: eve.caller, accountId: account.id })), {
    code: 'account_not_found',
  })

  const shared = await connect('team@hub.test', { scope: 'shared' })
  await t.rejects(connecting.begin(request({ caller: eve.caller, accountId: shared.id })), {
    code: 'not_account_owner',
  })
  const gone = await connecting.begin(request({ accountId: shared.id }))
  const callback = await browserSignIn(new URL(gone.authorizationUrl), 'team@hub.test')
  await accounts.remove('operator', shared.id)
  await t.rejects(connecting.finish({ caller: ada.caller, callback: callback.href }), { code: 'account_not_found' })
  t.same(await stored(), { accounts: 1, attempts: 0 })
})

t.test(
  'without an OAuth app, the error says how to get one; an organization’s own app serves only that organization',
  async t => {
    const { connecting, connect, request, clients, platform, server, ada, db, members } = await hubFixture(t)
    platform.delete('hub')
    await t.rejects(connecting.begin(request()), failed(/No OAuth app for Hub.*OAUTH_CLIENTS.*oauth-client set/))
    const own = await registerApp(server.issuer, [REDIRECT_URI])
    await clients.set({
      orgId: ada.orgId,
      connector: 'hub',
      clientId: own.id,
      clientSecret: own.secret,
      by: 'operator',
      setBy: null,
    })
    await connect('ada@hub.test')
    const row = await forOrg(db, ada.orgId).selectFrom('account_credentials').selectAll().executeTakeFirstOrThrow()
    t.match(row, { client_id: own.id, client_source: 'org' })

    const { authorizationUrl } = await connecting.begin(request())
    const callback = await browserSignIn(new URL(authorizationUrl), 'ada@hub.test')
    await clients.remove({ orgId: ada.orgId, connector: 'hub', by: 'operator' })
    await t.rejects(connecting.finish({ caller: ada.caller, callback: callback.href }), failed(/No OAuth app for Hub/))

    await t.rejects(connecting.begin(request({ connector: 'nowhere' })), { code: 'invalid_request' })
    await members.remove({ orgId: ada.orgId, userId: ada.userId, by: 'operator' })
    await t.rejects(connecting.begin(request()), { code: 'invalid_request', message: /not a member/ })
  },
)

t.test('an OAuth 1.0a provider is connected with a single-use verifier', async t => {
  const { connecting, connectors, platform, directory, clock, credential, stored } = await connectFixture(t, shared)
  const server = await oauth1Server(t, clock)
  connectors.set('board', oauth1Connector(server.origin))
  platform.set('board', { id: server.consumer.key, secret: server.consumer.secret })
  const [ada, eve] = await directory.members('member', 'member')
  const begin = (accountId?: string) =>
    connecting.begin({
      caller: ada.caller,
      connector: 'board',
      redirectUri: REDIRECT_URI,
      scope: 'private',
      ...(accountId !== undefined && { accountId }),
    })
  const { authorizationUrl, state } = await begin()
  const callback = (await server.visit(authorizationUrl)).href
  t.match(callback, `oauth_token=${state}`)
  await t.rejects(connecting.finish({ caller: eve.caller, callback }), failed(/not pending/))
  const account = await connecting.finish({ caller: ada.caller, callback })
  t.match(account, { alias: 'ada', identity: '@ada', authKind: 'oauth1a', grantedScopes: null, keyVerified: null })
  t.match(await credential(ada.orgId, account.id), { kind: 'oauth1a', token: String, tokenSecret: String })
  await t.rejects(
    connecting.finish({ caller: ada.caller, callback }),
    failed(/not pending/),
    'the request token cannot be used again',
  )

  const declined = await begin()
  await t.rejects(
    connecting.finish({
      caller: ada.caller,
      callback: (await server.visit(declined.authorizationUrl, 'decline')).href,
    }),
    failed(/declined at Board/),
  )
  const forged = new URL(await begin().then(({ authorizationUrl }) => server.visit(authorizationUrl)))
  forged.searchParams.set('oauth_verifier', 'guessed')
  await t.rejects(connecting.finish({ caller: ada.caller, callback: forged.href }), failed(/Board issued no token/))
  t.same(server.refusals, ['Error: wrong verifier'])

  server.person = { id: 'other', username: 'eve', fullName: 'Eve' }
  const other = await begin(account.id)
  await t.rejects(
    connecting.finish({ caller: ada.caller, callback: (await server.visit(other.authorizationUrl)).href }),
    { code: 'identity_mismatch' },
  )
  platform.set('board', { id: server.consumer.key, secret: 'wrong' })
  await t.rejects(begin(), failed(/Board issued no token \(HTTP 401\).*check the OAuth app/))
  t.same(await stored(), { accounts: 1, attempts: 0 })
})

t.test('a pasted key is verified if the provider allows it, else stored with its fingerprint', async t => {
  const { connecting, connectors, directory, credential, stored } = await connectFixture(t, shared)
  const provider = await keyProvider(t)
  connectors.set('asked', keyConnector('asked', provider.origin, { probe: true }))
  connectors.set('blind', keyConnector('blind', provider.origin, { probe: false }))
  const [ada] = await directory.members('member')
  const [key, next, others] = [newKey(), newKey(), newKey()]
  provider.people
    .set(key, { id: 1, login: 'ada' })
    .set(next, { id: 1, login: 'ada' })
    .set(others, { id: 2, login: 'eve' })
  const paste = (connector: string, key: string, more = {}) =>
    connecting.connectWithKey({ caller: ada.caller, connector, key, scope: 'private', ...more })

  const account = await paste('asked', ` ${key}\n`, { settings: { region: 'eu' } })
  t.match(account, {
    alias: 'ada',
    identity: 'ada',
    authKind: 'api_key',
    keyVerified: true,
    settings: { region: 'eu' },
  })
  t.match(await credential(ada.orgId, account.id), { kind: 'api_key', key })
  t.match(await paste('asked', next, { accountId: account.id }), { id: account.id, settings: { region: 'eu' } })
  t.match(await credential(ada.orgId, account.id), { key: next })
  await t.rejects(paste('asked', others, { accountId: account.id }), { code: 'identity_mismatch' })
  await t.rejects(paste('asked', newKey()), failed(/Bad credentials/))

  const blind = await paste('blind', key)
  t.match(blind, { keyVerified: false, status: 'connected' })
  t.match(blind.identity, new RegExp(`^key …${key.slice(-4)} \\(fp [0-9a-f]{8}\\)$`))
  t.match(
    (await paste('blind', 'short')).identity,
    /^key \(fp [0-9a-f]{8}\)$/,
    'the fingerprint of a short key shows none of its characters',
  )
  t.match(await paste('blind', next, { accountId: blind.id }), { id: blind.id, alias: blind.alias })
  t.match(blind, { alias: 'Vaulted' }, 'a model passes the name of the connector, not a fingerprint')
  t.match(await paste('blind', newKey()), { alias: 'Vaulted-3' })

  for (const [more, message] of [
    [{ settings: { color: 'red' } }, /no setting color.*region/],
    [{ settings: { region: 'mars' } }, /needs the setting region \(The region of your data.\)/],
  ] as const)
    await t.rejects(paste('asked', key, more), { code: 'invalid_request', message })
  for (const bad of ['', 'two\nlines', 'ключ'])
    await t.rejects(paste('asked', bad), { code: 'invalid_request', message: /one line of printable ASCII/ })
  await t.rejects(
    connecting.begin({ caller: ada.caller, connector: 'asked', redirectUri: REDIRECT_URI, scope: 'private' }),
    {
      code: 'invalid_request',
      message: /connected with a key.*A key from the settings.*account add --org .* --connector \w+ --api-key -$/,
    },
  )
  await provider.stop()
  await t.rejects(paste('asked', key), failed(/Vaulted/))
  t.match(await stored(), { accounts: 4 })
})

t.test('a key without an identity is verified by a request that even a restricted key answers', async t => {
  const { connecting, connectors, directory, stored } = await connectFixture(t, shared)
  const api = await recordingUpstream(t)
  const definition = keyConnector('asked', api.origin, { probe: { url: '/list', query: { limit: '1' } }, begins: 'k_' })
  connectors.set('asked', { ...definition, errors: { message: [], code: ['/code'], scopeMissing: ['restricted'] } })
  const [ada] = await directory.members('member')
  const paste = (key: string, more = {}) =>
    connecting.connectWithKey({ caller: ada.caller, connector: 'asked', key, scope: 'private', ...more })
  const key = () => `k_${newKey()}`

  await t.rejects(paste('not a key at all'), {
    code: 'invalid_request',
    message: 'This is not a key of Vaulted, which begins with k_. Paste the whole key. A key from the settings.',
  })
  t.same(api.received, [], 'it is not sent: it may be a secret of something else')

  api.reply = () => ({ status: 401, body: { code: 'unknown' } })
  await t.rejects(paste(key()), failed(/^Vaulted rejected this \(401\): unknown/))
  t.same(await stored(), { accounts: 0, attempts: 0 })

  api.reply = () => ({ status: 403, body: { code: 'restricted' } })
  const restricted = await paste(key())
  t.match(restricted, { alias: 'Vaulted', identity: /^key …/, keyVerified: true })
  api.reply = () => ({ body: { items: [] } })
  t.match(await paste(key()), { alias: 'Vaulted-2', keyVerified: true })
  t.match(api.received.at(-1), { method: 'GET', url: '/list?limit=1', headers: { authorization: /^Bearer k_/ } })
  const replaced = await paste(key(), { accountId: restricted.id })
  t.match(replaced, { id: restricted.id, alias: 'Vaulted' }, 'any other key may belong to the same account')
  t.not(replaced.identity, restricted.identity)
})

t.test('required settings are discovered, and requested only if there are several candidates', async t => {
  const { connecting, connectors, directory, stored } = await connectFixture(t, shared)
  const provider = await keyProvider(t)
  connectors.set('site', siteConnector(provider.origin))
  const [ada] = await directory.members('member')
  const accessToken = newKey()
  provider.people.set(accessToken, { id: 1, login: 'ada' })
  const add = (more = {}) =>
    connecting.add({
      caller: ada.caller,
      connector: 'site',
      scope: 'private',
      credential: { kind: 'oauth2', accessToken },
      ...more,
    })
  await t.rejects(add(), failed(/^This credential has access to no site of Site/))
  provider.sites.push({ id: '1', url: 'https://one.example' })
  const account = await add()
  t.match(account, { settings: { site: 'https://one.example', site_id: '1' } })
  provider.sites.push({ id: '2', url: 'https://two.example' })
  await t.rejects(add(), failed(/Site has several.*one.example, https:..two.example.*setting site/))
  t.match(await add({ settings: { site: 'two.example' } }), { settings: { site_id: '2' }, alias: 'ada-2' })
  t.match(
    await add({ accountId: account.id }),
    { id: account.id, settings: { site_id: '1' } },
    'the discovered setting stays the same',
  )
  t.match(await stored(), { accounts: 2 })
})

t.test('an alias derived from an identity is valid', t => {
  const none = new Set<string>()
  t.equal(defaultAlias('octocat', 'github', none), 'octocat')
  t.equal(defaultAlias('Acme Inc. (ada@acme.test)', 'slack', none), 'Acme Inc. ada@acme.test')
  t.equal(defaultAlias('  @ada: "x" ', 'board', none), 'ada x')
  t.equal(defaultAlias('☃ :: ☃', 'slack', none), 'slack')
  t.equal(defaultAlias('Zoë 東京', 'slack', none), 'Zoë 東京')
  t.equal(defaultAlias('a'.repeat(80), 'slack', none), 'a'.repeat(64))
  t.equal(defaultAlias('a'.repeat(80), 'slack', new Set(['a'.repeat(64)])), `${'a'.repeat(62)}-2`)
  t.equal(defaultAlias('ada', 'slack', new Set(['ada', 'ada-2'])), 'ada-3')
  t.end()
})
