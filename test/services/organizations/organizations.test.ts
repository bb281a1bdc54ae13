import { Type } from '@sinclair/typebox'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import type { Audit } from '../../../lib/audit/audit.ts'
import type { OpenDatabase } from '../../../lib/database/open-database.ts'
import { acrossOrgs } from '../../../lib/database/tenant.ts'
import { defineTool } from '../../../services/definitions/define-tool.ts'
import { build } from '../../fixtures/build.ts'
import { testDatabase, testDatabaseUrl } from '../../fixtures/database.ts'
import { directory, directoryServices, type TestMember } from '../../fixtures/directory.ts'
import { testClock } from '../../fixtures/fixture.ts'

const concurrent = testDatabaseUrl === undefined ? { skip: 'the embedded database has one session: nothing races' } : {}

async function fixture(t: Test) {
  const database = await testDatabase(t)
  const clock = testClock()
  const services = directoryServices(database.db, clock)
  /** The members of an organization and their roles. */
  const rolesIn = async (orgId: string) =>
    Object.fromEntries((await services.members.list(orgId)).map(({ userId, role }) => [userId, role]))
  return { ...services, rolesIn, clock, database, hand: acrossOrgs(database.db), directory: directory(services) }
}

/** A tool that answers the role its caller has. */
const roleOfCaller = defineTool({
  name: 'test__role',
  title: 'Role',
  description: 'The role of the caller.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: Type.Object({}, { additionalProperties: false }),
  run: async (_args, { caller }) => ({ content: [{ type: 'text', text: caller.role }] }),
})

/** What the audit says since it was last asked, as `action target`, sorted: rows of one instant have no order. */
function trailOf({ db }: OpenDatabase) {
  const seen = new Set<string>()
  return async () => {
    const rows = await acrossOrgs(db).selectFrom('audit').selectAll().execute()
    const fresh = rows.filter(({ id }) => !seen.has(id))
    for (const { id } of fresh) seen.add(id)
    return fresh.map(({ action, target, user_id }) => [`${action} ${target}`, user_id] as const).sort()
  }
}

const lastOwner = /is the last owner of org_.*Make another member an owner first/

t.test('a member is added once; a removed member returns without their keys', async t => {
  const { organizations, members, keys, rolesIn, directory, database, hand } = await fixture(t)
  const [owner, ada] = await directory.members('owner', 'member')
  const { orgId } = owner
  const add = () => members.add({ orgId, userId: ada.userId, role: 'admin', by: 'operator' })
  await t.rejects(add(), { code: 'invalid_request', message: /is already a member of org_.*member role/ })
  t.same(await rolesIn(orgId), { [owner.userId]: 'owner', [ada.userId]: 'member' })

  const { id } = await ada.key()
  const trail = trailOf(database)
  await trail()
  await members.remove({ orgId, userId: ada.userId, by: 'operator' })
  t.same(await rolesIn(orgId), { [owner.userId]: 'owner' })
  await t.rejects(ada.key(), { message: /is not a member of/ }, 'a removed member gets no key')
  await add()
  t.same(
    await trail(),
    [
      [`key.revoke ${id}`, null],
      [`member.add ${ada.userId}`, null],
      [`member.remove ${ada.userId}`, null],
    ].sort(),
  )
  t.same(await rolesIn(orgId), { [owner.userId]: 'owner', [ada.userId]: 'admin' })
  t.match(await keys.list(orgId), [{ id, revokedAt: Date }], 'and their key stays revoked')

  await t.rejects(members.add({ orgId: 'org_1', userId: ada.userId, role: 'member', by: 'operator' }), {
    message: 'There is no organization org_1.',
  })
  await t.rejects(members.add({ orgId, userId: 'usr_1', role: 'member', by: 'operator' }), {
    message: 'There is no user usr_1.',
  })
  await t.rejects(members.list('org_1'), { message: 'There is no organization org_1.' })
  t.match(await organizations.list(), [{ id: orgId, name: 'Analytical Engines', members: 2, createdAt: Date }])
  await members.remove({ orgId, userId: ada.userId, by: 'operator' })
  t.match(await organizations.list(), [{ id: orgId, members: 1 }], 'removed members are not counted')
  t.equal((await hand.selectFrom('memberships').selectAll().execute()).length, 2, 'though their rows stay')
})

t.test('a changed role has an audit row, an unchanged one has none', async t => {
  const { members, rolesIn, directory, database } = await fixture(t)
  const [owner, ada] = await directory.members('owner', 'member')
  const trail = trailOf(database)
  await trail()
  const change = { orgId: owner.orgId, userId: ada.userId, role: 'admin', by: owner } as const
  await members.setRole(change)
  await members.setRole(change)
  t.same(await trail(), [[`member.role ${ada.userId}`, owner.userId]])
  t.same(await rolesIn(owner.orgId), { [owner.userId]: 'owner', [ada.userId]: 'admin' })

  const [stranger] = await directory.members('owner')
  await t.rejects(members.setRole({ ...change, userId: stranger.userId }), { message: /is not a member of/ })
  await t.rejects(members.remove({ orgId: owner.orgId, userId: stranger.userId, by: 'operator' }), {
    message: /is not a member of/,
  })
  t.same(await rolesIn(stranger.orgId), { [stranger.userId]: 'owner' }, 'the role elsewhere is unchanged')
})

t.test('an organization is suspended and resumed once, with an audit row each', async t => {
  const { organizations, directory, database } = await fixture(t)
  const { id } = await directory.org()
  const other = await directory.org()
  const trail = trailOf(database)
  await trail()
  const standings = async () =>
    Object.fromEntries((await organizations.list()).map(({ id, standing }) => [id, standing]))
  t.equal(await organizations.resume(id, { by: 'operator' }), false)
  t.equal(await organizations.suspend(id, { by: 'operator' }), true)
  t.equal(await organizations.suspend(id, { by: 'operator' }), false)
  t.same(await standings(), { [id]: 'suspended', [other.id]: 'active' })
  t.equal(await organizations.resume(id, { by: 'operator' }), true)
  t.equal(await organizations.resume(id, { by: 'operator' }), false)
  t.same(await standings(), { [id]: 'active', [other.id]: 'active' })
  t.same(await trail(), [
    [`org.resume ${id}`, null],
    [`org.suspend ${id}`, null],
  ])
  for (const change of [organizations.suspend, organizations.resume])
    await t.rejects(change('org_1', { by: 'operator' }), {
      code: 'invalid_request',
      message: 'There is no organization org_1.',
    })

  const inHold = directoryServices(database.db, testClock(), { thresholdMicros: 1 }).organizations
  t.match(await inHold.list(), [{ standing: 'billing_hold' }, { standing: 'billing_hold' }])
})

t.test('the last owner can be neither removed nor demoted', async t => {
  const { members, rolesIn, directory } = await fixture(t)
  const [ada, eve] = await directory.members('owner', 'admin')
  await directory.members('owner')
  const { orgId } = ada
  await t.rejects(members.remove({ ...ada, by: 'operator' }), { code: 'invalid_request', message: lastOwner })
  await t.rejects(members.setRole({ orgId, userId: ada.userId, role: 'admin', by: 'operator' }), { message: lastOwner })
  await members.setRole({ orgId, userId: ada.userId, role: 'owner', by: 'operator' })
  await members.setRole({ orgId, userId: eve.userId, role: 'owner', by: 'operator' })
  await members.remove({ ...ada, by: 'operator' })
  await t.rejects(members.remove({ ...eve, by: 'operator' }), { message: lastOwner }, 'a removed owner does not count')
  t.same(await rolesIn(orgId), { [eve.userId]: 'owner' })
})

t.test('a removal revokes only the member’s own keys and suspends only their agents', async t => {
  const { members, keys, agents, directory, database } = await fixture(t)
  const [ada, eve] = await directory.members('owner', 'owner')
  const { orgId } = ada
  const [active, paused, gone, other] = [await eve.agent(), await eve.agent(), await eve.agent(), await ada.agent()]
  await agents.setStatus(paused.id, 'suspended', { by: 'operator' })
  await agents.retire(gone.id, { by: 'operator' })
  const [own, before] = [await eve.key(), await eve.key()]
  await keys.revoke(before.id, { by: 'operator' })
  const before1 = (await keys.list(orgId)).find(({ id }) => id === before.id)
  const [agentKey, adas] = [await eve.key({ agentId: active.id }), await ada.key()]
  const trail = trailOf(database)
  await trail()

  await members.remove({ orgId, userId: eve.userId, by: ada })
  t.same(
    await trail(),
    [`member.remove ${eve.userId}`, `key.revoke ${own.id}`, `agent.suspend ${active.id}`]
      .map(line => [line, ada.userId])
      .sort(),
  )
  const revoked = new Map((await keys.list(orgId)).map(({ id, revokedAt }) => [id, revokedAt]))
  t.ok(revoked.get(own.id))
  t.same(revoked.get(before.id), before1?.revokedAt)
  t.equal(revoked.get(agentKey.id), null, 'an agent’s key is the agent’s: it waits for the new owner')
  t.equal(revoked.get(adas.id), null)
  const states = (await agents.list(orgId)).map(({ id, status, orphaned }) => ({ id, status, orphaned }))
  t.same(
    new Set(states),
    new Set([
      { id: active.id, status: 'suspended', orphaned: true },
      { id: paused.id, status: 'suspended', orphaned: false },
      { id: gone.id, status: 'retired', orphaned: false },
      { id: other.id, status: 'active', orphaned: false },
    ]),
  )
})

t.test(
  'a renamed organization and a changed email have an audit row where they apply, unchanged ones have none',
  async t => {
    const { organizations, members, userEmails, directory, hand } = await fixture(t)
    const [ada, bob] = await directory.members('owner', 'member')
    const [eve] = await directory.members('owner')
    await members.add({ orgId: eve.orgId, userId: ada.userId, role: 'member', by: 'operator' })
    const trail = async () => {
      const rows = hand.selectFrom('audit').where('action', 'in', ['org.rename', 'user.email'])
      return rows.orderBy('org_id').select(['org_id', 'action', 'target', 'detail']).execute()
    }
    const rename = () => organizations.rename(eve.orgId, { name: 'Difference Engines', by: 'operator' })
    t.equal(await rename(), true)
    t.equal(await rename(), false)
    const names = new Map((await organizations.list()).map(({ id, name }) => [id, name]))
    t.same(
      [eve, ada].map(({ orgId }) => names.get(orgId)),
      ['Difference Engines', 'Analytical Engines'],
    )
    const detail = { name: 'Difference Engines', before: 'Analytical Engines' }
    t.same(await trail(), [{ org_id: eve.orgId, action: 'org.rename', target: eve.orgId, detail }])
    await hand.deleteFrom('audit').where('action', '=', 'org.rename').execute()

    const emailOf = async ({ userId }: TestMember) =>
      (await members.list(ada.orgId)).find(member => member.userId === userId)?.email ?? ''
    const before = await emailOf(ada)
    const set = (email: string, force = false) => userEmails.set({ userId: ada.userId, email, force, by: 'operator' })
    t.equal(await set(' ada@analytical.example '), true)
    t.equal(await set('ada@analytical.example'), false)
    t.equal(await emailOf(ada), 'ada@analytical.example')
    const changed = { action: 'user.email', target: ada.userId, detail: { email: 'ada@analytical.example', before } }
    t.same(
      await trail(),
      [ada.orgId, eve.orgId].sort().map(org_id => ({ org_id, ...changed })),
      'in each organization of the user',
    )

    const taken = await emailOf(bob)
    const refused = { code: 'invalid_request', message: new RegExp(`^${bob.userId} .* is already a member .*--force`) }
    await t.rejects(set(taken.toUpperCase()), refused)
    t.equal((await trail()).length, 2, 'a refused change leaves no row')
    t.equal(await set(taken, true), true)
    for (const email of ['ada', 'ada@', 'a da@analytical.example', 'ada@analytical.example\u200b', ''])
      await t.rejects(set(email), { code: 'invalid_request', message: /^The email must have the form/ })
  },
)

t.test('other organizations do not exist for a user', async t => {
  const { organizations, members, keys, agents, directory, hand } = await fixture(t)
  const [ada, friend] = await directory.members('owner', 'member')
  const [eve, outsider] = await directory.members('owner', 'member')
  const { userId } = friend
  const changes: Record<string, (orgId: string) => Promise<unknown>> = {
    add: orgId => members.add({ orgId, userId: outsider.userId, role: 'member', by: eve }),
    setRole: orgId => members.setRole({ orgId, userId, role: 'admin', by: eve }),
    remove: orgId => members.remove({ orgId, userId, by: eve }),
    createUser: orgId => organizations.createUser({ orgId, email: 'e@example.test', role: 'owner', by: eve }),
    'agents.create': orgId => agents.create({ orgId, ownerId: userId, name: 'Spy', by: eve }),
    'keys.create': orgId => keys.create({ orgId, userId, by: eve }),
  }
  const rows = async () =>
    JSON.stringify([
      await hand.selectFrom('memberships').selectAll().orderBy('user_id').execute(),
      await hand.selectFrom('audit').selectAll().orderBy('id').execute(),
      await hand.selectFrom('users').selectAll().orderBy('id').execute(),
    ])
  const before = await rows()
  for (const [name, change] of Object.entries(changes)) {
    for (const orgId of [ada.orgId, 'org_1']) {
      const unknown = { code: 'invalid_request', message: `There is no organization ${orgId}.` }
      await t.rejects(change(orgId), unknown, `${name} in ${orgId}`)
    }
  }
  t.equal(await rows(), before, 'and nothing was changed')
  t.same(await keys.list(ada.orgId), [])
  t.same(await agents.list(ada.orgId), [])
  await members.add({ orgId: eve.orgId, userId, role: 'member', by: eve })
  t.ok(await keys.create({ orgId: eve.orgId, userId, by: eve }), 'in their own organization they may')
})

t.test('a change is rolled back if its audit row cannot be written', async t => {
  const { members, keys, agents, organizations, wallets, directory, database, hand, clock } = await fixture(t)
  const [ada, eve] = await directory.members('owner', 'owner')
  const { orgId } = ada
  const agent = await eve.agent()
  const { id: keyId } = await eve.key()
  const outsider = await (await directory.org()).member()
  const snapshot = async () =>
    JSON.stringify([
      await members.list(orgId),
      await keys.list(orgId),
      await agents.list(orgId),
      await organizations.list(),
      await wallets.balance(orgId),
      await hand.selectFrom('jobs').selectAll().execute(),
      await hand.selectFrom('audit').selectAll().orderBy('id').execute(),
    ])
  const before = await snapshot()

  const changes: Record<string, (services: ReturnType<typeof directoryServices>) => Promise<unknown>> = {
    'member.add': each => each.members.add({ orgId, userId: outsider.userId, role: 'member', by: 'operator' }),
    'member.role': each => each.members.setRole({ orgId, userId: eve.userId, role: 'admin', by: 'operator' }),
    'member.remove': each => each.members.remove({ orgId, userId: eve.userId, by: 'operator' }),
    'agent.create': each => each.agents.create({ orgId, ownerId: eve.userId, name: 'Late', by: 'operator' }),
    'agent.suspend': each => each.agents.setStatus(agent.id, 'suspended', { by: 'operator' }),
    'agent.retire': each => each.agents.retire(agent.id, { by: 'operator' }),
    'agent.assign': each => each.agents.assign(agent.id, ada.userId, { by: 'operator' }),
    'key.create': each => each.keys.create({ orgId, userId: eve.userId, by: 'operator' }),
    'key.revoke': each => each.keys.revoke(keyId, { by: 'operator' }),
    'key.cap': each => each.keys.update(keyId, { monthlyCapMicros: 1 }, { by: 'operator' }),
    'org.suspend': each => each.organizations.suspend(orgId, { by: 'operator' }),
    'wallet.credit': each => each.wallets.credit({ orgId, amountMicros: 1, by: 'operator' }),
  }
  const failing = (action: string): Audit => ({
    async record(_org, entries) {
      if ([entries].flat().some(entry => entry.action === action)) throw new Error('no audit')
    },
  })
  for (const [action, change] of Object.entries(changes)) {
    await t.rejects(change(directoryServices(database.db, clock, { audit: failing(action) })), /no audit/, action)
    t.equal(await snapshot(), before, `${action} left nothing behind`)
  }
  for (const dragged of ['key.revoke', 'agent.suspend']) {
    const services = directoryServices(database.db, clock, { audit: failing(dragged) })
    await t.rejects(changes['member.remove']?.(services) ?? Promise.resolve(), /no audit/)
    t.equal(await snapshot(), before, `a removal that cannot record ${dragged} left nothing behind`)
  }
})

t.test('concurrent changes', concurrent, async t => {
  const { members, keys, agents, directory, database, hand } = await fixture(t)

  /** Begins all of them while a hand holds the organization, and lets go when each waits or has gone past it. */
  async function race(orgId: string, works: (() => Promise<unknown>)[]): Promise<PromiseSettledResult<unknown>[]> {
    const running = await database.db.transaction().execute(async trx => {
      await sql`select id from organizations where id = ${orgId} for no key update`.execute(trx)
      const running = works.map(work => work().then(...settled()))
      await sql`select pg_sleep(0.05)`.execute(trx)
      return running
    })
    return Promise.all(running)
  }
  const settled = () =>
    [
      (value: unknown) => ({ status: 'fulfilled', value }) as const,
      (reason: unknown) => ({ status: 'rejected', reason }) as const,
    ] as const

  await t.test('if two owners remove each other, one stays', async t => {
    for (let round = 0; round < 5; round++) {
      const [ada, eve] = await directory.members('owner', 'owner')
      const results = await race(ada.orgId, [
        () => members.remove({ ...ada, by: 'operator' }),
        () => members.remove({ ...eve, by: 'operator' }),
      ])
      t.same(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
      t.match(
        results.find(({ status }) => status === 'rejected'),
        { reason: { message: lastOwner } },
      )
      t.same(
        (await members.list(ada.orgId)).map(({ role }) => role),
        ['owner'],
      )
    }
  })

  await t.test('if two owners demote and remove each other, one stays', async t => {
    for (let round = 0; round < 5; round++) {
      const [ada, eve] = await directory.members('owner', 'owner')
      const results = await race(ada.orgId, [
        () => members.setRole({ ...ada, role: 'member', by: 'operator' }),
        () => members.remove({ ...eve, by: 'operator' }),
      ])
      t.same(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
      const owners = (await members.list(ada.orgId)).filter(({ role }) => role === 'owner')
      t.equal(owners.length, 1)
    }
  })

  await t.test('a user who is added twice concurrently is added once', async t => {
    const [ada] = await directory.members('owner')
    const [eve] = await directory.members('member')
    const add = () => members.add({ orgId: ada.orgId, userId: eve.userId, role: 'member', by: 'operator' })
    const results = await race(ada.orgId, [add, add])
    t.same(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  })

  await t.test(
    'a key or agent that is created during its member’s removal does not outlive the membership',
    async t => {
      for (let round = 0; round < 5; round++) {
        const [ada, eve] = await directory.members('owner', 'member')
        const works = [() => eve.key(), () => eve.agent(), () => members.remove({ ...eve, by: 'operator' })]
        await race(ada.orgId, round % 2 === 0 ? works : works.reverse())
        const live = (await keys.list(ada.orgId)).filter(({ revokedAt }) => revokedAt === null)
        t.same(live, [])
        t.same(
          (await agents.list(ada.orgId)).filter(({ status }) => status === 'active'),
          [],
        )
      }
    },
  )

  await t.test('an agent is not resumed during its owner’s removal', async t => {
    for (let round = 0; round < 5; round++) {
      const [ada, eve] = await directory.members('owner', 'member')
      const agent = await eve.agent()
      await agents.setStatus(agent.id, 'suspended', { by: 'operator' })
      const works = [
        () => agents.setStatus(agent.id, 'active', { by: 'operator' }),
        () => members.remove({ ...eve, by: 'operator' }),
      ]
      await race(ada.orgId, round % 2 === 0 ? works : works.reverse())
      t.match(await agents.list(ada.orgId), [{ status: 'suspended' }])
    }
  })

  await t.test('a key that is created for an agent during its retirement is revoked with the others', async t => {
    for (let round = 0; round < 5; round++) {
      const [ada] = await directory.members('owner')
      const agent = await ada.agent()
      const works = [() => ada.key({ agentId: agent.id }), () => agents.retire(agent.id, { by: 'operator' })]
      await race(ada.orgId, round % 2 === 0 ? works : works.reverse())
      t.equal(
        (await hand.selectFrom('jobs').where('kind', '=', 'agent.revoke_keys').selectAll().execute()).length,
        round + 1,
      )
      t.ok((await keys.list(ada.orgId)).length <= 1)
    }
  })
})

t.test('every change of a user’s active organization publishes an event', async t => {
  const { database, directory, hand } = await fixture(t)
  const { events, db } = database
  const [{ orgId, userId }] = await directory.members('owner')
  const { promise: reset, resolve } = Promise.withResolvers<void>()
  const heard: unknown[] = []
  events.on('active_organization', event => heard.push(event))
  events.onReset(resolve)
  const choice = { user_id: userId, client_id: '', org_id: orgId, chosen_at: new Date(0) }
  await hand.insertInto('active_organizations').values(choice).execute()
  await db
    .updateTable('active_organizations')
    .set({ chosen_at: new Date(1) })
    .execute()
  await db.deleteFrom('active_organizations').execute()
  // Events keep the order of their commits: the reset is heard after them.
  await sql`truncate active_organizations`.execute(db)
  await reset
  const event = { topic: 'active_organization', orgId, id: userId }
  t.same(heard, [event, event, event])
})

t.test('what a caller sees of changes', async t => {
  const { app, services, directory, clock } = await build(t, { families: [roleOfCaller] })
  const ask = async (key: string) => {
    const response = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { 'x-api-key': key, accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'test__role', arguments: {} } },
    })
    return { status: response.statusCode, body: response.json() }
  }
  const roleSeen = async (key: string) => {
    const { body } = await ask(key)
    return body.result.content[0].text
  }
  /** Has the change's events come through: on PostgreSQL they follow its commit. */
  const heard = async (topic: 'membership' | 'api_key', change: () => Promise<unknown>) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = services.database.events.on(topic, () => setImmediate(resolve))
    await change()
    await promise
    stop()
  }
  const stay = async (): Promise<[TestMember, TestMember]> => directory.members('owner', 'member')

  await t.test('a removed member’s key is invalid from the next request on', async t => {
    const [, eve] = await stay()
    const { key } = await eve.key()
    t.equal((await ask(key)).status, 200)
    await heard('membership', () => services.members.remove({ ...eve, by: 'operator' }))
    t.match(await ask(key), { status: 401, body: { error: { code: 'invalid_api_key' } } })
  })

  await t.test('a key ends at its expiry, by the clock', async t => {
    const [owner] = await stay()
    const { key } = await owner.key({ expiresAt: new Date(clock.now() + 2_000) })
    t.equal((await ask(key)).status, 200)
    clock.advance(1_999)
    t.equal((await ask(key)).status, 200)
    clock.advance(1)
    t.match(await ask(key), { status: 401, body: { error: { code: 'invalid_api_key' } } })
  })

  await t.test('a changed role applies to the next request', async t => {
    const [, eve] = await stay()
    const { key } = await eve.key()
    t.equal(await roleSeen(key), 'member')
    await heard('membership', () => services.members.setRole({ ...eve, role: 'admin', by: 'operator' }))
    t.equal(await roleSeen(key), 'admin')
  })
})
