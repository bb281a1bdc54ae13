import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { NamedKey } from '../../lib/configuration/key-ring.ts'
import { openDatabase } from '../../lib/database/open-database.ts'
import { type BuildOptions, build } from '../fixtures/build.ts'
import { newsHeard, silent, testDatabaseUrl, testPostgres } from '../fixtures/database.ts'
import { faultProxy } from '../fixtures/fault-proxy.ts'
import { vaultKeys } from '../fixtures/grant-fixture.ts'
import {
  callerOfApp,
  emptyDirectory,
  json,
  rotor,
  shop,
  shopJourney,
  signedIn,
  verifyJwt,
} from '../fixtures/journey-fixture.ts'
import { testSettings } from '../fixtures/settings.ts'
import { type TokenServer, tokenServer } from '../fixtures/token-server.ts'
import { startGateway } from './gateway-process.ts'

const onPostgres = { skip: testDatabaseUrl === undefined && 'needs TEST_DATABASE_URL' }
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const without = (url: string) => url.replace(/\/$/, '')

/** An app with a provider that rotates its tokens, and a member who connects accounts to it. */
async function fixture(t: Test, server: TokenServer, { settings, ...options }: BuildOptions = {}) {
  const oauthClients = new Map([['rotor', { id: 'app.1', secret: `s_${crypto.randomUUID()}` }]])
  const built = await build(t, {
    connectors: [rotor(server)],
    settings: { oauthClients, ...settings },
    verifyJwt,
    ...options,
  })
  const { services } = built
  const [ada] = await built.directory.members('owner')
  const connect = (alias: string) =>
    services.connecting.add({
      caller: ada.caller,
      connector: 'rotor',
      scope: 'private',
      alias,
      credential: { kind: 'oauth2', ...server.grant(), expiresInSeconds: 3_600 },
      identity: alias,
      probe: false,
    })
  const ask = callerOfApp(built, signedIn(ada))
  const look = async (account?: string) => {
    const started = performance.now()
    const called = await ask.call('rotor__look', account === undefined ? {} : { account })
    return { ...called, ms: performance.now() - started }
  }
  return { ...built, ada, connect, ask, look }
}

t.test('a provider is down: its tools say so, and the account stays connected', async t => {
  const server = await tokenServer(t)
  const proxy = await faultProxy(t, server.origin)
  const connectorOverrides = new Map([['rotor', { base_url: without(proxy.url), token_url: `${server.origin}/token` }]])
  const { connect, ask, look } = await fixture(t, server, { settings: { connectorOverrides } })
  await connect('work')
  t.equal((await look()).outcome, 'ok')
  await proxy.down()
  const refused = await look()
  t.match(refused, {
    outcome: 'upstream_unavailable',
    error: { message: /Rotor is unreachable: 127\.0\.0\.1:\d+ .*\. Retry later/ },
  })
  t.ok(refused.ms < 2 * SECOND, `${Math.round(refused.ms)} ms`)
  t.equal((await ask.call('memory__list_memories')).outcome, 'ok', 'everything else works')
  t.match(await ask.entry('rotor'), { status: 'connected' })
  await proxy.heal()
  t.equal((await look()).outcome, 'ok')
  t.equal(server.asked, 0, 'no token was refreshed')
})

t.test('a provider is slow or frozen: its tools wait at most 30 s', async t => {
  const provider = await shop(t)
  const proxy = await faultProxy(t, provider.api.origin)
  const { as, ada, connect, api } = await shopJourney(t, {
    provider,
    settings: { connectorOverrides: new Map([['shop', { base_url: without(proxy.url) }]]) },
  })
  await connect(ada, 'ada')
  proxy.latency(1_000)
  t.equal((await as(ada).call('shop__list_orders')).outcome, 'ok', 'slow')
  proxy.blackhole()
  const started = performance.now()
  const key = { 'idempotency-key': 'one' }
  const calls = await Promise.all([
    as(ada).call('shop__add_order', { item: 'tea' }, key),
    ...Array.from({ length: 20 }, () => as(ada).call('shop__list_orders')),
  ])
  t.ok(performance.now() - started < 31 * SECOND)
  t.same([...new Set(calls.map(({ outcome }) => outcome))], ['timeout'])
  t.match(calls[0]?.text, /Shop did not answer in time\. The call may have been executed: check/)
  t.match(calls[1]?.text, /Shop did not answer in time\. Retry later/)
  t.match(await as(ada).entry('shop'), { status: 'connected' })
  await proxy.heal()
  proxy.reset()
  const asked = api.requests.length
  t.equal((await as(ada).call('shop__list_orders')).outcome, 'ok')
  t.match(
    await as(ada).call('shop__add_order', { item: 'tea' }, key),
    { outcome: 'idempotency_conflict' },
    'a call that may have run does not run again',
  )
  const other = { 'idempotency-key': 'another' }
  t.match(await as(ada).call('shop__add_order', { item: 'tea' }, other), { outcome: 'ok' })
  t.equal(api.requests.length, asked + 2)
})

t.test('a provider sends an invalid answer: its tools say so, and show nothing of it', async t => {
  const { as, ada, connect, provider } = await shopJourney(t)
  await connect(ada, 'ada')
  const garbage: [body: string, type: string, outcome: string, status?: number][] = [
    ['<html><body>We will be back soon.</body></html>', 'text/html', 'upstream_unavailable'],
    ['{"orders":[{"id":1},', 'application/json', 'upstream_unavailable'],
    ['{"__proto__":{"orders":[{"id":"made up"}]}}', 'application/json', 'upstream_unavailable'],
    ['['.repeat(50_000) + ']'.repeat(50_000), 'application/json', 'upstream_unavailable'],
    ['{"trace":"at secret.js:1"}', 'application/json', 'upstream_unavailable', 500],
    [`{"orders":["${'x'.repeat(20 * 1024 * 1024)}"]}`, 'application/json', 'upstream_rejected'],
    ['', 'text/html', 'upstream_rejected', 302],
  ]
  for (const [body, type, outcome, status = 200] of garbage) {
    provider.reply = (_, response) => {
      response.writeHead(status, { 'content-type': type })
      response.end(body)
      return true
    }
    const called = await as(ada).call('shop__list_orders')
    t.equal(called.outcome, outcome, `${status} ${body.slice(0, 40)}: ${called.text.slice(0, 300)}`)
    t.notMatch(called.text, /back soon|secret\.js|made up/)
  }
  provider.reply = (_, response) => json(response, 200, { orders: 'none', next: { deep: true } })
  t.not((await as(ada).call('shop__list_orders')).outcome, 'internal_error')
  t.match(await as(ada).entry('shop'), { status: 'connected' })
  provider.reply = () => false
  t.equal((await as(ada).call('shop__list_orders')).outcome, 'ok')
})

t.test('a token endpoint is down: valid tokens work, and no account is lost', async t => {
  for (const fault of ['down', 'frozen', 'garbage'] as const) {
    const server = await tokenServer(t)
    const proxy = await faultProxy(t, server.origin)
    const connectorOverrides = new Map([['rotor', { token_url: `${without(proxy.url)}/token` }]])
    const { connect, ask, look, clock } = await fixture(t, server, { settings: { connectorOverrides } })
    await connect('work')
    if (fault === 'down') await proxy.down()
    else if (fault === 'frozen') proxy.blackhole()
    else server.misbehavior = { status: 502, body: '<html>Bad gateway</html>' }

    clock.advance(HOUR - MINUTE / 2)
    t.match(await look(), { outcome: 'ok' }, `${fault}: the token is due for a refresh but still valid`)
    clock.advance(MINUTE)
    const ended = await look()
    t.match(
      ended,
      { outcome: 'upstream_unavailable', error: { message: /The account stays connected\. Retry in \d+ s/ } },
      fault,
    )
    t.ok(ended.ms < 21 * SECOND, `${fault}: ${Math.round(ended.ms)} ms`)
    const { asked } = server
    for (let i = 0; i < 20; i++) t.equal((await look()).outcome, 'upstream_unavailable')
    t.ok(server.asked - asked <= 1, 'the endpoint does not get a request per call')
    for (let hour = 0; hour < 3 && fault === 'garbage'; hour++) {
      clock.advance(HOUR)
      t.equal((await look()).outcome, 'upstream_unavailable')
    }
    t.match(await ask.entry('rotor'), { status: 'connected' })

    await proxy.heal()
    if (fault === 'frozen') proxy.reset()
    server.misbehavior = undefined
    clock.advance(HOUR)
    t.match(await look(), { outcome: 'ok' }, fault)
    t.same([server.refreshed, server.reused], [1, 0])
  }
})

t.test(
  'PostgreSQL is down, a connector’s tool: works for 10 minutes with a recently used token, and no longer',
  onPostgres,
  async t => {
    const url = await testPostgres(t, testDatabaseUrl ?? '')
    const proxy = await faultProxy(t, url)
    const database = await openDatabase({ postgres: { url: proxy.url }, dataDir: '', log: silent })
    const server = await tokenServer(t)
    const { connect, look, clock, services } = await fixture(t, server, { database })
    t.teardown(async () => {
      await proxy.heal()
      proxy.reset()
    })
    await connect('used')
    await connect('unused')
    await newsHeard(services.database)
    t.equal((await look('used')).outcome, 'ok')
    await proxy.down()

    for (let minute = 0; minute < 10; minute++) {
      t.match(await look('used'), { outcome: 'ok', account: { alias: 'used' } }, `after ${minute} minutes`)
      clock.advance(MINUTE - (minute === 9 ? 1 : 0))
    }
    const unused = await look('unused')
    t.match(unused, { outcome: 'platform_db_unavailable' })
    t.ok(unused.ms < 2 * SECOND, `${Math.round(unused.ms)} ms`)
    server.endAccess()
    t.match(await look('used'), { outcome: 'platform_db_unavailable' }, 'an expired token is not renewed')
    t.equal(server.asked, 0, 'no token was requested that could not be stored')
    clock.advance(1)
    t.match(await look('used'), { outcome: 'platform_db_unavailable' })

    await proxy.heal()
    for (let tries = 0; tries < 100 && (await look('used')).outcome !== 'ok'; tries++)
      await new Promise(resolve => setTimeout(resolve, 50))
    t.match(await look('used'), { outcome: 'ok' })
    t.match(await look('unused'), { outcome: 'ok' })
  },
)

/** Mounts a small file system until the end of the test. Returns false if this user may not mount one. */
function smallDisk(t: Test, directory: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', directory], { stdio: 'ignore' })
  } catch {
    return false
  }
  t.teardown(() => execFileSync('umount', ['-l', directory]))
  return true
}

t.test(
  'the disk of DATA_DIR is full or cannot be written, files of tools: a tool error, and no partial file',
  async t => {
    const dataDir = emptyDirectory(t)
    const mounted = smallDisk(t, dataDir)
    const { as, ada, connect } = await shopJourney(t, { settings: { dataDir } })
    await connect(ada, 'ada')
    const files = () => readdirSync(join(dataDir, 'artifacts'))
    const refused = async (how: string) => {
      const called = await as(ada).call('shop__export_orders')
      t.match(called, { outcome: 'internal_error', error: { message: /cannot store files.*operator/ } }, how)
      t.notMatch(called.text, dataDir)
      t.equal((await as(ada).call('shop__list_orders')).outcome, 'ok', 'everything else works')
    }

    writeFileSync(join(dataDir, 'artifacts'), '')
    await refused('the directory cannot be created')
    rmSync(join(dataDir, 'artifacts'))
    t.equal((await as(ada).call('shop__export_orders')).outcome, 'ok')
    t.equal(files().length, 1)

    if (!mounted)
      return t.comment('skipped a full and a read-only disk: they need the permission to mount a file system')
    const filler = openSync(join(dataDir, 'filler'), 'w')
    t.throws(
      () => {
        for (;;) writeSync(filler, Buffer.alloc(1 << 12))
      },
      { code: 'ENOSPC' },
    )
    closeSync(filler)
    await refused('the disk is full')
    t.equal(files().length, 1, 'no partial file stays')
    rmSync(join(dataDir, 'filler'))
    t.equal((await as(ada).call('shop__export_orders')).outcome, 'ok')

    execFileSync('mount', ['-o', 'remount,ro', dataDir])
    await refused('the disk is read-only')
    execFileSync('mount', ['-o', 'remount,rw', dataDir])
    t.equal((await as(ada).call('shop__export_orders')).outcome, 'ok')
  },
)

const inEnvironment = ({ id, key }: NamedKey) => `${id}:${key.export().toString('base64')}`

t.test('a vault key is missing: the accounts under it cannot be used until it is back', onPostgres, async t => {
  const url = await testPostgres(t, testDatabaseUrl ?? '')
  const [lost, other] = vaultKeys('lost', 'other')
  const { peppers } = testSettings()
  const before = await build(t, {
    database: await openDatabase({ postgres: { url, maxConnections: 2 }, dataDir: '', log: silent }),
    settings: { vaultKeys: [lost], peppers },
  })
  const [ada] = await before.directory.members('owner')
  const { key } = await ada.key()
  const { caller } = ada
  const connect = async ({ services }: typeof before, alias: string) =>
    services.connecting.add({
      caller,
      connector: 'github',
      scope: 'private',
      alias,
      credential: { kind: 'api_key', key: `ghp_${crypto.randomUUID()}` },
      identity: alias,
      probe: false,
    })
  const { id } = await connect(before, 'sealed')

  const environment = {
    DATABASE_URL: url,
    DATA_DIR: emptyDirectory(t),
    API_KEY_PEPPERS: inEnvironment(peppers[0]),
    EGRESS_ALLOW_LOOPBACK: 'true',
  }
  const gateway = await startGateway(t, { ...environment, VAULT_KEYS: inEnvironment(other) })
  const ready = await fetch(`${gateway.url}/health?ready`)
  t.match([ready.status, await ready.json()], [503, { checks: { vault_keys: 'failing', database: 'ok' } }])
  t.match(gateway.output(), /"missing":\[\{"id":"lost","values":1\}\].*VAULT_KEYS lacks keys/)
  const called = await gateway.call(key, 'github__list_repositories', {})
  t.match(called, /"isError":true/)
  t.match(called, /VAULT_KEYS/)
  t.notMatch(called, 'needs_reauth')
  t.match(await gateway.call(key, 'memory__list_memories', {}), '"content"')
  t.match(await gateway.call(key, 'manage__explain_tool', { name: 'github__list_repositories' }), id)
  t.equal((await gateway.stop('SIGTERM')).code, 0)

  const whole = await startGateway(t, { ...environment, VAULT_KEYS: `${inEnvironment(other)},${inEnvironment(lost)}` })
  t.equal((await fetch(`${whole.url}/health?ready`)).status, 200)
  t.notMatch(whole.output(), 'VAULT_KEYS lacks keys')
  await whole.stop('SIGTERM')
})
