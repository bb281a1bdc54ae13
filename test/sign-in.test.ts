import {
  Client as ClientV2,
  type OAuthClientProvider,
  StreamableHTTPClientTransport as TransportV2,
  UnauthorizedError as UnauthorizedV2,
} from '@modelcontextprotocol/client'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { decodeJwt } from 'jose'
import t, { type Test } from 'tap'
import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  authorizationServer,
} from './fixtures/authorization-server.ts'
import { build } from './fixtures/build.ts'
import { memoryProvider } from './fixtures/memory-provider.ts'
import { obtainTokens } from './fixtures/oauth-client.ts'

const SESSION_AUDIENCE = 'https://gateway.example/sessions'

interface StageOptions {
  algorithm?: string
  /** MCP_SCOPES. */
  scopes?: readonly string[]
  defaultScope?: AuthorizationServerOptions['defaultScope']
  /** Issues the sessions, for SESSION_AUDIENCE. */
  sessions?: AuthorizationServer
}

/** The app on its own port, and the real authorization server whose tokens it accepts on /mcp. */
async function fixture(t: Test, { algorithm = 'RS256', sessions, scopes = [], defaultScope }: StageOptions = {}) {
  const server = await authorizationServer(t, { algorithm, defaultScope })
  const { app, clock, services, directory } = await build(t, {
    settings: {
      tokens: {
        session: sessions && { issuer: sessions.issuer, jwksUri: undefined, audience: SESSION_AUDIENCE },
        mcp: { issuer: server.issuer, jwksUri: undefined, scopes },
        shareSubjects: false,
        algorithms: ['RS256', 'ES256', 'EdDSA'],
        maxLifetimeSeconds: 86_400,
        clockToleranceSeconds: 30,
      },
    },
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(app.server.address() as { port: number }).port}/mcp`
  server.resources.add(url)

  /** Sets the app's clock to the real time before each request, so that the tokens of the real servers are not from the future. */
  const fetchNow: typeof fetch = (input, init) => {
    clock.advance(Math.max(0, Date.now() - clock.now()))
    return fetch(input, init)
  }
  const post = (token: string | undefined, method: string, params: object = {}) =>
    fetchNow(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
  /** Calls a tool with a token. Returns its structured content or its error. */
  const call = async (token: string, name: string, args: object = {}) => {
    const answer = (await (await post(token, 'tools/call', { name, arguments: args })).json()) as ToolAnswer
    const { structuredContent, isError, content } = answer.result ?? {}
    return isError ? JSON.parse(content?.[0]?.text ?? '{}') : (structuredContent ?? answer)
  }
  /** Returns the status and the code that a token is rejected with. */
  const refusal = async (token: string) => {
    const answer = await post(token, 'tools/list')
    const { error } = (await answer.json()) as { error?: { code: string; message: string } }
    return { status: answer.status, challenge: answer.headers.get('www-authenticate'), ...error }
  }
  return { server, clock, services, directory, url, fetchNow, post, call, refusal }
}

type Staged = Pick<Awaited<ReturnType<typeof fixture>>, 'url' | 'fetchNow'>

interface ToolAnswer {
  result?: { structuredContent?: Record<string, unknown>; isError?: boolean; content?: { text: string }[] }
}

t.test('a client that knows only the URL of /mcp gets a token through the metadata documents', async t => {
  const { server, url, post, call, services } = await fixture(t)

  const refused = await post(undefined, 'tools/list')
  t.equal(refused.status, 401)
  const challenge = refused.headers.get('www-authenticate') ?? ''
  const metadataUrl = /^Bearer resource_metadata="([^"]+)"$/.exec(challenge)?.[1] ?? ''
  t.equal(metadataUrl, new URL('/.well-known/oauth-protected-resource/mcp', url).href)

  const metadata = (await (await fetch(metadataUrl)).json()) as { resource: string; authorization_servers: string[] }
  t.match(metadata, { resource: url, authorization_servers: [server.issuer], bearer_methods_supported: ['header'] })

  const [issuer = ''] = metadata.authorization_servers
  const { access_token } = await obtainTokens(issuer, { account: 'ada', resource: metadata.resource })
  t.match(decodeJwt(access_token), { iss: server.issuer, aud: url, sub: 'ada', client_id: String })

  const listed = (await (await post(access_token, 'tools/list')).json()) as { result: { tools: { name: string }[] } }
  t.ok(listed.result.tools.some(tool => tool.name === 'manage__whoami'))
  const { user_id } = await call(access_token, 'manage__whoami')
  t.match(user_id, /^usr_[0-9a-f]{32}$/)
  t.match(await call(access_token, 'manage__whoami'), { user_id }, 'the user stays the same')

  await t.rejects(
    services.identity.jwts.verify(access_token, 'session'),
    { code: 'invalid_jwt', message: /only on POST \/mcp/ },
    'the same token on any other route',
  )
})

t.test('a new user has no organization, and works in one after becoming a member', async t => {
  const { server, url, call, services, directory } = await fixture(t)
  const { access_token } = await obtainTokens(server.issuer, { account: 'grace', resource: url })
  const memory = { memory: 'The compiler was a success.' }

  const before = await call(access_token, 'manage__whoami')
  t.match(before, { active_organization_id: null, role: null, organizations: [] })
  t.match(await call(access_token, 'memory__remember', memory), {
    error: { code: 'no_active_org', type: 'invalid_request_error' },
  })

  const event = new Promise<void>(resolve => {
    services.database.events.on('membership', () => resolve())
  })
  const org = await directory.org()
  await services.members.add({ orgId: org.id, userId: before.user_id, role: 'member', by: 'operator' })
  await event
  t.match(await call(access_token, 'manage__whoami'), { active_organization_id: org.id, role: 'member' })
  t.match(await call(access_token, 'memory__remember', memory), { id: /^mem_/, ...memory })
})

t.test('two clients of a user each work in their own chosen organization', async t => {
  const { server, url, call, services, directory } = await fixture(t)
  const account = 'edsger'
  const editor = await obtainTokens(server.issuer, { account, resource: url })
  const terminal = await obtainTokens(server.issuer, { account, resource: url })
  const { user_id: userId } = await call(editor.access_token, 'manage__whoami')
  const orgs = [await directory.org('One'), await directory.org('Two')] as const
  for (const { id: orgId } of orgs) await services.members.add({ orgId, userId, role: 'member', by: 'operator' })

  await call(editor.access_token, 'manage__switch_org', { organization_id: orgs[0].id })
  await call(terminal.access_token, 'manage__switch_org', { organization_id: orgs[1].id })
  const active = async ({ access_token }: { access_token: string }) =>
    (await call(access_token, 'manage__whoami')).active_organization_id
  t.equal(await active(editor), orgs[0].id)
  t.equal(await active(terminal), orgs[1].id)
  t.equal((await call(terminal.access_token, 'manage__whoami')).user_id, userId)
})

t.test('a token of the same server for another resource than /mcp is rejected', async t => {
  const { server, url, refusal } = await fixture(t)
  const { origin } = new URL(url)
  for (const resource of [origin, `${url}//`, `${origin}/mcp/tools`, 'https://other.example/mcp', SESSION_AUDIENCE]) {
    server.resources.add(resource)
    const { access_token } = await obtainTokens(server.issuer, { account: 'ada', resource })
    t.match(
      await refusal(access_token),
      { status: 401, code: 'invalid_jwt', message: /for another audience/, challenge: /error="invalid_token"$/ },
      resource,
    )
  }
  const { id_token, refresh_token } = await obtainTokens(server.issuer, { account: 'ada', resource: url })
  t.match(await refusal(id_token), { status: 401, code: 'invalid_jwt' }, 'an id token')
  t.match(await refusal(refresh_token), { status: 401, code: 'invalid_api_key' }, 'a refresh token, which is opaque')
  await t.rejects(
    obtainTokens(server.issuer, { account: 'ada', resource: 'https://unknown.example' }),
    { message: 'invalid_target' },
    'the authorization server rejects an unknown resource',
  )
})

t.test('the session server’s tokens are accepted for the session audience, never for the resource of /mcp', async t => {
  const sessions = await authorizationServer(t, { resources: [SESSION_AUDIENCE] })
  const { server, url, call, refusal, services } = await fixture(t, { sessions })
  const session = await obtainTokens(sessions.issuer, { account: 'ada', resource: SESSION_AUDIENCE })
  const { user_id } = await call(session.access_token, 'manage__whoami')
  t.match(await services.identity.jwts.verify(session.access_token, 'session'), { via: 'session', userId: user_id })

  const mcp = await obtainTokens(server.issuer, { account: 'ada', resource: url })
  t.not((await call(mcp.access_token, 'manage__whoami')).user_id, user_id, 'ada at another issuer is another user')

  sessions.resources.add(url)
  const swapped = await obtainTokens(sessions.issuer, { account: 'ada', resource: url })
  t.match(await refusal(swapped.access_token), { status: 401, code: 'invalid_jwt', message: /for another audience/ })
})

t.test('ES256, EdDSA and rotated keys are accepted at once', async t => {
  for (const algorithm of ['ES256', 'EdDSA']) {
    const { server, url, call, clock } = await fixture(t, { algorithm })
    const before = await obtainTokens(server.issuer, { account: 'ada', resource: url })
    const { user_id } = await call(before.access_token, 'manage__whoami')
    t.match(user_id, /^usr_/, algorithm)
    await server.rotate()
    clock.advance(1_000)
    const after = await obtainTokens(server.issuer, { account: 'ada', resource: url })
    t.match(await call(after.access_token, 'manage__whoami'), { user_id })
    await server.stop()
    await t.rejects(fetch(server.issuer), 'the server is gone')
    clock.advance(120_000)
    t.match(await call(after.access_token, 'manage__whoami'), { user_id }, 'verified with the cached keys')
    await server.start()
    const back = await obtainTokens(server.issuer, { account: 'ada', resource: url })
    t.match(await call(back.access_token, 'manage__whoami'), { user_id })
  }
})

t.test('the SDK’s OAuth clients sign in and refresh an expired token without help', async t => {
  await t.test('v1', async t => {
    const { server, url, fetchNow, clock } = await fixture(t)
    const { authProvider, callback } = memoryProvider('ada')
    const connect = async () => {
      const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider, fetch: fetchNow })
      const client = new Client({ name: 'test', version: '1' })
      return { client, transport, connected: client.connect(transport as never) }
    }
    const first = await connect()
    await t.rejects(first.connected, { message: 'Unauthorized', constructor: UnauthorizedError })
    await first.transport.finishAuth(callback().searchParams.get('code') ?? '')
    const { client, connected } = await connect()
    t.teardown(() => client.close())
    await connected
    await works(t, { server, clock, authProvider, client })
  })

  for (const mode of ['auto', 'legacy'] as const) {
    await t.test(`v2, ${mode}`, async t => {
      const { server, url, fetchNow, clock } = await fixture(t)
      const { authProvider, callback } = memoryProvider('ada')
      const connect = async () => {
        const transport = new TransportV2(new URL(url), { authProvider, fetch: fetchNow })
        const client = new ClientV2({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
        return { client, transport, connected: client.connect(transport) }
      }
      const first = await connect()
      await t.rejects(first.connected, { message: 'Unauthorized', constructor: UnauthorizedV2 })
      await first.transport.finishAuth(callback().searchParams)
      const { client, connected } = await connect()
      t.teardown(() => client.close())
      await connected
      t.equal(client.getProtocolEra(), mode === 'legacy' ? 'legacy' : 'modern')
      await works(t, { server, clock, authProvider, client })
    })
  }
})

t.test('at an authorization server without a default scope, clients sign in only if MCP_SCOPES names one', async t => {
  const metadataOf = async (url: string) =>
    (await (await fetch(new URL('/.well-known/oauth-protected-resource/mcp', url))).json()) as object
  const clients = {
    v1(url: URL, options: object) {
      const transport = new StreamableHTTPClientTransport(url, options)
      const client = new Client({ name: 'test', version: '1' })
      const finish = (answer: URLSearchParams) => transport.finishAuth(answer.get('code') ?? '')
      return { client, finish, connect: () => client.connect(transport as never) }
    },
    v2(url: URL, options: object) {
      const transport = new TransportV2(url, options)
      const client = new ClientV2({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
      const finish = (answer: URLSearchParams) => transport.finishAuth(answer)
      return { client, finish, connect: () => client.connect(transport) }
    },
  }
  const signIn = async (connectTo: (typeof clients)['v1' | 'v2'], { url, fetchNow }: Staged) => {
    const { authProvider, callback } = memoryProvider('ada')
    const open = () => connectTo(new URL(url), { authProvider, fetch: fetchNow })
    const { connect, finish } = open()
    await t.rejects(connect(), { message: 'Unauthorized' })
    return { finish, open, answer: callback().searchParams }
  }

  const without = await fixture(t, { defaultScope: null })
  t.notOk('scopes_supported' in (await metadataOf(without.url)))
  const named = await fixture(t, { scopes: ['openid'], defaultScope: null })
  t.match(await metadataOf(named.url), { scopes_supported: ['openid'] })
  const challenge = async (token?: string) => (await named.post(token, 'ping')).headers.get('www-authenticate')
  t.match(await challenge(), /", scope="openid"$/)
  t.match(await challenge('x'), /", scope="openid", error="invalid_token"$/)

  for (const connectTo of Object.values(clients)) {
    t.equal((await signIn(connectTo, without)).answer.get('error'), 'access_denied')
    const { answer, finish, open } = await signIn(connectTo, named)
    await finish(answer)
    const { client, connect } = open()
    t.teardown(() => client.close())
    await connect()
    t.ok((await client.listTools()).tools.some(tool => tool.name === 'manage__whoami'))
  }
})

interface SignedIn {
  server: AuthorizationServer
  clock: { advance(milliseconds: number): void }
  authProvider: OAuthClientProvider
  client: {
    listTools(): Promise<{ tools: { name: string }[] }>
    callTool(call: { name: string }): Promise<{ [key: string]: unknown }>
  }
}

/** Checks that a signed-in client works before and after its token expires. */
async function works(t: Test, { server, clock, authProvider, client }: SignedIn): Promise<void> {
  const visits = (path: string) => server.asked.filter(one => one === path).length
  t.equal(visits('/reg'), 1)
  t.equal(visits('/token'), 1)
  t.ok((await client.listTools()).tools.some(tool => tool.name === 'manage__whoami'))
  const before = await client.callTool({ name: 'manage__whoami' })
  t.match(before, { structuredContent: { user_id: /^usr_/, organizations: [] } })

  const expired = (await authProvider.tokens())?.access_token ?? ''
  // The next token stays valid after the app's clock advances, because the server has its own clock.
  server.accessTokenSeconds = 3_600
  clock.advance(Number(decodeJwt(expired).exp) * 1_000 - Date.now() + 31_000)
  t.match(await client.callTool({ name: 'manage__whoami' }), { structuredContent: before.structuredContent })
  t.not((await authProvider.tokens())?.access_token, expired)
  t.equal(visits('/token'), 2, 'one refresh')
  t.equal(visits('/reg'), 1, 'no other registration, and no other sign-in')
}
