import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Test } from 'tap'
import type { EgressRequest, StreamedBody } from '../../lib/egress/egress.ts'
import type { Account } from '../../services/accounts/account.ts'
import { createToolRunner } from '../../services/connectors/engine/create-tool-runner.ts'
import type { ConnectorDefinition } from '../../services/definitions/connector-types.ts'
import type { Caller } from '../../services/identity/caller.ts'
import type { Converter } from '../../services/web/converter.ts'
import { PoolError } from '../../services/web/pool.ts'
import { commands } from '../fixtures/operator-commands.ts'

/** A documented exchange with a provider, and the tool's result. */
export interface Exchange {
  operation: string
  args: Record<string, unknown>
  request: SentRequest
  answer: { status?: number; headers?: Record<string, string>; body?: unknown }
  /** `structuredContent`; the text of a result without it. */
  result: unknown
}

/** A documented exchange in short: `GET /path` is sent for these arguments, and the result is the answer, or the last item. */
export type Row = [
  operation: string,
  args: Record<string, unknown>,
  line: string,
  sent: Pick<SentRequest, 'query' | 'body' | 'headers'>,
  answer: unknown,
  result?: unknown,
]

/** A sent request: JSON parsed, a form as its parts, a file as its name and text. */
interface SentRequest {
  method: string
  /** With the base URL's path, percent-encoded. */
  path: string
  query?: Record<string, string>
  body?: unknown
  headers?: Record<string, string>
}

/** The request of a tool and its result or error. */
interface Outcome {
  sent: SentRequest
  token: string | undefined
  result?: CallToolResult
  error?: Error
}

/** An artifact of the caller. */
export const ARTIFACT = { id: `art_${'0'.repeat(32)}`, name: 'notes.md', text: 'Some *notes*.' }

const STORED = {
  id: ARTIFACT.id,
  orgId: 'org_1',
  mediaType: 'text/markdown',
  bytes: ARTIFACT.text.length,
  createdAt: new Date(0),
  expiresAt: new Date(0),
  storedAs: ARTIFACT.id,
}

interface ConverterOption {
  /** Reads PDFs; without it, none is read. */
  converter?: Pick<Converter, 'run'>
}

const BUSY: Pick<Converter, 'run'> = { run: () => Promise.reject(new PoolError('full', 'No process reads PDFs')) }

/** Runs one tool through the engine, with the answer in place of the network. */
export async function exchange(
  connector: ConnectorDefinition,
  settings: Record<string, string>,
  { operation, args, answer, converter = BUSY }: Pick<Exchange, 'operation' | 'args' | 'answer'> & ConverterOption,
): Promise<Outcome> {
  const tool = connector.tools.find(tool => tool.operation === operation)
  if (tool === undefined) throw new TypeError(`${connector.id} has no tool ${operation}`)
  const own = randomBytes(16).toString('hex')
  const user = randomBytes(16).toString('hex')
  const { status = 200, headers = {}, body } = answer
  const raw = body === undefined ? '' : body instanceof Uint8Array || typeof body === 'string' ? body : undefined
  const written = Buffer.from(raw ?? JSON.stringify(body))
  let request: EgressRequest | undefined
  const head = (asked: EgressRequest) => {
    request = asked
    return {
      status,
      headers: { 'content-type': 'application/json', ...headers },
      url: String(asked.url),
      answeredWithCredential: true,
    }
  }
  const runner = createToolRunner({
    commands,
    converter,
    egress: {
      request: async asked => ({ ...head(asked), body: written.toString() }),
      stream: async asked => ({ ...head(asked), body: Readable.from([written]) }),
    },
    grants: {
      send: async (_account, _connector, send) =>
        (await send({ v: 1, kind: 'oauth2', accessToken: own, user: { accessToken: user } }, null)).answer,
    },
    artifacts: {
      async create({ orgId, name, body: content }) {
        const bytes = (await text(content)).length
        return {
          id: 'art_1',
          orgId,
          name,
          mediaType: 'text/plain',
          bytes,
          createdAt: new Date(0),
          storedAs: 'art_1',
          expiresAt: new Date(0),
        }
      },
      find: async (_owner, id) => (id === ARTIFACT.id ? { ...STORED, name: ARTIFACT.name } : undefined),
      read: async () => Readable.from([Buffer.from(ARTIFACT.text)]),
      urlOf: ({ id }, origin) => `${origin}/artifacts/${id}`,
    },
    clients: { ofGrant: async () => undefined },
    clock: { now: () => 0 },
  })
  const outcome: Pick<Outcome, 'result' | 'error'> = await runner
    .run({
      connector,
      tool,
      args,
      account: accountOf(connector, settings),
      caller: { orgId: 'org_1', userId: 'usr_1' } as Caller,
      origin: 'http://gateway.test',
      idempotencyDigest: undefined,
      signal: AbortSignal.timeout(60_000),
    })
    .then(
      result => ({ result }),
      (error: Error) => ({ error }),
    )
  if (request === undefined) throw outcome.error ?? new Error('Nothing was sent')
  const authorization = request.credential?.headers.authorization
  const token = authorization === `Bearer ${own}` ? 'own' : authorization === `Bearer ${user}` ? 'user' : undefined
  return { sent: await sentOf(request), token, ...outcome }
}

/** Checks that a tool sends and returns what is documented, with the token of the account. */
export async function checkRow(
  t: Test,
  connector: ConnectorDefinition,
  settings: Record<string, string>,
  [operation, args, line, { headers: wanted = {}, ...request }, body, result = body]: Row,
): Promise<void> {
  const outcome = await exchange(connector, settings, { operation, args, answer: { body } })
  const { headers, ...sent } = outcome.sent
  const [method, path] = line.split(' ')
  t.equal(outcome.error, undefined)
  t.same(sent, { method, path, ...request })
  t.match(headers, wanted)
  t.equal(outcome.token, 'own')
  t.same(given(outcome.result), result)
}

/** Returns the data of a result, or its text. */
export function given(result: CallToolResult | undefined): unknown {
  const [first] = result?.content ?? []
  return result?.structuredContent ?? (first?.type === 'text' ? first.text : undefined)
}

async function sentOf({ method, url, headers = {}, body }: EgressRequest): Promise<SentRequest> {
  const { pathname, searchParams } = new URL(url)
  return {
    method,
    path: pathname,
    headers: { ...headers },
    ...(searchParams.size > 0 && { query: Object.fromEntries(searchParams) }),
    ...(body !== undefined && { body: await bodyOf(body, headers['content-type']) }),
  }
}

async function bodyOf(body: NonNullable<EgressRequest['body']>, type = ''): Promise<unknown> {
  if (body instanceof FormData) throw new TypeError('This body is not read here')
  const bytes = typeof body === 'string' ? Buffer.from(body) : await bytesOf(body)
  if (!type.startsWith('multipart/'))
    return type === 'application/json' ? JSON.parse(bytes.toString()) : bytes.toString()
  const parts: Record<string, unknown> = {}
  for (const [name, value] of await new Response(bytes, { headers: { 'content-type': type } }).formData())
    parts[name] = typeof value === 'string' ? value : { name: value.name, text: await value.text() }
  return parts
}

/** Reads a body of known length. */
async function bytesOf(body: Uint8Array | StreamedBody): Promise<Buffer<ArrayBuffer>> {
  const bytes = Buffer.from(body instanceof Uint8Array ? body : await buffer(body.open()))
  if (!(body instanceof Uint8Array) && bytes.length !== body.bytes)
    throw new Error(`${bytes.length} bytes in place of ${body.bytes}`)
  return bytes
}

function accountOf({ id }: ConnectorDefinition, settings: Record<string, string>): Account {
  return {
    id: 'acc_1',
    orgId: 'org_1',
    connector: id,
    userId: 'usr_1',
    scope: 'private',
    alias: 'work',
    identity: 'ada',
    authKind: 'oauth2',
    keyVerified: null,
    status: 'connected',
    settings,
    grantedScopes: null,
  }
}
