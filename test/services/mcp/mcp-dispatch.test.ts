import t from 'tap'
import type { RpcMessage } from '../../../schemas/tools/mcp.ts'
import { dispatch } from '../../../services/mcp/dispatch.ts'
import type { Answer, McpDeps } from '../../../services/mcp/mcp-types.ts'
import { SUPPORTED_PROTOCOL_VERSIONS } from '../../../services/mcp/protocol.ts'
import type { ListBody } from '../../../services/mcp/tool-list.ts'
import { type EncodedBody, encodeList } from '../../../services/mcp/tool-list.ts'
import { QUIET_CLIENT } from '../../fixtures/fixture.ts'
import {
  ask,
  CAPABILITIES,
  marked,
  mcpFixture,
  modern,
  request,
  search,
  signature,
  VERSION,
} from '../../fixtures/mcp-fixture.ts'
import fc from '../../fixtures/property.ts'

t.test('one list has every supported revision, newest first', async t => {
  t.strictSame(SUPPORTED_PROTOCOL_VERSIONS, ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])
})

t.test('notifications and posted responses answer 202 without a body, in both protocol generations', async t => {
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
      const { calls, deps } = mcpFixture()
      t.strictSame(await ask(t, headers, message, deps), { status: 202, body: undefined })
      t.equal(calls.length, 0)
    }
  }
})

t.test('a tools/call without a valid name answers -32602 with a sentence, in both protocol generations', async t => {
  const cases: Array<[params: Record<string, unknown>, says: RegExp]> = [
    [{}, /name/],
    [{ name: 7 }, /name/],
    [{ name: null }, /name/],
  ]
  for (const [params, says] of cases) {
    const { calls, deps } = mcpFixture()
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

t.test('arguments that are not an object reach the tool as they were sent, in both protocol generations', async t => {
  for (const args of [[], [1], 'x', null, 0, true]) {
    const { calls, deps } = mcpFixture()
    const params = { name: search.name, arguments: args }
    const { headers, message } = modern('tools/call', params)
    await ask(t, {}, request('tools/call', params), deps)
    await ask(t, headers, message, deps)
    t.strictSame(
      calls.map(call => call.arguments),
      [args, args],
    )
  }
})

t.test('a tool gets the call’s arguments, _meta and headers', async t => {
  const { calls, deps } = mcpFixture()
  const trace = {
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    tracestate: 'a=b',
    baggage: 'k=v',
  }
  const { headers, message } = modern('tools/call', { name: search.name, arguments: { query: 'x' } }, trace)
  await ask(t, headers, message, deps)
  await ask(t, { 'idempotency-key': 'k' }, request('tools/call', { name: search.name }), deps)
  t.match(calls[0], { name: search.name, arguments: { query: 'x' }, meta: trace, headers, client: { trace } })
  t.strictSame(calls[1], {
    name: search.name,
    arguments: {},
    meta: undefined,
    headers: { 'idempotency-key': 'k' },
    client: QUIET_CLIENT,
  })
})

t.test('a tool’s rejection is a result, in both protocol generations', async t => {
  const refusal = { content: [{ type: 'text' as const, text: 'Tool nope not found' }], isError: true }
  const { deps } = mcpFixture({ call: async () => ({ result: refusal, outcome: 'error' }) })
  const legacy = await ask(t, {}, request('tools/call', { name: 'nope' }), deps)
  t.strictSame(legacy.body, { jsonrpc: '2.0', id: 7, result: refusal })
  const { headers, message } = modern('tools/call', { name: 'nope' })
  const answer = await ask(t, headers, message, deps)
  t.equal(answer.status, 200)
  t.strictSame(answer.body?.result, { ...refusal, resultType: 'complete', _meta: signature })
})

t.test('a synchronous tool is answered synchronously', async t => {
  const { deps } = mcpFixture()
  const { headers, message } = modern('tools/call', { name: search.name })
  t.notOk(dispatch({}, request('tools/call', { name: search.name }), deps) instanceof Promise)
  t.notOk(dispatch(headers, message, deps) instanceof Promise)
  t.notOk(dispatch({}, request('tools/list'), deps) instanceof Promise)
})

t.test('surfaces that load asynchronously answer the same', async t => {
  const { deps } = mcpFixture()
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

t.test('no message or header makes the dispatcher throw, and every answer echoes the id', async t => {
  const { deps } = mcpFixture()
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
      const plain = (body: ListBody) => Buffer.concat((encodeList(body, undefined) as EncodedBody).pieces)
      const json = JSON.parse(typeof body === 'string' ? body : String(body && plain(body)))
      const refusedByTransport = json.id === null && json.error.code === -32000 && status === 400
      return refusedByTransport || json.id === (id === 0 ? 0 : id)
    }),
    { numRuns: 500 },
  )
  t.pass()
})
