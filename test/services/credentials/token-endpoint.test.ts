import t, { type Test } from 'tap'
import { parseAllowList } from '../../../lib/egress/allow-list.ts'
import type { OauthClient } from '../../../services/credentials/oauth-clients.ts'
import { createTokenEndpoint } from '../../../services/credentials/token-endpoint.ts'
import { egressOf, upstream } from '../../fixtures/egress-fixture.ts'
import { testClock } from '../../fixtures/fixture.ts'
import { rotatingConnector } from '../../fixtures/token-server.ts'

const client: OauthClient = { id: 'id.with-dots', secret: 's/e c+r:et', source: 'platform' }

/** A token endpoint with given answers that records its requests. */
async function tokenFixture(t: Test, auth: Parameters<typeof rotatingConnector>[1] = {}, app = client) {
  let answer: { status: number; body: string; headers?: Record<string, string> } = { status: 200, body: '{}' }
  let refusal: object | undefined
  const provider = await upstream(t, (_request, response) => {
    if (refusal !== undefined) {
      const isRefused = new URLSearchParams(provider.requests.at(-1)?.body).has('resource')
      answer = isRefused
        ? { status: 400, body: JSON.stringify(refusal) }
        : { status: 200, body: JSON.stringify({ access_token: 'at' }) }
    }
    const headers = { 'content-type': 'text/html', 'www-authenticate': 'Basic', ...answer.headers }
    response.writeHead(answer.status, headers).end(answer.body)
  })
  const clock = testClock()
  const tokens = createTokenEndpoint({ egress: egressOf(t), clock })
  const connector = rotatingConnector(provider.origin, auth)
  const callback = (parameters: Record<string, string>) => ({
    callbackParameters: new URLSearchParams(parameters),
    expectedState: 'state',
    codeVerifier: 'v'.repeat(43),
    redirectUri: 'http://127.0.0.1:1/callback',
  })
  return {
    clock,
    requests: provider.requests,
    answers(json: unknown, status = 200, headers: Record<string, string> = {}) {
      answer = { status, headers, body: typeof json === 'string' ? json : JSON.stringify(json) }
    },
    /** Refuses requests with a resource. */
    refusing(error: string, error_description: string) {
      refusal = { error, error_description }
    },
    sent: () => provider.requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body))),
    refresh: (tokenOwner?: 'own' | 'user') => tokens.refresh(connector, app, 'rt', tokenOwner),
    exchange: (parameters: Record<string, string>) => tokens.exchangeCode(connector, app, callback(parameters)),
  }
}

t.test(
  'a code is exchanged with its verifier, redirect URI and client authentication, in the connector’s form',
  async t => {
    const basic = await tokenFixture(t)
    basic.answers({ access_token: 'at', refresh_token: 'rt', expires_in: '60', token_type: 'Bearer', scope: 'a b,c' })
    const issued = await basic.exchange({ code: 'code', state: 'state', iss: 'https://somewhere.test' })
    const expiresAt = basic.clock.now() + 60_000
    t.same(issued, {
      credential: { v: 1, kind: 'oauth2', accessToken: 'at', refreshToken: 'rt', expiresAt },
      grantedScopes: ['a', 'b', 'c'],
      client: { id: client.id, source: 'platform' },
      kept: {},
    })
    const [request] = basic.requests
    t.same(Object.fromEntries(new URLSearchParams(request?.body)), {
      grant_type: 'authorization_code',
      code: 'code',
      code_verifier: 'v'.repeat(43),
      redirect_uri: 'http://127.0.0.1:1/callback',
    })
    t.equal(request?.headers.accept, 'application/json')
    const [user, password] = Buffer.from(request?.headers.authorization?.slice(6) ?? '', 'base64')
      .toString()
      .split(':')
    t.equal(user, client.id, 'safe characters are not encoded, because not every provider decodes them')
    t.equal(new URLSearchParams(`p=${password}`).get('p'), client.secret)

    const post = await tokenFixture(t, { clientAuth: 'post' })
    post.answers({ access_token: 'at' })
    await post.refresh()
    const [{ body, headers } = { body: '', headers: {} }] = post.requests
    t.same(Object.fromEntries(new URLSearchParams(body)), {
      grant_type: 'refresh_token',
      refresh_token: 'rt',
      client_id: client.id,
      client_secret: client.secret,
    })
    t.equal(headers.authorization, undefined)
  },
)

t.test('codes and refresh tokens are sent as JSON where the connector says so', async t => {
  const { answers, exchange, refresh, requests } = await tokenFixture(t, { tokenRequest: 'json' })
  answers({ access_token: 'at', refresh_token: null })
  await exchange({ code: 'a b&c', state: 'state' })
  await refresh()
  t.same(
    requests.map(({ body }) => JSON.parse(body)),
    [
      {
        grant_type: 'authorization_code',
        code: 'a b&c',
        code_verifier: 'v'.repeat(43),
        redirect_uri: 'http://127.0.0.1:1/callback',
      },
      { grant_type: 'refresh_token', refresh_token: 'rt' },
    ],
  )
  for (const { headers } of requests) {
    t.equal(headers['content-type'], 'application/json')
    t.equal(headers.accept, 'application/json')
    t.match(headers.authorization, /^Basic /)
  }
})

t.test('a callback with another state, another issuer or an error is rejected before anything is sent', async t => {
  const { exchange, requests } = await tokenFixture(t, { issuer: 'https://id.test' })
  const good = { code: 'a-code', state: 'state', iss: 'https://id.test' }
  const bad: [Record<string, string>, RegExp][] = [
    [{ ...good, state: 'other' }, /unexpected "state"/],
    [{ code: 'a-code', iss: good.iss }, /"state" missing/],
    [{ ...good, iss: 'https://evil.test' }, /unexpected "iss"/],
    [{ code: 'a-code', state: 'state' }, /"iss" \(issuer\) missing/],
    [{ ...good, error: 'access_denied' }, /did not authorize the connection: access_denied/],
    [{ state: 'state', error: 'access_denied' }, /did not authorize the connection: access_denied/],
    [{ state: 'other', error: 'access_denied' }, /unexpected "state"/],
    [{ state: 'state', error: 'access_denied', code: 'a-code' }, /"iss" \(issuer\) missing/],
    [{ state: 'state', error: 'access_denied', iss: 'https://evil.test' }, /unexpected "iss"/],
    [{ ...good, error: '<script>' }, /: unnamed$/],
    [{ ...good, error: 'No' }, /: unnamed$/],
    [{ ...good, error: 'x'.repeat(41) }, /: unnamed$/],
    [{ ...good, error: 'a-code' }, /: unnamed$/],
    [{ ...good, error: 'not_a-code_again' }, /: unnamed$/],
    [{ ...good, error: 'v'.repeat(10) }, /: unnamed$/],
  ]
  for (const [parameters, message] of bad) {
    const error = await exchange(parameters).catch(error => error)
    t.match(error, { name: 'TokenEndpointError', kind: 'rejected', message })
    t.notMatch(`${error.stack} ${JSON.stringify(error)}`, /a-code/)
    t.equal(error.cause, undefined)
  }
  t.same(requests, [])
})

t.test(
  'nested tokens, errors under 200, separators, kept members and a user’s token follow the connector’s quirks',
  async t => {
    const { answers, exchange, refresh, clock } = await tokenFixture(t, {
      quirks: {
        token: '/bot',
        userToken: '/authed_user',
        grantedScopeSeparator: ',',
        errors: { ok: '/ok', code: '/problem' },
        keep: { team: '/team/id', missing: '/none' },
      },
    })
    answers({
      ok: true,
      team: { id: 7 },
      bot: {
        access_token: 'xoxb',
        refresh_token: 'r1',
        expires_in: 43_200,
        token_type: 'bot',
        scope: 'chat:write,a b',
      },
      authed_user: { id: 'U1', access_token: 'xoxp', refresh_token: 'r2', expires_in: 100, scope: 'search:read' },
      id_token: 'not.a.jwt',
    })
    const { credential, grantedScopes, kept } = await exchange({ code: 'c', state: 'state' })
    t.same(credential, {
      v: 1,
      kind: 'oauth2',
      accessToken: 'xoxb',
      refreshToken: 'r1',
      expiresAt: clock.now() + 43_200_000,
      user: { accessToken: 'xoxp', refreshToken: 'r2', expiresAt: clock.now() + 100_000 },
    })
    t.same(grantedScopes, ['chat:write', 'a b', 'search:read'])
    t.same(kept, { team: '7' })

    answers({ ok: true, authed_user: { access_token: 'xoxp2', token_type: 'user' } })
    t.same((await refresh('user')).credential, { v: 1, kind: 'oauth2', accessToken: 'xoxp2', refreshToken: 'rt' })
    answers({ ok: false, problem: 'no_such_app' })
    await t.rejects(refresh(), { kind: 'rejected', code: 'no_such_app' })
    answers({ ok: false })
    await t.rejects(refresh(), { kind: 'rejected', code: 'unnamed' })
  },
)

t.test('rejections and unavailability of a token endpoint are distinguished', async t => {
  const { answers, refresh } = await tokenFixture(t)
  const invalidGrant = { error: 'invalid_grant', error_description: 'rt is dead' }
  const cases: [unknown, number, string][] = [
    [invalidGrant, 400, 'invalid_grant'],
    [invalidGrant, 401, 'invalid_grant'],
    [invalidGrant, 200, 'invalid_grant'],
    [{ error: 'bad_refresh_token' }, 200, 'invalid_grant'],
    [{ error: { code: 'invalid_grant', message: 'It has expired.' } }, 200, 'invalid_grant'],
    [{ error: { message: 'No.' }, access_token: 'at' }, 200, 'rejected'],
    [{ error: null, access_token: 7 }, 200, 'unreachable'],
    [invalidGrant, 500, 'unreachable'],
    [invalidGrant, 429, 'unreachable'],
    [{ error: 'invalid_client' }, 401, 'rejected'],
    ['<html>', 403, 'rejected'],
    ['', 302, 'rejected'],
    ['<html>', 200, 'unreachable'],
    ['[]', 200, 'unreachable'],
    ['{"__proto__":{"access_token":"at"}}', 200, 'unreachable'],
    [{ access_token: 7 }, 200, 'unreachable'],
    [{ access_token: 'two\r\nlines' }, 200, 'unreachable'],
    [{ access_token: 'a'.repeat(16_385) }, 200, 'unreachable'],
    [{ access_token: 'at', refresh_token: 'é' }, 200, 'unreachable'],
  ]
  for (const [json, status, kind] of cases) {
    answers(json, status)
    await t.rejects(refresh(), { name: 'TokenEndpointError', kind }, `${status} ${JSON.stringify(json)}`)
  }
})

t.test('a refusal quotes what the server says, sanitized, bounded and without secrets', async t => {
  const secret = 'the-secret/of this app'
  const { answers, refresh, exchange } = await tokenFixture(t, {}, { ...client, secret })
  const says = async (error_description: unknown) => {
    answers({ error: 'invalid_request', error_description }, 400)
    return (await refresh().catch(error => error)).message as string
  }
  const begins = 'The token endpoint of Rotor rejected the grant or the client: invalid_request'
  const long = await says(`AADSTS9002313: Invalid request.\r\nTrace ID: ${'x'.repeat(1_000)}`)
  t.ok(long.startsWith(`${begins} (“AADSTS9002313: Invalid request. Trace ID: x`), long)
  t.ok(long.length < 400, String(long.length))
  t.equal(
    await says(`Bad \u202e“secret” ${secret} or ${encodeURIComponent(secret)} at 10.0.0.5.`),
    `${begins} (“Bad "secret" [redacted] or [redacted] at [private address]”)`,
  )
  for (const nothing of [undefined, null, 7, '', {}]) t.equal(await says(nothing), begins)

  const declined = { error: 'invalid_target', error_description: 'AADSTS901002: No.', state: 'state' }
  await t.rejects(exchange(declined), {
    message: 'Rotor did not authorize the connection: invalid_target (“AADSTS901002: No”)',
  })
})

t.test(
  'a request is repeated with scope alone only if the server refuses its resource as Microsoft Entra does',
  async t => {
    const resource = { tokenParams: { resource: 'https://wiki.test/mcp' } }
    const entra =
      'AADSTS9010010: The resource parameter provided in the request doesn’t match with the requested scopes.'
    const { refusing, refresh, exchange, sent } = await tokenFixture(t, resource)
    refusing('invalid_target', entra)
    t.match(await refresh(), { resourceRefused: true, credential: { accessToken: 'at' } })
    t.match(await exchange({ code: 'code', state: 'state' }), { resourceRefused: true })
    t.same(
      sent().map(({ resource, scope }) => [resource, scope]),
      [
        ['https://wiki.test/mcp', undefined],
        [undefined, 'read'],
        ['https://wiki.test/mcp', undefined],
        [undefined, 'read'],
      ],
    )
    // Any other refusal protects the tokens of another resource.
    refusing('invalid_target', 'The resource is unknown.')
    await t.rejects(refresh(), { kind: 'rejected', code: 'invalid_target' })

    const unscoped = await tokenFixture(t, { ...resource, scopes: {} })
    unscoped.refusing('invalid_target', entra)
    await t.rejects(unscoped.refresh(), { kind: 'rejected', code: 'invalid_target' })
    t.equal(unscoped.sent().length, 1)
  },
)

t.test('a token answer is parsed without members that would reach a prototype', async t => {
  const { answers, refresh } = await tokenFixture(t)
  answers('{"access_token":"at","__proto__":{"access_token":"another"},"constructor":{"prototype":{}}}')
  t.match((await refresh()).credential, { accessToken: 'at' })
})

t.test('the wait may be a fraction or a date', async t => {
  const { answers, refresh, clock } = await tokenFixture(t)
  const cases: [string, number | undefined][] = [
    ['7', 7],
    ['2.5', 2.5],
    [new Date(clock.now() + 90_000).toUTCString(), 90],
    ['soon', undefined],
  ]
  for (const [header, seconds] of cases) {
    answers('', 503, { 'retry-after': header })
    const error = await refresh().catch(error => error)
    t.match(error, { kind: 'unreachable' })
    t.equal(error.retryAfter, seconds, header)
  }
})

t.test('a token endpoint that does not exist is unreachable', async t => {
  const tokens = createTokenEndpoint({ egress: egressOf(t), clock: testClock() })
  const nobody = rotatingConnector('http://127.0.0.1:9')
  await t.rejects(tokens.refresh(nobody, client, 'rt'), { name: 'TokenEndpointError', kind: 'unreachable' })
})

t.test('a token travels over http only to hosts that EGRESS_ALLOW names', async t => {
  const provider = await upstream(t, (_request, response) => response.end('{"access_token":"at"}'))
  const { port } = provider
  const refresh = (host: string, allowed: string[], address = '127.0.0.1') => {
    const egress = egressOf(t, {
      allow: parseAllowList(allowed),
      allowLoopback: false,
      lookup: (_hostname, _options, callback) => callback(null, [{ address, family: 4 }]),
    })
    const tokens = createTokenEndpoint({ egress, clock: testClock() })
    return tokens.refresh(rotatingConnector(`http://${host}:${port}`), client, 'rt')
  }
  // The address too, because no name opens this machine.
  const named = ['git.corp.example', '127.0.0.1']
  t.match(await refresh('git.corp.example', named), { credential: { accessToken: 'at' } })
  t.match(await refresh('127.0.0.1', ['127.0.0.1']), { credential: { accessToken: 'at' } })
  const refused = { kind: 'unreachable', message: /refused/ }
  await t.rejects(refresh('127.0.0.1', ['git.corp.example']), refused)
  await t.rejects(refresh('git.corp.example', []), refused)
  await t.rejects(refresh('id.example', named, '93.184.216.34'), refused)
  t.equal(provider.requests.length, 2)
})
