import { isSpecType } from '@modelcontextprotocol/client'
import {
  CallToolResultSchema,
  EmptyResultSchema,
  InitializeResultSchema,
  JSONRPCErrorResponseSchema,
  JSONRPCResultResponseSchema,
  ListToolsResultSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { type Answer, type CallerTools, dispatch, type McpDeps, type ToolRequest } from '../../plugins/mcp/dispatch.ts'
import { acceptsGzip, encodeList } from '../../plugins/mcp/encoding.ts'
import { eraOf } from '../../plugins/mcp/era.ts'
import type { Headers, RpcMessage } from '../../plugins/mcp/json-rpc.ts'
import { createToolList } from '../../plugins/mcp/tool-list.ts'
import { SUPPORTED_PROTOCOL_VERSIONS } from '../../plugins/mcp/versions.ts'

const serverInfo = { name: 'connector-gateway', version: '1.2.3', title: 'Connector Gateway' }
const instructions = 'Tools of your team.'
const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo'
const signature = { [SERVER_INFO]: serverInfo }

const search: Tool = {
  name: 'memory__search_memory',
  description: 'Search.',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
}
const marked: Tool = {
  name: 'shop__order',
  description: 'Order.',
  inputSchema: {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      count: { type: 'integer', 'x-mcp-header': 'Count' },
      express: { type: 'boolean', 'x-mcp-header': 'Express' },
      to: { type: 'object', properties: { city: { type: 'string', 'x-mcp-header': 'City' } } },
      note: { type: 'string' },
    },
  },
}

/** The tools of a caller who sees two; what they were asked is kept. */
function stage(overrides: Partial<CallerTools> = {}) {
  const calls: ToolRequest[] = []
  const list = createToolList([marked, search], { serverInfo })
  const tools: CallerTools = {
    list: () => list,
    inputSchema: name => [marked, search].find(tool => tool.name === name)?.inputSchema,
    call(request) {
      calls.push(request)
      return { content: [{ type: 'text', text: `called ${request.name}` }] }
    },
    ...overrides,
  }
  const deps: McpDeps = { serverInfo, instructions, tools }
  return { calls, deps }
}

type Json = Record<string, unknown> & {
  id?: unknown
  result?: Json
  error?: { code: number; message: string; data?: unknown }
}

const LEGACY_RESULTS: Record<string, { safeParse(value: unknown): { success: boolean } }> = {
  initialize: InitializeResultSchema,
  ping: EmptyResultSchema,
  'tools/list': ListToolsResultSchema,
  'tools/call': CallToolResultSchema,
}
const MODERN_RESULTS: Record<string, (value: unknown) => boolean> = {
  'server/discover': isSpecType.DiscoverResult,
  'tools/list': isSpecType.ListToolsResult,
  'tools/call': isSpecType.CallToolResult,
}

/** Reads an answer, and holds its body against the schemas of the official SDKs. */
async function read(t: Test, headers: Headers, message: RpcMessage, answer: Answer | Promise<Answer>) {
  const { status, body } = await answer
  if (body === undefined) return { status, body: undefined }
  const text = typeof body === 'string' ? body : encodeList(body, undefined).bytes.toString()
  const json = JSON.parse(text) as Json
  if (json.error !== undefined && json.id === null) return { status, body: json }
  const method = 'method' in message ? message.method : ''
  if (json.error !== undefined) {
    t.ok(JSONRPCErrorResponseSchema.safeParse(json).success, 'an error answer by the schema of the SDK')
    return { status, body: json }
  }
  t.ok(JSONRPCResultResponseSchema.safeParse(json).success, 'an answer by the schema of the SDK')
  if (eraOf(headers, message) === 'legacy') {
    t.ok(LEGACY_RESULTS[method]?.safeParse(json.result).success, 'a result by the schema of the SDK')
  } else {
    t.ok(MODERN_RESULTS[method]?.(json.result), 'a result by the schema of the v2 SDK')
    t.equal(json.result?.resultType, 'complete')
    t.match(json.result?._meta, signature, 'every modern result is signed')
  }
  return { status, body: json }
}

function request(method: string, params?: Record<string, unknown>, id: string | number = 7): RpcMessage {
  return { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) }
}

/** A modern request and the headers that a conforming client sends with it. */
function modern(method: string, params: Record<string, unknown> = {}, meta: Record<string, unknown> = {}) {
  const headers: Record<string, string> = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }
  if (method === 'tools/call') headers['mcp-name'] = String(params.name)
  const _meta = { [VERSION]: '2026-07-28', [CAPABILITIES]: {}, ...meta }
  return { headers, message: request(method, { ...params, _meta }) }
}

async function ask(t: Test, headers: Headers, message: RpcMessage, deps = stage().deps) {
  return read(t, headers, message, dispatch(headers, message, deps))
}

t.test('the era of a message', async t => {
  const plain = request('tools/list')
  const claiming = (version: unknown) => request('tools/list', { _meta: { [VERSION]: version } })
  const cases: Array<[name: string, headers: Headers, message: RpcMessage, era: string]> = [
    ['nothing said', {}, plain, 'legacy'],
    ['a header of the handshake', { 'mcp-protocol-version': '2025-11-25' }, plain, 'legacy'],
    ['a header of 2026-07-28', { 'mcp-protocol-version': '2026-07-28' }, plain, 'modern'],
    ['a header of a later revision', { 'mcp-protocol-version': '2027-01-01' }, plain, 'modern'],
    ['a header that is no date', { 'mcp-protocol-version': 'v999' }, plain, 'legacy'],
    ['_meta of 2026-07-28', {}, claiming('2026-07-28'), 'modern'],
    ['_meta of an older revision', {}, claiming('2025-11-25'), 'modern'],
    ['_meta of no string', {}, claiming(7), 'modern'],
    ['_meta without the field', {}, request('tools/list', { _meta: { progressToken: 1 } }), 'legacy'],
    ['a posted response', { 'mcp-protocol-version': '2026-07-28' }, { jsonrpc: '2.0', id: 1, result: {} }, 'modern'],
  ]
  for (const [name, headers, message, era] of cases) t.equal(eraOf(headers, message), era, name)
})

t.test('every served revision stands in one list, the latest first', async t => {
  t.strictSame(SUPPORTED_PROTOCOL_VERSIONS, ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])
})

t.test(
  'initialize answers with the asked revision where it is served, else with the latest of the handshake',
  async t => {
    const cases = {
      '2025-11-25': 0,
      '2025-06-18': 0,
      '2025-03-26': 0,
      '2024-11-05': 0,
      '2026-07-28': 1,
      '2024-10-07': 1,
      x: 1,
    }
    for (const [asked, negotiated] of Object.entries(cases)) {
      const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'c', version: '1' } }
      const answer = await ask(t, {}, request('initialize', params))
      t.strictSame(answer, {
        status: 200,
        body: {
          jsonrpc: '2.0',
          id: 7,
          result: {
            protocolVersion: negotiated === 0 ? asked : '2025-11-25',
            capabilities: { tools: {} },
            serverInfo,
            instructions,
          },
        },
      })
    }
  },
)

t.test('initialize without a protocolVersion is refused in a sentence', async t => {
  for (const params of [undefined, {}, { protocolVersion: 1 }]) {
    const answer = await ask(t, {}, request('initialize', params))
    t.match(answer, { status: 200, body: { id: 7, error: { code: -32602, message: /protocolVersion/ } } })
  }
})

t.test('initialize does not look at the version header', async t => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } }
  t.equal((await ask(t, { 'mcp-protocol-version': '1999-01-01' }, request('initialize', params))).status, 200)
})

t.test('legacy requests', async t => {
  const list = await ask(t, {}, request('tools/list', {}, 'a"b'))
  t.strictSame(list.body, { jsonrpc: '2.0', result: { tools: [search, marked] }, id: 'a"b' }, 'everything, by name')
  t.strictSame(await ask(t, {}, request('ping')), { status: 200, body: { jsonrpc: '2.0', id: 7, result: {} } })
  const call = await ask(t, {}, request('tools/call', { name: search.name, arguments: { query: 'x' } }))
  t.strictSame(call.body?.result, { content: [{ type: 'text', text: 'called memory__search_memory' }] })
})

t.test('an unknown legacy method answers 200 with -32601', async t => {
  for (const method of ['resources/list', 'server/discover', 'tools/List', 'constructor', '']) {
    const answer = await ask(t, {}, request(method))
    t.strictSame(answer, {
      status: 200,
      body: { jsonrpc: '2.0', id: 7, error: { code: -32601, message: 'Method not found' } },
    })
  }
})

t.test('a version header of no served revision answers 400 with -32000 and what is served', async t => {
  for (const version of ['2024-10-07', '1999-01-01', 'v999', '']) {
    for (const message of [
      request('tools/list'),
      request('ping'),
      { jsonrpc: '2.0', method: 'notifications/x' } as const,
    ]) {
      const answer = await ask(t, { 'mcp-protocol-version': version }, message)
      t.match(answer, { status: 400, body: { id: null, error: { code: -32000 } } })
      t.equal(
        answer.body?.error?.message,
        `Bad Request: Unsupported protocol version: ${version} ` +
          '(supported versions: 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05)',
      )
    }
  }
})

t.test('notifications and posted responses answer 202 with nothing, in both eras', async t => {
  const messages: RpcMessage[] = [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    { jsonrpc: '2.0', method: 'tools/call', params: { name: search.name } },
    { jsonrpc: '2.0', method: 'notifications/x', params: { _meta: { [VERSION]: '2026-07-28' } } },
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } },
    { jsonrpc: '2.0', error: { code: 1, message: 'no' } },
  ]
  for (const headers of [{}, { 'mcp-protocol-version': '2025-11-25' }, { 'mcp-protocol-version': '2026-07-28' }]) {
    for (const message of messages) {
      const { calls, deps } = stage()
      t.strictSame(await ask(t, headers, message, deps), { status: 202, body: undefined })
      t.equal(calls.length, 0)
    }
  }
})

t.test('tools/call with a bad name or bad arguments answers -32602 in a sentence, in both eras', async t => {
  const cases: Array<[params: Record<string, unknown>, says: RegExp]> = [
    [{}, /name/],
    [{ name: 7 }, /name/],
    [{ name: null }, /name/],
    [{ name: search.name, arguments: [] }, /arguments/],
    [{ name: search.name, arguments: 'x' }, /arguments/],
    [{ name: search.name, arguments: null }, /arguments/],
    [{ name: search.name, arguments: 0 }, /arguments/],
  ]
  for (const [params, says] of cases) {
    const { calls, deps } = stage()
    const { headers, message } = modern('tools/call', params)
    for (const answer of [
      await ask(t, {}, request('tools/call', params), deps),
      await ask(t, headers, message, deps),
    ]) {
      t.match(answer, { status: 200, body: { id: 7, error: { code: -32602, message: says } } })
      t.match(answer.body?.error?.message, /^[^{}\n]+\.$/)
    }
    t.equal(calls.length, 0)
  }
  t.match(await ask(t, {}, request('tools/call')), { status: 200, body: { error: { code: -32602 } } })
})

t.test('a call brings its arguments, its _meta and its headers to the tool', async t => {
  const { calls, deps } = stage()
  const trace = {
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    tracestate: 'a=b',
    baggage: 'k=v',
  }
  const { headers, message } = modern('tools/call', { name: search.name, arguments: { query: 'x' } }, trace)
  await ask(t, headers, message, deps)
  await ask(t, { 'idempotency-key': 'k' }, request('tools/call', { name: search.name }), deps)
  t.match(calls[0], { name: search.name, arguments: { query: 'x' }, meta: trace, headers })
  t.strictSame(calls[1], {
    name: search.name,
    arguments: {},
    meta: undefined,
    headers: { 'idempotency-key': 'k' },
  })
})

t.test('what a tool refuses is a result, in both eras', async t => {
  const refusal = { content: [{ type: 'text' as const, text: 'Tool nope not found' }], isError: true }
  const { deps } = stage({ call: async () => refusal })
  const legacy = await ask(t, {}, request('tools/call', { name: 'nope' }), deps)
  t.strictSame(legacy.body, { jsonrpc: '2.0', id: 7, result: refusal })
  const { headers, message } = modern('tools/call', { name: 'nope' })
  const answer = await ask(t, headers, message, deps)
  t.equal(answer.status, 200)
  t.strictSame(answer.body?.result, { ...refusal, resultType: 'complete', _meta: signature })
})

t.test('what a proxied result says of its server gives way to what holds here', async t => {
  const { deps } = stage({
    call: () => ({
      content: [],
      resultType: 'other',
      _meta: { [SERVER_INFO]: { name: 'upstream', version: '0' }, account: 'work' },
    }),
  })
  const { headers, message } = modern('tools/call', { name: search.name })
  const answer = await ask(t, headers, message, deps)
  t.strictSame(answer.body?.result, {
    content: [],
    resultType: 'complete',
    _meta: { account: 'work', ...signature },
  })
})

t.test('a synchronous tool is answered synchronously', async t => {
  const { deps } = stage()
  const { headers, message } = modern('tools/call', { name: search.name })
  t.notOk(dispatch({}, request('tools/call', { name: search.name }), deps) instanceof Promise)
  t.notOk(dispatch(headers, message, deps) instanceof Promise)
  t.notOk(dispatch({}, request('tools/list'), deps) instanceof Promise)
})

t.test('surfaces that are loaded first answer the same', async t => {
  const { deps } = stage()
  const { tools } = deps
  const late: McpDeps = {
    ...deps,
    tools: {
      list: async () => tools.list(),
      inputSchema: async name => tools.inputSchema(name),
      call: async call => tools.call(call),
    },
  }
  for (const { headers, message } of [
    modern('tools/list'),
    modern('tools/call', { name: marked.name, arguments: { region: 'eu' } }),
    modern('tools/call', { name: search.name }),
    { headers: {}, message: request('tools/list') },
    { headers: {}, message: request('tools/call', { name: search.name }) },
  ])
    t.strictSame(await ask(t, headers, message, late), await ask(t, headers, message, deps))
})

t.test('server/discover tells what is served, to anyone, for a minute', async t => {
  const { headers, message } = modern('server/discover')
  t.strictSame(await ask(t, headers, message), {
    status: 200,
    body: {
      jsonrpc: '2.0',
      id: 7,
      result: {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        instructions,
        ttlMs: 60_000,
        cacheScope: 'public',
        _meta: signature,
      },
    },
  })
})

t.test('a modern tools/list is for its caller alone, for a minute', async t => {
  const { headers, message } = modern('tools/list')
  const answer = await ask(t, headers, message)
  t.equal(answer.status, 200)
  t.strictSame(answer.body?.result, {
    resultType: 'complete',
    ttlMs: 60_000,
    cacheScope: 'private',
    tools: [search, marked],
    _meta: signature,
  })
})

t.test('an unknown or removed modern method answers 404 with -32601', async t => {
  for (const method of [
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/list',
    'subscriptions/listen',
    'x/y',
    '',
  ]) {
    const { headers, message } = modern(method)
    t.match(await ask(t, headers, message), { status: 404, body: { id: 7, error: { code: -32601 } } }, method)
  }
})

t.test('a modern request without its _meta answers 400 with -32602', async t => {
  const { headers } = modern('tools/list')
  const metas: unknown[] = [
    undefined,
    {},
    { [VERSION]: '2026-07-28' },
    { [CAPABILITIES]: {} },
    { [VERSION]: 20260728, [CAPABILITIES]: {} },
    { [VERSION]: '2026-07-28', [CAPABILITIES]: [] },
    { [VERSION]: '2026-07-28', [CAPABILITIES]: null },
  ]
  for (const _meta of metas) {
    const answer = await ask(t, headers, request('tools/list', { ...(_meta !== undefined && { _meta }) }))
    t.match(answer, { status: 400, body: { id: 7, error: { code: -32602 } } }, JSON.stringify(_meta))
  }
  t.match(await ask(t, headers, request('tools/list')), { status: 400, body: { error: { code: -32602 } } })
})

t.test('a client need not name itself', async t => {
  const { headers, message } = modern('server/discover')
  t.equal((await ask(t, headers, message)).status, 200)
})

t.test('a version that is not served answers 400 with -32022 and what is', async t => {
  for (const version of ['2027-01-01', 'v999.0.0', '2025-11-25', '']) {
    for (const known of [true, false]) {
      const { headers, message } = modern('server/discover', {}, { [VERSION]: version })
      const answer = await ask(t, known ? { ...headers, 'mcp-protocol-version': version } : {}, message)
      t.match(answer, { status: 400, body: { id: 7, error: { code: -32022 } } })
      t.strictSame(answer.body?.error?.data, { supported: ['2026-07-28'], requested: version })
    }
  }
})

t.test('headers that do not repeat the body answer 400 with -32020', async t => {
  const call = modern('tools/call', { name: search.name, arguments: { query: 'x' } })
  const cases: Array<[name: string, change: Record<string, string | undefined>]> = [
    ['no version', { 'mcp-protocol-version': undefined }],
    ['another version', { 'mcp-protocol-version': '2025-11-25' }],
    ['no method', { 'mcp-method': undefined }],
    ['another method', { 'mcp-method': 'tools/list' }],
    ['the method in another case', { 'mcp-method': 'TOOLS/CALL' }],
    ['no name', { 'mcp-name': undefined }],
    ['another name', { 'mcp-name': 'wrong' }],
    ['an empty name', { 'mcp-name': '' }],
    ['a name of bad base64', { 'mcp-name': '=?base64?bWVtb3J5X19zZWFyY2hfbWVtb3J5A?=' }],
    ['a name of no UTF-8', { 'mcp-name': '=?base64?/w==?=' }],
    ['another name in base64', { 'mcp-name': '=?base64?d3Jvbmc=?=' }],
  ]
  for (const [name, change] of cases) {
    const { calls, deps } = stage()
    const answer = await ask(t, { ...call.headers, ...change }, call.message, deps)
    t.match(answer, { status: 400, body: { id: 7, error: { code: -32020 } } }, name)
    t.equal(calls.length, 0, `${name}: nothing runs`)
  }
})

t.test('a name may stand in base64, and white space around a header counts for nothing', async t => {
  const { headers, message } = modern('tools/call', { name: search.name })
  const encoded = Buffer.from(search.name).toString('base64')
  for (const name of [`=?base64?${encoded}?=`, `  ${search.name}\t`])
    t.equal((await ask(t, { ...headers, 'mcp-name': name, 'mcp-method': ' tools/call ' }, message)).status, 200)
})

t.test('arguments that the schema marks with x-mcp-header', async t => {
  const base64 = (value: string) => `=?base64?${Buffer.from(value).toString('base64')}?=`
  const cases: Array<[name: string, args: object, headers: Record<string, string>, status: number]> = [
    ['are repeated', { region: 'eu' }, { 'mcp-param-region': 'eu' }, 200],
    ['are missed', { region: 'eu' }, {}, 400],
    ['differ', { region: 'eu' }, { 'mcp-param-region': 'us' }, 400],
    ['differ in case', { region: 'eu' }, { 'mcp-param-region': 'EU' }, 400],
    ['stand in base64', { region: 'Zürich' }, { 'mcp-param-region': base64('Zürich') }, 200],
    ['differ in base64', { region: 'Hello' }, { 'mcp-param-region': base64('Hallo') }, 400],
    ['stand in base64 without its padding', { region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVsbG8?=' }, 400],
    ['stand in no base64', { region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVs!!!bG8=?=' }, 400],
    ['are literal without the prefix', { region: 'SGVsbG8=' }, { 'mcp-param-region': 'SGVsbG8=' }, 200],
    [
      'are literal without the suffix',
      { region: '=?base64?SGVsbG8=' },
      { 'mcp-param-region': '=?base64?SGVsbG8=' },
      200,
    ],
    ['are absent', { note: 'x' }, { 'mcp-param-region': 'eu' }, 200],
    ['are null', { region: null }, {}, 200],
    ['are a number', { count: 42 }, { 'mcp-param-count': '42' }, 200],
    ['are the same number in other digits', { count: 42 }, { 'mcp-param-count': '42.0' }, 200],
    ['are another number', { count: 42 }, { 'mcp-param-count': '43' }, 400],
    ['are no number in the header', { count: 0 }, { 'mcp-param-count': '' }, 400],
    ['are true', { express: true }, { 'mcp-param-express': 'true' }, 200],
    ['are false', { express: false }, { 'mcp-param-express': 'true' }, 400],
    ['stand deeper', { to: { city: 'Bern' } }, { 'mcp-param-city': 'Bern' }, 200],
    ['stand deeper and are missed', { to: { city: 'Bern' } }, {}, 400],
    ['are of another type than the schema says', { region: { a: 1 }, to: 'Bern' }, {}, 200],
    ['are none of them', { note: 'x' }, {}, 200],
  ]
  for (const [name, args, extra, status] of cases) {
    const { calls, deps } = stage()
    const { headers, message } = modern('tools/call', { name: marked.name, arguments: args })
    const answer = await ask(t, { ...headers, ...extra }, message, deps)
    t.equal(answer.status, status, name)
    t.equal(calls.length, status === 200 ? 1 : 0)
    if (status === 400)
      t.match(answer.body, { id: 7, error: { code: -32020, message: /^Header mismatch: the Mcp-Param-/ } })
  }
})

t.test('marks ask nothing of the legacy era, nor of a tool the caller does not see', async t => {
  const params = { name: marked.name, arguments: { region: 'eu' } }
  t.equal((await ask(t, {}, request('tools/call', params))).status, 200)
  const { headers, message } = modern('tools/call', params)
  t.equal((await ask(t, headers, message, stage({ inputSchema: () => undefined }).deps)).status, 200)
})

t.test('no message and no header makes the dispatcher throw, and every answer echoes the id', async t => {
  const { deps } = stage()
  const value = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.constant(null),
    fc.constant([]),
    fc.dictionary(fc.string(), fc.string()),
  )
  const method = fc.constantFrom('initialize', 'ping', 'tools/list', 'tools/call', 'server/discover', 'x', '__proto__')
  const meta = fc.dictionary(
    fc.constantFrom(VERSION, CAPABILITIES, 'progressToken', 'x'),
    fc.oneof(value, fc.constant('2026-07-28')),
  )
  const params = fc.record(
    { name: fc.oneof(value, fc.constant(marked.name)), arguments: value, protocolVersion: value, _meta: meta },
    { requiredKeys: [] },
  )
  const headers = fc.dictionary(
    fc.constantFrom('mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-param-region'),
    fc.oneof(fc.string(), fc.constantFrom('2026-07-28', '2025-11-25', 'tools/call', marked.name)),
  )
  fc.assert(
    fc.property(headers, method, params, fc.oneof(fc.string(), fc.maxSafeInteger()), (headers, method, params, id) => {
      const { status, body } = dispatch(headers, { jsonrpc: '2.0', id, method, params }, deps) as Answer
      const json = JSON.parse(typeof body === 'string' ? body : String(body && encodeList(body, undefined).bytes))
      const refusedByTransport = json.id === null && json.error.code === -32000 && status === 400
      return refusedByTransport || json.id === (id === 0 ? 0 : id)
    }),
    { numRuns: 500 },
  )
  t.pass()
})

t.test('a list goes out in gzip where the client takes it', async t => {
  const cases: Array<[header: string | undefined, gzip: boolean]> = [
    [undefined, false],
    ['', false],
    ['gzip', true],
    ['gzip, deflate, br', true],
    ['deflate,x-gzip', true],
    ['GZip', true],
    ['*', true],
    ['identity', false],
    ['br, gzip;q=0', false],
    ['gzip; q=0.000', false],
    ['gzip;q=0.001', true],
    ['gzip;q=0, *', false],
    ['*;q=0', false],
    ['gzipped', false],
  ]
  for (const [header, gzip] of cases) t.equal(acceptsGzip(header), gzip, `${header}`)
})
