import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect as connectH2 } from 'node:http2'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import t from 'tap'
import { fetch as fetchWith, type RequestInit, type Response, request } from 'undici'
import { parseVaultKeys } from '../../lib/configuration/key-ring.ts'
import { openDatabase } from '../../lib/database/open-database.ts'
import { createIdSource } from '../../lib/id-source.ts'
import { SERVER_LIMITS } from '../../plugins/connections/server-options.ts'
import { createArtifacts } from '../../services/artifacts/artifacts.ts'
import { createDiskStore } from '../../services/artifacts/disk-store.ts'
import { signingKeysOf } from '../../services/artifacts/signed-url.ts'
import { silent, testDatabaseUrl } from '../fixtures/database.ts'
import { eventually } from '../fixtures/until.ts'
import { callOf } from './gateway-process.ts'
import { proxiedGateways } from './proxied-gateways.ts'
import { startCaddy, startNginx, without } from './reverse-proxy.ts'

const MIB = 1024 ** 2

/** What is wrong with the answer to a call of `slow__wait`; undefined if nothing is. */
async function failureOf(answer: Response): Promise<string | undefined> {
  const text = await answer.text()
  return answer.status === 200 && text.includes('took 20 ms') ? undefined : `${answer.status} ${text.slice(0, 200)}`
}

/** A request with exactly these bytes over plain HTTP; resolves with the answer. */
function raw(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = createConnection(port, '127.0.0.1', () => socket.write(request))
    socket.on('data', chunk => {
      answer += chunk
    })
    socket.on('end', () => resolve(answer)).on('error', reject)
  })
}

for (const [name, startProxy] of [
  ['nginx', startNginx],
  ['caddy', startCaddy],
] as const) {
  const skip = without(name) || (testDatabaseUrl === undefined ? 'TEST_DATABASE_URL is not set' : false)

  t.test(`behind the ${name} of deploy/`, { skip }, async t => {
    const setting = await proxiedGateways(t, startProxy)
    const { url, dashboardUrl, ports, settings, gateways, start, key, proxy, dispatcher, ask, askDashboard, call } =
      setting

    /** The cookie and the token of a session of the dashboard. */
    const secrets: string[] = []

    await t.test('the official client lists and calls tools over TLS', async t => {
      const client = new Client({ name: 'test', version: '1' })
      const fetch = ((to: string, init: RequestInit) => fetchWith(to, { ...init, dispatcher })) as never
      const requestInit = { headers: { authorization: `Bearer ${key}` } }
      await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit, fetch }))
      t.teardown(() => client.close())
      const { tools } = await client.listTools()
      t.ok(tools.some(tool => tool.name === 'memory__remember'))
      const answer = await client.callTool({ name: 'memory__remember', arguments: { memory: 'Behind a proxy.' } })
      t.match(JSON.stringify(answer), 'Behind a proxy.')
    })

    await t.test('clients can use HTTP/2', async t => {
      const session = connectH2(url, { ca: proxy.ca })
      t.teardown(() => session.close())
      const status = await new Promise((resolve, reject) => {
        session.on('error', reject)
        session
          .request({ ':path': '/health' })
          .on('response', headers => resolve(headers[':status']))
          .on('error', reject)
      })
      t.equal(status, 200)
    })

    await t.test('answers name the public https origin, and the headers for clients arrive', async t => {
      const refused = await ask('/mcp', { method: 'POST' })
      t.equal(refused.status, 401)
      t.match(refused.headers.get('www-authenticate'), `resource_metadata="${url}/`)
      const metadata = await ask('/.well-known/oauth-protected-resource/mcp')
      t.match(await metadata.json(), { resource: `${url}/mcp` })
      const answer = await call('slow__wait', { ms: 0 })
      t.ok(answer.headers.get('ratelimit-limit'))
      t.ok(answer.headers.get('x-request-id'))
    })

    await t.test('the dashboard has a host of its own, where a link signs in for both gateways', async t => {
      const page = await askDashboard('/sign-in')
      t.match(await page.text(), '<title>Connector gateway</title>')
      t.match(page.headers.get('strict-transport-security'), 'max-age=')
      const token = new RegExp(`${dashboardUrl}/sign-in#([\\w-]+)`).exec(gateways[0]?.output() ?? '')?.[1]
      const json = { 'content-type': 'application/json', origin: dashboardUrl, 'sec-fetch-site': 'same-origin' }
      const signedIn = await askDashboard('/auth/link', {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ token }),
      })
      t.equal(signedIn.status, 200)
      const cookie = signedIn.headers.get('set-cookie') ?? ''
      t.match(cookie, /^__Host-gw=[\w-]+;(?=.*; Secure)(?=.*; HttpOnly)(?=.*; SameSite=Strict)(?=.*Path=\/)/)
      secrets.push(/=([\w-]+)/.exec(cookie)?.[1] ?? '', ((await signedIn.json()) as { token: string }).token)
      const session = { cookie: `__Host-gw=${secrets[0]}`, 'x-dashboard-token': secrets[1] ?? '' }
      const { host } = new URL(dashboardUrl)
      for (const port of ports.dashboards) {
        const answer = await request(`http://127.0.0.1:${port}/api/session`, { headers: { ...session, host } })
        t.match(await answer.body.json(), { role: 'owner', gateway_url: `${url}/mcp` })
      }
      t.equal((await askDashboard('/api/session', { headers: session })).status, 200)
      t.equal((await ask('/api/session', { headers: session })).status, 404, 'nothing of it at the host of the gateway')
      t.match(await (await askDashboard('/mcp', { method: 'POST', body: '{}' })).json(), {
        error: { code: 'endpoint_not_found', message: `${url}/mcp` },
      })
    })

    await t.test('http is redirected to https with 308', async t => {
      const answer = await raw(
        ports.http,
        'POST /mcp?x=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
      )
      t.match(answer, /^HTTP\/1\.1 308 /)
      t.match(answer, /\r\nLocation: https:\/\/localhost(:\d+)?\/mcp\?x=1\r\n/i)
    })

    await t.test('the client address is the one that the proxy sees, whatever a client claims', async t => {
      const claims = { 'x-forwarded-for': '203.0.113.7', 'x-real-ip': '203.0.113.7', forwarded: 'for=203.0.113.7' }
      for (const headers of [{}, claims, { ...claims, 'x-forwarded-proto': 'http' }])
        t.equal((await ask('/version', { headers })).headers.get('x-seen-client'), 'https 127.0.0.1')
    })

    await t.test('another host is rejected, also as X-Forwarded-Host', async t => {
      const session = connectH2(url, { ca: proxy.ca })
      t.teardown(() => session.close())
      const asked = { ':path': '/.well-known/oauth-protected-resource/mcp' }
      const status = (headers: object) =>
        new Promise(resolve =>
          session.request({ ...asked, ...headers }).on('response', answer => resolve(answer[':status'])),
        )
      t.equal(await status({ ':authority': `other.example:${ports.https}` }), 421)
      t.equal(await status({ 'x-forwarded-host': 'other.example' }), 200, 'the header is not used')
      await t.rejects(fetchWith(`https://127.0.0.1:${ports.https}/mcp`, { dispatcher }), 'no name')
    })

    await t.test('a body of 4 MiB passes, and a larger one gets the 413 of the gateway', async t => {
      const { body, ...options } = callOf(key, 'slow__wait', { ms: 0 })
      const fits = await ask('/mcp', { ...options, body: body.padEnd(4 * MIB) })
      t.equal(fits.status, 200)
      t.match(await fits.text(), 'took 0 ms')
      const large = await ask('/mcp', { ...options, body: body.padEnd(4 * MIB + 1) })
      t.equal(large.status, 413)
      t.match(large.headers.get('content-type'), 'application/json')
      const { 'x-api-key': _, ...headers } = options.headers
      const early = await ask('/mcp', { ...options, headers, body: body.padEnd(4 * MIB) })
      t.equal(early.status, 401, 'a refusal before the body is read arrives')
    })

    const database = await openDatabase({
      postgres: { url: settings.DATABASE_URL, directUrl: settings.DATABASE_URL },
      dataDir: '',
      log: silent,
    })
    t.teardown(() => database.close())
    const clock = { now: Date.now }
    const artifacts = createArtifacts({
      db: database.db,
      clock,
      ids: createIdSource(clock),
      store: createDiskStore(join(settings.DATA_DIR, 'artifacts')),
      signingKeys: signingKeysOf(parseVaultKeys(settings.VAULT_KEYS)),
    })
    const content = randomBytes(20 * MIB)
    const { id: orgId, user_id: userId } = await database.db
      .selectFrom('memberships')
      .select(['org_id as id', 'user_id'])
      .executeTakeFirstOrThrow()
    const artifact = await artifacts.create({ orgId, userId, name: 'large.bin', body: Readable.from([content]) })
    const signed = new URL(artifacts.urlOf(artifact, url))
    const path = `${signed.pathname}${signed.search}`

    await t.test('a file is downloaded, also in ranges', async t => {
      const digest = (data: Uint8Array) => createHash('sha256').update(data).digest('hex')
      const whole = await ask(path)
      t.equal(digest(Buffer.from(await whole.arrayBuffer())), digest(content))
      const part = await ask(path, { headers: { range: 'bytes=1048576-3145727' } })
      t.equal(part.status, 206)
      t.equal(part.headers.get('content-range'), `bytes 1048576-3145727/${content.length}`)
      t.equal(digest(Buffer.from(await part.arrayBuffer())), digest(content.subarray(MIB, 3 * MIB)))
    })

    await t.test('replacing the gateways one by one under load loses no request, with nginx almost none', async t => {
      const seen = { answers: 0, failures: [] as string[] }
      const stopped = new AbortController()
      const load = Array.from({ length: 12 }, async () => {
        while (!stopped.signal.aborted) {
          const failure = await call('slow__wait', { ms: 20 }).then(failureOf, String)
          if (failure === undefined) seen.answers++
          else seen.failures.push(failure)
        }
      })
      for (const i of [0, 1]) {
        await delay(1_000)
        t.equal((await gateways[i]?.stop('SIGTERM'))?.code, 0)
        gateways[i] = await start(i)
        await eventually(async () => {
          if (!gateways[i]?.output().includes('slow__wait')) throw new Error('The proxy has not found it again')
        })
      }
      stopped.abort()
      await Promise.all(load)
      // nginx does not ask whether a gateway is ready. A request in the moment when one stops to accept can get a 502.
      const [most, other] = name === 'nginx' ? [seen.answers / 1_000, /^(?!502 )/] : [0, /^/]
      t.ok(seen.failures.length <= most, `${seen.failures.length} of ${seen.answers} failed`)
      t.same(
        seen.failures.filter(failure => other.test(failure)),
        [],
      )
      t.ok(seen.answers > 500)
    })

    await t.test('a call that was sent to a killed gateway is not repeated', async t => {
      const calls = Array.from({ length: 6 }, () => call('slow__wait', { ms: 3_000 }))
      await delay(1_000)
      await gateways[0]?.kill()
      const statuses = (await Promise.all(calls)).map(({ status }) => status).toSorted()
      t.same(statuses, [200, 200, 200, 502, 502, 502])
      t.equal((await call('slow__wait', { ms: 0 })).status, 200, 'others are answered')
      t.equal((await ask(path)).status, 200)
      await gateways[1]?.kill()
      t.ok((await call('slow__wait', { ms: 0 })).status >= 502)
    })

    await t.test('no log has a key, a token or a signature', async t => {
      // Caddy logs only requests to its site, whose name has no port.
      const headers = { host: 'localhost', 'x-api-key': key, authorization: `Bearer ${key}` }
      const { statusCode, body } = await request(signed.href, { dispatcher, headers })
      await body.dump()
      t.ok(statusCode >= 502, 'no gateway runs anymore, which is an error')
      await eventually(async () => {
        if (!proxy.accessLog().includes(signed.pathname)) throw new Error('The request is not in the log')
      })
      t.match(proxy.logs(), /connect\(\) failed|"http\.log\.error/, 'there are lines about errors')
      const callback = `${dashboardUrl}/auth/callback?code=${secrets[0]}`
      await (await request(callback, { dispatcher, headers: { cookie: `__Host-gw=${secrets[0]}` } })).body.dump()
      for (const text of [key, ...secrets, signed.searchParams.get('signature') ?? '', 'signature='])
        t.notOk(proxy.logs().includes(text))
    })
  })
}

/** The longest call, and the time that the gateway keeps an idle connection open. */
const LONGEST_CALL_S = 55
const KEEP_ALIVE_S = SERVER_LIMITS.keepAliveTimeout / 1_000

t.test('the proxies of deploy/ wait longer than a call takes, and drop idle connections before the gateway does', t => {
  const values = {
    'nginx.conf': [/proxy_read_timeout (\d+)s/, /\tkeepalive 64;[\s\S]*?keepalive_timeout (\d+)s/],
    Caddyfile: [/response_header_timeout (\d+)s/, /keepalive (\d+)s/],
  }
  for (const [file, [wait, idle]] of Object.entries(values)) {
    const text = readFileSync(`deploy/${file}`, 'utf8')
    t.ok(Number(wait?.exec(text)?.[1]) > LONGEST_CALL_S, file)
    t.ok(Number(idle?.exec(text)?.[1]) < KEEP_ALIVE_S, file)
  }
  t.end()
})
