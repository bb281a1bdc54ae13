import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import t from 'tap'
import type { DatabaseEvents, EventTopic } from '../../plugins/database/events.ts'
import { isDatabaseUnavailable } from '../../plugins/database/unavailable.ts'
import { createApiKeys } from '../../plugins/identity/api-keys.ts'
import { mintApiKey } from '../../plugins/identity/key-format.ts'
import { createServices } from '../../services.ts'
import { silent, testDatabase } from '../database.ts'
import { directory } from '../directory.ts'
import { testSettings } from '../settings.ts'
import { testClock } from '../stage.ts'

/** Services on a database of their own, one member with a key, and a verifier to try it on. */
async function stage(t: Parameters<typeof testDatabase>[0]) {
  const clock = testClock(Date.now())
  const database = await testDatabase(t)
  const settings = testSettings()
  const services = await createServices(settings, { log: silent, clock, database })
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

t.test('a key leads to its member, role and agent, and is answered from the cache afterwards', async t => {
  const { verifier, member, newKey } = await stage(t)
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

t.test(
  'what cannot be a key of this environment costs no query, and an unknown one a query in five seconds',
  async t => {
    const { db, events, clock, newKey } = await stage(t)
    await newKey()
    const { environment, peppers } = testSettings()
    let queries = 0
    const count = () => void queries++
    subscribe('connector-gateway:query', count)
    t.teardown(() => unsubscribe('connector-gateway:query', count))
    const verifier = createApiKeys({ db, events, clock, environment, peppers })
    for (const key of ['', 'x', `cgw_dev_${'A'.repeat(49)}`, mintApiKey('production')])
      t.equal(await verifier.verify(key), undefined)
    t.equal(queries, 0)

    const unknown = mintApiKey('development')
    t.same(await Promise.all([verifier.verify(unknown), verifier.verify(unknown)]), [undefined, undefined])
    t.equal(await verifier.verify(unknown), undefined)
    t.equal(queries, 1, 'two at once share a look-up, and the third is answered from the cache')
    clock.advance(5_000)
    await verifier.verify(unknown)
    t.equal(queries, 2)
  },
)

t.test(
  'a key ends with its revocation, its expiry, its membership, and its agent’s standing shows at once',
  async t => {
    const { verifier, member, newKey, keys, agents, events, clock, db } = await stage(t)
    const revoked = await newKey()
    await verifier.verify(revoked.key)
    const heard = next(events, 'api_key')
    await keys.revoke(revoked.id)
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
    await agents.setStatus(agent.id, 'suspended')
    await suspended
    t.match(await verifier.verify(key), { agent: { status: 'suspended' } })

    const left = next(events, 'membership')
    await db
      .updateTable('memberships')
      .set({ revoked_at: new Date(clock.now()) })
      .where('org_id', '=', member.orgId)
      .execute()
    await left
    t.equal(await verifier.verify(key), undefined, 'no member, no key')
  },
)

t.test('a key made under an older pepper still verifies, and under a foreign one does not', async t => {
  const { newKey, db, events, clock, settings } = await stage(t)
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
  t.equal(await createApiKeys({ db, events, clock, environment, peppers: [fresh] }).verify(key), undefined)
})

t.test(
  'while the database is down a known caller is served for ten minutes, and anybody else is told whose fault it is',
  async t => {
    const { verifier, newKey, clock, database } = await stage(t)
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
