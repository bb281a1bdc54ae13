import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { GatewayError } from '../../lib/errors/errors.ts'
import { type Counters, localCounters } from '../../lib/rate-counters/counters.ts'
import { redisCounters } from '../../lib/rate-counters/redis-counters.ts'
import errorEnvelope from '../../plugins/error-envelope/plugin.ts'
import identity from '../../plugins/identity/plugin.ts'
import origin from '../../plugins/origin/plugin.ts'
import rateLimit from '../../plugins/rate-limit/plugin.ts'
import { waitedMs } from '../fixtures/elapsed.ts'
import { type FaultProxy, faultProxy } from '../fixtures/fault-proxy.ts'
import { bare, keyHolder, known, localhost, session, testClock } from '../fixtures/fixture.ts'
import fc from '../fixtures/property.ts'

const quiet = pino({ level: 'silent' })
const REDIS = process.env.TEST_REDIS_URL
const needsRedis = { skip: REDIS === undefined && 'needs TEST_REDIS_URL' }

/** An app with the limiter, and callers on it who are nobody else's: two keys, and a user with two tokens. */
function fixture(t: Test, counters: Counters, max = 2, names = callers()) {
  const app = bare(t)
  app.register(errorEnvelope)
  app.register(origin, localhost)
  app.register(async scope => {
    scope.register(identity, known(names))
    scope.register(rateLimit, { max, counters })
    scope.register(async routes => {
      routes.get('/connectors', { config: { group: 'connectors' } }, async () => ({}))
      routes.get('/broken', async () => {
        throw new Error('unexpected')
      })
      routes.get('/refused', { config: { group: 'account' } }, async () => {
        throw new GatewayError('invalid_request', 'No.')
      })
      routes.post('/mcp', { config: { group: 'mcp', audience: 'mcp' } }, async () => ({}))
    })
  })
  const as = (credential: string, url = '/connectors') =>
    app.inject({
      method: url === '/mcp' ? 'POST' : 'GET',
      url,
      headers: { authorization: `Bearer ${credential}` },
    })
  return { app, as }
}

function callers(): Required<Parameters<typeof known>[0]> {
  const grace = `usr_${randomUUID().replaceAll('-', '')}`
  const holder = () => keyHolder({ meterKey: randomUUID() })
  return {
    keys: { ada: holder(), bob: holder(), 'grace-key': keyHolder({ userId: grace, meterKey: randomUUID() }) },
    tokens: {
      'grace.browser.a': session({ userId: grace, meterKey: grace }),
      'grace.browser.b': session({ userId: grace, meterKey: grace }),
      'grace.mcp.c': session({ userId: grace, meterKey: grace, via: 'mcp-oauth', clientId: 'editor' }),
    },
  }
}

t.test('a credential has one bucket for all routes, and the headers show how full it is', async t => {
  const clock = testClock()
  const { as } = fixture(t, localCounters(clock))
  const first = await as('ada')
  t.match(first.headers, { 'ratelimit-limit': '2', 'ratelimit-remaining': '1', 'ratelimit-reset': '60' })
  clock.advance(10_000)
  t.equal((await as('ada', '/mcp')).headers['ratelimit-remaining'], '0')

  const refused = await as('ada')
  t.equal(refused.statusCode, 429)
  t.match(refused.headers, { 'retry-after': '50', 'ratelimit-remaining': '0', 'ratelimit-reset': '50' })
  t.match(refused.json(), { error: { type: 'rate_limit_error', code: 'rate_limit_exceeded' }, retry_after: 50 })
  t.match((await as('ada', '/mcp')).json(), { error: { code: 'rate_limit_exceeded' }, retry_after: 50 })

  t.equal((await as('bob')).statusCode, 200, 'another credential has its own')
  clock.advance(50_000)
  t.equal((await as('ada')).statusCode, 200, 'the next window starts afresh')
})

t.test('a user has one bucket for all their sessions and MCP tokens; each of their keys has its own', async t => {
  const { as } = fixture(t, localCounters(testClock()), 3)
  t.equal((await as('grace.browser.a')).headers['ratelimit-remaining'], '2')
  t.equal((await as('grace.browser.b', '/mcp')).headers['ratelimit-remaining'], '1')
  t.equal((await as('grace.mcp.c', '/mcp')).headers['ratelimit-remaining'], '0')
  for (const token of ['grace.browser.a', 'grace.browser.b', 'grace.mcp.c'])
    t.equal((await as(token, '/mcp')).statusCode, 429, token)
  t.equal((await as('grace-key')).headers['ratelimit-remaining'], '2')
})

t.test('errors after the limiter are counted and show how full the bucket is', async t => {
  const { as } = fixture(t, localCounters(testClock()))
  const broken = await as('ada', '/broken')
  t.equal(broken.statusCode, 500)
  t.match(broken.headers, { 'ratelimit-limit': '2', 'ratelimit-remaining': '1', 'ratelimit-reset': '60' })
  const refused = await as('ada', '/refused')
  t.equal(refused.statusCode, 400)
  t.match(refused.headers, { 'ratelimit-limit': '2', 'ratelimit-remaining': '0', 'ratelimit-reset': '60' })
  t.equal((await as('ada', '/refused')).statusCode, 429)
})

t.test('a rejected credential is not counted', async t => {
  const { as } = fixture(t, localCounters(testClock()), 1)
  for (let i = 0; i < 5; i++) {
    const refused = await as('nobody')
    t.equal(refused.statusCode, 401)
    t.equal(refused.headers['ratelimit-limit'], undefined)
  }
  t.equal((await as('ada')).statusCode, 200)
})

t.test('processes count together in Redis', needsRedis, async t => {
  const clock = testClock()
  const [one, two] = [
    redisCounters(REDIS ?? '', { clock, log: quiet }),
    redisCounters(REDIS ?? '', { clock, log: quiet }),
  ]
  t.teardown(() => Promise.all([one.close(), two.close()]))
  await Promise.all([one.ready(), two.ready()])
  const key = randomUUID()
  t.match(await one.increment(key, 60_000), { current: 1 })
  const second = await two.increment(key, 60_000)
  t.equal(second.current, 2)
  t.ok(second.ttl > 0 && second.ttl <= 60_000)
})

t.test('a limit goes on in this process while Redis is down, and nobody is refused for it', async t => {
  const warnings: string[] = []
  const log = pino({ level: 'warn' }, { write: line => void warnings.push(line) })
  const counters = redisCounters('redis://127.0.0.1:1', { clock: testClock(), log })
  t.teardown(() => counters.close())
  const { as } = fixture(t, counters)
  t.same([(await as('ada')).statusCode, (await as('ada')).statusCode, (await as('ada')).statusCode], [200, 200, 429])
  t.equal(warnings.length, 1, 'said once')
})

/** Counters on Redis through a proxy that has its faults, and what they wrote to the log. */
async function onFaultyRedis(t: Test) {
  const proxy = await faultProxy(t, REDIS ?? '')
  const lines: string[] = []
  const log = pino({ level: 'info', base: null, timestamp: false }, { write: line => void lines.push(line) })
  const clock = testClock()
  const counters = redisCounters(proxy.url, { clock, log })
  t.teardown(() => counters.close())
  await counters.ready()
  const direct = new Redis(REDIS ?? '')
  t.teardown(() => direct.disconnect())
  const key = randomUUID()
  const count = async () => (await counters.increment(key, 60_000)).current
  /** Counts until it is done in Redis again, which is asked once a second of the test's clock. */
  const untilShared = async () => {
    for (;;) {
      clock.advance(1_000)
      const current = await count()
      if (lines.some(line => line.includes('answers again'))) return current
      await delay(50)
    }
  }
  return { proxy, counters, direct, key, count, clock, lines, untilShared }
}

for (const [fault, happens] of Object.entries({
  stopped: proxy => proxy.down(),
  frozen: proxy => proxy.blackhole(),
  slow: proxy => proxy.latency(400),
} satisfies Record<string, (proxy: FaultProxy) => unknown>)) {
  t.test(
    `Redis ${fault}: a limit goes on from where it was, without waiting, and is shared again after`,
    needsRedis,
    async t => {
      const { proxy, direct, key, count, clock, lines, untilShared } = await onFaultyRedis(t)
      t.same([await count(), await count()], [1, 2])
      await happens(proxy)

      t.ok((await waitedMs(async () => t.equal(await count(), 3))) < 400, 'one time-out at most')
      t.ok((await waitedMs(async () => t.equal(await count(), 4))) < 50, 'and then none')

      // A second later one request asks again, and those beside it do not wait for its answer.
      clock.advance(1_000)
      const asking = count()
      t.ok((await waitedMs(async () => t.equal(await count(), 5))) < 50)
      t.equal(await asking, 6)

      await proxy.heal()
      const current = await untilShared()
      t.ok(current >= 7, 'what was counted meanwhile is in it')
      t.equal(Number(await direct.get(`cgw:rate:${key}`)), current)
      const ttl = await direct.pttl(`cgw:rate:${key}`)
      t.ok(ttl > 0 && ttl <= 60_000)
      t.same(
        lines.map(line => JSON.parse(line).msg),
        [
          'Redis does not answer: each process counts its own rate limits. Check REDIS_URL and that Redis is running',
          'Redis answers again: processes share rate limits',
        ],
      )
    },
  )
}

t.test('a limited caller stays limited when Redis goes down, until their window ends', needsRedis, async t => {
  const { proxy, counters, clock } = await onFaultyRedis(t)
  const { as } = fixture(t, counters)
  for (const status of [200, 200, 429]) t.equal((await as('ada')).statusCode, status)
  await proxy.down()
  for (let i = 0; i < 3; i++) {
    clock.advance(1_000)
    t.equal((await as('ada')).statusCode, 429)
  }
  t.equal((await as('bob')).statusCode, 200)
  clock.advance(57_000)
  t.equal((await as('ada')).statusCode, 200)
})

t.test('a counter that Redis lost continues with the processes’ counts, to its original end', needsRedis, async t => {
  const { counters, direct, key, count } = await onFaultyRedis(t)
  const other = redisCounters(REDIS ?? '', { clock: testClock(), log: quiet })
  t.teardown(() => other.close())
  await other.ready()
  const counter = `cgw:rate:${key}`
  t.equal(await count(), 1)
  for (let i = 2; i <= 10; i++) await other.increment(key, 60_000)
  await direct.pexpire(counter, 30_000)
  t.match(await other.increment(key, 60_000), { current: 11 })

  // As after a flush, an eviction or a fail-over. This process has seen 1, the other one 11.
  await direct.del(counter)
  t.equal(await count(), 2)
  const { current, ttl } = await other.increment(key, 60_000)
  t.equal(current, 12)
  t.ok(ttl <= 30_000, 'the window is not a new one')
  t.equal(await count(), 13)

  await direct.persist(counter)
  const mended = await counters.increment(key, 60_000)
  t.equal(mended.current, 14)
  t.ok(mended.ttl > 0 && mended.ttl <= 60_000 && (await direct.pttl(counter)) > 0, 'a counter always has an end')
})

t.test('a Redis window begins with the first request after the end of the previous one', needsRedis, async t => {
  const { direct, key, count, clock } = await onFaultyRedis(t)
  for (const current of [1, 2, 3]) t.equal(await count(), current)
  // The end of the window, by both clocks.
  await direct.pexpire(`cgw:rate:${key}`, 1)
  while ((await direct.exists(`cgw:rate:${key}`)) === 1) await delay(1)
  clock.advance(60_000)
  t.equal(await count(), 1)
})

t.test('two apps on one Redis share each caller’s limit', needsRedis, async t => {
  const names = callers()
  const [one, two] = [fixture, fixture].map(start => {
    const counters = redisCounters(REDIS ?? '', { clock: testClock(), log: quiet })
    t.teardown(() => counters.close())
    return { ready: counters.ready(), ...start(t, counters, 4, names) }
  })
  await Promise.all([one?.ready, two?.ready])
  const seen = [
    await one?.as('grace.browser.a'),
    await two?.as('grace.mcp.c', '/mcp'),
    await two?.as('grace.browser.b'),
    await one?.as('grace.browser.b'),
  ]
  t.same(
    seen.map(answer => answer?.headers['ratelimit-remaining']),
    ['3', '2', '1', '0'],
  )
  t.equal((await one?.as('grace.mcp.c', '/mcp'))?.statusCode, 429)
  t.equal((await two?.as('grace.browser.a'))?.statusCode, 429)
  t.equal((await two?.as('grace-key'))?.statusCode, 200)
})

/** A request of a caller, or the clock moving (by hand, also back). */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('ada', 'bob') },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 1_500 }) },
  { weight: 1, arbitrary: fc.constantFrom(-10_000, -1, 1, 999, 1_000, 1_001) },
)

t.test('a window begins with a request, has an exact length, and counts its requests', async () => {
  const windowMs = 1_000
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), steps => {
      const clock = testClock(1_000_000)
      const counters = localCounters(clock)
      const windows = new Map<string, { from: number; sent: number }>()
      for (const step of steps) {
        if (typeof step === 'number') {
          clock.advance(step)
          continue
        }
        const now = clock.now()
        let window = windows.get(step)
        // Ended, or begun in a future that the clock was set back from.
        if (window === undefined || now >= window.from + windowMs || now < window.from) window = { from: now, sent: 0 }
        windows.set(step, window)
        window.sent++
        const { current, ttl } = counters.increment(step, windowMs)
        if (current !== window.sent) throw new Error(`${current} counted, ${window.sent} sent`)
        if (ttl !== window.from + windowMs - now || ttl <= 0 || ttl > windowMs) throw new Error(`ttl ${ttl}`)
        const read = counters.read(step, windowMs)
        if (read?.current !== current || read.ttl !== ttl) throw new Error('reading counts, or reads another window')
      }
    }),
    { numRuns: 100 },
  )
})

t.test('rate-limit does not load without identity', async t => {
  const app = bare(t)
  app.register(rateLimit, { max: 1, counters: localCounters(testClock()) })
  await t.rejects(async () => app.ready(), { code: 'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED' })
})
