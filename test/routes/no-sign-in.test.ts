import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client'
import { discoverAuthorizationServerMetadata } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import t, { type Test } from 'tap'
import { OAUTH_PATHS } from '../../routes/no-sign-in.ts'
import { mintApiKey } from '../../services/identity/key-format.ts'
import { build } from '../build.ts'
import { memoryProvider } from '../memory-provider.ts'

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

t.test('the OAuth error names the fault of a sent key if the key shows it, and never the key', async t => {
  const { app } = await build(t)
  const description = async (key: string) => {
    const response = await app.inject({ method: 'POST', url: '/register', headers: { authorization: `Bearer ${key}` } })
    t.notMatch(response.body, key.slice(10))
    return response.json().error_description
  }
  t.equal(
    await description(mintApiKey('production')),
    rejected('This is a production key (cgw_live_…); this gateway runs in development. Create a key here.'),
  )
  t.equal(await description(mintApiKey('development').slice(0, -1)), INCOMPLETE)
  t.equal(await description(mintApiKey('development')), ADVICE, 'an unknown key, which is not looked up')
})

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
