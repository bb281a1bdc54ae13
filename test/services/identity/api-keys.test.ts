import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { KyselyPlugin, PluginTransformQueryArgs, PluginTransformResultArgs } from 'kysely'
import t, { type Test } from 'tap'
import type { KeyRing } from '../../../lib/configuration/key-ring.ts'
import { isDatabaseUnavailable } from '../../../lib/database/database-errors.ts'
import type { DatabaseEvents, EventTopic } from '../../../lib/database/events.ts'
import type { AgentStatus } from '../../../lib/database/organization-tables.ts'
import { forOrg } from '../../../lib/database/tenant.ts'
import { createServices } from '../../../services/create-services.ts'
import { createApiKeys, createRehash, hashApiKey } from '../../../services/identity/api-keys.ts'
import { mintApiKey } from '../../../services/identity/key-format.ts'
import { CATALOG } from '../../../tools/catalog.ts'
import { silent, testDatabase } from '../../fixtures/database.ts'
import { directory } from '../../fixtures/directory.ts'
import { scrub, testClock } from '../../fixtures/fixture.ts'
import { testSettings } from '../../fixtures/settings.ts'
import { until } from '../../fixtures/until.ts'

/** Services on a database of their own, one member with a key, and a verifier to try it on. */
async function fixture(t: Parameters<typeof testDatabase>[0]) {
  const clock = testClock(Date.now())
  const database = await testDatabase(t)
  const settings = testSettings()
  const services = await createServices(settings, { ...CATALOG, log: silent, scrub, clock, database })
  const member = await (await directory(services).org()).member('admin')
  const { environment, peppers } = settings
  const { db, events } = database
  /** A key of the member, after the news of its making has come through: until then nothing is kept in the cache. */
  const newKey: typeof member.key = async options => {
    const heard = next(events, 'api_key')
    const made = await member.key(options)
    await heard
    return made
  }
  return {
    ...services,
    clock,
    db,
    events,
    member,
    newKey,
    verifier: createApiKeys({ db, events, clock, environment, peppers }),
  }
}

/** Counts the queries from now on. */
function countQueries(t: Test): () => number {
  let queries = 0
  const count = () => void queries++
  subscribe('connector-gateway:query', count)
  t.teardown(() => unsubscribe('connector-gateway:query', count))
  return () => queries
}

/** Resolves at the next event of a topic. */
function next(events: DatabaseEvents, topic: EventTopic): Promise<void> {
  return new Promise(resolve => {
    const stop = events.on(topic, () => {
      stop()
      // The verifier's own listeners run in the same turn.
      setImmediate(resolve)
    })
  })
}

t.test('a key resolves to its member, role and agent, and then comes from the cache', async t => {
  const { verifier, member, newKey } = await fixture(t)
  const agent = await member.agent()
  const { id, key } = await newKey({ agentId: agent.id })
  t.equal(verifier.cached(key), undefined)
  const identity = await verifier.verify(key)
  t.match(identity, {
    via: 'api-key',
    keyId: id,
    meterKey: id,
    userId: member.userId,
    orgId: member.orgId,
    role: 'admin',
    agent: { id: agent.id, status: 'active' },
    expiresAt: null,
  })
  t.equal(verifier.cached(key), identity)
})

t.test('the holder of an expired key learns its date from one query, and no one else learns anything', async t => {
  const { verifier, clock, newKey } = await fixture(t)
  const expiresAt = new Date(clock.now() + 3_000)
  const { key } = await newKey({ expiresAt })
  const expired = `This API key expired on ${expiresAt.toISOString().slice(0, 10)}. Use another key.`
  const unknown = 'This API key is unknown or revoked. Use another key.'
  clock.advance(3_000)

  const queries = countQueries(t)
  for (let requests = 0; requests < 3; requests++) {
    t.equal(await verifier.verify(key), undefined)
    t.equal(verifier.cached(key), undefined)
    t.match(verifier.rejection(key), { code: 'invalid_api_key', message: expired })
  }
  t.equal(queries(), 1, 'the rejection is cached')
  const other = mintApiKey('development')
  t.equal(await verifier.verify(other), undefined)
  t.equal(verifier.rejection(other).message, unknown)

  const late = await newKey({ expiresAt: new Date(clock.now() + 3_000) })
  t.ok(await verifier.verify(late.key))
  t.equal(verifier.rejection(late.key).message, unknown, 'a key that has not expired yet names no date')
})

t.test(
  'text that cannot be a key of this environment costs no query, an unknown key one query per five seconds',
  async t => {
    const { db, events, clock, newKey } = await fixture(t)
    await newKey()
    const { environment, peppers } = testSettings()
    const queries = countQueries(t)
    const verifier = createApiKeys({ db, events, clock, environment, peppers })
    for (const key of ['', 'x', `cgw_dev_${'A'.repeat(49)}`, mintApiKey('production')])
      t.equal(await verifier.verify(key), undefined)
    t.equal(queries(), 0)

    const unknown = mintApiKey('development')
    t.same(await Promise.all([verifier.verify(unknown), verifier.verify(unknown)]), [undefined, undefined])
    t.equal(await verifier.verify(unknown), undefined)
    t.equal(queries(), 1, 'two at once share a look-up, and the third is answered from the cache')
    clock.advance(5_000)
    await verifier.verify(unknown)
    t.equal(queries(), 2)
  },
)

t.test('a key ends with its revocation, expiry or membership, and its agent’s standing applies at once', async t => {
  const { verifier, member, newKey, keys, agents, events, clock, db } = await fixture(t)
  const revoked = await newKey()
  await verifier.verify(revoked.key)
  const heard = next(events, 'api_key')
  await keys.revoke(revoked.id, { by: 'operator' })
  await heard
  t.equal(verifier.cached(revoked.key), undefined, 'the event has dropped it')
  t.equal(await verifier.verify(revoked.key), undefined)

  const brief = await newKey({ expiresAt: new Date(clock.now() + 3_000) })
  t.ok(await verifier.verify(brief.key))
  clock.advance(3_000)
  t.equal(verifier.cached(brief.key), undefined)
  t.equal(await verifier.verify(brief.key), undefined)

  const agent = await member.agent()
  const { key } = await newKey({ agentId: agent.id })
  await verifier.verify(key)
  const suspended = next(events, 'agent')
  await agents.setStatus(agent.id, 'suspended', { by: 'operator' })
  await suspended
  t.match(await verifier.verify(key), { agent: { status: 'suspended' } })

  const plain = await newKey()
  t.ok(await verifier.verify(plain.key))
  const left = next(events, 'membership')
  await db
    .updateTable('memberships')
    .set({ revoked_at: new Date(clock.now()) })
    .where('org_id', '=', member.orgId)
    .execute()
  await left
  t.equal(await verifier.verify(plain.key), undefined, 'no member, no key')
})

t.test('a key under an older pepper is valid, and one under an unknown pepper is not', async t => {
  const { newKey, db, events, clock, settings } = await fixture(t)
  const { key } = await newKey()
  const [fresh] = testSettings().peppers
  const { environment } = settings
  const rotated = createApiKeys({
    db,
    events,
    clock,
    environment,
    peppers: [{ ...fresh, id: 'new' }, ...settings.peppers],
  })
  t.ok(await rotated.verify(key))
  t.equal(
    await createApiKeys({ db, events, clock, environment, peppers: testSettings().peppers }).verify(key),
    undefined,
  )
})

t.test('a key of a suspended or retired agent gets the reason, and one of a removed owner is invalid', async t => {
  const { verifier, member, newKey, db, events, clock } = await fixture(t)
  const { id: agentId } = await member.agent()
  const plain = await newKey()
  const { key } = await newKey({ agentId })
  const org = forOrg(db, member.orgId)
  const change = async (topic: EventTopic, work: Promise<unknown>) => {
    const heard = next(events, topic)
    await work
    await heard
    // What was unknown is asked for again.
    clock.advance(5_000)
  }
  const setAgent = (status: AgentStatus) => change('agent', org.updateTable('agents').set({ status }).execute())
  const setLeft = (revoked_at: Date | null) =>
    change(
      'membership',
      org.updateTable('memberships').where('user_id', '=', member.userId).set({ revoked_at }).execute(),
    )

  await setLeft(new Date())
  t.equal(await verifier.verify(plain.key), undefined)
  t.equal(await verifier.verify(key), undefined, 'an active agent does not outlive its owner’s membership')
  for (const status of ['suspended', 'retired'] as const) {
    await setAgent(status)
    t.match(await verifier.verify(key), { agent: { id: agentId, status } }, 'known, so that standing refuses it')
    t.equal(await verifier.verify(plain.key), undefined)
  }

  await setLeft(null)
  t.match(await verifier.verify(key), { agent: { status: 'retired' } })
  await change('api_key', org.updateTable('api_keys').set({ revoked_at: new Date() }).execute())
  t.equal(await verifier.verify(key), undefined, 'a revoked one is unknown, whatever its agent is')
})

t.test('a key of an agent acts as the agent’s owner', async t => {
  const { verifier, member, newKey, db, events, organizations } = await fixture(t)
  const { id: agentId } = await member.agent()
  const { key } = await newKey({ agentId })
  const heard = next(events, 'agent')
  const { id: heir } = await organizations.createUser({
    orgId: member.orgId,
    email: 'h@example.test',
    role: 'member',
    by: 'operator',
  })
  await forOrg(db, member.orgId).updateTable('agents').set({ owner_id: heir }).execute()
  await heard
  t.match(await verifier.verify(key), { userId: heir, role: 'member', agent: { id: agentId } })
})

t.test('a known caller is rechecked even during a flood of unknown keys', async t => {
  const { verifier, newKey, clock } = await fixture(t)
  const { key } = await newKey()
  const stranger = await newKey()
  const identity = await verifier.verify(key, '192.0.2.1')
  t.ok(identity)
  clock.advance(10_000)

  // The known caller's address has a full queue. Known keys use another queue.
  const flood = (count: number, from: (i: number) => string) =>
    Promise.allSettled(Array.from({ length: count }, (_, i) => verifier.verify(mintApiKey('development'), from(i))))
  const near = flood(300, () => '192.0.2.1')
  await t.rejects(verifier.verify(stranger.key, '192.0.2.1'), { code: 'overloaded' })
  const [again, elsewhere] = [verifier.verify(key, '192.0.2.1'), verifier.verify(stranger.key, '192.0.2.2')]
  const renewed = await again
  t.match(renewed, { keyId: identity?.keyId })
  t.not(renewed, identity, 'read again from the database')
  t.ok(await elsewhere)
  t.equal((await near).filter(({ status }) => status === 'rejected').length, 100)

  // So many addresses that none has two places in the queue.
  clock.advance(10_000)
  const everywhere = flood(5_000, i => `10.0.${i >> 8}.${i & 255}`)
  const last = await verifier.verify(key, '192.0.2.1')
  t.match(last, { keyId: identity?.keyId })
  t.not(last, renewed, 'read anew again')
  await everywhere
})

t.test('a used key moves to the first pepper and no longer needs the old one', async t => {
  const { newKey, db, events, clock, settings, member } = await fixture(t)
  const { id, key } = await newKey()
  const [old] = settings.peppers
  const fresh = { ...testSettings().peppers[0], id: 'new' }
  const { environment } = settings
  const verifierWith = (...peppers: KeyRing) => createApiKeys({ db, events, clock, environment, peppers })
  const row = (of = id) =>
    forOrg(db, member.orgId)
      .selectFrom('api_keys')
      .where('id', '=', of)
      .select(['hash', 'pepper_id'])
      .executeTakeFirstOrThrow()

  // Two processes at once: one moves it, and the other finds it moved.
  const moved = next(events, 'api_key')
  const [one, two] = [verifierWith(fresh, old), verifierWith(fresh, old)]
  t.ok((await Promise.all([one.verify(key), two.verify(key)])).every(found => found?.keyId === id))
  await moved
  t.same(await row(), { hash: hashApiKey(key, fresh), pepper_id: 'new' })
  t.match(await verifierWith(fresh).verify(key), { keyId: id })
  t.equal(await verifierWith(old).verify(key), undefined)

  // A process that still has the old one first moves it back once. Nobody moves it to and fro. It is another key, which no
  // process above can still be about to move.
  const other = await newKey()
  const ahead = verifierWith(fresh, old)
  const forth = next(events, 'api_key')
  t.ok(await ahead.verify(other.key))
  await forth
  const back = next(events, 'api_key')
  const behind = verifierWith(old, fresh)
  t.ok(await behind.verify(other.key))
  await back
  t.equal((await row(other.id)).pepper_id, old.id)
  let moves = 0
  t.teardown(events.on('api_key', () => moves++))
  t.ok(await ahead.verify(other.key))
  t.ok(await behind.verify(other.key))
  const again = next(events, 'api_key')
  clock.advance(60 * 60_000)
  t.ok(await ahead.verify(other.key))
  await again
  t.equal(moves, 1, 'an hour later, by the one whose first pepper it is not under')
  t.equal((await row(other.id)).pepper_id, 'new')
})

t.test('a key that is used by its replaced secret keeps its current one, also during a change of peppers', async t => {
  const { newKey, db, events, clock, settings, member, keys } = await fixture(t)
  const { id, key: replaced } = await newKey()
  const { key: current } = await keys.rotate(id, { overlapSeconds: 3_600, by: 'operator' })
  const [old] = settings.peppers
  const fresh = { ...testSettings().peppers[0], id: 'new' }
  const { environment } = settings
  const verifierWith = (...peppers: KeyRing) => createApiKeys({ db, events, clock, environment, peppers })
  const row = () =>
    forOrg(db, member.orgId)
      .selectFrom('api_keys')
      .where('id', '=', id)
      .select(['hash', 'pepper_id', 'previous_hash', 'previous_pepper_id'])
      .executeTakeFirstOrThrow()
  const verifier = verifierWith(fresh, old)
  t.match(await verifier.verify(replaced), { keyId: id, expiresAt: clock.now() + 3_600_000 })
  // Later keys wait for the move of earlier ones: when another key has moved, that of this one is over.
  const { id: other, key } = await newKey()
  t.match(await verifier.verify(key), { keyId: other })
  const movedTo = (keyId: string) =>
    forOrg(db, member.orgId).selectFrom('api_keys').where('id', '=', keyId).where('pepper_id', '=', 'new').select('id')
  await until(async () => (await movedTo(other).executeTakeFirst()) !== undefined)
  t.same(await row(), {
    hash: hashApiKey(current, old),
    pepper_id: old.id,
    previous_hash: hashApiKey(replaced, old),
    previous_pepper_id: old.id,
  })
  t.match(await verifier.verify(current), { keyId: id, expiresAt: null })
  await until(async () => (await movedTo(id).executeTakeFirst()) !== undefined)
  t.match(await row(), { hash: hashApiKey(current, fresh), previous_hash: hashApiKey(replaced, old) })
})

t.test('a key that is revoked during its move stays revoked, with its old hash', async t => {
  const { newKey, db, events, clock, settings, member, keys } = await fixture(t)
  const { id, key } = await newKey()
  const [old] = settings.peppers
  const fresh = { ...testSettings().peppers[0], id: 'new' }
  const moving = createRehash({ db, clock, pepper: fresh })
  const revoked = next(events, 'api_key')
  await keys.revoke(id, { by: 'operator' })
  await revoked
  const other = await newKey()
  const moved = next(events, 'api_key')
  // What was read before the revocation, then a key that shows when the first one has had its turn.
  for (const it of [{ id, key }, other])
    moving({ orgId: member.orgId, id: it.id, from: hashApiKey(it.key, old), to: hashApiKey(it.key, fresh) })
  await moved
  const rows = await forOrg(db, member.orgId)
    .selectFrom('api_keys')
    .select(['id', 'hash', 'pepper_id', 'revoked_at'])
    .execute()
  t.match(
    rows.find(row => row.id === id),
    { hash: hashApiKey(key, old), pepper_id: old.id, revoked_at: Date },
  )
  t.match(
    rows.find(row => row.id === other.id),
    { hash: hashApiKey(other.key, fresh), pepper_id: 'new', revoked_at: null },
  )
})

t.test('a database failure during the move of a key affects no caller, and the key moves afterwards', async t => {
  const { newKey, db, events, clock, settings, member } = await fixture(t)
  const { id, key } = await newKey()
  const [old] = settings.peppers
  const fresh = { ...testSettings().peppers[0], id: 'new' }
  let attempts = 0
  class FailsOnce implements KyselyPlugin {
    transformQuery({ node }: PluginTransformQueryArgs) {
      if (node.kind === 'UpdateQueryNode' && ++attempts === 1) throw new Error('read-only')
      return node
    }
    async transformResult({ result }: PluginTransformResultArgs) {
      return result
    }
  }
  const { environment } = settings
  const verifier = createApiKeys({
    db: db.withPlugin(new FailsOnce()),
    events,
    clock,
    environment,
    peppers: [fresh, old],
  })
  t.match(await verifier.verify(key), { keyId: id })
  const moved = next(events, 'api_key')
  while (attempts < 2) {
    clock.advance(10_000)
    if ((await verifier.verify(key))?.keyId !== id) t.fail('refused')
  }
  await moved
  t.match(await forOrg(db, member.orgId).selectFrom('api_keys').select('pepper_id').executeTakeFirst(), {
    pepper_id: 'new',
  })
})

t.test(
  'while the database is down, known callers are served for ten minutes and others get the database error',
  async t => {
    const { verifier, newKey, clock, database } = await fixture(t)
    const { key } = await newKey()
    const unread = await newKey()
    const identity = await verifier.verify(key)
    await database.close()

    clock.advance(10_000)
    t.equal(verifier.cached(key), undefined, 'no longer fresh')
    t.equal(await verifier.verify(key), identity)
    t.equal(verifier.cached(key), identity, 'and not tried again for a second')
    t.ok(isDatabaseUnavailable(await verifier.verify(unread.key).catch(error => error)))

    clock.advance(10 * 60_000)
    t.ok(isDatabaseUnavailable(await verifier.verify(key).catch(error => error)))
  },
)
