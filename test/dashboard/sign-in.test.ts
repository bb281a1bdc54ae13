import t from 'tap'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { newsHeard } from '../database.ts'
import { DASHBOARD, dashboardFixture, tokenOf } from './dashboard-fixture.ts'

t.test('a link signs its user in once, within 10 minutes', async t => {
  const { services, directory, ask, clock } = await dashboardFixture(t)
  const [ada] = await directory.members('owner')
  const link = async () => tokenOf((await services.signInLinks.create(ada.userId)).link)
  const token = await link()
  t.match(token, /^cgw_signin_[0-9a-f]{64}$/)

  const first = await ask('POST', '/auth/link', { token })
  t.equal(first.statusCode, 200)
  t.match(first.headers['set-cookie'], /^gw=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
  t.match(first.json(), { token: /^[\w-]{43}$/, return_path: '/' })
  const cookie = String(first.headers['set-cookie']).split(';')[0] ?? ''
  const me = await ask('GET', '/api/me', undefined, { cookie, token: first.json().token })
  t.match(me.json(), { user: { id: ada.userId }, role: 'owner' })

  const again = await ask('POST', '/auth/link', { token })
  t.equal(again.statusCode, 400)
  t.match(again.json().error, /^This link was used already\. .* user sign-in-link --user usr_/)
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

t.test('a request needs the cookie and the token of one session', async t => {
  const { directory, ask, signIn } = await dashboardFixture(t)
  const [ada, eve] = await directory.members('owner', 'member')
  const one = await signIn(ada.userId)
  const other = await signIn(eve.userId)
  for (const [name, browser] of Object.entries({
    'no token': { ...one, token: '' },
    'no cookie': { ...one, cookie: '' },
    'the token of another session': { cookie: one.cookie, token: other.token },
    'the cookie of another session': { cookie: other.cookie, token: one.token },
    'a planted second cookie': { ...one, cookie: `${one.cookie}; gw=planted` },
    'an API key in place of a session': { cookie: 'gw=cgw_test_x', token: 'cgw_test_x' },
  })) {
    const answer = await ask('GET', '/api/me', undefined, browser)
    t.equal(answer.statusCode, 401, name)
    t.match(answer.json(), { error: { message: /Sign in again/ } }, name)
  }
  t.equal((await ask('GET', '/api/me', undefined, one)).json().user.id, ada.userId)
  const bearer = await ada.key()
  const byKey = await ask('GET', '/api/me', undefined, undefined, { 'x-api-key': bearer.key })
  t.equal(byKey.statusCode, 401, 'the dashboard takes no API keys')
})

t.test('a session ends after 12 hours without a request, and after 7 days', async t => {
  const { directory, ask, signIn, clock } = await dashboardFixture(t)
  const [ada] = await directory.members('owner')
  const status = async (browser: Awaited<ReturnType<typeof signIn>>) =>
    (await ask('GET', '/api/me', undefined, browser)).statusCode
  const idle = await signIn(ada.userId)
  const used = await signIn(ada.userId)
  const HOUR = 3_600_000
  clock.advance(11 * HOUR)
  t.equal(await status(used), 200)
  clock.advance(HOUR)
  t.equal(await status(idle), 401)
  for (let hours = 12; hours < 7 * 24 - 10; hours += 10) {
    t.equal(await status(used), 200, `after ${hours} hours`)
    clock.advance(10 * HOUR)
  }
  clock.advance(10 * HOUR)
  t.equal(await status(used), 401)
})

t.test('a user sees their sessions, ends one of them, or all', async t => {
  const { directory, ask, signIn, clock } = await dashboardFixture(t)
  const [ada, eve] = await directory.members('owner', 'member')
  const here = await signIn(ada.userId, 'Firefox')
  clock.advance(1)
  const phone = await signIn(ada.userId, 'Phone \u202e\nwith <b>tags</b>')
  const others = await signIn(eve.userId)
  const list = async () => (await ask('GET', '/api/sessions', undefined, here)).json().sessions
  t.match(await list(), [
    { user_agent: 'Phone with tags', current: false },
    { user_agent: 'Firefox', current: true },
  ])
  const [{ id }] = await list()
  t.equal((await ask('DELETE', `/api/sessions/${id}`, undefined, others)).statusCode, 404)
  t.equal((await ask('DELETE', `/api/sessions/${id}`, undefined, here)).statusCode, 204)
  t.equal((await ask('GET', '/api/me', undefined, phone)).statusCode, 401)
  const again = await signIn(ada.userId)
  const out = await ask('POST', '/api/sign-out', { everywhere: true }, here)
  t.match(out.headers['set-cookie'], /^gw=; .*Max-Age=0$/)
  t.equal((await ask('GET', '/api/me', undefined, again)).statusCode, 401)
  t.equal((await ask('GET', '/api/me', undefined, others)).statusCode, 200)
})

t.test('the session says what the user may do', async t => {
  const { directory, ask, signIn } = await dashboardFixture(t)
  const org = await directory.org()
  const [ada, member] = [await org.member('admin'), await org.member('member')]
  t.match((await ask('GET', '/api/session', undefined, await signIn(ada.userId))).json(), {
    organization: { id: ada.orgId },
    role: 'admin',
    may: { manage_members: true, manage_money: true },
    gateway_url: /\/mcp$/,
  })
  t.match((await ask('GET', '/api/session', undefined, await signIn(member.userId))).json(), {
    role: 'member',
    may: { manage_members: false, manage_money: false, manage_all_keys: false },
  })
})

t.test('a removed member is signed in, but to no organization', async t => {
  const { directory, services, ask, signIn } = await dashboardFixture(t)
  const org = await directory.org()
  const [ada, member] = [await org.member('owner'), await org.member('member')]
  const browser = await signIn(member.userId)
  t.equal((await ask('GET', '/api/api-keys', undefined, browser)).statusCode, 200)
  await services.members.remove({ orgId: ada.orgId, userId: member.userId, by: ada })
  await newsHeard(services.database)
  t.equal((await ask('GET', '/api/api-keys', undefined, browser)).statusCode, 403)
  t.match((await ask('GET', '/api/session', undefined, browser)).json(), { organization: null, role: null })
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
  const browser = await signIn(userId)
  const create = (name: string) => ask('POST', '/api/organizations', { name }, browser)
  for (const name of ['', '  ', 'a\nb', 'x'.repeat(101), 'a\u202eb'])
    t.equal((await create(name)).statusCode, 400, JSON.stringify(name))
  const made = await create(' Engines ')
  t.match(made.json(), { id: /^org_/, name: 'Engines' })
  await newsHeard(services.database)
  t.match((await ask('GET', '/api/session', undefined, browser)).json(), {
    organization: { id: made.json().id, name: 'Engines' },
    role: 'owner',
  })
  t.equal((await ask('GET', '/api/customers/me/wallet', undefined, browser)).statusCode, 200, 'it has a wallet')
  const many = await Promise.all(Array.from({ length: 12 }, (_, i) => create(`More ${i}`)))
  t.equal(many.filter(({ statusCode }) => statusCode === 201).length, 9, 'at most 10 of a user')
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
  t.match(answer.headers['set-cookie'], /^__Host-gw=.*; Path=\/; HttpOnly; SameSite=Strict; Secure$/)
})

t.test('only pages of the dashboard itself can change anything', async t => {
  const { directory, ask, signIn } = await dashboardFixture(t)
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
  for (const host of ['127.0.0.1:3002', 'localhost:3001', 'evil.example', '127.0.0.1:3001.evil.example'])
    t.equal((await ask('GET', '/', undefined, undefined, { host })).statusCode, 403, host)
  t.equal((await create({})).statusCode, 201)
})
