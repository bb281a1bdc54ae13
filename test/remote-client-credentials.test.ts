import { exportJWK, exportPKCS8, generateKeyPair, type JWK } from 'jose'
import t from 'tap'
import type { AuthorizationServer } from './fixtures/authorization-server.ts'
import { newsHeard } from './fixtures/database.ts'
import { type RemoteMember, remoteJourney } from './fixtures/remote-journey.ts'
import { identityTools } from './upstreams/identity-tools.ts'
import { oauthUpstream } from './upstreams/oauth-upstream.ts'

const { team, services, clock } = await remoteJourney(t)

/** Registers a client that gets tokens for itself. */
async function clientAt({ issuer }: AuthorizationServer, more: object): Promise<{ id: string; secret: string }> {
  const client = { grant_types: ['client_credentials'], redirect_uris: [], response_types: [], ...more }
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${issuer}/reg`, { method: 'POST', headers, body: JSON.stringify(client) })
  const { client_id: id, client_secret: secret } = (await response.json()) as Record<string, string>
  if (id === undefined) throw new Error(`No client was registered (${response.status})`)
  return { id, secret: secret ?? '' }
}

async function keyPair(alg: string): Promise<{ pem: string; jwk: JWK; jwks: { keys: JWK[] } }> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), alg, kid: 'the-key' }
  return {
    pem: await exportPKCS8(privateKey),
    jwk,
    jwks: { keys: [{ ...(await exportJWK(publicKey)), alg, kid: 'the-key' }] },
  }
}

t.test('a client gets and renews tokens for itself, with a secret or with a private key', async t => {
  const upstream = await oauthUpstream(t, { tools: identityTools() })
  const [es256, rs256] = [await keyPair('ES256'), await keyPair('RS256')]
  const byKey = (alg: string, { jwks }: typeof es256) => ({
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: alg,
    jwks,
  })
  const ofSecret = await clientAt(upstream.authorization, { token_endpoint_auth_method: 'client_secret_basic' })
  const ofPem = await clientAt(upstream.authorization, byKey('ES256', es256))
  const ofJwk = await clientAt(upstream.authorization, byKey('RS256', rs256))
  const cases = {
    secret: { client: ofSecret, secret: { client_secret: ofSecret.secret } },
    pem: { client: ofPem, secret: { private_key: es256.pem } },
    jwk: { client: ofJwk, secret: { private_key: JSON.stringify(rs256.jwk) } },
  }
  for (const [slug, { client, secret }] of Object.entries(cases)) {
    const { owner, member } = await team()
    const auth = { mode: 'client_credentials' as const, client_id: client.id, ...secret }
    const registered = await owner.register(slug, upstream.url, auth)
    t.match(registered, {
      status: 'connected',
      remote: {
        auth_mode: 'client_credentials',
        credential: { per: 'organization', connected: true },
        oauth: { client_source: 'preregistered', client_id: client.id },
      },
    })
    for (const value of Object.values(secret)) t.notMatch(JSON.stringify(registered), value)
    t.match((await member.call(`org__${slug}__headers`)).structuredContent, { name: client.id }, slug)
    const before = upstream.state.tokens.at(-1)
    clock.advance(3_600_000)
    t.match((await member.call(`org__${slug}__headers`)).structuredContent, { name: client.id }, `${slug} later`)
    t.not(upstream.state.tokens.at(-1), before, `${slug}: the expired token was replaced`)
  }
})

t.test('a client without a token is not registered, and its secret can be replaced', async t => {
  const { owner, member } = await team()
  const upstream = await oauthUpstream(t, { tools: identityTools() })
  const client = await clientAt(upstream.authorization, { token_endpoint_auth_method: 'client_secret_basic' })
  const request = (auth: object) => ({ slug: 'own', name: 'Own', upstream_url: upstream.url, auth })
  const of = (more: object) => request({ mode: 'client_credentials', client_id: client.id, ...more })
  const wrong = `${client.secret}-not`
  const refused = await owner.http('POST', '/connectors/org', of({ client_secret: wrong }))
  t.match(refused, { status: 422, body: { error: 'connect_failed' } })
  t.notMatch(JSON.stringify(refused), wrong)
  for (const more of [{}, { client_secret: 'a', private_key: 'b' }, { private_key: 'no key at all' }])
    t.match(await owner.http('POST', '/connectors/org', of(more)), { status: 400, body: { error: 'invalid_request' } })
  t.match(await owner.http('GET', '/connectors/org/own'), { status: 404 })

  await owner.register('own', upstream.url, {
    mode: 'client_credentials',
    client_id: client.id,
    client_secret: client.secret,
  })
  t.match(await owner.http('PATCH', '/connectors/org/own', { upstream_url: `${upstream.url}/v2` }), {
    status: 400,
    body: { message: /Send `auth` of mode client_credentials together with `upstream_url`\.$/ },
  })
  upstream.state.refusesAll = true
  clock.advance(3_600_000)
  const rejected = JSON.stringify(await member.call('org__own__headers'))
  t.match(rejected, 'needs_reauth')
  t.match(rejected, `no longer accepts the client of registration own. Give it the client's secret or private key`)
  t.match(rejected, `remote connect own --org ${owner.who.orgId} --token -`)
  await newsHeard(services.database)
  t.equal((await member.read('own')).status, 'needs_reauth')
  upstream.state.refusesAll = false
  const path = '/connectors/org/own/credential'
  t.match(await member.http('POST', path, { key: client.secret }), { status: 403 })
  t.match(await owner.http('POST', path, { key: wrong }), { status: 422 })
  t.match(await owner.http('POST', path, { key: client.secret }), { status: 200, body: { status: 'connected' } })
  await newsHeard(services.database)
  t.match((await member.call('org__own__headers')).structuredContent, { name: client.id })
})

t.test('a server that refuses `resource` as Microsoft Entra does is asked by `scope` from then on', async t => {
  const upstream = await oauthUpstream(t, { tools: identityTools(), scopes: ['openid'] })
  const { authorization, url } = upstream
  const requests = () => authorization.asked.filter(path => path === '/token').length
  const renew = async (member: RemoteMember, slug: string) => {
    clock.advance(3_600_000)
    const before = requests()
    const answer = await member.call(`org__${slug}__headers`)
    t.equal(answer.isError, undefined, JSON.stringify(answer))
    await newsHeard(services.database)
    return requests() - before
  }
  const sendsResource = async ({ read }: RemoteMember, slug: string) => (await read(slug)).remote.oauth?.send_resource

  await t.test('after a refused sign-in', async t => {
    const { owner, member } = await team()
    await owner.register('signin', url, { mode: 'oauth', scopes: ['openid'] })
    authorization.onlyFor = url
    await t.rejects(owner.authorize('signin'), {
      code: 'connect_failed',
      message: /invalid_target \(“AADSTS9010010: .*”\).* The gateway sends `scope` without `resource` from now on\.$/,
    })
    t.equal(await sendsResource(member, 'signin'), false)
    const started = await owner.authorize('signin')
    t.same([started.searchParams.has('resource'), started.searchParams.get('scope')], [false, 'openid'])
    t.equal(await renew(member, 'signin'), 1)
  })

  await t.test('after a refused renewal', async t => {
    const { owner, member } = await team()
    authorization.onlyFor = undefined
    await owner.register('renewal', url, { mode: 'oauth', scopes: ['openid'] })
    await owner.authorize('renewal')
    t.equal(await sendsResource(member, 'renewal'), undefined)
    authorization.onlyFor = url
    t.equal(await renew(member, 'renewal'), 2)
    t.equal(await sendsResource(member, 'renewal'), false)
    t.equal(await renew(member, 'renewal'), 1)
    t.equal((await member.read('renewal')).status, 'connected')
  })

  await t.test('for a client that gets tokens for itself', async t => {
    const { owner, member } = await team()
    authorization.onlyFor = url
    const client = await clientAt(authorization, { token_endpoint_auth_method: 'client_secret_basic' })
    const credentials = { mode: 'client_credentials' as const, client_id: client.id, client_secret: client.secret }
    await owner.register('itself', url, { ...credentials, scopes: ['openid'] })
    t.equal(await sendsResource(member, 'itself'), false)
    t.equal(await renew(member, 'itself'), 1)
  })

  await t.test('and from the beginning if an admin says so', async t => {
    const { owner, member } = await team()
    authorization.onlyFor = url
    const authorization_params = { login_hint: 'ada@corp.example' }
    const auth = { mode: 'oauth' as const, scopes: ['openid'], send_resource: false, authorization_params }
    t.match(await owner.register('said', url, auth), {
      remote: { oauth: { send_resource: false, authorization_params } },
    })
    const { searchParams } = await owner.authorize('said')
    t.same([searchParams.get('login_hint'), searchParams.has('resource')], ['ada@corp.example', false])
    t.equal(await renew(member, 'said'), 1)
  })

  await t.test('but a member’s own sign-in does not change the registration', async t => {
    const { owner, member } = await team()
    authorization.onlyFor = url
    await owner.register('own', url, { mode: 'oauth', scopes: ['openid'], per: 'member' })
    await t.rejects(member.authorize('own'), {
      code: 'connect_failed',
      message: /An admin must send `auth` with `send_resource`: false, with PATCH \/connectors\/org\/own\.$/,
    })
    t.equal(await sendsResource(member, 'own'), undefined)
  })
})
