import { mock } from 'node:test'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import type { OpenDatabase } from '../../lib/database/open-database.ts'
import { acrossOrgs, forOrg } from '../../lib/database/tenant.ts'
import { createJobs } from '../../lib/jobs/jobs.ts'
import { defineRetention, RETENTION } from '../../services/retention.ts'
import { silent, testDatabase } from '../fixtures/database.ts'
import { testClock } from '../fixtures/fixture.ts'

// Embedded database: its one session claims jobs while they run.

const SECOND = 1_000
const DAY = 86_400_000

async function fixture(t: Test) {
  const database = await testDatabase(t)
  const clock = testClock()
  let made = 0
  const ids = (prefix: string) => `${prefix}_${String(++made).padStart(32, '0')}`
  const runner = (owner = 'one', own = clock) =>
    createJobs({ db: database.db, clock: own, ids, log: silent, scrub: text => text, owner })
  return { db: database.db, database, clock, runner }
}

/** A handler that runs until released, and reports its start. */
function standing() {
  const begun = Promise.withResolvers<AbortSignal>()
  const done = Promise.withResolvers<void>()
  return {
    begun: begun.promise,
    letGo: done.resolve,
    async handler(_payload: unknown, { signal }: { signal: AbortSignal }) {
      begun.resolve(signal)
      await done.promise
    },
  }
}

const waiting = (db: OpenDatabase['db']) => db.selectFrom('jobs').selectAll().orderBy('id').execute()

t.test('a job runs when it is due, with its payload, and is then removed', async t => {
  const { db, clock, runner } = await fixture(t)
  const jobs = runner()
  const seen: unknown[] = []
  jobs.define('greet', async (payload, { attempt }) => void seen.push({ payload, attempt }))

  await jobs.enqueue(db, { kind: 'greet', payload: ['now'] })
  await jobs.enqueue(db, { kind: 'greet', payload: { later: true }, runAt: new Date(clock.now() + SECOND) })
  t.equal(await jobs.runDue(), 1)
  t.same(seen, [{ payload: ['now'], attempt: 1 }])

  clock.advance(SECOND)
  t.equal(await jobs.runDue(), 1)
  t.same(seen[1], { payload: { later: true }, attempt: 1 })
  t.same(await waiting(db), [])
})

t.test('a job is created with the commit of its transaction, or not at all', async t => {
  const { db, runner } = await fixture(t)
  const jobs = runner()
  let ran = 0
  jobs.define('count', async () => void ran++)
  const undone = db.transaction().execute(async trx => {
    await jobs.enqueue(trx, { kind: 'count', payload: null })
    throw new Error('undone')
  })
  await t.rejects(undone)
  await db.transaction().execute(trx => jobs.enqueue(trx, { kind: 'count', payload: null }))
  await jobs.runDue()
  t.equal(ran, 1)
})

t.test('of jobs with one dedupe text only one waits, and a running one does not count', async t => {
  const { db, runner } = await fixture(t)
  const jobs = runner()
  const job = { kind: 'refresh', payload: {}, dedupe: 'refresh:acc_1' }
  let ran = 0
  jobs.define('refresh', async () => {
    ran += 1
    if (ran === 1) await jobs.enqueue(db, job)
  })
  await jobs.enqueue(db, job)
  await jobs.enqueue(db, job)
  t.equal((await waiting(db)).length, 1)
  await jobs.runDue()
  t.equal(ran, 2, 'what was added while it ran is not lost')

  await t.test('a failed job is replaced by the one that was added meanwhile', async t => {
    await jobs.enqueue(db, { ...job, payload: { newer: false } })
    jobs.define('refresh', async payload => {
      if ((payload as { newer: boolean }).newer) return
      await jobs.enqueue(db, { ...job, payload: { newer: true } })
      throw new Error('failed')
    })
    t.equal(await jobs.runDue(), 2)
    t.same(await waiting(db), [])
  })
})

t.test('a failed job is retried after increasing pauses, and its error is stored', async t => {
  const { db, clock, runner } = await fixture(t)
  const jobs = runner()
  const attempts: number[] = []
  jobs.define('fail', async (_payload, { attempt }) => {
    attempts.push(attempt)
    if (attempt < 4) throw new Error(`no ${attempt}`)
  })
  await jobs.enqueue(db, { kind: 'fail', payload: {} })
  for (const pause of [0, 1, 2, 4]) {
    clock.advance(pause * SECOND - 1)
    t.equal(await jobs.runDue(), 0, `not before ${pause} s`)
    clock.advance(1)
    t.equal(await jobs.runDue(), 1)
    if (pause < 4) t.match(await waiting(db), [{ last_error: `Error: no ${attempts.at(-1)}`, lease_owner: null }])
  }
  t.same(attempts, [1, 2, 3, 4])
  t.same(await waiting(db), [])

  jobs.define('never', () => Promise.reject(undefined))
  await jobs.enqueue(db, { kind: 'never', payload: {} })
  for (let tries = 0; tries < 40; tries++) {
    t.equal(await jobs.runDue(), 1)
    clock.advance(3_600 * SECOND)
  }
})

t.test('a process does not claim jobs of unknown kinds', async t => {
  const { db, runner } = await fixture(t)
  const [old, newer] = [runner('old'), runner('newer')]
  old.define('known', async () => {})
  await old.enqueue(db, { kind: 'newer', payload: {} })
  t.equal(await old.runDue(), 0)
  newer.define('newer', async () => {})
  t.equal(await newer.runDue(), 1)
})

t.test('runners on one database never run a job twice', async t => {
  const { db, runner } = await fixture(t)
  const ran = new Map<unknown, number>()
  const runners = ['one', 'two', 'three'].map(owner => {
    const jobs = runner(owner)
    jobs.define('count', async payload => void ran.set(payload, (ran.get(payload) ?? 0) + 1))
    jobs.every('tick', SECOND)
    jobs.define('tick', async () => void ran.set('tick', (ran.get('tick') ?? 0) + 1))
    return jobs
  })
  const [first] = runners
  for (let number = 0; number < 100; number++) await first?.enqueue(db, { kind: 'count', payload: number })
  const counts = await Promise.all(runners.map(jobs => jobs.runDue()))
  t.equal(ran.size, 101)
  t.same(new Set(ran.values()), new Set([1]))
  t.equal(
    counts.reduce((sum, count) => sum + count),
    101,
  )
})

t.test('a schedule runs again after its interval, once among all processes', async t => {
  const { db, clock, runner } = await fixture(t)
  let ran = 0
  const runners = ['one', 'two'].map(owner => {
    const jobs = runner(owner)
    jobs.define('sweep', async () => {
      ran += 1
      if (ran === 2) throw new Error('once')
    })
    jobs.every('sweep', 60 * SECOND)
    return jobs
  })
  const runAll = () => Promise.all(runners.map(jobs => jobs.runDue()))
  await runAll()
  t.equal(ran, 1, 'at once')
  clock.advance(59 * SECOND)
  await runAll()
  t.equal(ran, 1)
  clock.advance(SECOND)
  await runAll()
  t.equal(ran, 2)
  clock.advance(SECOND)
  await runAll()
  t.equal(ran, 3, 'a failure is tried again before its time')
  t.match(await waiting(db), [{ attempts: 0, last_error: null, run_at: new Date(clock.now() + 60 * SECOND) }])
})

t.test('leases', async t => {
  await t.test('the job of a dead process is taken over when its lease expires', async t => {
    const { db, runner } = await fixture(t)
    const [dead, alive] = [runner('dead'), runner('alive')]
    const stuck = standing()
    dead.define('work', stuck.handler)
    const attempts: number[] = []
    alive.define('work', async (_payload, { attempt }) => void attempts.push(attempt))

    await dead.enqueue(db, { kind: 'work', payload: {} })
    const running = dead.runDue()
    await stuck.begun
    t.equal(await alive.runDue(), 0, 'not before')
    await sql`update jobs set lease_until = now() - interval '1 second'`.execute(db)
    t.equal(await alive.runDue(), 1)
    t.same(attempts, [2])

    // The runner that lost its lease returns. Its result is no longer stored.
    await alive.enqueue(db, { kind: 'other', payload: {} })
    stuck.letGo()
    await running
    t.match(await waiting(db), [{ kind: 'other' }])
  })

  await t.test('a runner whose clock is 10 minutes ahead does not take a running lease', async t => {
    const { db, clock, runner } = await fixture(t)
    const busy = runner('busy')
    const ahead = runner('ahead', testClock(clock.now() + 600_000))
    const work = standing()
    busy.define('work', work.handler)
    ahead.define('work', () => Promise.reject(new Error('the job ran a second time')))
    await busy.enqueue(db, { kind: 'work', payload: {} })
    const running = busy.runDue()
    await work.begun
    t.equal(await ahead.runDue(), 0, 'the lease is respected')
    work.letGo()
    await running
    t.same(await waiting(db), [])
  })

  await t.test('a runner that lost its lease and fails does not take the job back', async t => {
    const { db, runner } = await fixture(t)
    const [dead, alive] = [runner('dead'), runner('alive')]
    const [stuck, working] = [standing(), standing()]
    dead.define('work', async (payload, context) => {
      await stuck.handler(payload, context)
      throw new Error('too late')
    })
    alive.define('work', working.handler)
    await dead.enqueue(db, { kind: 'work', payload: {} })
    const first = dead.runDue()
    await stuck.begun
    await sql`update jobs set lease_until = now() - interval '1 second'`.execute(db)
    const second = alive.runDue()
    await working.begun
    stuck.letGo()
    await first
    t.match(await waiting(db), [{ lease_owner: /^alive/, last_error: null }])
    working.letGo()
    await second
    t.same(await waiting(db), [])
  })

  await t.test('a long job keeps its lease, and is aborted if it loses it', async t => {
    const { db, runner } = await fixture(t)
    const jobs = runner()
    const long = standing()
    jobs.define('long', long.handler)
    await jobs.enqueue(db, { kind: 'long', payload: {} })
    mock.timers.enable({ apis: ['setInterval'] })
    t.teardown(() => mock.timers.reset())
    const running = jobs.runDue()
    const signal = await long.begun

    const remaining = async () => {
      const { rows } = await sql<{ left: number }>`
        select extract(epoch from lease_until - now())::float as left from jobs`.execute(db)
      return rows[0]?.left ?? 0
    }
    await sql`update jobs set lease_until = now() + interval '5 seconds'`.execute(db)
    mock.timers.tick(20 * SECOND)
    while ((await remaining()) < 50) await new Promise(setImmediate)
    t.equal(signal.aborted, false)

    await sql`update jobs set lease_owner = 'another'`.execute(db)
    const lost = new Promise(resolve => signal.addEventListener('abort', resolve))
    mock.timers.tick(20 * SECOND)
    await lost
    long.letGo()
    await running
    t.match(await waiting(db), [{ lease_owner: 'another' }])
  })
})

t.test('draining aborts running jobs, waits for them and claims no more', async t => {
  const { db, runner } = await fixture(t)
  const jobs = runner()
  const long = standing()
  jobs.define('long', long.handler)
  let more = 0
  jobs.define('more', async () => void more++)
  await jobs.enqueue(db, { kind: 'long', payload: {} })
  jobs.start()
  const signal = await long.begun

  let drained = false
  const draining = jobs.drain().then(() => {
    drained = true
  })
  t.equal(signal.aborted, true)
  await jobs.enqueue(db, { kind: 'more', payload: {} })
  t.equal(drained, false)
  long.letGo()
  await draining
  t.equal(more, 0)
  t.match(await waiting(db), [{ kind: 'more', lease_owner: null }])
})

t.test('draining waits for jobs started by a claim in flight', async t => {
  const { db, runner } = await fixture(t)
  const jobs = runner()
  const last = standing()
  jobs.define('last', last.handler)
  await jobs.enqueue(db, { kind: 'last', payload: {} })
  jobs.start()
  let drained = false
  const draining = jobs.drain().then(() => {
    drained = true
  })
  t.equal((await last.begun).aborted, true)
  await new Promise(setImmediate)
  t.equal(drained, false)
  last.letGo()
  await draining
  t.same(await waiting(db), [])
})

t.test('a runner that is woken claims a new job at once instead of at its next poll', async t => {
  const { db, runner } = await fixture(t)
  const jobs = runner()
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const polled = Promise.withResolvers<void>()
  let ran = false
  jobs.define('first', async () => polled.resolve())
  jobs.define('now', async () => {
    ran = true
  })
  await jobs.enqueue(db, { kind: 'first', payload: {} })
  jobs.wake()
  jobs.start()
  await polled.promise
  await jobs.enqueue(db, { kind: 'now', payload: {} })
  // No timer fires. A poll in flight is not started twice, so the runner is woken until it has ended.
  while (!ran) {
    jobs.wake()
    await new Promise(setImmediate)
  }
  await jobs.drain()
  jobs.wake()
})

t.test('polling survives an unavailable database', async t => {
  const { database, runner } = await fixture(t)
  const jobs = runner()
  jobs.define('work', async () => {})
  await database.close()
  jobs.start()
  await jobs.drain()
})

t.test('only rows past their retention are removed, in batches', async t => {
  const { db, clock, runner } = await fixture(t)
  const ago = (ms: number) => new Date(clock.now() - ms)
  await db
    .insertInto('organizations')
    .values({ id: 'org_1', name: '', created_at: ago(0) })
    .execute()
  await db
    .insertInto('users')
    .values({ id: 'usr_1', email: null, created_at: ago(0) })
    .execute()
  const org = forOrg(db, 'org_1')
  await org.insertInto('memberships', { user_id: 'usr_1', role: 'owner', created_at: ago(0) }).execute()

  const call = { user_id: 'usr_1', key_id: null, agent_id: null, account_id: null, tool: 'x', outcome: 'ok' }
  const used = (id: string, at: Date) => ({ ...call, id, at, duration_ms: 1, cost_micros: 0 })
  const many = Array.from({ length: 2_500 }, (_, index) => used(`use_old_${index}`, ago(400 * DAY + 1)))
  for (let at = 0; at < many.length; at += 500) await org.insertInto('usage', many.slice(at, at + 500)).execute()
  await org.insertInto('usage', used('use_kept', ago(400 * DAY))).execute()

  const audited = (id: string, at: Date) => ({ id, at, user_id: null, action: 'x', target: 'x', detail: '{}' })
  await org.insertInto('audit', [audited('aud_old', ago(730 * DAY + 1)), audited('aud_kept', ago(730 * DAY))]).execute()

  const stored = { holder: 'usr_1', tool: 'x', arguments_hash: '', state: 'done' as const, result: null }
  await org
    .insertInto('idempotency', [
      { ...stored, key: 'old', created_at: ago(DAY + 1) },
      { ...stored, key: 'kept', created_at: ago(DAY) },
    ])
    .execute()

  const key = { user_id: 'usr_1', agent_id: null, name: '', pepper_id: '', prefix: '', last4: '', created_at: ago(0) }
  const old = ago(90 * DAY + 1)
  await org
    .insertInto('api_keys', [
      { ...key, id: 'key_revoked', hash: '1', revoked_at: old },
      { ...key, id: 'key_expired', hash: '2', expires_at: old },
      { ...key, id: 'key_kept_1', hash: '3', revoked_at: ago(90 * DAY), expires_at: ago(90 * DAY) },
      { ...key, id: 'key_kept_2', hash: '4' },
    ])
    .execute()

  const remote = {
    id: 'rem_1',
    slug: 'wiki',
    name: '',
    upstream_url: '',
    created_by: 'usr_1',
    snapshot_id: 'snp_served',
  }
  await org
    .insertInto('remote_connectors', { ...remote, auth_mode: 'none', header_name: null, created_at: ago(0) })
    .execute()
  const snapshot = { remote_id: 'rem_1', hash: '', tools: '""', set_aside: '""' }
  await org
    .insertInto('remote_snapshots', [
      { ...snapshot, id: 'snp_served', fetched_at: ago(31 * DAY) },
      { ...snapshot, id: 'snp_old', fetched_at: ago(30 * DAY + 1) },
      { ...snapshot, id: 'snp_kept', fetched_at: ago(30 * DAY) },
    ])
    .execute()

  const held = { user_id: 'usr_1', tool: 'x', amount_micros: 1, month: '2026-11-01', expires_at: ago(0) }
  await org
    .insertInto('holds', [
      { ...held, id: 'hld_old', state: 'captured', cost_micros: 1, resolved_at: ago(400 * DAY + 1), key_id: null },
      { ...held, id: 'hld_kept', state: 'released', cost_micros: null, resolved_at: ago(400 * DAY), key_id: null },
      { ...held, id: 'hld_pending', cost_micros: null, created_at: ago(401 * DAY), key_id: null },
    ])
    .execute()
  const reconciled = { reason: 'expired' as const, user_id: 'usr_1', key_id: null, tool: 'x', held_micros: 1 }
  await org
    .insertInto('reconciliations', [
      { ...reconciled, hold_id: 'hld_1', cost_micros: null, at: ago(730 * DAY + 1) },
      { ...reconciled, hold_id: 'hld_2', cost_micros: null, at: ago(730 * DAY) },
    ])
    .execute()
  // 400 days ago was October 17, 2025: September had ended by then, October had not.
  await org
    .insertInto('key_months', [
      { key_id: 'key_1', month: '2025-09-01' },
      { key_id: 'key_1', month: '2025-10-01' },
    ])
    .execute()

  const jobs = runner()
  defineRetention(jobs, { db, clock })
  t.equal(await jobs.runDue(), RETENTION.length)
  t.same(await org.selectFrom('remote_snapshots').select('id').orderBy('id').execute(), [
    { id: 'snp_kept' },
    { id: 'snp_served' },
  ])
  t.same(await acrossOrgs(db).selectFrom('usage').select('id').execute(), [{ id: 'use_kept' }])
  t.same(await org.selectFrom('holds').select('id').orderBy('id').execute(), [
    { id: 'hld_kept' },
    { id: 'hld_pending' },
  ])
  t.same(await org.selectFrom('reconciliations').select('hold_id').execute(), [{ hold_id: 'hld_2' }])
  t.same(await org.selectFrom('key_months').select('month').execute(), [{ month: '2025-10-01' }])
  t.same(await org.selectFrom('audit').select('id').execute(), [{ id: 'aud_kept' }])
  t.same(await org.selectFrom('idempotency').select('key').execute(), [{ key: 'kept' }])
  t.same(await org.selectFrom('api_keys').select('id').orderBy('id').execute(), [
    { id: 'key_kept_1' },
    { id: 'key_kept_2' },
  ])
  clock.advance(3_600 * SECOND)
  t.equal(await jobs.runDue(), RETENTION.length, 'and again within the hour')
})
