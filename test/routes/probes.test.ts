import t from 'tap'
import { build } from '../fixtures/build.ts'

t.test(
  'GET /health tells that the process lives, whatever its database does, under any host and with HEAD',
  async t => {
    const { app, services } = await build(t)
    const alive = await app.inject({ url: '/health', headers: { host: '10.0.0.7:3000' } })
    t.same({ status: alive.statusCode, body: alive.json() }, { status: 200, body: { status: 'ok' } })
    const head = await app.inject({ method: 'HEAD', url: '/health' })
    t.same({ status: head.statusCode, body: head.body }, { status: 200, body: '' })
    await services.database.close()
    t.equal((await app.inject('/health')).statusCode, 200)
  },
)

t.test('GET /health?ready says whether the process should get traffic, and what is wrong', async t => {
  const { app, services } = await build(t)
  const ready = await app.inject('/health?ready')
  t.equal(ready.statusCode, 200)
  t.same(ready.json().checks, {
    database: 'ok',
    migrations: 'ok',
    vault_keys: 'ok',
    log: 'ok',
    lost_log_lines: 0,
    draining: false,
    waiting_bytes: 0,
  })

  services.readiness.drain()
  const draining = await app.inject('/health?ready')
  t.equal(draining.statusCode, 503)
  t.match(draining.json(), {
    error: { type: 'api_error', code: 'not_ready' },
    checks: { database: 'ok', draining: true },
  })

  await services.database.close()
  const down = await app.inject('/health?ready')
  t.equal(down.statusCode, 503)
  t.match(down.json(), { error: { code: 'not_ready' }, checks: { database: 'failing', migrations: 'failing' } })
})

t.test('readiness reports a log that cannot be written and stays 200, because the process still serves', async t => {
  const { app } = await build(t, { logHealth: () => ({ failing: true, lost: 7, reason: 'EPIPE' }) })
  const ready = await app.inject('/health?ready')
  t.equal(ready.statusCode, 200)
  t.match(ready.json(), { status: 'ok', checks: { database: 'ok', log: 'failing', lost_log_lines: 7 } })
})

t.test('GET /version names the build, the environment and the revisions of MCP', async t => {
  const { app } = await build(t)
  t.same((await app.inject({ url: '/version', headers: { host: 'balancer.internal' } })).json(), {
    name: 'connector-gateway',
    version: '0.0.0-test',
    commit: 'unknown',
    environment: 'development',
    mcp_protocol_versions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
  })
})

t.test('the metadata document names the resource on the host that was called', async t => {
  const { app } = await build(t, { settings: { publicOrigins: () => ['https://a.example', 'https://b.example'] } })
  const url = '/.well-known/oauth-protected-resource/mcp'
  for (const host of ['a.example', 'b.example']) {
    const response = await app.inject({ url, headers: { host } })
    t.equal(response.statusCode, 200)
    t.same(response.json(), {
      resource: `https://${host}/mcp`,
      authorization_servers: [],
      bearer_methods_supported: ['header'],
    })
  }
  t.equal((await app.inject({ url, headers: { host: 'evil.example' } })).statusCode, 403)
})

t.test('GET / says in one line what this is and where to read more, with HEAD too', async t => {
  const { app } = await build(t)
  const page = await app.inject({ url: '/', headers: { accept: 'text/html' } })
  t.same([page.statusCode, page.headers['content-type']], [200, 'text/plain; charset=utf-8'])
  t.match(
    page.body,
    /^This is a connector gateway: an MCP server [^\n<]* http:\/\/localhost\/mcp [^\n<]*docs\/api\.md[^\n<]*\n$/,
  )
  const head = await app.inject({ method: 'HEAD', url: '/' })
  t.same([head.statusCode, head.headers['content-length'], head.body], [200, page.headers['content-length'], ''])
  t.equal((await app.inject({ url: '/', headers: { host: 'evil.example' } })).statusCode, 403)
  t.match((await app.inject({ method: 'POST', url: '/' })).json(), { error: { code: 'endpoint_not_found' } })
})
