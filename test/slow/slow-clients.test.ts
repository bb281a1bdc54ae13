import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { testDataDir } from '../fixtures/database.ts'
import { type RawClient, rawClient } from '../fixtures/raw-client.ts'
import { callOf, type GatewayProcess, startGateway } from './gateway-process.ts'

const SLOW = 500
const ROUNDS = 5
const ROUND_MS = 4_000

async function start(t: Test): Promise<GatewayProcess> {
  const settings = { DATA_DIR: await testDataDir(t), RATE_LIMIT_MAX: '1000000', LOG_LEVEL: 'warn', KEYS: '4' }
  return startGateway(t, settings, 'test/slow/slow-tool-server.ts')
}

/** Resolves when the connection is closed, with the seconds until then and the received text. */
async function untilCut(client: RawClient): Promise<{ seconds: number; received: string }> {
  const started = performance.now()
  const received = await client.closed()
  return { seconds: (performance.now() - started) / 1000, received }
}

t.test(
  'connections with slow headers, slow bodies, unread answers or no requests are closed at their time limit',
  async t => {
    const gateway = await start(t)
    const { headers, body } = callOf(gateway.key ?? '', 'slow__fill', { bytes: 16_000_000 })
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}Content-Length: ${body.length}\r\n\r\n`
    const open = (bytes: string) => rawClient(t, gateway.port, bytes)
    const unread = await open(head + body)
    unread.socket.pause()
    const [silent, halfHead, halfBody, idle] = await Promise.all([
      untilCut(await open('')),
      untilCut(await open(head.slice(0, 40))),
      untilCut(await open(head + body.slice(0, 10))),
      untilCut(await open(`GET /health HTTP/1.1\r\nHost: x\r\n\r\n`)),
      delay(60_000).then(() => unread.socket.resume()),
    ])
    for (const [{ seconds, received }, limit] of [
      [silent, 15],
      [halfHead, 15],
      [halfBody, 30],
    ] as const) {
      t.match(received, /^HTTP\/1\.1 408 /)
      t.ok(seconds >= limit && seconds < limit + 4, `after ${seconds.toFixed(1)} s of ${limit}`)
    }
    t.match(idle.received, /^HTTP\/1\.1 200 /)
    t.ok(idle.seconds >= 72 && idle.seconds < 78, `idle for ${idle.seconds.toFixed(1)} s`)
    t.ok((await unread.closed()).length < 16_000_000, 'the unread answer was dropped within 60 s')
  },
)

t.test(`${SLOW} slow clients at most double the p99 of a normal one`, async t => {
  const gateway = await start(t)
  const [key = '', ...swarmKeys] = gateway.keys
  await latencies(gateway.port, key, ROUND_MS)

  const without: number[] = []
  const together: number[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    without.push(p99(await latencies(gateway.port, key, ROUND_MS)))
    const swarm = await startSwarm(t, gateway.port, swarmKeys)
    together.push(p99(await latencies(gateway.port, key, ROUND_MS)))
    t.equal(swarm.cut(), 0, 'no slow client was cut during the round')
    await swarm.stop()
    await delay(1_000)
  }
  const ratio = Math.min(...together) / Math.min(...without)
  const list = (values: number[]) => values.map(value => value.toFixed(2)).join(', ')
  t.comment(`p99 in ms without slow clients: ${list(without)}; with ${SLOW} of them: ${list(together)}`)
  t.ok(ratio <= 2, `the best of ${ROUNDS} rounds: ${ratio.toFixed(2)} ×`)
})

/** Starts slow clients in a separate process. Resolves when each has begun, because their first answers take CPU time. */
async function startSwarm(t: Test, port: number, keys: readonly string[]) {
  const program = fileURLToPath(new URL('./slow-swarm.ts', import.meta.url))
  const child = fork(program, [String(port), String(SLOW), ...keys])
  t.teardown(() => void child.kill('SIGKILL'))
  let cut = 0
  child.on('message', message => {
    if (message === 'cut') cut++
  })
  while ((await once(child, 'message'))[0] !== 'ready');
  cut = 0 // At the start, the gateway drops some unread answers to make room for others.
  return {
    cut: () => cut,
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

/** Calls a tool again and again on one connection. Returns the milliseconds of each call. */
async function latencies(port: number, key: string, milliseconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { method, headers, body } = callOf(key, 'slow__fill', { bytes: 100 })
  const measured: number[] = []
  for (const until = performance.now() + milliseconds; performance.now() < until; ) {
    const started = performance.now()
    await new Promise<void>((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', path: '/mcp', agent, method, headers }, response => {
        if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`))
        response.resume().on('end', resolve)
      })
      sent.on('error', reject)
      sent.end(body)
    })
    measured.push(performance.now() - started)
  }
  agent.destroy()
  return measured
}

function p99(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN
}
