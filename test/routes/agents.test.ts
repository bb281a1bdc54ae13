import t, { type Test } from 'tap'
import { newsHeard } from '../fixtures/database.ts'
import { rejected, sessionFixture } from '../fixtures/session-fixture.ts'

const UNKNOWN = `agt_${'0'.repeat(32)}`

/** An organization with an owner, an admin and two members, and another one with an owner. */
async function fixture(t: Test) {
  const made = await sessionFixture(t)
  const { newOrg, join, ask, services, clock } = made
  const orgId = await newOrg()
  const people = {
    owner: await join(orgId, 'owner', 'owner'),
    admin: await join(orgId, 'admin', 'admin'),
    bob: await join(orgId, 'bob'),
    eve: await join(orgId, 'eve'),
    stranger: await join(await newOrg('Looms'), 'stranger', 'owner'),
  }
  type Name = keyof typeof people
  const as = (who: Name, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path = '', body?: object) => {
    clock.advance(1) // IDs of one millisecond have no order
    return ask(people[who].token, method, `/agents${path}`, body && { body })
  }
  /** Creates an agent over HTTP. Returns its ID. */
  const create = async (who: Name, name = 'Helper'): Promise<string> => (await as(who, 'POST', '', { name })).body.id
  const keyOf = async (who: Name, agentId?: string) =>
    (await services.keys.create({ orgId, userId: people[who].userId, by: 'operator', ...(agentId && { agentId }) })).key
  return { ...made, orgId, people, as, create, keyOf }
}

t.test('POST /agents creates an agent that the caller owns, and an admin names another owner', async t => {
  const { as, people, audited, orgId } = await fixture(t)
  const made = await as('bob', 'POST', '', { name: 'Helper' })
  t.match(made, {
    status: 201,
    body: { id: /^agt_/, name: 'Helper', owner: people.bob.userId, status: 'active', orphaned: false },
  })
  t.same((await as('bob', 'GET', `/${made.body.id}`)).body, made.body)
  t.match(await as('bob', 'POST', '', { name: 'Mine', owner: people.bob.userId }), { status: 201 })
  t.match(
    await as('bob', 'POST', '', { name: 'Hers', owner: people.eve.userId }),
    rejected(403, 'FORBIDDEN', /can choose the owner/),
  )
  t.match(await as('admin', 'POST', '', { name: 'Hers', owner: people.eve.userId }), {
    status: 201,
    body: { owner: people.eve.userId },
  })
  t.match(await audited(orgId, 'agent.create'), [
    { user_id: people.bob.userId, target: made.body.id, detail: { name: 'Helper', ownerId: people.bob.userId } },
    { user_id: people.bob.userId },
    { user_id: people.admin.userId, detail: { name: 'Hers', ownerId: people.eve.userId } },
  ])
})

t.test('POST /agents runs once per Idempotency-Key', async t => {
  const { ask, people, as } = await fixture(t)
  const post = (name: string) =>
    ask(people.bob.token, 'POST', '/agents', { body: { name }, headers: { 'idempotency-key': 'once' } })
  const first = await post('Helper')
  const again = await post('Helper')
  t.same(again.body, first.body)
  t.match(again, { status: 201, headers: { 'idempotent-replayed': 'true' } })
  t.match(await post('Other'), rejected(409, 'IDEMPOTENCY_CONFLICT', /used for a different request/))
  t.equal((await as('bob', 'GET')).body.agents.length, 1)
})

t.test(
  'a member can have 100 agents, of which retired ones do not count, and the operator may create more',
  async t => {
    const { as, create, services, orgId, people, ask } = await fixture(t)
    const first = await create('bob')
    const { userId: ownerId } = people.bob
    for (let i = 1; i < 100; i++) await services.agents.create({ orgId, ownerId, name: `Helper ${i}`, by: 'operator' })
    const full = rejected(400, 'INVALID_REQUEST', /can have at most 100 agents/)
    t.match(await as('bob', 'POST', '', { name: 'One more' }), full)
    t.match(await as('admin', 'POST', '', { name: 'One more', owner: ownerId }), full)
    t.match(await as('eve', 'POST', '', { name: 'Hers' }), { status: 201 })
    t.match(await as('bob', 'DELETE', `/${first}`), { status: 204 })
    t.match(await as('bob', 'POST', '', { name: 'One more' }), { status: 201 })
    t.ok(await services.agents.create({ orgId, ownerId, name: 'By the operator', by: 'operator' }))

    const seen = new Set<string>()
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`
      const { body } = await ask(people.bob.token, 'GET', `/agents?limit=40${query}`)
      for (const { id } of body.agents) seen.add(id)
      cursor = body.next_cursor
    } while (cursor !== null)
    t.equal(seen.size, 102, 'the pages have neither gaps nor repetitions')
  },
)

t.test('GET /agents shows members the agents that they own, and admins all of the organization', async t => {
  const { as, create, ask, keyOf } = await fixture(t)
  const [one, other] = [await create('bob', 'One'), await create('eve', 'Other')]
  const idsOf = async (who: Parameters<typeof as>[0]) =>
    (await as(who, 'GET')).body.agents.map(({ id }: { id: string }) => id)
  t.same(await idsOf('bob'), [one])
  t.same(await idsOf('admin'), [other, one])
  t.same(await idsOf('owner'), [other, one])
  t.same(await idsOf('stranger'), [])
  t.same(
    (await ask(await keyOf('bob', one), 'GET', '/agents')).body.agents.map(({ id }: { id: string }) => id),
    [one],
    'an agent’s key sees what its owner sees',
  )
  t.match(await ask(await keyOf('bob'), 'GET', `/agents/${one}`), { status: 200, body: { id: one } })
})

t.test('an agent of somebody else is NOT_FOUND for a member, in another organization for an admin', async t => {
  const { as, create, services, orgId } = await fixture(t)
  const id = await create('bob')
  for (const [who, agent] of [
    ['eve', id],
    ['stranger', id],
    ['bob', UNKNOWN],
    ['admin', UNKNOWN],
    ['admin', 'x'],
  ] as const) {
    const missing = rejected(404, 'NOT_FOUND', new RegExp(`^There is no agent ${agent}\\.$`))
    t.match(await as(who, 'GET', `/${agent}`), missing, who)
    t.match(await as(who, 'PATCH', `/${agent}`, { status: 'suspended' }), missing, who)
    t.match(await as(who, 'DELETE', `/${agent}`), missing, who)
  }
  t.match(await services.agents.find(orgId, id), { status: 'active' })
})

t.test('PATCH /agents/:id renames, suspends and resumes, with an audit row for each change', async t => {
  const { as, create, audited, orgId, people } = await fixture(t)
  const id = await create('bob')
  t.match(await as('bob', 'PATCH', `/${id}`, { name: 'Renamed', status: 'suspended' }), {
    status: 200,
    body: { id, name: 'Renamed', status: 'suspended', orphaned: false },
  })
  t.match(await as('bob', 'PATCH', `/${id}`, { name: 'Renamed' }), { status: 200 }, 'repeating it changes nothing')
  t.match(await audited(orgId, 'agent.rename'), [
    { user_id: people.bob.userId, target: id, detail: { name: 'Renamed', before: 'Helper' } },
  ])
  t.equal((await audited(orgId, 'agent.rename')).length, 1)
  t.match(await as('admin', 'PATCH', `/${id}`, { status: 'active' }), { status: 200, body: { status: 'active' } })
  t.match(await as('admin', 'PATCH', `/${id}`, { status: 'suspended' }), { status: 200 })
  t.match(
    await as('bob', 'PATCH', `/${id}`, { status: 'active' }),
    { status: 200, body: { status: 'active' } },
    'its owner resumes an agent whoever suspended it',
  )
})

t.test('only an admin gives an agent to somebody else, a member of the organization', async t => {
  const { as, create, people, audited, orgId } = await fixture(t)
  const id = await create('bob')
  t.match(
    await as('bob', 'PATCH', `/${id}`, { owner: people.eve.userId }),
    rejected(403, 'FORBIDDEN', /can choose the owner/),
  )
  t.match(await as('bob', 'PATCH', `/${id}`, { owner: people.bob.userId }), { status: 200 }, 'no change')
  t.equal((await audited(orgId, 'agent.assign')).length, 0)
  for (const owner of [people.stranger.userId, `usr_${'0'.repeat(32)}`, 'x'])
    for (const answer of [
      await as('admin', 'PATCH', `/${id}`, { owner, name: 'Not stored' }),
      await as('admin', 'POST', '', { name: 'Nobody’s', owner }),
    ])
      t.match(answer, rejected(400, 'INVALID_REQUEST', new RegExp(`^${owner} is not a member of ${orgId}\\.$`)))
  t.match(await as('admin', 'PATCH', `/${id}`, { owner: people.eve.userId, status: 'suspended' }), {
    status: 200,
    body: { owner: people.eve.userId, name: 'Helper', status: 'suspended' },
  })
  t.match(await as('bob', 'GET', `/${id}`), rejected(404, 'NOT_FOUND'))
  t.match(await as('eve', 'GET', `/${id}`), { status: 200 })
})

t.test('an admin whose role is gone changes no agent of others, also before a process hears of it', async t => {
  const { services, create, people, orgId } = await fixture(t)
  const { memberAgents, members } = services
  const [bobs, own] = [await create('bob'), await create('admin')]
  const { userId } = people.admin
  // The caller of a request that began before the change.
  const caller = { userId, orgId, role: 'admin' as const }
  await members.setRole({ orgId, userId, role: 'member', by: 'operator' })
  const eve = people.eve.userId
  const signIn = { issuer: 'https://issuer.example', subject: 'robot' }
  await t.rejects(memberAgents.update(caller, own, { ownerId: eve }), { code: 'admin_required' })
  await t.rejects(memberAgents.create(caller, { name: 'Eve’s', ownerId: eve }), { code: 'admin_required' })
  await t.rejects(memberAgents.link(caller, own, signIn), { code: 'admin_required' })
  await members.remove({ orgId, userId, by: 'operator' })
  for (const id of [bobs, own]) {
    await t.rejects(memberAgents.update(caller, id, { name: 'x' }), { code: 'not_found' })
    await t.rejects(memberAgents.retire(caller, id), { code: 'not_found' })
  }
})

t.test('an agent whose owner left waits for an admin to name a new owner', async t => {
  const { as, create, services, orgId, people } = await fixture(t)
  const id = await create('bob')
  await services.members.remove({ orgId, userId: people.bob.userId, by: 'operator' })
  t.match(await as('admin', 'GET', `/${id}`), { body: { status: 'suspended', orphaned: true } })
  t.match(
    await as('admin', 'PATCH', `/${id}`, { status: 'active' }),
    rejected(400, 'INVALID_REQUEST', /has left the organization\. An owner or an admin can give it a new one\.$/),
  )
  t.match(await as('admin', 'PATCH', `/${id}`, { owner: people.eve.userId }), {
    body: { status: 'active', orphaned: false, owner: people.eve.userId },
  })
})

t.test('DELETE /agents/:id retires: its key answers 403 agent_retired at once, and 401 within 60 s', async t => {
  const { as, create, ask, keyOf, clock, services } = await fixture(t)
  const id = await create('bob')
  const key = await keyOf('bob', id)
  t.match(await ask(key, 'GET', '/agents'), { status: 200 })
  t.match(await as('bob', 'DELETE', `/${id}`), { status: 204, body: '' })
  await newsHeard(services.database)
  t.match(await ask(key, 'GET', '/agents'), { status: 403, body: { error: { code: 'agent_retired' } } })
  clock.advance(60_000)
  await services.jobs.runDue()
  t.match(await ask(key, 'GET', '/agents'), { status: 401, body: { error: { code: 'invalid_api_key' } } })

  t.match(await as('bob', 'GET', `/${id}`), { status: 200, body: { status: 'retired' } })
  const permanent = rejected(400, 'INVALID_REQUEST', /is retired, which is permanent\. Create another agent\.$/)
  t.match(await as('bob', 'PATCH', `/${id}`, { status: 'active' }), permanent)
  t.match(await as('admin', 'PATCH', `/${id}`, { name: 'Again' }), permanent)
  t.match(await as('bob', 'DELETE', `/${id}`), permanent)
})

t.test('writes need a session, and every route an organization', async t => {
  const { ask, create, keyOf, signIn } = await fixture(t)
  const id = await create('bob')
  const writes = [
    ['POST', '/agents', { name: 'x' }],
    ['PATCH', `/agents/${id}`, { name: 'x' }],
    ['DELETE', `/agents/${id}`],
  ] as const
  for (const key of [await keyOf('bob'), await keyOf('bob', id)])
    for (const [method, url, body] of writes)
      t.match(await ask(key, method, url, body && { body }), rejected(403, 'SESSION_REQUIRED'), `${method} ${url}`)
  const nobody = await signIn('nobody')
  for (const [method, url, body] of [...writes, ['GET', '/agents'], ['GET', `/agents/${id}`]] as const)
    t.match(await ask(nobody, method, url, body && { body }), { status: 400, body: { error: 'no_active_org' } })
})

t.test('a suspended agent gets 403 agent_suspended, and a removed member 403 MEMBERSHIP_REVOKED', async t => {
  const { ask, as, create, keyOf, services, orgId, people } = await fixture(t)
  const id = await create('bob')
  t.match(await as('bob', 'PATCH', `/${id}`, { status: 'suspended' }), { status: 200 })
  t.match(await ask(await keyOf('bob', id), 'GET', '/agents'), {
    status: 403,
    body: { error: { code: 'agent_suspended' } },
  })
  await services.members.remove({ orgId, userId: people.eve.userId, by: 'operator' })
  t.match(await as('eve', 'GET'), rejected(403, 'MEMBERSHIP_REVOKED'))
})

t.test('an invalid request is answered with the name of the field', async t => {
  const { as, create } = await fixture(t)
  const id = await create('bob')
  for (const [body, field] of [
    [{}, /name/],
    [{ name: '' }, /name/],
    [{ name: ' ' }, /name/],
    [{ name: 'a\u202eb' }, /name/],
    [{ name: 'a\u{e0069}b' }, /`name`.*invisible/],
    [{ name: 'x'.repeat(101) }, /name/],
    [{ name: 7 }, /name/],
    [{ name: 'x', status: 'active' }, /status/],
    [{ name: 'x', owner: 7 }, /owner/],
  ] as const)
    t.match(await as('bob', 'POST', '', body), rejected(400, 'INVALID_REQUEST', field), JSON.stringify(body))
  for (const [body, field] of [
    [{}, /at least|empty|fewer/],
    [{ status: 'retired' }, /status/],
    [{ name: 'a\nb' }, /name/],
    [{ name: 'a\u{e0069}b' }, /`name`.*invisible/],
    [{ color: 'red' }, /color/],
  ] as const)
    t.match(await as('bob', 'PATCH', `/${id}`, body), rejected(400, 'INVALID_REQUEST', field), JSON.stringify(body))
  t.match(await as('bob', 'GET', '?limit=0'), rejected(400, 'INVALID_REQUEST', /limit/))
  t.match(await as('bob', 'GET', '?cursor=x'), rejected(400, 'INVALID_REQUEST', /cursor/))
})
