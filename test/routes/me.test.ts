import t from 'tap'
import { directoryOn } from '../fixtures/directory.ts'
import { rejected, sessionFixture } from '../fixtures/session-fixture.ts'

t.test('GET /me shows the user, the organization, its standing and all organizations', async t => {
  const { newOrg, join, ask, services } = await sessionFixture(t)
  const [orgId, other] = [await newOrg('Engines'), await newOrg('Looms')]
  const ada = await join(orgId, 'ada', 'owner')
  await services.members.add({ orgId: other, userId: ada.userId, role: 'member', by: 'operator' })
  t.match(await ask(ada.token, 'GET', '/me'), {
    status: 400,
    body: { error: 'no_active_org', organizations: [{ id: orgId }, { id: other }] },
  })
  t.equal((await ask(ada.token, 'PATCH', '/me', { body: { active_organization_id: orgId } })).status, 200)
  const { status, body } = await ask(ada.token, 'GET', '/me')
  t.equal(status, 200)
  t.same(body, {
    user: { id: ada.userId, email: 'ada@example.test' },
    organization: { id: orgId, name: 'Engines' },
    role: 'owner',
    organizations: [
      { id: orgId, name: 'Engines', role: 'owner' },
      { id: other, name: 'Looms', role: 'member' },
    ],
    standing: 'active',
    plan: { id: 'free', pay_from: null, past_due: false, period_end: null, ends_at: null },
    payments: { provider: 'built_in', customer: false },
    api_key_id: null,
    agent_id: null,
  })
  const { subscribing } = services
  await subscribing.subscribe({ orgId, userId: ada.userId, planId: 'pro', payFrom: 'card' })
  t.match((await ask(ada.token, 'GET', '/me')).body.plan, {
    id: 'pro',
    pay_from: 'card',
    period_end: /Z$/,
    ends_at: null,
  })
  await services.organizations.suspend(orgId, { by: 'operator' })
  t.match(await ask(ada.token, 'GET', '/me'), { body: { standing: 'suspended' } })
  await services.customers.create({ orgId, userId: ada.userId })
  t.match(await ask(ada.token, 'GET', '/me'), { body: { payments: { provider: 'built_in', customer: true } } })
})

t.test('GET /me with an API key names the key and its agent, and no other organization of the user', async t => {
  const { newOrg, join, ask, services } = await sessionFixture(t)
  const [orgId, other] = [await newOrg('Engines'), await newOrg('Looms')]
  const { userId } = await join(orgId, 'ada', 'owner')
  await services.members.add({ orgId: other, userId, role: 'member', by: 'operator' })
  const { agents, keys } = services
  const agent = await agents.create({ orgId, ownerId: userId, name: 'Helper', by: 'operator' })
  const own = await keys.create({ orgId, userId, by: 'operator' })
  const agents1 = await keys.create({ orgId, userId, agentId: agent.id, by: 'operator' })
  const organizations = [{ id: orgId, name: 'Engines', role: 'owner' }]
  t.match(await ask(own.key, 'GET', '/me'), { body: { api_key_id: own.id, agent_id: null } })
  t.match(await ask(agents1.key, 'GET', '/me'), { body: { api_key_id: agents1.id, agent_id: agent.id } })
  t.same((await ask(own.key, 'GET', '/me')).body.organizations, organizations)
})

t.test('GET /me from a foreign host or page answers the documented error', async t => {
  const { newOrg, join, ask } = await sessionFixture(t)
  const { token } = await join(await newOrg(), 'ada', 'owner')
  for (const [headers, code] of [
    [{ host: 'evil.example' }, 'host_not_allowed'],
    [{ origin: 'https://evil.example' }, 'origin_not_allowed'],
  ] as const)
    for (const url of ['/me', '/members'])
      t.match(
        await ask(token, 'GET', url, { headers }),
        { status: 403, body: { error: { type: 'forbidden', code } } },
        `${url} ${code}`,
      )
})

t.test('/me without an organization answers no_active_org, and PATCH /me works', async t => {
  const { newOrg, signIn, ask, services, sessions } = await sessionFixture(t)
  const token = await signIn('grace')
  t.match(await ask(token, 'GET', '/me'), {
    status: 400,
    body: { error: 'no_active_org', message: /invitation/, organizations: [] },
  })
  const body = { active_organization_id: await newOrg() }
  t.match(await ask(token, 'PATCH', '/me', { body }), rejected(404, 'NOT_FOUND'))
  const user = await services.database.db
    .selectFrom('user_subjects')
    .where('issuer', '=', sessions.issuer)
    .select('user_id')
    .executeTakeFirstOrThrow()
  for (const orgId of [body.active_organization_id, await newOrg('Looms')])
    await services.members.add({ orgId, userId: user.user_id, role: 'member', by: 'operator' })
  t.match(await ask(token, 'PATCH', '/me', { body }), {
    status: 200,
    body: { organization: { id: body.active_organization_id } },
  })
})

t.test('a user whose chosen organization removed them gets MEMBERSHIP_REVOKED until they choose another', async t => {
  const { newOrg, join, ask, services } = await sessionFixture(t)
  const [orgId, other] = [await newOrg('Engines'), await newOrg('Looms')]
  await join(orgId, 'owner', 'owner')
  const ada = await join(orgId, 'ada')
  await services.members.add({ orgId: other, userId: ada.userId, role: 'member', by: 'operator' })
  await ask(ada.token, 'PATCH', '/me', { body: { active_organization_id: orgId } })
  await services.members.remove({ orgId, userId: ada.userId, by: 'operator' })
  await t.resolves(ask(ada.token, 'GET', '/me'))
  const revoked = { status: 403, body: { code: 'MEMBERSHIP_REVOKED', organizations: [{ id: other, name: 'Looms' }] } }
  t.match(await ask(ada.token, 'GET', '/me'), revoked)
  t.match(await ask(ada.token, 'GET', '/members'), rejected(403, 'MEMBERSHIP_REVOKED'))
  t.match(
    await ask(ada.token, 'PATCH', '/me', { body: { active_organization_id: orgId } }),
    rejected(404, 'NOT_FOUND'),
    'the organization that removed them is none of theirs',
  )
  t.match(await ask(ada.token, 'PATCH', '/me', { body: { active_organization_id: other } }), {
    status: 200,
    body: { organization: { id: other }, organizations: [{ id: other }] },
  })
  t.match(await ask(ada.token, 'GET', '/members'), { status: 200 })
})

t.test('PATCH /me changes the default choice, and not that of an OAuth client', async t => {
  const { newOrg, join, ask, services } = await sessionFixture(t)
  const [orgId, other] = [await newOrg('Engines'), await newOrg('Looms')]
  const { userId, token } = await join(orgId, 'ada')
  await services.members.add({ orgId: other, userId, role: 'member', by: 'operator' })
  await services.activeOrganizations.choose({ userId, clientId: 'client' }, other)
  await ask(token, 'PATCH', '/me', { body: { active_organization_id: orgId } })
  t.match(await services.activeOrganizations.of({ userId, clientId: 'client' }), { orgId: other })
  t.match(await services.activeOrganizations.of({ userId, clientId: 'new client' }), { orgId })
})

t.test('PATCH /me rejects API keys, unknown organizations and other fields', async t => {
  const { newOrg, join, ask, services } = await sessionFixture(t)
  const orgId = await newOrg()
  const { userId, token } = await join(orgId, 'ada', 'owner')
  const { key } = await services.keys.create({ orgId, userId, by: 'operator' })
  const patch = (credential: string, body: object) => ask(credential, 'PATCH', '/me', { body })
  t.match(await patch(key, { active_organization_id: orgId }), rejected(403, 'SESSION_REQUIRED'))
  const [stranger] = await directoryOn(services.database.db, { now: Date.now }).members('owner')
  const unknown = await patch(token, { active_organization_id: `org_${'0'.repeat(32)}` })
  t.match(unknown, rejected(404, 'NOT_FOUND'))
  t.same((await patch(token, { active_organization_id: stranger.orgId })).body, unknown.body)
  t.match(await patch(token, { active_organization_id: 'x\u0000' }), rejected(404, 'NOT_FOUND'))
  t.match(await patch(token, {}), rejected(400, 'INVALID_REQUEST', /active_organization_id/))
  t.match(await patch(token, { active_organization_id: orgId, role: 'owner' }), rejected(400, 'INVALID_REQUEST'))
  t.equal((await ask('nothing', 'GET', '/me')).status, 401)
})
