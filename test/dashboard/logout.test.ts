import t, { type Test } from 'tap'
import { testSettings } from '../fixtures/settings.ts'
import { testIssuer } from '../fixtures/test-issuer.ts'
import { dashboardFixture } from './dashboard-fixture.ts'

const CLIENT = 'dashboard'
const EVENT = { 'http://schemas.openid.net/event/backchannel-logout': {} }

async function fixture(t: Test) {
  const issuer = await testIssuer(t, { audience: CLIENT, typ: 'logout+jwt' })
  const session = { issuer: issuer.issuer, audience: 'sessions', jwksUri: issuer.jwksUri }
  const made = await dashboardFixture(t, {
    settings: {
      tokens: { ...testSettings().tokens, session },
      dashboardClient: { issuer: issuer.issuer, clientId: CLIENT, clientSecret: undefined },
    },
  })
  issuer.clock = made.clock
  const [ada] = await made.directory.members('owner')
  /** A browser that signed in as `ada` in a session of the issuer. */
  async function browser(sid: string) {
    const at = { issuer: issuer.issuer, subject: 'ada', session: sid, verifiedEmail: null }
    const { cookie, token } = await made.services.dashboardSessions.create({ userId: ada.userId, userAgent: 'B', at })
    return { cookie: `gw=${cookie}`, token }
  }
  const isIn = async (one: { cookie: string; token: string }) =>
    (await made.ask('GET', '/api/session', undefined, one)).statusCode === 200
  /** As the issuer sends it: a form, without an origin. */
  const logout = (token: string) =>
    made.dashboard.inject({
      method: 'POST',
      url: '/auth/backchannel-logout',
      headers: { host: made.host, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ logout_token: token }).toString(),
    })
  return { ...made, issuer, ada, browser, isIn, logout }
}

t.test('the issuer ends one session, or all of a user', async t => {
  const { issuer, browser, isIn, logout, signIn, ada } = await fixture(t)
  const [one, two, three] = [await browser('s1'), await browser('s2'), await browser('s3')]
  const byLink = await signIn(ada.userId)
  const token = await issuer.mint({ sub: undefined, sid: 's1', events: EVENT })
  const ended = await logout(token)
  t.equal(ended.statusCode, 200, ended.body)
  t.equal(ended.headers['cache-control'], 'no-store')
  t.same([await isIn(one), await isIn(two)], [false, true])
  t.equal((await logout(token)).statusCode, 400, 'a token works once')
  t.equal((await logout(await issuer.mint({ sub: 'eve', events: EVENT }))).statusCode, 200)
  t.ok(await isIn(two), 'another user')
  t.equal((await logout(await issuer.mint({ sub: 'ada', events: EVENT }))).statusCode, 200)
  t.same([await isIn(two), await isIn(three), await isIn(byLink)], [false, false, true])
})

t.test('no other token ends a session', async t => {
  const { issuer, browser, isIn, logout, clock } = await fixture(t)
  const here = await browser('s1')
  const claims = { sub: 'ada', sid: 's1', events: EVENT }
  const old = await issuer.mint(claims)
  clock.advance(151_000)
  for (const [name, token] of Object.entries({
    'an old token': old,
    'an ID token': await issuer.mint({ ...claims, nonce: 'n', events: undefined }),
    'a nonce': await issuer.mint({ ...claims, nonce: 'n' }),
    'an access token': await issuer.mint(claims, { header: { typ: 'at+jwt' } }),
    'no event': await issuer.mint({ ...claims, events: {} }),
    'another client': await issuer.mint({ ...claims, aud: 'another' }),
    'another issuer': await issuer.mint({ ...claims, iss: 'https://evil.example' }),
    'no ID': await issuer.mint({ ...claims, jti: undefined }),
    nobody: await issuer.mint({ events: EVENT, sub: undefined }),
    'no signature': await issuer.mint(claims, { alg: 'none' }),
    'no token': 'x',
    empty: '',
  })) {
    t.equal((await logout(token)).statusCode, 400, name)
    t.ok(await isIn(here), name)
  }
})
