import { once } from 'node:events'
import {
  CallToolResultSchema,
  GetPromptResultSchema,
  ReadResourceResultSchema,
} from '@modelcontextprotocol/sdk/types.js'
import t from 'tap'
import { readContents, readPrompt, readToolResult } from '../../../services/remote-connectors/upstream/read-results.ts'
import { egressOf } from '../../fixtures/egress-fixture.ts'
import { waitedMs } from '../../fixtures/elapsed.ts'
import { memoryLog } from '../../fixtures/memory-log.ts'
import fc from '../../fixtures/property.ts'
import { type Scripted, scriptedServer } from '../../upstreams/scripted-server.ts'
import { failureOf, says, upstreamClient } from '../../upstreams/upstream-client.ts'

const good = ({ result }: Scripted) => result(says('fine'))
const JSON_TYPE = { 'content-type': 'application/json' }
const SSE_TYPE = { 'content-type': 'text/event-stream' }

t.test('a failed call has a kind and says whether it may have been executed', async t => {
  const cases: Record<string, [answer: (message: Scripted) => unknown, why: object]> = {
    'an error of the protocol': [
      ({ error }) => error(200, { code: -32_602, message: 'Bad\u0000 \u202earguments' }),
      { kind: 'rpc', rpcCode: -32_602, message: 'Bad arguments', unsettled: false },
    ],
    'an error that quotes private addresses': [
      ({ error }) =>
        error(200, { code: -32_603, message: 'connect ECONNREFUSED 10.0.0.5:5432, [fd00::1]:80 and 8.8.8.8:53' }),
      { kind: 'rpc', message: 'connect ECONNREFUSED [private address], [private address] and 8.8.8.8:53' },
    ],
    'an error inside': [
      ({ error }) => error(200, { code: -32_603, message: '' }),
      { kind: 'rpc', rpcCode: -32_603, message: 'no reason given', unsettled: true },
    ],
    'an error with a status': [
      ({ error }) => error(400, { code: -32_020, message: 'Header mismatch' }),
      { kind: 'rpc', rpcCode: -32_020, unsettled: false },
    ],
    'an error in an event': [
      ({ id, send }) =>
        send(200, `data: {"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"No"}}\n\n`, SSE_TYPE),
      { kind: 'rpc', rpcCode: -32_601, unsettled: false },
    ],
    'no credential': [
      ({ send }) => send(401, '', { 'www-authenticate': 'Bearer error="invalid_token"' }),
      { kind: 'unauthorized', status: 401, challenge: 'Bearer error="invalid_token"', unsettled: false },
    ],
    'too few scopes': [
      ({ send }) => send(403, '', { 'www-authenticate': 'Bearer error="insufficient_scope", scope="a b"' }),
      { kind: 'insufficient_scope', status: 403, challenge: /scope="a b"/, unsettled: false },
    ],
    'an expired token under 403': [
      ({ send }) => send(403, '', { 'www-authenticate': 'Bearer realm="x", error="invalid_token"' }),
      { kind: 'unauthorized', status: 403, message: /does not accept the credential \(HTTP 403\)/, unsettled: false },
    ],
    'an expired token under 400': [
      ({ send }) => send(400, 'It has expired.', { 'www-authenticate': 'Bearer error=invalid_token' }),
      { kind: 'unauthorized', status: 400, unsettled: false },
    ],
    forbidden: [({ send }) => send(403), { kind: 'status', status: 403, unsettled: false }],
    'too many': [
      ({ send }) => send(429, 'slow down', { 'retry-after': '12' }),
      { kind: 'status', status: 429, retryAfter: 12, unsettled: false },
    ],
    'a crash': [
      ({ send }) => send(500, 'Error: password=hunter2'),
      { kind: 'status', status: 500, message: /^127\.0\.0\.1:\d+ answered with HTTP 500\.$/, unsettled: true },
    ],
    'a redirect': [
      ({ send }) => send(307, '', { location: 'http://127.0.0.1:9/' }),
      { kind: 'status', status: 307, unsettled: true },
    ],
    'nothing at all': [({ send }) => send(202), { kind: 'malformed', unsettled: true }],
    'an invalid error': [
      ({ id, send }) => send(200, `{"jsonrpc":"2.0","id":${id},"error":{"code":"a"}}`, JSON_TYPE),
      { kind: 'malformed', unsettled: true },
    ],
    'another id': [
      ({ id, send }) => send(200, `{"jsonrpc":"2.0","id":${(id ?? 0) + 1},"result":{"content":[]}}`, JSON_TYPE),
      { kind: 'malformed', unsettled: true },
    ],
    'another id in an event': [
      ({ response }) => response.writeHead(200, SSE_TYPE).write('data: {"jsonrpc":"2.0","id":"1","result":{}}\n\n'),
      { kind: 'malformed', unsettled: true },
    ],
    'a stream that ends': [({ send }) => send(200, ': bye\n\n', SSE_TYPE), { kind: 'malformed', unsettled: true }],
    'a stream that is cut': [
      ({ response }) => response.writeHead(200, SSE_TYPE).write(': here\n\n', () => response.destroy()),
      { kind: 'malformed', unsettled: true },
    ],
    'an answer that is cut': [
      ({ response }) =>
        response.writeHead(200, { ...JSON_TYPE, 'content-length': '99' }).write('{', () => response.destroy()),
      { kind: 'unreachable', unsettled: true },
    ],
    'a member that would reach a prototype': [
      ({ id, send }) =>
        send(
          200,
          `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"\\u005f_proto__":{}}}}`,
          JSON_TYPE,
        ),
      { kind: 'malformed', unsettled: true },
    ],
    'too deep': [
      ({ id, send }) =>
        send(
          200,
          `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"a":${'['.repeat(63)}${']'.repeat(63)}}}`,
          JSON_TYPE,
        ),
      { kind: 'too_large', unsettled: true },
    ],
    'too many elements': [
      ({ id, send }) =>
        send(200, `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"a":[${'1,'.repeat(100_000)}1]}}`, JSON_TYPE),
      { kind: 'too_large', unsettled: true },
    ],
    'too long': [({ result }) => result(says('x'.repeat(8 * 1024 ** 2))), { kind: 'too_large', unsettled: true }],
  }
  const { url, script } = await scriptedServer(t, 'modern', { 'tools/call': good })
  for (const [what, [answer, why]] of Object.entries(cases))
    await t.test(what, async t => {
      const { call } = upstreamClient(t)
      script['tools/call'] = answer
      t.match(await failureOf(call(url)), why)
    })
})

t.test('a valid result is returned unchanged, and one without any content is empty', async t => {
  const whole = {
    content: [
      {
        type: 'text',
        text: '',
        annotations: { priority: 1, audience: ['user'], lastModified: '2026-01-31T09:00:00Z' },
      },
      { type: 'resource', resource: { uri: 'a:b', blob: '' } },
      { type: 'resource_link', uri: 'a:b', name: '', icons: [{ src: 'a:b', sizes: ['any'], theme: 'dark' }] },
    ],
    structuredContent: { deep: [null] },
    isError: true,
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'x' }, more: 1 },
    beyond: {},
  }
  const both: [result: unknown, taken: unknown][] = [
    [whole, whole],
    [{ content: [] }, { content: [] }],
    [{ structuredContent: {} }, { structuredContent: {}, content: [] }],
    [{}, { content: [] }],
    [[], undefined],
  ]
  const asks = { resultType: 'input_required', inputRequests: { a: {} }, requestState: 's', _meta: {} }
  const cases = {
    modern: [
      ...both,
      [asks, asks],
      [
        { resultType: 'input_required', requestState: 's' },
        { resultType: 'input_required', requestState: 's' },
      ],
      [{ resultType: 'input_required' }, undefined],
      [{ resultType: 'input_required', inputRequests: [] }, undefined],
      [{ resultType: 'input_required', requestState: {} }, undefined],
      [{ resultType: 'task', content: [] }, undefined],
      [
        { content: [], structuredContent: 7 },
        { content: [], structuredContent: 7 },
      ],
      [
        { content: [], structuredContent: null },
        { content: [], structuredContent: null },
      ],
    ],
    legacy: [
      ...both,
      [{ content: [], structuredContent: null }, { content: [] }],
      [
        { content: [], structuredContent: [7] },
        { content: [], structuredContent: [7] },
      ],
    ],
  }
  for (const era of ['modern', 'legacy'] as const) {
    let next: unknown
    const { url } = await scriptedServer(t, era, { 'tools/call': ({ result }) => result(next) })
    for (const [result, taken] of cases[era]) {
      next = result
      const { call } = upstreamClient(t)
      if (taken === undefined) t.match(await failureOf(call(url)), { kind: 'malformed' }, JSON.stringify(result))
      else t.strictSame(await call(url), taken)
    }
  }
})

t.test('what is invalid in a result is left out, and a sentence says what', async t => {
  const { url, script } = await scriptedServer(t, 'modern')
  const { call, upstreams, target } = upstreamClient(t)
  const fine = { type: 'text', text: 'fine' }
  const note = (faults: string) => ({
    type: 'text',
    text: `[The gateway left out what is not valid MCP in this answer: ${faults}.]`,
  })
  const cases: [content: unknown, taken: unknown[]][] = [
    [
      [fine, { type: 'vi\u202edeo', src: 'a:b' }],
      [fine, note('block 2 has the unknown type “vi deo”')],
    ],
    [
      [{ type: 'image', data: '' }, fine],
      [fine, note('block 1 of type image has no `mimeType`')],
    ],
    [
      [{ type: 'text', text: null }, fine],
      [fine, note('block 1 of type text has an invalid `text`')],
    ],
    [
      [{ type: 'audio', data: 'data:audio/wav;base64,', mimeType: 'audio/wav' }],
      [note('block 1 of type audio has an invalid `data`')],
    ],
    [[{ type: 'resource', resource: { uri: 'a:b' } }], [note('block 1 of type resource has no `blob`')]],
    [
      [null, {}, 'words'],
      [{ type: 'text', text: 'words' }, note('block 1 is not an object; block 2 has no type')],
    ],
    ['words', [{ type: 'text', text: 'words' }]],
    [fine, [fine]],
    [null, []],
    [
      [
        { ...fine, annotations: null, _meta: null },
        { type: 'resource', resource: { uri: 'a:b', text: '', mimeType: null } },
      ],
      [fine, { type: 'resource', resource: { uri: 'a:b', text: '' } }],
    ],
    [
      Array.from({ length: 9 }, () => 7),
      [note(`${[1, 2, 3, 4, 5].map(n => `block ${n} is not an object`).join('; ')}; and 4 more`)],
    ],
  ]
  for (const [content, taken] of cases) {
    script['tools/call'] = ({ result }) => result({ content })
    t.strictSame(await call(url), { content: taken })
  }
  script['tools/call'] = ({ result }) => result({ content: [fine], isError: 'no', _meta: [] })
  t.strictSame(await call(url), { content: [fine, note('`isError` is not a boolean; `_meta` is invalid')] })

  const { signal } = new AbortController()
  const as = [target(url), { key: '', headers: {} }] as const
  const options = { signal, deadlineMs: 10_000 }
  script['resources/read'] = ({ result }) =>
    result({
      contents: [
        { text: 'a', mimeType: null },
        { uri: 'a:c', text: null },
      ],
      _meta: null,
    })
  t.strictSame(await upstreams.readResource(...as, { uri: 'a:b', trace: {} }, options), {
    contents: [
      { text: 'a', uri: 'a:b' },
      { uri: 'a:b', mimeType: 'text/plain', text: note('part 2 has no `blob`').text },
    ],
  })
  script['prompts/get'] = ({ result }) =>
    result({
      messages: [
        { role: 'user', content: [fine, { type: 'video' }] },
        { role: 'system', content: fine },
      ],
    })
  t.strictSame(await upstreams.getPrompt(...as, { name: 'a', arguments: {}, trace: {} }, options), {
    messages: [
      { role: 'user', content: fine },
      { role: 'user', content: note('message 1 has the unknown type “video”; message 2 has no valid `role`') },
    ],
  })
})

t.test('large numbers in an answer keep their digits, and a secret in them is redacted', async t => {
  const numbers = '[9007199254740993,-12345678901234567890,1e400,9007199254740993.5,4.2,7]'
  const result = `{"content":[{"type":"text","text":"9007199254740993"}],"structuredContent":{"numbers":${numbers}}}`
  const { url } = await scriptedServer(t, 'legacy', {
    initialize: ({ result }) =>
      result({ protocolVersion: '2025-11-25' }, { 'mcp-session-id': '777777777777777777777' }),
    'tools/call'({ id, params, send }) {
      const body = `{"jsonrpc":"2.0","id":${id},"result":${params.name === 'look' ? result : '{"content":[],"structuredContent":{"n":777777777777777777777}}'}}`
      send(200, body, JSON_TYPE)
    },
  })
  const { call } = upstreamClient(t)
  t.equal(JSON.stringify(await call(url)), result)
  const { structuredContent } = await call(url, { name: 'session' })
  t.strictSame(structuredContent, { n: '[redacted]' })
})

t.test('the official client accepts whatever is left of a result', async t => {
  const json = fc.oneof(
    fc.constantFrom(
      null,
      '',
      'eA==',
      'a:b',
      'user',
      '2026-02-30T00:00:00Z',
      '2026-02-28T00:00:00+01:00',
      0,
      0.5,
      7,
      true,
    ),
    fc.constantFrom([], {}, ['user'], [{ src: 'a:b' }], { priority: 3 }, { uri: 'a:b', text: '' }, { taskId: 1 }),
    fc.constantFrom({ audience: ['system'] }, { lastModified: '2026-02-30T00:00:00Z' }, { uri: 'a:b', blob: '%' }),
  )
  const members = [
    'text',
    'data',
    'mimeType',
    'uri',
    'name',
    'title',
    'description',
    'size',
    'icons',
    'resource',
    'annotations',
    '_meta',
  ]
  const block = fc
    .tuple(
      fc.constantFrom('text', 'image', 'audio', 'resource_link', 'resource', 'video'),
      fc.dictionary(fc.constantFrom(...members), json),
    )
    .map(([type, rest]) => ({ type, ...rest }))
  const meta = fc.dictionary(fc.constantFrom('progressToken', 'io.modelcontextprotocol/related-task', 'a'), json)
  const result = fc.record(
    {
      content: fc.oneof(json, fc.array(fc.oneof(block, json))),
      structuredContent: fc.constant({}),
      isError: json,
      _meta: meta,
    },
    { requiredKeys: [] },
  )
  const part = fc.dictionary(fc.constantFrom('uri', 'text', 'blob', 'mimeType', '_meta'), json)
  const message = fc.record({ role: json, content: fc.oneof(json, block, fc.array(block)) }, { requiredKeys: [] })
  const accepted = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
    value === undefined || schema.safeParse(JSON.parse(JSON.stringify(value))).success
  const legacy = {
    generation: 'legacy',
    version: '2025-11-25',
    sessionId: undefined,
    server: { capabilities: {}, instructions: undefined },
  } as const
  t.doesNotThrow(() => {
    fc.assert(fc.property(result, r => accepted(CallToolResultSchema, readToolResult(r, legacy))))
    fc.assert(
      fc.property(fc.array(part), meta, (contents, _meta) =>
        accepted(ReadResourceResultSchema, readContents({ contents, _meta }, 'a:b')),
      ),
    )
    fc.assert(fc.property(fc.array(message), messages => accepted(GetPromptResultSchema, readPrompt({ messages }))))
  })
})

t.test('after five consecutive failures an upstream is not called for 15 s, then tried by one call', async t => {
  const { log, lines } = memoryLog()
  const { url, script, methods, server } = await scriptedServer(t, 'modern', { 'tools/call': good })
  const other = await scriptedServer(t, 'modern', { 'tools/call': good })
  const { call, clock } = upstreamClient(t, { log })
  const bad = ({ send }: Scripted) => send(503)
  const fail = async (times: number) => {
    for (let n = 0; n < times; n++) t.match(await failureOf(call(url)), { kind: 'status', status: 503 })
  }
  await call(url)
  script['tools/call'] = bad
  await fail(4)
  script['tools/call'] = good
  await call(url)
  script['tools/call'] = bad
  await fail(5)

  server.requests.length = 0
  t.match(await failureOf(call(url)), { kind: 'open', retryAfter: 15, unsettled: false })
  clock.advance(14_001)
  t.match(await failureOf(call(url)), { kind: 'open', retryAfter: 1 })
  t.same(methods(), [], 'nothing was sent')
  t.equal(lines.filter(line => line.includes('its breaker is open')).length, 1)
  t.match(await call(other.url), says('fine'), 'another upstream is another matter')

  await t.test('a failed trial opens the breaker again', async t => {
    clock.advance(999)
    const trying = Promise.withResolvers<Scripted>()
    script['tools/call'] = trying.resolve
    const first = failureOf(call(url))
    const { send } = await trying.promise
    t.match(await failureOf(call(url)), { kind: 'open', retryAfter: 1 })
    send(503)
    t.match(await first, { kind: 'status', status: 503 })
    t.match(await failureOf(call(url)), { kind: 'open', retryAfter: 15 })
  })
  await t.test('an aborted trial leaves the trial to the next call', async t => {
    clock.advance(15_000)
    const trying = Promise.withResolvers<Scripted>()
    script['tools/call'] = trying.resolve
    const leaving = new AbortController()
    const gone = failureOf(call(url, {}, { signal: leaving.signal }))
    await trying.promise
    leaving.abort()
    t.match(await gone, { kind: 'aborted', unsettled: true })
    script['tools/call'] = ({ error }) => error(200, { code: -32_000, message: 'no' })
    t.match(await failureOf(call(url)), { kind: 'rpc' })
    script['tools/call'] = good
    t.match(await call(url), says('fine'), 'any answer closes it')
  })
})

t.test('failures that say nothing about other calls do not stop them', async t => {
  const answers: ((message: Scripted) => unknown)[] = [
    ({ send }) => send(500),
    ({ send }) => send(501, 'no'),
    ({ send }) => send(200, '<html>', { 'content-type': 'text/html' }),
    ({ send }) => send(200, ': bye\n\n', SSE_TYPE),
    ({ response }) => response.writeHead(200, SSE_TYPE).write(': here\n\n', () => response.destroy()),
    ({ error }) => error(200, { code: -32_603, message: 'no' }),
    ({ send }) => send(401),
    ({ send }) => send(429),
    ({ result }) => result({ ...says('no'), isError: true }),
    ({ result }) => result(says('x'.repeat(8 * 1024 ** 2))),
  ]
  for (const answer of answers) {
    const { url, methods } = await scriptedServer(t, 'modern', { 'tools/call': answer })
    const { call } = upstreamClient(t)
    for (let n = 0; n < 7; n++) await call(url).catch(() => {})
    t.equal(methods().filter(method => method === 'tools/call').length, 7)
  }
})

t.test(
  'statuses of a proxy, lost connections and time-outs count, whoever calls; a crash of a tool between them does not',
  async t => {
    const answers: Record<string, (message: Scripted) => unknown> = {
      502: ({ send }) => send(502),
      503: ({ send }) => send(503),
      504: ({ send }) => send(504),
      lost: ({ response }) => response.socket?.destroy(),
      late: () => {},
    }
    for (const [what, answer] of Object.entries(answers)) {
      const { url, script } = await scriptedServer(t, 'modern', { 'tools/call': good })
      const { call } = upstreamClient(t)
      const as = (key: string) => ({ credential: { key, headers: {} }, deadlineMs: what === 'late' ? 100 : 10_000 })
      for (const key of ['0', '1', '2', '3', '4', 'other']) await call(url, {}, { ...as(key), deadlineMs: 10_000 })
      script['tools/call'] = answer
      for (let n = 0; n < 4; n++) await failureOf(call(url, {}, as(`${n}`)))
      script['tools/call'] = ({ send }) => send(500)
      await failureOf(call(url, {}, as('4')))
      script['tools/call'] = answer
      for (let n = 0; n < 4; n++) await failureOf(call(url, {}, as(`${n}`)))
      t.not((await failureOf(call(url, {}, as('4')))).kind, 'open', `${what}: the crash was an answer`)
      t.match(await failureOf(call(url, {}, as('other'))), { kind: 'open', retryAfter: 15 }, what)
    }
  },
)

t.test('what one credential causes stops only the calls with it', async t => {
  const { log, lines } = memoryLog()
  const { url, script, methods, server } = await scriptedServer(t, 'modern', { 'tools/call': good })
  const { call, clock } = upstreamClient(t, { log })
  const as = (key: string) => ({ credential: { key, headers: { authorization: `Bearer ${key}` } } })
  const unless = (bad: string, fails: (message: Scripted) => unknown, works: (message: Scripted) => unknown) => {
    return (message: Scripted) => (message.headers.authorization === `Bearer ${bad}` ? fails : works)(message)
  }
  await t.test('a rate limit with its own time, at most 60 s', async t => {
    script['tools/call'] = unless('a', ({ send }) => send(429, '', { 'retry-after': '12' }), good)
    t.match(await failureOf(call(url, {}, as('a'))), { kind: 'status', status: 429, retryAfter: 12 })
    server.requests.length = 0
    clock.advance(2_000)
    t.match(await failureOf(call(url, {}, as('a'))), { kind: 'status', status: 429, retryAfter: 10, unsettled: false })
    t.same(methods(), [], 'nothing was sent')
    t.match(await call(url, {}, as('b')), says('fine'))
    clock.advance(10_000)
    script['tools/call'] = unless('a', ({ send }) => send(429, '', { 'retry-after': '86400' }), good)
    t.match(await failureOf(call(url, {}, as('a'))), { status: 429, retryAfter: 86_400 })
    clock.advance(60_000)
    script['tools/call'] = good
    t.match(await call(url, {}, as('a')), says('fine'))
  })
  await t.test('a handshake that fails', async t => {
    const works = script['server/discover'] ?? (({ result }: Scripted) => result({ supportedVersions: ['2026-07-28'] }))
    script['server/discover'] = unless('c', ({ send }) => send(500), works)
    script.initialize = ({ send }) => send(500)
    for (let n = 0; n < 3; n++) {
      t.match(await failureOf(call(url, {}, as('c'))), { kind: 'status', status: 500, unsettled: false })
      t.match(await call(url, {}, as('d')), says('fine'))
    }
    t.match(await failureOf(call(url, {}, as('c'))), { kind: 'open', retryAfter: 15 })
    t.match(await call(url, {}, as('d')), says('fine'))
    t.equal(lines.filter(line => line.includes('the breaker of the credential is open')).length, 1)
    clock.advance(15_000)
    script['server/discover'] = works
    t.match(await call(url, {}, as('c')), says('fine'))
    t.match(await call(url, {}, as('c')), says('fine'))
  })
})

t.test(
  'at most 32 calls of a registration are in flight, 128 wait in the queue, and other registrations are not delayed',
  async t => {
    const waiting: Scripted[] = []
    let arrived = Promise.withResolvers<void>()
    const { url } = await scriptedServer(t, 'modern', {
      'tools/call'(message) {
        if (message.params.name === 'other') return good(message)
        waiting.push(message)
        if (waiting.length === 32) arrived.resolve()
      },
    })
    const { call } = upstreamClient(t)
    await call(url, { name: 'other' })
    const calls = Array.from({ length: 160 }, () => call(url))
    await arrived.promise
    const why = await failureOf(call(url))
    t.match(why, { kind: 'busy', unsettled: false })
    t.match(
      await call(url, { name: 'other' }, { orgId: 'org_2' }),
      says('fine'),
      'another organization at the same server',
    )
    for (let batch = 0; batch < 5; batch++) {
      arrived = Promise.withResolvers()
      const now = waiting.splice(0)
      t.equal(now.length, 32)
      for (const message of now) good(message)
      if (batch < 4) await arrived.promise
    }
    t.equal((await Promise.all(calls)).length, 160)
  },
)

t.test('a call that waits too long in the queue is never sent', async t => {
  const { url, methods } = await scriptedServer(t, 'modern', { 'tools/call': () => {} })
  const { call } = upstreamClient(t, { egress: egressOf(t, { maxConcurrentPerKey: 1, queueWaitMs: 50 }) })
  const leaving = new AbortController()
  const first = failureOf(call(url, {}, { signal: leaving.signal }))
  t.match(await failureOf(call(url)), { kind: 'busy', unsettled: false })
  leaving.abort()
  t.match(await first, { kind: 'aborted' })
  t.equal(methods().filter(method => method === 'tools/call').length, 1)
})

t.test('the deadline covers everything and ends the request', async t => {
  const deadlineMs = 100
  await t.test('of a call, with a notification to a legacy upstream', async t => {
    const cancelled = Promise.withResolvers<Scripted>()
    const closed = Promise.withResolvers<unknown>()
    const asked: (number | undefined)[] = []
    const { url } = await scriptedServer(t, 'legacy', {
      'tools/call'({ id, response, params }) {
        if (params.name === 'first') return response.writeHead(200, JSON_TYPE).end('{}')
        asked.push(id)
        closed.resolve(once(response, 'close'))
      },
      'notifications/cancelled'(message) {
        message.send(202)
        cancelled.resolve(message)
      },
    })
    const { call } = upstreamClient(t)
    await failureOf(call(url, { name: 'first' }))
    t.match(await failureOf(call(url, {}, { deadlineMs })), { kind: 'timeout', unsettled: true })
    t.same((await cancelled.promise).params, { requestId: asked[0], reason: 'timeout' })
    await closed.promise
  })
  await t.test('of an endless stream', async t => {
    const { url } = await scriptedServer(t, 'modern', {
      'tools/call'({ response }) {
        response.writeHead(200, SSE_TYPE).write(': here\n\n')
        const timer = setInterval(() => response.write(': still here\n\n'), 20)
        response.once('close', () => clearInterval(timer))
      },
    })
    const { call } = upstreamClient(t)
    t.match(await failureOf(call(url, {}, { deadlineMs })), { kind: 'timeout', unsettled: true })
  })
  await t.test('of a shared handshake', async t => {
    const asked = Promise.withResolvers<Scripted>()
    const { url, methods } = await scriptedServer(t, 'modern', {
      'server/discover': asked.resolve,
      'tools/call': good,
    })
    const { call } = upstreamClient(t)
    const patient = call(url)
    const { result } = await asked.promise
    t.match(await failureOf(call(url, {}, { deadlineMs })), { kind: 'timeout', unsettled: false })
    t.match(await failureOf(call(url, {}, { signal: AbortSignal.abort() })), { kind: 'aborted', unsettled: false })
    result({ supportedVersions: ['2026-07-28'] })
    t.match(await patient, says('fine'))
    t.same(methods(), ['server/discover', 'tools/call'])
  })
  await t.test('of all pages of a list', async t => {
    let page = 0
    const { url } = await scriptedServer(t, 'modern', {
      'tools/list'({ result }) {
        clock.advance(4_000)
        page += 1
        if (page < 3) result({ tools: [], nextCursor: `${page}` })
      },
    })
    const { list, clock } = upstreamClient(t)
    const waited = await waitedMs(async () =>
      // The time that the two pages left.
      t.match(await failureOf(list(url, { deadlineMs: 8_050 })), { kind: 'timeout' }),
    )
    t.equal(page, 3)
    t.ok(waited < 4_000)
  })
})

t.test('a list is read page by page, within its limits', async t => {
  const { url, script, server } = await scriptedServer(t, 'modern')
  const tools = (n: number) => Array.from({ length: n }, (_, i) => ({ name: `tool_${i}` }))
  const pages = (count: number, page: (n: number) => object) => {
    let n = 0
    script['tools/list'] = ({ result }) => {
      n += 1
      result({ ...page(n), ...(n < count && { nextCursor: `after ${n}` }) })
    }
  }
  const { list } = upstreamClient(t)

  pages(100, n => ({ tools: [{ name: `of page ${n}` }] }))
  t.equal((await list(url)).length, 100)
  t.same(
    server.requests.slice(1, 4).map(({ body }) => JSON.parse(body).params.cursor),
    [undefined, 'after 1', 'after 2'],
  )
  pages(101, () => ({ tools: [] }))
  t.match(await failureOf(list(url)), { kind: 'too_large', message: /100 pages/ })
  pages(2, () => ({ tools: tools(1_000) }))
  t.equal((await list(url)).length, 2_000)
  pages(2, () => ({ tools: tools(1_001) }))
  t.match(await failureOf(list(url)), { kind: 'too_large', message: /2000 tools/ })
  pages(9, () => ({ tools: [{ name: 'x'.repeat(1024 ** 2) }] }))
  t.match(await failureOf(list(url)), { kind: 'too_large' })
  let events = 0
  script['tools/list'] = ({ id, send }) => {
    const result = { tools: [{ name: 'x'.repeat(1024 ** 2) }], nextCursor: `${++events}` }
    send(200, `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`, SSE_TYPE)
  }
  t.match(await failureOf(list(url)), { kind: 'too_large' })
  t.equal(events, 8)
  script['tools/list'] = ({ result }) => result({ tools: [], nextCursor: 'again' })
  t.match(await failureOf(list(url)), { kind: 'malformed', message: /repeats the same page/ })
  script['tools/list'] = ({ result }) => result({ tools: [], nextCursor: 7 })
  t.match(await failureOf(list(url)), { kind: 'malformed' })
  script['tools/list'] = ({ result }) => result({ tools: {} })
  t.match(await failureOf(list(url)), { kind: 'malformed' })
  for (const nextCursor of [null, ''] as const) {
    script['tools/list'] = ({ result }) => result({ tools: tools(1), nextCursor })
    t.same(await list(url), tools(1))
  }

  await t.test('a tool that exceeds the limits hides no other', async t => {
    const deep = `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`
    script['tools/list'] = ({ id, send }) =>
      send(
        200,
        `{"jsonrpc":"2.0","id":${id},"result":{"tools":[7,{"__proto__":{}},${deep},{"name":"good"}]}}`,
        JSON_TYPE,
      )
    const [number, polluting, , last] = await list(url)
    t.equal(number, 7)
    t.ok(Object.hasOwn(polluting as object, '__proto__'), 'it is there to be seen')
    t.same(last, { name: 'good' })
  })
})

t.test('a list is read again from the start if its session is lost', async t => {
  const seen: unknown[] = []
  let sessions = 0
  const { url } = await scriptedServer(t, 'legacy', {
    initialize: ({ result }) => result({ protocolVersion: '2025-11-25' }, { 'mcp-session-id': `${++sessions}` }),
    'tools/list'({ params, result, send, headers }) {
      seen.push(params.cursor)
      if (params.cursor !== undefined && headers['mcp-session-id'] === '1') return send(404)
      result({ tools: [{ name: `${params.cursor}` }], ...(params.cursor === undefined && { nextCursor: 'next' }) })
    },
  })
  const { list } = upstreamClient(t)
  t.same(await list(url), [{ name: 'undefined' }, { name: 'next' }])
  t.same(seen, [undefined, 'next', undefined, 'next'])
})

t.test('a stream that ends with its answer keeps its connection, an endless one is closed', async t => {
  const open = Promise.withResolvers<unknown>()
  const { url, script, server } = await scriptedServer(t, 'modern', {
    'tools/call': ({ id, send }) =>
      send(200, `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: says('fine') })}\n\n`, SSE_TYPE),
  })
  const { call } = upstreamClient(t)
  for (let n = 0; n < 20; n++) await call(url)
  // The end of a stream may arrive after its answer, when the next call has been sent.
  t.ok(server.connections < 5, `${server.connections} connections`)
  script['tools/call'] = ({ id, response }) => {
    response
      .writeHead(200, SSE_TYPE)
      .write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: says('first') })}\n\ndata: more\n\n`)
    open.resolve(once(response, 'close'))
  }
  t.match(await call(url), says('first'))
  await open.promise
})

t.test('invalid and forbidden addresses are rejected', async t => {
  const { call } = upstreamClient(t)
  t.match(await failureOf(call('no URL')), { kind: 'refused', unsettled: false })
  t.match(await failureOf(call('http://169.254.169.254/mcp')), { kind: 'refused', unsettled: false })
})
