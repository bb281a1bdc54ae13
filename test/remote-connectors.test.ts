import t, { type Test } from 'tap'
import { upstream } from './fixtures/egress-fixture.ts'
import { freePort } from './fixtures/free-port.ts'
import { wrongAnswers } from './fixtures/interleaved-calls.ts'
import { remoteJourney } from './fixtures/remote-journey.ts'
import { legacyServer } from './upstreams/legacy-server.ts'
import { modernServer } from './upstreams/modern-server.ts'
import { oauthUpstream } from './upstreams/oauth-upstream.ts'
import { legacyOracle, modernOracle } from './upstreams/oracle.ts'
import { passesThrough } from './upstreams/passes-through.ts'
import { everything } from './upstreams/real-servers.ts'
import { SPECIMEN_CALLS } from './upstreams/specimen-tools.ts'

const { team, clock } = await remoteJourney(t)

t.test('a registered server returns the same through the gateway as directly', async t => {
  const { owner } = await team()

  await t.test('server-everything, over its own Streamable HTTP', async t => {
    const { url } = await everything(t)
    t.match(await owner.register('everything', url), { status: 'connected', remote: { auth_mode: 'none' } })
    await passesThrough(t, {
      owner,
      slug: 'everything',
      oracle: await legacyOracle(t, url),
      rejected: ['simulate-research-query'], // Runs only as a task.
      calls: [
        { name: 'echo', arguments: { message: 'ünïcode 🙂' } },
        { name: 'get-sum', arguments: { a: 2, b: 0.5 } },
        { name: 'get-tiny-image', arguments: {} },
        { name: 'get-structured-content', arguments: { location: 'Chicago' } },
        { name: 'get-annotated-message', arguments: { messageType: 'error', includeImage: true } },
        { name: 'get-resource-links', arguments: { count: 3 } },
        { name: 'trigger-long-running-operation', arguments: { duration: 0.1, steps: 4 } },
      ],
    })
  })

  await t.test('a legacy server', async t => {
    const server = await legacyServer(t, { pageSize: 4 })
    await owner.register('legacy', server.url)
    const oracle = await legacyOracle(t, server.url)
    await passesThrough(t, { owner, slug: 'legacy', oracle, calls: SPECIMEN_CALLS })
  })

  await t.test('a server of 2026-07-28', async t => {
    const { url } = await modernServer(t)
    await owner.register('modern', url)
    await passesThrough(t, { owner, slug: 'modern', oracle: await modernOracle(t, url), calls: SPECIMEN_CALLS })
  })
})

t.test('the answer to a registration says why the server was not asked successfully, and what to do', async t => {
  const { owner } = await team()
  // The bytes of a server that checks its name.
  const { origin } = await upstream(t, (_, response) =>
    response.writeHead(403).end('Access is only allowed at localhost:3106'),
  )
  const registered = await owner.register('named', `${origin}/mcp`)
  const why =
    / did not return its list of tools\. 127\.0\.0\.1:\d+ answered with HTTP 403\. The server says: “Access is only allowed at localhost:3106”\. To refresh its tools, an admin calls manage__remote_refresh or POST \/connectors\/org\/named\/refresh\.$/
  t.match(registered, { status: 'disconnected', remote: { tool_count: null, next_step: why } })

  const free = await freePort()
  t.match(await owner.register('stopped', `http://127.0.0.1:${free}/mcp`), {
    remote: { next_step: new RegExp(`127\\.0\\.0\\.1:${free} refused the connection\\..* Check that the server runs`) },
  })
})

t.test('the answer to a registration names a redirect, a web page and a rejected token', async t => {
  const { owner } = await team()
  let location = ''
  const token = 'the-token-of-this-server'
  const { origin } = await upstream(t, ({ url }, response) => {
    if (url === '/token') return response.writeHead(401).end()
    if (url === '/moved') return response.writeHead(302, { location }).end()
    return response.writeHead(200, { 'content-type': 'text/html' }).end('\n<!DOCTYPE html><title>Welcome</title>')
  })
  const hint = async (slug: string, path: string) => {
    const { remote } = await owner.register(slug, `${origin}${path}`, { mode: 'bearer', token })
    return remote.next_step as string
  }

  const redirects: [location: string, target: string][] = [
    ['https://user:pass@example.com/mcp?ticket=x#y', 'https://example.com/mcp'],
    ['https://10.0.0.5/mcp', 'https://[private address]/mcp'],
    [`https://example.com/${'x'.repeat(300)}`, 'https://example.com'],
    ['/v2/<b>\u0085mcp?a=b', '/v2/%3Cb%3E%C2%85mcp'],
    [`https://example.com/${token}/mcp`, 'https://example.com/[redacted]/mcp'],
  ]
  for (const [index, [to, target]] of redirects.entries()) {
    location = to
    const text = await hint(`moved${index}`, '/moved')
    t.ok(text.includes(` It redirects to ${target} (HTTP 302). If you trust that address, `), text)
  }
  location = 'javascript:alert(1)'
  const script = await hint('script', '/moved')
  t.match(script, /answered with HTTP 302\. Check the path/)
  t.notMatch(script, 'javascript')
  t.match(await hint('page', '/'), /answered with a web page\. Check the path of its URL, which is usually \/mcp\./)
  t.match(await hint('token', '/token'), /rejected the token \(HTTP 401\)\. /)
})

/** A server at one path, which answers another path with a redirect. */
async function redirecting(
  t: Test,
  { from, to, ...answer }: { from: string; to: string; status: number; host?: string },
) {
  const asked: string[] = []
  const server = await legacyServer(t, {
    async guard({ url, headers }) {
      const { origin, pathname, search } = new URL(url)
      asked.push(pathname)
      if (pathname === from) {
        const location = `${answer.host ?? origin}${to}${search}`
        return new Response(null, { status: answer.status, headers: { location } })
      }
      if (headers.get('authorization') === 'Bearer a-rejected-token') return new Response(null, { status: 401 })
      return pathname === to ? undefined : new Response(null, { status: 404 })
    },
  })
  return { asked, origin: new URL(server.url).origin }
}

t.test('a redirect that only adds or removes a trailing slash is followed once and its URL is stored', async t => {
  const { owner } = await team()
  const servers = [
    { from: '/mcp', to: '/mcp/', status: 307 },
    { from: '/mcp/', to: '/mcp', status: 308 },
    // The scheme and host that a server behind a proxy knows.
    { from: '/mcp', to: '/mcp/', status: 307, host: 'http://backend.internal:8000' },
  ]
  for (const [index, server] of servers.entries()) {
    const slug = `slash${index}`
    const { asked, origin } = await redirecting(t, server)
    const upstream_url = `${origin}${server.to}?team=a`
    const registered = await owner.register(slug, `${origin}${server.from}?team=a`)
    t.match(registered, { status: 'connected', remote: { upstream_url, next_step: undefined } }, slug)
    t.equal(asked.filter(path => path === server.from).length, 1, 'the first URL is asked once')
    t.match(await owner.call(`org__${slug}__echo`, { a: 1 }), { content: [{ type: 'text' }] })

    const auth = { mode: 'bearer', token: 'an-accepted-token' }
    for (const body of [{ auth }, {}]) {
      const patched = { upstream_url: `${origin}${server.from}`, ...body }
      const { status, body: entry } = await owner.http('PATCH', `/connectors/org/${slug}`, patched)
      t.match({ status, entry }, { status: 200, entry: { remote: { upstream_url: `${origin}${server.to}` } } }, slug)
    }
  }
  const { body } = await owner.http('GET', '/audit?action=remote.update')
  t.match(body.changes, { length: servers.length * 3 }, 'each change of a URL is in the audit log')

  const { origin } = await redirecting(t, { from: '/mcp', to: '/mcp/', status: 307 })
  const rejected = await owner.register('rejected', `${origin}/mcp`, { mode: 'bearer', token: 'a-rejected-token' })
  t.match(rejected.remote, { upstream_url: `${origin}/mcp/`, next_step: /rejected the token \(HTTP 401\)/ })

  const upstream = await oauthUpstream(t)
  t.match(await owner.register('guarded', `${upstream.url}/`, { mode: 'oauth' }), {
    remote: { upstream_url: upstream.url },
  })
  await owner.authorize('guarded')
  t.match(await owner.read('guarded'), { status: 'connected' })
})

t.test('no other redirect is followed, and a loop of redirects ends', async t => {
  const { owner } = await team()
  const redirects = [
    { from: '/mcp', to: '/mcp/', status: 302 },
    { from: '/mcp', to: '/v2/mcp/', status: 307 },
    { from: '/mcp', to: '/mcp//', status: 307 },
    { from: '/mcp', to: '/mcp', status: 308 },
  ]
  for (const [index, redirect] of redirects.entries()) {
    const { origin } = await redirecting(t, redirect)
    const upstream_url = `${origin}/mcp`
    const next_step = new RegExp(
      ` It redirects to ${redirect.to} \\(HTTP ${redirect.status}\\)\\. If you trust that address, `,
    )
    t.match(await owner.register(`other${index}`, upstream_url), { remote: { upstream_url, next_step } })
  }

  const asked: string[] = []
  const { origin } = await upstream(t, ({ url = '' }, response) => {
    asked.push(url)
    response.writeHead(307, { location: url === '/mcp' ? '/mcp/' : '/mcp' }).end()
  })
  const next_step = / It redirects to \/mcp \(HTTP 307\)\./
  t.match(await owner.register('loop', `${origin}/mcp`), { remote: { upstream_url: `${origin}/mcp/`, next_step } })
  t.same(asked, ['/mcp', '/mcp/'], 'a loop ends')
})

t.test('only the arguments and the trace context of the caller reach the upstream', async t => {
  const { owner } = await team()
  const server = await legacyServer(t, { sessions: false, answers: 'json' })
  await owner.register('looks', server.url)
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const marker = 'marker-of-the-caller'
  server.requests.length = 0
  await owner.rpc(
    'tools/call',
    { name: 'org__looks__echo', arguments: { a: 1 }, _meta: { traceparent, 'example.test/own': marker } },
    { cookie: `session=${marker}`, 'x-forwarded-for': '203.0.113.9', 'x-marker': marker, 'user-agent': marker },
  )
  const sent = JSON.stringify(server.requests)
  t.ok(server.requests.length > 0)
  t.notMatch(sent, marker)
  t.notMatch(sent, '203.0.113.9')
  t.notMatch(sent, 'e30.')
  t.match(sent, traceparent)
})

t.test('an upstream with OAuth can be registered, authorized, listed and called', async t => {
  const { owner, member } = await team()
  const upstream = await oauthUpstream(t)
  const pending = await owner.register('guarded', upstream.url, { mode: 'oauth' })
  t.match(pending, {
    status: 'disconnected',
    remote: {
      tool_count: null,
      snapshot_fetched_at: null,
      full_schema_hash: null,
      oauth: { client_source: 'dcr', issuer: upstream.authorization.issuer, scopes: [] },
    },
  })
  t.same(await member.tools('guarded'), [])

  const { searchParams } = await owner.authorize('guarded')
  t.equal(searchParams.get('scope'), null, 'no scope is requested if none is published')
  t.equal(searchParams.get('code_challenge_method'), 'S256')
  t.equal(searchParams.get('resource'), upstream.url)

  t.match(await member.read('guarded'), { status: 'connected', remote: { tool_count: upstream.specimens.list.length } })
  t.match(await member.call('org__guarded__text', { text: 'in' }), { content: [{ text: 'text {"text":"in"}' }] })

  const [first] = upstream.state.tokens
  clock.advance(3_600_000)
  await member.call('org__guarded__text', { text: 'an hour later' })
  t.not(upstream.state.tokens.at(-1), first, 'the expired token was refreshed')

  upstream.state.refusesAll = true
  const refused = await member.call('org__guarded__text', { text: 'out' })
  t.equal(refused.isError, true)
  t.match(JSON.stringify(refused.content), 'needs_reauth')
  t.equal((await member.read('guarded')).status, 'needs_reauth')

  upstream.state.refusesAll = false
  await owner.authorize('guarded')
  t.match(await member.call('org__guarded__text', { text: 'again' }), { content: [{ text: 'text {"text":"again"}' }] })
})

t.test('the upstream’s token is sent as bearer or in the registered header', async t => {
  const { owner } = await team()
  const token = crypto.randomUUID()
  const guard = (name: string, value: string) => async (request: Request) =>
    request.headers.get(name) === value ? undefined : new Response(null, { status: 401 })
  const bearer = await legacyServer(t, { guard: guard('authorization', `Bearer ${token}`) })
  const header = await legacyServer(t, { guard: guard('x-team-key', token) })
  await owner.register('bearer', bearer.url, { mode: 'bearer', token })
  await owner.register('header', header.url, { mode: 'header', name: 'X-Team-Key', value: token })
  for (const slug of ['bearer', 'header'])
    t.match(await owner.call(`org__${slug}__text`, { text: slug }), { content: [{ text: `text {"text":"${slug}"}` }] })
})

t.test('a tool that requests input gets the answer through the gateway in a second round', async t => {
  const { owner } = await team()
  const { url } = await modernServer(t)
  await owner.register('asks', url)
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  }
  const name = 'org__asks__ask'
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name }
  const params = { name, arguments: { thing: 'the door' }, _meta: meta }
  const asked = await owner.rpc('tools/call', params, headers)
  t.match(asked, { resultType: 'input_required', inputRequests: { color: { method: 'elicitation/create' } } })
  t.notMatch(asked.requestState, 'the door', 'the state of the upstream is sealed')
  const inputResponses = { color: { action: 'accept', content: { color: 'red' } } }
  const { requestState } = asked
  t.match(await owner.rpc('tools/call', { ...params, inputResponses, requestState }, headers), {
    resultType: 'complete',
    content: [{ type: 'text', text: 'asked about the door: red' }],
  })
  const legacy = await owner.call(name, { thing: 'the door' })
  t.equal(legacy.isError, true, 'a client without elicitation gets an error')
})

t.test('calls of two organizations to one upstream with the same id each get their own answer', async t => {
  t.same(await wrongAnswers(t, { team, calls: 200 }), [])
})
