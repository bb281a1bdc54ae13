import { once } from 'node:events'
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js'
import t, { type Test } from 'tap'
import errorEnvelope from '../../../plugins/error-envelope/plugin.ts'
import transportValidation, { mcpMessageOf } from '../../../plugins/transport-validation/plugin.ts'
import { dispatch } from '../../../services/mcp/dispatch.ts'
import type { McpDeps } from '../../../services/mcp/mcp-types.ts'
import { encodeList } from '../../../services/mcp/tool-list.ts'
import { bare } from '../../fixtures/fixture.ts'
import { freshList, instructions, serverInfo } from '../../fixtures/mcp-fixture.ts'

const tools: Tool[] = [
  {
    name: 'memory__remember',
    title: 'Remember',
    description: 'Keep a memory.',
    inputSchema: { type: 'object', properties: { memory: { type: 'string' } }, required: ['memory'] },
    annotations: { title: 'Remember', readOnlyHint: false, destructiveHint: false },
  },
  {
    name: 'shop__order',
    description: 'Order.',
    inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
  },
]

function call(name: string, args: unknown): CallToolResult {
  if (!tools.some(tool => tool.name === name))
    return { content: [{ type: 'text', text: `Tool ${name} not found` }], isError: true }
  return { content: [{ type: 'text', text: `${name} ${JSON.stringify(args)}` }], structuredContent: { id: 'mem_1' } }
}

/** The same tools behind our dispatcher at /mcp, and behind the SDK's server, made anew per request, at /sdk. */
async function startGateway(t: Test): Promise<string> {
  const app = bare(t)
  const list = freshList(tools)
  const deps: McpDeps = {
    serverInfo,
    instructions,
    tools: {
      list: () => list,
      inputSchema: name => tools.find(tool => tool.name === name)?.inputSchema,
      call: async request => ({ result: call(request.name, request.arguments), outcome: 'ok' }),
    },
  }
  app.register(errorEnvelope)
  app.register(async scope => {
    scope.register(transportValidation)
    scope.post('/mcp', { config: { group: 'mcp' } }, async (request, reply) => {
      const { status, body } = await dispatch(request.headers, mcpMessageOf(request), deps)
      reply.code(status)
      if (body === undefined) return reply.send()
      reply.type('application/json')
      if (typeof body === 'string') return reply.send(body)
      const { pieces, encoding } = await encodeList(body, request.headers['accept-encoding'])
      if (encoding !== undefined) reply.header('content-encoding', encoding)
      return reply.send(Buffer.concat(pieces))
    })
    scope.get('/mcp', async (_request, reply) => reply.code(405).header('allow', 'POST').send())
  })
  app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.post('/sdk', async (request, reply) => {
      reply.hijack()
      const server = sdkServer()
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
      await server.connect(transport as Parameters<Server['connect']>[0])
      await transport.handleRequest(request.raw, reply.raw)
      if (!reply.raw.writableFinished) await once(reply.raw, 'finish')
      await server.close()
    })
  })
  return app.listen({ host: '127.0.0.1', port: 0 })
}

function sdkServer(): Server {
  const server = new Server(serverInfo, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => call(params.name, params.arguments ?? {}))
  return server
}

const json = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const initialize = { capabilities: {}, clientInfo: { name: 'c', version: '1' } }
const rpc = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params })

interface Case {
  name: string
  body: unknown
  headers?: Record<string, string>
  /** Where we answer otherwise, why, and with what; a field that is not named is the SDK's. */
  departure?: { why: string; status?: number; body?: unknown; message?: true }
}

const CASES: Case[] = [
  { name: 'initialize', body: rpc('initialize', { protocolVersion: '2025-11-25', ...initialize }) },
  { name: 'initialize in 2025-06-18', body: rpc('initialize', { protocolVersion: '2025-06-18', ...initialize }) },
  { name: 'initialize in 2024-11-05', body: rpc('initialize', { protocolVersion: '2024-11-05', ...initialize }) },
  { name: 'initialize in an unknown revision', body: rpc('initialize', { protocolVersion: 'x', ...initialize }) },
  {
    name: 'initialize in the revision before the first served',
    body: rpc('initialize', { protocolVersion: '2024-10-07', ...initialize }),
    departure: {
      why: '2024-10-07 is not served here',
      body: {
        jsonrpc: '2.0',
        id: 1,
        result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo, instructions },
      },
    },
  },
  {
    name: 'initialize with a header of no known revision',
    body: rpc('initialize', { protocolVersion: '2025-11-25', ...initialize }),
    headers: { 'mcp-protocol-version': '1999-01-01' },
  },
  {
    name: 'initialize without a version',
    body: rpc('initialize', initialize),
    departure: {
      why: 'a clean sentence and the code for parameters, not a dump of the validator',
      message: true,
      body: { code: -32602 },
    },
  },
  { name: 'ping', body: rpc('ping') },
  { name: 'ping with params', body: rpc('ping', { _meta: { progressToken: 1 } }) },
  { name: 'a string as id', body: rpc('ping', undefined, 'a"b') },
  { name: 'zero as id', body: rpc('ping', undefined, 0) },
  { name: 'an empty string as id', body: rpc('ping', undefined, '') },
  { name: 'tools/list', body: rpc('tools/list') },
  { name: 'tools/list with empty params', body: rpc('tools/list', {}) },
  { name: 'tools/list with a cursor', body: rpc('tools/list', { cursor: 'x' }) },
  {
    name: 'tools/list in a known revision',
    body: rpc('tools/list'),
    headers: { 'mcp-protocol-version': '2025-03-26' },
  },
  { name: 'tools/call', body: rpc('tools/call', { name: 'memory__remember', arguments: { memory: 'ü' } }) },
  { name: 'tools/call without arguments', body: rpc('tools/call', { name: 'memory__remember' }) },
  { name: 'tools/call of an unknown tool', body: rpc('tools/call', { name: 'nope', arguments: {} }) },
  ...[undefined, {}, { name: 7 }].map(params => ({
    name: `tools/call with ${JSON.stringify(params)}`,
    body: rpc('tools/call', params),
    departure: { why: 'a clean sentence, not a dump of the validator', message: true as const, body: { code: -32602 } },
  })),
  { name: 'an unknown method', body: rpc('nope/nope') },
  { name: 'a method of a capability that is not declared', body: rpc('resources/list', {}) },
  { name: 'server/discover without its era', body: rpc('server/discover') },
  { name: 'the initialized notification', body: { jsonrpc: '2.0', method: 'notifications/initialized' } },
  { name: 'a cancellation', body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } } },
  { name: 'an unknown notification', body: { jsonrpc: '2.0', method: 'nope' } },
  { name: 'a posted result', body: { jsonrpc: '2.0', id: 1, result: {} } },
  { name: 'a posted error', body: { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } } },
  ...['1999-01-01', 'v999', '2024-10-07x'].flatMap(version =>
    [rpc('ping'), { jsonrpc: '2.0', method: 'notifications/initialized' }, { jsonrpc: '2.0', id: 1, result: {} }].map(
      (body): Case => ({
        name: `${version} as revision of ${JSON.stringify(body)}`,
        body,
        headers: { 'mcp-protocol-version': version },
        departure: { why: 'the list of what is served is ours', message: true, body: { code: -32000 } },
      }),
    ),
  ),
  { name: 'no Accept of a stream', body: rpc('ping'), headers: { accept: 'application/json' } },
  { name: 'no Accept of JSON', body: rpc('ping'), headers: { accept: 'text/event-stream' } },
  { name: 'Accept of anything', body: rpc('ping'), headers: { accept: '*/*' } },
  {
    name: 'a weight of zero',
    body: rpc('ping'),
    headers: { accept: 'application/json;q=0, text/event-stream' },
    departure: {
      why: 'a weight of zero means not acceptable (RFC 9110)',
      status: 406,
      message: true,
      body: { code: -32000, id: null },
    },
  },
  {
    name: 'a charset other than UTF-8',
    body: rpc('ping'),
    headers: { 'content-type': 'application/json; charset=utf-16' },
    departure: { why: 'JSON is UTF-8', status: 415, message: true, body: { code: -32000, id: null } },
  },
  { name: 'plain text', body: rpc('ping'), headers: { 'content-type': 'text/plain' } },
  { name: 'a charset', body: rpc('ping'), headers: { 'content-type': 'application/json; charset=utf-8' } },
  { name: 'a sloppy parameter', body: rpc('ping'), headers: { 'content-type': 'application/json;' } },
  { name: 'both headers wrong', body: rpc('ping'), headers: { accept: 'a/b', 'content-type': 'text/plain' } },
  { name: 'broken JSON', body: '{"jsonrpc"' },
  { name: 'an empty body', body: '' },
  {
    name: 'a byte order mark',
    body: `\ufeff${JSON.stringify(rpc('ping'))}`,
    departure: {
      why: 'JSON has no byte order mark (RFC 8259)',
      status: 400,
      message: true,
      body: { code: -32700, id: null },
    },
  },
  { name: 'a scalar', body: '7' },
  { name: 'an object that is no message', body: {} },
  { name: 'another JSON-RPC', body: { ...rpc('ping'), jsonrpc: '1.0' } },
  { name: 'an id of null', body: rpc('ping', undefined, null) },
  { name: 'a fractional id', body: rpc('ping', undefined, 1.5) },
  { name: 'params by position', body: rpc('ping', []) },
  { name: 'an unknown member', body: { ...rpc('ping'), extra: 1 } },
  {
    name: 'a batch of one',
    body: [rpc('ping')],
    departure: {
      why: 'batches are refused',
      status: 400,
      message: true,
      body: { code: -32600, id: null },
    },
  },
  {
    name: 'an empty batch',
    body: [],
    departure: {
      why: 'batches are refused',
      status: 400,
      message: true,
      body: { code: -32600, id: null },
    },
  },
  {
    name: '__proto__ among the arguments',
    body: '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":{"__proto__":{}}}}',
    departure: { why: 'prototypes are not ours to set', status: 400, message: true, body: { code: -32700, id: null } },
  },
  {
    name: '65 levels',
    body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(63)}{}${'}'.repeat(63)}}`,
    departure: {
      why: 'more than 64 levels',
      status: 400,
      message: true,
      body: { code: -32700, id: null },
    },
  },
  {
    name: 'over 4 MiB',
    body: rpc('ping', { a: 'x'.repeat(4 * 1024 * 1024) }),
    departure: { why: '413 has the code -32600', message: true, body: { code: -32600 } },
  },
]

interface Reply {
  status: number
  body: { id?: unknown; error?: { code: number; message: string } } | undefined
}

async function post(url: string, { body, headers }: Case): Promise<Reply> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

t.test('legacy requests get the same answers as from the SDK’s stateless transport', async t => {
  const url = await startGateway(t)
  for (const one of CASES) {
    const { departure } = one
    await t.test(departure === undefined ? one.name : `${one.name}, but: ${departure.why}`, async t => {
      const [ours, theirs] = await Promise.all([post(`${url}/mcp`, one), post(`${url}/sdk`, one)])
      if (departure === undefined) return t.strictSame(ours, theirs)
      t.equal(ours.status, departure.status ?? theirs.status)
      if (departure.message !== true) return t.strictSame(ours.body, departure.body)
      const { code, id = theirs.body?.id } = departure.body as { code: number; id?: unknown }
      t.notSame(ours.body, theirs.body, 'still a departure')
      t.strictSame(ours.body, { jsonrpc: '2.0', id, error: { code, message: ours.body?.error?.message } })
      t.match(ours.body?.error?.message, /^[A-Z][^{}\n]{10,}$/, 'a sentence')
    })
  }
})

t.test('the v1 SDK’s client works unchanged', async t => {
  const url = new URL(`${await startGateway(t)}/mcp`)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(url) as Parameters<Client['connect']>[0])
  t.strictSame(client.getServerVersion(), serverInfo)
  t.equal(client.getInstructions(), instructions)
  t.strictSame((await client.listTools()).tools, tools)
  t.strictSame(
    await client.callTool({ name: 'memory__remember', arguments: { memory: 'x' } }),
    call('memory__remember', { memory: 'x' }),
  )
  t.strictSame(await client.ping(), {})
  await client.close()
})

for (const [name, mode, era] of [
  ['pinned to 2026-07-28', { pin: '2026-07-28' }, 'modern'],
  ['on automatic', 'auto', 'modern'],
  ['in its legacy mode', 'legacy', 'legacy'],
] as const) {
  t.test(`the v2 client works ${name}`, async t => {
    const url = new URL(`${await startGateway(t)}/mcp`)
    const client = new ModernClient({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    await client.connect(new ModernTransport(url))
    t.strictSame((await client.listTools()).tools, tools)
    t.equal(client.getProtocolEra(), era)
    const result = await client.callTool({ name: 'memory__remember', arguments: { memory: 'x' } })
    t.match(result, call('memory__remember', { memory: 'x' }))
    t.match(await client.callTool({ name: 'shop__order', arguments: { region: 'Zürich' } }), {
      content: [{ text: 'shop__order {"region":"Zürich"}' }],
    })
    t.match(await client.callTool({ name: 'nope', arguments: {} }), { isError: true })
    await client.close()
  })
}
