import t, { type Test } from 'tap'
import { createIssuerKeys } from '../../../services/identity/issuer-keys.ts'
import { createJwts } from '../../../services/identity/jwt.ts'
import { fetchKeySet } from '../../../services/identity/token-policies.ts'
import { silent } from '../../fixtures/database.ts'
import { waitedMs } from '../../fixtures/elapsed.ts'
import { NO_AGENTS, NO_EVENTS, testClock } from '../../fixtures/fixture.ts'
import { type IssuerFault, testIssuer } from '../../fixtures/test-issuer.ts'

const HOUR = 3_600_000
const FAULTS: IssuerFault[] = ['reset', 'status-500', 'redirect', 'not-json', 'not-a-key-set', 'no-keys', 'endless']

/** An issuer and a verifier of its tokens, which counts from the same clock. */
async function fixture(t: Test, options: Parameters<typeof testIssuer>[1] = {}, jwksUri?: (uri: string) => string) {
  const clock = testClock(Date.now())
  const issuer = await testIssuer(t, { audience: 'gateway', ...options })
  issuer.clock = clock
  const settings = { issuer: issuer.issuer, jwksUri: jwksUri?.(issuer.jwksUri) }
  const jwts = createJwts({
    policies: [
      {
        via: 'session',
        issuer: issuer.issuer,
        audiences: () => ['gateway'],
        algorithms: ['RS256', 'ES256'],
        maxLifetimeSeconds: 86_400,
        clockToleranceSeconds: 30,
        findKey: createIssuerKeys({ issuer: issuer.issuer, fetchSet: () => fetchKeySet(settings), clock, log: silent }),
      },
    ],
    userOf: async ({ subject }) => `usr_${subject}`,
    agents: NO_AGENTS,
    events: NO_EVENTS,
    clock,
  })
  /** What comes of a token that was not seen before: `ok`, or the code of the refusal. */
  const outcome = async (token: string | Promise<string> = issuer.mint()): Promise<string> =>
    jwts.verify(await token, 'session').then(
      () => 'ok',
      error => error.code ?? error.message,
    )
  return { clock, issuer, outcome, jwts }
}

t.test('keys come from the issuer’s metadata or the configured URL, and are fetched once', async t => {
  for (const [name, where] of [
    ['found', undefined],
    ['configured', (uri: string) => uri],
  ] as const) {
    const { issuer, outcome } = await fixture(t, {}, where)
    t.same(await Promise.all([outcome(), outcome(), outcome()]), ['ok', 'ok', 'ok'], name)
    t.equal(issuer.requests(), 1, 'one fetch for all who wait')
  }
})

t.test('metadata that names another issuer is rejected', async t => {
  const { outcome } = await fixture(t, { issuer: 'http://127.0.0.1:1' })
  t.equal(await outcome(), 'identity_provider_unavailable', 'nothing listens there')
  const clock = testClock()
  const real = await testIssuer(t)
  const borrowed = { issuer: `${real.issuer}/tenant`, jwksUri: undefined }
  const findKey = createIssuerKeys({
    issuer: borrowed.issuer,
    fetchSet: () => fetchKeySet(borrowed),
    clock,
    log: silent,
  })
  await t.rejects(findKey({ alg: 'RS256', kid: 'RS256-1' }, { payload: '', signature: '' }), {
    code: 'identity_provider_unavailable',
  })
})

t.test('a new key is accepted at once, and a removed key is no longer accepted', async t => {
  const { issuer, outcome, clock } = await fixture(t)
  const before = await issuer.mint()
  t.equal(await outcome(), 'ok')
  clock.advance(1_000)
  await issuer.rotate()
  t.equal(await outcome(), 'ok', 'signed by a key that the set did not have')
  t.equal(issuer.requests(), 2)
  t.equal(await outcome(before), 'invalid_jwt', 'a key that was taken back')
})

t.test('unknown keys cost the issuer one request per second', async t => {
  const { issuer, outcome, clock } = await fixture(t)
  t.equal(await outcome(), 'ok')
  for (let second = 0; second < 5; second++) {
    clock.advance(1_000)
    for (let i = 0; i < 20; i++)
      t.equal(await outcome(issuer.mint({}, { kid: `random-${second}-${i}` })), 'invalid_jwt')
  }
  t.equal(issuer.requests(), 6)
})

t.test('while an issuer is down, cached tokens and known keys work and new keys answer 503', async t => {
  for (const fault of FAULTS) {
    const { issuer, outcome, clock } = await fixture(t, {}, uri => uri)
    t.equal(await outcome(), 'ok')
    issuer.fail(fault)
    clock.advance(5 * 60_000)
    t.equal(await outcome(), 'ok', `${fault}: a key it has`)
    t.equal(issuer.requests(), 1)
    await issuer.rotate()
    t.equal(await outcome(), 'identity_provider_unavailable', `${fault}: a key that may be good is not refused`)
    issuer.fail(undefined)
    t.equal(await outcome(), 'identity_provider_unavailable', 'not asked again within the second')
    clock.advance(1_000)
    t.equal(await outcome(), 'ok', `${fault}: and works by itself again`)
  }
})

t.test('while an issuer is down, the last valid keys work for a day and not longer', async t => {
  const { issuer, outcome, clock } = await fixture(t)
  t.equal(await outcome(), 'ok')
  issuer.fail('reset')
  for (const hours of [1, 22]) {
    clock.advance(hours * HOUR)
    t.equal(await outcome(), 'ok')
  }
  clock.advance(HOUR)
  t.equal(await outcome(), 'identity_provider_unavailable')
  issuer.fail(undefined)
  clock.advance(60_000)
  t.equal(await outcome(), 'ok')
})

t.test('without cached keys, a failing issuer answers 503 with the time to wait, and attempts back off', async t => {
  const { issuer, outcome, jwts, clock } = await fixture(t, {}, uri => uri)
  issuer.fail('status-500')
  await t.rejects(jwts.verify(await issuer.mint(), 'session'), {
    code: 'identity_provider_unavailable',
    retryAfter: 1,
  })
  for (let i = 0; i < 50; i++) t.equal(await outcome(), 'identity_provider_unavailable')
  t.equal(issuer.requests(), 1)

  const asked: number[] = []
  for (let tenth = 0; tenth < 3_000; tenth++) {
    const before = issuer.requests()
    await outcome()
    if (issuer.requests() > before) asked.push(tenth)
    clock.advance(100)
  }
  const pauses = asked.slice(1).map((at, index) => (at - (asked[index] ?? 0)) / 10)
  t.same(pauses, [2, 4, 8, 16, 32, 60, 60, 60], 'seconds between two attempts, over five minutes')
})

t.test('an issuer that never answers delays callers only briefly', async t => {
  const { issuer, outcome, clock } = await fixture(t)
  issuer.fail('hang')
  const unavailable = 'identity_provider_unavailable'
  const first = await waitedMs(async () =>
    t.same(await Promise.all([outcome(), outcome()]), [unavailable, unavailable]),
  )
  t.ok(first < 2_000, `${Math.round(first)} ms`)
  clock.advance(2_000)
  const later = await waitedMs(async () => t.equal(await outcome(), unavailable))
  t.ok(later < 500, 'while the attempt goes on, later callers do not wait for it too')
})
