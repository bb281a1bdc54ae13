import { randomBytes } from 'node:crypto'
import t from 'tap'
import { newsHeard, testDatabase } from '../../fixtures/database.ts'
import { grantFixture, platformApp } from '../../fixtures/grant-fixture.ts'

// Created once: the database would take most of the time of each test.
const database = await testDatabase(t)

const newSecret = () => randomBytes(12).toString('hex')

t.test('an organization uses its own app, else the platform’s, else none', async t => {
  const { clients, member, people } = await grantFixture(t, { database })
  const { orgId } = member
  const [stranger] = await people.members('owner')
  const clientSecret = newSecret()
  t.same(await clients.of(orgId, 'rotor'), { ...platformApp, source: 'platform' })
  t.equal(await clients.of(orgId, 'other'), undefined)
  for (const connector of ['rotor', 'other'])
    await clients.set({ orgId, connector, clientId: 'mine', clientSecret, by: member, setBy: member.userId })
  const mine = { id: 'mine', secret: clientSecret, source: 'org' }
  t.same(await clients.of(orgId, 'rotor'), mine)
  t.same(await clients.of(orgId, 'other'), mine)
  t.same(await clients.of(stranger.orgId, 'rotor'), { ...platformApp, source: 'platform' })
  t.equal(await clients.of(stranger.orgId, 'other'), undefined)
  t.same([clients.hasPlatform('rotor'), clients.hasPlatform('other')], [true, false])
})

t.test('a grant uses the app that it was issued to, even if another app serves new connections', async t => {
  const { clients, member } = await grantFixture(t, { database })
  const { orgId } = member
  const clientSecret = newSecret()
  await clients.set({ orgId, connector: 'rotor', clientId: 'mine', clientSecret, by: 'operator', setBy: null })
  t.same(await clients.ofGrant(orgId, 'rotor', platformApp.id), { ...platformApp, source: 'platform' })
  t.match(await clients.ofGrant(orgId, 'rotor', 'mine'), { secret: clientSecret })
  t.equal(await clients.ofGrant(orgId, 'rotor', 'before'), undefined)
  t.match(await clients.ofGrant(orgId, 'rotor', null), { id: 'mine' }, 'a grant of an unknown app uses the current one')
})

t.test('setting, rotating and removing an app writes audit rows, and its secret appears nowhere', async t => {
  const { clients, member, allOrgs, clock } = await grantFixture(t, { database })
  const { orgId, userId } = member
  const by = member
  const [first, second] = [newSecret(), newSecret()]
  const createdAt = new Date(clock.now())
  await clients.set({ orgId, connector: 'rotor', clientId: 'mine', clientSecret: first, by, setBy: userId })
  t.same(await clients.list(orgId), [
    { connector: 'rotor', clientId: 'mine', setBy: userId, createdAt, rotatedAt: null },
  ])
  clock.advance(1_000)
  const rotatedAt = new Date(clock.now())
  await clients.set({ orgId, connector: 'rotor', clientId: 'mine2', clientSecret: second, by: 'operator', setBy: null })
  t.same(await clients.list(orgId), [{ connector: 'rotor', clientId: 'mine2', setBy: null, createdAt, rotatedAt }])
  clock.advance(1_000)
  const rows = await allOrgs.selectFrom('oauth_clients').where('org_id', '=', orgId).selectAll().execute()
  t.equal(await clients.remove({ orgId, connector: 'rotor', by }), true)
  t.equal(await clients.remove({ orgId, connector: 'rotor', by }), false)
  t.same(await clients.list(orgId), [])
  t.match(await clients.of(orgId, 'rotor'), { source: 'platform' })
  const audit = await allOrgs
    .selectFrom('audit')
    .where('org_id', '=', orgId)
    .where('target', '=', 'rotor')
    .orderBy('id')
    .selectAll()
    .execute()
  t.match(audit, [
    { action: 'oauth_client.set', user_id: userId, detail: { clientId: 'mine' } },
    { action: 'oauth_client.set', user_id: null, detail: { clientId: 'mine2', before: 'mine' } },
    { action: 'oauth_client.remove', user_id: userId, detail: { clientId: 'mine2' } },
  ])
  for (const secret of [first, second]) t.notOk(JSON.stringify([rows, audit]).includes(secret))
})

t.test('a process notices an app that another process sets', async t => {
  const { clients, process, member } = await grantFixture(t, { database })
  const { orgId } = member
  const other = process().clients
  t.match(await other.of(orgId, 'rotor'), { source: 'platform' })
  await clients.set({
    orgId,
    connector: 'rotor',
    clientId: 'mine',
    clientSecret: newSecret(),
    by: 'operator',
    setBy: null,
  })
  await newsHeard(database)
  t.match(await other.of(orgId, 'rotor'), { id: 'mine' })
})

t.test('empty IDs and secrets, and unknown or other organizations are rejected', async t => {
  const { clients, member, people } = await grantFixture(t, { database })
  const [stranger] = await people.members('owner')
  const app = {
    orgId: member.orgId,
    connector: 'rotor',
    clientId: 'mine',
    clientSecret: 's',
    by: 'operator',
    setBy: null,
  } as const
  await t.rejects(clients.set({ ...app, clientId: ' ' }), { code: 'invalid_request' })
  await t.rejects(clients.set({ ...app, clientSecret: '' }), { code: 'invalid_request' })
  await t.rejects(clients.set({ ...app, orgId: 'org_1' }), { message: 'There is no organization org_1.' })
  await t.rejects(clients.set({ ...app, by: stranger }), { message: /There is no organization/ })
  await t.rejects(clients.remove({ ...app, by: stranger }), { message: /There is no organization/ })
})
