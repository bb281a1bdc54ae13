import t from 'tap'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { newsHeard } from '../fixtures/database.ts'
import { memoryLog } from '../fixtures/memory-log.ts'
import { DASHBOARD, dashboardFixture, renewedBy, tokenOf } from './dashboard-fixture.ts'

t.test('a link signs its user in once, within 10 minutes', async t => {
  const { services, directory, ask, clock } = await dashboardFixture(t)
  const [ada] = await directory.members('owner')
  const link = async () => tokenOf((await services.signInLinks.create(ada.userId)).link)
  const token = await link()
  t.match(token, /^cgw_signin_[0-9a-f]{64}$/)

  const first = await ask('POST', '/auth/link', { token })
  t.equal(first.statusCode, 200)
  t.match(first.headers['set-cookie'], /^gw=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800$/)
  t.match(first.json(), { token: /^[\w-]{43}$/, return_path: '/' })
  const cookie = String(first.headers['set-cookie']).split(';')[0] ?? ''
  const me = await ask('GET', '/api/me', undefined, { cookie, token: first.json().token })
  t.match(me.json(), { user: { id: ada.userId }, role: 'owner' })

  const again = await ask('POST', '/auth/link', { token })
  t.equal(again.statusCode, 400)
  t.match(again.json().error, /^This link was already used\. .* user sign-in-link --user usr_/)
  t.equal(again.headers['set-cookie'], undefined)
  const late = await link()
  clock.advance(10 * 60_000)
  t.match((await ask('POST', '/auth/link', { token: late })).json().error, /^This link has expired/)
  t.equal((await ask('POST', '/auth/link', { token: 'cgw_signin_0' })).statusCode, 404)
  const both = await link()
  const answers = await Promise.all([1, 2].map(() => ask('POST', '/auth/link', { token: both })))
  t.same(answers.map(answer => answer.statusCode).sort(), [200, 400], 'two browsers at once')
})

t.test('the operator makes links for existing users; both are audited', async t => {
  const { services, directory, signIn } = await dashboardFixture(t)
  const [ada] = await directory.members('member')
  await signIn(ada.userId)
  const actions = await acrossOrgs(services.database.db)
    .selectFrom('audit')
    .where('target', '=', ada.userId)
    .where('action', 'like', 'sign_in_link%')
    .orderBy('action')
    .select(['action', 'user_id'])
    .execute()
  t.match(actions, [
    { action: 'sign_in_link.create', user_id: null },
    { action: 'sign_in_link.use', user_id: ada.userId },
  ])
  await t.rejects(services.signInLinks.create('usr_unknown'), {
    code: 'invalid_request',
    message: /no user with this ID/,
  })
})

t.test('a user without an organization creates one, where that is allowed, and acts in it', async t => {
  const { directory, services, ask, signIn } = await dashboardFixture(t)
  const [ada] = await directory.members('owner')
  const { id: userId } = await services.organizations.createUser({
    ...ada,
    email: 'new@x.example',
    role: 'member',
    by: ada,
  })
  await services.members.remove({ orgId: ada.orgId, userId, by: ada })
  let browser = await signIn(userId)
  const create = (name: string) => ask('POST', '/api/organizations', { name }, browser)
  for (const name of ['', '  ', 'a\nb', 'x'.repeat(101), 'a\u202eb'])
    t.equal((await create(name)).statusCode, 400, JSON.stringify(name))
  const made = await create(' Engines ')
  t.match(made.json(), { id: /^org_/, name: 'Engines' })
  browser = renewedBy(made)
  await newsHeard(services.database)
  t.match((await ask('GET', '/api/session', undefined, browser)).json(), {
    organization: { id: made.json().id, name: 'Engines' },
    role: 'owner',
  })
  t.equal((await ask('GET', '/api/customers/me/wallet', undefined, browser)).statusCode, 200, 'it has a wallet')
  const found = (_: unknown, i: number) => services.organizations.found({ name: `More ${i}`, founder: userId })
  const many = await Promise.allSettled(Array.from({ length: 12 }, found))
  t.equal(many.filter(({ status }) => status === 'fulfilled').length, 9, 'at most 10 of a user')
  t.equal((await create('Another')).statusCode, 400)
})

t.test('elsewhere only the operator creates organizations', async t => {
  const { directory, ask, signIn } = await dashboardFixture(t, { settings: { organizationsByUsers: false } })
  const [ada] = await directory.members('owner')
  const browser = await signIn(ada.userId)
  t.equal((await ask('GET', '/api/session', undefined, browser)).json().may.create_organizations, false)
  t.match((await ask('POST', '/api/organizations', { name: 'Mine' }, browser)).json(), { code: 'FORBIDDEN' })
})

t.test('over https, the cookie belongs to the exact host', async t => {
  const { services, directory, ask } = await dashboardFixture(t, { url: 'https://dashboard.example' })
  const [ada] = await directory.members('owner')
  const { link } = await services.signInLinks.create(ada.userId)
  t.match(link, /^https:\/\/dashboard\.example\/sign-in#cgw_signin_/)
  const answer = await ask('POST', '/auth/link', { token: tokenOf(link) })
  t.match(answer.headers['set-cookie'], /^__Host-gw=.*; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=604800$/)
})

t.test('only pages of the dashboard itself can change anything', async t => {
  const { directory, services, ask, signIn } = await dashboardFixture(t)
  const [ada] = await directory.members('owner')
  const browser = await signIn(ada.userId)
  const create = (headers: object) => ask('POST', '/api/agents', { name: 'Robot' }, browser, headers)
  for (const headers of [
    { origin: undefined },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:3002' },
    { origin: `${DASHBOARD}.evil.example` },
    { origin: 'http://localhost:3001' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
  ])
    t.equal((await create(headers)).statusCode, 403, JSON.stringify(headers))
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
    t.equal((await create({ 'content-type': type })).statusCode, 415, type)
  for (const host of ['127.0.0.1:3002', 'evil.example', '127.0.0.1:3001.evil.example'])
    t.equal((await ask('GET', '/', undefined, undefined, { host })).statusCode, 403, host)
  t.equal((await create({})).statusCode, 201)

  const token = tokenOf((await services.signInLinks.create(ada.userId)).link)
  for (const origin of ['http://127.0.0.1:3002', 'https://evil.example', undefined]) {
    const forged = await ask('POST', '/auth/link', { token }, undefined, { origin })
    t.same([forged.statusCode, forged.headers['set-cookie']], [403, undefined], `a sign-in from ${origin}`)
  }
  t.equal((await ask('POST', '/auth/link', { token })).statusCode, 200, 'it did not use up the link')
})

t.test('in development, another name of this machine leads to the dashboard', async t => {
  const { ask } = await dashboardFixture(t)
  const open = (path: string, host: string, headers = {}) =>
    ask('GET', path, undefined, undefined, { host, ...headers })
  for (const host of ['localhost:3001', 'LOCALHOST:3001', '[::1]:3001', '127.0.0.2:3001'])
    t.match(await open('/keys?x=1', host), { statusCode: 307, headers: { location: `${DASHBOARD}/keys?x=1` } }, host)
  t.match(await open('//evil.example', 'localhost:3001'), { headers: { location: `${DASHBOARD}//evil.example` } })

  const accept = 'text/html,*/*;q=0.8'
  for (const host of [
    '127.0.0.1:3002',
    'localhost',
    'evil.example',
    '127.0.0.1:3001.evil.example',
    'localhost:3001@x',
  ]) {
    const page = await open('/', host, { accept })
    t.match(page, { statusCode: 403, headers: { 'content-type': 'text/html; charset=utf-8' } }, host)
    t.match(page.body, 'Check the URL, or DASHBOARD_URL.')
  }
  const sent = await ask('POST', '/auth/link', { token: 'x' }, undefined, { host: 'localhost:3001' })
  t.match(sent.json(), { error: { code: 'host_not_allowed' } }, 'only what is read is redirected')

  const production = await dashboardFixture(t, { settings: { environment: 'production' } })
  t.equal((await production.ask('GET', '/', undefined, undefined, { host: 'localhost:3001' })).statusCode, 403)
})

t.test('the log has neither the token of a link nor the secrets of a session', async t => {
  const { log, lines } = memoryLog()
  const { directory, services, ask } = await dashboardFixture(t, { logger: log })
  const [ada] = await directory.members('owner')
  const token = tokenOf((await services.signInLinks.create(ada.userId)).link)
  await ask('GET', `/sign-in?token=${token}`)
  const answer = await ask('POST', '/auth/link', { token })
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
  const session = { cookie, token: answer.json().token }
  t.equal((await ask('GET', '/api/me', undefined, session)).statusCode, 200)
  t.equal((await ask('POST', '/auth/link', { token })).statusCode, 400)
  t.equal((await ask('POST', '/auth/link', { token: { token } })).statusCode, 400)
  t.ok(lines.length >= 4, 'requests have lines')
  for (const secret of [token, cookie.slice('gw='.length), session.token]) t.notMatch(lines.join(''), secret)
})

t.test('tries to sign in are limited per address, and per /64 of IPv6', async t => {
  const { dashboard, host, clock } = await dashboardFixture(t)
  const attempt = async (remoteAddress: string) => {
    const answer = await dashboard.inject({
      method: 'POST',
      url: '/auth/link',
      headers: { host, origin: DASHBOARD },
      payload: { token: 'cgw_signin_0' },
      remoteAddress,
    })
    return answer.statusCode
  }
  for (let i = 0; i < 60; i++) t.equal(await attempt(`2001:db8:1:2::${i.toString(16)}`), 404)
  t.equal(await attempt('2001:db8:1:2:ffff::1'), 429, 'another address of the network')
  t.equal(await attempt('2001:db8:1:3::1'), 404, 'another network')
  t.equal(await attempt('192.0.2.7'), 404)
  clock.advance(60_000)
  t.equal(await attempt('2001:db8:1:2::1'), 404)
})
