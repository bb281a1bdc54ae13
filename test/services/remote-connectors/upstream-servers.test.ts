import { once } from 'node:events'
import t, { type Test } from 'tap'
import { createUpstreams } from '../../../services/remote-connectors/upstream/create-upstreams.ts'
import { UpstreamError, type Upstreams } from '../../../services/remote-connectors/upstream/upstream.ts'
import { silent } from '../../fixtures/database.ts'
import { egressOf } from '../../fixtures/egress-fixture.ts'
import { waitedMs } from '../../fixtures/elapsed.ts'
import { serverInfo } from '../../fixtures/mcp-fixture.ts'
import { rejectionOf } from '../../fixtures/rejection.ts'
import { isClear } from '../../upstreams/clear-error.ts'
import { hostileServer, WAITING_MODES } from '../../upstreams/hostile-server.ts'
import { legacyServer } from '../../upstreams/legacy-server.ts'
import { modernServer } from '../../upstreams/modern-server.ts'
import { comparable, legacyOracle, modernOracle, type Oracle } from '../../upstreams/oracle.ts'
import { everything } from '../../upstreams/real-servers.ts'
import { SPECIMEN_CALLS } from '../../upstreams/specimen-tools.ts'

type ToolCall = (typeof SPECIMEN_CALLS)[number]

const NOBODY = { headers: {}, key: '' }

/** The client for both protocol generations, closed with the test. */
function upstreamsOf(t: Test): Upstreams {
  const upstreams = createUpstreams({ egress: egressOf(t), clock: { now: Date.now }, serverInfo, log: silent })
  t.teardown(() => upstreams.close())
  return upstreams
}

/** The client for one server, without a credential. */
function clientOf(upstreams: Upstreams, url: string, deadlineMs = 20_000) {
  const target = { orgId: 'org_1', id: `rem_${url}`, url }
  const options = (signal = new AbortController().signal) => ({ signal, deadlineMs })
  let schemas: Promise<Map<string, object>> | undefined

  async function listTools(): Promise<unknown[]> {
    return upstreams.listTools(target, NOBODY, options())
  }
  async function schemaOf(name: string): Promise<object> {
    schemas ??= listTools().then(
      tools => new Map((tools as { name: string; inputSchema: object }[]).map(tool => [tool.name, tool.inputSchema])),
    )
    return (await schemas).get(name) ?? {}
  }
  return {
    target,
    options,
    listTools,
    async callTool(call: ToolCall & { inputResponses?: object; requestState?: string }, signal?: AbortSignal) {
      const inputSchema = await schemaOf(call.name)
      const asked = { inputSchema, trace: {}, clientCapabilities: { elicitation: { form: {} } }, ...call }
      return upstreams.callTool(target, NOBODY, asked as never, options(signal))
    },
  }
}

/** Checks that the client gets the same list and the same results as the official client. */
async function seesTheSame(t: Test, url: string, oracle: Oracle, calls: readonly ToolCall[]): Promise<void> {
  const client = clientOf(upstreamsOf(t), url)
  t.same(await client.listTools(), await oracle.listTools(), 'the same tools')
  for (const call of calls)
    t.same(
      comparable(await client.callTool(call)),
      comparable(await oracle.callTool(call)),
      `${call.name} answers the same`,
    )
}

t.test('server-everything returns the same to the gateway and to the official client', async t => {
  const { url } = await everything(t)
  await seesTheSame(t, url, await legacyOracle(t, url), [
    { name: 'echo', arguments: { message: 'ünïcode 🙂' } },
    { name: 'get-sum', arguments: { a: 2, b: 0.5 } },
    { name: 'get-sum', arguments: { a: 'two', b: 3 } },
    { name: 'get-tiny-image', arguments: {} },
    { name: 'get-structured-content', arguments: { location: 'Chicago' } },
    { name: 'get-annotated-message', arguments: { messageType: 'error', includeImage: true } },
    { name: 'get-resource-links', arguments: { count: 3 } },
    { name: 'trigger-long-running-operation', arguments: { duration: 0.1, steps: 4 } },
  ])
})

t.test('a legacy server returns the same to the gateway and to the official client', async t => {
  for (const sessions of [true, false])
    for (const answers of ['json', 'sse'] as const)
      await t.test(`${sessions ? 'with' : 'without'} sessions, answering with ${answers}`, async t => {
        const server = await legacyServer(t, { sessions, answers, pageSize: 5 })
        await seesTheSame(t, server.url, await legacyOracle(t, server.url), SPECIMEN_CALLS)
        t.equal(server.sessions, sessions ? 2 : 0, 'one session of each client')
      })
})

t.test('a server of 2026-07-28 returns the same to the gateway and to the official client', async t => {
  for (const answers of ['json', 'sse'] as const)
    for (const legacy of ['reject', 'stateless'] as const)
      await t.test(`answering with ${answers}, handshakes: ${legacy}`, async t => {
        const server = await modernServer(t, { answers, legacy })
        const oracle = await modernOracle(t, server.url, { mode: { pin: '2026-07-28' } })
        server.requests.length = 0
        await seesTheSame(t, server.url, oracle, SPECIMEN_CALLS)
        const versions = new Set(server.requests.map(({ headers }) => headers['mcp-protocol-version']))
        t.same([...versions], ['2026-07-28'], 'nothing is sent in another protocol generation')
      })
})

t.test('a tool that asks for input is answered in a second round', async t => {
  const { url } = await modernServer(t)
  const { callTool } = clientOf(upstreamsOf(t), url)
  const call = { name: 'ask', arguments: { thing: 'the door' } }
  const asked = await callTool(call)
  t.hasStrict(asked, {
    resultType: 'input_required',
    inputRequests: { color: { method: 'elicitation/create', params: { message: 'Which color has the door?' } } },
    requestState: 'asked about the door',
  })
  const answered = await callTool({
    ...call,
    inputResponses: { color: { action: 'accept', content: { color: 'red' } } },
    requestState: 'asked about the door',
  })
  t.same(comparable(answered), { content: [{ type: 'text', text: 'asked about the door: red' }] })
})

t.test('a lost session is reopened, and the call is executed once', async t => {
  const server = await legacyServer(t)
  const { callTool } = clientOf(upstreamsOf(t), server.url)
  await callTool({ name: 'text', arguments: { text: 'before' } })
  server.loseSessions()
  t.match(await callTool({ name: 'text', arguments: { text: 'after' } }), {
    content: [{ text: 'text {"text":"after"}' }],
  })
  t.same(
    server.tools.calls.map(({ args }) => args.text),
    ['before', 'after'],
  )
  t.equal(server.sessions, 1)
})

t.test('an aborted call ends at the server', async t => {
  await t.test('of 2026-07-28, by disconnecting', async t => {
    const { url, tools } = await modernServer(t)
    const leaving = new AbortController()
    const gone = clientOf(upstreamsOf(t), url).callTool({ name: 'slow', arguments: {} }, leaving.signal)
    const { signal } = await tools.slow()
    leaving.abort()
    await t.rejects(gone, { name: 'UpstreamError', kind: 'aborted' })
    if (!signal.aborted) await once(signal, 'abort')
    t.pass('the server knows')
  })
  await t.test('of the legacy revisions, by a notification', async t => {
    const { url, tools } = await legacyServer(t)
    const leaving = new AbortController()
    const gone = clientOf(upstreamsOf(t), url).callTool({ name: 'slow', arguments: {} }, leaving.signal)
    const { signal } = await tools.slow()
    leaving.abort()
    await t.rejects(gone, { name: 'UpstreamError', kind: 'aborted' })
    if (!signal.aborted) await once(signal, 'abort')
    t.pass('the server knows')
  })
})

t.test('a JSON-RPC error of a tool is reported as the server’s own', async t => {
  const { url } = await legacyServer(t)
  const { callTool } = clientOf(upstreamsOf(t), url)
  await t.rejects(callTool({ name: 'no such tool', arguments: {} }), {
    kind: 'rpc',
    message: /Unknown tool: no such tool/,
  })
})

t.test('a slow server delays a call at most until its deadline', async t => {
  for (const mode of WAITING_MODES)
    await t.test(mode, async t => {
      const server = await hostileServer(t)
      const upstreams = upstreamsOf(t)
      const client = clientOf(upstreams, server.url, 400)
      await client.callTool({ name: 'look', arguments: {} })
      server.mode = mode
      const failures: Awaited<ReturnType<typeof failureOf>>[] = []
      const waited = await waitedMs(async () => {
        failures.push(await failureOf(upstreams.callTool(client.target, NOBODY, LOOK, client.options())))
        failures.push(await failureOf(client.listTools()))
      })
      t.ok(waited < 5000)
      for (const { kind, message } of failures) {
        t.equal(kind, 'timeout')
        isClear(t, message, mode)
      }
      t.equal(server.asked('tools/call'), 1, 'the call was sent once')
    })
})

const LOOK = { name: 'look', arguments: {}, inputSchema: { type: 'object' }, trace: {}, clientCapabilities: {} }

const failureOf = (promise: Promise<unknown>) => rejectionOf(promise, UpstreamError)
