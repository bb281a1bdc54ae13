import t, { type Test } from 'tap'
import { authorizationServer } from '../fixtures/authorization-server.ts'
import { browserSignIn } from '../fixtures/browser-sign-in.ts'
import { registerApp } from '../fixtures/sample-connectors.ts'
import { testSettings } from '../fixtures/settings.ts'
import { DASHBOARD, dashboardFixture } from './dashboard-fixture.ts'

const CALLBACK = `${DASHBOARD}/auth/callback`
/** What the page of one browser keeps. */
const PAGE = 'p'.repeat(36)

/** The dashboard as a client of a real authorization server. */
async function fixture(t: Test) {
  const server = await authorizationServer(t)
  const { issuer } = server
  const client = await registerApp(issuer, [CALLBACK])
  const { tokens } = testSettings()
  const made = await dashboardFixture(t, {
    settings: {
      tokens: { ...tokens, session: { issuer, audience: 'sessions', jwksUri: undefined } },
      dashboardClient: { issuer, clientId: client.id, clientSecret: client.secret },
    },
  })
  const { ask, clock } = made
  /** The server has its own clock. */
  const follow = () => clock.advance(Math.max(0, Date.now() - clock.now()))
  follow()

  /** Begins a sign-in and finishes it at the server. Returns the callback’s query and the browser’s cookie. */
  async function begin(return_path?: string, as = 'ada') {
    const started = await ask('POST', '/auth/start', {
      browser: PAGE,
      ...(return_path !== undefined && { return_path }),
    })
    const cookie = String(started.headers['set-cookie']).split(';')[0] ?? ''
    const location = new URL(started.json().location)
    const { search } = await browserSignIn(new URL(location), as)
    return { search, cookie, location, lines: String(started.headers['set-cookie']) }
  }
  /** Whether an answer sets nothing but the removal of the cookie of a sign-in. */
  const isCleared = ({ headers }: { headers: Record<string, unknown> }) =>
    /^gw-signin-[0-9a-f]{16}=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/.test(String(headers['set-cookie']))
  function finish(search: string, cookie = '', browser = PAGE, headers = {}) {
    follow()
    return ask('POST', '/auth/callback', { browser, search }, undefined, { cookie, ...headers })
  }
  return { ...made, server, begin, finish, isCleared }
}

t.test('a user signs in at the issuer, and comes back to the page that they wanted', async t => {
  const { ask, begin, finish, server } = await fixture(t)
  t.match((await ask('GET', '/auth/methods')).json(), { issuer: true })
  const { search, cookie, location, lines } = await begin('/keys?open=1')
  t.match(lines, /^gw-signin-[0-9a-f]{16}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=600$/)
  t.equal(location.origin, server.issuer)
  t.match(Object.fromEntries(location.searchParams), {
    response_type: 'code',
    redirect_uri: CALLBACK,
    code_challenge_method: 'S256',
    scope: 'openid email profile',
  })
  t.equal((await ask('GET', `/auth/callback${search}`)).statusCode, 200, 'opening the callback has no effect')
  const done = await finish(search, cookie)
  t.equal(done.statusCode, 200, done.body)
  t.equal(done.json().return_path, '/keys?open=1')
  const session = { cookie: String(done.headers['set-cookie']).split(';')[0] ?? '', token: done.json().token }
  const view = (await ask('GET', '/api/session', undefined, session)).json()
  t.match(view, { user: { id: /^usr_/ }, organization: null }, 'a new user is no member of anything')
  const again = await begin(undefined, 'ada')
  const second = await finish(again.search, `${session.cookie}; ${again.cookie}`, PAGE, {
    'x-dashboard-token': session.token,
  })
  const renewed = { cookie: String(second.headers['set-cookie']).split(';')[0] ?? '', token: second.json().token }
  const same = await ask('GET', '/api/session', undefined, renewed)
  t.equal(same.json().user.id, view.user.id, 'the same user')
  t.equal((await ask('GET', '/api/session', undefined, session)).statusCode, 401, 'the former session has ended')
  const out = await ask('POST', '/api/sign-out', {}, renewed)
  t.match(out.json().location, `${server.issuer}/session/end?client_id=`)
})

t.test('only the browser that began a sign-in can finish it, once', async t => {
  const { begin, finish, isCleared } = await fixture(t)
  const [mine, other] = [await begin(), await begin(undefined, 'eve')]
  for (const [name, cookie] of Object.entries({
    'no cookie': '',
    'the cookie of another sign-in': other.cookie,
    'the secret of another sign-in under this name': `${mine.cookie.split('=')[0]}=${other.cookie.split('=')[1]}`,
  })) {
    const refused = await finish(mine.search, cookie)
    t.match(refused.json(), { error: /not pending/, code: 'INVALID_REQUEST' }, name)
    t.ok(isCleared(refused), name)
  }
  // Another port of this host can plant its own cookie in this browser, but not what the page keeps.
  const planted = await finish(mine.search, mine.cookie, 'v'.repeat(36))
  t.match(planted.json(), { error: /not pending/ }, 'an own sign-in in the browser of a victim')
  t.ok(isCleared(planted))
  const forged = await finish(mine.search, mine.cookie, PAGE, { origin: 'http://127.0.0.1:3002' })
  t.equal(forged.statusCode, 403, 'a callback from another origin')
  t.equal((await finish(mine.search, mine.cookie)).statusCode, 200)
  t.equal((await finish(mine.search, mine.cookie)).statusCode, 400, 'replayed')
})

t.test('sign-ins in two tabs of a browser do not disturb one another, and their answers cannot be swapped', async t => {
  const { begin, finish } = await fixture(t)
  const [one, two, three] = [await begin('/keys'), await begin('/billing'), await begin('/calls')]
  const cookies = [one, two, three].map(({ cookie }) => cookie).join('; ')
  const swapped = new URLSearchParams(one.search)
  swapped.set('code', new URLSearchParams(three.search).get('code') ?? '')
  t.equal((await finish(`?${swapped}`, cookies)).statusCode, 400)
  t.equal((await finish(one.search, cookies)).statusCode, 400, 'the first answer used up the sign-in')
  t.equal((await finish(two.search, cookies)).json().return_path, '/billing')
})

t.test('cookies that another port planted under the name of a sign-in do not prevent it', async t => {
  const { begin, finish } = await fixture(t)
  const { search, cookie } = await begin()
  const [name] = cookie.split('=')
  const planted = Array.from({ length: 20 }, (_, i) => `${name}=planted-${i}`).join('; ')
  t.equal((await finish(search, planted)).statusCode, 400)
  const done = await finish(search, `${planted}; ${cookie}`)
  t.equal(done.statusCode, 200, done.body)
  const [session, cleared] = [done.headers['set-cookie']].flat()
  t.match(session, /^gw=[\w-]{43}; /)
  t.equal(cleared, `${name}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`, 'the cookie of the sign-in is removed')
})

t.test('an answer of another issuer, a swapped code and a declined sign-in are refused', async t => {
  const { begin, finish, isCleared, clock } = await fixture(t)
  const edit = (search: string, change: (parameters: URLSearchParams) => void) => {
    const parameters = new URLSearchParams(search)
    change(parameters)
    return `?${parameters}`
  }
  const changes: Record<string, (parameters: URLSearchParams) => void> = {
    'another issuer': parameters => parameters.set('iss', 'https://evil.example'),
    'no issuer': parameters => parameters.delete('iss'),
    'no state': parameters => parameters.delete('state'),
    'an invented state': parameters => parameters.set('state', 'x'.repeat(43)),
    'two states': parameters => parameters.append('state', 'x'),
    'no code': parameters => parameters.delete('code'),
    'an invented code': parameters => parameters.set('code', 'x'.repeat(43)),
    'two codes': parameters => parameters.append('code', 'x'),
  }
  for (const [name, change] of Object.entries(changes)) {
    const { search, cookie } = await begin()
    const refused = await finish(edit(search, change), cookie)
    t.equal(refused.statusCode, 400, name)
    t.ok(isCleared(refused), name)
  }
  const [one, two] = [await begin(), await begin(undefined, 'eve')]
  const code = new URLSearchParams(two.search).get('code') ?? ''
  const injected = await finish(
    edit(one.search, parameters => parameters.set('code', code)),
    one.cookie,
  )
  t.equal(injected.statusCode, 400, 'the code of another sign-in')

  const declined = await begin()
  const answer = await finish(
    edit(declined.search, parameters => {
      parameters.delete('code')
      parameters.set('error', 'access_denied')
      parameters.set('error_description', 'End-User aborted <b>interaction</b>')
    }),
    declined.cookie,
  )
  t.match(answer.json().error, 'The issuer declined: End-User aborted interaction. Sign in again.')

  const late = await begin()
  clock.advance(10 * 60_000)
  t.match((await finish(late.search, late.cookie)).json().error, /longer than ten minutes/)
})

t.test('a sign-in leads only to pages of the dashboard', async t => {
  const { begin, finish } = await fixture(t)
  for (const [path, to] of Object.entries({
    '/money': '/money',
    '//evil.example': '/',
    '/\\evil.example': '/',
    '/%5cevil.example': '/%5cevil.example',
    '/\t/evil.example': '/',
    '/\n/evil.example': '/',
    'https://evil.example/': '/',
    'javascript:alert(1)': '/',
    '@evil.example': '/',
    '/keys/../../x': '/x',
    '/.//evil.example': '/',
    '/%2e//evil.example': '/',
    '/keys/..//evil.example': '/',
  })) {
    const { search, cookie } = await begin(path)
    t.equal((await finish(search, cookie)).json().return_path, to, JSON.stringify(path))
  }
})

t.test('while the issuer is away, the page says so and a link still works', async t => {
  const { ask, server, directory, signIn } = await fixture(t)
  await server.stop()
  const started = await ask('POST', '/auth/start', { browser: PAGE })
  t.equal(started.statusCode, 503)
  t.match(started.json().error, { code: 'identity_provider_unavailable', message: /sign-in link/ })
  const [ada] = await directory.members('owner')
  t.match(await signIn(ada.userId), { token: /^[\w-]{43}$/ })
})
