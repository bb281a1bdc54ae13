import t from 'tap'
import { acrossOrgs } from '../../../lib/database/tenant.ts'
import { createAgentTokens } from '../../../services/identity/agent-tokens.ts'
import { agentFixture } from '../../fixtures/agent-fixture.ts'
import { NO_EVENTS, testClock } from '../../fixtures/fixture.ts'

t.test('an agent’s own token acts in its organization with the role of its owner, and creates no user', async t => {
  const { newOrg, join, linked, ask, as, countUsers, services, settled } = await agentFixture(t)
  const orgId = await newOrg()
  const [owner, bob] = [await join(orgId, 'owner', 'owner'), await join(orgId, 'bob')]
  const [strong, weak] = [await linked(owner, 'strong'), await linked(bob, 'weak')]
  const users = await countUsers()

  const { body } = await ask(weak.token, 'GET', '/me')
  t.match(body, {
    user: { id: bob.userId },
    organization: { id: orgId },
    role: 'member',
    organizations: [{ id: orgId, role: 'member' }],
    api_key_id: null,
    agent_id: weak.id,
  })
  t.match((await ask(strong.token, 'GET', '/me')).body, { user: { id: owner.userId }, role: 'owner' })
  const { data } = await as(weak.token).call('memory__remember', { memory: 'The demo is on Friday.' })
  t.match(data, { memory: 'The demo is on Friday.' })
  t.match((await as(bob.token).call('memory__list_memories')).data, {
    memories: [{ memory: 'The demo is on Friday.' }],
  })
  t.equal(await countUsers(), users)

  await services.members.setRole({ orgId, userId: bob.userId, role: 'admin', by: 'operator' })
  await settled()
  t.match((await ask(weak.token, 'GET', '/me')).body, { role: 'admin' }, 'a new role of its owner applies at once')
})

t.test('an agent’s own token is not a person’s sign-in', async t => {
  const { newOrg, join, linked, ask, as } = await agentFixture(t)
  const owner = await join(await newOrg(), 'owner', 'owner')
  const { id, token } = await linked(owner)
  const required = { status: 403, body: { code: 'SESSION_REQUIRED' } }
  t.match(await ask(token, 'POST', '/agents', { body: { name: 'x' } }), required)
  t.match(await ask(token, 'PATCH', `/agents/${id}`, { body: { name: 'x' } }), required)
  t.match(await ask(token, 'DELETE', `/agents/${id}`), required)
  t.match(await ask(token, 'POST', `/agents/${id}/sign-ins`, { body: { token } }), required)
  t.match(await ask(token, 'PATCH', '/me', { body: { active_organization_id: owner.orgId } }), required)
  t.match(await ask(token, 'POST', '/checkout/topup', { body: { amount_micros: 5_000_000 } }), required)
  for (const name of ['manage__whoami', 'manage__agents_list', 'manage__accounts_list']) {
    t.match(await as(token).call(name), { outcome: 'jwt_session_required' }, name)
    t.ok((await as(token).tools('manage')).has(name), 'it is listed')
  }
  t.match((await as(token).call('manage__explain_tool', { name: 'manage__whoami' })).data, {
    callable: false,
    reason: 'jwt_session_required',
    explanation: /an agent cannot call it/,
  })
})

t.test('the standing of the agent applies to its tokens at once', async t => {
  const { newOrg, join, linked, outcome, settled, services, clock, sessions, countUsers } = await agentFixture(t)
  const orgId = await newOrg()
  const [owner, bob] = [await join(orgId, 'owner', 'owner'), await join(orgId, 'bob')]
  const { id, token } = await linked(bob)
  const { agents, members, jobs, agentSignIns } = services
  const by = 'operator'
  async function after(change: () => Promise<unknown>): Promise<string> {
    await change()
    await settled()
    return outcome(token)
  }

  t.equal(await outcome(token), '200')
  t.equal(await after(() => agents.setStatus(id, 'suspended', { by })), '403 agent_suspended')
  t.equal(await after(() => agents.setStatus(id, 'active', { by })), '200')
  t.equal(await after(() => members.remove({ orgId, userId: bob.userId, by })), '403 agent_suspended', 'its owner left')
  t.equal(await after(() => agents.assign(id, owner.userId, { by })), '200')

  const users = await countUsers()
  t.equal(await after(() => agents.retire(id, { by })), '403 agent_retired')
  clock.advance(60_000)
  t.equal(await after(() => jobs.runDue()), '401 invalid_jwt', 'its keys are revoked')
  clock.advance(600_000)
  t.equal(await outcome(await sessions.mint({ sub: 'robot' })), '401 invalid_jwt', 'for ever')
  t.equal(await countUsers(), users, 'and no user was created')

  await agentSignIns.unlink(id, { issuer: sessions.issuer, subject: 'robot' }, { by })
  await settled()
  t.equal(await outcome(await sessions.mint({ sub: 'robot' })), '400 no_active_org', 'unlinked, it is a new user')
  t.equal(await countUsers(), users + 1)
})

t.test('linking and unlinking apply to tokens that are verified already', async t => {
  const { newOrg, join, sessions, outcome, settled, services } = await agentFixture(t)
  const bob = await join(await newOrg(), 'bob')
  const { id } = await services.agents.create({ orgId: bob.orgId, ownerId: bob.userId, name: 'Robot', by: 'operator' })
  const token = await sessions.mint({ sub: 'robot' })
  const signIn = { issuer: sessions.issuer, subject: 'robot' }
  t.equal(await outcome(token), '400 no_active_org')
  await services.agentSignIns.link(id, { ...signIn, move: true }, { by: 'operator' })
  await settled()
  t.equal(await outcome(token), '200')
  await services.agentSignIns.unlink(id, signIn, { by: 'operator' })
  await settled()
  t.equal(await outcome(token), '400 no_active_org')
})

t.test('tokens of the MCP issuer are an agent’s on POST /mcp only', async t => {
  const { newOrg, join, mcp, outcome, as, services, sessions } = await agentFixture(t)
  const bob = await join(await newOrg(), 'bob')
  const { id } = await services.agents.create({ orgId: bob.orgId, ownerId: bob.userId, name: 'Robot', by: 'operator' })
  await services.agentSignIns.link(id, { issuer: mcp.issuer, subject: 'robot', move: false }, { by: 'operator' })
  const token = await mcp.mint({ sub: 'robot', client_id: 'robot' })
  t.match(await as(token).call('memory__list_memories'), { outcome: 'ok' })
  t.match(await as(token).call('manage__whoami'), { outcome: 'jwt_session_required' })
  t.equal(await outcome(token), '401 invalid_jwt')
  t.equal(await outcome(await sessions.mint({ sub: 'robot' })), '400 no_active_org', 'another issuer, another subject')
})

t.test('with shared subjects, one subject is one agent at both issuers', async t => {
  const { newOrg, join, linked, mcp, as } = await agentFixture(t, { shareSubjects: true })
  const { token } = await linked(await join(await newOrg(), 'bob'))
  for (const either of [token, await mcp.mint({ sub: 'robot' })]) {
    t.match(await as(either).call('memory__list_memories'), { outcome: 'ok' })
    t.match(await as(either).call('manage__whoami'), { outcome: 'jwt_session_required' })
  }
})

t.test('calls with an agent’s token are metered, stored and counted for the agent, without a key', async t => {
  const { newOrg, join, linked, sessions, as, services, db } = await agentFixture(t)
  const bob = await join(await newOrg(), 'bob')
  const { id, token } = await linked(bob)
  const another = await sessions.mint({ sub: 'robot' })
  const key = { 'idempotency-key': 'once' }
  const first = await as(token).call('memory__remember', { memory: 'The demo is on Friday.' }, key)
  t.same((await as(another).call('memory__remember', { memory: 'The demo is on Friday.' }, key)).data, first.data)
  t.not((await as(bob.token).call('memory__remember', { memory: 'The demo is on Friday.' }, key)).text, first.text)
  const holders = await acrossOrgs(db).selectFrom('idempotency').select('holder').orderBy('holder').execute()
  t.same(
    holders.map(({ holder }) => holder),
    [id, bob.userId],
    'the tokens of an agent are one holder, its owner another',
  )

  const verified = await services.identity.jwts.verify(token, 'session')
  t.match(verified, { via: 'agent-token', meterKey: id, userId: bob.userId, agent: { id, status: 'active' } })
  await services.usage.flush()
  t.match(
    await acrossOrgs(db).selectFrom('usage').orderBy('agent_id').select(['user_id', 'agent_id', 'key_id']).execute(),
    [
      { user_id: bob.userId, agent_id: id, key_id: null },
      { user_id: bob.userId, agent_id: id, key_id: null },
      { user_id: bob.userId, agent_id: null, key_id: null },
    ],
  )
})

t.test('without events, a change of an agent’s standing applies after 10 s', async t => {
  const { newOrg, join, linked, sessions, db, services } = await agentFixture(t)
  const { id } = await linked(await join(await newOrg(), 'bob'))
  const clock = testClock()
  const tokens = createAgentTokens({ db, events: NO_EVENTS, clock, sharedIssuers: [] })
  const signIn = { issuer: sessions.issuer, subject: 'robot' }
  const statusOf = async () => (await tokens.of(signIn))?.agent.status
  t.equal(tokens.cached(signIn), undefined)
  t.equal(await statusOf(), 'active')
  await services.agents.setStatus(id, 'suspended', { by: 'operator' })
  clock.advance(9_999)
  t.match(tokens.cached(signIn), { agent: { status: 'active' } })
  clock.advance(1)
  t.equal(tokens.cached(signIn), undefined)
  t.equal(await statusOf(), 'suspended')
})

t.test('all tokens of an agent share one rate limit, which is not that of its owner', async t => {
  const { newOrg, join, linked, sessions, ask } = await agentFixture(t, { rateLimitMax: 2 })
  const bob = await join(await newOrg(), 'bob')
  const { token } = await linked(bob)
  const another = await sessions.mint({ sub: 'robot' })
  for (const credential of [token, another]) t.match(await ask(credential, 'GET', '/me'), { status: 200 })
  t.match(await ask(token, 'GET', '/me'), {
    status: 429,
    body: { error: { code: 'rate_limit_exceeded', message: /the limit for this agent is 2 per minute/ } },
  })
  t.match(await ask(bob.token, 'GET', '/me'), { status: 200 })
})
