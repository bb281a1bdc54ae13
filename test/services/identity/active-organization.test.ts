import t, { type Test } from 'tap'
import { isDatabaseUnavailable } from '../../../lib/database/database-errors.ts'
import type { EventTopic } from '../../../lib/database/events.ts'
import { createServices } from '../../../services/create-services.ts'
import { createActiveOrganizations } from '../../../services/identity/active-organization.ts'
import { CATALOG } from '../../../tools/catalog.ts'
import { newsHeard, silent, testDatabase } from '../../fixtures/database.ts'
import { directory } from '../../fixtures/directory.ts'
import { scrub, testClock } from '../../fixtures/fixture.ts'
import { testSettings } from '../../fixtures/settings.ts'

/** A member of one organization, another organization, and two processes that look up the member's active organization. */
async function fixture(t: Test) {
  const clock = testClock(Date.now())
  const database = await testDatabase(t)
  const { organizations, members } = await createServices(testSettings(), {
    ...CATALOG,
    log: silent,
    scrub,
    clock,
    database,
  })
  const { db, events } = database
  const { agents, keys } = await createServices(testSettings(), { ...CATALOG, log: silent, scrub, clock, database })
  const make = directory({ organizations, keys, agents })
  const [first, second] = [await make.org('First'), await make.org('Second')]
  const heard = (topic: EventTopic) =>
    new Promise<void>(resolve => {
      const stop = events.on(topic, () => {
        stop()
        setImmediate(resolve)
      })
    })
  const { userId } = await first.member()
  await newsHeard(database)
  const join = (role: 'member' | 'admin' = 'member') => members.add({ orgId: second.id, userId, role, by: 'operator' })
  const revoke = async (orgId: string) => {
    const event = heard('membership')
    await db
      .updateTable('memberships')
      .set({ revoked_at: new Date(clock.now()) })
      .where('org_id', '=', orgId)
      .where('user_id', '=', userId)
      .execute()
    await event
  }
  const process = () => createActiveOrganizations({ db, events, clock })
  const [one, two] = [process(), process()]
  return { clock, database, first: first.id, second: second.id, userId, join, heard, revoke, one, two }
}

const member = (orgId: string, role = 'member') => ({ state: 'member', orgId, role })

t.test('a user with one membership acts there, with two nowhere until they choose', async t => {
  const { one, userId, first, second, join, heard } = await fixture(t)
  const session = { userId, clientId: '' }
  t.same(await one.of({ userId: `usr_${'0'.repeat(32)}`, clientId: '' }), { state: 'none' })
  t.same(await one.of(session), member(first))
  t.same(one.cached(session), member(first))

  const joined = heard('membership')
  await join('admin')
  await joined
  t.equal(one.cached(session), undefined, 'the event has dropped it')
  t.same(await one.of(session), { state: 'none' })
  t.equal(await one.choose(session, second), true)
  t.same(await one.of(session), member(second, 'admin'))
})

t.test('a choice applies per OAuth client or as the default, in every process', async t => {
  const { one, two, userId, first, second, join, heard } = await fixture(t)
  await join()
  const [session, client, another] = ['', 'client-1', 'client-2'].map(clientId => ({ userId, clientId })) as [
    { userId: string; clientId: string },
    { userId: string; clientId: string },
    { userId: string; clientId: string },
  ]
  await one.choose(session, first)
  t.same(await two.of(client), member(first))
  const chosen = heard('active_organization')
  await one.choose(client, second)
  t.same(await one.of(client), member(second), 'at once in the process that took the choice')
  await chosen
  t.same(await two.of(client), member(second))
  t.same(await two.of(another), member(first))
  t.same(await two.of(session), member(first))
  t.equal(await one.choose(client, `org_${'0'.repeat(32)}`), false)
  t.same(await two.of(client), member(second), 'an organization of others is no choice')
})

t.test('a revoked choice or only membership is never replaced silently', async t => {
  const { one, userId, first, second, join, revoke } = await fixture(t)
  const session = { userId, clientId: '' }
  t.same(await one.of(session), member(first))
  await revoke(first)
  t.same(await one.of(session), { state: 'revoked' })
  await join()
  await one.choose(session, second)
  await revoke(second)
  t.same(await one.of(session), { state: 'revoked' })
})

t.test('without events, a change applies within ten seconds', async t => {
  const { one, userId, first, database, clock } = await fixture(t)
  const session = { userId, clientId: '' }
  const deaf = createActiveOrganizations({
    db: database.db,
    clock,
    events: { on: () => () => {}, onReset: () => () => {} },
  })
  await deaf.of(session)
  await one.of(session)
  await database.db
    .updateTable('memberships')
    .set({ role: 'owner' })
    .where('org_id', '=', first)
    .where('user_id', '=', userId)
    .execute()
  t.same(deaf.cached(session), member(first), 'for ten seconds it goes on')
  clock.advance(10_000)
  t.equal(deaf.cached(session), undefined)
  t.same(await deaf.of(session), member(first, 'owner'))
})

t.test('while the database is down, known choices work for ten minutes and others fail', async t => {
  const { one, userId, first, database, clock } = await fixture(t)
  const session = { userId, clientId: '' }
  await one.of(session)
  await database.close()
  clock.advance(10 * 60_000 - 1)
  t.same(await one.of(session), member(first))
  t.same(one.cached(session), member(first), 'and is not asked again for a second')
  t.ok(isDatabaseUnavailable(await one.of({ userId, clientId: 'new' }).catch(error => error)))
  clock.advance(1_001)
  t.ok(isDatabaseUnavailable(await one.of(session).catch(error => error)))
})
