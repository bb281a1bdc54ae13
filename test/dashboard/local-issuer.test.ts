import { decodeJwt } from 'jose'
import t from 'tap'
import { createRecords } from '../../services/local-issuer/provider.ts'
import { testDatabase } from '../fixtures/database.ts'
import { testClock } from '../fixtures/fixture.ts'
import { issuerFixture, REDIRECT_URI } from './issuer-fixture.ts'

t.test(
  'a client that knows only /mcp signs in as the user of the dashboard, in the organization of the page',
  async t => {
    const { app, ask, clock, services, directory, signIn, issuer, resource, signInClient, rpc } = await issuerFixture(t)
    const org = await directory.org()
    const ada = await org.member('member')

    const document = await app.inject({
      url: '/.well-known/oauth-protected-resource/mcp',
      headers: { host: new URL(resource).host },
    })
    t.match(document.json(), { resource, authorization_servers: [issuer] })
    for (const url of [
      `${new URL(issuer).origin}/.well-known/oauth-authorization-server/oauth`,
      `${new URL(issuer).origin}/.well-known/openid-configuration/oauth`,
      `${issuer}/.well-known/openid-configuration`,
    ])
      t.match(await (await fetch(url)).json(), {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        registration_endpoint: `${issuer}/reg`,
        jwks_uri: `${issuer}/jwks`,
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        client_id_metadata_document_supported: true,
      })

    const browser = await signIn(ada.userId)
    const tokens = await signInClient(browser)
    t.match(Object.fromEntries(tokens.back.searchParams), { state: 'of the client', iss: issuer })
    t.match(decodeJwt(tokens.access_token), { iss: issuer, aud: resource, sub: ada.userId, client_id: tokens.clientId })
    const { body } = await rpc(tokens.access_token, 'tools/call', { name: 'manage__whoami', arguments: {} })
    t.match(body.result?.structuredContent, { user_id: ada.userId, active_organization_id: org.id })

    const clients = async () => {
      await services.usage.flush()
      const answer = await ask('GET', '/api/usage', undefined, browser)
      return answer.json().calls.map((call: { client: string }) => call.client)
    }
    t.same(await clients(), ['Test client'], 'the name that the client registered')
    const clientInfo = { name: 'claude-code', title: 'Claude Code', version: '2' }
    await rpc(tokens.access_token, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
    clock.advance(1_000)
    await rpc(tokens.access_token, 'tools/call', { name: 'manage__whoami', arguments: {} })
    t.same(await clients(), ['Claude Code', 'Test client'], 'the name that it gave itself')
  },
)

t.test('a client that the user denies gets access_denied, and no code', async t => {
  const { directory, signIn, register, begin, decide, resume } = await issuerFixture(t)
  const [ada] = await directory.members('member')
  const browser = await signIn(ada.userId)
  const { client_id: id } = (await (await register()).json()) as { client_id: string }
  const begun = await begin(id)
  const { location } = (await decide(begun, browser, 'deny')).json()
  const back = await resume(begun, location)
  t.equal(`${back.origin}${back.pathname}`, REDIRECT_URI)
  t.match(Object.fromEntries(back.searchParams), { error: 'access_denied', state: 'of the client' })
  t.notOk(back.searchParams.has('code'))
  t.equal((await decide(begun, browser, 'allow')).statusCode, 404, 'an answer is final')
})

t.test(
  'only the browser that began an authorization sees it and decides, signed in and on a page of the dashboard',
  async t => {
    const { directory, signIn, register, begin, decide, ask, resume } = await issuerFixture(t)
    const [ada] = await directory.members('member')
    const browser = await signIn(ada.userId)
    const { client_id: id } = (await (
      await register({ client_name: `A \u202Eclient\n${'x'.repeat(200)}` })
    ).json()) as { client_id: string }
    const begun = await begin(id)
    t.match(begun.location, /^\/authorize\/[\w-]+$/)
    const path = `/api/authorizations/${begun.uid}`

    t.equal((await ask('GET', path, undefined, browser)).statusCode, 404, 'another browser of the user')
    t.equal((await decide({ ...begun, cookies: [] }, browser, 'allow')).statusCode, 404)
    t.equal((await ask('POST', path, { decision: 'allow' })).statusCode, 401, 'nobody')
    t.equal((await decide(begun, { ...browser, token: 'x' }, 'allow')).statusCode, 401, 'the cookies alone')
    for (const origin of ['http://127.0.0.1:9', 'null', undefined])
      t.equal((await decide(begun, browser, 'allow', { origin })).statusCode, 403, `from ${origin}`)
    t.notMatch((await resume(begun, `/oauth/auth/${begun.uid}`)).href, 'code=', 'without a decision there is no code')

    const again = await begin(id)
    const shown = await ask('GET', `/api/authorizations/${again.uid}`, undefined, {
      ...browser,
      cookie: [browser.cookie, ...again.cookies].join('; '),
    })
    t.match(shown.json(), { client: { host: null }, returns_to: { kind: 'loopback', name: '127.0.0.1' } })
    t.ok(shown.json().client.name.length <= 80)
    t.notMatch(shown.json().client.name, /[\u202E\n]/)
  },
)

t.test('clients register redirect URIs on https, on this machine or of an app only', async t => {
  const { register } = await issuerFixture(t)
  for (const uri of [
    'http://localhost:8080/cb',
    'http://127.0.0.1/cb',
    'https://claude.ai/cb',
    'cursor://anysphere.cursor-mcp/oauth/callback',
  ])
    t.equal((await register({ redirect_uris: [uri] })).status, 201, uri)
  for (const uri of [
    'http://evil.example/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'https://u:p@evil.example/',
  ])
    t.match(
      await (await register({ redirect_uris: [uri] })).json(),
      { error: /invalid_redirect_uri|invalid_client_metadata/ },
      uri,
    )
  t.match(await (await register({ redirect_uris: ['http://evil.example/cb'], application_type: 'web' })).json(), {
    error: 'invalid_redirect_uri',
  })
})

t.test('PKCE is required, other resources are refused, and a code works once, with its verifier', async t => {
  const { directory, signIn, register, begin, decide, resume, exchange } = await issuerFixture(t)
  const [ada] = await directory.members('member')
  const browser = await signIn(ada.userId)
  const { client_id: id } = (await (await register()).json()) as { client_id: string }

  t.match(
    (await begin(id, { code_challenge: undefined, code_challenge_method: undefined })).location,
    /error=invalid_request/,
  )
  t.match((await begin(id, { resource: 'https://other.example/mcp' })).location, /error=invalid_target/)
  t.equal((await begin('unknown')).location, '/authorize?error=invalid_client')
  t.equal(
    (await begin(id, { redirect_uri: 'https://evil.example/' })).location,
    '/authorize?error=invalid_redirect_uri',
  )

  const begun = await begin(id, {
    redirect_uri: 'http://127.0.0.1:4711/callback',
    resource: undefined,
    scope: 'openid all',
  })
  const back = await resume(begun, (await decide(begun, browser, 'allow')).json().location)
  t.equal(back.port, '4711', 'the port of a loopback address may differ')
  const form = {
    grant_type: 'authorization_code',
    client_id: id,
    code: back.searchParams.get('code') ?? '',
    redirect_uri: 'http://127.0.0.1:4711/callback',
  }
  t.match(await (await exchange({ ...form, code_verifier: 'x'.repeat(43) })).json(), { error: 'invalid_grant' })
  const right = { ...form, code_verifier: begun.verifier }
  t.match(await (await exchange(right)).json(), { access_token: String, scope: 'mcp' })
  t.match(await (await exchange(right)).json(), { error: 'invalid_grant' })
})

t.test('a client that signed in before a restart refreshes its tokens and works', async t => {
  const first = await issuerFixture(t)
  const [ada] = await first.directory.members('member')
  const { refresh_token: old, clientId } = await first.signInClient(await first.signIn(ada.userId))
  const rows = await first.services.database.db.selectFrom('issuer_records').selectAll().execute()
  t.notMatch(JSON.stringify(rows), old, 'tokens are stored as digests')

  await Promise.all([first.dashboard.close(), first.app.close()])
  const second = await issuerFixture(t, {
    url: first.url,
    port: Number(new URL(first.resource).port),
    dataDir: first.dataDir,
    shared: first.services.database,
  })
  const refresh = (token: string) =>
    second.exchange({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token })
  const tokens = (await (await refresh(old)).json()) as { access_token: string; refresh_token: string }
  const { body } = await second.rpc(tokens.access_token, 'tools/call', { name: 'manage__whoami', arguments: {} })
  t.match(body.result?.structuredContent, { user_id: ada.userId })
  t.match(await (await refresh(old)).json(), { error: 'invalid_grant' }, 'a refresh token works once')
  t.match(await (await refresh(tokens.refresh_token)).json(), { error: 'invalid_grant' }, 'and a replay ends the grant')
})

t.test('registrations are limited per address, however their path is written', async t => {
  const { issuer } = await issuerFixture(t)
  const paths = ['reg', 'reg/', 'REG', 'Reg/']
  const statuses: number[] = []
  for (let i = 0; i < 61; i++) {
    const body = JSON.stringify({ redirect_uris: [REDIRECT_URI] })
    const headers = { 'content-type': 'application/json' }
    const { status } = await fetch(`${issuer}/${paths[i % paths.length]}`, { method: 'POST', headers, body })
    statuses.push(status)
  }
  t.same(statuses.slice(0, 60), Array(60).fill(201))
  t.equal(statuses[60], 429)
})

t.test('of several requests at once, only one uses a code or a refresh token', async t => {
  const { db } = await testDatabase(t)
  const records = createRecords({ db, clock: testClock(), invalidGrant: reason => new Error(reason) })
  for (const kind of ['AuthorizationCode', 'RefreshToken']) {
    const store = records(kind)
    await store.upsert('secret', { grantId: 'g' }, 60)
    const uses = await Promise.allSettled([1, 2, 3].map(() => store.consume('secret')))
    t.equal(uses.filter(({ status }) => status === 'fulfilled').length, 1, kind)
    t.match(await store.find('secret'), { consumed: Number })
  }
})
