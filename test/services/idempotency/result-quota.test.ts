import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { type KyselyPlugin, sql } from 'kysely'
import t, { type Test } from 'tap'
import { acrossOrgs, forOrg } from '../../../lib/database/tenant.ts'
import { createIdempotency, type IdempotencyOptions } from '../../../services/idempotency/idempotency.ts'
import { fairLevel } from '../../../services/idempotency/result-quota.ts'
import { testDatabase } from '../../fixtures/database.ts'
import { directoryOn } from '../../fixtures/directory.ts'
import { asDatabaseClock, testClock } from '../../fixtures/fixture.ts'
import { memoryLog } from '../../fixtures/memory-log.ts'
import fc from '../../fixtures/property.ts'

const DAY = 86_400_000
/** The JSON of a stored result of this length, without its text. */
const FRAME = JSON.stringify({ v: 1, result: { content: [{ type: 'text', text: '' }] } }).length

const result = (bytes: number): CallToolResult => ({ content: [{ type: 'text', text: 'x'.repeat(bytes - FRAME) }] })
const mustNotRun = () => Promise.reject(new Error('the call ran a second time'))
const dropped = { code: 'idempotency_conflict', message: /has ended\. Its result is no longer stored/ }

async function fixture(t: Test, limits: { organization: number; holder: number }) {
  const { db } = await testDatabase(t)
  const clock = testClock()
  const [{ orgId }] = await directoryOn(db, clock).members('member')
  const process = (options: Partial<IdempotencyOptions> = {}) =>
    createIdempotency({ db, clock, databaseNow: asDatabaseClock(clock), limits, ...options })
  const call = (key: string, holder = 'key_1') => ({ orgId, holder, tool: 'memory__remember', key, args: {} })
  return {
    db,
    clock,
    org: forOrg(db, orgId),
    process,
    call,
    /** Stores results of calls one after the other, each a millisecond later. */
    async store(on: ReturnType<typeof process>, keys: readonly string[], bytes: number, holder?: string) {
      for (const key of keys) {
        clock.advance(1)
        await on.once(call(key, holder), async () => result(bytes))
      }
      await on.close()
    },
    async totals(): Promise<Record<string, number>> {
      const rows = await forOrg(db, orgId)
        .selectFrom('result_totals')
        .select(eb => ['holder', eb.fn.sum<string>('bytes').as('bytes')])
        .groupBy('holder')
        .execute()
      return Object.fromEntries(rows.map(({ holder, bytes }) => [holder, Number(bytes)]))
    },
    /** The totals as the rows tell them. */
    async counted(): Promise<Record<string, number>> {
      const rows = await forOrg(db, orgId)
        .selectFrom('idempotency')
        .select(eb => ['holder', eb.fn.sum<number>('result_bytes').as('bytes')])
        .groupBy('holder')
        .execute()
      return Object.fromEntries(rows.map(({ holder, bytes }) => [holder, Number(bytes)]))
    },
  }
}

const keys = (count: number, prefix = 'call') => Array.from({ length: count }, (_, index) => `${prefix} ${index}`)

t.test('above the limit of a key its oldest results are dropped, and their calls do not run again', async t => {
  const { process, call, store, totals, counted, org } = await fixture(t, { organization: 100_000, holder: 16_000 })
  const one = process()
  await store(one, keys(40), 1_000)
  t.ok((totals => totals <= 17_000 && totals > 14_000)((await totals()).key_1 ?? 0), 'a sixteenth may come on top')
  t.same(await totals(), await counted())
  for (const peer of [one, process()]) {
    await t.rejects(peer.once(call('call 0'), mustNotRun), dropped)
    t.same(await peer.once(call('call 39'), mustNotRun), result(1_000))
  }
  t.equal((await org.selectFrom('idempotency').select('key').execute()).length, 40, 'each call keeps its row')
})

t.test('a lower limit drops what is above it, in batches', async t => {
  const { process, call, store, totals } = await fixture(t, { organization: 160_000, holder: 160_000 })
  await store(process(), keys(250), 100)
  const limited = process({ limits: { organization: 160_000, holder: 3_000 } })
  await store(limited, ['latest'], 1_000)
  t.equal((await totals()).key_1, 3_000)
  await t.rejects(limited.once(call('call 229'), mustNotRun), dropped)
  t.same(await limited.once(call('call 230'), mustNotRun), result(100))
  t.same(await limited.once(call('latest'), mustNotRun), result(1_000))
})

t.test('a key that stores much drops no result of another key', async t => {
  const { process, call, store, totals } = await fixture(t, { organization: 32_000, holder: 24_000 })
  const one = process()
  await store(one, keys(5, 'quiet'), 1_000, 'key_quiet')
  await store(one, keys(40, 'busy'), 1_000, 'key_busy')
  await store(one, keys(40, 'busier'), 1_000, 'key_busier')
  for (const key of keys(5, 'quiet')) t.same(await one.once(call(key, 'key_quiet'), mustNotRun), result(1_000))
  const { key_quiet, key_busy = 0, key_busier = 0 } = await totals()
  t.equal(key_quiet, 5_000)
  t.ok(key_busy + key_busier <= 27_000 + 1_500, 'the others share what is left of the organization’s limit')
  t.ok(Math.abs(key_busy - key_busier) <= 2_500, 'and share it equally')
})

t.test('two processes that store at once keep the limit, but for a sixteenth each', async t => {
  const { process, call, totals, counted } = await fixture(t, { organization: 64_000, holder: 32_000 })
  const processes = [process(), process()]
  for (let round = 0; round < 15; round++)
    await Promise.all(
      processes.flatMap((one, index) =>
        keys(5, `${round} ${index}`).map(key => one.once(call(key), async () => result(1_000))),
      ),
    )
  await Promise.all(processes.map(one => one.close()))
  t.ok(((await totals()).key_1 ?? 0) <= 32_000 + 2 * 2_000 + 1_000)
  t.same(await totals(), await counted())
})

t.test('the totals follow whatever happens to the rows', async t => {
  const { db, org, clock, process, store, call, totals, counted } = await fixture(t, { organization: 1e9, holder: 1e9 })
  const one = process()
  await store(one, keys(3), 1_000)
  await store(one, keys(2, 'other'), 500, 'key_2')
  t.same(await totals(), { key_1: 3_000, key_2: 1_000 })

  await one.once(call('failing'), async () => ({ ...result(900), isError: true }))
  await one.once(call('too large'), async () => result(300_000))
  t.same(await totals(), { key_1: 3_000, key_2: 1_000 }, 'what is not stored counts as nothing')

  clock.advance(DAY)
  await one.once(call('call 0'), async () => result(200))
  t.same(await totals(), { key_1: 2_200, key_2: 1_000 }, 'a key that is used again after a day')

  await org.deleteFrom('idempotency').where('key', 'in', ['call 1', 'other 0', 'other 1']).execute()
  t.same(await totals(), { key_1: 1_200 }, 'a sweep')
  t.same(await totals(), await counted())

  await sql`truncate idempotency`.execute(acrossOrgs(db))
  t.same(await totals(), {}, 'a truncation')
})

t.test('a check that fails is logged, and the next stored result repeats it', async t => {
  const { db, process, store, call, totals } = await fixture(t, { organization: 64_000, holder: 16_000 })
  let failing = true
  const outage: KyselyPlugin = {
    transformQuery({ node }) {
      if (failing && JSON.stringify(node).includes('result_totals')) throw new Error('no totals today')
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const { log, lines } = memoryLog()
  const one = process({ db: db.withPlugin(outage), log })
  await store(one, keys(30), 1_000)
  t.equal((await totals()).key_1, 30_000)
  t.match(lines.map(line => JSON.parse(line))[0], {
    err: { message: 'no totals today' },
    msg: /cannot drop the oldest stored results/,
  })
  failing = false
  await store(one, ['one more'], 1_000)
  t.ok(((await totals()).key_1 ?? 0) <= 16_000)
  t.same(await one.once(call('one more'), mustNotRun), result(1_000))
})

t.test('the fair level keeps an organization within its limit and takes most from the largest holders', async t => {
  const limit = fc.integer({ min: 1, max: 10_000 })
  fc.assert(
    fc.property(fc.array(fc.nat(5_000), { maxLength: 20 }), limit, limit, (sizes, organization, holder) => {
      const level = fairLevel(sizes, { organization, holder })
      const kept = (at: number) => sizes.reduce((sum, size) => sum + Math.min(size, at), 0)
      const higher = kept(level + 1) > organization || kept(level + 1) === kept(level)
      return level <= holder && kept(level) <= organization && (level === holder || higher)
    }),
  )
  t.equal(fairLevel([10, 10], { organization: 100, holder: 50 }), 50)
  t.equal(fairLevel([10, 90, 90], { organization: 100, holder: 80 }), 45)
  t.pass()
})
