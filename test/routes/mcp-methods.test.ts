import t, { type Test } from 'tap'
import { type BuildOptions, build } from '../fixtures/build.ts'
import { session } from '../fixtures/fixture.ts'

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8'

async function fixture(t: Test, options?: BuildOptions) {
  const built = await build(t, options)
  const [ada] = await built.directory.members('member')
  const { key, id } = await ada.key()
  const send = (method: 'GET' | 'POST', headers: Record<string, string>) =>
    built.app.inject({
      method,
      url: '/mcp',
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
      ...(method === 'POST' && { payload: '{"jsonrpc":"2.0","id":1,"method":"ping"}' }),
    })
  return { ...built, ada, key, keyId: id, send }
}

t.test('GET /mcp answers 405 without a body to callers without a credential or with a valid one', async t => {
  const { app, key, send } = await fixture(t, { verifyJwt: async () => session() })
  for (const headers of [
    {},
    { 'x-api-key': key },
    { authorization: `Bearer ${key}` },
    { authorization: 'Bearer a.b.c' },
  ]) {
    const response = await send('GET', headers)
    t.same([response.statusCode, response.headers.allow, response.body], [405, 'POST', ''])
    t.equal(response.headers['cache-control'], 'no-store')
  }
  const signedIn = await app.inject({ url: '/mcp', headers: { 'x-api-key': key, accept: BROWSER } })
  t.same([signedIn.statusCode, signedIn.body], [405, ''], 'a client with a credential is no browser')
})

t.test('GET /mcp rejects an invalid credential exactly as POST does', async t => {
  const { key, send } = await fixture(t)
  for (const headers of [
    { 'x-api-key': 'cgw_dev_mistyped' },
    { 'x-api-key': '' },
    { authorization: 'Bearer' },
    { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.x' },
    { authorization: 'Bearer other', 'x-api-key': key },
  ]) {
    const [get, post] = [await send('GET', headers), await send('POST', headers)]
    t.equal(get.statusCode, 401)
    t.same(get.json(), post.json())
    t.match(get.headers['www-authenticate'], /resource_metadata="[^"]+", error="invalid_token"$/)
    t.equal(get.headers['www-authenticate'], post.headers['www-authenticate'])
  }
})

t.test('GET /mcp over the limit answers the 429 of POST, which names the limit and when to retry', async t => {
  const { key, send } = await fixture(t, { settings: { rateLimitMax: 2 } })
  t.equal((await send('POST', { 'x-api-key': key })).statusCode, 200)
  t.equal((await send('GET', { 'x-api-key': key })).statusCode, 405)
  const [get, post] = [await send('GET', { 'x-api-key': key }), await send('POST', { 'x-api-key': key })]
  t.equal(get.statusCode, 429)
  t.same(get.json(), post.json())
  t.match(get.json(), {
    error: {
      code: 'rate_limit_exceeded',
      message: /^Too many requests: the limit for this API key is 2 per minute\. Retry in \d+ s\.$/,
    },
  })
  t.equal((await send('GET', {})).statusCode, 405, 'without a credential nothing is counted')
})

t.test('GET /mcp with a credential fails as POST does while the database is down', async t => {
  const { key, send, services } = await fixture(t)
  await services.database.close()
  const [get, post] = [await send('GET', { 'x-api-key': key }), await send('POST', { 'x-api-key': key })]
  t.equal(get.statusCode, 503)
  t.same(get.json(), post.json())
  t.match(get.json(), { error: { code: 'platform_db_unavailable' } })
  t.equal((await send('GET', {})).statusCode, 405, 'without a credential nothing is looked up')
})

t.test('GET /mcp by a browser says in one line what this is', async t => {
  const { app } = await fixture(t)
  const page = await app.inject({ url: '/mcp', headers: { accept: BROWSER } })
  t.same([page.statusCode, page.headers.allow], [405, 'POST'])
  t.equal(page.headers['content-type'], 'text/plain; charset=utf-8')
  t.match(page.body, /^This is a connector gateway: an MCP server [^\n]* http:\/\/localhost\/mcp [^\n]*\n$/)
  t.equal((await app.inject({ url: '/mcp', headers: { accept: BROWSER, host: 'evil.example' } })).statusCode, 403)
})

t.test('every other method on /mcp answers 405, without reading a credential or a body', async t => {
  const { app, key } = await fixture(t)
  for (const method of ['DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD'] as const) {
    for (const credential of [{}, { 'x-api-key': key }, { 'x-api-key': 'cgw_dev_mistyped' }]) {
      const headers = { accept: BROWSER, 'content-type': 'application/json', ...credential }
      const response = await app.inject({
        method,
        url: '/mcp',
        headers,
        ...(method === 'PUT' && { payload: '{' }),
      })
      t.same([response.statusCode, response.headers.allow, response.body], [405, 'POST', ''], method)
    }
  }
})

t.test('POST /mcp/ is POST /mcp: with its own metadata document, audience and methods', async t => {
  const { app, key } = await fixture(t)
  const call = (url: string, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url,
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
      payload: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    })
  const [plain, slash] = [await call('/mcp', { 'x-api-key': key }), await call('/mcp/', { 'x-api-key': key })]
  t.equal(slash.statusCode, 200)
  t.equal(slash.body, plain.body)
  for (const path of ['/mcp', '/mcp/']) {
    const { headers, statusCode } = await call(path)
    t.equal(statusCode, 401)
    const metadata = `http://localhost/.well-known/oauth-protected-resource${path}`
    t.match(headers['www-authenticate'], `resource_metadata="${metadata}"`)
    t.equal((await app.inject({ url: new URL(metadata).pathname })).json().resource, `http://localhost${path}`)
    t.equal((await app.inject({ url: path })).statusCode, 405)
    t.equal((await app.inject({ url: path, headers: { 'x-api-key': 'cgw_dev_mistyped' } })).statusCode, 401)
  }
  t.equal((await call('/mcp//')).statusCode, 404, 'one slash')
})

t.test('a browser of CORS_ORIGINS may ask before it reads the metadata document', async t => {
  const origin = 'https://inspector.example'
  const { app } = await fixture(t, { settings: { corsOrigins: [origin] } })
  for (const path of ['/mcp', '/mcp/']) {
    const ask = (from: string) =>
      app.inject({
        method: 'OPTIONS',
        url: `/.well-known/oauth-protected-resource${path}`,
        headers: {
          origin: from,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'mcp-protocol-version',
        },
      })
    const { statusCode, headers } = await ask(origin)
    t.equal(statusCode, 204)
    t.match(headers, {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'mcp-protocol-version',
    })
    t.equal((await ask('https://evil.example')).statusCode, 403)
  }
})
