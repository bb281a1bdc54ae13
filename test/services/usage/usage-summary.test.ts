import { type Kysely, sql } from 'kysely'
import t from 'tap'
import type { Database } from '../../../lib/database/tables.ts'
import { forOrg } from '../../../lib/database/tenant.ts'
import { remoteCapability } from '../../../schemas/remotes/names.ts'
import { askedDays, utcDay } from '../../../services/usage/days.ts'
import { rollDay } from '../../../services/usage/roll-up.ts'
import { USAGE_BY, type UsageBy } from '../../../services/usage/usage-groups.ts'
import { createSummaryLimiter } from '../../../services/usage/usage-summary.ts'
import { testDatabase } from '../../fixtures/database.ts'
import type { TestMember } from '../../fixtures/directory.ts'
import { testClock } from '../../fixtures/fixture.ts'
import fc from '../../fixtures/property.ts'
import { NAMES, truthOf, type UsedCall, usageFixture } from '../../fixtures/usage-fixture.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

// Made once: most of the time of a test would be that of its database.
const { db } = await testDatabase(t)
const clock = testClock(Date.UTC(2026, 10, 1, 12))
const fixture = (on: Kysely<Database> = db) => usageFixture(on, clock)

t.test('rolled-up and single rows add up to all calls, in every grouping', async t => {
  const { people, usage, call, write, pass, rolledDays } = fixture()
  const one = await people.members('member', 'owner')
  const [ada] = one
  const members = [...one, ...(await people.members('member'))]
  const { id: agentId } = await ada.agent()
  const first = clock.now()
  const written: UsedCall[] = []

  const tools = fc.constantFrom(['memory', 'remember'], ['github', 'list_issues'], [remoteCapability('a-b'), 'x__y'])
  const facts = fc.record({
    tool: tools,
    who: fc.nat(2),
    late: fc.integer({ min: 0, max: 5 * HOUR }),
    keyId: fc.constantFrom(null, 'key_1', 'key_2'),
    withAgent: fc.boolean(),
    accountId: fc.constantFrom(null, 'acc_1'),
    outcome: fc.constantFrom('ok', 'error', 'timeout'),
    durationMs: fc.nat(60_000),
    costMicros: fc.oneof(fc.constant(0), fc.nat(2_000_000_000)),
  })
  const step = fc.record({ hours: fc.integer({ min: 1, max: 30 }), calls: fc.array(facts, { maxLength: 4 }) })

  /** Checks that the summaries of a member's organization match the written rows, for all members and for the member. */
  async function holds(member: TestMember, by: UsageBy) {
    const own = written.filter(each => each.member.orgId === member.orgId)
    const of = { orgId: member.orgId, from: utcDay(first - DAY), to: utcDay(clock.now()), by }
    const { groups, total, other } = await usage.summarize(of)
    const expected = Map.groupBy(own, NAMES[by])
    t.strictSame(new Map(groups.map(({ name, label: _label, ...sums }) => [name, sums])), mapped(expected))
    t.strictSame([total, other], [truthOf(own), null])
    const { total: ofMember } = await usage.summarizeFor({ ...member.caller, role: 'member' }, of)
    t.strictSame(ofMember, truthOf(own.filter(each => each.member === member)))
  }
  const mapped = (groups: Map<string | null, UsedCall[]>) =>
    new Map([...groups].map(([name, own]) => [name, truthOf(own)]))

  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(...USAGE_BY),
      async (steps, by) => {
        for (const { hours, calls } of steps) {
          await pass(hours * HOUR)
          for (const { tool, who, late, withAgent, ...rest } of calls) {
            const member = members[who] ?? ada
            const [capability = '', operation = ''] = tool
            const agent = withAgent && member.orgId === ada.orgId ? agentId : null
            const made = call(member, { ...rest, capability, operation, agentId: agent, at: clock.now() - late })
            await write(made)
            written.push(made)
          }
        }
        // Late calls count once the second roll-up of their day has been; it comes 6 hours after the first.
        await pass(8 * HOUR)
        await pass(8 * HOUR)
        for (const member of members) await holds(member, by)
      },
    ),
    { numRuns: 8 },
  )
  t.ok((await rolledDays(ada)).length > 0)
})

t.test('a day is rolled up after its end and once more for late rows, and never loses any', async t => {
  const { people, usage, call, write, pass, rolledDays } = fixture()
  const [ada] = await people.members('owner')
  const { orgId } = ada
  const total = async () => (await usage.summarize({ orgId, period: 'last_7_days', by: 'day' })).total.calls
  const midnight = Date.parse(utcDay(clock.now() + DAY))
  const late = call(ada, { at: midnight - 1 })
  clock.advance(midnight - clock.now() - HOUR)
  await write(late, call(ada, { at: midnight }))
  await pass(1.5 * HOUR)
  t.same(await rolledDays(ada), [], 'what is written behind has an hour to come')
  await pass(HOUR)
  t.match(await rolledDays(ada), [{ day: utcDay(late.at), calls: 1 }], 'the day that is not over is left alone')

  await write(late)
  t.equal(await total(), 2)
  await pass(HOUR)
  t.equal(await total(), 2, 'not every hour')
  await pass(5 * HOUR)
  t.equal(await total(), 3, 'what came late is counted by the second time')
  const before = await rolledDays(ada)
  t.match(before, [{ calls: 2, duration_ms: 20, cost_micros: 10 }])

  await write(late)
  await pass(6 * HOUR)
  t.same(await rolledDays(ada), before, 'what comes later still is in no sum')
  t.equal((await forOrg(db, orgId).selectFrom('usage').select('id').execute()).length, 4, 'and stays where it is')

  await rollDay(db, orgId, utcDay(late.at))
  t.match(await rolledDays(ada), [{ calls: 3, cost_micros: 15 }])
  const lateRows = forOrg(db, orgId).updateTable('usage').where('at', '<', new Date(midnight))
  await lateRows.set({ cost_micros: 7 }).execute()
  await rollDay(db, orgId, utcDay(late.at))
  t.match(await rolledDays(ada), [{ calls: 3, cost_micros: 21 }], 'a charge that came late')
  const rows = forOrg(db, orgId).selectFrom('usage').where('at', '<', new Date(midnight)).select('id').limit(1)
  await forOrg(db, orgId).deleteFrom('usage').where('id', 'in', rows).execute()
  await rollDay(db, orgId, utcDay(late.at))
  t.match(await rolledDays(ada), [{ calls: 3, cost_micros: 21 }], 'also when some of its rows were swept')
})

t.test('an organization whose usage cannot be rolled up does not affect others', async t => {
  const { people, usage, call, write, pass, rolledDays } = fixture()
  const [eve] = await people.members('owner')
  clock.advance(1)
  const [ada] = await people.members('owner')
  await write(call(eve), call(eve), call(ada))
  const broken = forOrg(db, eve.orgId).updateTable('usage')
  await broken.set({ cost_micros: sql<number>`9223372036854775807` }).execute()
  await pass(26 * HOUR)
  t.same([(await rolledDays(eve)).length, (await rolledDays(ada)).length], [0, 1], 'their sum is no bigint')
  await broken.set({ cost_micros: 1 }).execute()
  await pass(HOUR)
  t.match(await rolledDays(eve), [{ cost_micros: 2 }], 'the next run takes it up')
  t.equal((await usage.summarize({ orgId: eve.orgId, by: 'tool' })).total.calls, 2)
})

t.test('days are in UTC, in any time zone of the database', async t => {
  await db.connection().execute(async one => {
    await sql`select set_config('TimeZone', 'Asia/Tokyo', false)`.execute(one)
    const { people, usage, call, write, pass } = fixture(one)
    const [ada] = await people.members('owner')
    const midnight = Date.parse(utcDay(clock.now()))
    const times = [midnight - 1, midnight, midnight + DAY - 1]
    await write(...times.map(at => call(ada, { at })))
    const [first, second] = [utcDay(midnight - 1), utcDay(midnight)]
    const days = async (from: string, to: string) => {
      const { groups } = await usage.summarize({ orgId: ada.orgId, from, to, by: 'day' })
      return groups.map(({ name, calls }) => `${name}: ${calls}`)
    }
    async function holds(how: string) {
      t.same(await days(first, second), [`${first}: 1`, `${second}: 2`], how)
      t.same(await days(first, first), [`${first}: 1`], how)
      t.same(await days(second, second), [`${second}: 2`], how)
    }
    await holds('by their rows')
    await rollDay(one, ada.orgId, second)
    await holds('by their rows, while a day is being rolled up')
    await pass(26 * HOUR)
    await holds('rolled up')
    await sql`reset timezone`.execute(one)
  })
})

t.test('members see only their own usage, admins see one or all members, no one sees another organization', async t => {
  const { people, usage, call, write } = fixture()
  const [ada, bob, root] = await people.members('member', 'member', 'admin')
  const [eve] = await people.members('owner')
  await write(call(ada), call(bob, { costMicros: 1 }), call(eve, { costMicros: 100 }))
  const told = async ({ caller }: TestMember, member?: string) => {
    const { groups } = await usage.summarizeFor(caller, { period: 'today', by: 'member', member })
    return groups.map(({ name }) => name)
  }
  t.same(await told(ada), [ada.userId])
  t.same(await told(ada, ada.userId), [ada.userId])
  await t.rejects(told(ada, bob.userId), { code: 'admin_required', message: /Omit member for your own usage/ })
  for (const stranger of [eve.userId, 'usr_none'])
    for (const member of [ada, root])
      await t.rejects(told(member, stranger), { message: `${stranger} is not and was not a member of ${ada.orgId}.` })
  t.same(await told(root), [ada.userId, bob.userId], 'the most expensive first')
  t.same(await told(root, bob.userId), [bob.userId])
  t.same(await told(root, root.userId), [])
  await t.rejects(usage.summarize({ orgId: 'org_none', by: 'day' }), { message: 'There is no organization org_none.' })
  t.same(await told(eve), [eve.userId])
})

t.test('groups beyond 200 are summed, and the total includes all', async t => {
  const { people, usage, call, write } = fixture()
  const [ada] = await people.members('owner')
  await write(...Array.from({ length: 203 }, (_, index) => call(ada, { operation: `do_${index}`, costMicros: index })))
  const { groups, other, total } = await usage.summarize({ orgId: ada.orgId, period: 'today', by: 'tool' })
  t.equal(groups.length, 200)
  t.match(groups[0], { name: 'memory__do_202', costMicros: 202 })
  t.strictSame(other, { groups: 3, calls: 3, errors: 0, durationMs: 30, costMicros: 0 + 1 + 2 })
  t.strictSame(total, { calls: 203, errors: 0, durationMs: 2030, costMicros: (202 * 203) / 2 })
})

t.test('days are requested by a name or by their first and last day', async t => {
  const now = Date.UTC(2026, 2, 5, 23, 59)
  const cases = [
    [{}, '2026-02-04', '2026-03-05'],
    [{ period: 'today' }, '2026-03-05', '2026-03-05'],
    [{ period: 'yesterday' }, '2026-03-04', '2026-03-04'],
    [{ period: 'last_7_days' }, '2026-02-27', '2026-03-05'],
    [{ period: 'last_30_days' }, '2026-02-04', '2026-03-05'],
    [{ period: 'this_month' }, '2026-03-01', '2026-03-05'],
    [{ period: 'last_month' }, '2026-02-01', '2026-02-28'],
    [{ from: '2026-03-01' }, '2026-03-01', '2026-03-05'],
    [{ to: '2024-02-29' }, '2024-01-31', '2024-02-29'],
    [{ from: '2025-12-04' }, '2025-12-04', '2026-03-05'],
  ] as const
  for (const [asked, from, to] of cases) t.same(askedDays(asked, now), { from, to }, JSON.stringify(asked))

  const refused = [
    [{ period: 'today', to: '2026-03-05' }, /not both/],
    [{ from: '2025-12-03' }, /are 93 days. Request at most 92/],
    [{ from: '2026-03-02', to: '2026-03-01' }, /Use the earlier day as from/],
    [{ from: '2026-02-29' }, /^from is 2026-02-29, which does not exist\.$/],
    [{ to: '2026-11-31' }, /^to is 2026-11-31, which does not exist\.$/],
    [{ to: '2026-2-1' }, /^to must be a day in UTC/],
    [{ to: '0000-01-01' }, /^to must be a day/],
    [{ from: "'; --" }, /^from must be a day/],
    [{ from: '2026-03-06' }, /is after to/],
  ] as const
  for (const [asked, message] of refused)
    t.throws(() => askedDays(asked, now), { code: 'invalid_request', message }, JSON.stringify(asked))
})

t.test('one summary per organization and two per process run at a time, and the queue is bounded', async t => {
  const inTurn = createSummaryLimiter()
  const running = new Set<string>()
  const ends: (() => void)[] = []
  let most = 0
  const ask = (orgId: string) =>
    inTurn(orgId, async () => {
      t.notOk(running.has(orgId))
      running.add(orgId)
      most = Math.max(most, running.size)
      await new Promise<void>(resolve => ends.push(resolve))
      running.delete(orgId)
      return orgId
    })
  const asked = ['one', 'one', 'two', 'three'].map(ask)
  const crowd = Array.from({ length: 8 }, () => ask('one').catch((error: { code: string }) => error.code))
  for (let left = asked.length + 7; left > 0; ) {
    await new Promise(setImmediate)
    left -= ends.length
    for (const end of ends.splice(0)) end()
  }
  t.same(await Promise.all(asked), ['one', 'one', 'two', 'three'])
  t.equal((await Promise.all(crowd)).filter(answer => answer === 'overloaded').length, 1)
  t.equal(most, 2)
})
