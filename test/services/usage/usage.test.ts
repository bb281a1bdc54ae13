import t, { type Test } from 'tap'
import { createAudit } from '../../../lib/audit/audit.ts'
import { acrossOrgs, forOrg } from '../../../lib/database/tenant.ts'
import { createScrubber } from '../../../lib/logging/scrub.ts'
import type { Logger } from '../../../schemas/gateway/log.ts'
import { createUsage } from '../../../services/usage/usage.ts'
import { toolCallChannel } from '../../../services/usage/usage-writer.ts'
import { createWriteBehind } from '../../../services/usage/write-behind.ts'
import { testDatabase } from '../../fixtures/database.ts'
import { directoryOn, testIds } from '../../fixtures/directory.ts'
import { session, testClock } from '../../fixtures/fixture.ts'

/** Timers that run when told. */
function timers() {
  const due = new Map<() => void, number>()
  return {
    delays: () => [...due.values()],
    schedule(work: () => void, milliseconds: number) {
      due.set(work, milliseconds)
      return () => due.delete(work)
    },
    run() {
      for (const work of [...due.keys()]) {
        due.delete(work)
        work()
      }
    },
  }
}

function logOf() {
  const lines: { detail: unknown; message: unknown }[] = []
  const warn: Logger['warn'] = (detail: unknown, message?: unknown) => {
    lines.push({ detail, message })
  }
  return { lines, warn }
}

async function fixture(t: Test) {
  const { db } = await testDatabase(t)
  const clock = testClock()
  const ids = testIds(clock)
  const organization = directoryOn(db, clock).members
  const log = logOf()
  const { schedule } = timers()
  const usage = createUsage({ db, clock, ids, log, scrub: createScrubber().text, schedule })
  t.teardown(() => usage.close())
  const rows = () => acrossOrgs(db).selectFrom('usage').orderBy('id').selectAll().execute()
  return { db, clock, ids, organization, log, usage, rows }
}

t.test('every call of a member writes a row in its organization', async t => {
  const { organization, usage, rows, clock } = await fixture(t)
  const [ada] = await organization('member')
  const [bob] = await organization('owner')
  usage.record({ ...ada, accountId: 'acc_1', tool: 'memory__remember', outcome: 'ok', durationMs: 12.6, costMicros: 7 })
  clock.advance(5)
  const user = session({ userId: bob.caller.userId })
  usage.record({
    identity: user,
    caller: bob.caller,
    tool: 'manage__whoami',
    accountId: null,
    outcome: 'no_active_org',
    durationMs: 0.2,
    costMicros: 0,
    mended: true,
    failure: `Nothing\n is active; password=hunter2-hunter2. ${'Choose one. '.repeat(60)}`,
  })
  usage.record({
    identity: user,
    caller: null,
    accountId: null,
    tool: 'manage__whoami',
    outcome: 'ok',
    durationMs: 1,
    costMicros: 0,
  })
  t.same(await rows(), [], 'nothing is written while the call is answered')
  await usage.flush()
  const [first, second, ...others] = await rows()
  t.match(first, {
    org_id: ada.caller.orgId,
    id: /^use_/,
    user_id: ada.caller.userId,
    key_id: ada.identity.keyId,
    agent_id: null,
    tool: 'memory__remember',
    account_id: 'acc_1',
    outcome: 'ok',
    duration_ms: 13,
    cost_micros: 7,
    at: new Date(clock.now() - 5),
  })
  t.equal(first?.mended, false)
  t.match(second, { org_id: bob.caller.orgId, key_id: null, outcome: 'no_active_org', duration_ms: 0, mended: true })
  t.match(second?.message, /^Nothing is active; password=\[redacted\]/)
  t.equal(second?.message?.length, 300)
  t.equal(first?.message, null)
  t.same(others, [], 'a call without an organization writes no row')
})

t.test('a row that the database rejects is dropped with a log line, and affects no other row', async t => {
  const { organization, usage, rows, log } = await fixture(t)
  const [ada] = await organization('member')
  const [eve] = await organization('member')
  for (let i = 0; i < 9; i++)
    usage.record({ ...ada, accountId: null, tool: `t__${i}`, outcome: 'ok', durationMs: 1, costMicros: 0 })
  const stranger = { ...ada.caller, userId: eve.caller.userId }
  usage.record({
    identity: ada.identity,
    caller: stranger,
    accountId: null,
    tool: 't__bad',
    outcome: 'ok',
    durationMs: 1,
    costMicros: 0,
  })
  for (let i = 9; i < 12; i++)
    usage.record({ ...ada, accountId: null, tool: `t__${i}`, outcome: 'ok', durationMs: 1, costMicros: 0 })
  await usage.flush()
  t.equal((await rows()).length, 12)
  t.match(log.lines, [{ detail: { tool: 't__bad' }, message: /rejected/ }])
})

t.test('closing writes the queued rows, and later calls are ignored', async t => {
  const { organization, usage, rows } = await fixture(t)
  const [ada] = await organization('member')
  usage.record({ ...ada, accountId: null, tool: 'a__b', outcome: 'ok', durationMs: 1, costMicros: 0 })
  await usage.close()
  t.equal((await rows()).length, 1)
  usage.record({ ...ada, accountId: null, tool: 'a__c', outcome: 'ok', durationMs: 1, costMicros: 0 })
  await usage.flush()
  t.equal((await rows()).length, 1)
})

t.test('two instances in one process each write their own calls', async t => {
  const one = await fixture(t)
  const two = await fixture(t)
  const [ada] = await one.organization('member')
  one.usage.record({ ...ada, accountId: null, tool: 'a__b', outcome: 'ok', durationMs: 1, costMicros: 0 })
  await Promise.all([one.usage.flush(), two.usage.flush()])
  t.equal((await one.rows()).length, 1)
  t.same([await two.rows(), two.log.lines], [[], []])
})

t.test('the channel publishes each call', async t => {
  const { organization, usage } = await fixture(t)
  const { subscribe, unsubscribe } = await import('node:diagnostics_channel')
  const heard: unknown[] = []
  const listener = (event: unknown) => void heard.push(event)
  subscribe(toolCallChannel.name, listener)
  t.teardown(() => unsubscribe(toolCallChannel.name, listener))
  const [ada] = await organization('member')
  usage.record({ ...ada, accountId: null, tool: 'a__b', outcome: 'timeout', durationMs: 3, costMicros: 0 })
  t.match(heard, [
    { orgId: ada.caller.orgId, keyId: ada.identity.keyId, tool: 'a__b', outcome: 'timeout', durationMs: 3 },
  ])
})

t.test('write-behind', async t => {
  async function queue(write: (items: readonly number[]) => Promise<void>) {
    const { schedule, run, delays } = timers()
    const log = logOf()
    return { ...createWriteBehind<number>({ name: 'numbers', write, log, schedule }), log, run, delays }
  }
  const until = async (check: () => boolean) => {
    while (!check()) await new Promise(setImmediate)
  }

  await t.test('items wait 500 ms for others and are written in batches of 200', async t => {
    const batches: number[] = []
    const q = await queue(async items => void batches.push(items.length))
    q.add(1)
    q.add(2)
    t.same(q.delays(), [500])
    q.run()
    await until(() => batches.length === 1)
    for (let i = 0; i < 450; i++) q.add(i)
    await until(() => batches.length > 3)
    t.same(batches, [2, 200, 200, 50], 'a full batch waits for no timer')
  })

  await t.test('a failing database is retried with backoff, in order, and no call fails', async t => {
    let down = true
    const written: number[] = []
    const q = await queue(async items => {
      if (down) throw new Error('database away')
      written.push(...items)
    })
    q.add(1)
    const delays: number[] = []
    for (let i = 0; i < 9; i++) {
      delays.push(...q.delays())
      await q.flush()
    }
    t.same(delays, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
    for (let i = 2; i <= 300; i++) q.add(i)
    down = false
    await q.flush()
    t.same(
      written,
      Array.from({ length: 300 }, (_, i) => i + 1),
    )
    t.same(q.delays(), [])
  })

  await t.test('beyond 20,000 items the oldest are dropped and counted in one line', async t => {
    let down = true
    const written: number[] = []
    const q = await queue(async items => {
      if (down) throw new Error('database away')
      written.push(...items)
    })
    q.add(0)
    await q.flush()
    q.log.lines.length = 0
    for (let i = 1; i < 25_000; i++) q.add(i)
    down = false
    await q.flush()
    t.equal(written.at(-1), 24_999)
    t.ok(written.length <= 20_000)
    t.match(q.log.lines, [{ detail: { dropped: 25_000 - written.length }, message: /^dropped/ }])
    t.equal(q.log.lines.length, 1)
  })

  await t.test('closing drops items that cannot be written and logs their number', async t => {
    const q = await queue(async () => {
      throw new Error('database away')
    })
    q.add(1)
    q.add(2)
    await q.close()
    t.match(q.log.lines, [{}, { detail: { dropped: 2 } }])
    q.add(3)
    await q.close()
    t.same(q.delays(), [])
  })

  await t.test('items that are added during a write are written later', async t => {
    const written: number[] = []
    const gate = Promise.withResolvers<void>()
    const q = await queue(async items => {
      await gate.promise
      written.push(...items)
    })
    q.add(1)
    const flushing = q.flush()
    q.add(2)
    gate.resolve()
    await flushing
    await q.flush()
    t.same(written, [1, 2])
  })
})

t.test('an audit row is in the transaction of its change', async t => {
  const { db, clock, ids, organization } = await fixture(t)
  const [ada] = await organization('owner')
  const audit = createAudit({ clock, ids })
  const org = forOrg(db, ada.caller.orgId)
  const entry = { by: ada.caller, action: 'key.create', target: 'key_1', detail: { name: 'Laptop' } }
  await org.transaction(trx => audit.record(trx, entry))
  await t.rejects(
    org.transaction(async trx => {
      await audit.record(trx, { ...entry, target: 'key_2' })
      throw new Error('the change failed')
    }),
  )
  const rows = await org.selectFrom('audit').where('action', '=', 'key.create').selectAll().execute()
  t.match(rows, [{ id: /^aud_/, user_id: ada.caller.userId, target: 'key_1', detail: { name: 'Laptop' } }])
  t.equal(rows.length, 1)
})
