import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { acrossOrgs } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { auditLedger } from '../../../services/billing/audit/audit-ledger.ts'
import { type HoldEvent, holdChannel } from '../../../services/billing/ledger.ts'
import type { ToolContext } from '../../../services/definitions/define-tool.ts'
import { testDatabase } from '../../fixtures/database.ts'
import { waitedMs } from '../../fixtures/elapsed.ts'
import { testClock } from '../../fixtures/fixture.ts'
import {
  expireHolds,
  meteredProcess,
  moneyOf,
  type ProcessOptions,
  payingOrganization,
  reconciliationsOf,
} from '../../fixtures/metered-fixture.ts'
import { meteredTools, type Work } from '../../fixtures/metered-tools.ts'
import { until } from '../../fixtures/until.ts'

const WALLET = 100_000
const away = () => new Error('Connection terminated unexpectedly')

async function fixture(t: Test) {
  const { db } = await testDatabase(t)
  const clock = testClock()
  let work: (signal: AbortSignal, reportCost: ToolContext['reportCost']) => Promise<Work> = async () => ({})
  const counted = { runs: 0 }
  const family = meteredTools({
    work(_name, { signal, reportCost }) {
      counted.runs++
      return work(signal, reportCost)
    },
  })
  return {
    db,
    clock,
    counted,
    /** What the provider does from now on. */
    answer(how: typeof work) {
      work = how
    },
    process: (options: Partial<ProcessOptions> = {}) => meteredProcess({ db, clock, family, ...options }),
    payer: (micros = WALLET) => payingOrganization(db, micros),
    money: (orgId: string) => moneyOf(db, orgId),
    idempotencyOf: (orgId: string) =>
      acrossOrgs(db).selectFrom('idempotency').where('org_id', '=', orgId).select(['state']).execute(),
  }
}

/** A pause between two attempts that ends when told. */
function pauses() {
  const waiting: (() => void)[] = []
  return {
    wait: () => new Promise<void>(resolve => waiting.push(resolve)),
    get waiting() {
      return waiting.length
    },
    end() {
      for (const resolve of waiting.splice(0)) resolve()
    },
  }
}

t.test('a metered call', async t => {
  const { db, clock, process, payer, answer, counted, money } = await fixture(t)

  await t.test('costs its estimate or the reported cost: less, more than the hold, or nothing', async t => {
    for (const { tool, args = {}, cost, taken } of [
      { tool: 'test__fixed', taken: 1_000 },
      { tool: 'test__by_argument', args: { units: 3 }, taken: 750 },
      { tool: 'test__afterwards', taken: 5_000 },
      { tool: 'test__afterwards', cost: 1_200, taken: 1_200 },
      { tool: 'test__afterwards', cost: 9_000, taken: 9_000 },
      { tool: 'test__afterwards', cost: 0, taken: 0 },
    ]) {
      const { orgId, one } = await payer()
      const { call, outcomes } = process()
      answer(async () => ({ cost }))
      t.match(await call(one, tool, args), { outcome: 'ok', text: /has run/ })
      t.match(outcomes, [{ outcome: 'ok', costMicros: taken }], 'as its usage row has it')
      t.match(await money(orgId), { balance: WALLET - taken, held: 0, captured: 1, pending: 0 })
    }
    const { orgId, one } = await payer(6_000)
    answer(async () => ({ cost: 9_000 }))
    await process().call(one, 'test__afterwards')
    t.match(await money(orgId), { balance: -3_000, held: 0 }, 'below zero, where it cost more than was held')
  })

  await t.test('with arguments that cost nothing makes no hold, and its reported cost is ignored', async t => {
    const { orgId, one } = await payer(0)
    const { call, outcomes } = process()
    t.match(await call(one, 'test__by_argument', { units: 0 }), { outcome: 'ok' })
    t.match(outcomes, [{ costMicros: 0 }])
    t.match(await money(orgId), { balance: 0, captured: 0, released: 0, pending: 0 })
  })

  await t.test('with an invalid estimate does not run', async t => {
    const { orgId, one } = await payer()
    for (const estimate of [-1, 0.5, Number.NaN, 2 ** 53, '5']) {
      const family = meteredTools({ work: () => Promise.reject(new Error('it ran')) })
      const odd = family.map(tool => ({ ...tool, price: { estimate: () => estimate as number } }))
      const { call, failures } = process({ family: odd })
      t.equal((await call(one, 'test__fixed')).outcome, 'internal_error')
      t.match(failures, [{ message: 'test__fixed estimates an invalid cost' }])
    }
    t.match(await money(orgId), { balance: WALLET, held: 0, released: 0, captured: 0 })
  })

  await t.test(
    'that fails without a report costs nothing: an error, a throw, its deadline; nor does a request for input',
    async t => {
      const { orgId, one } = await payer()
      const { call, outcomes, failures } = process({ deadlineMs: 20 })
      const failing: [string, () => Promise<Work>][] = [
        ['error', async () => ({ result: { content: [], isError: true } })],
        ['error', async () => ({ cost: 0, result: { content: [], isError: true } })],
        ['internal_error', () => Promise.reject(new Error('broken'))],
        ['upstream_unavailable', () => Promise.reject(new GatewayError('upstream_unavailable', 'Away.'))],
        ['ok', async () => ({ cost: 700, result: { resultType: 'input_required', inputRequests: {} } as never })],
        ['timeout', () => new Promise(() => {})],
      ]
      for (const [outcome, how] of failing) {
        answer(how)
        t.equal((await call(one, 'test__afterwards')).outcome, outcome)
      }
      t.match(failures, [{ message: 'broken' }])
      t.same(
        outcomes.map(({ costMicros }) => costMicros),
        failing.map(() => 0),
      )
      t.match(await money(orgId), { balance: WALLET, held: 0, released: failing.length, captured: 0, pending: 0 })
    },
  )

  /** The ways in which a call fails after its provider has charged for it, and what its result says. */
  const CHARGED: [outcome: string, text: RegExp, how: Parameters<typeof answer>[0]][] = [
    ['error', /^$/, async () => ({ cost: 700, result: { content: [], isError: true } })],
    [
      'upstream_unavailable',
      /Away\. The provider charged for it: the call cost \$0\.0007\./,
      async (_signal, reportCost) => {
        reportCost(300)
        reportCost(700)
        throw new GatewayError('upstream_unavailable', 'Away.', { retryAfter: 3, details: { status: 503 } })
      },
    ],
    [
      'internal_error',
      /The provider charged for it/,
      async (_signal, reportCost) => {
        reportCost(700)
        throw new Error('broken')
      },
    ],
    [
      'timeout',
      /The provider charged for it/,
      (_signal, reportCost) => {
        reportCost(700)
        return new Promise(() => {})
      },
    ],
  ]

  await t.test('that fails after it reported a cost is charged that cost, and its error says so', async t => {
    const { orgId, one } = await payer()
    const { call, outcomes } = process({ deadlineMs: 20 })
    for (const [outcome, text, how] of CHARGED) {
      answer(how)
      t.match(await call(one, 'test__afterwards'), { outcome, text }, outcome)
    }
    t.same(
      outcomes.map(({ costMicros }) => costMicros),
      CHARGED.map(() => 700),
    )
    const captured = CHARGED.length
    t.match(await money(orgId), { balance: WALLET - captured * 700, held: 0, released: 0, captured, pending: 0 })
    t.same((await auditLedger(db)).differences, [])
  })

  await t.test(
    'with a key that fails after it reported a cost is charged once: its repetitions fail alike',
    async t => {
      for (const [outcome, text, how] of CHARGED) {
        const { orgId, one } = await payer()
        const [first, second] = [process({ deadlineMs: 20 }), process()]
        answer(how)
        const { runs } = counted
        const asked = (of: typeof first) => of.call(one, 'test__afterwards', {}, { key: 'again' })
        const failed = { outcome, text }
        t.match(await Promise.all([asked(first), asked(first)]), [failed, failed], `${outcome}: waits for the first`)
        answer(async () => ({}))
        const repeated = await asked(second)
        t.match(repeated, failed, outcome)
        if (outcome !== 'error') t.match(repeated.text, /send a new one/)
        if (outcome === 'upstream_unavailable') t.match(repeated.text, /"status":503/)
        t.equal(counted.runs, runs + 1, 'it ran once')
        t.same(
          [...first.outcomes, ...second.outcomes].map(({ costMicros }) => costMicros).sort(),
          [0, 0, 700],
          'usage has one charge',
        )
        t.match(await money(orgId), { balance: WALLET - 700, held: 0, released: 0, captured: 1, pending: 0 })
        t.match(await second.call(one, 'test__afterwards', {}, { key: 'new' }), { outcome: 'ok' })
      }
    },
  )

  await t.test('whose failure is free runs again with its key, and is charged once', async t => {
    const { orgId, one } = await payer()
    const { call } = process()
    const again = () => call(one, 'test__afterwards', {}, { key: 'again' })
    answer(() => Promise.reject(new GatewayError('upstream_unavailable', 'Away.')))
    t.match(await again(), { outcome: 'upstream_unavailable' })
    answer(async () => ({ cost: 700 }))
    for (let asked = 0; asked < 2; asked++) t.match(await again(), { outcome: 'ok' })
    t.match(await money(orgId), { balance: WALLET - 700, held: 0, released: 1, captured: 1 })
  })

  await t.test('whose charged failure another process has taken over is not charged twice', async t => {
    const { orgId, one } = await payer()
    const [slow, heir] = [process({ deadlineMs: 60_000 }), process()]
    const { promise: stalled, resolve: wake } = Promise.withResolvers<void>()
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    answer(async (_signal, reportCost) => {
      reportCost(700)
      start()
      await stalled
      throw new GatewayError('upstream_unavailable', 'Away.')
    })
    const asked = (of: typeof slow) => of.call(one, 'test__afterwards', {}, { key: 'taken' })
    const first = asked(slow)
    await started
    clock.advance(90_001)
    answer(async () => ({ cost: 800 }))
    t.match(await asked(heir), { outcome: 'ok' })
    wake()
    const late = await first
    t.match(late, { outcome: 'upstream_unavailable' })
    t.notMatch(late.text, /charged/)
    t.match(await asked(heir), { outcome: 'ok' }, 'the key keeps the answer of the heir')
    t.match(await money(orgId), { balance: WALLET - 800, held: 0, released: 1, captured: 1 })
  })

  await t.test('that reports an invalid cost costs nothing and leaves a reconciliation row', async t => {
    for (const cost of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '5', null, 5n, -0]) {
      const { orgId, one } = await payer()
      const { call, outcomes, lines } = process()
      answer(async () => ({ cost }))
      t.match(await call(one, 'test__afterwards', {}, { key: 'again' }), { outcome: 'ok', text: /has run/ })
      t.match(outcomes, [{ outcome: 'ok', costMicros: 0 }])
      t.match(await money(orgId), { balance: WALLET, held: 0, released: 1, captured: 0 }, String(cost))
      const row = { reason: 'invalid_cost', held: 5_000, cost: null, tool: 'test__afterwards' }
      t.same(await reconciliationsOf(db, orgId), [row])
      t.match(
        lines.map(line => JSON.parse(line)),
        [{ level: /error|50/, tool: 'test__afterwards', told: typeof cost === 'number' ? String(cost) : typeof cost }],
      )
      const { runs } = counted
      t.match(await call(one, 'test__afterwards', {}, { key: 'again' }), { outcome: 'ok', text: /has run/ })
      t.equal(counted.runs, runs, 'who repeats it gets the answer that was kept')
    }
  })

  await t.test('is charged up to the bound of its estimate, and what exceeds it is reconciled and logged', async t => {
    for (const [cost, charged] of [
      [50_000, 50_000],
      [50_001, 50_000],
      [10 ** 12, 50_000],
    ] as const) {
      for (const sent of [{}, { key: 'bounded' }]) {
        const { orgId, one } = await payer()
        const { call, outcomes, lines } = process()
        answer(async () => ({ cost }))
        t.match(await call(one, 'test__afterwards', {}, sent), { outcome: 'ok', text: /has run/ })
        t.match(outcomes, [{ outcome: 'ok', costMicros: charged }])
        t.match(await money(orgId), { balance: WALLET - charged, held: 0, captured: 1 })
        const over = cost > charged
        const row = { reason: 'overage_bound', held: 5_000, cost, tool: 'test__afterwards' }
        t.same(await reconciliationsOf(db, orgId), over ? [row] : [])
        const line = { level: 50, orgId, costMicros: cost, chargedMicros: charged, msg: /above the bound/ }
        t.match(
          lines.map(line => JSON.parse(line)),
          over ? [line] : [],
        )
      }
    }
    t.same((await auditLedger(db)).differences, [])
  })

  await t.test('publishes its hold and the final state of the hold', async t => {
    const { subscribe, unsubscribe } = await import('node:diagnostics_channel')
    const { one } = await payer()
    const heard: unknown[] = []
    const listener = (event: unknown) => void heard.push(event)
    subscribe(holdChannel.name, listener)
    t.teardown(() => unsubscribe(holdChannel.name, listener))
    const { call } = process()
    answer(async () => ({ cost: 9_000 }))
    await call(one, 'test__afterwards')
    answer(() => Promise.reject(new Error('broken')))
    await call(one, 'test__fixed')
    t.match(heard as HoldEvent[], [
      { state: 'pending', amountMicros: 5_000, costMicros: 0 },
      { state: 'captured', amountMicros: 5_000, costMicros: 9_000 },
      { state: 'pending', amountMicros: 1_000, costMicros: 0 },
      { state: 'released', amountMicros: 1_000, costMicros: 0 },
    ])
  })
})

t.test('if the database is unavailable during authorization, nothing runs and nothing stays held', async t => {
  const { process, payer, answer, counted, money } = await fixture(t)
  const failed = { outcome: 'billing_authorization_failed', text: /"type":"api_error".*Nothing ran/ }
  answer(async () => ({}))

  await t.test('also if the hold exists and only its response was lost', async t => {
    const { orgId, one } = await payer()
    const { call, metering, outcomes } = process({
      over: ledger => ({ ...ledger, hold: hold => ledger.hold(hold).then(() => Promise.reject(away())) }),
    })
    t.match(await call(one, 'test__fixed'), failed)
    await metering.close()
    t.match(outcomes, [{ outcome: 'billing_authorization_failed', costMicros: 0 }])
    t.match(await money(orgId), { balance: WALLET, held: 0, pending: 0, released: 1 })
  })

  await t.test('also if the hold appears after the first attempt to release it', async t => {
    const { orgId, one } = await payer()
    const paused = pauses()
    let late = async () => {}
    const { call, lines } = process({
      wait: paused.wait,
      over: ledger => ({
        ...ledger,
        hold(hold) {
          late = () => ledger.hold(hold)
          return Promise.reject(away())
        },
      }),
    })
    t.match(await call(one, 'test__fixed'), failed)
    await until(() => paused.waiting > 0)
    await late()
    t.match(await money(orgId), { held: 1_000, pending: 1 })
    await until(async () => {
      paused.end()
      return (await money(orgId)).released === 1
    })
    t.match(await money(orgId), { balance: WALLET, held: 0, pending: 0 })
    t.same(lines, [], 'which is nothing to worry about')
  })

  await t.test('a hold that never appears is looked up six times', async t => {
    const { orgId, one } = await payer()
    let waited = 0
    const { call, metering, lines } = process({
      async wait(milliseconds) {
        waited += milliseconds
      },
      over: ledger => ({ ...ledger, hold: () => Promise.reject(away()) }),
    })
    t.match(await call(one, 'test__fixed'), failed)
    await metering.close()
    t.same([waited, lines], [250 + 500 + 1_000 + 2_000 + 4_000, []])
    t.match(await money(orgId), { held: 0, pending: 0, released: 0 })
  })

  t.equal(counted.runs, 0)
})

t.test('if the database is unavailable during settlement, a call', async t => {
  const { db, clock, process, payer, answer, money, idempotencyOf, counted } = await fixture(t)
  answer(async () => ({ cost: 1_200 }))

  await t.test('is answered after at most 1.5 s, and settled once when the database is back', async t => {
    const { orgId, one } = await payer()
    const { wait, end } = pauses()
    let down = true
    const { call, outcomes } = process({
      wait,
      over: ledger => ({
        ...ledger,
        capture: (...capture) => (down ? Promise.reject(away()) : ledger.capture(...capture)),
      }),
    })
    const started = performance.now()
    let answers: unknown
    const waited = await waitedMs(async () => {
      answers = await Promise.all([call(one, 'test__afterwards'), call(one, 'test__afterwards', {}, { key: 'away' })])
    })
    t.ok(performance.now() - started > 1_400 && waited < 2_900, `${Math.round(waited)} ms`)
    t.match(answers, [{ outcome: 'ok' }, { outcome: 'ok' }])
    t.match(outcomes, [{ costMicros: 1_200 }, { costMicros: 1_200 }], 'the usage rows have what it will cost')
    t.match(await money(orgId), { balance: WALLET, held: 10_000, pending: 2 })
    t.same(await idempotencyOf(orgId), [{ state: 'running' }], 'no one gets an unpaid result')
    down = false
    await until(async () => {
      end()
      return (await money(orgId)).pending === 0
    })
    t.match(await money(orgId), { balance: WALLET - 2_400, held: 0, captured: 2 })
    t.same(await idempotencyOf(orgId), [{ state: 'done' }])
  })

  await t.test(
    'is asked again for ever longer, and takes each capture and release once, its answers lost or not',
    async t => {
      for (const lost of [false, true])
        for (const key of [undefined, 'again']) {
          const { orgId, one } = await payer()
          const waits: number[] = []
          let failures = 7
          // Away before it has done it, or right behind that.
          const unreliable = async (work: () => Promise<void>) => {
            if (lost) await work()
            if (failures-- > 0) throw away()
            if (!lost) await work()
          }
          const { call, lines } = process({
            wait: async milliseconds => void waits.push(milliseconds),
            over: ledger => ({
              ...ledger,
              capture: (...capture) => unreliable(() => ledger.capture(...capture)),
              release: (...release) => unreliable(() => ledger.release(...release)),
            }),
          })
          answer(async () => ({ cost: 1_200 }))
          t.equal((await call(one, 'test__afterwards', {}, { ...(key !== undefined && { key }) })).outcome, 'ok')
          t.match(await money(orgId), { balance: WALLET - 1_200, held: 0, captured: 1, pending: 0 })
          t.notOk(lines.some(line => line.includes('"level":"error"') || line.includes('"level":50')))
          // In a transaction a lost answer takes back what it was the answer to.
          if (!lost) t.same(waits, [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000])

          failures = 2
          answer(() => Promise.reject(new Error('broken')))
          await call(one, 'test__fixed')
          t.match(await money(orgId), { balance: WALLET - 1_200, held: 0, captured: 1, released: 1, pending: 0 })
        }
    },
  )

  await t.test(
    'and back only when the hold has expired: nothing is charged, and what it did cost is noted',
    async t => {
      const { orgId, one } = await payer()
      const { wait, end } = pauses()
      let down = true
      const { call, metering, outcomes } = process({
        wait,
        over: ledger => ({
          ...ledger,
          capture: (...capture) => (down ? Promise.reject(away()) : ledger.capture(...capture)),
        }),
      })
      answer(async () => ({ cost: 1_200 }))
      const answered = call(one, 'test__afterwards')
      await until(async () => (await money(orgId)).pending === 1)
      await expireHolds(db, orgId)
      down = false
      await until(async () => {
        end()
        return (await reconciliationsOf(db, orgId))[0]?.cost === 1_200
      })
      t.match(await answered, { outcome: 'ok' })
      await metering.close()
      t.match(outcomes, [{ costMicros: 0 }])
      t.match(await money(orgId), { balance: WALLET, held: 0, captured: 0, expired: 1 })
      t.match(await reconciliationsOf(db, orgId), [{ reason: 'expired', held: 5_000, cost: 1_200 }])
    },
  )

  await t.test('commits neither or both of a capture and its stored result', async t => {
    const { orgId, one } = await payer()
    const { wait, end } = pauses()
    const across = acrossOrgs(db)
    await sql`create function no_room() returns trigger language plpgsql as
      $$ begin raise exception 'no room' using errcode = '53100'; end $$`.execute(across)
    await sql`create trigger no_room before update on idempotency for each row when (new.state = 'done')
      execute function no_room()`.execute(across)
    const { call, lines } = process({ wait })
    answer(async () => ({ cost: 1_200 }))
    const { runs } = counted
    const answered = call(one, 'test__afterwards', {}, { key: 'both' })
    await until(() => lines.length > 0)
    t.match(await money(orgId), { balance: WALLET, held: 5_000, pending: 1 })
    t.same(await idempotencyOf(orgId), [{ state: 'running' }])
    await sql`drop trigger no_room on idempotency`.execute(across)
    await until(async () => {
      end()
      return (await money(orgId)).captured === 1
    })
    t.match(await answered, { outcome: 'ok' })
    t.match(await money(orgId), { balance: WALLET - 1_200, held: 0, pending: 0 })
    t.match(await process().call(one, 'test__afterwards', {}, { key: 'both' }), { outcome: 'ok' })
    t.equal(counted.runs, runs + 1)
  })

  await t.test(
    'so long that another process has taken the call: it pays for one, and who was slower charges nothing',
    async t => {
      const { orgId, one } = await payer()
      const stalled = Promise.withResolvers<Work>()
      const [dead, heir] = [process(), process()]
      answer(() => stalled.promise)
      const late = dead.call(one, 'test__afterwards', {}, { key: 'taken' })
      await until(async () => (await money(orgId)).pending === 1)
      clock.advance(90_001)
      answer(async () => ({ cost: 800 }))
      t.equal((await heir.call(one, 'test__afterwards', {}, { key: 'taken' })).outcome, 'ok')
      stalled.resolve({ cost: 1_200 })
      t.equal((await late).outcome, 'ok', 'who asked gets its answer')
      t.match(dead.outcomes, [{ costMicros: 0 }])
      t.match(await money(orgId), { balance: WALLET - 800, held: 0, captured: 1, released: 1, pending: 0 })
    },
  )
})

t.test('a shutdown waits for running calls and their settlement', async t => {
  const { process, payer, answer, money } = await fixture(t)
  const { orgId, one } = await payer()
  const working = Promise.withResolvers<Work>()
  answer(() => working.promise)
  const { call, metering, outcomes } = process()
  void call(one, 'test__afterwards')
  void call(one, 'test__afterwards', {}, { key: 'a' })
  await until(async () => (await money(orgId)).pending === 2)
  let closed = false
  const closing = metering.close().then(() => {
    closed = true
    return outcomes.length
  })
  await new Promise(setImmediate)
  t.notOk(closed)
  working.resolve({ cost: 10 })
  t.equal(await closing, 2, 'and until their usage was told of')
  t.match(await money(orgId), { balance: WALLET - 20, held: 0, captured: 2 })
})
