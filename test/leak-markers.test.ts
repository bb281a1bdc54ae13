import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import { buildApp } from '../app.ts'
import { COMMANDS, runCommand } from '../cli/run-command.ts'
import { createScrubber } from '../lib/logging/scrub.ts'
import { explainFailure } from '../lib/process/run-process.ts'
import { createServices } from '../services/create-services.ts'
import { defineTool } from '../services/definitions/define-tool.ts'
import { callerOfKey } from '../services/identity/caller.ts'
import { loadConfig } from '../services/settings/load.ts'
import { configuredSecrets } from '../services/settings/settings.ts'
import { CATALOG } from '../tools/catalog.ts'
import { testDatabase } from './fixtures/database.ts'
import { directory } from './fixtures/directory.ts'
import { askedBy, keyHolder, testClock } from './fixtures/fixture.ts'
import { argumentsFor, createLeakMarkers, dumpTables } from './fixtures/leak-markers.ts'
import { memoryLog } from './fixtures/memory-log.ts'
import { NO_LOAD_SHEDDING } from './fixtures/no-load-shedding.ts'
import { sample } from './fixtures/sample.ts'
import { testSettings } from './fixtures/settings.ts'
import { testIssuer } from './fixtures/test-issuer.ts'

const annotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }
/** A port that refuses connections, because no discard service runs here. */
const CLOSED = '127.0.0.1:9'
/** Part of every failure in addition to the secrets, to prove that the log contains the failure. */
const MARKER = 'the-upstream-refused'

/** The app as in production at the most detailed log level, with a leak marker for every configured secret. */
async function fixture(t: Test) {
  const markers = createLeakMarkers()
  const [session, mcp] = [
    await testIssuer(t, { audience: 'gateway' }),
    await testIssuer(t, { audience: 'http://localhost/mcp' }),
  ]
  const [pepper, vaultKey] = [markers.bytes('pepper'), markers.bytes('vault key')]
  const redisUrl = `redis://gateway:${markers.text('Redis password')}@${CLOSED}`
  const url = `postgres://gateway:${markers.text('database password')}@${CLOSED}/gateway`
  const directUrl = `postgres://gateway:${markers.text('direct database password')}@${CLOSED}/gateway`
  const settings = testSettings({
    peppers: [{ id: 'p1', key: pepper.key }],
    vaultKeys: [{ id: 'v1', key: vaultKey.key }],
    redisUrl,
    database: { url, directUrl },
    tokens: {
      session: { issuer: session.issuer, jwksUri: undefined, audience: 'gateway' },
      mcp: { issuer: mcp.issuer, jwksUri: undefined, scopes: [] },
      shareSubjects: false,
      algorithms: ['RS256'],
      maxLifetimeSeconds: 86_400,
      clockToleranceSeconds: 30,
    },
  })
  const clock = testClock(Date.now())
  session.clock = clock
  mcp.clock = clock
  const scrubber = createScrubber(configuredSecrets(settings))
  const { log, lines } = memoryLog({ level: 'trace', scrubber })
  const throws = defineTool({
    name: 'test__throw',
    title: 'Throw',
    description: 'Fails with the given text, as an upstream may.',
    annotations,
    input: Type.Object({ secret: Type.String() }, { additionalProperties: false }),
    async run({ secret }) {
      const row = markers.text('a property that a driver added to an error')
      const hung = {
        parameters: [row],
        detail: row,
        where: row,
        query: row,
        config: { headers: { authorization: row } },
      }
      throw Object.assign(new Error(`${MARKER} ${secret}`, { cause: Object.assign(new Error(secret), hung) }), hung)
    },
  })

  async function serve(database?: Awaited<ReturnType<typeof testDatabase>>) {
    const routes: { method: string; url: string }[] = []
    const services = await createServices(settings, {
      ...CATALOG,
      log,
      scrub: scrubber.text,
      clock,
      families: [throws],
      ...(database && { database }),
    })
    const app = buildApp(services, {
      logger: log,
      overload: NO_LOAD_SHEDDING,
      instrument: app =>
        app.addHook('onRoute', ({ method, url }) => {
          for (const one of [method].flat()) routes.push({ method: one, url })
        }),
    })
    await app.ready()
    return { app, services, routes, close: async () => Promise.allSettled([await app.close(), await services.close()]) }
  }

  return {
    markers,
    settings,
    clock,
    scrubber,
    session,
    mcp,
    lines,
    serve,
    secrets: { url, directUrl, redisUrl, pepper, vaultKey },
  }
}

/** Sends a request and ignores its outcome. */
async function send(app: FastifyInstance, options: InjectOptions): Promise<string> {
  return (await app.inject(options)).body
}

const rpc = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
const post = { method: 'POST', url: '/mcp' } as const
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

t.test('no secret leaks into the log, into errors of commands and starts, or as plain text into a table', async t => {
  const { markers, clock, scrubber, session, mcp, lines, serve, secrets } = await fixture(t)
  const database = await testDatabase(t)
  const { app, services, routes, close } = await serve(database)
  t.teardown(close)
  const { orgId, userId, key: makeKey } = await (await directory(services).org()).member('owner')
  for (const [{ issuer }, subject] of [
    [mcp, 'grace'],
    [session, 'joan'],
  ] as const)
    await services.organizations.createUser({
      orgId,
      email: `${subject}@example.test`,
      role: 'admin',
      subject: { issuer, subject },
      by: 'operator',
    })

  const stored = async (what: string, options = {}) => {
    const made = await makeKey(options)
    return { id: made.id, key: markers.add(what, made.key, made.key.slice(12, -4)) }
  }
  const token = async (what: string, issuer: typeof mcp, claims = {}) => {
    const made = await issuer.mint(claims)
    const [header, payload = '', signature = ''] = made.split('.')
    markers.add(`${what}, its claims`, payload.slice(10))
    markers.add(`${what}, its signature`, signature)
    return { whole: made, cut: made.slice(0, -100), unsigned: `${header}.${payload}.` }
  }
  const part = () => markers.text('part of a token')
  const [good, revoked, expired] = [
    await stored('API key'),
    await stored('revoked API key'),
    await stored('expired API key', { expiresAt: new Date(clock.now() + 1) }),
  ]
  await services.keys.revoke(revoked.id, { by: 'operator' })
  clock.advance(1)
  const tokens = [
    await token('MCP token', mcp, { sub: 'grace', client_id: markers.text('client id') && 'client-1' }),
    await token('session token', session, { sub: 'joan' }),
    await token('expired token', mcp, { exp: 1 }),
    await token('token of a stranger', await testIssuer(t, { audience: 'http://localhost/mcp' })),
  ]
  const malformed = markers.apiKey('malformed API key')
  const signedIn = tokens[1]?.whole
  const credentials = [
    ...[good.key, revoked.key, expired.key, markers.apiKey('unknown API key'), malformed.slice(0, -1), `${malformed}0`],
    ...[markers.apiKey('production key', 'production'), markers.text('anything at all'), secrets.pepper.base64],
    ...tokens.flatMap(({ whole, cut, unsigned }) => [whole, cut, unsigned]),
    `${part()}.${part()}.${part()}`,
  ]
  const idempotencyKey = markers.text('idempotency key')
  const about = () => ({
    cookie: `sid=${markers.text('cookie')}`,
    referer: `http://localhost/?code=${markers.text('referer')}`,
    'user-agent': markers.text('user agent'),
    'idempotency-key': idempotencyKey,
    'x-forwarded-for': markers.text('forwarded'),
    'mcp-session-id': markers.text('session id'),
    traceparent: markers.text('traceparent'),
  })

  await t.test('on every route, with every credential, in every part of a request', async t => {
    for (const { method, url } of routes) {
      const path = () => url.replace(/:\w+|\*/g, () => markers.text(`path of ${url}`))
      const query = () => `?access_token=${markers.text('query')}&code=${markers.text('query')}&state=x`
      const dresses: Partial<InjectOptions>[] = sample(credentials).flatMap(secret => [
        { headers: { authorization: `Bearer ${secret}` } },
        { headers: { 'x-api-key': secret } },
      ])
      dresses.push(
        { headers: { authorization: `Basic ${btoa(`me:${markers.text('basic password')}`)}` } },
        { headers: { authorization: markers.text('bare authorization'), 'x-api-key': good.key } },
        { headers: { 'x-api-key': good.key, host: `${markers.text('host')}.test` } },
        { headers: { 'x-api-key': good.key, origin: `http://${markers.text('origin')}.test` } },
        { headers: { authorization: `Bearer ${signedIn}` }, payload: JSON.stringify({ a: markers.text('body') }) },
        { headers: { 'x-api-key': good.key }, payload: `{"password":"${markers.text('malformed body')}` },
        { headers: { 'x-api-key': good.key }, payload: JSON.stringify({ a: markers.text('body') }) },
        {
          headers: { 'x-api-key': good.key },
          payload: rpc(markers.text('method'), { a: markers.text('parameter') }),
        },
        { headers: { 'x-api-key': good.key }, payload: rpc('tools/call', { name: markers.text('tool name') }) },
      )
      const seen = lines.length
      for (const { headers, payload } of dresses)
        await send(app, {
          method: method as 'GET',
          url: path() + query(),
          headers: { ...(payload === undefined ? {} : json), ...about(), ...headers },
          ...(payload !== undefined && method !== 'GET' && method !== 'HEAD' && { payload }),
        })
      const requests = lines.slice(seen).map(line => JSON.parse(line))
      const past = requests.filter(
        ({ msg, route, status }) => msg === 'request' && route === url && ![401, 403].includes(status),
      )
      t.ok(past.length > 0, `a request passed the credential checks of ${method} ${url}`)
    }
    for (const url of [`/${markers.text('unknown path')}`, `/%E0%A4%A${markers.text('bad path')}`])
      await send(app, { url, headers: { 'x-api-key': good.key, ...about() } })
    t.same(markers.foundIn(lines.join('')), [])
  })

  await t.test('with every tool', async t => {
    const { tools } = await services.surfaces.of(askedBy({ orgId, userId, role: 'owner' }))
    for (const { entry, refuse } of tools.values()) {
      if (entry.name === 'test__throw') continue
      const args = argumentsFor(entry.inputSchema as never, () =>
        markers.text(`an argument of ${entry.name}`),
      ) as object
      // Some tools take one of several arguments, which their schema cannot say.
      const refusal = refuse(args) ?? ''
      const [, alternatives = ''] = /^Send exactly one of (.+)\.$/.exec(refusal) ?? []
      const either = /^Send either/.test(refusal) ? [...refusal.matchAll(/`(\w+)`/g)].map(([, name = '']) => name) : []
      for (const name of [...alternatives.split(', ').slice(1), ...either.slice(1)]) Reflect.deleteProperty(args, name)
      t.equal(refuse(args), undefined, `the arguments reach ${entry.name}`)
      const seen = lines.length
      for (const credential of [good.key, tokens[0]?.whole])
        for (const given of [args, markers.text('invalid arguments'), { [markers.text('unknown argument')]: 1 }])
          await send(app, {
            ...post,
            headers: { ...json, authorization: `Bearer ${credential}`, ...about() },
            payload: rpc('tools/call', {
              name: entry.name,
              arguments: given,
              _meta: { traceparent: markers.text('trace'), token: markers.text('meta') },
            }),
          })
      const calls = lines
        .slice(seen)
        .map(line => JSON.parse(line))
        .filter(({ tool, msg }) => msg === 'request' && tool === entry.name)
      t.same([...new Set(calls.map(({ via }) => via))].sort(), ['api-key', 'mcp-oauth'], `${entry.name} was called`)
    }
    t.same(markers.foundIn(lines.join('')), [])
  })

  const unsafe = [
    ...[
      good.key,
      tokens[0]?.whole ?? '',
      secrets.url,
      secrets.redisUrl,
      secrets.pepper.base64,
      secrets.vaultKey.base64,
    ],
    ...[
      new URL(secrets.url).password,
      encodeURIComponent(secrets.pepper.base64),
      JSON.stringify(JSON.stringify(secrets.directUrl)),
    ],
    `{"refresh_token":"${markers.text('refresh token')}"}`,
    `client_secret=${markers.text('client secret')}`,
    `Bearer ${markers.text('bearer')}`,
    `-----BEGIN PRIVATE KEY-----\n${markers.text('private key')}`,
    `ghp_${markers.text('provider token')}`,
  ]

  await t.test('in errors of tools and jobs, including stored ones', async t => {
    const seen = lines.length
    for (const secret of unsafe)
      await send(app, {
        ...post,
        headers: { ...json, 'x-api-key': good.key },
        payload: rpc('tools/call', { name: 'test__throw', arguments: { secret } }),
      })
    let failure = ''
    const byName = () => ({
      password: markers.text('a field that is a secret by its name'),
      request: { headers: [{ Cookie: markers.text('a header by its name') }] },
    })
    services.jobs.define('marker', async (_payload, { log }) => {
      log.error({ ...byName(), failure: Object.assign(new Error(failure), byName()) }, 'about to fail')
      throw new Error(`${MARKER} ${failure}`)
    })
    for (failure of unsafe) {
      await services.jobs.enqueue(database.db, { kind: 'marker', payload: {} })
      await services.jobs.runDue()
    }
    const kept = await database.db.selectFrom('jobs').select('last_error').where('kind', '=', 'marker').execute()
    t.equal(kept.length, unsafe.length)
    for (const { last_error } of kept) t.match(last_error, MARKER)
    t.ok(
      lines.slice(seen).filter(line => line.includes(MARKER)).length >= 2 * unsafe.length,
      'the log contains the failures',
    )
    t.same(markers.foundIn(lines.join('')), [])
  })

  await t.test('in errors of commands and starts', async t => {
    const failures: string[] = []
    const explain = (error: unknown) => void failures.push(scrubber.text(explainFailure(error)))
    for (const { name, usage } of COMMANDS) {
      const options = [...usage.matchAll(/--([\w-]+)/g)].flatMap(([option]) => [option, markers.apiKey('command line')])
      for (const args of [options, [markers.apiKey('command line'), ...options], [markers.apiKey('command line')]])
        if (name !== 'migrate' && name !== 'org create')
          await runCommand(services, [...name.split(' '), ...args]).catch(explain)
    }
    const secret = markers.text('malformed setting')
    const set = {
      GATEWAY_ENV: 'production',
      PUBLIC_ORIGINS: 'https://a.test',
      API_KEY_PEPPERS: `p:${secrets.pepper.base64}`,
    }
    for (const variable of [
      'API_KEY_PEPPERS',
      'VAULT_KEYS',
      'DATABASE_URL',
      'DATABASE_DIRECT_URL',
      'REDIS_URL',
      'PORT',
    ])
      try {
        loadConfig({ ...set, VAULT_KEYS: `v:${secrets.vaultKey.base64}`, [variable]: secret })
        t.fail(`${variable} was accepted`)
      } catch (error) {
        explain(error)
      }
    for (const text of unsafe) explain(new Error(`${MARKER} ${text}`))
    t.ok(failures.length > COMMANDS.length + unsafe.length)
    t.match(failures.join(), MARKER)
    t.same(markers.foundIn(failures.join('\n')), [])
  })

  await t.test('with a client that disconnects or does not send HTTP', async t => {
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const head = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-api-key: ${good.key}\r\n`
    for (const rest of [
      `no header ${markers.text('header')}\r\n\r\n`,
      `content-length: 900\r\n\r\n${markers.text('half a body')}`,
    ]) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      socket.resume().end(head + rest)
      await once(socket, 'close')
    }
    t.same(markers.foundIn(lines.join('')), [])
  })

  await t.test('without a database, and in the log lines about it', async t => {
    const seen = lines.length
    const down = await serve()
    const identity = keyHolder()
    const caller = callerOfKey(identity)
    down.services.usage.record({
      tool: 'memory__remember',
      accountId: null,
      identity,
      caller,
      outcome: 'ok',
      durationMs: 1,
      costMicros: 0,
    })
    for (const secret of credentials)
      for (const headers of [{ authorization: `Bearer ${secret}` }, { 'x-api-key': secret }])
        await send(down.app, { ...post, headers: { ...json, ...about(), ...headers }, payload: rpc('ping', {}) })
    await send(down.app, { url: '/health?ready' })
    const failures: string[] = []
    const explain = (error: unknown) => void failures.push(scrubber.text(explainFailure(error)))
    await down.services.database.migrate().catch(explain)
    await down.services.jobs.runDue().catch(explain)
    await runCommand(down.services, ['org', 'create', '--name', 'x']).catch(explain)
    await down.close()
    t.equal(failures.length, 3)
    const logged = lines.slice(seen).join('')
    t.match(logged, 'platform_db_unavailable')
    t.match(logged, 'ECONNREFUSED')
    t.same(markers.foundIn(logged + failures.join('\n')), [])
  })

  await t.test('in any table, except stored memories and names from the operator', async t => {
    await services.usage.flush()
    const dump = await dumpTables(database.db)
    for (const table of ['api_keys', 'usage', 'audit', 'jobs', 'memories', 'idempotency', 'user_subjects'])
      t.match(dump, new RegExp(`^${table} `, 'm'), `${table} has rows`)
    // The stored result of files__upload names the file, for the repetition of its call.
    t.same(markers.foundIn(dump, /^(an argument of (memory__|files__upload)|idempotency key$|command line$)/), [])
    t.ok(
      markers.foundIn(dump).some(what => what.startsWith('an argument of memory__')),
      'the search finds the stored memories',
    )
  })

  await close()
  t.match(lines.join(''), 'Redis does not answer', 'the log reports the failed counters')
  t.same(markers.foundIn(lines.join('')), [])
})
