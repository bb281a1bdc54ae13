import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openDatabase } from '../../lib/database/open-database.ts'
import type { Ledger } from '../../services/billing/ledger.ts'
import { silent, testDatabaseUrl, testPostgres } from '../fixtures/database.ts'
import { type FaultProxy, faultProxy } from '../fixtures/fault-proxy.ts'
import { meteredProcess, moneyOf, type ProcessOptions, payingOrganization } from '../fixtures/metered-fixture.ts'
import { meteredTools, type Work } from '../fixtures/metered-tools.ts'
import { eventually } from '../fixtures/until.ts'
import { brokenInvariants, installInvariants } from '../ledger/invariants.ts'

const server = testDatabaseUrl ?? ''
const onPostgres = { skip: testDatabaseUrl === undefined && 'needs TEST_DATABASE_URL' }
const WALLET = 1_000_000

/** A metering process with its database behind a proxy. `direct` reaches the same database without the proxy. */
async function fixture(t: Test, options: Partial<ProcessOptions> = {}) {
  const url = await testPostgres(t, server)
  const proxy = await faultProxy(t, url)
  const { db } = await opened(t, proxy.url, 10)
  const { db: direct } = await opened(t, url, 3)
  await installInvariants(direct)
  const provider = { runs: 0, work: async (): Promise<Work> => ({ cost: 700 }) }
  const family = meteredTools({
    work() {
      provider.runs++
      return provider.work()
    },
  })
  const payer = await payingOrganization(direct, WALLET)
  // Registered last, so it runs first: the connections can only close through a healed proxy.
  t.teardown(async () => {
    await proxy.heal()
    proxy.reset()
  })
  const { call, metering, outcomes, lines } = meteredProcess({
    db,
    family,
    clock: { now: Date.now },
    deadlineMs: 30_000,
    ...options,
  })
  return {
    proxy,
    direct,
    provider,
    ...payer,
    outcomes,
    lines,
    metering,
    money: () => moneyOf(direct, payer.orgId),
    sound: () => brokenInvariants(direct, { orgId: payer.orgId, suspended: false }),
    async call(key?: string) {
      const started = performance.now()
      const answer = await call(payer.one, 'test__afterwards', {}, key === undefined ? {} : { key })
      return { ...answer, ms: performance.now() - started }
    },
  }
}

async function opened(t: Test, url: string, maxConnections: number) {
  const database = await openDatabase({ postgres: { url, directUrl: url, maxConnections }, dataDir: '', log: silent })
  t.teardown(() => database.close())
  return database
}

/** The ways in which PostgreSQL can be unavailable. */
const AWAY: Record<string, (proxy: FaultProxy) => Promise<void> | void> = {
  'refusing connections': proxy => proxy.down(),
  'answering nothing': proxy => proxy.blackhole(),
  'slower than every time limit': proxy => proxy.latency(6_000),
}
const REFUSED = { outcome: 'billing_authorization_failed', text: /"type":"api_error"/ }

/** Repeats the check until it holds. */
async function settles(check: () => Promise<boolean>): Promise<void> {
  await eventually(async () => {
    if (!(await check())) throw new Error('not yet')
  })
}

t.test(
  'PostgreSQL is down, a metered tool: the call is rejected, nothing runs, and nothing is held',
  onPostgres,
  async t => {
    for (const [how, fault] of Object.entries(AWAY)) {
      const { proxy, provider, call, money } = await fixture(t)
      t.match(await call(), { outcome: 'ok' })
      await fault(proxy)
      const refused = await call()
      t.match(refused, REFUSED, how)
      t.ok(refused.ms < 2_500, `${how}: ${Math.round(refused.ms)} ms`)
      await proxy.heal()
      await settles(async () => (await call()).outcome === 'ok')
      t.equal(provider.runs, 2)
      t.match(await money(), { balance: WALLET - 1_400, held: 0, captured: 2, pending: 0 })
    }
  },
)

t.test(
  'PostgreSQL fails while a hold is created, before or after its answer: no uncharged run and no remaining hold',
  onPostgres,
  async t => {
    for (const [how, fault] of Object.entries(AWAY))
      for (const pauseMs of [0, 1, 3]) {
        let away: (() => Promise<void> | void) | undefined
        const over = (ledger: Ledger): Ledger => ({
          ...ledger,
          async hold(hold) {
            const made = ledger.hold(hold)
            made.catch(() => {})
            if (pauseMs > 0) await delay(pauseMs)
            await away?.()
            return made
          },
        })
        const { proxy, provider, call, money } = await fixture(t, { over })
        await call()
        away = async () => {
          away = undefined
          await fault(proxy)
        }
        const calling = call()
        // Longer than the time limit of a query.
        await Promise.race([calling, delay(5_500)])
        await proxy.heal()
        const { outcome } = await calling
        t.match(outcome, /^(ok|billing_authorization_failed)$/, `${how} after ${pauseMs} ms: ${outcome}`)
        await settles(async () => (await money()).pending === 0)
        // The server now reads the queries that the proxy held back.
        await delay(300)
        const { captured, released, held, pending } = await money()
        t.same([captured, held, pending], [provider.runs, 0, 0])
        t.comment(`${how} after ${pauseMs} ms: ${outcome}, ${released} released`)
      }
  },
)

t.test(
  'PostgreSQL goes down while a metered tool runs: the answer comes within 1.5 s, and the cost is charged once later',
  onPostgres,
  async t => {
    for (const [how, fault] of Object.entries(AWAY)) {
      const { proxy, provider, call, money, sound } = await fixture(t)
      await call()
      const atOnce = 6
      const all = Promise.withResolvers<void>()
      let working = 0
      provider.work = async () => {
        if (++working === atOnce) {
          await fault(proxy)
          all.resolve()
        }
        await all.promise
        return { cost: 700 }
      }
      const failed = all.promise.then(() => performance.now())
      const answers = await Promise.all([call(), call('a'), call(), call('b'), call(), call('c')])
      const took = performance.now() - (await failed)
      t.same(new Set(answers.map(({ outcome }) => outcome)), new Set(['ok']), how)
      t.ok(took < 1_900, `${how}: answered ${Math.round(took)} ms after the fault`)
      t.match(await money(), { captured: 1, pending: atOnce })
      await proxy.heal()
      await settles(async () => (await money()).pending === 0)
      t.match(await money(), { balance: WALLET - 700 * (1 + atOnce), held: 0, captured: 1 + atOnce, released: 0 })
      provider.work = async () => ({})
      const { runs } = provider
      await settles(async () => (await call('a')).outcome === 'ok')
      t.equal(provider.runs, runs, 'a repeated key gets the stored answer')
      t.same(await sound(), [])
    }
  },
)

t.test(
  'PostgreSQL is cut off between a capture and its commit: the cost is charged once, and the wallet is soon unlocked',
  onPostgres,
  async t => {
    let cut: (() => void) | undefined
    const over = (ledger: Ledger): Ledger => ({
      ...ledger,
      async capture(...capture) {
        await ledger.capture(...capture)
        cut?.()
        cut = undefined
      },
    })
    const { proxy, call, money, sound } = await fixture(t, { over })
    await call()
    cut = () => proxy.blackhole()
    const calling = call('a')
    await delay(1_000)
    await proxy.heal()
    t.match(await calling, { outcome: 'ok' })
    const started = performance.now()
    await settles(async () => (await money()).captured === 2)
    await eventually(async () => t.equal((await call()).outcome, 'ok') || Promise.reject(new Error('still locked')))
    t.comment(`unlocked after ${Math.round(performance.now() - started)} ms`)
    t.match(await money(), { balance: WALLET - 2_100, held: 0, captured: 3, released: 0, pending: 0 })
    t.same(await sound(), [])
  },
)

t.test('connections that break at random under load: every run is charged once', onPostgres, async t => {
  const { proxy, provider, call, money, sound, lines, metering } = await fixture(t)
  let work = 0
  provider.work = async () => {
    await delay(5)
    return { cost: 700, result: { content: [{ type: 'text', text: `work ${++work}` }] } }
  }
  const texts = new Map<string, Set<string>>()
  const tally = new Map<string, number>()
  let left = 400
  const client = async () => {
    while (left-- > 0) {
      const key = Math.random() < 0.5 ? `key ${Math.floor(Math.random() * 300)}` : undefined
      const { outcome, text } = await call(key)
      tally.set(outcome, (tally.get(outcome) ?? 0) + 1)
      if (key !== undefined && outcome === 'ok') texts.set(key, (texts.get(key) ?? new Set()).add(text))
    }
  }
  const clients = Promise.all(Array.from({ length: 8 }, client))
  let over = false
  void clients.then(() => {
    over = true
  })
  while (!over) {
    await delay(40 + 120 * Math.random())
    proxy.reset()
  }
  await settles(async () => (await money()).pending === 0)
  await metering.close()
  const { captured, balance, held } = await money()
  t.comment(`${JSON.stringify(Object.fromEntries(tally))}, ${provider.runs} runs, ${lines.length} lines`)
  t.same([balance, held], [WALLET - 700 * captured, 0])
  t.equal(captured, provider.runs, 'each run is charged once')
  t.same(
    [...texts].filter(([, answers]) => answers.size > 1),
    [],
  )
  t.same(await sound(), [])
})
