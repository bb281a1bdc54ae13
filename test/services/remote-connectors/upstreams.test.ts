import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { decodeHeader, encodeHeader } from '../../../services/mcp/headers.ts'
import fc from '../../fixtures/property.ts'
import { legacyServer } from '../../upstreams/legacy-server.ts'
import { type Scripted, scriptedServer } from '../../upstreams/scripted-server.ts'
import { failureOf, says, upstreamClient } from '../../upstreams/upstream-client.ts'

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const INFO = 'io.modelcontextprotocol/clientInfo'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const UNKNOWN_SESSION = { code: -32_001, message: 'Session not found' }

/** Answers with the authorization header and the arguments. */
const echo = ({ params, headers, result }: Scripted) =>
  result(says(`${headers.authorization} ${JSON.stringify(params.arguments)}`))

t.test('each of 2,000 interleaved calls of two organizations gets its own answer', async t => {
  const waiting: Scripted[] = []
  const { url, server } = await scriptedServer(t, 'modern', {
    // Answers in a different order than the requests.
    async 'tools/call'(message) {
      waiting.push(message)
      await setImmediate()
      for (const message of waiting.splice(0).reverse()) echo(message)
    },
  })
  const { call } = upstreamClient(t)
  const answers = await Promise.all(
    ['one', 'two'].flatMap(orgId => {
      let next = 0
      const credential = { key: 'account', headers: { authorization: `Bearer ${orgId}` } }
      return Array.from({ length: 25 }, async () => {
        const wrong: unknown[] = []
        while (next < 1000) {
          const n = next++
          const { content } = await call(url, { arguments: { n } }, { orgId, credential })
          const [block] = content as { text: string }[]
          if (block?.text !== `Bearer ${orgId} {"n":${n}}`) wrong.push(block)
        }
        return wrong
      })
    }),
  )
  t.same(answers.flat(), [])
  const ids = server.requests.map(({ body }) => JSON.parse(body).id)
  t.equal(new Set(ids).size, 2002, 'every request has an id of its own, the two probes too')
})

t.test('a session that is lost during 20 calls is reopened once, and each call is executed once', async t => {
  const server = await legacyServer(t)
  const { call } = upstreamClient(t)
  await call(server.url, { name: 'text', arguments: { text: 'first' } })
  server.loseSessions()
  server.requests.length = 0
  const texts = Array.from({ length: 20 }, (_, n) => `call ${n}`)
  const answers = await Promise.all(texts.map(text => call(server.url, { name: 'text', arguments: { text } })))
  t.same(
    answers.map(({ content }) => content),
    texts.map(text => says(`text ${JSON.stringify({ text })}`).content),
  )
  t.same(server.tools.calls.map(({ args }) => args.text).toSorted(), ['first', ...texts].toSorted())
  const methods = server.requests.map(({ body }) => JSON.parse(body).method)
  t.equal(methods.filter(method => method === 'initialize').length, 1)
  t.notOk(methods.includes('server/discover'), 'a lost session does not change the protocol generation')
  t.equal(server.sessions, 1)
})

t.test('a call is sent again at most once after a lost session', async t => {
  const session = { 'mcp-session-id': 'a' }
  const handshake = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'x', version: '1' } }
  let answer: Scripted['error'] extends (...args: infer A) => unknown ? A : never = [
    404,
    UNKNOWN_SESSION,
    { named: false },
  ]
  const { url, methods, server } = await scriptedServer(t, 'legacy', {
    initialize: ({ result }) => result(handshake, session),
    'tools/call': ({ error }) => error(...answer),
  })
  const { call } = upstreamClient(t)

  t.match(await failureOf(call(url)), { kind: 'status', status: 404, unsettled: false })
  t.equal(methods().filter(method => method === 'tools/call').length, 2)
  t.equal(methods().filter(method => method === 'initialize').length, 2)
  for (const { headers, body } of server.requests.filter(({ body }) => body.includes('tools/call'))) {
    t.match(headers, { 'mcp-session-id': 'a', 'mcp-protocol-version': '2025-06-18' })
    t.notOk(body.includes('_meta'))
  }

  await t.test('also if the server answers 400', async t => {
    answer = [400, { code: -32_000, message: 'Bad Request: No valid session ID provided' }, { named: false }]
    server.requests.length = 0
    t.match(await failureOf(call(url)), { kind: 'status', status: 400 })
    t.equal(methods().filter(method => method === 'tools/call').length, 2)
  })
  await t.test('not if the tool itself may have answered 404; the next call has a new session', async t => {
    answer = [404, { code: -32_000, message: 'No such issue' }, { named: true }]
    await failureOf(call(url))
    server.requests.length = 0
    t.match(await failureOf(call(url)), { kind: 'rpc', message: 'No such issue', unsettled: false })
    t.same(methods(), ['initialize', 'notifications/initialized', 'tools/call'])
  })
})

t.test('a stale session is replaced once, whatever 4xx refuses it, and the call succeeds', async t => {
  type Refuse = (message: Scripted) => void
  const words = { code: -32_600, message: 'Session not found' }
  const refusals: Record<string, Refuse> = {
    'an error with the request’s ID': ({ error }) => error(400, words),
    'an error with a code of the SDK': ({ error }) =>
      error(400, { code: -32_000, message: 'Bad Request: Server not initialized' }),
    gone: ({ error }) => error(410, words),
    'not processable': ({ error }) => error(422, { code: -32_602, message: 'Unknown session ID' }),
    'an error without the ID': ({ error }) => error(410, { code: -32_001, message: 'Expired' }, { named: false }),
    'a text': ({ send }) => send(400, 'No valid session ID provided'),
    'other JSON': ({ send }) =>
      send(422, '{"detail":"invalid mcp-session-id"}', { 'content-type': 'application/json' }),
    'no words': ({ send }) => send(410),
    'an invalid request': ({ error }) => error(400, { code: -32_600, message: 'Invalid Request' }),
  }
  for (const [what, refuse] of Object.entries(refusals))
    await t.test(what, async t => {
      const { url, methods, server, lose } = await sessionServer(t, refuse)
      const { call, list } = upstreamClient(t)
      await call(url)
      lose()
      server.requests.length = 0
      t.match(await call(url), says('undefined {}'))
      t.equal(methods().filter(method => method === 'initialize').length, 1)
      t.equal(methods().filter(method => method === 'tools/call').length, 2)
      lose()
      t.same(await list(url), [], 'a list, too')
    })
})

t.test('an upstream that refuses every session of a call is asked for at most two', async t => {
  const { url, methods, server, script } = await sessionServer(t, ({ send }) => send(400))
  const { call } = upstreamClient(t)
  await call(url)
  script['tools/call'] = ({ error, params }) =>
    params.name === 'look'
      ? error(400, { code: -32_600, message: 'Invalid Request' })
      : error(422, { code: -32_602, message: 'No' })
  server.requests.length = 0
  t.match(await failureOf(call(url)), { kind: 'rpc', rpcCode: -32_600, unsettled: false })
  t.same(
    methods().filter(method => method !== 'DELETE'),
    ['tools/call', 'server/discover', 'initialize', 'notifications/initialized', 'tools/call'],
  )
  server.requests.length = 0
  for (let n = 0; n < 3; n++) await failureOf(call(url))
  t.same(methods(), ['tools/call', 'tools/call', 'tools/call'], 'a new session did not help')
  server.requests.length = 0
  await failureOf(call(url, { name: 'other' }))
  t.same(methods(), ['tools/call'], 'an error of the tool says nothing about the session')
})

t.test('a crash may have executed a call, so only a list gets a new session after it', async t => {
  const { url, methods, server, lose } = await sessionServer(t, ({ send }) => send(500))
  const { call, list } = upstreamClient(t)
  await call(url)
  lose()
  server.requests.length = 0
  t.match(await failureOf(call(url)), { status: 500, unsettled: true })
  t.same(methods(), ['tools/call'])
  t.same(await list(url), [])
})

t.test('a session ends ten minutes after its last answer, and when no call uses it', async t => {
  const deleted = Promise.withResolvers<Scripted>()
  const { url, methods, server, script } = await sessionServer(t, ({ send }) => send(400))
  script.DELETE = message => {
    message.send(200)
    deleted.resolve(message)
  }
  const { call, clock } = upstreamClient(t)
  await call(url)
  clock.advance(599_000)
  await call(url)
  clock.advance(599_000)
  server.requests.length = 0
  await call(url)
  t.same(methods(), ['server/discover', 'tools/call'], 'a session in use goes on')

  const waiting = Promise.withResolvers<Scripted>()
  const working = script['tools/call']
  script['tools/call'] = waiting.resolve
  const long = call(url)
  const { result } = await waiting.promise
  Object.assign(script, { 'tools/call': working })
  clock.advance(600_000)
  server.requests.length = 0
  await call(url)
  t.same(methods(), ['server/discover', 'initialize', 'notifications/initialized', 'tools/call'])
  result(says('late'))
  t.match(await long, says('late'), 'the old session served its last call')
  t.match((await deleted.promise).headers, { 'mcp-session-id': 'session-1' })
})

t.test('requests to an upstream of 2026-07-28 have the headers and the _meta of that revision', async t => {
  const { url, server, methods } = await scriptedServer(t, 'modern', {
    'tools/list': ({ result }) => result({ tools: [] }),
    'tools/call': ({ result }) => result(says('done')),
  })
  const { call, list } = upstreamClient(t, { serverInfo: { name: 'gateway', version: '1.2.3' } })
  const credential = { key: 'account', headers: { 'X-Key': 'secret' } }
  await list(url, { credential })
  await call(
    url,
    {
      name: 'Отчёт',
      arguments: { region: 'Zürich', deep: { n: 42, on: false }, gone: null, wide: 2 ** 60, bad: 'x', list: [1] },
      inputSchema: {
        type: 'object',
        properties: {
          region: { type: 'string', 'x-mcp-header': 'Region' },
          deep: {
            type: 'object',
            properties: { n: { type: 'integer', 'x-mcp-header': 'N' }, on: { type: 'boolean', 'x-mcp-header': 'On' } },
          },
          gone: { type: 'string', 'x-mcp-header': 'Gone' },
          absent: { type: 'string', 'x-mcp-header': 'Absent' },
          wide: { type: 'integer', 'x-mcp-header': 'Wide' },
          bad: { type: 'string', 'x-mcp-header': 'no name\r\nx-evil: 1' },
          list: { type: 'array', 'x-mcp-header': 'List' },
        },
      },
      trace: { traceparent: '00-a-b-01', baggage: 'k=v' },
      clientCapabilities: { elicitation: {} },
      inputResponses: { color: { action: 'accept' } },
      requestState: 'state',
    },
    { credential },
  )
  t.same(methods(), ['server/discover', 'tools/list', 'tools/call'])
  const [probe, listed, called] = server.requests.map(({ headers, body }) => ({ headers, ...JSON.parse(body) }))
  const own = { [VERSION]: '2026-07-28', [INFO]: { name: 'gateway', version: '1.2.3' } }
  const ui = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } }
  for (const request of [probe, listed]) {
    t.same(request.params, { _meta: { ...own, [CAPABILITIES]: ui } })
    t.match(request.headers, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': request.method, 'x-key': 'secret' })
  }
  t.same(called.params, {
    name: 'Отчёт',
    arguments: { region: 'Zürich', deep: { n: 42, on: false }, gone: null, wide: 2 ** 60, bad: 'x', list: [1] },
    inputResponses: { color: { action: 'accept' } },
    requestState: 'state',
    _meta: { ...own, [CAPABILITIES]: { elicitation: {}, ...ui }, traceparent: '00-a-b-01', baggage: 'k=v' },
  })
  t.same(
    Object.fromEntries(
      Object.entries(called.headers).filter(([name]) => !/^(host|connection|content-length)$/.test(name)),
    ),
    {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'accept-encoding': 'gzip, deflate, br',
      'user-agent': 'connector-gateway',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': `=?base64?${Buffer.from('Отчёт').toString('base64')}?=`,
      'mcp-param-region': `=?base64?${Buffer.from('Zürich').toString('base64')}?=`,
      'mcp-param-n': '42',
      'mcp-param-on': 'false',
      'x-key': 'secret',
    },
  )
})

t.test('every text survives its encoding as a header', async t => {
  const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', ' x', '=?base64?=', '=?base64?eA==?='))
  const comesBack = fc.property(texts, text => {
    const header = encodeHeader(text)
    return /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(header) && decodeHeader(header) === text
  })
  t.doesNotThrow(() => fc.assert(comesBack, { examples: [['plain words'], ['\ttab'], ['line\r\nx: y']] }))
})

t.test('a trace reaches legacy upstreams too, modern-only members do not', async t => {
  const { url, server } = await scriptedServer(t, 'legacy', { 'tools/call': ({ result }) => result(says('done')) })
  const { call } = upstreamClient(t)
  await call(url, {
    trace: { traceparent: '00-a-b-01', tracestate: 'x=1' },
    clientCapabilities: { elicitation: {} },
    requestState: 'state',
    inputSchema: { properties: { a: { 'x-mcp-header': 'A' } } },
    arguments: { a: 'b' },
  })
  const { headers, body } = server.requests.at(-1) ?? {}
  t.same(JSON.parse(body ?? '').params, {
    name: 'look',
    arguments: { a: 'b' },
    _meta: { traceparent: '00-a-b-01', tracestate: 'x=1' },
  })
  t.same(
    Object.keys(headers ?? {}).filter(name => name.startsWith('mcp-')),
    ['mcp-protocol-version'],
  )
})

t.test('the protocol is negotiated once per credential, and again after its lifetime', async t => {
  const { url, methods, script, server } = await scriptedServer(t, 'legacy', { 'tools/call': echo })
  const { call, clock } = upstreamClient(t)
  const as = (key: string) => ({ credential: { key, headers: {} } })
  const handshake = ['server/discover', 'initialize', 'notifications/initialized']
  await Promise.all([call(url, {}, as('a')), call(url, {}, as('a')), call(url, {}, as('a'))])
  t.same(methods(), [...handshake, 'tools/call', 'tools/call', 'tools/call'])
  await call(url, {}, as('b'))
  t.same(methods().slice(6), [...handshake, 'tools/call'])

  clock.advance(600_000)
  server.requests.length = 0
  await call(url, {}, as('a'))
  t.same(methods(), ['server/discover', 'tools/call'], 'what has not changed goes on')

  clock.advance(600_000)
  server.requests.length = 0
  script['server/discover'] = ({ result }) => result({ supportedVersions: ['2026-07-28'] })
  await call(url, {}, as('a'))
  t.equal(server.requests.at(-1)?.headers['mcp-protocol-version'], '2026-07-28')
})

t.test(
  'after an upstream changes its protocol generation one call fails without a retry, then it is negotiated again',
  async t => {
    const { url, methods, script, server } = await scriptedServer(t, 'modern', { 'tools/call': echo })
    const { call } = upstreamClient(t)
    await call(url)
    const unsupported = { code: -32_000, message: 'Bad Request: Unsupported protocol version' }
    script['server/discover'] = ({ error }) => error(400, unsupported, { named: false })
    script.initialize = ({ result }) => result({ protocolVersion: '2025-03-26' })
    script['tools/call'] = message =>
      message.headers['mcp-method'] === undefined ? echo(message) : message.error(400, unsupported, { named: false })
    server.requests.length = 0
    t.match(await failureOf(call(url)), { kind: 'status', status: 400, unsettled: false })
    t.same(methods(), ['tools/call'])
    t.match(await call(url), says('undefined {}'))

    await t.test('also from a legacy revision to 2026-07-28', async t => {
      const data = { supported: ['2026-07-28'], requested: '2025-03-26' }
      script['server/discover'] = ({ result }) => result({ supportedVersions: ['2026-07-28'] })
      script['tools/call'] = message =>
        message.headers['mcp-method'] === undefined
          ? message.error(400, { code: -32_022, message: 'Unsupported protocol version', data })
          : echo(message)
      t.match(await failureOf(call(url)), { kind: 'rpc', rpcCode: -32_022, unsettled: false })
      t.match(await call(url), says('undefined {}'))
    })
  },
)

t.test('a probe is retried if the upstream lists its version; any other answer means a legacy upstream', async t => {
  const { call } = upstreamClient(t)
  let asked = 0
  const data = { supported: ['2026-07-28'], requested: '2026-07-28' }
  const modern = await scriptedServer(t, 'modern', {
    'server/discover': ({ result, error }) =>
      ++asked === 1
        ? error(400, { code: -32_022, message: 'Unsupported protocol version', data })
        : result({ supportedVersions: ['2026-07-28'] }),
    'tools/call': echo,
  })
  await call(modern.url)
  t.same(modern.methods(), ['server/discover', 'server/discover', 'tools/call'])

  const answers: Record<string, (message: Scripted) => unknown> = {
    'no such path': ({ send }) => send(404),
    'no such method': ({ error }) => error(200, { code: -32_601, message: 'Method not found' }),
    'an error of its own': ({ send }) => send(500, 'oops'),
    'older versions': ({ error }) =>
      error(400, { code: -32_022, message: 'Unsupported', data: { supported: ['2025-11-25'] } }),
    'no answer of MCP': ({ send }) => send(200, '<html>', { 'content-type': 'text/html' }),
    'a result of something else': ({ result }) => result({ tools: [] }),
    'a later version': ({ result }) => result({ supportedVersions: ['2027-01-01'] }),
  }
  for (const [what, answer] of Object.entries(answers)) {
    const { url } = await scriptedServer(t, 'legacy', { 'server/discover': answer, 'tools/call': echo })
    t.match(await call(url), says('undefined {}'), what)
  }
})

t.test('an upstream that refuses the newest revision is offered those that it names, then all others', async t => {
  const refusals: Record<string, [refuse: (message: Scripted) => void, offered: string[]]> = {
    'a list in the data': [
      ({ error }) =>
        error(400, {
          code: -32_602,
          message: 'Unsupported protocol version',
          data: { supported: ['2024-11-05', '2024-10-07'] },
        }),
      ['2025-11-25', '2024-11-05'],
    ],
    'a list in the text': [
      ({ error }) =>
        error(
          400,
          {
            code: -32_000,
            message: 'Bad Request: Unsupported protocol version (supported versions: 2025-03-26, 2024-11-05)',
          },
          { named: false },
        ),
      ['2025-11-25', '2025-03-26', '2024-11-05'],
    ],
    'no words': [({ send }) => send(400), ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']],
    'an error of JSON-RPC': [
      ({ error }) => error(200, { code: -32_602, message: 'Unsupported protocol version' }),
      ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
    ],
  }
  for (const [what, [refuse, offered]] of Object.entries(refusals))
    await t.test(what, async t => {
      const { url, script, server } = await scriptedServer(t, 'legacy', { 'tools/call': echo })
      const asked: unknown[] = []
      script.initialize = message => {
        asked.push(message.params.protocolVersion)
        if (message.params.protocolVersion !== '2024-11-05') return refuse(message)
        message.result({ protocolVersion: '2024-11-05', capabilities: {} })
      }
      const { call } = upstreamClient(t)
      t.match(await call(url), says('undefined {}'))
      t.same(asked, offered)
      t.equal(server.requests.at(-1)?.headers['mcp-protocol-version'], '2024-11-05')
      asked.length = 0
      await call(url, {}, { credential: { key: 'other', headers: {} } })
      t.same(asked, ['2024-11-05'], 'it is remembered for all credentials')
      script.initialize = message => {
        asked.push(message.params.protocolVersion)
        if (message.params.protocolVersion === '2024-11-05') return refuse(message)
        message.result({ protocolVersion: '2025-11-25' })
      }
      await call(url, {}, { credential: { key: 'third', headers: {} } })
      t.same(asked.slice(0, 2), ['2024-11-05', '2024-11-05'], 'until it is refused')
      t.equal(asked.length, 3)
    })
  await t.test('and fails with its first answer if it takes none', async t => {
    const { url, script, methods } = await scriptedServer(t, 'legacy')
    script.initialize = ({ params, send }) => send(400, `no version ${params.protocolVersion}`)
    const { call } = upstreamClient(t)
    const failure = await failureOf(call(url))
    t.match(failure, { kind: 'status', status: 400 })
    t.equal(failure.words, 'no version 2025-11-25')
    t.equal(methods().filter(method => method === 'initialize').length, 4)
  })
})

t.test('a failed handshake says why, and nothing was executed', async t => {
  const refusals: Record<string, [Record<string, (message: Scripted) => unknown>, object]> = {
    'a credential that is not taken': [
      { 'server/discover': ({ send }) => send(401, '', { 'www-authenticate': 'Bearer realm="x"' }) },
      { kind: 'unauthorized', challenge: 'Bearer realm="x"', status: 401 },
    ],
    'a credential that is not taken by the handshake': [
      { initialize: ({ send }) => send(401) },
      { kind: 'unauthorized', status: 401 },
    ],
    'no service now': [
      { 'server/discover': ({ send }) => send(503, '', { 'retry-after': '7' }) },
      { kind: 'status', status: 503, retryAfter: 7 },
    ],
    'a redirect': [
      { 'server/discover': ({ send }) => send(308, '', { location: 'https://elsewhere.test/' }) },
      { kind: 'status', status: 308 },
    ],
    'a version of nobody': [
      { initialize: ({ result }) => result({ protocolVersion: '1999-01-01' }) },
      { kind: 'malformed' },
    ],
    'a session without a name': [
      { initialize: ({ result }) => result({ protocolVersion: '2025-11-25' }, { 'mcp-session-id': 'a b' }) },
      { kind: 'malformed' },
    ],
    'a refusal to begin': [{ 'notifications/initialized': ({ send }) => send(500) }, { kind: 'status', status: 500 }],
    'an invalid address': [
      { 'server/discover': ({ response }) => response.socket?.destroy() },
      { kind: 'unreachable' },
    ],
  }
  for (const [what, [script, why]] of Object.entries(refusals))
    await t.test(what, async t => {
      const { url, methods } = await scriptedServer(t, 'legacy', script)
      const { call } = upstreamClient(t)
      t.match(await failureOf(call(url)), { ...why, unsettled: false })
      t.notOk(methods().includes('tools/call'))
    })
})

t.test('in a stream, pings are answered, other requests rejected and notifications ignored', async t => {
  const stream = { 'content-type': 'text/event-stream; charset=utf-8' }
  const event = (message: object) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`
  const { promise: all, resolve } = Promise.withResolvers<void>()
  const { url, server } = await scriptedServer(t, 'legacy', {
    'tools/call'({ id, response }) {
      response.writeHead(200, stream)
      response.write(': here\n\nid: 1\ndata:\n\nevent: other\ndata: {\n\n')
      response.write(event({ method: 'notifications/progress', params: { progress: 1 } }))
      response.write(event({ id: 'p', method: 'ping' }) + event({ id: 9, method: 'roots/list' }))
      response.write(event({ id: { $ne: 1 }, method: 'ping' }))
      for (let n = 0; n < 100; n++) response.write(event({ id: n, method: 'sampling/createMessage' }))
      const [before, after] = event({ id, result: says('ünïcode') }).split('ü')
      // Splits one character between two chunks.
      response.write(Buffer.concat([Buffer.from(before ?? ''), Buffer.from([0xc3])]))
      response.end(Buffer.concat([Buffer.from([0xbc]), Buffer.from(after ?? '')]))
    },
    answer({ send }) {
      send(202)
      if (answers().length === 15) resolve()
    },
  })
  const answers = () => server.requests.map(({ body }) => JSON.parse(body)).filter(({ method }) => method === undefined)
  const { call } = upstreamClient(t)
  t.match(await call(url), says('ünïcode'))
  await all
  t.match(answers()[0], { jsonrpc: '2.0', id: 'p', result: {} })
  t.match(answers()[1], { jsonrpc: '2.0', id: 9, error: { code: -32_601 } })
  t.equal(answers().length, 15, 'of sixteen, one has no id that could be answered')
})

t.test('a stream that ends before the answer is resumed after its last event', async t => {
  const stream = { 'content-type': 'text/event-stream' }
  const event = (id: number, message: object) => `data: ${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n\n`
  const ends: Record<string, (message: Scripted, text: string) => void> = {
    'closed by the server': ({ response }, text) => response.end(text),
    'lost connection': ({ response }, text) => response.write(text, () => response.destroy()),
  }
  for (const [what, end] of Object.entries(ends))
    await t.test(what, async t => {
      let asked = 0
      const { url, methods, script, server } = await scriptedServer(t, 'legacy', {
        initialize: ({ result }) => result({ protocolVersion: '2025-11-25' }, { 'mcp-session-id': 'session-1' }),
        'tools/call'(message) {
          asked = message.id ?? 0
          message.response.writeHead(200, stream)
          end(message, 'retry: 10\nid: a/1\ndata:\n\ndata: {"cut')
        },
        GET(message) {
          message.response.writeHead(200, stream)
          if (message.headers['last-event-id'] === 'a/1') return end(message, 'id: a/2\ndata:\n\n')
          message.response.end(event(asked, { result: says('at last') }))
        },
      })
      const { call } = upstreamClient(t)
      const credential = { key: 'a', headers: { authorization: 'Bearer a' } }
      t.match(await call(url, {}, { credential }), says('at last'))
      t.same(methods().slice(3), ['tools/call', 'GET', 'GET'], 'the call is sent once')
      const sent = { 'mcp-session-id': 'session-1', 'mcp-protocol-version': '2025-11-25', authorization: 'Bearer a' }
      t.match(server.requests.at(-2)?.headers, { ...sent, accept: 'text/event-stream', 'last-event-id': 'a/1' })
      t.match(server.requests.at(-1)?.headers, { ...sent, 'last-event-id': 'a/2' })

      for (const status of [204, 404, 405]) {
        script.GET = ({ send }) => send(status)
        t.match(await failureOf(call(url, {}, { credential })), { kind: 'malformed', unsettled: true })
      }
      script.GET = ({ response }) => response.socket?.destroy()
      t.match(await failureOf(call(url, {}, { credential })), { unsettled: true })
    })
  await t.test('within the deadline, and not after the caller left', async t => {
    const { url, script } = await scriptedServer(t, 'legacy', {
      'tools/call': ({ send }) => send(200, 'retry: 10\nid: 1\ndata:\n\n', stream),
      'notifications/cancelled'(message) {
        message.send(202)
        cancelled.push(message.params.reason)
        if (cancelled.length === 2) both.resolve()
      },
    })
    const cancelled: unknown[] = []
    const both = Promise.withResolvers<void>()
    const { call } = upstreamClient(t, { clock: Date })
    script.GET = ({ response }) => response.writeHead(200, stream).write(': wait\n\n')
    t.match(await failureOf(call(url, {}, { deadlineMs: 600 })), { kind: 'timeout', unsettled: true })
    const leaving = new AbortController()
    script.GET = () => leaving.abort()
    t.match(await failureOf(call(url, {}, { signal: leaving.signal })), { kind: 'aborted', unsettled: true })
    await both.promise
    t.same(cancelled, ['timeout', 'aborted'])
  })
  await t.test('not if no event had an ID, and not since 2026-07-28', async t => {
    for (const [era, text] of [
      ['legacy', ': bye\n\ndata:\n\n'],
      ['modern', 'id: 1\ndata:\n\n'],
    ] as const) {
      const { url, methods } = await scriptedServer(t, era, { 'tools/call': ({ send }) => send(200, text, stream) })
      const { call } = upstreamClient(t)
      t.match(await failureOf(call(url)), { kind: 'malformed', unsettled: true })
      t.notOk(methods().includes('GET'))
    }
  })
})

t.test('a server of the HTTP+SSE transport is recognized', async t => {
  const stream = { 'content-type': 'text/event-stream' }
  const endpoint = 'event: endpoint\ndata: /messages?session=1\n\n'
  const open = ({ response }: Scripted) => response.writeHead(200, stream).write(endpoint)
  for (const status of [400, 404, 405]) {
    const refuse = ({ send }: Scripted) => send(status)
    const { url } = await scriptedServer(t, 'legacy', { 'server/discover': refuse, initialize: refuse, GET: open })
    const { call } = upstreamClient(t)
    const failure = await failureOf(call(url))
    t.match(failure, { kind: 'old_transport', message: /older HTTP\+SSE transport/, unsettled: false })
  }
  const any = await scriptedServer(t, 'legacy', { 'server/discover': open, initialize: open, GET: open })
  const { call } = upstreamClient(t)
  t.match(await failureOf(call(any.url)), { kind: 'old_transport' }, 'also if it opens a stream for a POST')
  const other: ((message: Scripted) => unknown)[] = [
    ({ send }) => send(200, '<html>'),
    ({ send }) => send(404),
    ({ send }) => send(200, 'data: {}\n\n', stream),
    ({ response }) => response.socket?.destroy(),
  ]
  for (const GET of other) {
    const refuse = ({ send }: Scripted) => send(404)
    const { url } = await scriptedServer(t, 'legacy', { 'server/discover': refuse, initialize: refuse, GET })
    t.match(await failureOf(upstreamClient(t).call(url)), { kind: 'status', status: 404 })
  }
})

t.test('forgetting a registration ends its sessions with their credential', async t => {
  const ended = Promise.withResolvers<Scripted>()
  let sessions = 0
  const { url, methods } = await scriptedServer(t, 'legacy', {
    initialize: ({ result }) =>
      result({ protocolVersion: '2025-11-25' }, { 'mcp-session-id': `session-${++sessions}` }),
    'tools/call': echo,
    DELETE(message) {
      message.send(200)
      ended.resolve(message)
    },
  })
  const { call, upstreams, target } = upstreamClient(t)
  await call(url, {}, { credential: { key: 'a', headers: { authorization: 'Bearer a' } } })
  upstreams.forget(target(url))
  const { headers } = await ended.promise
  t.match(headers, { authorization: 'Bearer a', 'mcp-session-id': 'session-1', 'content-type': undefined })

  await call(url)
  t.equal(sessions, 2, 'nothing of it is left')
  await upstreams.close()
  t.equal(methods().filter(method => method === 'DELETE').length, 2, 'closing ends those that are left')
})

/** A legacy server whose sessions a test can lose. `refuse` answers requests in a lost session. */
async function sessionServer(t: Test, refuse: (message: Scripted) => void) {
  let sessions = 0
  let current = ''
  const inSession = (answer: (message: Scripted) => void) => (message: Scripted) =>
    message.headers['mcp-session-id'] === current ? answer(message) : refuse(message)
  const scripted = await scriptedServer(t, 'legacy', {
    initialize({ result }) {
      current = `session-${++sessions}`
      result({ protocolVersion: '2025-11-25', capabilities: {} }, { 'mcp-session-id': current })
    },
    'tools/call': inSession(echo),
    'tools/list': inSession(({ result }) => result({ tools: [] })),
    DELETE: ({ send }) => send(200),
  })
  return {
    ...scripted,
    lose() {
      current = ''
    },
  }
}
