import t, { type Test } from 'tap'
import { build } from '../fixtures/build.ts'
import { faultProxy } from '../fixtures/fault-proxy.ts'
import { testIssuer } from '../fixtures/test-issuer.ts'

const REQUEST = {
  method: 'POST',
  url: '/mcp',
  payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'manage__whoami', arguments: {} } },
} as const
const ACCEPT = { accept: 'application/json, text/event-stream' }
const HOUR = 3_600_000

/** An app and a session issuer. The app fetches the issuer's keys through a fault proxy. */
async function fixture(t: Test) {
  const issuer = await testIssuer(t, { audience: 'gateway' })
  const proxy = await faultProxy(t, issuer.jwksUri)
  const { app, clock } = await build(t, {
    settings: {
      tokens: {
        session: { issuer: issuer.issuer, jwksUri: proxy.url, audience: 'gateway' },
        mcp: undefined,
        shareSubjects: false,
        algorithms: ['RS256'],
        maxLifetimeSeconds: 7 * 86_400,
        clockToleranceSeconds: 30,
      },
    },
  })
  issuer.clock = clock
  /** Calls a tool with this token. Returns the outcome and the duration in milliseconds. */
  const call = async (token: string) => {
    const started = performance.now()
    const response = await app.inject({ ...REQUEST, headers: { ...ACCEPT, authorization: `Bearer ${token}` } })
    return {
      status: response.statusCode,
      code: response.json().error?.code,
      retryAfter: response.headers['retry-after'],
      ms: performance.now() - started,
    }
  }
  return { issuer, proxy, clock, call }
}

const UNAVAILABLE = { status: 503, code: 'identity_provider_unavailable', retryAfter: /^\d+$/ }

t.test('an issuer is down: a token that was verified, or whose key is known', async t => {
  const { issuer, proxy, clock, call } = await fixture(t)
  const verified = await issuer.mint({ exp: Math.floor(clock.now() / 1000) + 48 * 3_600 })
  t.match(await call(verified), { status: 200 })
  await proxy.down()
  t.match(await call(verified), { status: 200 })
  clock.advance(60_000)
  t.match(await call(verified), { status: 200 }, 'verified again with the cached keys')
  t.match(
    await call(await issuer.mint({ sub: 'grace' })),
    { status: 200 },
    'another user’s first token is accepted too',
  )
  clock.advance(23 * HOUR)
  t.match(await call(await issuer.mint()), { status: 200 })
  clock.advance(HOUR)
  t.match(await call(await issuer.mint()), UNAVAILABLE, 'after a day the cached keys are no longer used')
})

t.test('an issuer is down: a token of an unknown key', async t => {
  const { issuer, proxy, clock, call } = await fixture(t)
  await proxy.down()
  const token = await issuer.mint()
  t.match(await call(token), UNAVAILABLE, 'a process that just started')
  for (let i = 0; i < 20; i++) t.match(await call(token), UNAVAILABLE)
  t.equal(issuer.requests(), 0)
  await proxy.heal()
  clock.advance(1_000)
  t.match(await call(token), { status: 200 }, 'the outage did not reject the token')
  proxy.reset()
  await proxy.down()
  await issuer.rotate()
  clock.advance(1_000)
  t.match(await call(await issuer.mint()), UNAVAILABLE, 'after a rotation that the gateway has not seen')
  t.match(await call(token), { status: 200 })
})

t.test('an issuer is slow or frozen', async t => {
  const { issuer, proxy, clock, call } = await fixture(t)
  proxy.latency(150)
  proxy.slice(64, 5)
  t.match(await call(await issuer.mint()), { status: 200 }, 'slow and in pieces: the caller waits')
  proxy.blackhole()
  clock.advance(10 * 60_000)
  const stale = await call(await issuer.mint())
  t.match(stale, { status: 200 }, 'frozen, but the keys are cached')
  t.ok(stale.ms < 2_000, `${Math.round(stale.ms)} ms`)
  await issuer.rotate()
  const cold = await Promise.all(Array.from({ length: 10 }, async () => call(await issuer.mint())))
  for (const answer of cold) t.match(answer, UNAVAILABLE)
  const longest = Math.max(...cold.map(({ ms }) => ms))
  t.ok(longest < 2_000, `the longest wait was ${Math.round(longest)} ms`)
})

t.test('an issuer rotates its keys', async t => {
  const { issuer, clock, call } = await fixture(t)
  t.match(await call(await issuer.mint()), { status: 200 })
  for (let rotation = 0; rotation < 5; rotation++) {
    clock.advance(1_000)
    await issuer.rotate()
    t.match(await call(await issuer.mint()), { status: 200 })
  }
  t.equal(issuer.requests(), 6)
})

t.test('an issuer is back', async t => {
  const { issuer, proxy, clock, call } = await fixture(t)
  const token = await issuer.mint({ exp: Math.floor(clock.now() / 1000) + 3_600 })
  await proxy.down()
  for (let minute = 0; minute < 5; minute++) {
    t.match(await call(token), UNAVAILABLE)
    clock.advance(60_000)
  }
  await proxy.heal()
  t.match(await call(token), { status: 200 }, 'at most a minute after the last attempt')
})
