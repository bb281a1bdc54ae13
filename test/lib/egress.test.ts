import { randomBytes } from 'node:crypto'
import { getEventListeners } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import {
  allowInsecureRequests,
  ClientSecretBasic,
  customFetch,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
} from 'oauth4webapi'
import t from 'tap'
import { parseAllowList } from '../../lib/egress/allow-list.ts'
import { readBounded } from '../../lib/egress/bodies.ts'
import { createConnector } from '../../lib/egress/create-egress.ts'
import type { EgressRequest, StreamedBody } from '../../lib/egress/egress.ts'
import { egressErrorOf } from '../../lib/egress/egress-errors.ts'
import { redirected } from '../../lib/egress/prepare.ts'
import { createAddressRules } from '../../lib/egress/private-addresses.ts'
import { egressOf, failureOf, rawUpstream, upstream } from '../fixtures/egress-fixture.ts'
import { waitedMs } from '../fixtures/elapsed.ts'
import { until } from '../fixtures/until.ts'

const get = (url: string) => ({ method: 'GET', url })

/** An answer for each path, and `ok` for any other. */
function paths(answers: Record<string, (response: ServerResponse, request: IncomingMessage) => unknown>) {
  return (request: IncomingMessage, response: ServerResponse) => {
    const answer = answers[request.url ?? '']
    if (answer === undefined) response.end('ok')
    else answer(response, request)
  }
}

async function textOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return `${Buffer.concat(chunks)}`
}

t.test('an answer comes with its status, its headers by lower-case name, its URL and its text', async t => {
  const server = await upstream(t, (_request, response) => {
    response.writeHead(418, { 'X-One': ['a', 'b'], 'set-cookie': ['c=1', 'd=2'] })
    response.end('\ufefféclair')
  })
  const answer = await egressOf(t).request(get(`${server.origin}/a%20b?c=d#e`))
  t.match(answer, { status: 418, headers: { 'x-one': 'a, b', 'set-cookie': 'c=1, d=2' }, body: 'éclair' })
  t.equal(new URL(answer.url).pathname, '/a%20b')
  t.match(server.requests, [{ method: 'GET', url: '/a%20b?c=d', headers: { 'user-agent': 'connector-gateway' } }])
})

t.test('a credential goes to its own origin only', async t => {
  const mine = await upstream(t, (_request, response) =>
    response.writeHead(307, { location: `${other.origin}/b` }).end(),
  )
  const other = await upstream(t, (_request, response) =>
    response.writeHead(302, { location: `${last.origin}/c` }).end(),
  )
  const last = await upstream(t)
  const egress = egressOf(t)
  const credential = { origin: mine.origin, headers: { 'X-Api-Key': 'secret', Authorization: 'Bearer secret' } }

  const failure = await failureOf(egress.request({ ...get(`${other.origin}/`), credential }))
  t.equal(failure.reason, 'refused')
  t.equal(other.connections, 0, 'nothing was sent')

  const headers = { cookie: 'secret=1', 'x-plain': 'stays' }
  const answer = await egress.request({
    method: 'POST',
    url: `${mine.origin}/a`,
    headers,
    credential,
    body: 'x',
    maxRedirects: 5,
  })
  t.equal(answer.url, `${last.origin}/c`)
  t.match(mine.requests, [{ headers: { 'x-api-key': 'secret', authorization: 'Bearer secret', cookie: 'secret=1' } }])
  for (const { headers } of [...other.requests, ...last.requests]) {
    t.equal(headers['x-plain'], 'stays')
    t.notOk(JSON.stringify(headers).includes('secret'))
  }
})

t.test('an invalid request is refused, and an error names the host but no path, query or header', async t => {
  const server = await upstream(t)
  const egress = egressOf(t)
  const url = `${server.origin}/secret-path?q=secret-query`
  const refused = [
    { method: 'CONNECT', url },
    { method: 'trace', url },
    { method: 'G T', url },
    { ...get(url), headers: { Host: 'internal.example' } },
    { ...get(url), headers: { 'Transfer-Encoding': 'chunked' } },
    { ...get(url), headers: { 'content-length': '5' }, body: 'x' },
    { ...get(url), headers: { authorization: 'secret\r\nx: y' } },
    { ...get(url), headers: { 'x\ny': 'secret' } },
    { ...get(url), headers: { 'x-name': 'secret \u20ac' } },
    get(url.replace('//', '//secret-user:secret-password@')),
  ]
  for (const request of refused) {
    const failure = await failureOf(egress.request(request))
    t.match(failure, { reason: 'refused', message: `127.0.0.1:${server.port}` })
    t.notMatch(`${failure.stack}${failure.cause}`, /secret/)
  }
  t.same(server.requests, [])
})

t.test('an answer says whether its request had the credential, and a failure whether anything was sent', async t => {
  const away = await upstream(t, (_, response) => response.writeHead(302, { location: `${server.origin}/final` }).end())
  const server = await upstream(
    t,
    paths({
      '/near': response => response.writeHead(302, { location: '/final' }).end(),
      '/away': response => response.writeHead(302, { location: away.origin }).end(),
    }),
  )
  const cut = await rawUpstream(t, socket => socket.destroy())
  const egress = egressOf(t)
  const credential = { origin: server.origin, headers: { 'X-Key': randomBytes(8).toString('hex') } }
  const at = async (path: string, more: object = { credential }) =>
    (await egress.request({ ...get(server.origin + path), maxRedirects: 3, ...more })).answeredWithCredential
  t.equal(await at('/final'), true)
  t.equal(await at('/near'), true)
  t.equal(await at('/away'), false, 'once left behind, it is not taken up again')
  t.equal(await at('/final', {}), false)

  t.match(await failureOf(egress.request(get(cut.origin))), { reason: 'unreachable', sent: true })
  const unsent = [
    get('http://127.0.0.1:9/'),
    get('http://10.0.0.1/'),
    { ...get(cut.origin), signal: AbortSignal.abort() },
  ]
  for (const request of unsent) t.match(await failureOf(egress.request(request)), { sent: false }, request.url)
})

t.test('redirects are followed up to the requested number, each checked like a new request', async t => {
  const outside = await rawUpstream(t, socket => socket.end())
  const server = await upstream(
    t,
    paths({
      '/one': response => response.writeHead(302, { location: '/two' }).end('moved'),
      '/two': response => response.writeHead(301, { location: 'final?a=b#c' }).end(),
      '/loop': response => response.writeHead(302, { location: '/loop' }).end(),
      '/303': response => response.writeHead(303, { location: '/final' }).end(),
      '/307': response => response.writeHead(307, { location: '/final' }).end(),
      '/big': response => response.writeHead(302, { location: '/final' }).end('x'.repeat(1_000_000)),
      '/private': response => response.writeHead(302, { location: 'https://10.0.0.1/secret-path' }).end(),
      '/login': response => response.writeHead(302, { location: `http://a:b@127.0.0.1:${outside.port}/` }).end(),
      '/nowhere': response => response.writeHead(302, { location: 'http://[' }).end(),
      '/none': response => response.writeHead(304).end(),
    }),
  )
  const egress = egressOf(t)
  const at = (path: string, maxRedirects?: number) =>
    egress.request({ ...get(server.origin + path), maxRedirects: maxRedirects ?? 0 })

  t.match(await at('/one'), { status: 302, headers: { location: '/two' }, body: 'moved' }, 'none by default')
  t.match(await at('/one', 2), { status: 200, url: `${server.origin}/final?a=b#c`, body: 'ok' })
  t.match(await at('/big', 1), { status: 200, url: `${server.origin}/final` }, 'a large body of a redirect is not read')
  t.match(await at('/none', 1), { status: 304 })
  t.match(await failureOf(at('/one', 1)), { reason: 'refused', message: 'redirects more than 1 times' })
  t.match(await failureOf(at('/private', 1)), { reason: 'refused', message: /^10\.0\.0\.1 .*EGRESS_ALLOW/ })
  t.match(await failureOf(at('/login', 1)), { reason: 'refused' })
  t.match(await failureOf(at('/nowhere', 1)), { reason: 'refused' })
  t.equal(outside.connections, 0)

  server.requests.length = 0
  t.match(await failureOf(at('/loop', 10)), { reason: 'refused' })
  t.equal(server.requests.length, 11)

  await t.test('with the method and the body that fetch would send', async t => {
    const post = async (path: string, body: EgressRequest['body'] & {}) => {
      server.requests.length = 0
      const headers = { 'content-type': 'text/plain' }
      await egress.request({ method: 'POST', url: server.origin + path, headers, body, maxRedirects: 2 })
      return server.requests.at(-1)
    }
    t.match(await post('/one', 'x'), { method: 'GET', body: '', headers: { 'content-type': undefined } })
    const streamed = { bytes: 3, open: () => Readable.from([Buffer.from('x'), Buffer.from('yz')]) }
    t.match(await post('/303', streamed), { method: 'GET', body: '', headers: { 'content-length': undefined } })
    t.match(await post('/307', 'x'), { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } })
    t.match(await post('/307', streamed), { method: 'POST', body: 'xyz', headers: { 'content-length': '3' } })
  })

  await t.test('a redirect from https to http is refused', async t => {
    const rules = createAddressRules({ allow: parseAllowList(['git.corp.example']), allowLoopback: true })
    const outgoing = { method: 'GET', url: new URL('https://git.corp.example/'), headers: {}, body: null }
    const to = (location: string) => redirected(outgoing, 302, location, [], rules)
    t.throws(() => to('http://git.corp.example/x'), { name: 'EgressError', message: 'from https to http' })
    t.throws(() => to('http://127.0.0.1/'), { name: 'EgressError', message: 'from https to http' })
    t.equal(to('//git.corp.example/x').url.href, 'https://git.corp.example/x')
  })
})

t.test('a compressed body is decompressed, and its limit counts decompressed bytes', async t => {
  const text = 'hello '.repeat(1_000)
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
  const encoded = (encoding: string, body: Buffer) => (response: ServerResponse) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(body)
  const server = await upstream(
    t,
    paths({
      '/gzip': encoded('GZIP', gzipSync(text)),
      '/deflate': encoded('deflate', deflateSync(text)),
      '/br': encoded('br', brotliCompressSync(text)),
      '/identity': encoded('identity', Buffer.from(text)),
      '/empty': encoded('gzip', Buffer.alloc(0)),
      '/bomb': encoded('gzip', bomb),
      '/brotli-bomb': encoded('br', brotliCompressSync(Buffer.alloc(64 * 1024 * 1024))),
      '/twice': encoded('gzip, gzip', gzipSync(gzipSync(text))),
      '/unknown': encoded('zstd', Buffer.from(text)),
      '/proto': encoded('constructor', Buffer.from(text)),
      '/garbled': encoded('gzip', Buffer.from(text)),
      '/truncated': encoded('gzip', gzipSync(text).subarray(0, 40)),
    }),
  )
  const egress = egressOf(t)
  const ways = {
    request: async (path: string, maxBytes = 1_000_000) =>
      (await egress.request({ ...get(server.origin + path), maxBytes })).body,
    stream: async (path: string, maxBytes = 1_000_000) =>
      textOf((await egress.stream({ ...get(server.origin + path), maxBytes })).body),
  }
  for (const [way, read] of Object.entries(ways)) {
    await t.test(way, async t => {
      for (const path of ['/gzip', '/deflate', '/br', '/identity']) {
        t.equal(await read(path), text, path)
        t.equal(await read(path, text.length), text, `${path}, no larger than allowed`)
        t.match(await failureOf(read(path, text.length - 1)), { reason: 'too_large' }, `${path}, one byte larger`)
      }
      t.equal(await read('/empty'), '')
      for (const path of ['/bomb', '/brotli-bomb']) {
        const before = process.memoryUsage().rss
        t.match(await failureOf(read(path)), { reason: 'too_large', message: 'more than 1000000 bytes' }, path)
        t.ok(process.memoryUsage().rss - before < 32 * 1024 * 1024, 'is not unpacked whole')
      }
      for (const path of ['/twice', '/unknown', '/proto', '/garbled', '/truncated'])
        t.match(await failureOf(read(path)), { reason: 'unreachable' }, path)
    })
  }
  t.match(server.requests[0]?.headers, { 'accept-encoding': 'gzip, deflate, br' })
})

t.test('a body is read up to its limit, with or without a Content-Length', async t => {
  const server = await upstream(
    t,
    paths({
      '/announced': response => response.writeHead(200, { 'content-length': '1000' }).end('x'.repeat(1_000)),
      '/endless': response => Readable.from(endless()).pipe(response),
    }),
  )
  async function* endless() {
    while (true) yield Buffer.alloc(16_384, 'x')
  }
  const egress = egressOf(t)
  const read = (path: string, maxBytes: number) => egress.request({ ...get(server.origin + path), maxBytes })
  t.equal((await read('/announced', 1_000)).body.length, 1_000)
  t.match(await failureOf(read('/announced', 999)), { reason: 'too_large' })
  t.match(await failureOf(read('/endless', 100_000)), { reason: 'too_large' })
  t.match((await egress.request({ ...get(`${server.origin}/announced`), method: 'HEAD', maxBytes: 10 })).status, 200)
  const { body } = await egress.stream({ ...get(`${server.origin}/endless`), maxBytes: 100_000 })
  t.match(await failureOf(textOf(body)), { reason: 'too_large' })
})

t.test('the deadline covers the whole exchange', async t => {
  const server = await upstream(
    t,
    paths({
      '/silent': () => {},
      '/drip': response => drip(response),
      '/around': response => setTimeout(() => response.writeHead(302, { location: '/around' }).end(), 20),
    }),
  )
  function drip(response: ServerResponse) {
    const timer = setInterval(() => response.write('x'), 10)
    response.on('close', () => clearInterval(timer))
  }
  const egress = egressOf(t)
  for (const path of ['/silent', '/drip', '/around']) {
    const request = { ...get(server.origin + path), deadlineMs: 100, maxRedirects: 1_000 }
    const waited = await waitedMs(async () =>
      t.match(await failureOf(egress.request(request)), { reason: 'timeout', message: 'within 100 ms' }, path),
    )
    t.ok(waited < 1_000, path)
  }
  const { body } = await egress.stream({ ...get(`${server.origin}/drip`), deadlineMs: 1_000 })
  t.match(await failureOf(textOf(body)), { reason: 'timeout' }, 'a stream')

  await t.test('also the wait for a connection: a request that was not sent in time is never sent', async t => {
    const narrow = egressOf(t, { maxConnectionsPerOrigin: 1 })
    server.requests.length = 0
    const first = narrow.request({ ...get(`${server.origin}/silent`), deadlineMs: 2_000 })
    await until(() => server.requests.length === 1)
    const second = narrow.request({ ...get(`${server.origin}/second`), deadlineMs: 50 })
    t.match(await failureOf(second), { reason: 'timeout' })
    t.match(await failureOf(first), { reason: 'timeout' })
    t.match(await narrow.request(get(`${server.origin}/third`)), { status: 200 })
    t.same(server.requests.map(({ url }) => url).sort(), ['/silent', '/third'])
  })

  await t.test('also a lookup that never answers', async t => {
    const stuck = egressOf(t, { lookup: () => {} })
    t.match(await failureOf(stuck.request({ ...get('https://api.example.com/'), deadlineMs: 50 })), {
      reason: 'timeout',
    })
  })
})

t.test('a caller can abort at any time', async t => {
  const server = await upstream(
    t,
    paths({
      '/silent': () => {},
      '/begun': response => response.write('begun'),
      '/slow': response => response.write('x'),
    }),
  )
  const egress = egressOf(t)
  const early = AbortSignal.abort()
  t.match(await failureOf(egress.request({ ...get(server.origin), signal: early })), { reason: 'aborted' })
  t.equal(server.connections, 0)

  for (const path of ['/silent', '/begun']) {
    const caller = new AbortController()
    const answer = failureOf(egress.request({ ...get(server.origin + path), signal: caller.signal }))
    while (!server.requests.some(({ url }) => url === path)) await new Promise(setImmediate)
    caller.abort(new Error('why'))
    t.match(await answer, { reason: 'aborted', message: `127.0.0.1:${server.port}` }, path)
  }

  const caller = new AbortController()
  const { body } = await egress.stream({ ...get(`${server.origin}/begun`), signal: caller.signal })
  caller.abort()
  t.match(await failureOf(textOf(body)), { reason: 'aborted' }, 'a stream')

  const deadline = failureOf(egress.request({ ...get(`${server.origin}/silent`), signal: AbortSignal.timeout(30) }))
  t.match(await deadline, { reason: 'timeout' }, 'a caller with a deadline of its own')

  const kept = new AbortController()
  await egress.request({ ...get(server.origin), signal: kept.signal })
  await failureOf(egress.request({ ...get('https://10.0.0.1/'), signal: kept.signal }))
  t.equal(getEventListeners(kept.signal, 'abort').length, 0, 'nothing stays behind on its signal')
})

t.test('a stream is read at the speed of its reader, and may stay unread', async t => {
  let written = 0
  const closed = Promise.withResolvers<void>()
  const server = await upstream(
    t,
    paths({
      '/endless': response => {
        const fill = () => {
          while (response.write(Buffer.alloc(16_384))) written += 16_384
        }
        response.on('drain', fill).on('close', closed.resolve)
        fill()
      },
      '/cut': response => {
        response.writeHead(200, { 'content-length': '100' }).write('x')
        setImmediate(() => response.destroy())
      },
    }),
  )
  const egress = egressOf(t)
  const { body } = await egress.stream({ ...get(`${server.origin}/endless`), maxBytes: 1e12 })
  // The buffers in between fill first, which takes a while on a busy machine. Without back pressure this does not end.
  let held = -1
  while (held !== written) {
    held = written
    await delay(100)
  }
  await delay(100)
  t.equal(written, held, 'the server waits')
  body.destroy()
  await closed.promise

  // Nothing listens to this error; the process survives.
  const unread = await egress.stream(get(`${server.origin}/cut`))
  await new Promise(resolve => unread.body.on('close', resolve))
  t.match(unread.body.errored, { name: 'EgressError', reason: 'unreachable' })
})

t.test('a request is sent exactly once, even if a reused connection breaks', async t => {
  let answered = 0
  const server = await upstream(t, (request, response) => {
    if (request.method === 'GET') response.end(`${++answered}`)
    else request.socket.destroy()
  })
  const egress = egressOf(t, { maxConnectionsPerOrigin: 1 })
  for (const method of ['POST', 'PUT', 'DELETE']) {
    await egress.request(get(server.origin))
    const { connections } = server
    t.match(
      await failureOf(egress.request({ method, url: server.origin, body: 'x' })),
      { reason: 'unreachable' },
      method,
    )
    t.equal(server.connections, connections, 'on the kept connection, and on no other')
  }
  t.same(
    server.requests.map(({ method }) => method),
    ['GET', 'POST', 'GET', 'PUT', 'GET', 'DELETE'],
  )
})

/** The failure of a name without a usable address, whether it does not exist or has a private one. */
const notPublic = (name: string) => ({
  reason: 'unreachable',
  sent: false,
  message: `${name} does not resolve to a public address.`,
})

t.test('every lookup of a name checks all of its addresses', async t => {
  const server = await upstream(t, (_request, response) => response.writeHead(200, { connection: 'close' }).end('ok'))
  let addresses: string[] = []
  const egress = egressOf(t, {
    allow: parseAllowList(['127.0.0.1', 'git.corp.example']),
    allowLoopback: false,
    lookup: (_hostname, _options, callback) =>
      callback(
        null,
        addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
  })
  const ask = (name: string) => egress.request({ ...get(`http://${name}:${server.port}/`), deadlineMs: 20_000 })

  addresses = ['127.0.0.1']
  t.match(await ask('rebind.example'), { body: 'ok' })
  for (const rebound of [
    ['127.0.0.2'],
    ['::1'],
    ['127.0.0.1', '10.0.0.1'],
    ['169.254.169.254'],
    ['::ffff:127.0.0.2'],
  ]) {
    addresses = rebound
    t.match(await failureOf(ask('rebind.example')), notPublic('rebind.example'), `${rebound}`)
  }
  addresses = ['127.0.0.2']
  t.match(
    await failureOf(ask('git.corp.example')),
    notPublic('git.corp.example'),
    'a named host does not open this machine',
  )
  addresses = ['93.184.216.34']
  t.match(
    await failureOf(ask('plain.example')),
    { reason: 'refused', message: 'https' },
    'http is not for the Internet',
  )
  addresses = []
  t.match(await failureOf(ask('none.example')), notPublic('none.example'), 'the same as of a private address')
  t.equal(server.connections, 1)

  await t.test('and the address of the open connection is checked again', async t => {
    const verdicts = [undefined, 'is not what it was']
    const rules = {
      refusal: () => verdicts.shift(),
      names: () => false,
      somePlain: true,
      loopback: true,
      isPublic: () => true,
    }
    const connect = createConnector({
      rules,
      timeoutMs: 20_000,
      lookup: (_hostname, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    })
    const { promise, resolve } = Promise.withResolvers<unknown>()
    connect({ hostname: 'a.example', protocol: 'http:', port: `${server.port}` }, (...[error]) => resolve(error))
    t.match(await promise, { reason: 'refused', message: 'is not what it was' })
    t.equal(server.requests.length, 1)
  })
})

t.test('failures of TLS are said in words, without the codes of a library', async t => {
  const cases: [code: string, words: RegExp][] = [
    ['ERR_SSL_WRONG_VERSION_NUMBER', /answers without TLS/],
    ['ERR_SSL_PACKET_LENGTH_TOO_LONG', /answers without TLS/],
    ['CERT_HAS_EXPIRED', /has expired/],
    ['CERT_NOT_YET_VALID', /not valid yet/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /for another host name/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /not trusted here.*NODE_EXTRA_CA_CERTS/],
    ['SELF_SIGNED_CERT_IN_CHAIN', /not trusted here/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /not trusted here/],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /not trusted here/],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', /requires a client certificate/],
    ['ERR_SSL_TLSV1_UNRECOGNIZED_NAME', /does not serve this host name/],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', /no TLS version or cipher/],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', /no TLS version or cipher/],
    ['ERR_SSL_UNEXPECTED_MESSAGE', /failed the TLS handshake/],
  ]
  for (const [code, words] of cases) {
    const { reason, message, cause } = egressErrorOf(
      Object.assign(new Error('Quotes the answer'), { code }),
      'wiki.test',
    )
    t.match(message, words, code)
    t.match(message, /^wiki\.test [a-z].*\.$/)
    t.notOk(message.includes(code), 'the code is only for the log')
    t.same([reason, cause], ['unreachable', { code }])
  }
})

t.test('unreachable, untrusted and invalid servers fail with different messages', async t => {
  const server = await upstream(t)
  const egress = egressOf(t, {
    lookup: (_hostname, _options, callback) => callback(Object.assign(new Error(), { code: 'ENOTFOUND' }), []),
  })
  t.match(await failureOf(egress.request(get('https://nowhere.example/'))), {
    reason: 'unreachable',
    message: 'does not resolve to a public address',
  })
  t.match(await failureOf(egress.request(get('http://127.0.0.1:9999/'))), {
    reason: 'unreachable',
    message: 'refused the connection',
  })
  const tls = await failureOf(egress.request(get(server.origin.replace('http', 'https'))))
  t.match(tls, {
    reason: 'unreachable',
    message: /^127\.0\.0\.1:\d+ answers without TLS on this port\. Check the port/,
  })
  const garbage = await rawUpstream(t, socket => socket.end('220 mail.example ESMTP\r\n'))
  t.match(await failureOf(egress.request(get(garbage.origin))), { reason: 'unreachable', message: 'not HTTP' })
})

t.test('a form is sent with its length, and sent again after a redirect that needs it', async t => {
  const server = await upstream(
    t,
    paths({ '/moved': response => response.writeHead(307, { location: '/here' }).end() }),
  )
  const body = new FormData()
  body.set('title', 'Notes')
  body.set('file', new Blob(['content']), 'notes.txt')
  const headers = { 'Content-Type': 'multipart/form-data' }
  await egressOf(t).request({ method: 'POST', url: `${server.origin}/moved`, headers, body, maxRedirects: 1 })
  for (const { headers, body } of server.requests) {
    const sent = await new Response(body, { headers: { 'content-type': `${headers['content-type']}` } }).formData()
    t.equal(sent.get('title'), 'Notes')
    t.equal(await (sent.get('file') as File).text(), 'content')
    t.equal(headers['content-length'], `${Buffer.byteLength(body)}`)
  }
  t.equal(server.requests.length, 2)
})

t.test('a streamed body is sent as it is read, and closed whatever happens', async t => {
  const silent = await rawUpstream(t, () => {})
  const early = await rawUpstream(t, socket =>
    socket.write('HTTP/1.1 413 Payload Too Large\r\ncontent-length: 9\r\n\r\ntoo large'),
  )
  const egress = egressOf(t)
  const opened: Readable[] = []
  const streamed = (bytes: number, failing?: Error) => ({
    bytes,
    open() {
      const body = Readable.from(
        (function* () {
          for (let sent = 0; sent < bytes; sent += 1000) {
            if (failing !== undefined && sent > 50_000) throw failing
            yield Buffer.alloc(Math.min(1000, bytes - sent), 1)
          }
        })(),
      )
      opened.push(body)
      return body
    },
  })
  const post = ({ origin }: { origin: string }, body: StreamedBody, more: Partial<EgressRequest> = {}) =>
    egress.request({ method: 'POST', url: origin, body, ...more })

  t.match(await post(early, streamed(50_000_000)), { status: 413, body: 'too large' })
  const cause = new Error('the disk is gone')
  t.match(await failureOf(post(silent, streamed(100_000, cause))), { reason: 'aborted', sent: true, cause })
  t.match(await failureOf(post(silent, streamed(50_000_000), { deadlineMs: 100 })), { reason: 'timeout' })
  const shorter = { bytes: 10, open: () => streamed(9).open() }
  t.match(await failureOf(post(silent, shorter)), { reason: 'refused', message: 'Content-Length' })
  const longer = { bytes: 10, open: () => streamed(11).open() }
  t.match(await failureOf(post(silent, longer)), { reason: 'refused', message: 'Content-Length' })
  t.equal(opened.length, 5)
  for (const body of opened) t.ok(body.destroyed)
})

t.test('a bounded read keeps the beginning of a stream, and says whether that is everything', async t => {
  for (const [limit, kept, whole] of [
    [7, 'abcdef', true],
    [6, 'abcdef', true],
    [5, 'abcde', false],
    [0, '', false],
  ] as const) {
    const body = Readable.from([Buffer.from('abc'), Buffer.from('def')])
    const { bytes, ...rest } = await readBounded(body, limit)
    t.same([`${bytes}`, rest], [kept, { whole }])
    t.ok(body.destroyed)
  }
  const endless = Readable.from(
    (function* () {
      while (true) yield Buffer.alloc(100)
    })(),
  )
  t.equal((await readBounded(endless, 250)).bytes.length, 250)
})

t.test('fetch serves libraries that build their own requests', async t => {
  const server = await upstream(
    t,
    paths({
      '/token': response =>
        response.setHeader('content-type', 'application/json').end('{"access_token":"a","token_type":"bearer"}'),
      '/moved': response => response.writeHead(302, { location: '/token' }).end('moved'),
      '/nothing': response => response.writeHead(204).end(),
      '/silent': () => {},
    }),
  )
  const egress = egressOf(t)
  const as = { issuer: server.origin, token_endpoint: `${server.origin}/token` }
  const client = { client_id: 'gateway' }
  const response = await refreshTokenGrantRequest(as, client, ClientSecretBasic('secret'), 'refresh', {
    [customFetch]: egress.fetch,
    [allowInsecureRequests]: true,
  })
  t.match(await processRefreshTokenResponse(as, client, response), { access_token: 'a' })
  t.match(server.requests, [{ method: 'POST', body: 'refresh_token=refresh&grant_type=refresh_token' }])
  t.match(server.requests[0]?.headers['content-type'], 'application/x-www-form-urlencoded')

  const moved = await egress.fetch(`${server.origin}/moved`, {})
  t.equal(moved.status, 302)
  t.equal(moved.headers.get('location'), '/token')
  t.equal((await egress.fetch(`${server.origin}/nothing`, { method: 'DELETE' })).body, null)
  const signal = AbortSignal.timeout(30)
  t.match(await failureOf(egress.fetch(`${server.origin}/silent`, { signal })), { reason: 'timeout' })
  t.match(await failureOf(egress.fetch('https://10.0.0.1/', {})), { reason: 'refused' })
})

t.test('closing ends all requests in flight', async t => {
  const server = await upstream(t, () => {})
  const egress = egressOf(t)
  const answer = failureOf(egress.request(get(server.origin)))
  while (server.requests.length === 0) await new Promise(setImmediate)
  await egress.close()
  t.match(await answer, { reason: 'aborted' })
  t.match(await failureOf(egress.request(get(server.origin))), { reason: 'aborted' })
})

t.test(
  'requests with one concurrency key never use all connections to an origin; further ones wait in the queue',
  async t => {
    const held: ServerResponse[] = []
    const server = await upstream(t, (request, response) => {
      if (request.url === '/slow') held.push(response)
      else response.end('ok')
    })
    const egress = egressOf(t, { maxConnectionsPerOrigin: 4, maxConcurrentPerKey: 3 })
    const slow = Array.from({ length: 5 }, () =>
      egress.request({ ...get(`${server.origin}/slow`), concurrencyKey: 'org_a' }),
    )
    while (held.length < 3) await delay(5)
    t.match(await egress.request({ ...get(`${server.origin}/fast`), concurrencyKey: 'org_b' }), { body: 'ok' })
    t.match(await egress.request(get(`${server.origin}/fast`)), { body: 'ok' }, 'nor do requests without a key')
    const other = await upstream(t)
    t.match(
      await egress.request({ ...get(other.origin), concurrencyKey: 'org_a' }),
      { body: 'ok' },
      'another origin is another line',
    )
    t.equal(held.length, 3)
    for (let answered = 0; answered < 5; answered++) {
      while (held[answered] === undefined) await delay(5)
      held[answered]?.end('done')
    }
    t.same(
      (await Promise.all(slow)).map(({ body }) => body),
      Array.from({ length: 5 }, () => 'done'),
    )
  },
)

t.test(
  'a request that waits too long in the queue, or finds it full, fails as overloaded and is never sent',
  async t => {
    const server = await upstream(t, (_request, response) => response.on('close', () => {}))
    const egress = egressOf(t, { maxConcurrentPerKey: 1, queueWaitMs: 50 })
    const request = { ...get(server.origin), concurrencyKey: 'org_a' }
    const held = new AbortController()
    const sent = failureOf(egress.request({ ...request, signal: held.signal }))
    const overloaded = {
      reason: 'overloaded',
      sent: false,
      message: /^The request to 127\.0\.0\.1:\d+ was not sent: your organization/,
    }
    let opened = 0
    const body = { bytes: 1, open: () => Readable.from([`${opened++}`]) }
    t.match(await failureOf(egress.request({ ...request, method: 'POST', body })), overloaded)
    t.equal(opened, 0, 'nothing of a body is opened in the queue')
    t.match(await failureOf(egress.request({ ...request, deadlineMs: 10 })), overloaded, 'nor is it a timeout')
    const given = new AbortController()
    const waiting = failureOf(egress.request({ ...request, signal: given.signal }))
    given.abort()
    t.match(await waiting, { reason: 'aborted' })
    const queue = Array.from({ length: 128 }, () => failureOf(egress.request(request)))
    const outcome = failureOf(egress.request(request))
    const first = await Promise.race([
      outcome.then(() => 'refused'),
      Promise.any(queue.map(one => one.then(() => 'waited'))),
    ])
    t.equal(first, 'refused', 'the queue is bounded')
    await Promise.all(queue)
    t.equal(server.requests.length, 1)
    held.abort()
    t.match(await sent, { reason: 'aborted' })
  },
)

t.test('a request frees its slot however it ends: failed, streamed, redirected or aborted', async t => {
  const server = await upstream(
    t,
    paths({
      '/gone': response => response.destroy(),
      '/moved': response => response.writeHead(302, { location: '/final' }).end(),
      '/loop': response => response.writeHead(302, { location: '/loop' }).end(),
    }),
  )
  const egress = egressOf(t, { maxConcurrentPerKey: 1, queueWaitMs: 2_000 })
  const asked = (path: string, more: Partial<EgressRequest> = {}) => ({
    ...get(server.origin + path),
    concurrencyKey: 'org_a',
    maxRedirects: 2,
    ...more,
  })
  for (let round = 0; round < 3; round++) {
    t.match(await failureOf(egress.request(asked('/gone'))), { reason: 'unreachable' })
    t.match(await failureOf(egress.request(asked('/loop'))), { reason: 'refused' })
    t.match(await failureOf(egress.request(asked('/', { method: 'G T' }))), { reason: 'refused' })
    t.match(await egress.request(asked('/moved')), { body: 'ok' })
    const { body } = await egress.stream(asked('/'))
    t.equal(await textOf(body), 'ok')
    const unread = await egress.stream(asked('/'))
    unread.body.destroy()
  }
  t.match(await egress.request(asked('/')), { body: 'ok' })
})
