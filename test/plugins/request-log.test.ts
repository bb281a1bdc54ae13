import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { buildApp } from '../../app.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import errorEnvelope from '../../plugins/error-envelope/plugin.ts'
import requestLog, { traceOf, writeRequestLine } from '../../plugins/request-log/plugin.ts'
import { createServices } from '../../services/create-services.ts'
import { defineTool } from '../../services/definitions/define-tool.ts'
import { mintApiKey } from '../../services/identity/key-format.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { CATALOG } from '../../tools/catalog.ts'
import { testDatabase } from '../fixtures/database.ts'
import { directory } from '../fixtures/directory.ts'
import { bare, scrub, session } from '../fixtures/fixture.ts'
import { modern } from '../fixtures/mcp-fixture.ts'
import { memoryLog } from '../fixtures/memory-log.ts'
import { NO_LOAD_SHEDDING } from '../fixtures/no-load-shedding.ts'
import { testSettings } from '../fixtures/settings.ts'

type Line = Record<string, unknown> & { msg: string }

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

/** A tool that does as the test says. */
function tool(name: `${string}__${string}`, run: (signal: AbortSignal) => Promise<{ content: []; isError?: true }>) {
  const input = Type.Object({ count: Type.Optional(Type.Integer()) }, { additionalProperties: false })
  return defineTool({ name, title: name, description: name, annotations, input, run: (_, { signal }) => run(signal) })
}

interface Served extends Partial<Settings> {
  instrument?: (app: FastifyInstance) => void
}

/** The app as it is served, and the request lines it has written. */
async function served(t: Test, families: ReturnType<typeof tool>[] = [], { instrument, ...settings }: Served = {}) {
  const { log, lines } = memoryLog({ level: 'info' })
  const jwts = {
    cached: () => undefined,
    async verify(token: string) {
      if (token !== 'ada.ada.ada') throw new GatewayError('invalid_jwt', 'This token is not known here.')
      return session({ userId: ada.userId, via: 'mcp-oauth', clientId: `https://client.test/${'x'.repeat(300)}` })
    },
  }
  const database = await testDatabase(t)
  const services = await createServices(testSettings(settings), { ...CATALOG, log, scrub, database, families, jwts })
  const app = buildApp(services, {
    logger: log,
    overload: NO_LOAD_SHEDDING,
    ...(instrument !== undefined && { instrument }),
  })
  t.teardown(async () => {
    await app.close()
    await services.close()
  })
  const ada = await (await directory(services).org()).member('owner')
  const { id: keyId, key } = await ada.key()
  const requests = () => lines.map(line => JSON.parse(line) as Line).filter(({ msg }) => msg === 'request')
  const errors = () => lines.filter(line => (JSON.parse(line) as { level: number }).level >= 50)
  return { app, ada, key, keyId, requests, errors, services }
}

/** Sends one message to POST /mcp; answers the line of it. */
async function rpc(
  { app, requests }: { app: FastifyInstance; requests(): Line[] },
  headers: Record<string, string>,
  message: unknown,
) {
  const before = requests().length
  await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
    payload: typeof message === 'string' ? message : JSON.stringify(message),
  })
  const lines = requests().slice(before)
  t.equal(lines.length, 1, 'one line a request')
  return lines[0]
}

const request = (method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id: 'a","error":{"code":-1',
  method,
  params,
})
const call = (name: string, args: object = {}) => request('tools/call', { name, arguments: args })

t.test('a response has the request ID, and the request has one log line without its query and path', async t => {
  const { log, lines } = memoryLog({ level: 'info' })
  const app = bare(t, { loggerInstance: log, genReqId: () => 'request-1' })
  app.register(errorEnvelope)
  app.register(requestLog)
  app.register(async scope => scope.get('/items/:id', async () => ({})))
  const headers = { 'x-api-key': mintApiKey('development') }
  const response = await app.inject({ url: '/items/7?secret=1', headers })
  t.equal(response.headers['x-request-id'], 'request-1')
  t.equal(lines.length, 1)
  const { level, time, ms, reqId, ...line } = JSON.parse(lines.join(''))
  t.match({ level, time, ms, reqId }, { level: 30, time: Number, ms: Number, reqId: 'request-1' })
  t.same(line, { id: 'request-1', method: 'GET', route: '/items/:id', status: 200, outcome: 'ok', msg: 'request' })
  await app.inject('/nowhere?secret=1')
  t.match(JSON.parse(lines[1] ?? ''), { route: null, status: 404, outcome: 'endpoint_not_found' })
  t.notMatch(lines.join(''), /secret|nowhere|items\/7/)
})

t.test('a request has one log line, whatever events report its end', async t => {
  const { log, lines } = memoryLog({ level: 'info' })
  const app = bare(t, { loggerInstance: log })
  app.register(errorEnvelope)
  app.register(requestLog)
  app.register(async scope =>
    scope.get('/', async (request, reply) => {
      writeRequestLine(request, reply, 'first')
      writeRequestLine(request, reply, 'disconnected')
      return {}
    }),
  )
  t.equal((await app.inject('/')).statusCode, 200)
  t.match(
    lines.map(line => JSON.parse(line)),
    [{ msg: 'request', outcome: 'first' }],
  )
  t.equal(lines.length, 1)
})

t.test('request-log does not load without the error envelope, whose codes it writes', async t => {
  const app = bare(t)
  app.register(requestLog)
  await t.rejects(async () => app.ready(), { code: 'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED' })
})

t.test('the line names the caller, and the tool with its outcome', async t => {
  const families = [
    tool('test__fine', async () => ({ content: [] })),
    tool('test__refuses', async () => ({ content: [], isError: true })),
    tool('test__breaks', async () => Promise.reject(new Error('boom'))),
  ]
  const fixture = await served(t, families)
  const { ada, key, keyId } = fixture
  const mine = { via: 'api-key', user: ada.userId, key: keyId, org: ada.orgId }
  const byKey = (message: unknown) => rpc(fixture, { 'x-api-key': key }, message)

  t.match(await byKey(call('test__fine')), { ...mine, tool: 'test__fine', outcome: 'ok', status: 200, route: '/mcp' })
  t.match(await byKey(call('test__fine', { count: 'x' })), { tool: 'test__fine', outcome: 'invalid_request' })
  t.match(await byKey(call('test__refuses')), { tool: 'test__refuses', outcome: 'error' })
  t.match(await byKey(call('test__breaks')), { tool: 'test__breaks', outcome: 'internal_error' })
  const unknown = await byKey(call('hunter2'))
  t.match(unknown, { outcome: 'not_found' })
  t.equal(unknown?.tool, undefined, 'a name that is no tool’s could be anything')

  const agent = await ada.agent()
  const agents = await ada.key({ agentId: agent.id })
  t.match(await rpc(fixture, { 'x-api-key': agents.key }, request('tools/list')), { key: agents.id, agent: agent.id })

  const byUser = await rpc(fixture, { authorization: 'Bearer ada.ada.ada' }, request('tools/list'))
  t.match(byUser, { via: 'mcp-oauth', user: ada.userId, org: ada.orgId, outcome: 'ok' })
  t.equal(byUser?.key, undefined)
  t.equal(String(byUser?.client).length, 128, 'of a client id no more than names it')
})

t.test('the outcome of a rejected request is its error code or a fixed word', async t => {
  const fixture = await served(t, [], { rateLimitMax: 8 })
  const key = { 'x-api-key': fixture.key }
  const refused: [headers: Record<string, string>, message: unknown, outcome: string][] = [
    [{}, request('ping'), 'missing_authorization'],
    [{ 'x-api-key': 'x' }, request('ping'), 'invalid_api_key'],
    [{ authorization: 'Bearer a.b.c' }, request('ping'), 'invalid_jwt'],
    [{ ...key, host: 'evil.test' }, request('ping'), 'host_not_allowed'],
    [key, '{', 'unparsable_body'],
    [key, '[]', 'batch_not_supported'],
    [{ ...key, accept: 'text/html' }, request('ping'), 'not_acceptable'],
    [key, request('nothing'), 'method_not_found'],
    [key, request('tools/call'), 'invalid_params'],
    [{ ...key, 'mcp-protocol-version': '1999-01-01' }, request('ping'), 'unsupported_version'],
    [
      { ...key, ...modern('tools/list').headers, 'mcp-method': 'ping' },
      modern('tools/list').message,
      'header_mismatch',
    ],
    [key, { jsonrpc: '2.0', method: 'notifications/initialized' }, 'ok'],
    [key, request('ping'), 'rate_limit_exceeded'],
  ]
  for (const [headers, message, outcome] of refused)
    t.match(await rpc(fixture, headers, message), { outcome, route: '/mcp', method: 'POST' }, outcome)

  const rest: [url: string, method: 'GET' | 'POST', outcome: string, status: number][] = [
    ['/mcp', 'GET', 'method_not_allowed', 405],
    ['/%E0%A4%A', 'GET', 'malformed_path', 400],
    ['/health', 'GET', 'ok', 200],
  ]
  for (const [url, method, outcome, status] of rest) {
    const before = fixture.requests().length
    const response = await fixture.app.inject({ url, method })
    t.match(fixture.requests().slice(before), [{ outcome, status, id: String(response.headers['x-request-id']) }], url)
  }
})

t.test('a valid trace context is read from _meta or the header', async t => {
  const fixture = await served(t)
  const headers = { 'x-api-key': fixture.key }
  const other = trace.replace('0af7', '1bf7')
  t.match(await rpc(fixture, { ...headers, traceparent: trace }, request('ping')), { trace })
  const inMeta = request('ping', { _meta: { traceparent: other } })
  t.match(await rpc(fixture, { ...headers, traceparent: trace }, inMeta), { trace: other })
  t.equal((await rpc(fixture, { ...headers, traceparent: 'hunter2' }, request('ping')))?.trace, undefined)
  for (const no of [
    trace.toUpperCase(),
    `${trace}-00`,
    trace.replace('00-', 'ff-'),
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    7,
    undefined,
  ])
    t.equal(traceOf(no, null), undefined, String(no))
})

t.test('a client that disconnects has a log line, whenever it does', async t => {
  let started = () => {}
  const aborted = Promise.withResolvers<void>()
  const waits = tool('test__waits', async signal => {
    started()
    await once(signal, 'abort')
    aborted.resolve()
    return { content: [] }
  })
  let reading = () => {}
  const fixture = await served(t, [waits], {
    instrument: app =>
      app.addHook('preParsing', async () => {
        reading()
      }),
  })
  await fixture.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = fixture.app.server.address() as AddressInfo
  const body = JSON.stringify(call('test__waits'))
  const head = (length: number) =>
    [
      'POST /mcp HTTP/1.1',
      `host: 127.0.0.1:${port}`,
      `x-api-key: ${fixture.key}`,
      'accept: application/json, text/event-stream',
      'content-type: application/json',
      `content-length: ${length}`,
      '\r\n',
    ].join('\r\n')

  /** Sends a request over a socket of its own; `line` waits for the end of both and answers what was written of it. */
  async function begin(bytes: string) {
    const before = fixture.requests().length
    const socket = connect(port, '127.0.0.1')
    const requested = once(fixture.app.server, 'request')
    socket.write(bytes)
    const [, response] = (await requested) as [IncomingMessage, ServerResponse]
    const closed = once(response, 'close')
    async function line(): Promise<Line | undefined> {
      await closed
      t.equal(fixture.requests().length, before + 1, 'one line')
      return fixture.requests()[before]
    }
    return { socket, line }
  }

  await t.test('while its tool ran', async t => {
    const running = new Promise<void>(resolve => {
      started = resolve
    })
    const { socket, line } = await begin(head(body.length) + body)
    await running
    socket.destroy()
    await aborted.promise
    t.match(await line(), {
      outcome: 'disconnected',
      status: null,
      tool: 'test__waits',
      org: fixture.ada.orgId,
    })
  })

  await t.test('while it sent its body', async t => {
    const begun = new Promise<void>(resolve => {
      reading = resolve
    })
    const { socket, line } = await begin(head(1_000) + body)
    await begun
    socket.destroy()
    t.match(await line(), { outcome: 'disconnected', status: null, route: '/mcp', user: fixture.ada.userId })
    t.same(fixture.errors(), [], 'and it is nobody’s failure')
  })

  await t.test('but not after its answer', async t => {
    const ping = JSON.stringify(request('ping'))
    const { socket, line } = await begin(head(ping.length) + ping)
    await once(socket, 'data')
    socket.destroy()
    t.match(await line(), { outcome: 'ok', status: 200 })
  })
})
