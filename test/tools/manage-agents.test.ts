import t, { type Test } from 'tap'
import { callerOfApp } from '../fixtures/journey-fixture.ts'
import { sessionFixture } from '../fixtures/session-fixture.ts'

/** An organization with an admin and a member, who call the tools with sessions, and a key of the member. */
async function fixture(t: Test) {
  const made = await sessionFixture(t)
  const orgId = await made.newOrg()
  const [admin, bob] = [await made.join(orgId, 'admin', 'admin'), await made.join(orgId, 'bob')]
  const { key } = await made.services.keys.create({ orgId, userId: bob.userId, by: 'operator' })
  const as = (credential: string) => callerOfApp(made, { authorization: `Bearer ${credential}` })
  return { ...made, orgId, admin, bob, asAdmin: as(admin.token), asBob: as(bob.token), asKey: as(key) }
}

const ARGUMENTS = {
  manage__agents_list: {},
  manage__agents_create: { name: 'Helper' },
  manage__agents_update: { id: `agt_${'0'.repeat(32)}`, status: 'active' },
  manage__agents_retire: { id: `agt_${'0'.repeat(32)}` },
}

t.test('manage__agents_* are listed for API keys too, and answer them with jwt_session_required', async t => {
  const { asKey, asBob, services, orgId } = await fixture(t)
  for (const [name, args] of Object.entries(ARGUMENTS)) {
    t.ok((await asKey.tools('manage')).has(name), name)
    t.ok((await asBob.tools('manage')).has(name), name)
    t.match(await asKey.call(name, args), { outcome: 'jwt_session_required' }, name)
  }
  t.same(await services.agents.list(orgId), [])
})

t.test('a member creates, renames, suspends, resumes and retires an agent with the tools', async t => {
  const { asBob, bob } = await fixture(t)
  const { data: made } = await asBob.call('manage__agents_create', { name: 'Helper' })
  t.match(made, { name: 'Helper', owner: bob.userId, status: 'active' })
  const { id } = made
  const update = async (change: object) => asBob.call('manage__agents_update', { id, ...change })
  t.match(await update({ name: 'Renamed', status: 'suspended' }), { data: { name: 'Renamed', status: 'suspended' } })
  t.match(await update({ status: 'active' }), { data: { name: 'Renamed', status: 'active' } })
  t.match((await asBob.call('manage__agents_list')).data, { agents: [{ id, status: 'active' }], next_cursor: null })
  t.same((await asBob.call('manage__agents_retire', { id })).data, { id })
  t.match((await asBob.call('manage__agents_list')).data, { agents: [{ id, status: 'retired' }] })
  t.match(await update({ status: 'active' }), { error: { code: 'invalid_request', message: /is retired/ } })
})

t.test('the tools follow the rules of the routes about agents of others', async t => {
  const { asBob, asAdmin, admin, bob, clock } = await fixture(t)
  const { data: hers } = await asAdmin.call('manage__agents_create', { name: 'Hers' })
  clock.advance(1)
  const { data: his } = await asAdmin.call('manage__agents_create', { name: 'His', owner: bob.userId })
  t.match((await asBob.call('manage__agents_list')).data.agents, [{ id: his.id }])
  t.match((await asAdmin.call('manage__agents_list')).data.agents, [{ id: his.id }, { id: hers.id }])
  const missing = { outcome: 'not_found' }
  t.match(await asBob.call('manage__agents_update', { id: hers.id, name: 'x' }), missing)
  t.match(await asBob.call('manage__agents_retire', { id: hers.id }), missing)
  const forbidden = { outcome: 'admin_required' }
  t.match(await asBob.call('manage__agents_update', { id: his.id, owner: admin.userId }), forbidden)
  t.match(await asBob.call('manage__agents_create', { name: 'x', owner: admin.userId }), forbidden)
  t.match((await asAdmin.call('manage__agents_update', { id: his.id, owner: admin.userId })).data, {
    owner: admin.userId,
  })
})
