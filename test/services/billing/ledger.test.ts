import { sql } from 'kysely'
import t from 'tap'
import { DOLLAR, dollars, isCost, isMicros, MOST_MICROS, microsOfDollars } from '../../../schemas/billing/money.ts'
import { auditLedger } from '../../../services/billing/audit/audit-ledger.ts'
import { createLedger, HoldSettled, HoldUnknown } from '../../../services/billing/ledger.ts'
import { testDatabaseUrl } from '../../fixtures/database.ts'
import { commands } from '../../fixtures/operator-commands.ts'
import fc from '../../fixtures/property.ts'
import { isSampled } from '../../fixtures/sample.ts'
import { until } from '../../fixtures/until.ts'
import { breaches } from '../../ledger/breaches.ts'
import { runUnderContention } from '../../ledger/contention.ts'
import { ALL_INVARIANTS, brokenInvariants, installInvariants } from '../../ledger/invariants.ts'
import { addOrganization, keyId, ledgerDatabase, setCap, setMonth, suspend } from '../../ledger/ledger-fixture.ts'
import { checkLockOrder, isWaitedFor, patientLedger } from '../../ledger/lock-order.ts'
import { ownedDatabase } from '../../ledger/owned-database.ts'
import { due, everything, expired, payer, refusal } from '../../ledger/payer.ts'
import { runConcurrently, runSequentially } from '../../ledger/runs.ts'

// Embedded database: the functions and constraints of money, in one session.

const onPostgres = testDatabaseUrl === undefined ? { skip: 'needs TEST_DATABASE_URL' } : {}

/** What is neither an amount nor a cost. */
const NO_COSTS = [
  ...[-0, -1, 0.5, 2 ** 53 + 1, MOST_MICROS + 1, Number.NaN, Infinity, -Infinity],
  ...['1e3', '5', 'text', '', null, undefined, 5n, true, [5], {}],
]

t.test('the ledger', async t => {
  const db = await ledgerDatabase(t)

  await t.test('a capture charges the cost of the call and releases the rest', async t => {
    const cases = [
      { cost: 40, taken: ['capture wallet -40', 'capture revenue 40'] },
      { cost: 7, taken: ['capture wallet -7', 'capture revenue 7'] },
      { cost: 0, taken: [] },
      {
        cost: 130,
        taken: ['capture wallet -40', 'capture revenue 40', 'overage wallet -90', 'overage revenue 90'],
      },
    ]
    for (const { cost, taken } of cases) {
      const { hold, wallet, ledger, whole, ...rest } = await payer(db)
      const name = await hold(40, 'one')
      t.same(await wallet(), { balance: 100, held: 40 }, 'a hold is no entry')
      await ledger.capture(db, name, cost)
      t.same(await wallet(), { balance: 100 - cost, held: 0 }, `at ${cost}`)
      t.same(await rest.taken(), taken)
      t.same(await whole(), [])
    }
  })

  await t.test('a release frees the whole amount for the next hold', async t => {
    const { hold, wallet, ledger, whole, taken } = await payer(db)
    const name = await hold(100)
    await t.rejects(hold(1), { code: 'insufficient_balance' })
    await ledger.release(db, name)
    t.same(await wallet(), { balance: 100, held: 0 })
    await hold(100)
    t.same(await taken(), [])
    t.same(await whole(), [])
  })

  await t.test('a credit returns the balance, creates a missing wallet, and counts once', async t => {
    const orgId = await addOrganization(db, { wallet: false })
    const ledger = createLedger({ db, thresholdMicros: 0, commands })
    const credit = (id: string) => ledger.credit(db, { orgId, id, amountMicros: 5, description: 'Top-up' })
    const answers = await Promise.all(['1', '2', '3'].map(number => credit(`txn_${orgId}${number}`)))
    t.same(answers.sort(), [10, 15, 5])
    t.equal(await refusal(credit(`txn_${orgId}1`)), '23505', 'the same id')
    t.equal(await credit(`txn_${orgId}4`), 20)
    t.same(await brokenInvariants(db, { orgId, suspended: false }), [])
  })

  await t.test('a reversal takes back at most what no call has spent or holds', async t => {
    const reverse = (orgId: string, amountMicros: number, id = `txn_${orgId}_back`) =>
      createLedger({ db, thresholdMicros: 0, commands }).reverse(db, {
        orgId,
        id,
        amountMicros,
        description: 'Taken back',
      })
    for (const { spent, held, asked, back } of [
      { spent: 0, held: 0, asked: 100, back: 100 },
      { spent: 0, held: 0, asked: 30, back: 30 },
      { spent: 25, held: 10, asked: 100, back: 65 },
      { spent: 100, held: 0, asked: 100, back: 0 },
      { spent: 130, held: 0, asked: 100, back: 0 },
    ]) {
      const { orgId, hold, ledger, wallet, taken, whole } = await payer(db)
      if (spent > 0) await ledger.capture(db, await hold(1), spent)
      if (held > 0) await hold(held)
      t.equal(await reverse(orgId, asked), back, `${asked} after ${spent} and ${held}`)
      t.same(await wallet(), { balance: 100 - spent - back, held })
      const reversals = (await taken()).filter(line => line.startsWith('reversal'))
      t.same(reversals, back === 0 ? [] : [`reversal wallet -${back}`, `reversal funding ${back}`])
      t.same(await whole(), [])
    }
    t.same(
      (await auditLedger(db)).differences.filter(({ kind }) => kind !== 'wallet_missing'),
      [],
    )
    t.equal(await reverse(await addOrganization(db, { wallet: false }), 1), 0)
  })

  await t.test('of several refusals the first one is thrown, and nothing changes', async t => {
    const order = ['org_suspended', 'payment_required', 'key_spend_limit_exceeded', 'insufficient_balance'] as const
    const { orgId, hold } = await payer(db)
    const owing = createLedger({ db, thresholdMicros: 101, commands })
    const free = createLedger({ db, thresholdMicros: 100, commands })
    for (let mask = 1; mask < 16; mask++) {
      const [suspended, below, capped, short] = order.map((_, bit) => (mask & (1 << bit)) !== 0)
      await suspend(db, orgId, suspended === true)
      await setCap(db, orgId, 'one', capped === true ? 0 : 1)
      const before = await everything(db)
      const code = order.find((_, bit) => (mask & (1 << bit)) !== 0)
      await t.rejects(hold(short ? 101 : 100, 'one', below ? owing : free), { code }, `${mask}: ${code}`)
      t.equal(await everything(db), before)
    }
    await suspend(db, orgId, false)
    await setCap(db, orgId, 'one', 1)
    await hold(100, 'one', free)
  })

  await t.test('without a wallet the balance is zero', async t => {
    const orgId = await addOrganization(db, { wallet: false })
    const hold = { orgId, id: `hld_${orgId}`, userId: `usr_${orgId}`, keyId: null, tool: 'a__b', amountMicros: 1 }
    await t.rejects(createLedger({ db, thresholdMicros: 0, commands }).hold(hold), { code: 'insufficient_balance' })
    await t.rejects(createLedger({ db, thresholdMicros: 1, commands }).hold(hold), { code: 'payment_required' })
  })

  await t.test('a key is rejected when its spent and held amounts reach its cap', async t => {
    const { orgId, hold, ledger, credit } = await payer(db)
    const reached = { code: 'key_spend_limit_exceeded' }
    await setCap(db, orgId, 'one', 0)
    await t.rejects(hold(1, 'one'), reached, 'a cap of zero')
    await setCap(db, orgId, 'one', 10)
    const first = await hold(9, 'one')
    const second = await hold(50, 'one')
    await t.rejects(hold(1, 'one'), reached, 'what is held counts')
    await ledger.release(db, second)
    await ledger.capture(db, first, 30)
    await t.rejects(hold(1, 'one'), reached, 'a call that began below ended above')
    await hold(1, 'two')
    await hold(1)
    await credit(1_000)
    await t.rejects(hold(1, 'one'), reached, 'a top-up lifts no cap')
    await setCap(db, orgId, 'one', 31)
    await hold(1, 'one')
    await t.rejects(hold(1, 'one'), reached)
    await setCap(db, orgId, 'one', null)
    await hold(1, 'one')
  })

  await t.test('each month starts at zero, and a capture counts in the month of its hold', async t => {
    await db.connection().execute(async db => {
      const { orgId, hold, ledger, months, whole } = await payer(db)
      await setCap(db, orgId, 'one', 10)
      await setMonth(db, 0)
      const late = await hold(10, 'one')
      await t.rejects(hold(1, 'one'), { code: 'key_spend_limit_exceeded' })
      await setMonth(db, 1)
      await hold(9, 'one')
      await ledger.capture(db, late, 12)
      await hold(1, 'one')
      t.same(await months(), ['2026-01-01 12 0', '2026-02-01 0 10'])
      t.same(await whole(), [])
      await sql`select set_config('test.month', '', false)`.execute(db)
    })
  })

  await t.test('a hold is settled once, only by its own organization', async t => {
    const { orgId, hold, ledger, whole } = await payer(db)
    const other = await payer(db)
    const holds = { captured: await hold(10), released: await hold(10), expired: await hold(10) }
    await ledger.capture(db, holds.captured, 3)
    await ledger.release(db, holds.released)
    await due(db, holds.expired)
    await expired(db, orgId)
    const before = await everything(db)
    for (const [state, name] of Object.entries(holds)) {
      await t.rejects(ledger.capture(db, name, 5), new HoldSettled(state as keyof typeof holds))
      await t.rejects(ledger.release(db, name), { name: 'HoldSettled', state })
    }
    for (const name of [
      { orgId, id: 'hld_never' },
      { ...(await other.hold(1)), orgId },
    ]) {
      await t.rejects(ledger.capture(db, name, 1), HoldUnknown)
      await t.rejects(ledger.release(db, name), HoldUnknown)
    }
    await other.ledger.release(db, { orgId: other.orgId, id: `hld_${other.orgId}_2` })
    t.equal((await everything(db)).match(/^ledger_.*$/gm)?.join(), before.match(/^ledger_.*$/gm)?.join())
    t.same(await whole(), [])
  })

  await t.test('a settlement is rolled back with its transaction', async t => {
    const { hold, ledger, whole } = await payer(db)
    const name = await hold(10, 'one')
    const before = await everything(db)
    const failing = db.transaction().execute(async trx => {
      await ledger.capture(trx, name, 20)
      throw new Error('the result could not be stored')
    })
    await t.rejects(failing, { message: 'the result could not be stored' })
    t.equal(await everything(db), before)
    await ledger.capture(db, name, 20)
    t.same(await whole(), [])
  })

  await t.test('expired holds are released, each with a reconciliation row', async t => {
    const { orgId, hold, wallet, months, whole } = await payer(db)
    const names = [await hold(10, 'one'), await hold(20, 'one'), await hold(30)]
    await hold(40)
    for (const name of names) await due(db, name)
    t.equal((await expired(db, orgId, 2)).length, 2, 'so many at a time')
    t.equal((await expired(db, orgId)).length, 1)
    t.same(await expired(db, orgId), [], 'the others have time')
    t.same(await wallet(), { balance: 100, held: 40 })
    t.match((await months())[0], / 0 0$/)
    const { rows } = await sql`select hold_id, reason, key_id, tool, held_micros, cost_micros from reconciliations
      where org_id = ${orgId} order by held_micros`.execute(db)
    const row = { reason: 'expired', tool: 'a__b', cost_micros: null }
    t.same(rows, [
      { hold_id: names[0]?.id, key_id: keyId(orgId, 'one'), held_micros: 10, ...row },
      { hold_id: names[1]?.id, key_id: keyId(orgId, 'one'), held_micros: 20, ...row },
      { hold_id: names[2]?.id, key_id: null, held_micros: 30, ...row },
    ])
    t.same(await whole(), [])
  })

  await t.test('a hold is rejected if its organization is suspended while the hold waits', onPostgres, async t => {
    const db = await patientLedger(t)
    const { orgId, hold, whole } = await payer(db)
    const waiting = await db.transaction().execute(async trx => {
      await sql`select from wallets where org_id = ${orgId} for update`.execute(trx)
      const held = refusal(hold(10))
      await until(() => isWaitedFor(trx))
      await suspend(db, orgId, true)
      return { held }
    })
    t.equal(await waiting.held, 'org_suspended')
    t.same(await whole(true), [])
  })

  await t.test(
    'two concurrent expiry jobs neither wait for each other nor expire the same holds',
    onPostgres,
    async t => {
      const [one, two] = [await payer(db), await payer(db)]
      const [first, second] = [await one.hold(10, 'one'), await two.hold(10, 'one')]
      await due(db, first)
      await db.transaction().execute(async slow => {
        t.same(await expired(slow, one.orgId), [first.id])
        await due(db, second)
        await db.transaction().execute(async quick => {
          await sql`set local lock_timeout = '50ms'`.execute(quick)
          t.same(await expired(quick, one.orgId), [])
          t.same(await expired(quick, two.orgId), [second.id])
        })
      })
      t.same([...(await one.whole()), ...(await two.whole())], [])
    },
  )

  await t.test('postings and entries can only be added', async t => {
    await payer(db)
    const before = await everything(db)
    const statements = ['ledger_postings', 'ledger_entries'].flatMap(table => [
      `update ${table} set org_id = org_id`,
      `delete from ${table}`,
      `delete from ${table} where false`,
      `truncate ${table} cascade`,
    ])
    for (const statement of statements) t.equal(await refusal(sql.raw(statement).execute(db)), '42501', statement)
    t.equal(await everything(db), before)
  })

  await t.test('entries that do not sum to zero or have no posting are rejected', async t => {
    const [{ orgId }, other] = [await payer(db), await payer(db)]
    const posting = `txn_${orgId}_x`
    await sql`insert into ledger_postings (org_id, id, kind, description) values (${orgId}, ${posting}, 'credit', '')`.execute(
      db,
    )
    const before = await everything(db)
    const add = (id: string, ...entries: [string, number][]) => addOf(orgId, id, ...entries)
    const addOf = (orgId: string, id: string, ...entries: [string, number][]) =>
      refusal(
        sql`insert into ledger_entries (org_id, posting_id, account, amount_micros) values ${sql.join(
          entries.map(([account, amount]) => sql`(${orgId}, ${id}, ${account}, ${amount})`),
        )}`.execute(db),
      )
    t.equal(await add(posting, ['wallet', 5]), '23514', 'one alone')
    t.equal(await add(posting, ['wallet', 5], ['funding', -4]), '23514')
    t.equal(await add(posting, ['wallet', 0], ['funding', 0]), '23514', 'of nothing')
    t.equal(await add(posting, ['wallet', 5], ['somewhere', -5]), '23514')
    t.equal(await add('txn_none', ['wallet', 5], ['funding', -5]), '23503')
    t.equal(await addOf(other.orgId, posting, ['wallet', 5], ['funding', -5]), '23503', 'another’s posting')
    t.equal(await everything(db), before)
  })

  await t.test('a credit beyond the maximum balance is rejected by the name of its amount', async t => {
    const { credit, wallet, whole } = await payer(db, { credit: 0 })
    for (let i = 0; i < 9; i++) await credit(MOST_MICROS)
    const full = await wallet()
    await t.rejects(credit(MOST_MICROS), { code: 'invalid_request', message: /^amount_micros is too large/ })
    t.same(await wallet(), full)
    t.equal(await credit(1), 9 * MOST_MICROS + 1)
    t.same(await whole(), [])
  })

  await t.test('invalid amounts are rejected before the database and by it, and nothing changes', async t => {
    const { hold, ledger, orgId, credit } = await payer(db)
    const reverse = (amountMicros: number) =>
      ledger.reverse(db, { orgId, id: 'txn_x', amountMicros, description: 'Taken back' })
    const name = await hold(10, 'one')
    const before = await everything(db)
    for (const value of NO_COSTS as number[]) {
      const shown = `${typeof value} ${value}`
      await t.rejects(ledger.capture(db, name, value), { name: 'TypeError', message: /^Invalid cost: / }, shown)
    }
    for (const value of [0, ...NO_COSTS] as number[]) {
      const shown = `${typeof value} ${value}`
      await t.rejects(hold(value), { name: 'TypeError', message: /^Invalid hold amount: / }, shown)
      await t.rejects(credit(value), { name: 'TypeError', message: /^Invalid credit amount: / }, shown)
      await t.rejects(reverse(value), { name: 'TypeError', message: /^Invalid reversal amount: / }, shown)
    }
    const texts = ['-1', '0.5', '1e3', '9007199254740993', '9223372036854775808', 'NaN', 'Infinity', 'text', '', null]
    for (const text of ['0', ...texts]) {
      const amount = sql`${text}::text::bigint`
      const refused = /^(GW007|22P02|22003|23514)$/
      const say = (call: ReturnType<typeof sql>) => refusal(sql`select ${call}`.execute(db))
      t.match(await say(sql`gateway_credit(${orgId}, 'txn_x', ${amount}, '')`), refused, `credit ${text}`)
      // A reversal takes what there is of any amount.
      if (text !== '9007199254740993')
        t.match(await say(sql`gateway_reverse(${orgId}, 'txn_x', ${amount}, '')`), refused, `reversal ${text}`)
      t.match(
        await say(
          sql`gateway_hold(${orgId}, 'hld_x', 'usr_x', ${keyId(orgId, 'one')}, 'a__b', ${amount}, 0, '1 hour')`,
        ),
        refused,
        `hold ${text}`,
      )
      if (text !== '0')
        t.match(await say(sql`gateway_capture(${orgId}, ${name.id}, ${amount})`), refused, `cost ${text}`)
    }
    t.equal(await everything(db), before)
  })

  await t.test('each invariant can fail, and the failure names it', async t => {
    t.same(Object.keys(breaches).sort(), [...ALL_INVARIANTS].sort())
    const { orgId, ledger, hold, whole } = await payer(db, { credit: 1_000 })
    await ledger.capture(db, await hold(40, 'one'), 50)
    await ledger.release(db, await hold(40, 'one'))
    await due(db, await hold(40, 'one'))
    await expired(db, orgId)
    await hold(40, 'one')
    await suspend(db, orgId, true)
    t.same(await whole(true), [])
    for (const [invariant, statements] of Object.entries(breaches)) {
      for (const breach of statements) {
        const trx = await db.startTransaction().execute()
        await sql`set local session_replication_role = replica`.execute(trx)
        for (const statement of breach.replaceAll('$org', orgId).split(';')) await sql.raw(statement).execute(trx)
        const found = await brokenInvariants(trx, { orgId, suspended: true })
        await trx.rollback().execute()
        t.same(found, [invariant], breach)
      }
    }
    t.same(await whole(true), [])
  })

  await t.test('random commands match the model and keep every invariant', async () => {
    await runSequentially(db, isSampled ? { runs: 80, lanes: 1 } : { runs: 500, lanes: 4 })
  })

  await t.test('concurrent random commands keep every invariant', onPostgres, async () => {
    await runConcurrently(db, { runs: isSampled ? 100 : 500, lanes: 3 })
  })

  await t.test('what waits for the month of a key has not locked the wallet', onPostgres, async t => {
    await checkLockOrder(await patientLedger(t))
  })

  await t.test('holds, settlements, expiry and standing do not block each other', onPostgres, async t => {
    t.same(await runUnderContention(db, { calls: 400 }), { calls: 400, broken: [], differences: [] })
  })
})

t.test('the role of the service moves money but cannot change postings', onPostgres, async t => {
  const db = await ownedDatabase(t, testDatabaseUrl ?? '')
  await installInvariants(db)
  const { orgId, ledger, hold, wallet, whole } = await payer(db)
  await ledger.capture(db, await hold(40, 'one'), 50)
  await ledger.release(db, await hold(10))
  await due(db, await hold(5, 'one'))
  t.equal((await expired(db, orgId)).length, 1)
  t.same(await wallet(), { balance: 50, held: 0 })
  t.same(await whole(), [])

  for (const table of ['ledger_postings', 'ledger_entries']) {
    const { rows } = await sql<{ name: string }>`
      select name from unnest(array['select', 'insert', 'update', 'delete', 'truncate']) as name
      where has_table_privilege(${table}, name)`.execute(db)
    const rights = rows.map(({ name }) => name)
    t.same(rights, ['select', 'insert'], table)
    for (const statement of [`update ${table} set org_id = ''`, `delete from ${table}`, `truncate ${table}`]) {
      await t.rejects(sql.raw(statement).execute(db), {
        code: '42501',
        message: `permission denied for table ${table}`,
      })
    }
  }
})

t.test('amounts are integers of micro-dollars above zero, and costs may be zero', async t => {
  for (const value of [1, DOLLAR, MOST_MICROS]) t.ok(isMicros(value) && isCost(value), `${value}`)
  t.ok(isCost(0))
  for (const value of NO_COSTS) t.notOk(isMicros(value) || isCost(value), `${typeof value} ${value}`)
  t.notOk(isMicros(0))
})

t.test('dollars are parsed exactly, to the micro-dollar', t => {
  const read = { '5': 5 * DOLLAR, '0.25': 250_000, '0.000001': 1, '1000000000': MOST_MICROS, '007': 7 * DOLLAR, '0': 0 }
  for (const [text, micros] of Object.entries(read)) t.equal(microsOfDollars(text), micros, text)
  const none = ['', '.5', '5.', '-1', '+1', '1e3', '0.0000001', '1000000000.000001', '1,000', '$5', ' 5', '5\n', 'NaN']
  for (const text of none) t.equal(microsOfDollars(text), undefined, JSON.stringify(text))

  const written = { 0: '$0.00', 1: '$0.000001', [5 * DOLLAR]: '$5.00', 1230000: '$1.23', 1234500: '$1.2345' }
  for (const [micros, text] of Object.entries(written)) t.equal(dollars(Number(micros)), text)
  t.equal(dollars(-1), '-$0.000001')
  const some = fc.oneof(fc.integer({ min: 0, max: MOST_MICROS }), fc.integer({ min: 0, max: 20 * DOLLAR }))
  fc.assert(
    fc.property(some, micros => {
      const text = dollars(micros)
      return microsOfDollars(text.slice(1)) === micros && (micros === 0 || dollars(-micros) === `-${text}`)
    }),
  )
  t.end()
})
