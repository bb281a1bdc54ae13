import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { testDataDir } from '../fixtures/database.ts'
import { rawClient } from '../fixtures/raw-client.ts'
import { callOf, type GatewayProcess, startGateway } from './gateway-process.ts'

const CALLS = 20
const CALL_MS = 3_000

/** Starts a gateway with slow tools. */
async function start(t: Test, settings: Record<string, string> = {}) {
  const DATA_DIR = await testDataDir(t)
  const gateway = await startGateway(t, { DATA_DIR, ...settings }, 'test/slow/slow-tool-server.ts')
  return Object.assign(gateway, {
    /** Calls a tool; resolves with the answer's status, its Connection header and its text. */
    async ask(tool: string, args: object) {
      const response = await fetch(`${gateway.url}/mcp`, callOf(gateway.key ?? '', tool, args))
      return { status: response.status, connection: response.headers.get('connection'), text: await response.text() }
    },
  })
}

async function health(gateway: GatewayProcess, query = ''): Promise<number> {
  const response = await fetch(`${gateway.url}/health${query}`)
  await response.arrayBuffer()
  return response.status
}

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  t.test(`a ${signal} during ${CALLS} calls of ${CALL_MS} ms: all are answered, and the exit code is 0`, async t => {
    const gateway = await start(t)
    let answered = 0
    const begun = performance.now()
    const calls = Array.from({ length: CALLS }, () =>
      gateway.ask('slow__wait', { ms: CALL_MS }).finally(() => answered++),
    )
    await delay(CALL_MS / 3)
    t.equal(answered, 0)

    const stopping = gateway.stop(signal)
    for (const { status, text } of await Promise.all(calls)) {
      t.equal(status, 200)
      t.match(text, `took ${CALL_MS} ms`)
    }
    const late = performance.now() - begun - CALL_MS
    const { code, ms } = await stopping
    t.equal(code, 0)
    // A busy machine delays the calls and the exit alike.
    t.ok(ms < CALL_MS + late, `exited ${Math.round(ms)} ms after the signal`)
    await t.rejects(health(gateway), 'the port is closed')
  })

t.test(
  'during the drain delay the gateway is not ready, still serves, and closes each connection after its answer',
  async t => {
    const gateway = await start(t, { DRAIN_DELAY_SECONDS: '3' })
    const before = await gateway.ask('slow__wait', { ms: 0 })
    t.equal(before.connection, 'keep-alive')
    const inFlight = gateway.ask('slow__wait', { ms: 15_000 })
    await delay(500)
    const stopping = gateway.stop('SIGTERM')
    await delay(500)
    t.equal(await health(gateway), 200, 'alive')
    const ready = await fetch(`${gateway.url}/health?ready`)
    t.equal(ready.status, 503, 'not ready')
    t.match(await ready.json(), { error: { code: 'not_ready' }, checks: { database: 'ok', draining: true } })
    t.match(await gateway.ask('slow__wait', { ms: 0 }), { status: 200, connection: 'close', text: 'took 0 ms' })

    t.match(await inFlight, { status: 200, connection: 'close', text: 'took 15000 ms' })
    const { code, ms } = await stopping
    t.equal(code, 0)
    t.ok(ms > 3_000 && ms < 16_000, `exited ${Math.round(ms)} ms after the signal`)
  },
)

t.test('clients that send nothing, send half a request or do not read delay a stop only by seconds', async t => {
  const gateway = await start(t)
  const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\nx-api-key: ${gateway.key}\r\n`
  const half = `${head}accept: application/json, text/event-stream\r\ncontent-type: application/json\r\nContent-Length: 900\r\n\r\n{`
  const clients = await Promise.all(['', 'GET / HT', half].map(bytes => rawClient(t, gateway.port, bytes)))
  const call = callOf(gateway.key ?? '', 'slow__fill', { bytes: 8_000_000 }).body
  const unread = await rawClient(t, gateway.port, `${half.replace('900', String(call.length)).slice(0, -1)}${call}`)
  unread.socket.pause()
  await delay(1_000)
  const { code, ms } = await gateway.stop('SIGTERM')
  t.equal(code, 0)
  t.ok(ms < 13_000, `exited ${Math.round(ms)} ms after the signal`)
  for (const client of clients) await client.closed()
})

t.test('a second signal ends the gateway at once', async t => {
  const gateway = await start(t)
  const call = gateway.ask('slow__wait', { ms: 10_000 })
  const failed = t.rejects(call, 'the call gets no answer')
  await delay(500)
  const stopping = gateway.stop('SIGTERM')
  await delay(500)
  process.kill(gateway.pid, 'SIGTERM')
  const { code, ms } = await stopping
  t.equal(code, 1)
  t.ok(ms < 2_000, `exited ${Math.round(ms)} ms after the first signal`)
  await failed
})

t.test('the gateway exits 30 s after the signal, even if a call is still running', async t => {
  const gateway = await start(t, { DRAIN_DELAY_SECONDS: '5' })
  const stopping = gateway.stop('SIGTERM')
  await delay(3_000)
  const failed = t.rejects(gateway.ask('slow__wait', { ms: 29_900 }), 'the call gets no answer')
  const { code, ms } = await stopping
  t.equal(code, 1)
  t.ok(ms > 29_000 && ms < 31_500, `exited ${Math.round(ms)} ms after the signal`)
  await failed
  t.match(gateway.output(), 'killed by timeout', 'the log says so')
})

t.test('the gateway is overloaded: it rejects callers, answers probes, and recovers', async t => {
  const gateway = await start(t, { SHED_LOAD: 'true' })
  const blocked = Promise.all(Array.from({ length: 12 }, () => gateway.ask('slow__block', { ms: 700 })))
  let refused: Response | undefined
  for (const until = performance.now() + 20_000; refused === undefined && performance.now() < until; ) {
    const response = await fetch(`${gateway.url}/mcp`, callOf(gateway.key ?? '', 'slow__block', { ms: 700 }))
    if (response.status === 503) refused = response
  }
  t.match(refused?.headers.get('retry-after'), '2')
  t.match(await refused?.json(), { error: { type: 'api_error', code: 'overloaded' } })
  t.equal(await health(gateway), 200)
  await blocked

  await delay(3_000)
  t.equal((await gateway.ask('slow__wait', { ms: 0 })).status, 200)
  t.equal((await gateway.stop('SIGTERM')).code, 0)
})
