import t, { type Test } from 'tap'
import { acrossOrgs } from '../../../lib/database/tenant.ts'
import { build } from '../../fixtures/build.ts'
import { testDatabase } from '../../fixtures/database.ts'
import { directory, directoryServices } from '../../fixtures/directory.ts'
import { testClock } from '../../fixtures/fixture.ts'

async function fixture(t: Test) {
  const { db } = await testDatabase(t)
  const clock = testClock(Date.now())
  const services = directoryServices(db, clock)
  const { agents, keys } = services
  return {
    ...services,
    db,
    clock,
    directory: directory(services),
    agent: async (orgId: string, agentId: string) => (await agents.list(orgId)).find(({ id }) => id === agentId),
    key: async (orgId: string, keyId: string) => (await keys.list(orgId)).find(({ id }) => id === keyId),
    /** What was done to one thing and by whom; rows of one instant have no order. */
    async audit(target: string) {
      const rows = await acrossOrgs(db).selectFrom('audit').where('target', '=', target).selectAll().execute()
      return rows.map(({ action, user_id }) => `${action} by ${user_id}`).sort()
    },
  }
}

const retired = { code: 'invalid_request', message: /is retired/ }

t.test('an agent is suspended and resumed, with an audit row for each change', async t => {
  const { agents, directory, agent, audit } = await fixture(t)
  const [ada] = await directory.members('owner')
  const { id } = await agents.create({ orgId: ada.orgId, ownerId: ada.userId, name: 'Helper', by: ada })
  t.match(await agent(ada.orgId, id), { name: 'Helper', ownerId: ada.userId, status: 'active', orphaned: false })
  for (const status of ['suspended', 'suspended', 'active', 'active'] as const) {
    await agents.setStatus(id, status, { by: ada })
    t.match(await agent(ada.orgId, id), { status })
  }
  t.same(
    await audit(id),
    ['create', 'resume', 'suspend'].map(verb => `agent.${verb} by ${ada.userId}`),
  )
})

t.test('an agent does not exist for users of other organizations', async t => {
  const { agents, directory, agent, audit } = await fixture(t)
  const [ada] = await directory.members('owner')
  const [eve] = await directory.members('owner')
  const own = await ada.agent()
  const change = { by: eve }
  for (const id of [own.id, 'agt_1']) {
    const unknown = { code: 'not_found', message: `There is no agent ${id}.` }
    await t.rejects(agents.setStatus(id, 'suspended', change), unknown)
    await t.rejects(agents.retire(id, change), unknown)
    await t.rejects(agents.assign(id, eve.userId, change), unknown)
  }
  t.match(await agent(ada.orgId, own.id), { status: 'active', ownerId: ada.userId })
  t.same(await audit(own.id), ['agent.create by null'])
  t.same(await agents.list(eve.orgId), [])
  await t.rejects(agents.list('org_1'), { message: 'There is no organization org_1.' })
})

t.test('an agent whose owner left waits for a new owner, who gets its keys', async t => {
  const { agents, keys, members, directory, agent, key, audit } = await fixture(t)
  const [ada, eve] = await directory.members('owner', 'member')
  const { orgId } = ada
  const { id } = await eve.agent()
  const [live, revoked, own] = [await eve.key({ agentId: id }), await eve.key({ agentId: id }), await eve.key()]
  await keys.revoke(revoked.id, { by: 'operator' })
  await members.remove({ ...eve, by: 'operator' })
  t.match(await agent(orgId, id), { status: 'suspended', orphaned: true })
  await t.rejects(agents.setStatus(id, 'active', { by: 'operator' }), {
    code: 'invalid_request',
    message: `The owner of agent ${id} has left the organization. Give the agent a new owner: npm run -s cli -- agent assign ${id} --owner EMAIL`,
  })
  await t.rejects(agents.assign(id, eve.userId, { by: 'operator' }), {
    code: 'invalid_request',
    message: /is not a member of/,
  })

  await agents.assign(id, ada.userId, { by: ada })
  t.match(await agent(orgId, id), { status: 'active', orphaned: false, ownerId: ada.userId })
  t.match(await key(orgId, live.id), { userId: ada.userId, agentId: id, revokedAt: null })
  t.match(await key(orgId, revoked.id), { userId: eve.userId, revokedAt: Date }, 'history stays as it was')
  t.match(await key(orgId, own.id), { userId: eve.userId, revokedAt: Date })
  t.same(await audit(live.id), [`key.assign by ${ada.userId}`, 'key.create by null'])
  t.same(await audit(id), [
    `agent.assign by ${ada.userId}`,
    'agent.create by null',
    `agent.resume by ${ada.userId}`,
    'agent.suspend by null',
  ])
})

t.test('an agent that was suspended explicitly stays suspended under a new owner', async t => {
  const { agents, members, directory, agent } = await fixture(t)
  const [ada, eve] = await directory.members('owner', 'member')
  const [before, after, moved] = [await eve.agent(), await eve.agent(), await eve.agent()]
  await agents.assign(moved.id, ada.userId, { by: 'operator' })
  t.match(await agent(ada.orgId, moved.id), { status: 'active', ownerId: ada.userId }, 'also without a departure')

  await agents.setStatus(before.id, 'suspended', { by: 'operator' })
  await members.remove({ ...eve, by: 'operator' })
  await agents.setStatus(after.id, 'suspended', { by: 'operator' })
  for (const { id } of [before, after]) {
    await agents.assign(id, ada.userId, { by: 'operator' })
    t.match(await agent(ada.orgId, id), { status: 'suspended', orphaned: false, ownerId: ada.userId })
    await agents.setStatus(id, 'active', { by: 'operator' })
    t.match(await agent(ada.orgId, id), { status: 'active' })
  }
})

t.test('agents can be resumed after their owner returns', async t => {
  const { agents, members, directory, agent } = await fixture(t)
  const [ada, eve] = await directory.members('owner', 'member')
  const [one, other] = [await eve.agent(), await eve.agent()]
  await members.remove({ ...eve, by: 'operator' })
  await members.add({ orgId: ada.orgId, userId: eve.userId, role: 'member', by: 'operator' })
  t.match(await agent(ada.orgId, one.id), { status: 'suspended', orphaned: true }, 'not by itself')
  await agents.setStatus(one.id, 'active', { by: 'operator' })
  await agents.assign(other.id, eve.userId, { by: 'operator' })
  for (const { id } of [one, other]) t.match(await agent(ada.orgId, id), { status: 'active', orphaned: false })
})

t.test('a retired agent stays retired and gets no keys; a suspended one does', async t => {
  const { agents, directory, agent, audit } = await fixture(t)
  const [ada] = await directory.members('owner')
  const { id } = await ada.agent()
  await agents.setStatus(id, 'suspended', { by: 'operator' })
  t.ok(await ada.key({ agentId: id }))
  await agents.retire(id, { by: ada })
  t.match(await agent(ada.orgId, id), { status: 'retired', orphaned: false })
  await t.rejects(agents.retire(id, { by: 'operator' }), retired)
  await t.rejects(agents.setStatus(id, 'active', { by: 'operator' }), retired)
  await t.rejects(agents.setStatus(id, 'suspended', { by: 'operator' }), retired)
  await t.rejects(agents.assign(id, ada.userId, { by: 'operator' }), retired)
  await t.rejects(ada.key({ agentId: id }), retired)
  t.same(await audit(id), ['agent.create by null', `agent.retire by ${ada.userId}`, 'agent.suspend by null'])
})

t.test('only the keys of a retired agent are revoked, once, between 30 and 60 s later', async t => {
  const { agents, keys, jobs, directory, key, audit, clock, db } = await fixture(t)
  const [ada] = await directory.members('owner')
  const { orgId } = ada
  const [one, other] = [await ada.agent(), await ada.agent()]
  const [first, second] = [await ada.key({ agentId: one.id }), await ada.key({ agentId: one.id })]
  const [spared, own] = [await ada.key({ agentId: other.id }), await ada.key()]
  await keys.revoke(second.id, { by: 'operator' })
  const before = await key(orgId, second.id)
  await jobs.runDue()
  await agents.retire(one.id, { by: 'operator' })

  clock.advance(29_999)
  await jobs.runDue()
  t.match(await key(orgId, first.id), { revokedAt: null })
  clock.advance(1)
  t.equal(await jobs.runDue(), 1)
  t.match(await key(orgId, first.id), { revokedAt: new Date(clock.now()) })
  t.same(await key(orgId, second.id), before, 'one that was revoked already keeps its time')
  t.match(await key(orgId, spared.id), { revokedAt: null })
  t.match(await key(orgId, own.id), { revokedAt: null })

  await jobs.enqueue(db, { kind: 'agent.revoke_keys', payload: { orgId, agentId: one.id } })
  clock.advance(1_000)
  t.equal(await jobs.runDue(), 1, 'a job may run twice')
  t.match(await key(orgId, first.id), { revokedAt: new Date(clock.now() - 1_000) })
  t.same(await audit(first.id), ['key.create by null', 'key.revoke by null'])
})

t.test('what the caller of an agent sees', async t => {
  const { app, services, directory, clock } = await build(t)
  const { agents, jobs, members, database } = services
  const [ada, eve] = await directory.members('owner', 'member')

  async function ask(key: string) {
    const response = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { 'x-api-key': key, accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    })
    return response.statusCode === 200 ? 200 : `${response.statusCode} ${response.json().error.code}`
  }
  /** Makes a change, and has its event come through: on PostgreSQL it follows the commit. */
  async function heard(topic: 'agent' | 'api_key', change: () => Promise<unknown>) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = database.events.on(topic, () => setImmediate(resolve))
    await change()
    await promise
    stop()
  }

  await t.test('suspended 403, resumed 200, retired 403, and 401 once its keys are revoked', async t => {
    const agent = await eve.agent()
    const { key } = await eve.key({ agentId: agent.id })
    t.equal(await ask(key), 200)
    await heard('agent', () => agents.setStatus(agent.id, 'suspended', { by: 'operator' }))
    t.equal(await ask(key), '403 agent_suspended')
    await heard('agent', () => agents.setStatus(agent.id, 'active', { by: 'operator' }))
    t.equal(await ask(key), 200)
    await heard('agent', () => agents.retire(agent.id, { by: 'operator' }))
    t.equal(await ask(key), '403 agent_retired')
    clock.advance(29_000)
    await jobs.runDue()
    t.equal(await ask(key), '403 agent_retired')
    clock.advance(1_000)
    await heard('api_key', () => jobs.runDue())
    t.equal(await ask(key), '401 invalid_api_key')
  })

  await t.test('its owner leaves: 403 until it has a new one, then 200 in the new owner’s role', async t => {
    const agent = await eve.agent()
    const { key } = await eve.key({ agentId: agent.id })
    t.equal(await ask(key), 200)
    await heard('agent', () => members.remove({ ...eve, by: 'operator' }))
    t.equal(await ask(key), '403 agent_suspended')
    await heard('agent', () => agents.assign(agent.id, ada.userId, { by: 'operator' }))
    t.equal(await ask(key), 200)
    t.match(await services.identity.apiKeys.verify(key), { userId: ada.userId, role: 'owner', agent: { id: agent.id } })
  })
})
