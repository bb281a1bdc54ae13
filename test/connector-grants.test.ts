import t from 'tap'
import { acrossOrgs } from '../lib/database/tenant.ts'
import { keyOnly, sampleConnector } from './fixtures/account-fixture.ts'
import { build } from './fixtures/build.ts'
import { newsHeard, testDatabase } from './fixtures/database.ts'
import { callerOfApp, rotorJourney, signedIn, verifyJwt } from './fixtures/journey-fixture.ts'

/** Shared by the tests that neither run jobs nor change CONNECTORS. */
const shared = await testDatabase(t)

t.test(
  'fifty concurrent calls on an expired, rotating account cause one refresh and fifty answers, also across two processes',
  async t => {
    const { as, ada, account, server, services, connectors, hourLater, clock } = await rotorJourney(t, shared)
    await account(ada)
    const { settings, database } = services
    const other = await build(t, { shared: database, connectors, settings, verifyJwt })
    hourLater()
    other.clock.advance(clock.now() - other.clock.now())
    const elsewhere = callerOfApp(other, signedIn(ada))
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? as(ada) : elsewhere).call('rotor__look')),
    )
    t.same([...new Set(answers.map(({ outcome }) => outcome))], ['ok'])
    t.same([server.refreshed, server.reused], [1, 0])
    t.match(await as(ada).entry('rotor'), { status: 'connected' })
  },
)

t.test('a token that the provider rejects early is renewed, and the call repeated', async t => {
  const { as, ada, account, server } = await rotorJourney(t, shared)
  const { id } = await account(ada)
  server.endAccess()
  t.match(await as(ada).call('rotor__look'), { outcome: 'ok', data: { good: true }, account: { id } })
  t.equal(server.refreshed, 1)
  t.match(await as(ada).call('rotor__look'), { outcome: 'ok' })
  t.equal(server.refreshed, 1, 'the new token is kept')
})

t.test('an ended grant appears in the result, in the entry and in explain_tool, and is not tried again', async t => {
  const { as, ada, account, server, services } = await rotorJourney(t, shared)
  const { id } = await account(ada)
  server.endGrants()
  const refused = { outcome: 'needs_reauth', error: { message: new RegExp(`"work".*account connect --account ${id}`) } }
  t.match(await as(ada).call('rotor__look'), refused)
  await newsHeard(services.database)
  t.match(await as(ada).entry('rotor'), { status: 'needs_reauth', accounts: [{ id, status: 'needs_reauth' }] })
  t.same((await as(ada).tools('rotor')).get('rotor__look'), ['work'], 'its tools stay listed')
  const { data } = await as(ada).call('manage__explain_tool', { name: 'rotor__look' })
  t.match(data, {
    callable: false,
    reason: 'needs_reauth',
    accounts: [{ id, status: 'needs_reauth', callable: false }],
  })
  const { asked } = server
  t.match(await as(ada).call('rotor__look'), refused)
  t.equal(server.asked, asked)

  t.match(await account(ada, 'another name', { accountId: id }).catch(({ code }) => code), 'identity_mismatch')
  t.match(await account(ada, 'work', { accountId: id }), { id, alias: 'work' })
  t.match(await as(ada).call('rotor__look'), { outcome: 'ok', account: { id, alias: 'work' } })
})

t.test('a removed grant is revoked at the provider after the account is gone', async t => {
  const { as, ada, account, server, services, client } = await rotorJourney(t)
  const { id } = await account(ada)
  t.match(await as(ada).remove(`/connectors/rotor/accounts/${id}`), { status: 204 })
  t.same(server.revocations, [])
  const jobs = await acrossOrgs(services.database.db).selectFrom('jobs').select('payload').execute()
  t.notMatch(JSON.stringify(jobs), /rt_/, 'the waiting job is sealed')
  await services.jobs.runDue()
  t.match(server.revocations, [
    { url: '/revoke', authorization: `Basic ${btoa(`${client.id}:${client.secret}`)}`, body: /^token=rt_/ },
  ])
})

t.test('a departing member loses their private accounts, and their shared ones stay', async t => {
  const { as, owner, ada, org, account, server, services } = await rotorJourney(t)
  await account(ada, 'private')
  const shared = await account(ada, 'team', { scope: 'shared' })
  t.match(await as(owner).entry('rotor'), { accounts: [{ id: shared.id, can_remove: true }] })
  await services.members.remove({ orgId: org.id, userId: ada.userId, by: 'operator' })
  await newsHeard(services.database)
  await services.jobs.runDue()
  t.equal(server.revocations.length, 1)
  t.match(await services.accounts.listOf(org.id), [{ id: shared.id, alias: 'team' }])
  t.match(await as(owner).call('rotor__look'), { outcome: 'ok', account: { alias: 'team' } })
  t.match(await as(ada).get('/connectors'), { status: 400, body: { error: 'no_active_org' } })
  t.match(await as(owner).remove(`/connectors/rotor/accounts/${shared.id}`), { status: 204 })
})

t.test(
  'a connector that CONNECTORS excludes is served while there are accounts, and is unknown afterwards',
  async t => {
    const { ada, owner, account, services, connectors } = await rotorJourney(t)
    const { id } = await account(ada)
    const later = await build(t, {
      shared: services.database,
      connectors: [...connectors, sampleConnector('store', keyOnly)],
      settings: { ...services.settings, connectors: ['store'] },
      verifyJwt,
    })
    const [has, hasNot] = [callerOfApp(later, signedIn(ada)), callerOfApp(later, signedIn(owner))]
    t.equal(await has.entry('rotor'), undefined)
    t.ok(await has.entry('store'))
    t.equal((await has.tools('rotor')).size, 0)
    t.match(await has.call('rotor__look'), { text: 'Tool rotor__look not found' })
    t.match(await has.get('/connectors/rotor'), { status: 200, body: { id: 'rotor', accounts: [{ id }] } })

    const unknown = await hasNot.get('/connectors/nothing')
    t.equal(unknown.status, 404)
    t.same(await hasNot.get('/connectors/rotor'), unknown, 'it is unknown to members without accounts')
    t.same((await hasNot.remove('/connectors/rotor')).text, unknown.text)
    const { caller } = ada
    const begun = later.services.connecting.begin({
      caller,
      connector: 'rotor',
      scope: 'private',
      redirectUri: 'http://127.0.0.1:9/',
    })
    await t.rejects(begun, { code: 'invalid_request' })

    t.match(await has.remove(`/connectors/rotor/accounts/${id}`), { status: 204 })
    t.same(await has.get('/connectors/rotor'), unknown)
    t.same(await has.remove(`/connectors/rotor/accounts/${id}`), {
      status: 404,
      text: unknown.text,
      code: unknown.body.error,
    })
  },
)

t.test('an organization’s own OAuth app replaces the platform’s, and admins see it', async t => {
  const { as, owner, ada, org, account, client, services } = await rotorJourney(t, shared)
  await account(ada, 'before')
  t.match(await as(ada).entry('rotor'), { credential_source: { active: 'platform', org_clients_enabled: true } })
  await services.oauthClients.set({
    orgId: org.id,
    connector: 'rotor',
    clientId: 'own.1',
    clientSecret: 'own-secret',
    by: owner.caller,
    setBy: owner.userId,
  })
  await newsHeard(services.database)
  await account(ada, 'after')
  const ownApp = { client_id: 'own.1', set_by: owner.userId, rotated_at: null }
  const toMember = await as(ada).entry('rotor')
  t.same(toMember?.credential_source, { active: 'org', org_clients_enabled: true })
  t.match(await as(owner).entry('rotor'), { credential_source: { active: 'org', org: ownApp } })
  const { body } = await as(owner).get('/connectors/rotor')
  t.match(body.credential_source, { active: 'org', org: { ...ownApp, connections: 1 } })
  t.notMatch(JSON.stringify(body), 'own-secret')
  t.not(client.id, 'own.1')
})

t.test('each grant is renewed by the app that it was issued to', async t => {
  const { as, owner, ada, org, account, client, server, services, hourLater } = await rotorJourney(t, shared)
  await account(ada, 'before')
  const { set } = services.oauthClients
  const own = { orgId: org.id, connector: 'rotor', by: owner.caller, setBy: owner.userId }
  await set({ ...own, clientId: 'own.1', clientSecret: 'own-secret' })
  await account(ada, 'after')
  hourLater()
  for (const alias of ['before', 'after'])
    t.match(await as(ada).call('rotor__look', { account: alias }), { outcome: 'ok' })
  t.same(
    server.requests.map(({ authorization }) => authorization),
    [`${client.id}:${client.secret}`, 'own.1:own-secret'].map(pair => `Basic ${btoa(pair)}`),
  )
})
