import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import type { JsonSchemaType } from '@modelcontextprotocol/sdk/validation'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { sql } from 'kysely'
import t from 'tap'
import { acrossOrgs } from '../../../lib/database/tenant.ts'
import { createJobs } from '../../../lib/jobs/jobs.ts'
import { DOLLAR, MOST_MICROS } from '../../../schemas/billing/money.ts'
import { holdChannel } from '../../../services/billing/ledger.ts'
import { defineHoldExpiry } from '../../../services/billing/settlements.ts'
import { openingMicros } from '../../../services/billing/wallets.ts'
import { walletBalance } from '../../../tools/manage/spending.ts'
import { testDatabase } from '../../fixtures/database.ts'
import { directory, directoryServices, testIds } from '../../fixtures/directory.ts'
import { QUIET_CLIENT, scrub, session, testClock } from '../../fixtures/fixture.ts'
import { memoryLog } from '../../fixtures/memory-log.ts'
import { commands } from '../../fixtures/operator-commands.ts'

// Made once: most of the time of a test would be that of its database.
const { db } = await testDatabase(t)
const clock = testClock()
const hand = acrossOrgs(db)
const ids = testIds(clock)

function fixture(own: { openingMicros?: number; thresholdMicros?: number } = {}) {
  const services = directoryServices(db, clock, own)
  return { ...services, directory: directory(services) }
}

const postingsOf = (orgId: string) =>
  hand.selectFrom('ledger_postings').where('org_id', '=', orgId).orderBy('id').selectAll().execute()
const creditsOf = (orgId: string) =>
  hand.selectFrom('audit').where('org_id', '=', orgId).where('action', '=', 'wallet.credit').selectAll().execute()

t.test('a credit adds to the wallet once, with a posting and an audit row, and returns the wallet', async t => {
  const { wallets, directory } = fixture()
  const [ada] = await directory.members('owner')
  const { orgId } = ada
  const { id, repeated, ...wallet } = await wallets.credit({ orgId, amountMicros: 7, description: 'Grant', by: ada })
  t.notOk(repeated)
  const answer = { balanceMicros: 7, heldMicros: 0, availableMicros: 7, thresholdMicros: 0, standing: 'active' }
  t.strictSame(wallet, answer)
  t.strictSame(await wallets.balance(orgId), answer)
  t.match(await postingsOf(orgId), [{ id, kind: 'credit', description: 'Grant' }])
  t.match(await creditsOf(orgId), [
    { target: id, user_id: ada.userId, detail: { amountMicros: 7, description: 'Grant' } },
  ])

  const [eve] = await directory.members('owner')
  for (const [unknown, by] of [['org_1', 'operator'] as const, [orgId, eve] as const])
    await t.rejects(wallets.credit({ orgId: unknown, amountMicros: 7, by }), {
      code: 'invalid_request',
      message: `There is no organization ${unknown}.`,
    })
  await t.rejects(wallets.balance('org_1'), { message: 'There is no organization org_1.' })
  t.strictSame(await wallets.balance(orgId), answer)
})

t.test('an invalid amount is rejected by its name, and nothing changes', async t => {
  const { wallets, directory } = fixture()
  const { id: orgId } = await directory.org()
  const amounts: unknown[] = [0, -1, 0.5, 2 ** 53 + 2, MOST_MICROS + 1, Number.NaN, Number.POSITIVE_INFINITY]
  for (const amount of [...amounts, '5', '1e3', null, 5n, undefined])
    await t.rejects(wallets.credit({ orgId, amountMicros: amount as number, by: 'operator' }), {
      code: 'invalid_request',
      message: /^amount_micros must be an integer/,
    })
  t.same([await postingsOf(orgId), await creditsOf(orgId)], [[], []])

  await sql`update wallets set balance_micros = 9007199254740990 where org_id = ${orgId}`.execute(hand)
  await t.rejects(wallets.credit({ orgId, amountMicros: 2, by: 'operator' }), {
    message: /^amount_micros is too large/,
  })
  t.same([await postingsOf(orgId), await creditsOf(orgId)], [[], []], 'nor by what cannot be counted')
  await sql`update wallets set balance_micros = 0 where org_id = ${orgId}`.execute(hand)
})

t.test(
  'a description with hidden characters, or too long for a line, is rejected, because it is permanent',
  async t => {
    const { wallets, directory } = fixture()
    const { id: orgId } = await directory.org()
    for (const description of ['', '  ', 'x'.repeat(201), 'two\nlines', '\u001b[2J', 'a\u202eb', '\0', '\ud800'])
      await t.rejects(wallets.credit({ orgId, amountMicros: 7, description, by: 'operator' }), {
        code: 'invalid_request',
        message: /^description must be/,
      })
    t.same(await postingsOf(orgId), [])
    await wallets.credit({ orgId, amountMicros: 7, description: 'Grüße 👋', by: 'operator' })
  },
)

t.test('a credit ends a billing hold but never a suspension', async t => {
  const { wallets, organizations, directory } = fixture({ thresholdMicros: 10 })
  const { id: orgId } = await directory.org()
  const credit = async (amountMicros: number) =>
    (await wallets.credit({ orgId, amountMicros, by: 'operator' })).standing
  t.equal(await credit(9), 'billing_hold')
  t.equal(await organizations.suspend(orgId, { by: 'operator' }), true)
  t.equal(await credit(1_000), 'suspended')
  t.equal((await wallets.balance(orgId)).balanceMicros, 1_009, 'though what was paid is there')
  t.equal(await organizations.resume(orgId, { by: 'operator' }), true)
  t.equal((await wallets.balance(orgId)).standing, 'active')
})

t.test('each new organization gets a wallet: 5 dollars in development, empty elsewhere', async t => {
  t.same((['development', 'staging', 'production'] as const).map(openingMicros), [5 * DOLLAR, 0, 0])
  const made = await fixture({ openingMicros: 5 * DOLLAR }).directory.org()
  t.match(await fixture().wallets.balance(made.id), { balanceMicros: 5 * DOLLAR, standing: 'active' })
  const [posting] = await postingsOf(made.id)
  t.match(posting, { kind: 'credit', description: 'Credit to try tools with' })
  t.match(await creditsOf(made.id), [{ target: posting?.id, user_id: null, detail: { amountMicros: 5 * DOLLAR } }])

  const empty = await fixture().directory.org()
  t.match(await hand.selectFrom('wallets').where('org_id', '=', empty.id).selectAll().execute(), [
    { balance_micros: 0, held_micros: 0 },
  ])
  t.same([await postingsOf(empty.id), await creditsOf(empty.id)], [[], []])

  const audit = {
    async record(_org: unknown, entries: object) {
      if ('action' in entries && entries.action === 'wallet.credit') throw new Error('no audit')
    },
  }
  const count = () => hand.selectFrom('organizations').select('id').execute()
  const before = await count()
  const failing = directoryServices(db, clock, { audit, openingMicros: 1 }).organizations
  await t.rejects(failing.create({ name: 'Half', by: 'operator' }), /no audit/)
  t.same(await count(), before, 'an organization whose wallet cannot be made is not made')
})

t.test('the latest postings of a wallet are listed newest first, with their amounts', async t => {
  const { wallets, ledger, directory, listPostings } = fixture()
  const [ada] = await directory.members('member')
  const { orgId, userId } = ada
  const { id: keyId } = await ada.key()
  const credit = await wallets.credit({ orgId, amountMicros: 10, by: 'operator' })
  const holdId = ids('hld')
  await ledger.hold({ orgId, id: holdId, userId, keyId, tool: 'test__fixed', amountMicros: 7 })
  await ledger.capture(db, { orgId, id: holdId }, 9)
  const list = await listPostings({ orgId, limit: 20 })
  t.match(list, [
    { kind: 'overage', amountMicros: -2, description: 'test__fixed', keyId, holdId },
    { kind: 'capture', amountMicros: -7, at: Date },
    { id: credit.id, kind: 'credit', amountMicros: 10, description: 'Credit', keyId: null, holdId: null },
  ])
  t.strictSame(await listPostings({ orgId, limit: 2 }), list.slice(0, 2))
  t.same(await listPostings({ orgId: (await directory.org()).id, limit: 20 }), [])
  await t.rejects(listPostings({ orgId: 'org_1', limit: 20 }), { message: 'There is no organization org_1.' })
})

t.test('holds that are not settled in time are released, published and reconciled, each once', async t => {
  const { wallets, ledger, directory, auditLedger, listReconciliations } = fixture()
  const [ada] = await directory.members('member')
  const { orgId, userId } = ada
  const key = await ada.key()
  await wallets.credit({ orgId, amountMicros: 100_000, by: 'operator' })
  const hold = async (keyId: string | null) => {
    const id = ids('hld')
    await ledger.hold({ orgId, id, userId, keyId, tool: 'test__fixed', amountMicros: 7 })
    return id
  }
  const kept = await hold(key.id)
  const due = [await hold(key.id), await hold(null)]
  // More than are expired by one statement.
  await sql`insert into holds (org_id, id, user_id, tool, month, amount_micros, expires_at)
    select ${orgId}, 'hld_many_' || n, ${userId}, 'test__many', gateway_month(), 1, now()
    from generate_series(1, 500) as n`.execute(hand)
  await sql`update wallets set held_micros = held_micros + 500 where org_id = ${orgId}`.execute(hand)
  await sql`update holds set expires_at = now() where id = any(${due})`.execute(hand)

  const events: unknown[] = []
  const listen = (event: unknown) => void events.push(event)
  subscribe(holdChannel.name, listen)
  t.teardown(() => unsubscribe(holdChannel.name, listen))
  const { log, lines } = memoryLog()
  const jobs = createJobs({ db, clock, ids, log, scrub, owner: 'test' })
  defineHoldExpiry(jobs, { db })
  await jobs.runDue()

  t.match(await wallets.balance(orgId), { balanceMicros: 100_000, heldMicros: 7 }, 'one is not due yet')
  const states = await hand
    .selectFrom('holds')
    .where('id', 'in', [kept, ...due])
    .orderBy('id')
    .select('state')
    .execute()
  t.same(states.map(({ state }) => state).sort(), ['expired', 'expired', 'pending'])
  const reconciled = await hand.selectFrom('reconciliations').where('org_id', '=', orgId).selectAll().execute()
  t.equal(reconciled.length, 502)
  t.match(
    reconciled.find(({ hold_id }) => hold_id === due[0]),
    { reason: 'expired', key_id: key.id, tool: 'test__fixed', held_micros: 7, cost_micros: null },
  )
  t.match(await listReconciliations({ orgId, limit: 1_000 }), { length: 502 })
  const [last] = await listReconciliations({ orgId, limit: 1 })
  t.match(last, { orgId, reason: 'expired', tool: /^test__/, heldMicros: Number, costMicros: null, at: Date })
  t.match(await listReconciliations({ orgId: undefined, limit: 2 }), { length: 2 }, 'of all organizations')
  t.same(await listReconciliations({ orgId: (await directory.org()).id, limit: 2 }), [], 'of no other one')
  t.equal(events.length, 502)
  const told = events.find(event => (event as { holdId: string }).holdId === due[0])
  t.strictSame(told, { orgId, holdId: due[0], tool: 'test__fixed', amountMicros: 7, state: 'expired', costMicros: 0 })
  const warnings = lines.map(line => JSON.parse(line)).filter(({ msg }) => /holds have expired/.test(msg))
  t.same(
    warnings.map(({ level, count }) => [level, count]),
    [
      [40, 500],
      [40, 2],
    ],
  )
  const logged = warnings.flatMap(({ holds }) => holds)
  t.match(
    logged.find(({ holdId }) => holdId === due[0]),
    { tool: 'test__fixed', amountMicros: 7 },
  )
  t.ok(warnings.every(line => line.orgId === orgId))

  clock.advance(60_000)
  t.equal(await jobs.runDue(), 1, 'every minute')
  t.equal(events.length, 502)
  t.same((await auditLedger()).differences, [])
})

t.test('expired holds of one organization that cannot be released do not block others', async t => {
  const { wallets, ledger, directory } = fixture()
  const holders = await Promise.all(['first', 'second'].map(() => directory.org()))
  for (const { id: orgId } of holders) {
    await wallets.credit({ orgId, amountMicros: 100, by: 'operator' })
    await ledger.hold({ orgId, id: ids('hld'), userId: 'usr_1', keyId: null, tool: 'test__fixed', amountMicros: 7 })
    await sql`update holds set expires_at = now() where org_id = ${orgId}`.execute(db)
  }
  const [broken, sound] = holders.map(({ id }) => id).sort() as [string, string]
  await sql`update wallets set held_micros = 0 where org_id = ${broken}`.execute(db)
  const { log, lines } = memoryLog()
  const jobs = createJobs({ db, clock, ids, log, scrub, owner: 'test' })
  defineHoldExpiry(jobs, { db })
  clock.advance(60_000)
  await jobs.runDue()
  t.match(await wallets.balance(sound), { heldMicros: 0 })
  const states = await hand.selectFrom('holds').where('org_id', '=', broken).select('state').execute()
  t.same(states, [{ state: 'pending' }])
  t.match(
    lines.map(line => JSON.parse(line)),
    [
      { level: 50, orgId: broken },
      { level: 40, orgId: sound, count: 1 },
    ],
  )
})

t.test('manage__wallet_balance shows members the wallet, and what to do if metered tools do not run', async t => {
  const { wallets, ledger, organizations, directory } = fixture({ thresholdMicros: 2 * DOLLAR })
  const [ada] = await directory.members('member')
  const { orgId, userId, caller } = ada
  const tool = walletBalance(wallets, commands)
  t.match(tool, { gate: 'session', readOnly: true, organization: 'required' })
  t.equal(tool.refuse({ org: 'org_1' }), 'Unknown argument `org`.')
  const check = new AjvJsonSchemaValidator().getValidator(tool.entry.outputSchema as JsonSchemaType)
  async function call() {
    const { signal } = new AbortController()
    const context = { caller, identity: session({ userId }), origin: '', client: QUIET_CLIENT, signal, reportCost() {} }
    const result = await tool.run({}, { ...context, account: undefined, idempotencyDigest: undefined })
    const { structuredContent } = CallToolResultSchema.parse(result)
    t.match(check(structuredContent), { valid: true })
    return structuredContent
  }

  t.match(await call(), {
    standing: 'billing_hold',
    balance_micros: 0,
    threshold_micros: 2_000_000,
    next_step: /below its billing threshold.* Ask the operator to run: .* wallet credit --org org_\w+ --usd AMOUNT$/,
  })
  await wallets.credit({ orgId, amountMicros: 5 * DOLLAR, by: 'operator' })
  await ledger.hold({ orgId, id: ids('hld'), userId, keyId: null, tool: 'test__fixed', amountMicros: 1 })
  t.strictSame(await call(), {
    standing: 'active',
    balance_micros: 5_000_000,
    held_micros: 1,
    available_micros: 4_999_999,
    threshold_micros: 2_000_000,
    balance: '$5.00',
    held: '$0.000001',
    available: '$4.999999',
  })
  await organizations.suspend(orgId, { by: 'operator' })
  t.match(await call(), {
    standing: 'suspended',
    next_step: /Adding balance does not end the suspension. .* org resume org_\w+$/,
  })
})
