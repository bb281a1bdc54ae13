import { setTimeout as delay } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { openDatabase } from '../../lib/database/open-database.ts'
import { type AnyTool, defineTool } from '../../services/definitions/define-tool.ts'
import { mintApiKey } from '../../services/identity/key-format.ts'
import { build } from '../fixtures/build.ts'
import { newsHeard, silent, testDatabaseUrl, testPostgres } from '../fixtures/database.ts'
import { type FaultProxy, faultProxy } from '../fixtures/fault-proxy.ts'
import { eventually } from '../fixtures/until.ts'

const server = testDatabaseUrl ?? ''
const onPostgres = { skip: testDatabaseUrl === undefined && 'needs TEST_DATABASE_URL' }
const MINUTE = 60_000
/** The longest that a caller whose lookup needs the database waits for a refusal, in milliseconds. */
const REFUSED_WITHIN = 2_000

/** A tool that needs no database. */
const echo: AnyTool = defineTool({
  name: 'test__echo',
  title: 'Echo',
  description: 'Answers at once.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: Type.Object({}),
  run: async () => ({ content: [{ type: 'text', text: 'here' }] }),
})

/** The app on its own database behind a proxy. `direct` reaches the same database without the proxy. */
async function fixture(t: Test, options: { listenDirectly?: boolean } = {}) {
  const url = await testPostgres(t, server)
  const proxy = await faultProxy(t, url)
  const directUrl = options.listenDirectly === true ? url : proxy.url
  const database = await openDatabase({ postgres: { url: proxy.url, directUrl }, dataDir: '', log: silent })
  const direct = await openDatabase({ postgres: { url, maxConnections: 2 }, dataDir: '', log: silent })
  t.teardown(() => direct.close())
  const built = await build(t, { database, families: [echo] })
  const member = await (await built.directory.org()).member('owner')

  async function request(key: string, method: string, params: object = {}) {
    const started = performance.now()
    const response = await built.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', 'x-api-key': key },
      payload: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
    })
    const { error, result } = response.json()
    const failed = result?.isError === true ? JSON.parse(result.content[0].text).error : error
    return {
      status: response.statusCode,
      outcome: (failed?.code ?? 'ok') as string,
      retryAfter: response.headers['retry-after'],
      body: response.body,
      ms: performance.now() - started,
    }
  }
  const list = (key: string) => request(key, 'tools/list')
  const call = (key: string, name: string, args: object = {}) => request(key, 'tools/call', { name, arguments: args })

  /** Creates an unused key and waits for its event, because the event clears caches. */
  async function unused(): Promise<string> {
    const { events } = database
    const heard = new Promise<void>(resolve => {
      const stop = events.on('api_key', () => {
        stop()
        setImmediate(resolve)
      })
    })
    const { key } = await member.key()
    await heard
    return key
  }
  const other = await unused()
  const known = await unused()
  t.teardown(async () => {
    await proxy.heal()
    proxy.reset()
  })
  const listed = await list(known)
  t.equal(listed.outcome, 'ok')
  return { ...built, proxy, direct, member, list, call, known, other, listed }
}

/** The ways in which PostgreSQL can be unavailable. */
const AWAY: Record<string, (proxy: FaultProxy) => Promise<void> | void> = {
  'refusing connections': proxy => proxy.down(),
  'answering nothing': proxy => proxy.blackhole(),
  'slower than every time limit': proxy => proxy.latency(4_000),
}

t.test(
  'PostgreSQL is down, a key used in the last 10 minutes: it works for 10 minutes, then gets 503',
  onPostgres,
  async t => {
    const { proxy, clock, list, known, listed } = await fixture(t)
    await proxy.down()
    for (let minute = 0; minute < 10; minute++) {
      t.equal((await list(known)).body, listed.body, `after ${minute} minutes`)
      clock.advance(MINUTE - (minute === 9 ? 1 : 0))
    }
    t.equal((await list(known)).status, 200, 'a millisecond before the 10 minutes are over')
    clock.advance(1)
    const refused = await list(known)
    t.match(refused, { status: 503, outcome: 'platform_db_unavailable', retryAfter: /^\d+$/ })
    t.ok(refused.ms < REFUSED_WITHIN)

    await proxy.heal()
    await eventually(async () => t.equal((await list(known)).status, 200) || Promise.reject(new Error('still away')))
  },
)

t.test('PostgreSQL is down, any other key: 503 in under 2 s, never 401', onPostgres, async t => {
  for (const [how, fault] of Object.entries(AWAY)) {
    const { app, proxy, list, other } = await fixture(t)
    await fault(proxy)
    const answers = await Promise.all([other, ...Array.from({ length: 20 }, () => mintApiKey('development'))].map(list))
    for (const answer of answers) {
      t.match(answer, { status: 503, outcome: 'platform_db_unavailable', retryAfter: /^\d+$/ }, how)
    }
    const longest = Math.max(...answers.map(({ ms }) => ms))
    t.comment(`${how}: refused after ${Math.round(longest)} ms at most`)
    t.ok(longest < REFUSED_WITHIN)
    t.equal(
      (await list('cgw_dev_mistyped')).status,
      401,
      'a key with a wrong checksum is rejected without the database',
    )
    const started = performance.now()
    const ready = await app.inject('/health?ready')
    t.match([ready.statusCode, ready.json()], [503, { checks: { database: 'failing' } }])
    t.ok(performance.now() - started < 2_000)
    t.equal((await app.inject('/health')).statusCode, 200)
  }
})

t.test(
  'PostgreSQL is down, tools/list and tools that need no database: the last known list, and the tools work',
  onPostgres,
  async t => {
    for (const [how, fault] of Object.entries(AWAY)) {
      const { proxy, clock, list, call, known, listed } = await fixture(t)
      await fault(proxy)
      clock.advance(MINUTE)
      const [again, echoed] = [await list(known), await call(known, 'test__echo')]
      t.equal(again.body, listed.body, how)
      t.equal(echoed.outcome, 'ok', how)
      t.ok(again.ms + echoed.ms < 2 * REFUSED_WITHIN)
    }
  },
)

t.test('PostgreSQL is down, tools that read or write: the tool error platform_db_unavailable', onPostgres, async t => {
  const { proxy, call, known } = await fixture(t)
  await proxy.down()
  for (const [tool, args] of [
    ['memory__list_memories', {}],
    ['memory__search_memory', { query: 'heron' }],
    ['memory__remember', { memory: 'The heron is grey.' }],
  ] as const) {
    t.match(await call(known, tool, args), { status: 200, outcome: 'platform_db_unavailable' }, tool)
  }
})

t.test('PostgreSQL is down, usage rows: they wait and are written later', onPostgres, async t => {
  const { proxy, services, direct, call, known } = await fixture(t)
  await services.usage.flush()
  await proxy.down()
  for (let i = 0; i < 250; i++) await call(known, 'test__echo')
  await services.usage.flush()
  await proxy.heal()
  await eventually(async () => {
    await services.usage.flush()
    const { rows } = await sql<{
      count: number
    }>`select count(*) as count from usage where tool = 'test__echo'`.execute(direct.db)
    if (rows[0]?.count !== 250) throw new Error(`${rows[0]?.count} rows`)
  })
  t.pass('every row is written once')
})

t.test(
  'PostgreSQL is slow: everything works, and what takes too long fails as if it were down',
  onPostgres,
  async t => {
    const { proxy, list, call, known, other } = await fixture(t)
    proxy.latency(150)
    t.equal((await list(other)).status, 200)
    t.equal((await call(known, 'memory__remember', { memory: 'Slowly.' })).outcome, 'ok')
    await proxy.heal()

    // A bad connection that delivers the bytes in pieces takes longer but gives the same answer.
    const whole = await call(known, 'memory__list_memories')
    proxy.slice(7, 1)
    t.equal((await call(known, 'memory__list_memories')).body, whole.body)
    await proxy.heal()

    proxy.latency(6_000)
    const answers = await Promise.all([
      list(mintApiKey('development')),
      call(known, 'memory__list_memories'),
      call(known, 'memory__remember', { memory: 'Too slowly.' }),
    ])
    for (const { outcome } of answers) t.equal(outcome, 'platform_db_unavailable')
    t.comment(`given up after ${answers.map(({ ms }) => Math.round(ms)).join(', ')} ms`)
    t.ok(Math.max(...answers.map(({ ms }) => ms)) < 10_000)
    await proxy.heal()
    t.equal((await call(known, 'memory__list_memories')).outcome, 'ok')
  },
)

t.test(
  'PostgreSQL is cut off by the network: the first dead connection drops the other dead ones',
  onPostgres,
  async t => {
    const { proxy, call, known } = await fixture(t)
    const remember = () => call(known, 'memory__remember', { memory: 'Many at once.' })
    // Several connections are open when it happens, and nothing reports that they are dead.
    await Promise.all(Array.from({ length: 8 }, remember))
    t.ok(proxy.connections > 4)
    proxy.blackhole()
    await proxy.heal()
    const first = await remember()
    t.equal(first.outcome, 'platform_db_unavailable')
    t.ok(first.ms < 6_000, `${Math.round(first.ms)} ms`)
    for (let i = 0; i < 3; i++) t.match(await remember(), { outcome: 'ok' }, 'later requests work')
  },
)

t.test(
  'only LISTEN is cut off: a revoked key works up to 10 s longer, a changed capability shows up to 5 s later',
  onPostgres,
  async t => {
    const url = await testPostgres(t, server)
    const listening = await faultProxy(t, url)
    const database = await openDatabase({ postgres: { url, directUrl: listening.url }, dataDir: '', log: silent })
    const { app, services, directory, clock } = await build(t, { database })
    const member = await (await directory.org()).member('owner')
    const { id, key } = await member.key()
    await newsHeard(database)
    await listening.down()
    const list = () =>
      app.inject({
        method: 'POST',
        url: '/mcp',
        headers: {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'x-api-key': key,
        },
        payload: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      })
    t.match((await list()).body, '"name":"memory__forget"')

    await services.capabilities.set({ orgId: member.orgId, userId: null, capability: 'memory__forget', enabled: false })
    await services.keys.revoke(id, { by: 'operator' })
    clock.advance(4_999)
    t.match((await list()).body, '"name":"memory__forget"')
    clock.advance(1)
    t.notMatch((await list()).body, '"name":"memory__forget"')
    clock.advance(4_999)
    t.equal((await list()).statusCode, 200)
    clock.advance(1)
    t.equal((await list()).statusCode, 401)
  },
)

t.test(
  'more unknown keys than can be looked up: they get 503 overloaded, and known keys are not affected',
  onPostgres,
  async t => {
    const { proxy, services, list, known, listed } = await fixture(t)
    proxy.blackhole()
    const refusals: unknown[] = []
    const strangers = Array.from({ length: 6_000 }, () =>
      services.identity.apiKeys.verify(mintApiKey('development')).catch(error => refusals.push(error.code)),
    )
    t.equal((await list(known)).body, listed.body)
    const stranger = await list(mintApiKey('development'))
    t.match(stranger, { status: 503, retryAfter: /^\d+$/ })
    t.ok(stranger.ms < REFUSED_WITHIN)
    await Promise.all(strangers)
    t.equal(refusals.length, 6_000)
    t.ok(refusals.filter(code => code === 'overloaded').length >= 1_000)
  },
)

t.test(
  'PostgreSQL is back: caches are rechecked, because changes may have been missed, and events arrive again',
  onPostgres,
  async t => {
    const { proxy, direct, list, known, other } = await fixture(t)
    t.equal((await list(other)).status, 200)
    await proxy.down()
    await delay(300)
    await sql`update api_keys set revoked_at = now() where last4 = ${known.slice(-4)}`.execute(direct.db)
    t.equal((await list(known)).status, 200, 'the gateway cannot learn of the revocation')
    const back = performance.now()
    await proxy.heal()
    // The test's clock does not advance, so no cache entry expires.
    await eventually(async () => {
      if ((await list(known)).status !== 401) throw new Error('still served')
    })
    t.comment(`revoked ${Math.round(performance.now() - back)} ms after PostgreSQL was back`)
    t.ok(performance.now() - back < 5_000)

    await sql`update api_keys set revoked_at = now() where last4 = ${other.slice(-4)}`.execute(direct.db)
    await eventually(async () => {
      if ((await list(other)).status !== 401) throw new Error('still served')
    })
  },
)
