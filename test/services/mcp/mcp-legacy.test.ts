import t from 'tap'
import type { ToolResult } from '../../../services/mcp/mcp-types.ts'
import { ask, instructions, marked, mcpFixture, request, search, serverInfo } from '../../fixtures/mcp-fixture.ts'

t.test('initialize answers the requested revision if supported, or else the newest one with a handshake', async t => {
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
})

t.test('initialize without a protocolVersion is rejected with a sentence', async t => {
  for (const params of [undefined, {}, { protocolVersion: 1 }]) {
    const answer = await ask(t, {}, request('initialize', params))
    t.match(answer, { status: 200, body: { id: 7, error: { code: -32602, message: /protocolVersion/ } } })
  }
})

t.test('initialize ignores the version header', async t => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } }
  t.equal((await ask(t, { 'mcp-protocol-version': '1999-01-01' }, request('initialize', params))).status, 200)
})

t.test('legacy requests', async t => {
  const list = await ask(t, {}, request('tools/list', {}, 'a"b'))
  t.strictSame(
    list.body,
    { jsonrpc: '2.0', result: { tools: [search, marked] }, id: 'a"b' },
    'everything, in its order',
  )
  t.strictSame(await ask(t, {}, request('ping')), { status: 200, body: { jsonrpc: '2.0', id: 7, result: {} } })
  const call = await ask(t, {}, request('tools/call', { name: search.name, arguments: { query: 'x' } }))
  t.strictSame(call.body?.result, { content: [{ type: 'text', text: 'called memory__search_memory' }] })
})

t.test('structured content that is not an object reaches legacy clients as a text', async t => {
  const called = async (result: ToolResult) => {
    const { deps } = mcpFixture({ call: () => ({ result, outcome: 'ok' }) })
    return (await ask(t, {}, request('tools/call', { name: search.name, arguments: {} }), deps)).body?.result
  }
  const text = (text: string) => ({ type: 'text' as const, text })
  for (const value of [[1, 'a'], 'words', 7, true, null]) {
    const json = JSON.stringify(value)
    const structuredContent = value as never
    t.strictSame(await called({ content: [text('Done.')], structuredContent }), {
      content: [text('Done.'), text(json)],
    })
    const said = [text(JSON.stringify(value, null, 2))]
    t.strictSame(await called({ content: said, structuredContent }), { content: said }, 'it is not repeated')
  }
  const object = { content: [], structuredContent: { a: 1 } }
  t.strictSame(await called(object), object)
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

t.test('an unsupported version header answers 400 with -32000 and the supported revisions', async t => {
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
