import t from 'tap'
import {
  ask,
  instructions,
  marked,
  mcpFixture,
  modern,
  request,
  SERVER_INFO,
  search,
  signature,
} from '../../fixtures/mcp-fixture.ts'

t.test('server/discover answers the supported revisions, publicly cacheable for a minute', async t => {
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

t.test('a modern tools/list is privately cacheable for a minute', async t => {
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

t.test('the client’s name is optional', async t => {
  const { headers, message } = modern('server/discover')
  t.equal((await ask(t, headers, message)).status, 200)
})

t.test('the server fields of a proxied result are replaced by this server’s', async t => {
  const { deps } = mcpFixture({
    call: () => ({
      result: {
        content: [],
        resultType: 'other',
        _meta: { [SERVER_INFO]: { name: 'upstream', version: '0' }, account: 'work' },
      },
      outcome: 'ok',
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

t.test('only modern clients pass input responses to the tool in a repeated call', async t => {
  const { calls, deps } = mcpFixture()
  const brought = { inputResponses: { name: { action: 'accept' } }, requestState: 'sealed' }
  const repeated = modern('tools/call', { name: search.name, ...brought })
  await ask(t, repeated.headers, repeated.message, deps)
  await ask(t, {}, request('tools/call', { name: search.name, ...brought, _meta: {} }), deps)
  t.match(calls[0]?.client, { generation: 'modern', ...brought })
  t.strictSame(calls[1]?.client, { generation: 'legacy', capabilities: {}, trace: {} })
})

t.test('invalid inputResponses or requestState are invalid params', async t => {
  const { calls, deps } = mcpFixture()
  for (const wrong of [{ inputResponses: [] }, { inputResponses: 'x' }, { requestState: 7 }, { requestState: null }]) {
    const { headers, message } = modern('tools/call', { name: search.name, ...wrong })
    t.match(await ask(t, headers, message, deps), { status: 200, body: { error: { code: -32602 } } })
  }
  t.same(calls, [])
})
