import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { createPageFiles } from '../../services/dashboard/page-files.ts'
import { dashboardFixture } from './dashboard-fixture.ts'

t.test('every path that is no file is the page, under a strict policy', async t => {
  const { ask } = await dashboardFixture(t)
  for (const path of [
    '/',
    '/keys',
    '/sign-in?return=%2Fkeys',
    '/connect/callback?code=x&state=y',
    '/%2e%2e/%2e%2e/etc/passwd',
    '//',
    '//evil.example/x',
    '//[',
    '//a:b/x',
  ]) {
    const answer = await ask('GET', path)
    t.equal(answer.statusCode, 200, path)
    t.match(answer.body, '<title>Dashboard</title>', path)
    t.match(answer.headers, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy':
        /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'; require-trusted-types-for 'script'$/,
    })
    t.equal(answer.headers['set-cookie'], undefined)
  }
})

t.test('files are sent in the form that the browser accepts, and nothing else of the directory', async t => {
  const { ask } = await dashboardFixture(t)
  const plain = await ask('GET', '/app.js')
  t.match(plain.headers, { 'content-type': 'text/javascript; charset=utf-8', vary: 'accept-encoding' })
  t.equal(plain.headers['content-encoding'], undefined)
  const gzip = await ask('GET', '/app.js', undefined, undefined, { 'accept-encoding': 'gzip, deflate, br' })
  t.equal(gzip.headers['content-encoding'], 'gzip')
  const refused = await ask('GET', '/app.js', undefined, undefined, { 'accept-encoding': 'gzip;q=0, br' })
  t.equal(refused.headers['content-encoding'], undefined)
  for (const path of ['/secret.key', '/app.js.gz', '/../package.json', '/..%2fpackage.json'])
    t.notMatch((await ask('GET', path)).body, /not a file|connector-gateway/, path)
  for (const path of ['/api/unknown', '/auth/unknown', '/assets/unknown.js'])
    t.equal((await ask('GET', path)).statusCode, 404, path)
})

t.test('a file that a new build removed while the gateway runs is not found; one that was sent stays', async t => {
  const directory = t.testdir({ assets: { 'old.js': 'x', 'sent.js': 'y' } })
  const pages = createPageFiles(directory)
  t.match(pages.find('/assets/sent.js', ''), { body: Buffer.from('y') })
  rmSync(join(directory, 'assets'), { recursive: true })
  t.equal(pages.find('/assets/old.js', ''), undefined)
  t.match(pages.find('/assets/sent.js', ''), { body: Buffer.from('y') })
})

t.test('long answers to pages are compressed for browsers that accept it', async t => {
  const { ask, signIn, directory } = await dashboardFixture(t)
  const browser = await signIn((await (await directory.org()).member('owner')).userId)
  const read = (path: string, encodings: string) =>
    ask('GET', path, undefined, browser, { 'accept-encoding': encodings })
  const plain = await read('/api/connectors', 'gzip;q=0, br;q=0')
  const compressed = await read('/api/connectors', 'gzip, deflate')
  const brotli = await read('/api/connectors', 'gzip, deflate, br')
  t.match([plain.headers, compressed.headers], [{ vary: /Accept-Encoding/ }, { vary: /Accept-Encoding/ }])
  t.equal(plain.headers['content-encoding'], undefined)
  t.equal(compressed.headers['content-encoding'], 'gzip')
  t.same(JSON.parse(String(gunzipSync(compressed.rawPayload))), plain.json())
  t.equal(brotli.headers['content-encoding'], 'br')
  t.same(JSON.parse(String(brotliDecompressSync(brotli.rawPayload))), plain.json())
  t.ok(compressed.rawPayload.length < plain.rawPayload.length / 3)
  t.equal((await read('/api/session', 'gzip')).headers['content-encoding'], undefined, 'a short answer')
})

t.test('what was meant for the gateway is answered with its URL, not with a page', async t => {
  const { dashboard, host, services } = await dashboardFixture(t)
  const [gatewayUrl = ''] = services.hosts.mcpResources
  const client = { host, accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  const key = { ...client, 'x-api-key': 'cgw_dev_any' }
  const requests = [
    { method: 'POST', url: '/mcp', headers: key, payload: '{}' },
    { method: 'POST', url: '/mcp', headers: { ...client, 'content-type': 'text/plain' }, payload: 'no JSON' },
    { method: 'GET', url: '/mcp', headers: client },
    { method: 'DELETE', url: '/mcp', headers: client },
    { method: 'GET', url: '/.well-known/oauth-protected-resource/mcp', headers: client },
    { method: 'GET', url: '/artifacts/art_1?signature=x', headers: client },
    { method: 'POST', url: '/webhooks/stripe', headers: client, payload: '{}' },
    { method: 'GET', url: '/connectors', headers: key },
    { method: 'GET', url: '/members', headers: { ...client, authorization: 'Bearer a.b.c' } },
  ] as const
  for (const request of requests) {
    const answer = await dashboard.inject(request)
    t.equal(answer.statusCode, 404, `${request.method} ${request.url}`)
    t.match(answer.json(), { error: { code: 'endpoint_not_found', message: `MCP clients to ${gatewayUrl},` } })
  }
})

t.test('probes of the dashboard’s port are answered for any host', async t => {
  const { dashboard } = await dashboardFixture(t)
  const ask = (url: string, method: 'GET' | 'HEAD' = 'GET') =>
    dashboard.inject({ method, url, headers: { host: '10.0.0.7:3001' } })
  t.same((await ask('/health')).json(), { status: 'ok' })
  t.equal((await ask('/health', 'HEAD')).statusCode, 200)
  t.match((await ask('/health?ready')).json(), { status: 'ok', checks: { database: 'ok' } })
  t.equal((await ask('/keys')).statusCode, 403, 'pages only for its own')
})
