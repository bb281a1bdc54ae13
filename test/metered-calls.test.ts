import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import type { QueryEvent } from '../lib/database/open-database.ts'
import { acrossOrgs } from '../lib/database/tenant.ts'
import { defineTool } from '../services/definitions/define-tool.ts'
import type { Settings } from '../services/settings/settings.ts'
import { build } from './fixtures/build.ts'
import { newsHeard, testDatabase } from './fixtures/database.ts'
import { callerOfApp } from './fixtures/journey-fixture.ts'
import { meteredProcess, moneyOf, payingOrganization } from './fixtures/metered-fixture.ts'
import { runMachine } from './fixtures/metered-machine.ts'
import { type MeteredProvider, meteredTools, PRICES, type Work } from './fixtures/metered-tools.ts'
import { isSampled } from './fixtures/sample.ts'
import { until } from './fixtures/until.ts'
import { ledgerDatabase, suspend } from './ledger/ledger-fixture.ts'

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
const fine = { content: [{ type: 'text' as const, text: 'here' }] }

/** Tools without a price, and one with a price and a gate. */
const others = [
  defineTool({
    name: 'test__free',
    title: 'Free',
    description: 'Costs nothing.',
    annotations,
    input: Type.Object({}, { additionalProperties: false }),
    run: async () => fine,
  }),
  defineTool({
    name: 'test__gated',
    title: 'Gated',
    description: 'Has a price and accepts no API keys.',
    annotations,
    gate: 'session',
    input: Type.Object({}, { additionalProperties: false }),
    price: { estimate: () => 1_000 },
    run: async () => fine,
  }),
]

/** The whole app with the metered tools, and the holder of a key to it. */
async function startGateway(t: Test, settings: Partial<Settings> = {}) {
  const provider = { runs: 0, work: (async () => ({})) as MeteredProvider['work'] }
  const family = meteredTools({
    work(name, context) {
      provider.runs++
      return provider.work(name, context)
    },
  })
  // One call can spend the whole wallet.
  const built = await build(t, {
    families: [...family, ...others],
    settings: { overageLimitFactor: 1_000, ...settings },
  })
  const { db } = built.services.database
  const member = await (await built.directory.org()).member('owner')
  const { id: keyId, key } = await member.key()
  await newsHeard(built.services.database)
  const money = () => moneyOf(db, member.orgId)
  const headers = { 'x-api-key': key }
  const { call } = callerOfApp(built, headers)
  return {
    ...built,
    db,
    provider,
    headers,
    orgId: member.orgId,
    keyId,
    money,
    call,
    /** Sets the balance of the wallet. */
    async leave(micros: number) {
      const { balance } = await money()
      provider.work = async () => ({ cost: balance - micros })
      t.equal((await call('test__afterwards')).outcome, 'ok')
      t.equal((await money()).balance, micros)
      provider.work = async () => ({})
    },
    async usage() {
      await built.services.usage.flush()
      const rows = acrossOrgs(db)
        .selectFrom('usage')
        .where('org_id', '=', member.orgId)
        .orderBy('cost_micros')
        .orderBy('outcome')
      return rows.select(['tool', 'outcome', 'cost_micros']).execute()
    },
  }
}

const WRONG = { wrong: true }

t.test('POST /mcp rejects metered calls in the documented order, as tool errors', async t => {
  const { db, provider, call, leave, orgId, keyId, money } = await startGateway(t)
  const across = acrossOrgs(db)
  const cap = (micros: number | null) =>
    across.updateTable('api_keys').set({ monthly_cap_micros: micros }).where('id', '=', keyId).execute()
  const { runs } = provider
  const before = await money()
  const free = async () =>
    t.match(await call('test__free'), { status: 200, outcome: 'ok' }, 'a tool without a price works')
  const refused = (type: string, code: string) => ({
    status: 200,
    outcome: code,
    error: { type, code, message: String },
  })

  await cap(0)
  await suspend(across, orgId, true)
  t.match(await call('test__nowhere', WRONG), { status: 200, text: 'Tool test__nowhere not found' })
  t.match(await call('test__gated', WRONG), refused('forbidden', 'jwt_session_required'))
  t.match(await call('test__fixed', WRONG), refused('forbidden', 'org_suspended'))
  await free()
  await suspend(across, orgId, false)

  t.match(await call('test__fixed', WRONG), refused('billing_error', 'key_spend_limit_exceeded'))
  await free()
  await cap(null)
  t.match(await call('test__fixed', WRONG), {
    status: 200,
    outcome: 'error',
    text: /^Input validation error/,
  })
  t.match([provider.runs, await money()], [runs, before], 'nothing ran, and nothing was held')

  await leave(1_000)
  t.match(await call('test__afterwards'), refused('billing_error', 'insufficient_balance'))
  t.match(await call('test__afterwards', WRONG), { text: /^Input validation error/ }, 'the amount is checked last')
  t.match(await call('test__fixed'), { outcome: 'ok' }, 'a covered call runs')

  const { balance } = await money()
  provider.work = async () => ({ cost: 0 })
  t.equal(balance, 0)
  t.equal((await call('test__by_argument', { units: 0 })).outcome, 'ok')
  await across.updateTable('wallets').set({ balance_micros: -1 }).where('org_id', '=', orgId).execute()
  await cap(0)
  const late = provider.runs
  t.match(await call('test__fixed', WRONG), refused('billing_error', 'payment_required'), 'before the cap of the key')
  t.match(await call('test__by_argument', { units: 0 }), refused('billing_error', 'payment_required'))
  await suspend(across, orgId, true)
  t.match(await call('test__fixed', WRONG), refused('forbidden', 'org_suspended'), 'after the suspension check')
  await free()
  t.equal(provider.runs, late)
})

t.test('a call without a price sends no queries; a metered one reads its standing, holds and captures', async t => {
  const { call, usage } = await startGateway(t)
  await call('test__free')
  await call('test__fixed')
  await usage()
  const queries: string[] = []
  const heard = (event: unknown) => {
    const { sql } = event as QueryEvent
    // Usage is written with a delay.
    if (!sql.startsWith('insert into "usage"')) queries.push(sql)
  }
  subscribe('connector-gateway:query', heard)
  t.teardown(() => unsubscribe('connector-gateway:query', heard))
  await call('test__free', {}, { 'idempotency-key': 'a key has no effect on a read without a price' })
  t.same(queries, [])
  await call('test__fixed')
  t.match(queries, [/from "organizations".*"wallets"/s, /gateway_hold/, /gateway_capture/])
  t.equal(queries.length, 3)
})

t.test('a metered call with an idempotency key runs once, costs once, and has one result', async t => {
  const { app, provider, headers, call, money, usage } = await startGateway(t)
  const { balance } = await money()
  let work = 0
  provider.work = async () => ({ cost: 700, result: { content: [{ type: 'text', text: `work ${++work}` }] } })

  const header = { 'idempotency-key': 'again' }
  const first = await call('test__afterwards', {}, header)
  t.match(first, { outcome: 'ok', text: 'work 1' }, 'also for a tool that only reads')
  t.match(await call('test__afterwards', {}, header), { outcome: 'ok', text: 'work 1' })
  const params = { name: 'test__afterwards', arguments: {}, _meta: { 'connector-gateway/idempotency-key': 'again' } }
  const response = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { ...headers, accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    payload: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }),
  })
  t.match(response.json(), { result: { content: [{ text: 'work 1' }] } }, 'in the header or in _meta')
  t.match(await money(), { balance: balance - 700, captured: 1 })

  t.match(
    await call('test__by_argument', { units: 1 }, header),
    { outcome: 'ok', text: 'work 2' },
    'each tool has its own keys',
  )
  t.match(await call('test__by_argument', { units: 2 }, header), { outcome: 'idempotency_conflict' })
  t.match(await call('test__by_argument', { units: 1 }, header), { text: 'work 2' })
  t.match(await money(), { balance: balance - 950, captured: 2, released: 0, pending: 0 })
  t.same(
    (await usage()).map(({ outcome, cost_micros }) => [outcome, cost_micros]),
    [
      ['idempotency_conflict', 0],
      ['ok', 0],
      ['ok', 0],
      ['ok', 0],
      ['ok', 250],
      ['ok', 700],
    ],
    'a repeated call costs nothing',
  )

  provider.work = () => Promise.reject(new Error('broken'))
  t.match(await call('test__fixed', {}, header), { outcome: 'internal_error' })
  provider.work = async () => ({})
  t.match(await call('test__fixed', {}, header), { outcome: 'ok' }, 'a failed call runs again')
  t.match(await money(), { balance: balance - 1_950, captured: 3, released: 1 })
})

t.test('a paid call whose stored result was dropped does not run again and costs nothing more', async t => {
  const { provider, call, money } = await startGateway(t, { resultLimits: { organization: 4_000, holder: 2_000 } })
  const { balance } = await money()
  provider.work = async () => ({ cost: 700, result: { content: [{ type: 'text', text: 'x'.repeat(900) }] } })
  const repeatable = (key: number) => call('test__afterwards', {}, { 'idempotency-key': `call ${key}` })
  for (let key = 0; key < 5; key++) t.match(await repeatable(key), { outcome: 'ok' })

  await until(async () => (await repeatable(0)).outcome === 'idempotency_conflict')
  t.match(await repeatable(0), { outcome: 'idempotency_conflict', text: /has ended\. Its result is no longer stored/ })
  t.match(await repeatable(4), { outcome: 'ok' })
  t.equal(provider.runs, 5)
  t.match(await money(), { balance: balance - 5 * 700, captured: 5, pending: 0 })
})

t.test('a payer without money left gets their paid result, unless they are suspended', async t => {
  const { provider, call, keyId, orgId, services, db } = await startGateway(t)
  const key = { 'idempotency-key': 'last' }
  await services.keys.update(keyId, { monthlyCapMicros: PRICES.fixed }, { by: 'operator' })
  t.match(await call('test__fixed', {}, key), { outcome: 'ok' })
  t.match(await call('test__fixed'), { outcome: 'key_spend_limit_exceeded' })
  t.match(await call('test__fixed', {}, key), { outcome: 'ok' })
  t.match(await call('test__fixed', {}, { 'idempotency-key': 'new' }), { outcome: 'key_spend_limit_exceeded' })
  await services.keys.update(keyId, { monthlyCapMicros: null }, { by: 'operator' })
  t.match(
    await call('test__fixed', {}, { 'idempotency-key': 'new' }),
    { outcome: 'ok' },
    'a rejected call does not use its key',
  )
  t.equal(provider.runs, 2)
  await suspend(db, orgId, true)
  t.match(await call('test__fixed', {}, key), { outcome: 'org_suspended' })
})

t.test('an invalid idempotency key is rejected, never ignored', async t => {
  const { app, provider, headers } = await startGateway(t)
  const send = async (name: string, meta: unknown, header?: string) => {
    const _meta = { 'connector-gateway/idempotency-key': meta }
    const response = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: {
        ...headers,
        ...(header !== undefined && { 'idempotency-key': header }),
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {}, _meta } }),
    })
    return response.json().result.content[0].text
  }
  for (const [meta, header] of [[7], [null], [{}], [''], ['ü'], ['x'.repeat(256)], ['one', 'another']] as const)
    t.match(await send('test__fixed', meta, header), '"code":"invalid_request"', JSON.stringify([meta, header]))
  t.equal(provider.runs, 0)
  t.equal(await send('test__fixed', 'same', 'same'), 'fixed has run')
  t.equal(await send('test__free', 7), 'here', 'a tool without keys ignores the key')
})

t.test('a client that disconnects', async t => {
  const { app, provider, headers, call, money, usage } = await startGateway(t)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const { balance } = await money()

  /** Makes a call and disconnects while the provider works. Resolves when the server has noticed. */
  async function leave(work: (signal: AbortSignal, gone: Promise<void>) => Promise<Work>, more = {}) {
    const before = (await usage()).length
    const [called, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let closed = Promise.resolve()
    provider.work = (_name, { signal }) => {
      called.resolve()
      return work(signal, left.promise)
    }
    app.server.once('request', (_request, response) => {
      closed = once(response, 'close').then(() => left.resolve())
    })
    const controller = new AbortController()
    const fetching = fetch(`${url}/mcp`, {
      method: 'POST',
      signal: controller.signal,
      headers: {
        ...headers,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...more,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'test__afterwards', arguments: {} },
      }),
    })
    await called.promise
    controller.abort()
    await t.rejects(fetching)
    await closed
    await until(async () => (await usage()).length > before)
  }

  await t.test('does not stop a metered call: the provider finishes, and what it charges is charged', async t => {
    await leave(async (signal, gone) => {
      await gone
      await new Promise(setImmediate)
      signal.throwIfAborted()
      return { cost: 300 }
    })
    t.match(await money(), { balance: balance - 300, held: 0, released: 0, captured: 1 })
    t.match((await usage()).at(-1), { tool: 'test__afterwards', outcome: 'ok', cost_micros: 300 })
  })

  await t.test('leaves a call with a key running, and gets its result later', async t => {
    const { runs } = provider
    const header = { 'idempotency-key': 'comes again' }
    await leave(async (signal, gone) => {
      await gone
      await new Promise(setImmediate)
      return { cost: 400, result: { content: [{ type: 'text', text: `aborted: ${signal.aborted}` }] } }
    }, header)
    t.match(await call('test__afterwards', {}, header), { outcome: 'ok', text: 'aborted: false' })
    t.equal(provider.runs, runs + 1)
    t.match(await money(), { balance: balance - 700, held: 0, captured: 2 })
  })
})

t.test('one key used concurrently on two processes makes one provider call, one capture, one result', async t => {
  const { db } = await testDatabase(t)
  const { orgId, one } = await payingOrganization(db, 10_000)
  let work = 0
  const family = meteredTools({
    async work() {
      const result = { content: [{ type: 'text' as const, text: `work ${++work}` }] }
      await until(async () => (await moneyOf(db, orgId)).pending === 1)
      return { cost: 100, result }
    },
  })
  const wait = () => new Promise(setImmediate)
  const processes = [0, 1].map(() => meteredProcess({ db, family, wait }))
  const calls = Array.from({ length: 12 }, (_, i) =>
    processes[i % 2]?.call(one, 'test__afterwards', {}, { key: 'same' }),
  )
  const answers = await Promise.all(calls)
  t.same(new Set(answers.map(answer => `${answer?.outcome} ${answer?.text}`)), new Set(['ok work 1']))
  t.equal(work, 1)
  t.match(await moneyOf(db, orgId), { balance: 9_900, held: 0, captured: 1, released: 0, pending: 0 })
  const costs = processes.flatMap(({ outcomes }) => outcomes.map(({ costMicros }) => costMicros))
  t.same(
    costs.sort((a, b) => a - b),
    [...Array(11).fill(0), 100],
  )
})

// The embedded database has one session, so more runs gain less.
const CROWD = isSampled ? 50 : 500
const COVERED = CROWD / 5
const AWAY = 'billing_authorization_failed'

t.test(`${CROWD} calls at the same time on a balance for ${COVERED}: exactly ${COVERED} run`, async t => {
  const { db } = await testDatabase(t)
  const { orgId, one, two } = await payingOrganization(db, COVERED * PRICES.fixed)
  let work = 0
  const all = Promise.withResolvers<void>()
  const family = meteredTools({
    async work() {
      work++
      await all.promise
      return {}
    },
  })
  const processes = [
    meteredProcess({ db, family, deadlineMs: 60_000 }),
    meteredProcess({ db, family, deadlineMs: 60_000 }),
  ]
  const outcomes: string[] = []
  const calls = Array.from({ length: CROWD }, async (_, i) => {
    let outcome = AWAY
    // On a slow machine, some calls get no connection. Nothing ran then, and they retry.
    while (outcome === AWAY)
      outcome = (await processes[i % 2]?.call(i % 3 === 0 ? one : two, 'test__fixed'))?.outcome ?? ''
    outcomes.push(outcome)
  })
  await until(() => outcomes.length === CROWD - COVERED)
  t.same(new Set(outcomes), new Set(['insufficient_balance']))
  t.match(await moneyOf(db, orgId), { balance: COVERED * PRICES.fixed, held: COVERED * PRICES.fixed, pending: COVERED })
  all.resolve()
  await Promise.all(calls)
  t.equal(work, COVERED)
  t.same(outcomes.slice(CROWD - COVERED), Array(COVERED).fill('ok'))
  t.match(await moneyOf(db, orgId), { balance: 0, held: 0, captured: COVERED, released: 0 })
})

t.test(
  'random calls on two processes keep every invariant, with credits, caps, suspensions, expiry and crashes',
  async t => {
    const db = await ledgerDatabase(t)
    await runMachine(db, isSampled ? { runs: 25, lanes: 1 } : { runs: 400, lanes: 8 })
    t.pass()
  },
)
