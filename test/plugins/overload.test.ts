import { mock } from 'node:test'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import errorEnvelope from '../../plugins/error-envelope/plugin.ts'
import overload, { type OverloadOptions } from '../../plugins/overload/plugin.ts'
import { build } from '../fixtures/build.ts'
import { bare } from '../fixtures/fixture.ts'

const SAMPLE_MS = 30

type Sample = Pick<ReturnType<FastifyInstance['memoryUsage']>, 'eventLoopDelay' | 'heapUsed'>

/** The plugin in a scope with one route, beside a probe outside it; and what it logs. */
async function fixture(t: Test, options: OverloadOptions) {
  const lines: string[] = []
  const logger = { level: 'warn', stream: { write: (line: string) => void lines.push(line) } }
  const app = bare(t, { logger })
  app.register(errorEnvelope)
  app.get('/health', async () => ({ status: 'ok' }))
  let measured: Sample | undefined
  app.register(async scope => {
    await scope.register(overload, { sampleMs: SAMPLE_MS, ...options })
    const { memoryUsage } = scope
    scope.memoryUsage = () => ({ ...memoryUsage(), ...measured })
    scope.get('/work', async () => 'done')
  })
  await app.ready()
  /** Replaces what is measured. */
  const measure = (sample: Sample) => {
    measured = sample
  }
  return { app, lines, measure }
}

/** Keeps the event loop busy for turns of so many milliseconds. */
async function blockLoop(turns: number, milliseconds: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    const until = performance.now() + milliseconds
    while (performance.now() < until);
    await nextTurn()
  }
}

async function becomes(app: FastifyInstance, status: number): Promise<boolean> {
  for (let tries = 0; tries < 200; tries++) {
    if ((await app.inject('/work')).statusCode === status) return true
    await delay(SAMPLE_MS)
  }
  return false
}

t.test('a loop that stays blocked refuses callers and not probes, and lets them in again when it is free', async t => {
  const { app, lines } = await fixture(t, { maxLoopDelayMs: 200, maxHeapBytes: Number.POSITIVE_INFINITY })
  t.ok(await becomes(app, 200))
  await blockLoop(4, 300)
  const refused = await app.inject('/work')
  t.equal(refused.statusCode, 503)
  t.match(refused.headers, { 'retry-after': '2' })
  t.match(refused.json(), { error: { type: 'api_error', code: 'overloaded' } })
  t.equal((await app.inject('/health')).statusCode, 200)
  t.match(
    lines.map(line => JSON.parse(line)),
    [{ msg: /overloaded/ }],
    'one line, however many are refused',
  )

  t.ok(await becomes(app, 200))
})

t.test('a loop that was blocked once rejects nobody', async t => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const { app, measure } = await fixture(t, { maxLoopDelayMs: 600, maxHeapBytes: Number.POSITIVE_INFINITY })
  const statusAfter = async (eventLoopDelay: number) => {
    measure({ eventLoopDelay, heapUsed: 1 })
    mock.timers.tick(SAMPLE_MS)
    return (await app.inject('/work')).statusCode
  }
  t.equal(await statusAfter(1), 200)
  t.equal(await statusAfter(4_500), 200)
  t.equal(await statusAfter(4_500), 200, 'the same sample again')
  t.equal(await statusAfter(2), 200)
  t.equal(await statusAfter(4_500), 200)
  t.equal(await statusAfter(4_501), 503)
  t.equal(await statusAfter(1), 200)
})

t.test('a nearly full heap rejects callers until there is room', async t => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const MB = 1024 * 1024
  const maxHeapBytes = process.memoryUsage().heapUsed + 64 * MB
  const { app } = await fixture(t, { maxLoopDelayMs: Number.POSITIVE_INFINITY, maxHeapBytes })
  t.ok(await becomes(app, 200))
  const ballast = [Array.from({ length: 16 * MB }, (_, i) => i)]
  t.ok(await becomes(app, 503))
  t.equal((await app.inject('/health')).statusCode, 200)

  ballast.pop()
  collect()
  t.ok(await becomes(app, 200))
})

t.test('the limits are checked before a credential is read, and by no probe, document or 405', async t => {
  const { app } = await build(t, { overload: { maxHeapBytes: 1, sampleMs: SAMPLE_MS } })
  const post = () => app.inject({ method: 'POST', url: '/mcp' })
  for (let tries = 0; tries < 200 && (await post()).statusCode !== 503; tries++) await delay(SAMPLE_MS)
  t.match((await post()).json(), { error: { code: 'overloaded' } })
  const others = ['/health', '/health?ready', '/version', '/.well-known/oauth-protected-resource/mcp']
  for (const url of others) t.equal((await app.inject(url)).statusCode, 200, url)
  t.equal((await app.inject({ method: 'GET', url: '/mcp' })).statusCode, 405)
})
