import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { PublicHosts } from '../../lib/http/public-hosts.ts'
import errorEnvelope from '../../plugins/error-envelope/plugin.ts'
import origin, { type OriginOptions } from '../../plugins/origin/plugin.ts'
import { bare, localhost } from '../fixtures/fixture.ts'
import fc from '../fixtures/property.ts'

function fixture(t: Parameters<typeof bare>[0], options: Partial<OriginOptions> = {}) {
  const app = bare(t)
  app.register(errorEnvelope)
  app.register(origin, {
    ...localhost,
    hosts: new PublicHosts(() => ['https://gateway.example', 'http://localhost:3000']),
    ...options,
  })
  app.register(async scope => {
    scope.get('/where', { config: { cors: true } }, async request => ({ origin: request.origin }))
    scope.get('/closed', async () => ({}))
    scope.get('/probe', { config: { anyHost: true } }, async () => ({}))
    scope.post('/mcp', { config: { group: 'mcp', cors: true } }, async () => ({}))
  })
  return app
}

t.test('request.origin is the public origin of the called host', async t => {
  const app = fixture(t)
  for (const [host, expected] of [
    ['gateway.example', 'https://gateway.example'],
    ['GATEWAY.example', 'https://gateway.example'],
    ['gateway.example:443', 'https://gateway.example'],
    ['localhost:3000', 'http://localhost:3000'],
  ] as const) {
    const response = await app.inject({ url: '/where', headers: { host } })
    t.same(response.json(), { origin: expected }, host)
  }
})

t.test('a foreign host is rejected in the route’s envelope, except for probes', async t => {
  const app = fixture(t)
  for (const host of [
    'evil.example',
    'gateway.example:8443',
    'localhost',
    'gateway.example/x?y#z',
    'a@gateway.example',
    '',
  ]) {
    const response = await app.inject({ url: '/where', headers: { host } })
    t.equal(response.statusCode, 403, host)
    t.match(response.json(), { error: { type: 'forbidden', code: 'host_not_allowed' } })
    t.equal((await app.inject({ url: '/probe', headers: { host } })).statusCode, 200)
  }
  const mcp = await app.inject({ method: 'POST', url: '/mcp', headers: { host: 'evil.example' } })
  t.match(mcp.json(), { jsonrpc: '2.0', error: { code: -32000 }, id: null })
})

t.test('only listed hosts are accepted, whatever the header contains', async () => {
  const hosts = new PublicHosts(() => ['https://gateway.example'])
  fc.assert(
    fc.property(fc.string(), host => {
      const taken = hosts.originOf(host) !== undefined
      return taken === ['gateway.example', 'gateway.example:443'].includes(host.toLowerCase())
    }),
  )
})

t.test('a foreign Origin is rejected; an own one and a CORS one are accepted', async t => {
  const app = fixture(t, { corsOrigins: ['https://studio.example'] })
  const from = (origin: string) => app.inject({ url: '/closed', headers: { host: 'gateway.example', origin } })
  for (const own of ['https://gateway.example', 'http://localhost:3000', 'https://studio.example'])
    t.equal((await from(own)).statusCode, 200, own)
  for (const foreign of [
    'https://evil.example',
    'http://gateway.example',
    'null',
    'https://gateway.example.evil.example',
  ]) {
    const response = await from(foreign)
    t.equal(response.statusCode, 403, foreign)
    t.match(response.json(), { error: { code: 'origin_not_allowed' } })
  }
})

t.test('CORS headers are sent only to its origins, and only on routes that allow it', async t => {
  const app = fixture(t, { corsOrigins: ['https://studio.example'] })
  const headers = { host: 'gateway.example', origin: 'https://studio.example' }
  const open = await app.inject({ url: '/where', headers })
  t.equal(open.headers['access-control-allow-origin'], 'https://studio.example')
  t.match(open.headers['access-control-expose-headers'], 'WWW-Authenticate')
  t.equal((await app.inject({ url: '/closed', headers })).headers['access-control-allow-origin'], undefined)
  t.equal(
    (await fixture(t).inject({ url: '/where', headers: { host: 'gateway.example' } })).headers[
      'access-control-allow-origin'
    ],
    undefined,
  )
})

t.test('two Host headers are rejected, although Node shows only the first', async t => {
  const app = fixture(t, { hosts: new PublicHosts(port => [`http://localhost:${port}`]) })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const ask = async (hosts: string[]) => {
    const socket = connect(port, '127.0.0.1')
    socket.end(`GET /where HTTP/1.1\r\n${hosts.map(host => `Host: ${host}\r\n`).join('')}Connection: close\r\n\r\n`)
    return text(socket)
  }
  t.match(await ask([`localhost:${port}`]), /^HTTP\/1.1 200/)
  t.match(await ask([`localhost:${port}`, 'evil.example']), /^HTTP\/1.1 403/)
})

t.test('every response has nosniff, and HSTS if it is configured', async t => {
  const plain = await fixture(t).inject({ url: '/closed', headers: { host: 'gateway.example' } })
  t.equal(plain.headers['x-content-type-options'], 'nosniff')
  t.equal(plain.headers['strict-transport-security'], undefined)
  const unknown = await fixture(t, { hsts: true }).inject({ url: '/nowhere', headers: { host: 'gateway.example' } })
  t.equal(unknown.headers['x-content-type-options'], 'nosniff')
  t.match(unknown.headers['strict-transport-security'], 'max-age=')
})

t.test('origin does not load without the error envelope', async t => {
  const app = bare(t)
  app.register(origin, localhost)
  await t.rejects(async () => app.ready(), { code: 'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED' })
})
