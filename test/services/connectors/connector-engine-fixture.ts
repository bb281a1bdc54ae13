import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { TProperties } from '@sinclair/typebox'
import type { Test } from 'tap'
import { parseAllowList } from '../../../lib/egress/allow-list.ts'
import { createEgress } from '../../../lib/egress/create-egress.ts'
import type { EgressRequest } from '../../../lib/egress/egress.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { Account } from '../../../services/accounts/account.ts'
import { fileName } from '../../../services/artifacts/artifact.ts'
import type { Artifacts } from '../../../services/artifacts/artifacts.ts'
import { createToolRunner } from '../../../services/connectors/engine/create-tool-runner.ts'
import type { Wait } from '../../../services/connectors/engine/run-steps.ts'
import type { Credential } from '../../../services/credentials/credential.ts'
import type { Grants } from '../../../services/credentials/grants.ts'
import type { OauthClient } from '../../../services/credentials/oauth-clients.ts'
import type { ConnectorDefinition } from '../../../services/definitions/connector-types.ts'
import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { httpTool, pick } from '../../../services/definitions/http-tool.ts'
import type { HttpTool } from '../../../services/definitions/http-tool-types.ts'
import { reads } from '../../../services/definitions/tool.ts'
import type { Converter } from '../../../services/web/converter.ts'
import { PoolError } from '../../../services/web/pool.ts'
import { commands } from '../../fixtures/operator-commands.ts'
import { rejectionOf } from '../../fixtures/rejection.ts'

/** A request as the upstream received it. */
export interface ReceivedRequest {
  method: string
  /** With its query, as received. */
  url: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface Reply {
  status?: number
  headers?: Record<string, string>
  /** JSON, unless it is bytes or a text. */
  body?: unknown
}

/** A real upstream on loopback that records its requests. */
export async function recordingUpstream(t: Test) {
  const received: ReceivedRequest[] = []
  const upstream = { received, origin: '', reply: (_: ReceivedRequest): Reply | undefined => ({ body: {} }) }
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const body = await buffer(request).catch(() => undefined)
    // The request was aborted.
    if (body === undefined) return
    const seen = { method, url, headers, body }
    received.push(seen)
    const reply = upstream.reply(seen)
    // No reply: a provider that hangs.
    if (reply === undefined) return
    const raw = typeof reply.body === 'string' || reply.body instanceof Uint8Array
    response.writeHead(reply.status ?? 200, {
      ...(!raw && reply.body !== undefined && { 'content-type': 'application/json' }),
      ...reply.headers,
    })
    response.end(raw ? reply.body : reply.body === undefined ? undefined : JSON.stringify(reply.body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  upstream.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return upstream
}

export function secret(): string {
  return randomBytes(18).toString('base64url')
}

/** Defines a read-only tool with the given arguments and request. */
export function tool(
  properties: TProperties,
  rest: Pick<HttpTool, 'request'> & Partial<Omit<HttpTool, 'input'>>,
): HttpTool {
  return httpTool({
    operation: 'try_it',
    title: 'Try it',
    description: 'Tries it.',
    annotations: reads,
    input: properties,
    result: pick('', []),
    ...rest,
  })
}

type Rest = Partial<Omit<ConnectorDefinition, 'baseUrl' | 'tools'>>

/** Defines a connector with one tool on an upstream. */
export function connectorOf(baseUrl: string, tool: HttpTool, rest: Rest = {}): ConnectorDefinition {
  return defineConnector({
    id: 'sample',
    name: 'Sample',
    category: 'developer',
    description: 'Samples.',
    icon: { monogram: 'S', color: '#000000' },
    auth: { type: 'api_key', apiKey: { header: 'X-Key', probe: false, hint: 'A key.' } },
    ...rest,
    baseUrl,
    tools: [tool],
  })
}

/** OAuth 2 as most providers use it. */
export function oauth2(more: object = {}): ConnectorDefinition['auth'] {
  return {
    type: 'oauth2',
    authorizationUrl: 'https://sample.example/authorize',
    tokenUrl: 'https://sample.example/token',
    pkce: 'none',
    clientAuth: 'basic',
    scopes: { read: 'Read.', write: 'Write.' },
    ...more,
  }
}

export const probe = { request: { url: '/me' }, label: '{/name}' }

interface CallOptions {
  credential?: Credential
  /** Replaces the credential after the provider rejected it. */
  renewed?: Credential
  account?: Partial<Account>
  client?: OauthClient
  /** Like a call with an idempotency key. */
  idempotencyDigest?: string
  signal?: AbortSignal
}

/** Returns a credential that the connector accepts, and the client that signs with it. */
export function accessTo({ auth }: ConnectorDefinition): Pick<CallOptions, 'credential' | 'client'> {
  switch (auth.type) {
    case 'oauth1a':
      return {
        credential: { v: 1, kind: 'oauth1a', token: secret(), tokenSecret: secret() },
        client: { id: 'consumer', secret: secret(), source: 'platform' },
      }
    case 'api_key':
      return { credential: { v: 1, kind: 'api_key', key: secret() } }
    case 'oauth2':
      return { credential: { v: 1, kind: 'oauth2', accessToken: secret(), user: { accessToken: secret() } } }
  }
}

/** A sent request that `fetch` can repeat. */
type Sent = RequestInit & { url: string }

interface EngineOptions {
  now?: () => number
  deadlineMs?: number
  wait?: Wait
  /** Reads PDFs; without it, none is read. */
  converter?: Pick<Converter, 'run'>
}

const NO_CONVERTER: Pick<Converter, 'run'> = {
  run: () => Promise.reject(new PoolError('full', 'No process reads PDFs')),
}

/** A tool runner with the real egress, and minimal grants and artifacts. */
export function engine(
  t: Test,
  { now = () => Date.now(), deadlineMs = 5000, wait, converter = NO_CONVERTER }: EngineOptions = {},
) {
  const egress = createEgress({ allow: parseAllowList([]), allowLoopback: true })
  t.teardown(() => egress.close())
  const sent: Sent[] = []
  /** The concurrency key of each request, and the owner of each rejected token. */
  const concurrencyKeys: (string | undefined)[] = []
  const refused: (string | undefined)[] = []
  const stored: { name: string; bytes: Buffer }[] = []
  /** The artifacts of the caller by ID, and the IDs of those that were read. */
  const files = new Map<string, Buffer>()
  const reads: string[] = []
  let using: CallOptions = {}

  function noted(request: EgressRequest): EgressRequest {
    const { method, url, headers, body, credential } = request
    const all = { ...headers, ...credential?.headers }
    concurrencyKeys.push(request.concurrencyKey)
    sent.push({ method, url: String(url), headers: all, ...(typeof body === 'string' && { body }) })
    return request
  }

  const grants: Pick<Grants, 'send'> = {
    async send(account, _connector, send) {
      const credential = using.credential ?? { v: 1, kind: 'api_key', key: secret() }
      let { answer, unauthorized, tokenOwner } = await send(credential, null)
      if (unauthorized && using.renewed !== undefined)
        ({ answer, unauthorized, tokenOwner } = await send(using.renewed, null))
      if (unauthorized) refused.push(tokenOwner)
      if (unauthorized) throw new GatewayError('needs_reauth', `The account “${account.alias}” needs reauthorization.`)
      return answer
    },
  }
  const artifacts: Pick<Artifacts, 'create' | 'find' | 'read' | 'urlOf'> = {
    async create({ orgId, name: given, body }) {
      const name = fileName(given)
      const bytes = await buffer(body)
      stored.push({ name, bytes })
      const expiresAt = new Date(now() + 1000)
      return {
        id: 'art_1',
        orgId,
        name,
        mediaType: 'text/plain',
        bytes: bytes.length,
        createdAt: expiresAt,
        expiresAt,
        storedAs: 'art_1',
      }
    },
    async find(owner, id) {
      const content = files.get(id)
      if (content === undefined || owner.userId !== 'usr_1') return undefined
      const at = new Date(now())
      const row = { id, orgId: 'org_1', bytes: content.length, createdAt: at, expiresAt: at, storedAs: id }
      return { ...row, name: 'stored.bin', mediaType: 'image/png' }
    },
    async read({ id }) {
      reads.push(id)
      const content = files.get(id)
      return content && Readable.from(chunksOf(content), { objectMode: false })
    },
    urlOf: ({ id }, origin) => `${origin}/artifacts/${id}`,
  }
  const runner = createToolRunner({
    commands,
    converter,
    egress: {
      request: request => egress.request(noted(request)),
      stream: request => egress.stream(noted(request)),
    },
    grants,
    artifacts,
    clients: {
      ofGrant: async (_orgId, _connector, id) => (id === null || using.client?.id === id ? using.client : undefined),
    },
    clock: { now },
    deadlineMs,
    ...(wait && { wait }),
  })

  async function run(
    connector: ConnectorDefinition,
    args: Record<string, unknown> = {},
    options: CallOptions = {},
  ): Promise<CallToolResult> {
    using = options
    const [tool] = connector.tools
    if (tool === undefined) throw new TypeError('A connector of one tool')
    const account: Account = {
      id: 'acc_1',
      orgId: 'org_1',
      connector: connector.id,
      userId: 'usr_1',
      scope: 'private',
      alias: 'work',
      identity: 'ada@sample.example',
      authKind: options.credential?.kind ?? 'api_key',
      keyVerified: null,
      status: 'connected',
      settings: {},
      grantedScopes: null,
      ...options.account,
    }
    return runner.run({
      connector,
      tool,
      args,
      account,
      caller: { userId: 'usr_1', orgId: 'org_1', role: 'member' },
      origin: 'https://gateway.example',
      idempotencyDigest: options.idempotencyDigest,
      signal: options.signal ?? new AbortController().signal,
    })
  }

  return { run, sent, shares: concurrencyKeys, refused, stored, files, reads, egress }
}

/** Cuts bytes into chunks of odd sizes. */
function* chunksOf(content: Buffer): Generator<Buffer> {
  for (let at = 0, size = 1; at < content.length; at += size, size = (size * 7) % 65_521)
    yield content.subarray(at, at + size)
}

/** The GatewayError of a failed run. */
export const failureOf = (promise: Promise<unknown>) => rejectionOf(promise, GatewayError)
