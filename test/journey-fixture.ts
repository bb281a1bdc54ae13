import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import type { Test } from 'tap'
import type { Settings } from '../lib/configuration/settings.ts'
import type { OpenDatabase } from '../lib/database/open-database.ts'
import { type ConnectorDefinition, defineConnector } from '../services/definitions/define-connector.ts'
import { file, httpTool, pick } from '../services/definitions/http-tool.ts'
import { adds, reads } from '../tools/connectors/annotations.ts'
import { cursor, limit } from '../tools/connectors/paging.ts'
import { authorizationServer } from './authorization-server.ts'
import { browserSignIn } from './browser-sign-in.ts'
import { type Built, build } from './build.ts'
import { newsHeard } from './database.ts'
import type { TestMember } from './directory.ts'
import { upstream } from './egress-fixture.ts'
import { session } from './fixture.ts'
import { REDIRECT_URI } from './oauth-client.ts'
import { oauth2Connector, registerApp } from './sample-connectors.ts'
import { rotatingConnector, type TokenServer, tokenServer } from './token-server.ts'

/** The headers that identify a caller. */
export type Headers = Readonly<Record<string, string>>

/** The headers of a member's browser session. */
export const signedIn = ({ userId }: Pick<TestMember, 'userId'>): Headers => ({
  authorization: `Bearer e30.${userId}.x`,
})

/** Verifies the tokens of `signedIn`. */
export const verifyJwt = async (token: string) => session({ userId: token.split('.')[1] ?? '' })

interface ErrorBody {
  error: { code: string; message: string }
  [detail: string]: unknown
}

/** The outcome of a `tools/call`: its data or its error. */
interface Called {
  status: number
  /** The error's code; `ok` without one. */
  outcome: string
  error: ErrorBody['error'] | undefined
  /** The details of an error. */
  details: Record<string, unknown>
  text: string
  data: Record<string, unknown>
  /** The account that the call used. */
  account: { id: string; alias: string; identity: string } | undefined
}

/** Calls a whole app over its HTTP routes. */
export function callerOfApp({ app }: Pick<Built, 'app'>, headers: Headers) {
  async function mcp(method: string, params: object = {}, more: Headers = {}) {
    const response = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...headers,
        ...more,
      },
      payload: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
    })
    return { status: response.statusCode, body: response.json() }
  }

  return {
    async call(name: string, args: object = {}, more: Headers = {}): Promise<Called> {
      const { status, body } = await mcp('tools/call', { name, arguments: args }, more)
      const { result = {} } = body
      const text: string = result.content?.[0]?.text ?? ''
      const failed: ErrorBody | undefined = result.isError === true ? envelopeIn(text) : body
      const { error, ...details } = failed?.error === undefined ? { error: undefined } : failed
      return {
        status,
        outcome: error?.code ?? (result.isError === true ? 'error' : 'ok'),
        error,
        details,
        text,
        data: result.structuredContent ?? {},
        account: result._meta?.['connector-gateway/account'],
      }
    },
    /** Returns the tools of a family by name, with the account aliases that each accepts. */
    async tools(family: string): Promise<Map<string, readonly string[]>> {
      const { body } = await mcp('tools/list')
      const tools: { name: string; inputSchema: { properties: Record<string, { enum?: string[] }> } }[] =
        body.result.tools
      return new Map(
        tools
          .filter(({ name }) => name.startsWith(`${family}__`))
          .map(({ name, inputSchema }) => [name, inputSchema.properties.account?.enum ?? []]),
      )
    },
    /** Returns an entry of the index; undefined if it has none. */
    async entry(id: string) {
      const { connectors } = (await app.inject({ url: '/connectors', headers })).json()
      return (connectors as { id: string; [field: string]: unknown }[]).find(connector => connector.id === id)
    },
    async get(url: string) {
      const response = await app.inject({ url, headers })
      return { status: response.statusCode, body: response.json(), text: response.body }
    },
    async remove(url: string) {
      const response = await app.inject({ method: 'DELETE', url, headers })
      return { status: response.statusCode, text: response.body, code: response.body && response.json().error }
    },
  }
}

function envelopeIn(text: string): ErrorBody | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Answers a request in place of the provider's API. Returns whether it did. */
export type Reply = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * A shop with accounts at a real authorization server. Its orders are listed in pages of two, added, and exported as a file.
 * It checks each token at the authorization server.
 */
export async function shop(t: Test) {
  const server = await authorizationServer(t)
  const state = { reply: (() => false) as Reply }
  const api = await upstream(t, (request, response) => void answer(request, response))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (state.reply(request, response)) return
    const { authorization = '' } = request.headers
    const known = await fetch(`${server.issuer}/me`, { headers: { authorization } })
    if (known.status !== 200) return void json(response, 401, { message: 'Unknown token' })
    const url = new URL(request.url ?? '', api.origin)
    if (url.pathname === '/export') {
      response.writeHead(200, { 'content-type': 'text/csv' })
      return void response.end('id,item\n1,tea\n2,ink\n')
    }
    if (request.method === 'POST') return void json(response, 201, { id: api.requests.length })
    const after = Number(url.searchParams.get('after') ?? '0')
    const orders = [1, 2, 3].slice(after, after + Number(url.searchParams.get('limit')))
    const more = after + orders.length < 3 ? { next: String(after + orders.length) } : {}
    json(response, 200, { orders: orders.map(id => ({ id, secret: 'not for models' })), ...more })
  }

  const { id: _id, name: _name, tools: _tools, ...hub } = oauth2Connector(server.issuer)
  const connector = defineConnector({
    ...hub,
    id: 'shop',
    name: 'Shop',
    baseUrl: api.origin,
    identity: { request: { url: `${server.issuer}/me` }, label: '{/sub}' },
    errors: {
      failedWhen: { pointer: '/ok', is: 'false' },
      message: ['/error', '/message'],
      code: ['/error'],
      rateLimited: ['ratelimited'],
    },
    rateLimit: { reset: 'x-ratelimit-reset', unit: 'epoch-s', remaining: 'x-ratelimit-remaining' },
    tools: [
      httpTool({
        operation: 'list_orders',
        title: 'List orders',
        description: 'Lists orders.',
        annotations: reads,
        input: { limit: limit({ max: 10, default: 2 }), cursor },
        request: { method: 'GET', path: '/orders', query: { limit: '{limit}', after: '{cursor}' } },
        pagination: { style: 'cursor', items: '/orders', next: '/next' },
        result: pick('/orders', ['id']),
      }),
      httpTool({
        operation: 'add_order',
        title: 'Add an order',
        description: 'Adds an order.',
        annotations: adds,
        input: { item: Type.String() },
        request: { method: 'POST', path: '/orders', body: { json: { item: '{item}' } } },
        result: pick('', ['id']),
      }),
      httpTool({
        operation: 'export_orders',
        title: 'Export orders',
        description: 'Exports all orders as a file.',
        annotations: reads,
        input: {},
        request: { method: 'GET', path: '/export' },
        result: file('orders.csv'),
      }),
      httpTool({
        operation: 'watch_orders',
        title: 'Watch orders',
        description: 'Watches orders.',
        annotations: reads,
        input: {},
        scopes: ['offline_access'],
        request: { method: 'GET', path: '/orders' },
        result: pick('/orders', ['id']),
      }),
    ],
  })
  return {
    connector,
    api,
    server,
    /** Answers first; false to let the API answer. */
    set reply(reply: Reply) {
      state.reply = reply
    },
    client: await registerApp(server.issuer, [REDIRECT_URI]),
  }
}

type Shop = Awaited<ReturnType<typeof shop>>

/** Answers with JSON. Returns true, so that a `Reply` can return it. */
export function json(response: ServerResponse, status: number, body: unknown, headers: Headers = {}): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
  return true
}

/** The connector of a provider that rotates its refresh tokens, with one tool and revocation by the app. */
export function rotor(server: Pick<TokenServer, 'origin'>): ConnectorDefinition {
  return defineConnector({
    ...rotatingConnector(server.origin, {
      revocation: { url: `${server.origin}/revoke`, method: 'POST', as: 'client', form: { token: '{refresh_token}' } },
    }),
    tools: [
      httpTool({
        operation: 'look',
        title: 'Look',
        description: 'Looks.',
        annotations: reads,
        input: {},
        request: { method: 'GET', path: '/api' },
        result: pick('', ['good']),
      }),
    ],
  })
}

/** Creates a directory that is removed with the test. */
export function emptyDirectory(t: Test): string {
  const directory = mkdtempSync(join(tmpdir(), 'connector-gateway-journey-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** The app with the shop, and members who can connect accounts of it. */
export async function shopJourney(
  t: Test,
  { settings, provider: made, shared }: { settings?: Partial<Settings>; provider?: Shop; shared?: OpenDatabase } = {},
) {
  const provider = made ?? (await shop(t))
  const built = await build(t, {
    ...(shared !== undefined && { shared }),
    connectors: [provider.connector],
    settings: { dataDir: emptyDirectory(t), oauthClients: new Map([['shop', provider.client]]), ...settings },
    verifyJwt,
  })
  const { services } = built
  const org = await built.directory.org()
  const [owner, ada, eve] = [await org.member('owner'), await org.member(), await org.member()]
  await newsHeard(services.database)

  return {
    ...built,
    ...provider,
    provider,
    org,
    owner,
    ada,
    eve,
    as: (member: TestMember) => callerOfApp(built, signedIn(member)),
    /** Connects an account through the provider's pages, signed in as `login`. */
    async connect(
      { caller }: TestMember,
      as: string,
      more: { alias?: string; scope?: 'private' | 'shared'; accountId?: string; optionalScopes?: string[] } = {},
    ) {
      const { connecting } = services
      built.clock.advance(1) // Accounts are listed in the order of their creation.
      const request = { caller, connector: 'shop', redirectUri: REDIRECT_URI, scope: 'private' as const, ...more }
      const { authorizationUrl } = await connecting.begin(request)
      return connecting.finish({ caller, callback: (await browserSignIn(new URL(authorizationUrl), as)).href })
    },
  }
}

/** The app with the provider that rotates its tokens, and members who can have accounts of it. */
export async function rotorJourney(t: Test, shared?: OpenDatabase) {
  const server = await tokenServer(t)
  const connectors = [rotor(server)]
  const client = { id: 'app.1', secret: `s_${crypto.randomUUID()}` }
  const built = await build(t, {
    ...(shared !== undefined && { shared }),
    connectors,
    settings: { oauthClients: new Map([['rotor', client]]) },
    verifyJwt,
  })
  const { services, clock } = built
  const org = await built.directory.org()
  const [owner, ada] = [await org.member('owner'), await org.member()]
  await newsHeard(services.database)

  return {
    ...built,
    connectors,
    client,
    server,
    org,
    owner,
    ada,
    as: (member: TestMember) => callerOfApp(built, signedIn(member)),
    /** Connects an account with tokens that expire in an hour. */
    async account(
      { caller }: TestMember,
      alias = 'work',
      more: { scope?: 'private' | 'shared'; accountId?: string } = {},
    ) {
      clock.advance(1)
      const account = await services.connecting.add({
        caller,
        connector: 'rotor',
        scope: 'private',
        alias,
        credential: { kind: 'oauth2', ...server.grant(), expiresInSeconds: 3_600 },
        identity: alias,
        probe: false,
        ...more,
      })
      await newsHeard(services.database)
      return account
    },
    hourLater: () => clock.advance(3_600_000),
  }
}
