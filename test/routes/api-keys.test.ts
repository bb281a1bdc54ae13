import t, { type Test } from 'tap'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import apiKeyRoutes from '../../routes/api-keys.ts'
import { createIdempotency } from '../../services/idempotency/idempotency.ts'
import { createApiKeys } from '../../services/identity/api-keys.ts'
import { testDatabase } from '../fixtures/database.ts'
import { directory, directoryServices } from '../fixtures/directory.ts'
import { NO_EVENTS, testClock } from '../fixtures/fixture.ts'
import { routeFixture } from '../fixtures/route-fixture.ts'
import { RESULT_LIMITS, testSettings } from '../fixtures/settings.ts'

const database = await testDatabase(t)

async function fixture(t: Test) {
  const { db } = database
  const clock = testClock()
  const { peppers } = testSettings()
  const services = directoryServices(db, clock, { dashboardUrl: 'https://dashboard.example', peppers })
  const { memberKeys, keyClaims } = services
  const { once } = createIdempotency({ db, clock, limits: RESULT_LIMITS })
  const made = await routeFixture(t, { directory: directory(services), clock }, scope => {
    scope.register(apiKeyRoutes, { memberKeys, keyClaims, checkPolicy: async (_org, policy) => policy, once, clock })
  })
  /** Whether a key opens the gateway, for a process that has nothing cached. */
  async function works(key: string) {
    const keys = createApiKeys({ db, events: NO_EVENTS, clock, environment: 'development', peppers })
    return (await keys.verify(key)) !== undefined
  }
  return { ...made, ...services, clock, db, works }
}

const error = (status: number, code: string, message: RegExp | StringConstructor = String) => ({
  status,
  body: { error: message, code },
})

t.test('POST /api-keys creates a key whose secret only the answer contains', async t => {
  const { ask, ada, works, db } = await fixture(t)
  const body = { name: 'Build', expires_at: '2026-12-01T00:00:00+01:00', monthly_cap_micros: 5_000_000 }
  const made = await ask('ada.b.c', 'POST', '/api-keys', { body })
  t.match(made, {
    status: 201,
    body: {
      id: /^key_/,
      name: 'Build',
      user_id: ada.userId,
      agent_id: null,
      status: 'active',
      expires_at: '2026-11-30T23:00:00.000Z',
      monthly_cap_micros: 5_000_000,
      spent_this_month_micros: 0,
      last_used_at: null,
      previous: null,
      key: /^cgw_dev_/,
    },
  })
  t.ok(await works(made.body.key))
  t.match(await ask('ada.b.c', 'GET', '/api-keys'), { status: 200, body: { next_cursor: null } })
  t.notMatch(JSON.stringify((await ask('ada.b.c', 'GET', '/api-keys')).body), made.body.key)
  t.notMatch(JSON.stringify(await everyRow(db)), made.body.key.slice(12, -6))
})

t.test('a repetition with the same Idempotency-Key makes no second key and shows no secret', async t => {
  const { ask } = await fixture(t)
  const post = () =>
    ask('ada.b.c', 'POST', '/api-keys', { body: { name: 'Build' }, headers: { 'idempotency-key': 'k' } })
  const [first, second] = [await post(), await post()]
  t.equal(second.body.id, first.body.id)
  t.notOk('key' in second.body)
  t.equal((await ask('ada.b.c', 'GET', '/api-keys')).body.api_keys.length, 1)
})

t.test('members see and change their own keys and those of their agents, admins all', async t => {
  const { ask, ada, bob } = await fixture(t)
  const agent = await bob.agent()
  const own = (await ask('bob.b.c', 'POST', '/api-keys', { body: {} })).body.id
  const ofAgent = await ask('bob.b.c', 'POST', '/api-keys', { body: { agent_id: agent.id } })
  t.match(ofAgent, { status: 201, body: { agent_id: agent.id, user_id: bob.userId } })
  const byAdmin = await ask('ada.b.c', 'POST', '/api-keys', { body: { agent_id: agent.id } })
  t.match(byAdmin, { status: 201, body: { user_id: bob.userId } }, 'an admin makes keys for every agent')
  const adas = await ada.key()
  const listed = async (who: string, query = '') =>
    (await ask(who, 'GET', `/api-keys${query}`)).body.api_keys.map(({ id }: { id: string }) => id).sort()
  t.same(await listed('bob.b.c'), [own, ofAgent.body.id, byAdmin.body.id].sort())
  t.same(await listed('bob'), await listed('bob.b.c'), 'an API key lists too')
  t.same(await listed('ada.b.c'), [own, ofAgent.body.id, byAdmin.body.id, adas.id].sort())
  t.same(await listed('bob.b.c', `?agent_id=${agent.id}`), [ofAgent.body.id, byAdmin.body.id].sort())
  t.match(await ask('bob.b.c', 'PATCH', `/api-keys/${own}`, { body: { name: 'New' } }), { body: { name: 'New' } })
  t.match(await ask('ada.b.c', 'DELETE', `/api-keys/${own}`), { status: 204 })
  for (const [method, path, body] of [
    ['PATCH', '', { name: 'x' }],
    ['DELETE', '', undefined],
    ['POST', '/rotate', {}],
  ] as const)
    for (const [who, id] of [
      ['bob.b.c', adas.id],
      ['eve.b.c', adas.id],
      ['ada.b.c', 'key_1'],
    ] as const)
      t.match(
        await ask(who, method, `/api-keys/${id}${path}`, body === undefined ? {} : { body }),
        error(404, 'NOT_FOUND', `There is no key ${id}.` as never),
      )
  const foreign = await ask('eve.b.c', 'POST', '/api-keys', { body: { agent_id: agent.id } })
  t.match(foreign, error(404, 'NOT_FOUND', /There is no agent/))
  t.match(await ask('eve.b.c', 'GET', `/api-keys?agent_id=${agent.id}`), error(404, 'NOT_FOUND'))
})

t.test('writes need a signed-in member', async t => {
  const { ask, ada } = await fixture(t)
  const { id } = await ada.key()
  for (const [method, url, body] of [
    ['POST', '/api-keys', {}],
    ['PATCH', `/api-keys/${id}`, { name: 'x' }],
    ['DELETE', `/api-keys/${id}`, undefined],
    ['POST', `/api-keys/${id}/rotate`, {}],
    ['POST', '/api-keys/claim', { token: 'a'.repeat(43) }],
  ] as const) {
    const sent = body === undefined ? {} : { body }
    t.match(await ask('ada', method, url, sent), error(403, 'SESSION_REQUIRED'), `${method} ${url}`)
    t.match(await ask('agent', method, url, sent), error(403, 'SESSION_REQUIRED'))
    t.match(await ask('gone.b.c', method, url, sent), error(403, 'MEMBERSHIP_REVOKED'))
    t.match(await ask('a.b.c', method, url, sent), { status: 400, body: { error: 'no_active_org', message: String } })
  }
})

t.test('an invalid field is named', async t => {
  const { ask, ada } = await fixture(t)
  const { id } = await ada.key()
  const cases: [object, RegExp][] = [
    [{ name: '' }, /`name`/],
    [{ name: ' ' }, /`name`/],
    [{ name: 'a\nb' }, /`name`/],
    [{ name: 'x'.repeat(101) }, /`name`/],
    [{ name: 'Build\u{e0069}\u{e0067}' }, /`name`.*invisible/],
    [{ name: '⚙\ufe0f\ufe0f\ufe0f' }, /`name`.*invisible/],
    [{ expires_at: 'tomorrow' }, /`expires_at`/],
    [{ expires_at: '2020-01-01T00:00:00Z' }, /must be in the future/],
    [{ expires_at: '2027-02-31T00:00:00Z' }, /2027-02-31, a day that does not exist/],
    [{ expires_at: '9999-12-31T23:59:59-00:01' }, /year 9999 or before/],
    [{ monthly_cap_micros: -1 }, /`monthly_cap_micros`/],
    [{ monthly_cap_micros: 1.5 }, /`monthly_cap_micros`/],
    [{ monthly_cap_micros: '5' }, /`monthly_cap_micros`/],
    [{ monthly_cap_micros: 2 ** 53 }, /`monthly_cap_micros`/],
    [{ nmae: 'x' }, /`nmae`.*`name`/],
  ]
  for (const [body, message] of cases) {
    t.match(await ask('ada.b.c', 'POST', '/api-keys', { body }), error(400, 'INVALID_REQUEST', message))
    t.match(await ask('ada.b.c', 'PATCH', `/api-keys/${id}`, { body }), error(400, 'INVALID_REQUEST', message))
  }
  t.match(await ask('ada.b.c', 'PATCH', `/api-keys/${id}`, { body: { name: '⚙\ufe0f Bau' } }), { status: 200 })
  t.match(await ask('ada.b.c', 'PATCH', `/api-keys/${id}`, { body: {} }), error(400, 'INVALID_REQUEST'))
  for (const seconds of [-1, 604_801, 0.5, '1'])
    t.match(
      await ask('ada.b.c', 'POST', `/api-keys/${id}/rotate`, { body: { overlap_seconds: seconds } }),
      error(400, 'INVALID_REQUEST', /overlap_seconds/),
    )
  for (const query of ['limit=0', 'limit=201', 'cursor=x', 'unknown=1'])
    t.match(await ask('ada.b.c', 'GET', `/api-keys?${query}`), error(400, 'INVALID_REQUEST'), query)
})

t.test('PATCH changes the name, the expiry and the cap, null removes, and each change is audited', async t => {
  const { ask, ada, db } = await fixture(t)
  const { id } = await ada.key()
  const patch = (body: object) => ask('ada.b.c', 'PATCH', `/api-keys/${id}`, { body })
  const all = { name: 'CI', expires_at: '2027-01-01T00:00:00.000Z', monthly_cap_micros: 0 }
  t.match(await patch(all), { status: 200, body: all })
  t.match(await patch({ expires_at: null, monthly_cap_micros: null }), {
    body: { name: 'CI', expires_at: null, monthly_cap_micros: null },
  })
  const audit = acrossOrgs(db).selectFrom('audit').where('target', '=', id).orderBy('id').select(['action', 'user_id'])
  t.same((await audit.execute()).map(({ action, user_id }) => [action, user_id]).sort(), [
    ['key.cap', ada.userId],
    ['key.cap', ada.userId],
    ['key.create', null],
    ['key.expiry', ada.userId],
    ['key.expiry', ada.userId],
    ['key.rename', ada.userId],
  ])
  await ask('ada.b.c', 'DELETE', `/api-keys/${id}`)
  t.match(await patch({ name: 'x' }), error(400, 'INVALID_REQUEST', /is revoked.*Create another key/))
})

t.test('a rotated key keeps its ID and cap, and its old secret works for the overlap', async t => {
  const { ask, works, clock } = await fixture(t)
  const made = (await ask('ada.b.c', 'POST', '/api-keys', { body: { monthly_cap_micros: 7 } })).body
  const rotate = async (overlap_seconds?: number) =>
    (await ask('ada.b.c', 'POST', `/api-keys/${made.id}/rotate`, { body: { overlap_seconds } })).body
  const second = await rotate(60)
  t.match(second, {
    id: made.id,
    monthly_cap_micros: 7,
    last4: second.key.slice(-4),
    previous: { last4: made.last4, expires_at: new Date(clock.now() + 60_000).toISOString() },
  })
  t.same([await works(made.key), await works(second.key)], [true, true])
  clock.advance(59_999)
  t.ok(await works(made.key))
  clock.advance(1)
  t.same([await works(made.key), await works(second.key)], [false, true])
  t.match(await ask('ada.b.c', 'GET', '/api-keys'), { body: { api_keys: [{ previous: null }] } })

  const third = await rotate(3_600)
  const fourth = await rotate(3_600)
  t.same(await Promise.all([second, third, fourth].map(({ key }) => works(key))), [false, true, true], 'two at most')
  const fifth = await rotate()
  t.same(await Promise.all([third, fourth, fifth].map(({ key }) => works(key))), [false, false, true])
  await rotate(3_600)
  await ask('ada.b.c', 'DELETE', `/api-keys/${made.id}`)
  t.notOk(await works(fifth.key), 'a revocation also ends the overlap')
  const refused = await ask('ada.b.c', 'POST', `/api-keys/${made.id}/rotate`, { body: {} })
  t.match(refused, error(400, 'INVALID_REQUEST', /is revoked/))
})

t.test('an overlap does not outlive the expiry of the key', async t => {
  const { ask, works, clock } = await fixture(t)
  const expires_at = new Date(clock.now() + 1_000).toISOString()
  const made = (await ask('ada.b.c', 'POST', '/api-keys', { body: { expires_at } })).body
  await ask('ada.b.c', 'POST', `/api-keys/${made.id}/rotate`, { body: { overlap_seconds: 60 } })
  t.ok(await works(made.key))
  clock.advance(1_000)
  t.notOk(await works(made.key))
  const expired = await ask('ada.b.c', 'POST', `/api-keys/${made.id}/rotate`, { body: {} })
  t.match(expired, error(400, 'INVALID_REQUEST', /has expired. Create another key/))
})

t.test('a member has at most 100 usable keys, those of agents included', async t => {
  const { ask, bob, keys } = await fixture(t)
  const { id } = await bob.agent()
  for (let i = 0; i < 99; i++) await bob.key(i % 2 === 0 ? {} : { agentId: id })
  t.match(await ask('bob.b.c', 'POST', '/api-keys', { body: {} }), { status: 201 })
  const full = error(400, 'INVALID_REQUEST', /can have 100 keys. Revoke one/)
  t.match(await ask('bob.b.c', 'POST', '/api-keys', { body: {} }), full)
  t.match(await ask('ada.b.c', 'POST', '/api-keys', { body: { agent_id: id } }), full)
  const [one] = await keys.list(bob.orgId)
  await ask('bob.b.c', 'DELETE', `/api-keys/${one?.id}`)
  t.match(await ask('bob.b.c', 'POST', '/api-keys', { body: {} }), { status: 201 })
})

t.test('a claim creates a key once, for the member who asked, within 10 minutes', async t => {
  const { ask, ada, keyClaims, works, clock, db, keys } = await fixture(t)
  const claim = (who: string, token: string) => ask(who, 'POST', '/api-keys/claim', { body: { token } })
  const tokenOf = ({ link }: { link: string | null }) => `${link}`.split('#')[1] ?? ''
  const pending = await keyClaims.request(ada.caller, { create: { name: 'Asked', monthlyCapMicros: 3 } })
  t.match(pending.link, /^https:\/\/dashboard\.example\/keys\/claim#[\w-]{43}$/)
  t.same(await keys.list(ada.orgId), [], 'nothing of the key exists before')
  const token = tokenOf(pending)
  t.notMatch(JSON.stringify(await everyRow(db)), token)

  for (const who of ['bob.b.c', 'eve.b.c']) t.match(await claim(who, token), error(404, 'NOT_FOUND'))
  t.match(await claim('ada.b.c', 'a'.repeat(43)), error(404, 'NOT_FOUND'))
  t.match(await claim('ada.b.c', 'short'), error(400, 'INVALID_REQUEST'))
  const answers = await Promise.all(Array.from({ length: 50 }, () => claim('ada.b.c', token)))
  const [made, ...others] = answers.filter(({ status }) => status === 201)
  t.equal(others.length, 0, 'of 50 at once, one creates the key')
  t.match(made?.body, { name: 'Asked', monthly_cap_micros: 3, user_id: ada.userId })
  t.ok(await works(made?.body.key))
  t.match(await claim('ada.b.c', token), error(400, 'INVALID_REQUEST', /was already used/))
  t.equal((await keys.list(ada.orgId)).length, 1)

  const late = tokenOf(await keyClaims.request(ada.caller, { rotate: { id: made?.body.id, overlapSeconds: 60 } }))
  clock.advance(10 * 60_000)
  t.match(await claim('ada.b.c', late), error(400, 'INVALID_REQUEST', /has expired/))
  const rotation = tokenOf(await keyClaims.request(ada.caller, { rotate: { id: made?.body.id, overlapSeconds: 60 } }))
  const rotated = await claim('ada.b.c', rotation)
  t.match(rotated, { status: 201, body: { id: made?.body.id, previous: { last4: made?.body.last4 } } })
  t.same([await works(made?.body.key), await works(rotated.body.key)], [true, true])
})

t.test('a claim grants nothing that its member may not do any more', async t => {
  const { bob, ada, members, agents, keyClaims, keys } = await fixture(t)
  const agent = await bob.agent()
  const tokenOf = ({ link }: { link: string | null }) => `${link}`.split('#')[1] ?? ''
  const forAgent = tokenOf(await keyClaims.request(bob.caller, { create: { agentId: agent.id } }))
  await agents.assign(agent.id, ada.userId, { by: 'operator' })
  await t.rejects(keyClaims.redeem(forAgent, bob.caller), { code: 'not_found', message: /There is no agent/ })
  const own = tokenOf(await keyClaims.request(bob.caller, { create: {} }))
  await members.remove({ ...bob, by: 'operator' })
  await t.rejects(keyClaims.redeem(own, 'operator'), { code: 'not_found', message: /has left/ })
  t.same(await keys.list(bob.orgId), [])
  await t.rejects(keyClaims.request(ada.caller, { rotate: { id: 'key_1', overlapSeconds: 0 } }), { code: 'not_found' })
  await t.rejects(keyClaims.request(ada.caller, { create: { agentId: 'agt_1' } }), { code: 'not_found' })
})

t.test('a link is refused when it is asked for if opening it would fail', async t => {
  const { ada, agents, keys, keyClaims, clock } = await fixture(t)
  const by = 'operator' as const
  const refused = (request: Parameters<typeof keyClaims.request>[1], message: RegExp) =>
    t.rejects(keyClaims.request(ada.caller, request), { code: 'invalid_request', message })
  await refused({ create: { expiresAt: new Date(clock.now()) } }, /must be in the future/)
  const agent = await ada.agent()
  await agents.retire(agent.id, { by })
  await refused({ create: { agentId: agent.id } }, /is retired/)
  const { id } = await ada.key({ expiresAt: new Date(clock.now() + 1) })
  clock.advance(1)
  await refused({ rotate: { id, overlapSeconds: 0 } }, /has expired/)
  await keys.revoke(id, { by })
  await refused({ rotate: { id, overlapSeconds: 0 } }, /is revoked/)
})

t.test('a link for a key of another organization names the one to choose, and stays usable', async t => {
  const { ask, bob, eve, members, keyClaims, keys } = await fixture(t)
  const caller = { userId: bob.userId, orgId: eve.orgId, role: 'member' as const }
  await members.add({ ...caller, by: 'operator' })
  const token = `${(await keyClaims.request(caller, { create: {} })).link}`.split('#')[1] ?? ''
  const claim = (who: string) => ask(who, 'POST', '/api-keys/claim', { body: { token } })
  t.match(
    await claim('bob.b.c'),
    error(404, 'NOT_FOUND', new RegExp(`${eve.orgId}. Choose that organization with PATCH /me`)),
  )
  const { body } = await claim('eve.b.c')
  t.match(body, { code: 'NOT_FOUND', error: /is for another member/ })
  t.notMatch(body.error, bob.userId)
  const { id } = await keyClaims.redeem(token, caller)
  t.match(await keys.find(eve.orgId, id), { userId: bob.userId })
})

t.test('of 50 keys that are created at once, those above the limit are refused', async t => {
  const { ask, bob, keys } = await fixture(t)
  for (let i = 0; i < 95; i++) await bob.key()
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask('bob.b.c', 'POST', '/api-keys', { body: {} })))
  t.equal(answers.filter(({ status }) => status === 201).length, 5)
  t.equal((await keys.list(bob.orgId)).length, 100)
})

t.test('of 50 rotations at once, the last secret and the one before it are valid', async t => {
  const { ask, ada, works } = await fixture(t)
  const { id, key } = await ada.key()
  const rotate = () => ask('ada.b.c', 'POST', `/api-keys/${id}/rotate`, { body: { overlap_seconds: 60 } })
  const answers = await Promise.all(Array.from({ length: 50 }, rotate))
  const secrets = [key, ...answers.map(({ body }) => body.key)]
  t.equal(new Set(secrets).size, 51)
  const valid = await Promise.all(secrets.map(works))
  t.equal(valid.filter(Boolean).length, 2)
})

t.test('a request with the role of 10 s ago changes no key: an admin who was removed, or is a member now', async t => {
  const { ask, ada, bob, members, works } = await fixture(t)
  const agent = await bob.agent()
  const { id, key } = await bob.key()
  const by = 'operator' as const
  const hidden = error(404, 'NOT_FOUND')
  const attempts = async () => {
    t.match(await ask('ada.b.c', 'POST', `/api-keys/${id}/rotate`, { body: {} }), hidden)
    t.match(await ask('ada.b.c', 'PATCH', `/api-keys/${id}`, { body: { name: 'x' } }), hidden)
    t.match(await ask('ada.b.c', 'DELETE', `/api-keys/${id}`), hidden)
    t.match(await ask('ada.b.c', 'POST', '/api-keys', { body: { agent_id: agent.id } }), hidden)
  }
  await members.setRole({ ...bob, role: 'owner', by })
  await members.setRole({ ...ada, role: 'member', by })
  await attempts()
  await members.remove({ ...ada, by })
  await attempts()
  t.match(await ask('ada.b.c', 'POST', '/api-keys', { body: {} }), error(400, 'INVALID_REQUEST', /not a member/))
  t.ok(await works(key))
})

t.test('a member makes at most 100 links for keys within 10 minutes, used ones included', async t => {
  const { ada, bob, keyClaims, clock, db } = await fixture(t)
  const request = () => keyClaims.request(bob.caller, { create: {} })
  const asked = await Promise.allSettled(Array.from({ length: 120 }, request))
  t.equal(asked.filter(({ status }) => status === 'fulfilled').length, 100)
  await t.rejects(request(), { code: 'invalid_request', message: /100 links within 10 minutes. Use one/ })
  const stored = acrossOrgs(db).selectFrom('key_claims').where('user_id', '=', bob.userId).select('id')
  t.equal((await stored.execute()).length, 100)
  await t.resolves(keyClaims.request(ada.caller, { create: {} }), 'another member is not affected')
  clock.advance(10 * 60_000)
  await t.resolves(request())
})

/** All rows that could hold a secret of a key. */
async function everyRow(db: typeof database.db) {
  const rows = (table: 'api_keys' | 'key_claims' | 'audit' | 'idempotency') =>
    acrossOrgs(db).selectFrom(table).selectAll().execute()
  return Promise.all((['api_keys', 'key_claims', 'audit', 'idempotency'] as const).map(rows))
}
