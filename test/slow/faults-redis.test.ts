import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { build } from '../fixtures/build.ts'
import { testDatabase } from '../fixtures/database.ts'
import { faultProxy } from '../fixtures/fault-proxy.ts'
import { freePort } from '../fixtures/free-port.ts'
import { testSettings } from '../fixtures/settings.ts'
import { eventually } from '../fixtures/until.ts'

const redisUrl = process.env.TEST_REDIS_URL ?? ''
const needsRedis = { skip: redisUrl === '' && 'needs TEST_REDIS_URL' }
const LIMIT = 1_000

/** Two apps on one database and one Redis, and an unused key. */
async function twoApps(t: Test, url: string) {
  const database = await testDatabase(t)
  const settings = testSettings({ redisUrl: url, rateLimitMax: LIMIT })
  const apps = [await build(t, { shared: database, settings }), await build(t, { shared: database, settings })] as const
  const { key } = await (await (await apps[0].directory.org()).member()).key()

  /** Sends one request to one of the apps. Returns its status, the caller's remaining requests, and the duration. */
  async function ask(index: 0 | 1) {
    const started = performance.now()
    const response = await apps[index].app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', 'x-api-key': key },
      payload: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    })
    return {
      status: response.statusCode,
      left: Number(response.headers['ratelimit-remaining']),
      ms: performance.now() - started,
    }
  }
  const advance = (milliseconds: number) => {
    for (const { clock } of apps) clock.advance(milliseconds)
  }
  /** Resolves when each app sees the counts of the other. */
  const countTogether = () =>
    eventually(async () => {
      // The interval between attempts to reach Redis.
      advance(1_000)
      const [one, two, three] = [await ask(0), await ask(1), await ask(0)]
      if (two.left !== one.left - 1 || three.left !== two.left - 1) throw new Error('each app counts for itself')
    })
  await countTogether()
  return { ask, advance, countTogether }
}

/** Starts the test's own redis-server, which can be stopped. */
async function ownRedis(t: Test) {
  const port = await freePort()
  const server = spawn(
    'redis-server',
    ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    {
      stdio: 'ignore',
    },
  )
  t.teardown(async () => {
    const gone = once(server, 'exit')
    server.kill('SIGKILL')
    await gone
  })
  return { url: `redis://127.0.0.1:${port}`, signal: (name: NodeJS.Signals) => server.kill(name) }
}

function withoutOwnRedis(): string | false {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return false
  } catch {
    return 'needs the program redis-server'
  }
}

t.test(
  'Redis is down: no request is refused because of it, and each process counts for itself',
  needsRedis,
  async t => {
    const proxy = await faultProxy(t, redisUrl)
    const { ask } = await twoApps(t, proxy.url)
    await proxy.down()
    const [one, two] = [await ask(0), await ask(1)]
    t.match([one, two], [{ status: 200 }, { status: 200 }])
    t.equal((await ask(0)).left, one.left - 1, 'the first app keeps counting')
    t.equal((await ask(1)).left, two.left - 1, 'the second app keeps counting')
    for (let i = 0; i < LIMIT; i++) await ask(0)
    t.equal((await ask(0)).status, 429)
    t.equal((await ask(1)).status, 200)
  },
)

t.test(
  'Redis is slow or frozen: at most 250 ms on one request per second, then the same as down',
  needsRedis,
  async t => {
    for (const how of ['slow', 'frozen']) {
      const proxy = await faultProxy(t, redisUrl)
      const { ask, advance } = await twoApps(t, proxy.url)
      if (how === 'slow') proxy.latency(500)
      else proxy.blackhole()
      const first = await ask(0)
      t.equal(first.status, 200, how)
      t.ok(first.ms < 400, `${Math.round(first.ms)} ms`)

      for (let second = 0; second < 3; second++) {
        const together = await Promise.all(Array.from({ length: 5 }, () => ask(0)))
        t.ok(
          together.every(({ ms }) => ms < 100),
          'no other request of the same second waits',
        )
        advance(1_000)
        const waits = (await Promise.all(Array.from({ length: 5 }, () => ask(0)))).map(({ ms }) => ms)
        t.comment(
          `${how}: of 5 at the next second ${waits.filter(ms => ms > 100).length} waited, ${Math.round(Math.max(...waits))} ms`,
        )
        t.ok(waits.filter(ms => ms > 100).length <= 1, 'at most one request of the next second waits')
        t.ok(Math.max(...waits) < 400)
      }
      await proxy.heal()
      proxy.reset()
    }
  },
)

t.test('Redis is back: the processes count together again, after each kind of fault', needsRedis, async t => {
  const faults: Record<string, (proxy: Awaited<ReturnType<typeof faultProxy>>) => Promise<void> | void> = {
    down: proxy => proxy.down(),
    reset: proxy => proxy.reset(),
    'in a black hole': proxy => proxy.blackhole(),
    slow: proxy => proxy.latency(500),
    sliced: proxy => proxy.slice(3, 1),
  }
  const proxy = await faultProxy(t, redisUrl)
  const { ask, countTogether, advance } = await twoApps(t, proxy.url)
  for (const [name, fault] of Object.entries(faults)) {
    // Each fault gets its own window, so that the limit is not reached.
    advance(61_000)
    await fault(proxy)
    t.equal((await ask(0)).status, 200, name)
    await delay(500)
    await proxy.heal()
    const back = performance.now()
    await countTogether()
    t.comment(`${name}: together again after ${Math.round(performance.now() - back)} ms`)
    t.ok(performance.now() - back < 10_000)
  }
})

t.test('Redis is back: also after a SIGSTOP, which kept its connections open', { skip: withoutOwnRedis() }, async t => {
  const redis = await ownRedis(t)
  const { ask, countTogether, advance } = await twoApps(t, redis.url)
  redis.signal('SIGSTOP')
  for (let i = 0; i < 3; i++) {
    const { status, ms } = await ask(0)
    t.equal(status, 200)
    t.ok(ms < 400)
    advance(1_000)
    await delay(700)
  }
  redis.signal('SIGCONT')
  const back = performance.now()
  await countTogether()
  t.ok(performance.now() - back < 5_000)
})
