import { exportJWK, exportPKCS8, generateKeyPair, type JWK } from 'jose'
import t from 'tap'
import type { AuthorizationServer } from './authorization-server.ts'
import { newsHeard } from './database.ts'
import { remoteJourney } from './remote-journey.ts'
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
    ...{ token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: alg, jwks },
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
