import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { canonicalJson } from '../../../lib/canonical-json.ts'
import { acrossOrgs } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { keepDigits } from '../../../lib/exact-numbers.ts'
import { createIdempotency, type KeepAnswer } from '../../../services/idempotency/idempotency.ts'
import { testDatabase } from '../../fixtures/database.ts'
import { directoryOn } from '../../fixtures/directory.ts'
import { asDatabaseClock, testClock } from '../../fixtures/fixture.ts'
import fc from '../../fixtures/property.ts'
import { RESULT_LIMITS } from '../../fixtures/settings.ts'

const text = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })
const HOUR = 3_600_000

async function fixture(t: Test) {
  const { db } = await testDatabase(t)
  const clock = testClock()
  const organization = directoryOn(db, clock).members
  const [ada] = await organization('member')
  const waits: number[] = []
  let whenWaiting = async () => {}
  // Each is what a process has of its own; waiting moves the clock instead of the test.
  const process = (wait = waitByClock, own = clock) =>
    createIdempotency({ db, clock: own, databaseNow: asDatabaseClock(clock), limits: RESULT_LIMITS, wait })
  async function waitByClock(milliseconds: number): Promise<unknown> {
    waits.push(milliseconds)
    clock.advance(milliseconds)
    return whenWaiting()
  }
  return {
    db,
    clock,
    waits,
    process,
    onWait(work: () => Promise<void>) {
      whenWaiting = work
    },
    call: (key: string, args: unknown = { a: 1 }, more: { holder?: string; tool?: string; orgId?: string } = {}) => ({
      orgId: ada.caller.orgId,
      holder: ada.identity.meterKey,
      tool: 'memory__remember',
      key,
      args,
      ...more,
    }),
    organization,
  }
}

async function ranTwice(): Promise<CallToolResult> {
  throw new Error('the call ran a second time')
}

/** A run that counts itself and ends when told. */
function held(result: CallToolResult) {
  const { promise, resolve, reject } = Promise.withResolvers<CallToolResult>()
  const started = Promise.withResolvers<void>()
  const run = {
    count: 0,
    started: started.promise,
    finish: () => resolve(result),
    fail: reject,
    run() {
      run.count++
      started.resolve()
      return promise
    },
  }
  return run
}

t.test('canonical JSON does not depend on the order of members, only on values', async t => {
  t.equal(canonicalJson({ b: [1, { d: null, c: 'é\n' }], a: 1e21 }), '{"a":1e+21,"b":[1,{"c":"é\\n","d":null}]}')
  t.equal(
    canonicalJson({ '\ufb33': 1, '\u{1f600}': 2, '\r': 3, '1': 4 }),
    '{"\\r":3,"1":4,"😀":2,"\ufb33":1}',
    'UTF-16 order',
  )
  t.not(canonicalJson({ a: 1 }), canonicalJson({ a: '1' }))
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const reversed = JSON.parse(JSON.stringify(value), (_, member) =>
        typeof member === 'object' && member !== null && !Array.isArray(member)
          ? Object.fromEntries(Object.entries(member).reverse())
          : member,
      )
      return canonicalJson(reversed) === canonicalJson(JSON.parse(JSON.stringify(value)))
    }),
  )
  t.pass()
})

t.test('idempotency', async t => {
  const { db, clock, waits, process, call, organization, onWait } = await fixture(t)

  await t.test('a repeated call gets the first result and runs nothing, in any process', async t => {
    const one = process()
    t.same(await one.once(call('again', { a: 1, b: [2] }), async () => text('first')), text('first'))
    for (const peer of [one, process()])
      t.same(await peer.once(call('again', { b: [2], a: 1 }), ranTwice), text('first'))
  })

  await t.test('the same key with other arguments is a conflict, done or running', async t => {
    const one = process()
    await one.once(call('conflict'), async () => text('x'))
    await t.rejects(
      one.once(call('conflict', { a: 2 }), async () => text('y')),
      { code: 'idempotency_conflict' },
    )
    const slow = held(text('z'))
    const first = one.once(call('conflict running'), slow.run)
    await slow.started
    for (const peer of [one, process()])
      await t.rejects(
        peer.once(call('conflict running', {}), async () => text('y')),
        { code: 'idempotency_conflict' },
      )
    slow.finish()
    t.same(await first, text('z'))
  })

  await t.test('a key belongs to its holder, its tool and its organization', async t => {
    const one = process()
    const [eve] = await organization('owner')
    await one.once(call('mine'), async () => text('mine'))
    for (const [name, more] of Object.entries({
      holder: { holder: 'key_other' },
      tool: { tool: 'memory__forget' },
      organization: { orgId: eve.caller.orgId },
    }))
      t.same(await one.once(call('mine', { a: 1 }, more), async () => text(name)), text(name))
  })

  await t.test('concurrent duplicates of one process wait for the first', async t => {
    const one = process()
    const slow = held(text('once'))
    const calls = Array.from({ length: 10 }, () => one.once(call('together'), slow.run))
    await slow.started
    slow.finish()
    t.same(await Promise.all(calls), Array(10).fill(text('once')))
    t.equal(slow.count, 1)
  })

  await t.test('a duplicate in another process waits for the first with increasing pauses', async t => {
    const slow = held(text('elsewhere'))
    const first = process().once(call('elsewhere'), slow.run)
    await slow.started
    waits.length = 0
    onWait(async () => {
      if (waits.length === 6) {
        slow.finish()
        await first
      }
    })
    t.same(await process().once(call('elsewhere'), ranTwice), text('elsewhere'))
    t.same(waits, [50, 100, 200, 400, 800, 1000])
    onWait(async () => {})
  })

  await t.test('a caller that waits for another process gets an answer before official clients give up', async t => {
    const slow = held(text('late'))
    const first = process().once(call('late'), slow.run)
    await slow.started
    const began = clock.now()
    await t.rejects(process().once(call('late'), ranTwice), { code: 'timeout' })
    t.ok(clock.now() - began <= 52_000)
    slow.finish()
    t.same(await first, text('late'), 'the first goes on')
  })

  await t.test('a failed call releases its key, so that the next and the waiting ones run', async t => {
    const one = process()
    const failed: CallToolResult = { content: [], isError: true }
    t.same(await one.once(call('failing'), async () => failed), failed)
    await t.rejects(
      one.once(call('failing'), async () => {
        throw new Error('tool broke')
      }),
      { message: 'tool broke' },
    )
    t.same(await one.once(call('failing', { other: true }), async () => text('ran')), text('ran'))

    const slow = held(text('never'))
    const first = one.once(call('aborted'), slow.run)
    await slow.started
    const second = one.once(call('aborted'), async () => text('second'))
    const third = one.once(call('aborted'), async () => text('third'))
    slow.fail(new Error('client went away'))
    await t.rejects(first, { message: 'client went away' })
    t.same(await Promise.all([second, third]), [text('second'), text('second')], 'one of the waiting runs')
  })

  await t.test('a call with an unknown effect never runs again under its key', async t => {
    const unsettled = () => Promise.reject(new GatewayError('timeout', 'No answer came.', { unsettled: true }))
    await t.rejects(process().once(call('unsettled'), unsettled), { code: 'timeout' }, 'the first call gets its error')
    for (const peer of [process(), process()])
      await t.rejects(peer.once(call('unsettled'), ranTwice), {
        code: 'idempotency_conflict',
        message: /unknown whether it had an effect/,
      })
  })

  await t.test('a process whose clock is wrong by minutes neither takes a running lease nor loses its own', async t => {
    for (const [name, minutes] of Object.entries({ ahead: 10, behind: -10 })) {
      // Waits until the end of the lease, by the database's clock; its own stays 10 minutes off.
      const own = testClock(clock.now() + minutes * 60_000)
      const off = process(async milliseconds => {
        own.advance(milliseconds)
        clock.advance(milliseconds)
      }, own)

      const slow = held(text('in time'))
      const first = process().once(call(`taken ${name}`), slow.run)
      await slow.started
      await t.rejects(off.once(call(`taken ${name}`), ranTwice), { code: 'timeout' }, 'the lease is respected')
      slow.finish()
      t.same(await first, text('in time'))
      t.same(await off.once(call(`taken ${name}`), ranTwice), text('in time'))

      const mine = held(text('mine'))
      const running = off.once(call(`owned ${name}`), mine.run)
      await mine.started
      await t.rejects(process().once(call(`owned ${name}`), ranTwice), { code: 'timeout' }, 'its lease is respected')
      mine.finish()
      t.same(await running, text('mine'))

      const dead = held(text('dead'))
      const lost = off.once(call(`ended ${name}`), dead.run)
      await dead.started
      clock.advance(90_001)
      t.same(
        await process().once(call(`ended ${name}`), async () => text('heir')),
        text('heir'),
        'its lease ends in time',
      )
      dead.finish()
      await lost
    }
  })

  await t.test('a dead process loses its lease, and its late result changes nothing', async t => {
    const dead = held(text('from the dead'))
    const first = process().once(call('crash'), dead.run)
    await dead.started
    clock.advance(90_001)
    const heir = held(text('from the heir'))
    const second = process().once(call('crash'), heir.run)
    await heir.started
    dead.finish()
    t.same(await first, text('from the dead'), 'who asked gets its answer')
    heir.finish()
    t.same(await second, text('from the heir'))
    t.same(await process().once(call('crash'), ranTwice), text('from the heir'))
  })

  await t.test('a dead process’s late failure does not release the key of its successor', async t => {
    const dead = held(text(''))
    const first = process().once(call('late failure'), dead.run)
    await dead.started
    clock.advance(90_001)
    t.same(await process().once(call('late failure'), async () => text('heir')), text('heir'))
    dead.fail(new Error('too late'))
    await t.rejects(first)
    t.same(await process().once(call('late failure'), ranTwice), text('heir'))
  })

  await t.test('a result that its runner stores is stored only in the runner’s transaction', async t => {
    let keepIt: ReturnType<KeepAnswer> = () => Promise.reject(new Error('the call has not run'))
    const left = await process().once(call('left'), async keep => {
      keepIt = keep(text('left'))
      return text('left')
    })
    t.same(left, text('left'))
    const failing = db.transaction().execute(async trx => {
      t.ok(await keepIt(trx))
      throw new Error('taken back')
    })
    await t.rejects(failing, { message: 'taken back' })
    t.ok(await db.transaction().execute(keepIt))
    t.same(await process().once(call('left'), ranTwice), text('left'))
    t.notOk(await keepIt(db), 'once')
  })

  await t.test('a key is stored for 24 hours, then it is new', async t => {
    const one = process()
    await one.once(call('daily'), async () => text('monday'))
    clock.advance(24 * HOUR - 1)
    t.same(await one.once(call('daily'), ranTwice), text('monday'))
    clock.advance(1)
    t.same(await one.once(call('daily', { other: 'arguments' }), async () => text('tuesday')), text('tuesday'))
  })

  await t.test('a result over 256 KB is not stored, and the call still does not run again', async t => {
    const one = process()
    const large = text('x'.repeat(256 * 1024))
    t.same(await one.once(call('large'), async () => large), large)
    await t.rejects(one.once(call('large'), ranTwice), { code: 'idempotency_conflict', message: /too large/ })
    const stored = await acrossOrgs(db)
      .selectFrom('idempotency')
      .where('key', '=', 'large')
      .select(sql<number>`length(result::text)`.as('length'))
      .executeTakeFirstOrThrow()
    t.ok(stored.length < 100)
  })

  await t.test('a stored result keeps the digits of large numbers', async t => {
    const one = process()
    const text = '{"ids":[9007199254740993,-12345678901234567890],"size":1}'
    const structuredContent = JSON.parse(text, keepDigits(text))
    await one.once(call('digits'), async () => ({ content: [], structuredContent }))
    const again = await one.once(call('digits'), ranTwice)
    t.match(JSON.stringify(again.structuredContent), '"ids":[9007199254740993,-12345678901234567890]')
  })

  await t.test('a result with absurd numbers is stored, without their digits', async t => {
    for (const number of ['1e200000', `-${'1'.repeat(200_000)}`, '1e131071', `9.${'1'.repeat(500)}e100`]) {
      const one = process()
      const key = number.slice(0, 20)
      const text = `{"a":${number}}`
      const structuredContent = JSON.parse(text, keepDigits(text))
      await one.once(call(key), async () => ({ content: [], structuredContent }))
      const again = await one.once(call(key), ranTwice)
      t.ok(JSON.stringify(again).length < 1000, key)
    }
  })

  await t.test('a stored result has a version, and characters that jsonb rejects are replaced', async t => {
    const one = process()
    const odd = { content: [], structuredContent: { 'a\u0000': 'half \ud800', b: '\\u0000', c: '👍' } }
    t.same(await one.once(call('odd'), async () => odd), odd)
    t.same((await one.once(call('odd'), ranTwice)).structuredContent, {
      'a\ufffd': 'half \ufffd',
      b: '\\u0000',
      c: '👍',
    })
    const row = await acrossOrgs(db)
      .selectFrom('idempotency')
      .where('key', '=', 'odd')
      .selectAll()
      .executeTakeFirstOrThrow()
    t.match(row, { state: 'done', lease_until: null, result: { v: 1, result: { content: [] } } })
  })

  await t.test('a key has 1 to 255 printable characters', async t => {
    const one = process()
    t.same(await one.once(call('~'.repeat(255)), async () => text('ok')), text('ok'))
    for (const key of ['', 'x'.repeat(256), 'a\nb', 'a\u0000', 'ключ', '\u007f'])
      await t.rejects(one.once(call(key), ranTwice), { code: 'invalid_request' }, JSON.stringify(key))
  })

  await t.test('no session of the database is in a transaction while a call runs', async t => {
    const slow = held(text('ok'))
    const running = process().once(call('idle'), slow.run)
    await slow.started
    const busy = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`.execute(db)
    t.equal(busy.rows.length, 0)
    slow.finish()
    await running
  })

  await t.test(
    'with any interleaving of processes, each key succeeds once and all callers get the same result',
    async t => {
      let round = 0
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ process: fc.nat(2), fails: fc.boolean() }), { minLength: 2, maxLength: 8 }),
          async tries => {
            // The clock does not move: waiting callers check again at once, and no lease ends.
            const soon = () => new Promise(setImmediate)
            const processes = [process(soon), process(soon), process(soon)]
            const key = `race ${round++}`
            let successes = 0
            let atOnce = 0
            const answers = await Promise.all(
              tries.map(({ process, fails }, i) =>
                processes[process]!.once(call(key), async () => {
                  if (++atOnce > 1) throw new Error('two ran at once')
                  await sql`select 1`.execute(db)
                  atOnce--
                  if (fails) return { ...text(`failed ${i}`), isError: true }
                  successes++
                  return text(`ran ${i}`)
                }),
              ),
            )
            const good = new Set(answers.filter(answer => !answer.isError).map(answer => canonicalJson(answer)))
            const allFail = tries.every(({ fails }) => fails)
            return allFail ? successes === 0 && good.size === 0 : successes === 1 && good.size === 1
          },
        ),
        { numRuns: 20 },
      )
      t.pass()
    },
  )
})
