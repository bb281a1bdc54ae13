import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import t, { type Test } from 'tap'
import { openDatabase } from '../../lib/database/open-database.ts'
import type { Database } from '../../lib/database/tables.ts'
import { silent, testDatabaseUrl, testDataDir, testPostgres } from '../fixtures/database.ts'
import { expireHolds, moneyOf } from '../fixtures/metered-fixture.ts'
import { brokenInvariants, installInvariants } from '../ledger/invariants.ts'
import { callOf, type GatewayProcess, startGateway } from './gateway-process.ts'
import { costOfKey, ESTIMATE } from './metered-costs.ts'

const KILLS = 50
/** Processes that run at the same time. */
const SLOTS = 4
const CLIENTS = 6
const KEYS = 400
const ENTRY = 'test/slow/metered-process.ts'

/** Settings of gateways that share a database, and the file in which their provider records its executions. */
async function fixture(t: Test) {
  const directory = mkdtempSync(join(tmpdir(), 'cgw-metered-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  const EXECUTIONS = join(directory, 'executions')
  writeFileSync(EXECUTIONS, '')
  const DATABASE_URL = testDatabaseUrl === undefined ? undefined : await testPostgres(t, testDatabaseUrl)
  const DATA_DIR = DATABASE_URL === undefined ? await testDataDir(t) : directory
  return {
    settings: { DATA_DIR, EXECUTIONS, ...(DATABASE_URL !== undefined && { DATABASE_URL }) },
    /** Opens the database. An embedded one can only be opened while no gateway uses it. */
    async open() {
      const postgres = DATABASE_URL === undefined ? undefined : { url: DATABASE_URL, maxConnections: 2 }
      const database = await openDatabase({ postgres, dataDir: DATA_DIR, log: silent })
      t.teardown(() => database.close())
      return database.db
    },
    /** Returns the executions of the provider, in the order of their start. */
    executions: () =>
      readFileSync(EXECUTIONS, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map(line => {
          const [id = '', tool = '', idempotencyDigest = ''] = line.split(' ')
          return { id, tool, idempotencyDigest: idempotencyDigest === '-' ? undefined : idempotencyDigest }
        }),
  }
}

async function organizationOf(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from organizations`.execute(db)
  return rows[0]?.id ?? ''
}

/** Calls a tool. Returns the text of its result; undefined for an error or without an answer in time. */
async function ask(gateway: GatewayProcess, apiKey: string, tool: string, key?: string, ms = 3_000) {
  const { headers, ...call } = callOf(apiKey, tool, {})
  try {
    const response = await fetch(`${gateway.url}/mcp`, {
      ...call,
      headers: { ...headers, ...(key !== undefined && { 'idempotency-key': key }) },
      signal: AbortSignal.timeout(ms),
    })
    const { result } = (await response.json()) as { result?: { isError?: boolean; content: { text: string }[] } }
    return result === undefined || result.isError === true ? undefined : result.content[0]?.text
  } catch {
    return undefined
  }
}

const withoutServer = testDatabaseUrl === undefined ? 'TEST_DATABASE_URL is not set' : false

t.test(
  `${KILLS} × kill -9 under load: nothing is charged twice, and every hold ends`,
  { skip: withoutServer },
  async t => {
    const started = performance.now()
    const { settings, open, executions } = await fixture(t)
    const first = await startGateway(t, settings, ENTRY)
    const apiKey = first.key ?? ''
    const db = await open()
    const orgId = await organizationOf(db)
    await installInvariants(db)
    await sql`select gateway_credit(${orgId}, 'txn_test', 900000000000000, 'Credit')`.execute(db)

    /** The distinct answers per key. */
    const answers = new Map<string, Set<string>>()
    const took = (key: string, text: string | undefined) => {
      if (text !== undefined) answers.set(key, (answers.get(key) ?? new Set()).add(text))
    }
    let kills = 0
    let answered = 0

    async function load(gateway: GatewayProcess, isOver: () => boolean): Promise<void> {
      while (!isOver()) {
        const key = Math.random() < 0.6 ? `key ${Math.floor(Math.random() * KEYS)}` : undefined
        const tool = Math.random() < 0.7 ? 'test__afterwards' : 'test__fixed'
        const text = await ask(gateway, apiKey, tool, key)
        if (text !== undefined) answered++
        if (key !== undefined) took(`${tool} ${key}`, text)
        // Pauses, because the gateway was killed.
        else if (text === undefined) await delay(5)
      }
    }

    /** Repeatedly starts a gateway, sends load, and kills it at a random time. */
    async function slot(given?: GatewayProcess): Promise<void> {
      let gateway = given
      while (kills < KILLS) {
        gateway ??= await startGateway(t, settings, ENTRY)
        const serving = gateway
        gateway = undefined
        let over = false
        const clients = Array.from({ length: CLIENTS }, () => load(serving, () => over))
        await delay(100 + 900 * Math.random())
        if (kills < KILLS) kills++
        await serving.kill()
        over = true
        await Promise.all(clients)
      }
    }
    await Promise.all(Array.from({ length: SLOTS }, (_, i) => slot(i === 0 ? first : undefined)))
    t.equal(kills, KILLS)

    const left = await moneyOf(db, orgId)
    t.comment(`${answered} answers, ${executions().length} executions, ${JSON.stringify(left)}`)
    t.ok(left.pending > 0, 'killed processes left holds')
    t.same(await brokenInvariants(db, { orgId, suspended: false }), [])

    await expireHolds(db, orgId)
    // Ends the leases of killed calls, so that the next call with the key can run.
    await sql`update idempotency set lease_until = now() - interval '1 s' where org_id = ${orgId} and state = 'running'`.execute(
      db,
    )
    const last = await startGateway(t, settings, ENTRY)
    for (const name of answers.keys()) {
      const [tool = '', ...key] = name.split(' ')
      took(name, await ask(last, apiKey, tool, key.join(' ')))
    }
    t.equal((await last.stop('SIGTERM')).code, 0)

    t.same(await brokenInvariants(db, { orgId, suspended: false }), [])
    const money = await moneyOf(db, orgId)
    t.match(money, { held: 0, pending: 0, expired: left.pending })
    const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from reconciliations where org_id = ${orgId}`.execute(db)
    t.equal(rows[0]?.count, left.pending, 'each expired hold has a reconciliation')

    const done = executions()
    t.ok(done.length <= money.captured + money.released + money.expired, 'nothing ran without a hold')
    t.same(
      [...answers].filter(([, texts]) => texts.size > 1),
      [],
      'each key has one answer',
    )

    const byCost = new Map<number, number>()
    const captured = await sql<{ cost: number }>`
    select cost_micros as cost from holds where org_id = ${orgId} and state = 'captured' and tool = 'test__afterwards'`.execute(
      db,
    )
    for (const { cost } of captured.rows) byCost.set(cost, (byCost.get(cost) ?? 0) + 1)
    const keys = new Set(
      done.flatMap(({ tool, idempotencyDigest }) =>
        tool === 'afterwards' && idempotencyDigest !== undefined ? [idempotencyDigest] : [],
      ),
    )
    t.same(
      [...keys].filter(key => (byCost.get(costOfKey(key)) ?? 0) > 1),
      [],
      'no key was charged twice',
    )
    const twice = done.length - new Set(done.map(({ idempotencyDigest, id }) => idempotencyDigest ?? id)).size
    t.comment(`${keys.size} keys; ${twice} executions were repeated, after an error or a kill`)
    const paid = captured.rows.filter(({ cost }) => cost !== ESTIMATE).length
    const kept = await sql<{ count: number }>`
    select count(*)::int as count from idempotency
    where org_id = ${orgId} and state = 'done' and tool = 'test__afterwards'`.execute(db)
    t.equal(kept.rows[0]?.count, paid, 'exactly the paid keys have a stored answer')
    t.comment(`${Math.round((performance.now() - started) / 1000)} s`)
  },
)

t.test(
  'a SIGTERM while metered calls run: each call is settled before the process exits, even if its caller is gone',
  async t => {
    const { settings, open, executions } = await fixture(t)
    const gateway = await startGateway(t, { ...settings, WORK_MS: '2000', FAILING: '0' }, ENTRY)
    const apiKey = gateway.key ?? ''
    const answered = Promise.all([
      ask(gateway, apiKey, 'test__fixed', undefined, 20_000),
      ask(gateway, apiKey, 'test__fixed', 'a', 20_000),
    ])
    const gone = Promise.all([
      ask(gateway, apiKey, 'test__fixed', undefined, 700),
      ask(gateway, apiKey, 'test__fixed', 'b', 700),
    ])
    t.same(await gone, [undefined, undefined])
    t.equal(executions().length, 4)
    const { code, ms } = await gateway.stop('SIGTERM')
    t.equal(code, 0)
    t.comment(`exited after ${Math.round(ms)} ms`)
    for (const text of await answered) t.match(text, /^execution/)

    const db = await open()
    const orgId = await organizationOf(db)
    t.match(await moneyOf(db, orgId), { held: 0, captured: 4, pending: 0, released: 0 })
    const { rows } = await sql`select outcome, cost_micros from usage where org_id = ${orgId}`.execute(db)
    t.same(rows, Array(4).fill({ outcome: 'ok', cost_micros: 1_000 }), 'every call has a usage row')
  },
)
