import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { createDiscovery } from '../../../services/remote-connectors/oauth/discovery.ts'
import { createRequests } from '../../../services/remote-connectors/upstream/requests.ts'
import { egressOf, rawUpstream, upstream } from '../../fixtures/egress-fixture.ts'
import { serverInfo } from '../../fixtures/mcp-fixture.ts'

const requests = createRequests({ clientInfo: serverInfo })

interface Answer {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  /** Replaces `json`. */
  body?: string | Buffer
}

/** A server that answers the paths that the test sets, and 404 otherwise. */
async function site(t: Test) {
  const answers: Record<string, Answer> = {}
  const server = await upstream(t, (request, response) => {
    const {
      status = 200,
      headers = {},
      json,
      body = JSON.stringify(json),
    } = answers[request.url ?? ''] ?? {
      status: 404,
      json: {},
    }
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  })
  const fetched = () => server.requests.filter(({ method }) => method === 'GET').map(({ url }) => url)
  return { ...server, requests: server.requests, answers, fetched }
}

type Site = Awaited<ReturnType<typeof site>>

const RESOURCE = '/.well-known/oauth-protected-resource'
const SERVER = '/.well-known/oauth-authorization-server'

/** An upstream at `/mcp` whose 401 names its metadata, and its authorization server. */
async function fixture(t: Test) {
  const [resource, server] = [await site(t), await site(t)]
  const url = `${resource.origin}/mcp`
  const challenge = `Bearer resource_metadata="${resource.origin}${RESOURCE}/mcp"`
  resource.answers['/mcp'] = { status: 401, headers: { 'www-authenticate': challenge }, json: {} }
  resource.answers[`${RESOURCE}/mcp`] = { json: { resource: url, authorization_servers: [server.origin] } }
  server.answers[SERVER] = { json: metadataOf(server) }
  const { discover } = createDiscovery({ egress: egressOf(t), requests })
  return { url, resource, server, discover: () => discover(url) }
}

function metadataOf({ origin }: Site, issuer = origin) {
  return {
    issuer,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    code_challenge_methods_supported: ['S256'],
  }
}

const failed = (message: RegExp) => ({ name: 'GatewayError', code: 'oauth_discovery_failed', message })

t.test('discovery starts at the upstream’s 401 and finds everything that an authorization needs', async t => {
  const { url, resource, server, discover } = await fixture(t)
  t.same(await discover(), {
    upstreamUrl: url,
    resource: url,
    issuer: server.origin,
    authorizationEndpoint: `${server.origin}/authorize`,
    tokenEndpoint: `${server.origin}/token`,
    registrationEndpoint: `${server.origin}/register`,
    takesClientIdMetadata: false,
    issParameter: false,
    clientAuth: ['basic'],
    scopes: [],
  })
  t.same([resource.fetched(), server.fetched()], [[`${RESOURCE}/mcp`], [SERVER]])
  t.equal(resource.requests[0]?.headers.authorization, undefined)

  server.answers[SERVER] = {
    json: {
      ...metadataOf(server),
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      token_endpoint_auth_methods_supported: ['private_key_jwt', 'none', 'client_secret_post'],
    },
  }
  t.match(await discover(), { takesClientIdMetadata: true, issParameter: true, clientAuth: ['post', 'none'] })
  const secretly = { ...metadataOf(server), client_id_metadata_document_supported: true }
  server.answers[SERVER] = { json: { ...secretly, token_endpoint_auth_methods_supported: ['client_secret_basic'] } }
  t.match(await discover(), { takesClientIdMetadata: false }, 'a client that has no secret could not prove itself')
})

t.test('an issuer may be named with or without a slash at its end, and keeps its own spelling', async t => {
  const { url, resource, server, discover } = await fixture(t)
  for (const path of ['', '/tenant']) {
    const bare = `${server.origin}${path}`
    for (const [named, own] of [
      [bare, `${bare}/`],
      [`${bare}/`, bare],
      [`${bare}/`, `${bare}/`],
    ] as const) {
      resource.answers[`${RESOURCE}/mcp`] = { json: { resource: url, authorization_servers: [named] } }
      server.answers[`${SERVER}${path}`] = { json: metadataOf(server, own) }
      t.match(await discover(), { issuer: own }, `${named} names ${own}`)
    }
  }
})

t.test('members of metadata that are null are absent', async t => {
  const { url, resource, server, discover } = await fixture(t)
  resource.answers[`${RESOURCE}/mcp`] = {
    json: { resource: url, authorization_servers: [server.origin], scopes_supported: null },
  }
  const nothing = {
    registration_endpoint: null,
    revocation_endpoint: null,
    token_endpoint_auth_methods_supported: null,
    authorization_response_iss_parameter_supported: null,
    scopes_supported: null,
  }
  server.answers[SERVER] = { json: { ...metadataOf(server), ...nothing } }
  const found = await discover()
  t.match(found, { clientAuth: ['basic'], issParameter: false, scopes: [] })
  t.same([found.registrationEndpoint, found.revocationEndpoint], [undefined, undefined])
})

t.test('metadata is read in the order of the RFCs and of MCP, and no document twice', async t => {
  const { url, resource, server, discover } = await fixture(t)
  resource.answers['/mcp'] = { status: 400, json: {} }
  t.match(await discover(), { resource: url })
  t.same(
    resource.requests.slice(0, 2).map(({ body }) => JSON.parse(body).method),
    ['tools/list', 'initialize'],
    'the legacy request is sent if the modern one is not understood',
  )

  const { [`${RESOURCE}/mcp`]: published } = resource.answers
  resource.answers[RESOURCE] = { json: { ...(published?.json as object), resource: resource.origin } }
  delete resource.answers[`${RESOURCE}/mcp`]
  t.match(await discover(), { resource: resource.origin }, 'to the letter, without a slash')
  t.same(resource.fetched().slice(-2), [`${RESOURCE}/mcp`, RESOURCE])

  const issuer = `${server.origin}/tenant`
  resource.answers[RESOURCE] = { json: { resource: resource.origin, authorization_servers: [issuer] } }
  const places = ['/.well-known/oauth-authorization-server/tenant', '/.well-known/openid-configuration/tenant']
  const last = '/tenant/.well-known/openid-configuration'
  server.answers[last] = { json: metadataOf(server, issuer) }
  t.match(await discover(), { issuer })
  t.same(server.fetched().slice(-3), [...places, last])
})

t.test('an upstream without metadata is its own authorization server if it answers as one', async t => {
  const { url, resource, server, discover } = await fixture(t)
  resource.answers['/mcp'] = { status: 401, json: {} }
  delete resource.answers[`${RESOURCE}/mcp`]
  await t.rejects(
    discover(),
    failed(/The metadata of the authorization server 127.0.0.1:\d+ \(RFC 8414\).* answered 404/),
  )
  resource.answers[SERVER] = { json: metadataOf(resource) }
  t.match(await discover(), { resource: url, issuer: resource.origin, scopes: [] })
  t.same(server.requests, [])
})

t.test('the first usable authorization server is used; if there is none, the error describes the first', async t => {
  const { url, resource, server, discover } = await fixture(t)
  const broken = await site(t)
  const publish = (servers: unknown[]) => {
    resource.answers[`${RESOURCE}/mcp`] = { json: { resource: url, authorization_servers: servers } }
  }
  publish(['no url', 7, broken.origin, server.origin])
  t.match(await discover(), { issuer: server.origin })
  publish([broken.origin, 'https://id.invalid?tenant=1'])
  await t.rejects(discover(), failed(new RegExp(`authorization server ${broken.origin.slice(7)} `)))
  server.requests.length = 0
  publish([...Array(4).fill(broken.origin), server.origin])
  await t.rejects(discover(), failed(/answered 404/), 'and so many are tried and no more')
  t.same(server.requests, [])
  const cut = await rawUpstream(t, socket => socket.destroy())
  publish([`${cut.origin}/tenant`, server.origin])
  t.match(await discover(), { issuer: server.origin })
  t.equal(cut.connections, 1, 'who does not answer is not asked again')
})

t.test('an authorization requests the scopes of the 401, else those of the metadata, else none', async t => {
  const { url, resource, server, discover } = await fixture(t)
  const { [`${RESOURCE}/mcp`]: published, '/mcp': refusal } = resource.answers
  const publish = (scopes_supported: unknown) => {
    resource.answers[`${RESOURCE}/mcp`] = { json: { ...(published?.json as object), scopes_supported } }
  }
  const scopes = async () => (await discover()).scopes
  publish(['read', 'read', 'wr ite', 'a"b', 7, '', 'x'.repeat(257), 'write'])
  t.same(await scopes(), ['read', 'write'])
  publish('read write')
  t.same(await scopes(), [])
  publish(Array.from({ length: 1_000 }, (_, i) => `s${i}`))
  t.equal((await scopes()).length, 64)

  publish(['read'])
  server.answers[SERVER] = { json: { ...metadataOf(server), scopes_supported: ['offline_access', 'admin'] } }
  t.same(await scopes(), ['read', 'offline_access'], 'what renews tokens is asked for where the server knows it')
  const named = `Basic realm="x", ${refusal?.headers?.['www-authenticate']}, scope="files:read  files:write"`
  resource.answers['/mcp'] = { ...refusal, headers: { 'www-authenticate': named } }
  t.same(await scopes(), ['files:read', 'files:write', 'offline_access'])
  publish(undefined)
  resource.answers['/mcp'] = { status: 401, json: {} }
  t.same(await scopes(), [], 'and never by itself')
  t.equal(url, `${resource.origin}/mcp`)
})

t.test('a metadata document at another origin is rejected before it is fetched', async t => {
  const { resource, discover } = await fixture(t)
  const foreign = await site(t)
  const document = { resource: `${resource.origin}/mcp`, authorization_servers: [foreign.origin] }
  foreign.answers[RESOURCE] = { json: document }
  foreign.answers[SERVER] = { json: metadataOf(foreign) }
  const { port } = new URL(resource.origin)
  for (const named of [
    `${foreign.origin}${RESOURCE}`,
    `https://127.0.0.1:${port}${RESOURCE}`,
    `http://localhost:${port}${RESOURCE}`,
    `http://127.0.0.1:${port}@${foreign.origin.slice(7)}${RESOURCE}`,
    `//${foreign.origin.slice(7)}${RESOURCE}`,
    'file:///etc/passwd',
    'not a url',
    '',
  ]) {
    const challenge = `Bearer resource_metadata="${named}"`
    resource.answers['/mcp'] = { status: 401, headers: { 'www-authenticate': challenge }, json: {} }
    await t.rejects(
      discover(),
      failed(/protected resource metadata of 127.0.0.1:\d+ \(RFC 9728\).*the gateway did not fetch it/),
      named,
    )
  }
  t.same([foreign.requests, resource.fetched()], [[], []])
})

t.test('metadata of another resource or another issuer is rejected', async t => {
  const { url, resource, server, discover } = await fixture(t)
  const good = { resource: url, authorization_servers: [server.origin] }
  const wrong: [object, RegExp][] = [
    [{ ...good, resource: 'https://evil.example/mcp' }, /its `resource` is neither the URL of the upstream/],
    [{ ...good, resource: `${url}/deeper` }, /`resource`/],
    [{ ...good, resource: `${resource.origin}/mc` }, /`resource`/],
    [{ ...good, resource: `${url}#x` }, /`resource`/],
    [{ ...good, resource: `${url}?tenant=1` }, /`resource`/],
    [{ ...good, resource: [url] }, /`resource`/],
    [{ resource: url }, /it names no `authorization_servers`/],
    [{ ...good, authorization_servers: [] }, /it names no `authorization_servers`/],
    [
      { ...good, authorization_servers: ['javascript:alert(1)'] },
      /the issuer that the upstream names is not a valid URL/,
    ],
    [
      { ...good, authorization_servers: [`${server.origin}#x`] },
      /the issuer that the upstream names is not a valid URL/,
    ],
  ]
  for (const [json, message] of wrong) {
    resource.answers[`${RESOURCE}/mcp`] = { json }
    await t.rejects(discover(), failed(message), JSON.stringify(json))
  }
  t.same(server.requests, [])

  resource.answers[`${RESOURCE}/mcp`] = { json: good }
  const metadata = metadataOf(server)
  const bad: [object, RegExp][] = [
    [{ ...metadata, issuer: 'https://evil.example' }, /its `issuer` is not exactly/],
    [{ ...metadata, issuer: `${server.origin}//` }, /its `issuer` is not exactly/],
    [{ ...metadata, issuer: `${server.origin}/?` }, /its `issuer` is not exactly/],
    [{ ...metadata, issuer: null }, /its `issuer` is not exactly/],
    [{ ...metadata, issuer: undefined }, /its `issuer` is not exactly/],
    [{ ...metadata, code_challenge_methods_supported: undefined }, /does not list S256.*PKCE is required/],
    [{ ...metadata, code_challenge_methods_supported: ['plain'] }, /does not list S256/],
    [{ ...metadata, code_challenge_methods_supported: 'S256' }, /does not list S256/],
    [
      { ...metadata, authorization_endpoint: 'javascript:alert(1)' },
      /its `authorization_endpoint` is not a valid https URL/,
    ],
    [{ ...metadata, authorization_endpoint: undefined }, /its `authorization_endpoint` is not a valid https URL/],
    [{ ...metadata, token_endpoint: 'file:///etc/passwd' }, /its `token_endpoint` is not a valid https URL/],
    [{ ...metadata, token_endpoint: 'https://user@id.example/' }, /its `token_endpoint` is not a valid https URL/],
    [{ ...metadata, registration_endpoint: '/register' }, /its `registration_endpoint` is not a valid https URL/],
  ]
  for (const [json, message] of bad) {
    server.answers[SERVER] = { json }
    await t.rejects(discover(), failed(message), JSON.stringify(json))
  }
})

t.test('redirects, bombs, garbage and errors end a discovery without being followed, unpacked or parsed', async t => {
  const { url, resource, server, discover } = await fixture(t)
  const elsewhere = await site(t)
  const document = JSON.stringify({ resource: url, authorization_servers: [server.origin] })
  elsewhere.answers[RESOURCE] = { body: document }
  const location = `${elsewhere.origin}${RESOURCE}`
  const bomb = gzipSync(Buffer.alloc(50_000_000, ' '))
  const answers: [Answer, RegExp][] = [
    [{ status: 302, headers: { location }, body: document }, /answered 302/],
    [{ status: 500, body: document }, /answered 500/],
    [{ body: document + ' '.repeat(200_000) }, /cannot read it/],
    [{ body: bomb, headers: { 'content-encoding': 'gzip' } }, /cannot read it/],
    [{ body: '['.repeat(60_000) }, /other than a JSON object/],
    [{ body: '[]' }, /other than a JSON object/],
    [{ body: 'null' }, /other than a JSON object/],
    [{ body: '<html>' }, /other than a JSON object/],
    [{ body: '' }, /other than a JSON object/],
    [{ body: `{"__proto__":${document}}` }, /`resource`/],
  ]
  for (const [answer, message] of answers) {
    resource.answers[`${RESOURCE}/mcp`] = answer
    await t.rejects(discover(), failed(message), `${message}`)
  }
  t.same([elsewhere.requests, server.requests], [[], []])

  resource.answers['/mcp'] = { status: 307, headers: { location: elsewhere.origin }, json: {} }
  await t.rejects(discover(), failed(/`resource`/))
  t.same(elsewhere.requests, [])
})

t.test('discovery follows one redirect that only adds or removes a trailing slash', async t => {
  const { url, resource, discover } = await fixture(t)
  const { '/mcp': challenge = {} } = resource.answers
  const moved = { status: 308, headers: { location: '/mcp/' } }
  resource.answers['/mcp'] = moved
  resource.answers['/mcp/'] = challenge
  t.match(await discover(), { upstreamUrl: `${url}/`, resource: url })

  resource.answers['/mcp/'] = { status: 401, json: {} }
  t.match(await discover(), { upstreamUrl: `${url}/`, resource: url }, 'the metadata is found without the slash')

  resource.answers['/mcp/'] = { status: 308, headers: { location: '/mcp' } }
  resource.requests.length = 0
  t.match(await discover(), { upstreamUrl: `${url}/` })
  const posted = resource.requests.flatMap(({ method, url }) => (method === 'POST' ? [url] : []))
  t.same(posted, ['/mcp', '/mcp/'], 'a loop ends')

  for (const answer of [
    { ...moved, status: 302 },
    { ...moved, headers: { location: '/mcp//' } },
  ]) {
    resource.answers['/mcp'] = answer
    t.match(await discover(), { upstreamUrl: url })
  }
})

t.test('a fallback page is not metadata, and discovery tries the next location', async t => {
  const { url, resource, server, discover } = await fixture(t)
  const page = { body: '<html>Welcome</html>', headers: { 'content-type': 'text/html' } }
  const { [`${RESOURCE}/mcp`]: published = {} } = resource.answers
  resource.answers['/mcp'] = { status: 401, json: {} }
  resource.answers[`${RESOURCE}/mcp`] = page
  resource.answers[RESOURCE] = published
  server.answers['/.well-known/openid-configuration'] = { json: metadataOf(server) }
  server.answers[SERVER] = page
  t.match(await discover(), { resource: url, issuer: server.origin })
  server.answers[SERVER] = { json: metadataOf(server, 'https://evil.example') }
  t.match(await discover(), { resource: url, issuer: server.origin })
})

t.test('a discovery ends within its deadline if a server never finishes', async t => {
  const silent = await rawUpstream(t, () => {})
  const dripping = await rawUpstream(t, socket => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n')
  })
  const timeout = AbortSignal.timeout
  const given = t.intercept(AbortSignal, 'timeout', { value: () => timeout.call(AbortSignal, 100) })
  const { discover } = createDiscovery({ egress: egressOf(t), requests })
  await t.rejects(discover(`${silent.origin}/mcp`), failed(/^The upstream is unreachable: .*retry/))
  await t.rejects(
    discover(`${dripping.origin}/mcp`),
    failed(/^The protected resource metadata .*cannot read it.*retry/),
  )
  given.restore()
  t.equal(dripping.connections, 2, 'and who does not come to an end is not asked again')
})

t.test('an unreadable challenge is ignored', async t => {
  const { url, resource, discover } = await fixture(t)
  for (const challenge of [
    'Bearer',
    'Basic realm="x"',
    'Bearer resource_metadata="unclosed',
    '"',
    `Bearer ${'a=b, '.repeat(3_000)}`,
    `Bearer ${' '.repeat(12_000)}x`,
  ]) {
    resource.answers['/mcp'] = { status: 401, headers: { 'www-authenticate': challenge }, json: {} }
    t.match(await discover(), { resource: url }, challenge.slice(0, 30))
  }
})

t.test('discovery does not contact forbidden addresses and reports unreachable servers', async t => {
  const { url, resource, server } = await fixture(t)
  const { discover } = createDiscovery({ egress: egressOf(t, { allowLoopback: false }), requests })
  await t.rejects(discover(url), failed(/^The upstream is unreachable: .*Check the address/))
  t.same([resource.connections, server.connections], [0, 0])

  const open = createDiscovery({ egress: egressOf(t), requests })
  await t.rejects(open.discover('http://127.0.0.1:9/mcp'), failed(/^The upstream is unreachable: /))
  const inside = { resource: url, authorization_servers: ['http://10.0.0.1'] }
  resource.answers[`${RESOURCE}/mcp`] = { json: inside }
  await t.rejects(open.discover(url), failed(/authorization server 10.0.0.1 .*cannot read it/))
})

t.test('an authorization server with an endpoint at a forbidden address is rejected', async t => {
  const { url, server } = await fixture(t)
  const addresses: Record<string, string[]> = { 'inside.test': ['10.0.0.1'], 'public.test': ['93.184.215.14'] }
  const egress = egressOf(t, {
    lookup: (name, _options, found) => {
      const known = (addresses[name] ?? []).map(address => ({ address, family: 4 }))
      found(known.length === 0 ? Object.assign(new Error(), { code: 'ENOTFOUND' }) : null, known)
    },
  })
  const { discover } = createDiscovery({ egress, requests })
  for (const name of ['authorization_endpoint', 'token_endpoint', 'registration_endpoint']) {
    for (const endpoint of [
      'http://10.0.0.1/x',
      'https://169.254.169.254/x',
      'https://[::ffff:10.0.0.1]/x',
      'https://a.internal/x',
    ]) {
      server.answers[SERVER] = { json: { ...metadataOf(server), [name]: endpoint } }
      await t.rejects(discover(url), failed(new RegExp(`its \`${name}\` is unusable: `)), `${name} ${endpoint}`)
    }
    const messages = []
    for (const host of ['inside.test', 'unknown.test']) {
      server.answers[SERVER] = { json: { ...metadataOf(server), [name]: `https://${host}/x` } }
      const { code, message } = await discover(url).catch(error => error)
      messages.push(`${code} ${message.replace(host, 'some.test')}`)
    }
    t.match(messages[0], /^oauth_discovery_failed .*does not resolve to a public address/)
    t.equal(messages[0], messages[1], 'a private name and an unknown one get the same answer')
    server.answers[SERVER] = { json: { ...metadataOf(server), [name]: 'https://public.test/x' } }
    t.match(await discover(url), { issuer: server.origin })
  }
})

t.test('an issuer’s metadata is requested only from the issuer’s host, whatever its path', async t => {
  const { url, resource, server, discover } = await fixture(t)
  const evil = await site(t)
  const issuer = `${server.origin}//${new URL(evil.origin).host}`
  for (const place of [SERVER, `${SERVER}/`, '/.well-known/openid-configuration'])
    evil.answers[place] = { json: metadataOf(evil, issuer) }
  resource.answers[`${RESOURCE}/mcp`] = { json: { resource: url, authorization_servers: [issuer] } }
  await t.rejects(discover(), failed(/authorization server/))
  t.same(evil.requests, [])
})

t.test('published values are stored only if they can be displayed unchanged', async t => {
  const { url, resource, server, discover } = await fixture(t)
  const { origin } = server
  const hidden = [' ', '\u202e', '\u0000', '\ud800', '\u001b[2J', 'a b', 'x'.repeat(2_048)]
  for (const text of hidden) {
    const issuer = `${origin}/${text}`
    server.answers[SERVER] = { json: metadataOf(server, issuer) }
    resource.answers[`${RESOURCE}/mcp`] = { json: { resource: url, authorization_servers: [issuer] } }
    await t.rejects(discover(), failed(/is not a valid URL/), JSON.stringify(text))

    server.answers[SERVER] = { json: { ...metadataOf(server), token_endpoint: `${origin}/${text}` } }
    resource.answers[`${RESOURCE}/mcp`] = { json: { resource: url, authorization_servers: [origin] } }
    await t.rejects(discover(), failed(/`token_endpoint` is not a valid https URL/), JSON.stringify(text))
  }
})
