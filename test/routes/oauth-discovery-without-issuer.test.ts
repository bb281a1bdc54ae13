import { setImmediate as later } from 'node:timers/promises'
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client'
import { discoverAuthorizationServerMetadata } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { OAUTH_PATHS } from '../../routes/oauth-discovery.ts'
import { mintApiKey } from '../../services/identity/key-format.ts'
import { build } from '../fixtures/build.ts'
import { testDatabase } from '../fixtures/database.ts'
import { memoryProvider } from '../fixtures/memory-provider.ts'

const ADVICE =
  'This gateway has no sign-in. Send an API key as Authorization: Bearer <key> or x-api-key: <key>. If you sent one, it was rejected.'
const rejected = (fault: string) => `Your API key was rejected: ${fault} This gateway has no sign-in, only API keys.`
const INCOMPLETE = rejected('This is not a complete API key (cgw_dev_…); copy it again.')

t.test('without MCP_ISSUER, every OAuth path answers an OAuth error that says to send an API key', async t => {
  const { app } = await build(t)
  for (const url of OAUTH_PATHS) {
    for (const method of ['GET', 'POST'] as const) {
      const response = await app.inject({ method, url })
      t.equal(response.statusCode, 404, `${method} ${url}`)
      t.equal(response.headers['cache-control'], 'no-store')
      t.same(response.json(), {
        error: 'invalid_request',
        error_description: ADVICE,
      })
    }
  }
  const token = await app.inject({
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'grant_type=refresh_token&refresh_token=x',
  })
  t.match([token.statusCode, token.json()], [404, { error: 'invalid_request' }], 'a form is not read')
  t.equal((await app.inject({ url: '/register', headers: { host: 'evil.example' } })).statusCode, 403)
})

t.test('the OAuth error says of a sent key what POST /mcp says of it, and never the key', async t => {
  const { app, clock, services, directory } = await build(t)
  const [member] = await directory.members('member')
  const expiring = await member.key({ expiresAt: new Date(clock.now() + 3_000) })
  const revoked = await member.key()
  await services.keys.revoke(revoked.id, { by: 'operator' })
  const { key: good } = await member.key()
  clock.advance(3_000)

  const description = async (key: string) => {
    const response = await app.inject({ method: 'POST', url: '/register', headers: { authorization: `Bearer ${key}` } })
    t.equal(response.statusCode, 404)
    t.notMatch(response.body, key.slice(10))
    return response.json().error_description
  }
  const unknown = 'This API key is unknown or revoked. Use another key.'
  for (const [key, fault] of [
    [
      mintApiKey('production'),
      'This is a production key (cgw_live_…); this gateway runs in development. Create a key here.',
    ],
    [mintApiKey('development').slice(0, -1), 'This is not a complete API key (cgw_dev_…); copy it again.'],
    [mintApiKey('development'), unknown],
    [revoked.key, unknown],
    [expiring.key, `This API key expired on ${new Date(clock.now()).toISOString().slice(0, 10)}. Use another key.`],
  ] as const) {
    t.equal(await description(key), rejected(fault))
    const { error } = (await app.inject({ method: 'POST', url: '/mcp', headers: { 'x-api-key': key } })).json()
    t.equal(error.message, fault)
  }
  t.match(
    await description(good),
    /^This gateway has no sign-in, and needs none: the API key of this request is valid\./,
  )
})

t.test(
  'the OAuth paths and POST /mcp share a bound on lookups; above it, the error says nothing of the key',
  async t => {
    const database = await testDatabase(t)
    const { app, services } = await build(t, { database })
    const { verify } = services.identity.apiKeys
    const flood = () =>
      Promise.allSettled(Array.from({ length: 200 }, () => verify(mintApiKey('development'), '127.0.0.1')))
    const headers = () => ({ 'x-api-key': mintApiKey('development') })
    const floods = await database.db.transaction().execute(async locked => {
      await sql`LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE`.execute(locked)
      const first = flood()
      await later() // A part of them is being read, …
      const second = flood() // … and more wait than this address may have waiting.
      await later()
      const bounded = await app.inject({ method: 'POST', url: '/mcp', headers: headers() })
      t.match([bounded.statusCode, bounded.json()], [503, { error: { code: 'overloaded' } }])
      const response = await app.inject({ method: 'POST', url: '/register', headers: headers() })
      t.match([response.statusCode, response.json().error_description], [404, ADVICE])
      return { first, second }
    })
    await Promise.all([floods.first, floods.second])
  },
)

t.test('pages of CORS_ORIGINS can read the OAuth error', async t => {
  const { app } = await build(t, { settings: { corsOrigins: ['https://inspector.example'] } })
  const headers = { origin: 'https://inspector.example', 'access-control-request-method': 'POST' }
  const preflight = await app.inject({ method: 'OPTIONS', url: '/register', headers })
  t.match([preflight.statusCode, preflight.headers['access-control-allow-origin']], [204, headers.origin])
  const response = await app.inject({ method: 'POST', url: '/register', headers: { origin: headers.origin } })
  t.match([response.statusCode, response.headers['access-control-allow-origin']], [404, headers.origin])
})

t.test('with MCP_ISSUER, the OAuth paths answer the ordinary 404', async t => {
  const { app } = await build(t, {
    settings: {
      tokens: {
        session: undefined,
        mcp: { issuer: 'https://login.example', jwksUri: undefined, scopes: [] },
        shareSubjects: false,
        algorithms: ['RS256'],
        maxLifetimeSeconds: 86_400,
        clockToleranceSeconds: 30,
      },
    },
  })
  for (const url of OAUTH_PATHS)
    t.match((await app.inject({ method: 'POST', url })).json(), { error: { code: 'endpoint_not_found' } }, url)
})

t.test('SDK clients with an OAuth provider and a mistyped key fail with the sentence that says what to do', async t => {
  const { app } = await build(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = new URL(`http://127.0.0.1:${(app.server.address() as { port: number }).port}/mcp`)
  const mistyped = mintApiKey('development').slice(0, -1)
  t.equal(await discoverAuthorizationServerMetadata(url.origin), undefined, 'discovery goes on after each 404')

  for (const header of ['authorization', 'x-api-key']) {
    const requestInit = { headers: { [header]: header === 'authorization' ? `Bearer ${mistyped}` : mistyped } }
    const { authProvider } = memoryProvider('ada')
    const v1 = new StreamableHTTPClientTransport(url, { requestInit, authProvider })
    t.equal(await failure(t, new Client({ name: 'test', version: '1' }).connect(v1 as never)), INCOMPLETE)
    for (const mode of ['auto', 'legacy'] as const) {
      const v2 = new TransportV2(url, { requestInit, authProvider: memoryProvider('ada').authProvider })
      const client = new ClientV2({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
      const message = await failure(t, client.connect(v2))
      t.match(message, /^Dynamic Client Registration rejected \(HTTP 404\): /, mode)
      t.ok(message.includes(INCOMPLETE), message)
    }
  }
})

/** The message that a client fails with. */
async function failure(t: Test, connected: Promise<void>): Promise<string> {
  try {
    await connected
  } catch (error) {
    return (error as Error).message
  }
  t.fail('The client connects with a mistyped key.')
  return ''
}
