import { createSecretKey, randomBytes } from 'node:crypto'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import t from 'tap'
import { forOrg } from '../lib/database/tenant.ts'
import { createVault } from '../lib/vault/vault.ts'
import { createAssertionKeys } from '../services/remote-connectors/assertions.ts'
import { createVaultRotation } from '../services/vault-rotation.ts'
import { newsHeard, silent, testDatabase } from './fixtures/database.ts'
import { type RemoteMember, remoteJourney } from './fixtures/remote-journey.ts'
import { legacyServer } from './upstreams/legacy-server.ts'

const { app, team, services, clock } = await remoteJourney(t)
const issuerOf = (orgId: string) => `http://localhost/organizations/${orgId}`
const DAY_MS = 86_400_000

async function published(): Promise<JSONWebKeySet> {
  const response = await app.inject({ url: '/.well-known/jwks.json' })
  t.match(response.headers['cache-control'], /^public, max-age=/)
  return response.json()
}

/** A server of an organization that lets in whom the gateway signs for, with the checks of docs/remote-connectors.md. */
async function trustingServer({ who: { orgId } }: RemoteMember) {
  const tokens: string[] = []
  const refused: string[] = []
  const rejected = { all: false }
  const server = await legacyServer(t, {
    async guard({ url, headers }) {
      const token = headers.get('authorization')?.replace('Bearer ', '') ?? ''
      const verified = await jwtVerify(token, createLocalJWKSet(await published()), {
        issuer: issuerOf(orgId),
        audience: url,
        currentDate: new Date(clock.now()),
        requiredClaims: ['sub', 'exp', 'iat', 'jti'],
      }).catch(() => undefined)
      const accepted = verified !== undefined && !rejected.all
      ;(accepted ? tokens : refused).push(token)
      return accepted ? undefined : new Response(null, { status: 401 })
    },
  })
  return { ...server, tokens, refused, rejected }
}

const claimsOf = (token: string | undefined) => decodeJwt(token ?? '')
const kidOf = (token: string | undefined) => decodeProtectedHeader(token ?? '').kid

t.test(
  'an organization’s own server learns who calls, from a token of one minute that only the gateway can sign',
  async t => {
    const { owner, member } = await team()
    const server = await trustingServer(owner)
    t.match(await owner.register('own', server.url, { mode: 'assertion' }), {
      status: 'connected',
      accounts: [],
      remote: { auth_mode: 'assertion', credential: { per: 'member', connected: true } },
    })
    t.match(claimsOf(server.tokens.at(-1)), { sub: owner.who.userId }, 'the admin who registers takes the snapshot')

    t.ok((await member.tools('own')).length > 0, 'no member has to connect anything')
    t.match(await member.call('org__own__echo', { a: 1 }), { structuredContent: { a: 1 } })
    const token = server.tokens.at(-1)
    const { email, ...claims } = claimsOf(token)
    t.equal(claims.email_verified, false, 'a user may have chosen their address')
    t.match(email, /^person-\d+@example\.test$/)
    const { orgId, userId } = member.who
    const now = Math.floor(clock.now() / 1_000)
    t.match(claims, { iss: issuerOf(orgId), aud: server.url, sub: userId, org_id: orgId, role: 'member' })
    t.same([claims.iat, claims.exp, claims.agent_id], [now, now + 60, undefined])

    await owner.call('org__own__echo', {})
    t.match(claimsOf(server.tokens.at(-1)), { sub: owner.who.userId, role: 'owner' })
    t.not(claimsOf(server.tokens.at(-1)).jti, claims.jti)

    const { id: agentId } = await member.who.agent()
    const { key } = await member.who.key({ agentId })
    const headers = { 'x-api-key': key, accept: 'application/json, text/event-stream' }
    const call = { method: 'tools/call', params: { name: 'org__own__echo', arguments: {} } }
    await app.inject({ method: 'POST', url: '/mcp', headers, payload: { jsonrpc: '2.0', id: 1, ...call } })
    t.match(claimsOf(server.tokens.at(-1)), { sub: userId, agent_id: agentId }, 'an agent is named beside its owner')

    const echoed = await member.call('org__own__headers')
    t.notMatch(JSON.stringify(echoed), server.tokens.at(-1) ?? 'none', 'the token is redacted from answers')
  },
)

t.test('the checks of a server reject the assertions of every other organization that registers its URL', async t => {
  const { owner } = await team()
  const { owner: stranger } = await team()
  const server = await trustingServer(owner)
  await owner.register('own', server.url, { mode: 'assertion' })
  const accepted = server.tokens.length
  await stranger.http('POST', '/connectors/org', {
    slug: 'foreign',
    name: 'The foreign',
    upstream_url: server.url,
    auth: { mode: 'assertion' },
  })
  await stranger.call('org__foreign__echo').catch(() => undefined)
  t.equal(server.tokens.length, accepted)
  const token = server.refused.at(-1) ?? ''
  const { orgId, userId } = stranger.who
  const signed = { audience: server.url, currentDate: new Date(clock.now()) }
  const { payload } = await jwtVerify(token, createLocalJWKSet(await published()), signed)
  t.match(payload, { iss: issuerOf(orgId), sub: userId, org_id: orgId }, 'only the issuer differs')
})

t.test('a server is asked with an assertion before a registration changes to it', async t => {
  const { owner } = await team()
  const [open, server] = [await legacyServer(t), await trustingServer(owner)]
  const headers = [{ name: 'x-tenant', value: 'tenant-of-acme' }]
  const patch = (body: object) => owner.http('PATCH', '/connectors/org/own', body)
  const kept = { remote: { upstream_url: open.url, auth_mode: 'bearer' } }
  await owner.register('own', open.url, { mode: 'bearer', token: 'the-token-of-all' })

  server.rejected.all = true
  const auth = { mode: 'assertion', headers }
  t.match(await patch({ upstream_url: server.url, auth }), {
    status: 422,
    body: { error: 'snapshot_failed' },
  })
  t.match(await owner.read('own'), { status: 'connected', ...kept })
  server.rejected.all = false
  t.match(await patch({ upstream_url: server.url, auth }), { status: 200, body: { status: 'connected' } })
  t.match(claimsOf(server.tokens[0]), { aud: server.url, sub: owner.who.userId })
  for (const request of server.requests) t.equal(request.headers['x-tenant'], 'tenant-of-acme')

  const next = await trustingServer(owner)
  t.match(await patch({ upstream_url: next.url }), {
    status: 400,
    body: { message: /^The credential and headers of The own are sent only to / },
  })
  t.same(next.requests, [], 'the headers are secrets of one server')
  await patch({ auth: { mode: 'assertion' } })
  next.rejected.all = true
  t.match(await patch({ upstream_url: next.url }), { status: 422 })
  next.rejected.all = false
  t.match(await patch({ upstream_url: next.url }), { status: 200, body: { remote: { upstream_url: next.url } } })
  t.match(claimsOf(next.tokens[0]), { aud: next.url, sub: owner.who.userId })
})

t.test('a server that rejects the assertion fails the call, and nothing has to be authorized again', async t => {
  const { owner, member } = await team()
  const server = await trustingServer(owner)
  await owner.register('own', server.url, { mode: 'assertion' })
  server.rejected.all = true
  const refused = JSON.stringify(await member.call('org__own__echo', {}))
  t.match(refused, 'upstream_rejected')
  t.match(refused, '/.well-known/jwks.json')
  t.equal((await member.read('own')).status, 'connected')
  server.rejected.all = false
  t.match(await member.call('org__own__echo', { a: 2 }), { structuredContent: { a: 2 } })

  const { orgId, userId } = member.who
  await services.members.setRole({ orgId, userId, role: 'admin', by: 'operator' })
  await newsHeard(services.database)
  clock.advance(11_000)
  await member.call('org__own__echo', {})
  t.match(claimsOf(server.tokens.at(-1)), { role: 'admin' }, 'a new role appears within 10 s')
})

t.test('keys are published two days before they sign and two days after, and their private parts never', async t => {
  const { owner } = await team()
  const server = await trustingServer(owner)
  await owner.register('own', server.url, { mode: 'assertion' })
  const signedWith = async () => {
    t.match(await owner.call('org__own__echo', { a: 3 }), { structuredContent: { a: 3 } })
    return kidOf(server.tokens.at(-1))
  }
  const kids = async () => (await published()).keys.map(({ kid }) => kid)
  const first = await signedWith()
  t.same(await kids(), [first])
  for (const key of (await published()).keys)
    t.same(Object.keys(key).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  const [stored] = await services.database.db.selectFrom('assertion_keys').selectAll().execute()
  t.notMatch(JSON.stringify(stored), '"d"')

  clock.advance(28 * DAY_MS + 60_000)
  t.equal(await signedWith(), first)
  const [, second] = await kids()
  t.ok(second, 'the next key is published')
  clock.advance(2 * DAY_MS)
  t.equal(await signedWith(), second)
  t.same(await kids(), [first, second], 'what the first key signed last can be verified')
  clock.advance(2 * DAY_MS)
  t.same(await kids(), [second])
  clock.advance(100 * DAY_MS)
  const late = await signedWith()
  t.same(await kids(), [late], 'after a pause of all processes, a new key signs')
})

t.test('the first signature of a gateway creates the first key, however long that takes', async t => {
  const { db } = await testDatabase(t)
  const vault = createVault(services.settings.vaultKeys)
  let now = clock.now()
  const { signing, published } = createAssertionKeys({ db, vault, clock: { now: () => (now += 1_000) } })
  const { kid } = await signing()
  t.match(await published(), [{ kid }])
  const behind = createAssertionKeys({ db, vault, clock: { now: () => now - 60_000 } })
  t.equal((await behind.signing()).kid, kid, 'also on a process whose clock is behind')
})

t.test('no other registration’s server learns who calls', async t => {
  const { owner, member } = await team()
  const server = await legacyServer(t)
  await owner.register('none', server.url)
  await owner.register('bearer', server.url, { mode: 'bearer', token: 'the-token-of-all' })
  server.requests.length = 0
  for (const slug of ['none', 'bearer']) await member.call(`org__${slug}__echo`, {})
  t.ok(server.requests.length > 0)
  const { userId, orgId } = member.who
  for (const secret of [userId, orgId, 'example.test', 'eyJ']) t.notMatch(JSON.stringify(server.requests), secret)
})

t.test('a new vault key re-seals fixed headers and the keys of assertions', async t => {
  const { owner } = await team()
  const server = await trustingServer(owner)
  const headers = [{ name: 'x-tenant', value: 'acme' }]
  await owner.register('own', server.url, { mode: 'assertion', headers })
  const { db } = services.database
  const next = { id: 'next', key: createSecretKey(randomBytes(32)) }
  const vault = createVault([next, ...services.settings.vaultKeys])
  t.match(await createVaultRotation({ db, vault, log: silent }).rotate(), { left: 0 })
  const registrations = await forOrg(db, owner.who.orgId).selectFrom('remote_connectors').select('key_id').execute()
  const keys = await db.selectFrom('assertion_keys').select('key_id').execute()
  t.ok(keys.length > 0)
  for (const { key_id } of [...registrations, ...keys]) t.equal(key_id, 'next')
})
