import { createHmac } from 'node:crypto'
import { base64url, CompactSign, calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import t, { type Test } from 'tap'
import { PublicHosts } from '../../../lib/http/public-hosts.ts'
import errorEnvelope from '../../../plugins/error-envelope/plugin.ts'
import identity from '../../../plugins/identity/plugin.ts'
import origin from '../../../plugins/origin/plugin.ts'
import { createJwts } from '../../../services/identity/jwt.ts'
import { createTokenPolicies } from '../../../services/identity/token-policies.ts'
import { silent } from '../../fixtures/database.ts'
import { bare, known, NO_AGENTS, NO_EVENTS, testClock } from '../../fixtures/fixture.ts'
import { testIssuer } from '../../fixtures/test-issuer.ts'

const GATEWAY = 'https://gateway.example'
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA']

/** Both issuers, and an app that takes their tokens: the session's everywhere, the MCP issuer's on POST /mcp. */
async function fixture(t: Test) {
  const clock = testClock(Date.now())
  const session = await testIssuer(t, { audience: 'gateway', algorithms: ALGORITHMS })
  const mcp = await testIssuer(t, { audience: `${GATEWAY}/mcp`, algorithms: ALGORITHMS })
  session.clock = clock
  mcp.clock = clock
  const hosts = new PublicHosts(() => [GATEWAY, 'https://other.example'])
  const policies = createTokenPolicies(
    {
      session: { issuer: session.issuer, jwksUri: undefined, audience: 'gateway' },
      mcp: { issuer: mcp.issuer, jwksUri: undefined, scopes: [] },
      shareSubjects: false,
      algorithms: ALGORITHMS,
      maxLifetimeSeconds: 86_400,
      clockToleranceSeconds: 30,
    },
    { clock, log: silent, mcpResources: () => hosts.mcpResources },
  )
  const asked: string[] = []
  const emails: (string | undefined)[] = []
  const userOf = async ({ subject, email }: { subject: string; email: string | undefined }) => {
    asked.push(subject)
    emails.push(email)
    return `usr_${subject}`
  }
  const jwts = createJwts({ policies, userOf, agents: NO_AGENTS, clock, events: NO_EVENTS })
  const app = bare(t)
  app.register(errorEnvelope)
  app.register(origin, { hosts, corsOrigins: [], trustsProxy: false, hsts: false })
  app.register(async scope => {
    scope.register(identity, { ...known({}), jwts })
    scope.register(async routes => {
      routes.get('/connectors', { config: { group: 'connectors' } }, async request => request.identity)
      routes.post('/mcp', { config: { audience: 'mcp', group: 'mcp' } }, async request => request.identity)
    })
  })

  /** What an answer to a token is: the identity, or the code and message of the refusal. */
  async function send(token: string, url: '/connectors' | '/mcp', host = 'gateway.example') {
    const response = await app.inject({
      method: url === '/mcp' ? 'POST' : 'GET',
      url,
      headers: { authorization: `Bearer ${token}`, host },
    })
    return { status: response.statusCode, ...response.json(), challenge: response.headers['www-authenticate'] }
  }
  return { clock, session, mcp, send, jwts, asked, emails }
}

t.test('session tokens are accepted on every route, MCP tokens only on POST /mcp', async t => {
  const { session, mcp, send } = await fixture(t)
  const signedIn = await session.mint({ sub: 'ada' })
  for (const url of ['/connectors', '/mcp'] as const)
    t.match(await send(signedIn, url), { status: 200, via: 'session', userId: 'usr_ada', clientId: '' })
  t.match(await send(await mcp.mint({ sub: 'grace', client_id: 'client-1' }), '/mcp'), {
    status: 200,
    via: 'mcp-oauth',
    userId: 'usr_grace',
    meterKey: 'usr_grace',
    clientId: 'client-1',
  })
  t.match(await send(await mcp.mint({ azp: 'client-2' }), '/mcp'), { clientId: 'client-2' })
  t.match(await send(await mcp.mint({ aud: ['x', 'https://other.example/mcp'] }), '/mcp'), { status: 200 })
  t.match(await send(await mcp.mint({ aud: `${GATEWAY}/mcp/` }), '/mcp'), { status: 200 }, 'also with a slash')
  for (const alg of ALGORITHMS)
    t.match(await send(await session.mint({}, { alg }), '/connectors'), { status: 200 }, alg)
})

t.test('the clocks of an issuer and of the gateway may differ by 30 seconds', async t => {
  const { mcp, send, clock } = await fixture(t)
  const now = Math.floor(clock.now() / 1000)
  for (const times of [{ nbf: now + 29 }, { iat: now + 29 }, { iat: now - 60, exp: now - 29 }])
    t.match(await send(await mcp.mint(times), '/mcp'), { status: 200 }, JSON.stringify(times))
})

t.test('the rejection table', async t => {
  const { session, mcp, send, clock, asked } = await fixture(t)
  const foreign = await testIssuer(t, { audience: `${GATEWAY}/mcp` })
  const stranger = await generateKeyPair('RS256', { extractable: true })
  const strangerJwk: JWK = { ...(await exportJWK(stranger.publicKey)), alg: 'RS256', kid: 'embedded' }
  const good = await mcp.mint()
  const [head = '', body = '', signature = ''] = good.split('.')
  const now = Math.floor(clock.now() / 1000)
  const kid = (await mcp.publicJwk()).kid ?? ''
  const pem = await mcp.publicPem()
  const json = (part: object) => base64url.encode(JSON.stringify(part))
  const hs256 = (secret: string, header: object) => {
    const signed = `${json({ alg: 'HS256', typ: 'at+jwt', ...header })}.${body}`
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
  }
  /** Signs these claims as text: JSON.stringify cannot write 1e400. */
  const minted = async (claims: Record<string, string>) => {
    const text = Object.entries(claims).map(([name, value]) => `"${name}":${value}`)
    const given = { iss: mcp.issuer, sub: 'ada', aud: `${GATEWAY}/mcp`, iat: now, exp: now + 60 }
    const payload = `${JSON.stringify(given).slice(0, -1)},${text}}`
    const header = { alg: 'RS256', typ: 'at+jwt', kid }
    return new CompactSign(Buffer.from(payload)).setProtectedHeader(header).sign(mcp.privateKey('RS256'))
  }
  const embedded = (header: Record<string, unknown>) => mcp.mint({}, { key: stranger.privateKey, kid: null, header })

  const table: [name: string, token: string, why: RegExp][] = [
    ['no JSON in it', `${base64url.encode('x')}.${base64url.encode('y')}.z`, /issuer of this token is unknown/],
    ['a payload that is an array', `${head}.${json([])}.${signature}`, /issuer of this token is unknown/],
    ['no issuer', await mcp.mint({ iss: undefined }), /issuer of this token is unknown/],
    ['an unknown issuer', await foreign.mint(), /issuer of this token is unknown/],
    ['a foreign key under our issuer’s name', await mcp.mint({}, { key: stranger.privateKey, kid }), /signature/],
    ['an issuer with a trailing slash', await mcp.mint({ iss: `${mcp.issuer}/` }), /issuer of this token is unknown/],
    ['expired', await mcp.mint({ exp: now - 31 }), /expired/],
    ['expired long ago', await mcp.mint({ iat: now - 7_200, exp: now - 3_600 }), /expired/],
    ['not valid yet', await mcp.mint({ nbf: now + 31 }), /not valid yet/],
    ['issued in the future', await mcp.mint({ iat: now + 31 }), /in the future/],
    ['no exp', await mcp.mint({ exp: undefined }), /no exp/],
    ['no iat', await mcp.mint({ iat: undefined }), /no iat/],
    ['no sub', await mcp.mint({ sub: undefined }), /no sub/],
    ['an exp that is text', await mcp.mint({ exp: `${now + 600}` }), /exp/],
    ['an exp of 1e20', await mcp.mint({ exp: 1e20 }), /exp is not a time/],
    ['an exp of 1e400, which JSON.parse reads as Infinity', await minted({ exp: '1e400' }), /exp is not a time/],
    ['a negative iat', await mcp.mint({ iat: -1, exp: now + 60 }), /iat is not a time/],
    ['an iat of -1e400', await minted({ iat: '-1e400' }), /iat is not a time/],
    ['a negative nbf', await mcp.mint({ nbf: -1 }), /nbf is not a time/],
    ['an nbf of -1e400', await minted({ nbf: '-1e400' }), /nbf is not a time/],
    ['an nbf that is text', await mcp.mint({ nbf: `${now}` }), /not valid/],
    ['a lifetime of 24 hours and a second', await mcp.mint({ exp: now + 86_401 }), /lifetime exceeds 86400 seconds/],
    ['issued long ago for more than 24 hours', await mcp.mint({ iat: now - 86_400, exp: now + 1 }), /lifetime/],
    ['more than 24 hours left, by a later iat', await mcp.mint({ iat: now + 31, exp: now + 86_431 }), /in the future/],
    ['an empty sub', await mcp.mint({ sub: '' }), /sub/],
    ['a sub that is a number', await mcp.mint({ sub: 7 }), /sub/],
    ['a sub with a NUL', await mcp.mint({ sub: 'a\u0000b' }), /sub/],
    ['a sub with half a surrogate pair', await mcp.mint({ sub: 'x\ud800' }), /sub/],
    ['a sub with a control character', await mcp.mint({ sub: 'x\u009b31m' }), /sub/],
    ['a client_id with half a surrogate pair', await mcp.mint({ client_id: 'x\udbff' }), /client_id/],
    ['a sub of 513 characters', await mcp.mint({ sub: 'a'.repeat(513) }), /sub/],
    ['unsigned, alg none', await mcp.mint({}, { alg: 'none' }).then(token => `${token}x`), /algorithm|read/],
    ['unsigned, alg NONE', `${json({ alg: 'NONE', kid })}.${body}.x`, /algorithm|read/],
    ['no alg', `${json({ kid })}.${body}.${signature}`, /read/],
    [
      'its payload changed',
      `${head}.${json({ iss: mcp.issuer, sub: 'root', aud: `${GATEWAY}/mcp`, iat: now, exp: now + 60 })}.${signature}`,
      /signature/,
    ],
    ['its signature changed', `${head}.${body}.${signature.slice(0, -4)}AAAA`, /signature/],
    ['re-signed by a stranger', await mcp.mint({}, { key: stranger.privateKey, kid }), /signature/],
    ['re-signed without a kid', await mcp.mint({}, { key: stranger.privateKey, kid: null }), /signature/],
    ['a key embedded in it (jwk)', await embedded({ jwk: strangerJwk }), /signature|key/],
    ['a key embedded in it (jwk and its kid)', await embedded({ jwk: strangerJwk, kid: 'embedded' }), /no such key/],
    ['a remote key (jku)', await embedded({ jku: foreign.jwksUri, kid: 'RS256-1' }), /signature|no such key/],
    ['a remote certificate (x5u)', await embedded({ x5u: `${foreign.issuer}/cert` }), /signature|key/],
    ['an embedded certificate (x5c)', await embedded({ x5c: ['AAAA'] }), /signature|key/],
    ['a thumbprint for a kid', await embedded({ kid: await calculateJwkThumbprint(strangerJwk) }), /no such key/],
    ['HS256 with the public key as its secret', hs256(pem, { kid }), /algorithm/],
    ['HS256 with the public JWK as its secret', hs256(JSON.stringify(await mcp.publicJwk()), { kid }), /algorithm/],
    ['HS256 with an empty secret', hs256('', {}), /algorithm/],
    [
      'RS256 over a key of EdDSA',
      `${json({ alg: 'RS256', kid: (await mcp.publicJwk('EdDSA')).kid })}.${body}.${signature}`,
      /no such key|signature/,
    ],
    ['an algorithm that is not configured', `${json({ alg: 'PS256', kid })}.${body}.${signature}`, /algorithm/],
    [
      'an unknown critical header',
      await mcp
        .mint({}, { header: { crit: ['x'], x: 1 } })
        .catch(() => `${json({ alg: 'RS256', kid, crit: ['x'], x: 1 })}.${body}.${signature}`),
      /read/,
    ],
    ['no audience', await mcp.mint({ aud: undefined }), /no aud/],
    ['the audience of another resource', await mcp.mint({ aud: 'https://elsewhere.example/mcp' }), /audience/],
    ['the base URL as audience', await mcp.mint({ aud: GATEWAY }), /audience/],
    ['the base URL with a slash as audience', await mcp.mint({ aud: `${GATEWAY}/` }), /audience/],
    ['two slashes on the audience', await mcp.mint({ aud: `${GATEWAY}/mcp//` }), /audience/],
    ['a trailing path on the audience', await mcp.mint({ aud: `${GATEWAY}/mcp/tools` }), /audience/],
    ['a prefix of the audience', await mcp.mint({ aud: `${GATEWAY}/mc` }), /audience/],
    ['another case of the audience', await mcp.mint({ aud: `${GATEWAY}/MCP` }), /audience/],
    ['another scheme of the audience', await mcp.mint({ aud: 'http://gateway.example/mcp' }), /audience/],
    ['a port on the audience', await mcp.mint({ aud: 'https://gateway.example:443/mcp' }), /audience/],
    ['an audience that is an object', await mcp.mint({ aud: { 0: `${GATEWAY}/mcp` } }), /audience|aud/],
    ['the session’s audience from the MCP issuer', await mcp.mint({ aud: 'gateway' }), /audience/],
    ['the MCP audience from the session issuer', await session.mint({ aud: `${GATEWAY}/mcp` }), /audience/],
    [
      'the session issuer’s name over the MCP issuer’s key',
      await mcp.mint({ iss: session.issuer, aud: 'gateway' }),
      /signature|no such key/,
    ],
    [
      'the MCP issuer’s name over the session issuer’s key',
      await session.mint({ iss: mcp.issuer, aud: `${GATEWAY}/mcp` }),
      /signature|no such key/,
    ],
    ['bound to a key of its client', await mcp.mint({ cnf: { jkt: 'x' } }), /bound/],
    ['a client_id that is a number', await mcp.mint({ client_id: 7 }), /client_id/],
  ]
  for (const [name, token, why] of table) {
    const { status, error, challenge } = await send(token, '/mcp')
    t.match({ status, code: error?.code }, { status: 401, code: 'invalid_jwt' }, name)
    t.match(error?.message, why, `${name}: says why`)
    t.match(challenge, /error="invalid_token"/, `${name}: and where to sign in`)
  }
  t.same(asked, [], 'and none of them makes a user')
  t.match(await send(good, '/mcp'), { status: 200 }, 'the token they were made of is good')
  const fullDay = await mcp.mint({ iat: now + 4.5, exp: now + 86_404.5, nbf: 0 })
  t.match(await send(fullDay, '/mcp'), { status: 200 }, 'a lifetime of 24 hours is accepted, and times with a fraction')
  const onTheEdge = await mcp.mint({ exp: now - 4, nbf: now + 4, iat: now + 4 })
  t.match(await send(onTheEdge, '/mcp'), { status: 200 }, 'clocks may differ by five seconds')
})

t.test('an audience is never taken from the Host header', async t => {
  const { mcp, send } = await fixture(t)
  const token = await mcp.mint({ aud: 'https://evil.example/mcp' })
  t.match(await send(token, '/mcp', 'evil.example'), { status: 403 })
  t.match(await send(token, '/mcp', 'gateway.example'), { status: 401, error: { code: 'invalid_jwt' } })
  const other = await mcp.mint({ aud: 'https://other.example/mcp' })
  t.match(await send(other, '/mcp', 'gateway.example'), { status: 200 }, 'any origin of ours may be meant')
})

t.test('other routes reject MCP tokens, cached or not, and the two issuers are never swapped', async t => {
  const { session, mcp, send } = await fixture(t)
  const token = await mcp.mint()
  t.match(await send(token, '/connectors'), {
    status: 401,
    error: { code: 'invalid_jwt', message: /only on POST \/mcp/ },
  })
  t.match(await send(token, '/mcp'), { status: 200 })
  t.match(
    await send(token, '/connectors'),
    { status: 401, error: { code: 'invalid_jwt' } },
    'also once it was verified',
  )
  t.match(await send(await session.mint({ aud: `${GATEWAY}/mcp` }), '/connectors'), { status: 401 })
  t.match(await send(await mcp.mint({ aud: 'gateway' }), '/connectors'), { status: 401 })
})

t.test('two tokens with the same first 500 characters are distinct, also in the cache', async t => {
  const { mcp, send, jwts } = await fixture(t)
  const padding = 'p'.repeat(600)
  const one = await mcp.mint({ padding, sub: 'ada' })
  const [head = '', body = '', signature = ''] = one.split('.')
  t.match(await send(one, '/mcp'), { userId: 'usr_ada' })
  const forged = `${head}.${body}.${signature.slice(0, -6)}AAAAAA`
  t.equal(one.slice(0, 500), forged.slice(0, 500))
  t.equal(jwts.cached(forged, 'mcp'), undefined)
  t.match(await send(forged, '/mcp'), { status: 401 })
  const parts = JSON.parse(Buffer.from(body, 'base64url').toString())
  const other = await mcp.mint({
    ...Object.fromEntries(Object.entries(parts).filter(([name]) => name !== 'sub')),
    sub: 'grace',
  })
  t.match(await send(other, '/mcp'), { userId: 'usr_grace' })
})

t.test(
  'only the email of a token that is one, and that its issuer does not doubt, becomes the email of the user',
  async t => {
    const { mcp, jwts, emails } = await fixture(t)
    const grace = 'grace@example.test'
    const claims = [
      { email: grace },
      { email: grace, email_verified: true },
      { email: grace, email_verified: false },
      { email: grace, email_verified: 'false' },
      { email: 'Run `link --move` for ada@example.test' },
      { email: `grace\u202e${grace}` },
      { email: 'grace' },
    ]
    for (const claim of claims) await jwts.verify(await mcp.mint(claim), 'mcp')
    t.same(emails, [grace, grace, ...Array(5).fill(undefined)])
  },
)

t.test('a verified token is cached for a minute, and never past its expiry', async t => {
  const { mcp, jwts, clock } = await fixture(t)
  const now = Math.floor(clock.now() / 1000)
  const [long, brief] = [await mcp.mint(), await mcp.mint({ exp: now + 20 })]
  for (const token of [long, brief]) t.equal(await jwts.verify(token, 'mcp'), jwts.cached(token, 'mcp'))
  clock.advance(20_000)
  t.ok(jwts.cached(long, 'mcp'))
  t.equal(jwts.cached(brief, 'mcp'), undefined)
  clock.advance(40_000)
  t.equal(jwts.cached(long, 'mcp'), undefined)
  await t.rejects(jwts.verify(brief, 'mcp'), { code: 'invalid_jwt', message: /expired/ })
})

t.test('without issuers every JWT is rejected with the reason', async t => {
  const { mcp } = await fixture(t)
  const jwts = createJwts({
    policies: [],
    userOf: async () => '',
    agents: NO_AGENTS,
    clock: testClock(),
    events: NO_EVENTS,
  })
  await t.rejects(jwts.verify(await mcp.mint(), 'mcp'), {
    code: 'invalid_jwt',
    message: /No token issuer is configured/,
  })
})
