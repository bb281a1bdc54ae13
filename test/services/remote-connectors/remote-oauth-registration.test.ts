import t, { type Test } from 'tap'
import { PublicHosts } from '../../../lib/http/public-hosts.ts'
import errorEnvelope from '../../../plugins/error-envelope/plugin.ts'
import origin from '../../../plugins/origin/plugin.ts'
import { metadataRoutes } from '../../../routes/oauth-discovery.ts'
import { authorizationUrl } from '../../../services/connectors/connect/oauth-redirect.ts'
import { signInConnectorOf } from '../../../services/remote-connectors/grant-connector.ts'
import type { DiscoveredServer } from '../../../services/remote-connectors/oauth/authorization-server.ts'
import { readChallenge, stepUpScopes } from '../../../services/remote-connectors/oauth/challenge.ts'
import { createClientRegistration } from '../../../services/remote-connectors/oauth/client-registration.ts'
import { egressOf, upstream } from '../../fixtures/egress-fixture.ts'
import { bare, localhost } from '../../fixtures/fixture.ts'

const GATEWAY = { origin: 'https://gateway.example' }

/** A server that registers clients as the test says. */
async function fixture(t: Test) {
  let answer: { status: number; body: string } = { status: 201, body: JSON.stringify({ client_id: 'dynamic' }) }
  const server = await upstream(t, (_request, response) => {
    response.writeHead(answer.status, { 'content-type': 'application/json', location: '/elsewhere' }).end(answer.body)
  })
  const discovered: DiscoveredServer = {
    resource: 'https://wiki.test/mcp',
    issuer: server.origin,
    authorizationEndpoint: `${server.origin}/authorize`,
    tokenEndpoint: `${server.origin}/token`,
    registrationEndpoint: `${server.origin}/register`,
    revocationEndpoint: undefined,
    takesClientIdMetadata: false,
    issParameter: true,
    clientAuth: ['basic', 'post', 'none'],
    scopes: ['read', 'write'],
  }
  return {
    requests: server.requests,
    discovered,
    ...createClientRegistration({ egress: egressOf(t) }),
    answers(status: number, json: unknown) {
      answer = { status, body: typeof json === 'string' ? json : JSON.stringify(json) }
    },
  }
}

const failed = (message: RegExp) => ({ name: 'GatewayError', code: 'oauth_registration_failed', message })

t.test('a provided client is used as it is, without a request', async t => {
  const { register, discovered, requests } = await fixture(t)
  const { resource, issuer, authorizationEndpoint, tokenEndpoint, issParameter, scopes } = discovered
  const server = { v: 1, resource, issuer, authorizationEndpoint, tokenEndpoint, issParameter, scopes }
  const takesAll = { ...discovered, takesClientIdMetadata: true }
  t.same(await register(takesAll, { clientId: 'mine', clientSecret: 'hush' }, GATEWAY), {
    oauth: { ...server, clientSource: 'preregistered', clientId: 'mine', clientAuth: 'basic' },
    clientSecret: 'hush',
  })
  const post = { ...discovered, clientAuth: ['post', 'none'] as const }
  t.match(await register(post, { clientId: 'mine', clientSecret: 'hush' }, GATEWAY), { oauth: { clientAuth: 'post' } })
  t.match(await register(discovered, { clientId: 'mine', scopes: [] }, GATEWAY), {
    oauth: { clientAuth: 'none', scopes: [] },
    clientSecret: null,
  })
  const secretless = { ...discovered, clientAuth: ['none'] as const }
  await t.rejects(
    register(secretless, { clientId: 'mine', clientSecret: 'hush' }, GATEWAY),
    failed(/does not support a client secret. Send only the client_id/),
  )
  t.same(requests, [])
})

t.test(
  'a server that supports client metadata documents gets this gateway’s URL if the document is reachable',
  async t => {
    const { register, discovered, requests } = await fixture(t)
    const takes = { ...discovered, takesClientIdMetadata: true }
    t.match(await register(takes, {}, GATEWAY), {
      oauth: {
        clientSource: 'preregistered',
        clientId: 'https://gateway.example/.well-known/oauth-client-metadata',
        clientAuth: 'none',
      },
      clientSecret: null,
    })
    t.same(requests, [])
    t.match(await register(takes, {}, { origin: 'http://127.0.0.1:3000' }), {
      oauth: { clientSource: 'dcr', clientId: 'dynamic' },
    })
  },
)

t.test(
  'a server that does not announce iss never gets the metadata document, because other servers know its URL',
  async t => {
    const { register, discovered, requests } = await fixture(t)
    const silent = { ...discovered, takesClientIdMetadata: true, issParameter: false }
    t.match(await register(silent, {}, GATEWAY), { oauth: { clientSource: 'dcr', clientId: 'dynamic' } })
    t.equal(requests.length, 1)
    await t.rejects(
      register({ ...silent, registrationEndpoint: undefined }, {}, GATEWAY),
      failed(/does not announce authorization_response_iss_parameter_supported.*Register a client there yourself/),
    )
  },
)

t.test('other servers register a public client, or a confidential one if they support no public clients', async t => {
  const { register, discovered, requests, answers } = await fixture(t)
  t.match(await register(discovered, {}, GATEWAY), {
    oauth: { clientSource: 'dcr', clientId: 'dynamic', clientAuth: 'none', issuer: discovered.issuer },
    clientSecret: null,
  })
  t.same(JSON.parse(requests[0]?.body ?? ''), {
    client_name: 'Connector Gateway',
    redirect_uris: ['http://127.0.0.1:8976/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    scope: 'read write',
  })
  answers(200, { client_id: 'public', client_secret: null, token_endpoint_auth_method: null })
  t.match(await register(discovered, {}, GATEWAY), {
    oauth: { clientId: 'public', clientAuth: 'none' },
    clientSecret: null,
  })
  answers(200, { client_id: 'sealed', client_secret: 'unasked', client_secret_expires_at: 1 })
  t.match(await register(discovered, {}, GATEWAY), { oauth: { clientAuth: 'basic' }, clientSecret: 'unasked' })
  answers(200, { client_id: 'public', client_secret: 'unasked', token_endpoint_auth_method: 'none' })
  t.match(await register(discovered, {}, GATEWAY), { oauth: { clientAuth: 'none' }, clientSecret: null })

  const confidential = { ...discovered, clientAuth: ['post'] as const, scopes: [] }
  answers(201, { client_id: 'sealed', client_secret: 'hush' })
  t.match(await register(confidential, {}, GATEWAY), { oauth: { clientAuth: 'post' }, clientSecret: 'hush' })
  const { scope, token_endpoint_auth_method } = JSON.parse(requests.at(-1)?.body ?? '')
  t.same({ scope, token_endpoint_auth_method }, { scope: undefined, token_endpoint_auth_method: 'client_secret_post' })
  answers(201, { client_id: 'sealed', client_secret: 'hush', token_endpoint_auth_method: 'client_secret_basic' })
  t.match(await register(confidential, {}, GATEWAY), { oauth: { clientAuth: 'basic' } }, 'the server has the last word')
})

t.test('an authorization request has the parameters of its registration, and those that Google needs', async t => {
  const { register, discovered } = await fixture(t)
  const paramsOf = async (issuer: string, given: object = {}) => {
    const { oauth } = await register({ ...discovered, issuer }, { clientId: 'app', ...given }, GATEWAY)
    return oauth.authorizationParams
  }
  const google = 'https://accounts.google.com'
  t.equal(await paramsOf(discovered.issuer), undefined)
  t.same(await paramsOf(google), { access_type: 'offline', prompt: 'consent' })
  const authorizationParams = { prompt: 'select_account', hd: 'corp.example' }
  t.same(await paramsOf(google, { authorizationParams }), { access_type: 'offline', ...authorizationParams })
  t.same(await paramsOf(discovered.issuer, { authorizationParams }), authorizationParams)

  const { oauth } = await register({ ...discovered, issuer: google }, { clientId: 'app' }, GATEWAY)
  const requestOf = (fields: Partial<typeof oauth>) => {
    const { auth } = signInConnectorOf({ slug: 'wiki', name: 'The wiki' }, { ...oauth, ...fields })
    return authorizationUrl(auth, { clientId: 'app', redirectUri: 'http://127.0.0.1:1/callback', state: 's' })
      .searchParams
  }
  const { resource } = discovered
  t.match(Object.fromEntries(requestOf({})), { access_type: 'offline', prompt: 'consent', resource, state: 's' })
  t.equal(requestOf({ withoutResource: true }).has('resource'), false)
})

t.test('a failed client registration says so and names the alternative', async t => {
  const { register, discovered, requests, answers } = await fixture(t)
  const advice =
    /Register a client there yourself with the redirect URI http:\/\/127.0.0.1:8976\/callback. Then provide its client_id/
  const cases: [number, unknown, RegExp][] = [
    [400, { error: 'invalid_redirect_uri', error_description: 'No.' }, /\(HTTP 400 invalid_redirect_uri: “No”\)\./],
    [403, { error: '<b>no</b>', error_description: null }, /\(HTTP 403\)\./],
    [401, '', /\(HTTP 401\)\./],
    [302, { client_id: 'moved' }, /\(HTTP 302\)\./],
    [201, '<html>', /\(HTTP 201\)\./],
    [201, {}, /\(HTTP 201\)\./],
    [201, { client_id: '' }, /\(HTTP 201\)\./],
    [201, { client_id: 'x'.repeat(3_000) }, /\(HTTP 201\)\./],
    [201, { client_id: 'id', pad: 'x'.repeat(70_000) }, /did not answer the registration/],
    [201, { client_id: 'id', token_endpoint_auth_method: 'private_key_jwt' }, /without usable client authentication/],
    [
      201,
      { client_id: 'id', token_endpoint_auth_method: 'client_secret_basic' },
      /without usable client authentication/,
    ],
  ]
  for (const [status, json, message] of cases) {
    answers(status, json)
    await t.rejects(register(discovered, {}, GATEWAY), failed(message), `${status} ${message}`)
    await t.rejects(register(discovered, {}, GATEWAY), failed(advice))
  }
  t.ok(
    requests.every(({ url }) => url === '/register'),
    'and no redirect is followed',
  )
  const closed = { ...discovered, registrationEndpoint: undefined }
  await t.rejects(register(closed, {}, GATEWAY), failed(/does not support dynamic client registration/))
  const strange = { ...discovered, clientAuth: [] }
  await t.rejects(register(strange, {}, GATEWAY), failed(/supports none of the client authentication methods/))
  const gone = { ...discovered, registrationEndpoint: 'http://127.0.0.1:9/register' }
  await t.rejects(register(gone, {}, GATEWAY), failed(/did not answer the registration/))
})

t.test('the client metadata document is public and contains its own URL on each origin', async t => {
  const app = bare(t)
  app.register(errorEnvelope)
  app.register(origin, { ...localhost, hosts: new PublicHosts(() => ['https://a.example', 'https://b.example']) })
  app.register(metadataRoutes, { authorizationServers: [], scopes: [], assertionKeys: async () => [] })
  const url = '/.well-known/oauth-client-metadata'
  for (const host of ['a.example', 'b.example']) {
    const response = await app.inject({ url, headers: { host } })
    t.equal(response.statusCode, 200)
    t.equal(response.headers['cache-control'], 'public, max-age=3600')
    t.match(response.headers['content-type'], /^application\/json/)
    t.same(response.json(), {
      client_id: `https://${host}${url}`,
      client_name: 'Connector Gateway',
      redirect_uris: ['http://127.0.0.1:8976/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    })
  }
  t.equal((await app.inject({ url, headers: { host: 'evil.example' } })).statusCode, 403)
})

t.test(
  'a missing scope leads to a request for the old and the named scopes, never for the same ones again',
  async t => {
    const challenge = 'Bearer error="insufficient_scope", scope="write read"'
    const after = async (requested: string[], header?: string) => stepUpScopes(requested, await readChallenge(header))
    t.same(await after(['read'], challenge), ['read', 'write'])
    t.same(await after(['read'], 'Bearer scope="write"'), ['read', 'write'], 'some name no error')
    t.equal(await after(['read', 'write'], challenge), undefined)
    t.equal(await after([], 'Bearer error="insufficient_scope"'), undefined)
    t.equal(await after([], 'Bearer error="invalid_token", scope="write"'), undefined)
    t.equal(await after([], 'Basic scope="write", error="insufficient_scope"'), undefined)
    t.equal(await after([]), undefined)
  },
)
