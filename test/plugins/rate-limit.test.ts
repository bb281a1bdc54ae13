import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import t from 'tap'
import errorEnvelope from '../../plugins/error-envelope/plugin.ts'
import identity from '../../plugins/identity/plugin.ts'
import origin from '../../plugins/origin/plugin.ts'
import { type Counters, localCounters } from '../../plugins/rate-limit/counters.ts'
import rateLimit from '../../plugins/rate-limit/plugin.ts'
import { redisCounters } from '../../plugins/rate-limit/redis-counters.ts'
import { bare, keyHolder, known, localhost, testClock } from '../stage.ts'

const quiet = pino({ level: 'silent' })
const REDIS = process.env.TEST_REDIS_URL

function stage(t: Parameters<typeof bare>[0], counters: Counters, max = 2) {
  const app = bare(t)
  app.register(errorEnvelope)
  app.register(origin, localhost)
  app.register(async scope => {
    scope.register(
      identity,
      known({ keys: { ada: keyHolder({ meterKey: randomUUID() }), bob: keyHolder({ meterKey: randomUUID() }) } }),
    )
    scope.register(rateLimit, { max, counters })
    scope.register(async routes => {
      routes.get('/connectors', { config: { group: 'connectors' } }, async () => ({}))
      routes.post('/mcp', { config: { group: 'mcp' } }, async () => ({}))
    })
  })
  const as = (key: string, url = '/connectors') =>
    app.inject({ method: url === '/mcp' ? 'POST' : 'GET', url, headers: { 'x-api-key': key } })
  return { app, as }
}

t.test('a credential has one bucket over all routes, and is told how full it is', async t => {
  const clock = testClock()
  const { as } = stage(t, localCounters(clock))
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

t.test('a refused credential is not counted', async t => {
  const { as } = stage(t, localCounters(testClock()), 1)
  for (let i = 0; i < 5; i++) t.equal((await as('nobody')).statusCode, 401)
  t.equal((await as('ada')).statusCode, 200)
})

t.test('processes count together in Redis', { skip: REDIS === undefined && 'needs TEST_REDIS_URL' }, async t => {
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
  const { as } = stage(t, counters)
  t.same([(await as('ada')).statusCode, (await as('ada')).statusCode, (await as('ada')).statusCode], [200, 200, 429])
  t.equal(warnings.length, 1, 'said once')
})

t.test('rate-limit does not load without identity', async t => {
  const app = bare(t)
  app.register(rateLimit, { max: 1, counters: localCounters(testClock()) })
  await t.rejects(async () => app.ready(), { code: 'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED' })
})
