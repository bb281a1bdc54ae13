import t from 'tap'
import { newsHeard } from '../fixtures/database.ts'
import { dashboardFixture, renewedBy, tokenOf } from './dashboard-fixture.ts'

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
    'a planted cookie': { ...one, cookie: 'gw=planted' },
    'cookies of other sessions': { ...one, cookie: `${other.cookie}; gw=planted` },
    'more cookies than one browser has': { ...one, cookie: `${one.cookie}; gw=1; gw=2; gw=3; gw=4` },
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

t.test('cookies that another port planted do not end a session', async t => {
  const { directory, ask, signIn } = await dashboardFixture(t)
  const [ada, eve] = await directory.members('owner', 'member')
  const { cookie, token } = await signIn(ada.userId)
  const other = await signIn(eve.userId)
  // Browsers send the cookies of longer paths first.
  for (const planted of ['gw=planted; ', 'gw=; ', `${other.cookie}; `, 'gw=1; '.repeat(50)]) {
    const answer = await ask('GET', '/api/me', undefined, { cookie: `${planted}${cookie}`, token })
    t.equal(answer.json().user?.id, ada.userId, planted)
  }
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

t.test('a change of the organization replaces the secrets of the session, which keeps its ID and its end', async t => {
  const { directory, services, ask, signIn } = await dashboardFixture(t)
  const [first, second] = [await directory.org(), await directory.org()]
  const { userId } = await first.member('admin')
  await services.members.add({ orgId: second.id, userId, role: 'member', by: 'operator' })
  const tool = (organization_id: string) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'manage__switch_org', arguments: { organization_id } },
  })
  const mcp = { accept: 'application/json, text/event-stream' }
  let browser = await signIn(userId)
  const [{ id }] = (await ask('GET', '/api/sessions', undefined, browser)).json().sessions
  const isIn = async (one: typeof browser) => (await ask('GET', '/api/session', undefined, one)).statusCode === 200

  const changes = {
    'PATCH /me': () => ask('PATCH', '/api/me', { active_organization_id: first.id }, browser),
    'the tool': () => ask('POST', '/api/mcp', tool(second.id), browser, mcp),
    'a new organization': () => ask('POST', '/api/organizations', { name: 'Engines' }, browser),
  }
  for (const [name, change] of Object.entries(changes)) {
    const answer = await change()
    t.ok(answer.statusCode < 300, `${name}: ${answer.body}`)
    const renewed = renewedBy(answer)
    t.match(renewed, { cookie: /^gw=[\w-]{43}$/, token: /^[\w-]{43}$/ }, name)
    t.match(answer.headers['set-cookie'], /; SameSite=Strict; Max-Age=604800$/, `${name}: as at the sign-in`)
    for (const former of [browser, { ...browser, cookie: renewed.cookie }, { ...renewed, cookie: browser.cookie }])
      t.notOk(await isIn(former), `${name}: a former secret`)
    browser = renewed
    t.match((await ask('GET', '/api/sessions', undefined, browser)).json().sessions, [{ id, current: true }], name)
  }
  const same = (await ask('GET', '/api/session', undefined, browser)).json().organization.id
  const again = await ask('PATCH', '/api/me', { active_organization_id: same }, browser)
  t.same([again.statusCode, again.headers['x-dashboard-token']], [200, undefined], 'no change, the same secrets')
  const unknown = await ask('PATCH', '/api/me', { active_organization_id: `org_${'0'.repeat(32)}` }, browser)
  t.same([unknown.statusCode, unknown.headers['set-cookie']], [404, undefined])
})

t.test('a page that shows another organization or user than that of the session changes and reads nothing', async t => {
  const { directory, services, ask, signIn } = await dashboardFixture(t)
  const [first, second] = [await directory.org(), await directory.org()]
  const { userId } = await first.member('admin')
  const eve = await second.member('admin')
  await services.members.add({ orgId: second.id, userId, role: 'admin', by: 'operator' })
  const page = { 'x-dashboard-user': userId, 'x-dashboard-organization': first.id }
  const browser = await signIn(userId)
  const chosen = await ask('PATCH', '/api/me', { active_organization_id: first.id }, browser)
  const mine = renewedBy(chosen)
  const rename = { name: 'Robot' }
  t.equal((await ask('POST', '/api/agents', rename, mine, page)).statusCode, 201)

  // Another browser of the user, so that this session keeps its secrets.
  const elsewhere = await signIn(userId)
  await ask('PATCH', '/api/me', { active_organization_id: second.id }, elsewhere)
  await newsHeard(services.database)
  for (const [method, path, body] of [
    ['POST', '/api/agents', rename],
    ['GET', '/api/agents', undefined],
    ['GET', '/api/session', undefined],
    ['PATCH', '/api/me', { active_organization_id: first.id }],
  ] as const) {
    const refused = await ask(method, path, body, mine, page)
    t.equal(refused.statusCode, 409, path)
    t.match(refused.json(), {
      error: /^This page shows a different organization.* Reload the page\.$/,
      code: 'PAGE_OUTDATED',
    })
  }
  const tools = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const accept = 'application/json, text/event-stream'
  const refused = await ask('POST', '/api/mcp', tools, mine, { ...page, accept })
  t.match([refused.statusCode, refused.json()], [409, { error: { code: 'page_outdated' } }])
  t.equal((await ask('GET', '/api/agents', undefined, mine, { 'x-dashboard-user': userId })).json().agents.length, 0)
  const asEve = await signIn(eve.userId)
  const ofEve = { 'x-dashboard-user': userId, 'x-dashboard-organization': second.id }
  t.equal((await ask('POST', '/api/agents', rename, asEve, ofEve)).statusCode, 409, 'signed in as somebody else')
})

t.test('a sign-in ends the former session of the same browser, and no other one', async t => {
  const { directory, services, ask, signIn } = await dashboardFixture(t)
  const [ada, eve] = await directory.members('owner', 'member')
  const [former, elsewhere, others] = [await signIn(ada.userId), await signIn(ada.userId), await signIn(eve.userId)]
  type Browser = typeof former
  const isIn = async (one: Browser) => (await ask('GET', '/api/session', undefined, one)).statusCode === 200
  const link = async () => tokenOf((await services.signInLinks.create(ada.userId)).link)
  const token = await link()
  // Another port of this host planted a cookie of its own session.
  const again = { ...former, cookie: `${others.cookie}; ${former.cookie}` }
  t.equal((await ask('POST', '/auth/link', { token }, again)).statusCode, 200)
  t.same([await isIn(former), await isIn(elsewhere), await isIn(others)], [false, true, true])

  t.equal((await ask('POST', '/auth/link', { token }, elsewhere)).statusCode, 400, 'a used link')
  t.ok(await isIn(elsewhere), 'a refused sign-in ends nothing')
  const fixed = await ask('POST', '/auth/link', { token: await link() }, { cookie: others.cookie, token: '' })
  const cookie = String(fixed.headers['set-cookie']).split(';')[0] ?? ''
  t.not(cookie, others.cookie, 'a session never begins with the secrets that the browser had')
  t.ok(await isIn({ cookie, token: fixed.json().token }))
  t.notOk(await isIn({ cookie: others.cookie, token: fixed.json().token }))
})
