import t, { type Test } from 'tap'
import { agentFixture } from '../fixtures/agent-fixture.ts'
import { rejected } from '../fixtures/session-fixture.ts'

/** An agent of a member, an admin, another member and the owner of another organization. */
async function fixture(t: Test) {
  const made = await agentFixture(t)
  const { newOrg, join, services, ask, sessions } = made
  const orgId = await newOrg()
  const people = {
    admin: await join(orgId, 'admin', 'admin'),
    bob: await join(orgId, 'bob'),
    eve: await join(orgId, 'eve'),
    stranger: await join(await newOrg(), 'stranger', 'owner'),
  }
  type Name = keyof typeof people
  const { id } = await services.agents.create({ orgId, ownerId: people.bob.userId, name: 'Robot', by: 'operator' })
  const robot = await sessions.mint({ sub: 'robot' })
  const link = (who: Name, token = robot, agentId = id) =>
    ask(people[who].token, 'POST', `/agents/${agentId}/sign-ins`, { body: { token } })
  const unlink = (who: Name, signInId: string) => ask(people[who].token, 'DELETE', `/agents/${id}/sign-ins/${signInId}`)
  return { ...made, orgId, people, id, robot, link, unlink }
}

t.test('POST /agents/:id/sign-ins links the issuer and subject of a token, and stores no token', async t => {
  const { link, id, robot, sessions, outcome, settled, db, ask, people } = await fixture(t)
  const made = await link('admin')
  const signIn = { id: /^asi_/, issuer: sessions.issuer, subject: 'robot', created_at: String }
  t.match(made, { status: 201, body: { id, sign_ins: [signIn] } })
  await settled()
  t.equal(await outcome(robot), '200')
  t.match((await ask(people.bob.token, 'GET', '/agents')).body, { agents: [{ id, sign_ins: [signIn] }] })
  t.match(await link('admin'), { status: 201, body: { sign_ins: { length: 1 } } }, 'repeating it changes nothing')
  const audit = await db.selectFrom('audit').where('org_id', '=', people.bob.orgId).selectAll().execute()
  t.match(
    audit.filter(({ action }) => action === 'agent.link'),
    [{ user_id: people.admin.userId, target: id, detail: { issuer: sessions.issuer, subject: 'robot' } }],
  )
  const stored = JSON.stringify([
    audit,
    await db.selectFrom('agent_sign_ins').where('org_id', '=', people.bob.orgId).selectAll().execute(),
  ])
  t.notMatch(stored, robot)
})

t.test(
  'POST /agents/:id/sign-ins takes the sign-in of a user without organizations, whose token the admin has',
  async t => {
    const { link, robot, outcome, settled } = await fixture(t)
    t.equal(await outcome(robot), '400 no_active_org', 'it tried before it was linked')
    t.match(await link('admin'), { status: 201 })
    await settled()
    t.equal(await outcome(robot), '200')
  },
)

t.test('POST /agents/:id/sign-ins refuses whoever may not link, and sign-ins of others', async t => {
  const { link, people, services, orgId, ask, id, robot } = await fixture(t)
  t.match(await link('bob'), rejected(403, 'FORBIDDEN'), 'not even the agent’s owner')
  t.match(await link('stranger'), rejected(404, 'NOT_FOUND'))
  t.match(await link('admin', robot, `agt_${'0'.repeat(32)}`), rejected(404, 'NOT_FOUND'))
  const { key } = await services.keys.create({ orgId, userId: people.admin.userId, by: 'operator' })
  t.match(
    await ask(key, 'POST', `/agents/${id}/sign-ins`, { body: { token: robot } }),
    rejected(403, 'SESSION_REQUIRED'),
  )
  t.match(
    await link('admin', people.eve.token),
    rejected(400, 'INVALID_REQUEST', /^This sign-in already belongs to another user or agent\./),
    'a member',
  )
  const { id: theirs } = await services.agents.create({
    orgId: people.stranger.orgId,
    ownerId: people.stranger.userId,
    name: 'Theirs',
    by: 'operator',
  })
  t.match(await link('stranger', robot, theirs), { status: 201 })
  const taken = await link('admin')
  t.match(taken, rejected(400, 'INVALID_REQUEST', /^This sign-in already belongs to another user or agent\./))
  t.notMatch(taken.body.error, theirs)
  await services.agents.retire(id, { by: 'operator' })
  t.match(await link('admin', robot), rejected(400, 'INVALID_REQUEST', /is retired/))
})

t.test('POST /agents/:id/sign-ins leaves a removed member their sign-in, so that they stay removed', async t => {
  const { link, people, services, orgId, ask, settled } = await fixture(t)
  const { userId, token } = people.eve
  await services.members.remove({ orgId, userId, by: 'operator' })
  const { id: theirs } = await services.agents.create({
    orgId: people.stranger.orgId,
    ownerId: people.stranger.userId,
    name: 'Theirs',
    by: 'operator',
  })
  const refused = rejected(400, 'INVALID_REQUEST', /^This sign-in already belongs to another user or agent\./)
  t.match(await link('stranger', token, theirs), refused, 'not even an admin of another organization takes it')
  t.match(await link('admin', token), refused)
  await settled()
  t.match(await ask(token, 'GET', '/me'), rejected(403, 'MEMBERSHIP_REVOKED'))
})

t.test('POST /agents/:id/sign-ins names the field of a token that is not accepted', async t => {
  const { link, sessions, clock, ask, people, id } = await fixture(t)
  const now = Math.floor(clock.now() / 1000)
  for (const token of [
    'x',
    await sessions.mint({ sub: 'robot', aud: 'other' }),
    await sessions.mint({ sub: 'robot', exp: now - 60, iat: now - 120 }),
    await sessions.mint({ sub: 'robot' }, { alg: 'none' }),
    await sessions.mint({ sub: 'robot', iss: 'https://other.example' }),
    await sessions.mint({ sub: 'robot', cnf: { jkt: 'x' } }),
  ])
    t.match(
      await link('admin', token),
      rejected(400, 'INVALID_REQUEST', /^`token` was rejected\. Send a current JWT of the agent/),
    )
  t.match(
    await ask(people.admin.token, 'POST', `/agents/${id}/sign-ins`, { body: { issuer: 'x', subject: 'y' } }),
    rejected(400, 'INVALID_REQUEST', /token/),
  )
})

t.test('DELETE /agents/:id/sign-ins/:signInId is for the agent’s owner and admins', async t => {
  const { link, unlink, settled, outcome, robot, ask, id, services, people, orgId } = await fixture(t)
  const add = async () => (await link('admin')).body.sign_ins[0].id
  const first = await add()
  t.match(await unlink('eve', first), rejected(404, 'NOT_FOUND'))
  t.match(await unlink('stranger', first), rejected(404, 'NOT_FOUND'))
  t.match(await unlink('admin', `asi_${'0'.repeat(32)}`), rejected(404, 'NOT_FOUND'))
  const { key } = await services.keys.create({ orgId, userId: people.bob.userId, by: 'operator' })
  t.match(await ask(key, 'DELETE', `/agents/${id}/sign-ins/${first}`), rejected(403, 'SESSION_REQUIRED'))
  for (const who of ['stranger', 'eve', 'bob'] as const) {
    const { id: own } = await services.agents.create({
      orgId: people[who].orgId,
      ownerId: people[who].userId,
      name: 'Own',
      by: 'operator',
    })
    const missing = rejected(404, 'NOT_FOUND', new RegExp(`^Agent ${own} has no such sign-in\\.$`))
    for (const signInId of [first, `asi_${'0'.repeat(32)}`])
      t.match(
        await ask(people[who].token, 'DELETE', `/agents/${own}/sign-ins/${signInId}`),
        missing,
        'of another agent',
      )
  }
  t.equal(await outcome(robot), '200', 'nothing has changed')
  t.match(await unlink('bob', first), { status: 204, body: '' })
  await settled()
  t.equal(await outcome(robot), '400 no_active_org')
  t.match(await unlink('bob', first), rejected(404, 'NOT_FOUND'))
  t.match(await unlink('admin', await add()), { status: 204 })
})
