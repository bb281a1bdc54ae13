import { createHash } from 'node:crypto'
import { decodeJwt } from 'jose'
import t, { type Test } from 'tap'
import { createAudit } from '../../../lib/audit/audit.ts'
import { forOrg } from '../../../lib/database/tenant.ts'
import type { Egress } from '../../../lib/egress/egress.ts'
import { createVault } from '../../../lib/vault/vault.ts'
import { remoteCapability } from '../../../schemas/remotes/names.ts'
import type { RemoteOauth } from '../../../schemas/remotes/oauth-client.ts'
import {
  createPendingAuthorizations,
  type PendingAccountAuthorization,
} from '../../../services/connectors/connect/pending-authorizations.ts'
import type { Credential } from '../../../services/credentials/credential.ts'
import { createOauthClients } from '../../../services/credentials/oauth-clients.ts'
import { createTokenEndpoint } from '../../../services/credentials/token-endpoint.ts'
import { grantConnectorOf } from '../../../services/remote-connectors/grant-connector.ts'
import { LOOPBACK_REDIRECT_URI } from '../../../services/remote-connectors/oauth/client-metadata.ts'
import { createClientRegistration } from '../../../services/remote-connectors/oauth/client-registration.ts'
import { createDiscovery } from '../../../services/remote-connectors/oauth/discovery.ts'
import { createRemoteAuthorizations } from '../../../services/remote-connectors/oauth/remote-authorizations.ts'
import type { Registration } from '../../../services/remote-connectors/registration.ts'
import { createRequests } from '../../../services/remote-connectors/upstream/requests.ts'
import { browserSignIn } from '../../fixtures/browser-sign-in.ts'
import { newsHeard, testDatabase } from '../../fixtures/database.ts'
import { directory, directoryServices, testIds } from '../../fixtures/directory.ts'
import { egressOf } from '../../fixtures/egress-fixture.ts'
import { testClock } from '../../fixtures/fixture.ts'
import { madeRemote } from '../../fixtures/made-remote.ts'
import { serverInfo } from '../../fixtures/mcp-fixture.ts'
import { commands } from '../../fixtures/operator-commands.ts'
import { testSettings } from '../../fixtures/settings.ts'
import { oauthUpstream } from '../../upstreams/oauth-upstream.ts'

const database = await testDatabase(t)
const { db, events } = database

/** A registered upstream with a real authorization server, and the functions that authorize it. */
async function fixture(t: Test, options: Parameters<typeof oauthUpstream>[1] = {}) {
  const clock = testClock(Date.now())
  const ids = testIds(clock)
  const audit = createAudit({ clock, ids })
  const vault = createVault(testSettings().vaultKeys)
  const egress = egressOf(t)
  const clients = createOauthClients({ db, events, clock, vault, audit, commands, platform: new Map() })
  /** The token requests that were sent. */
  const sent: URLSearchParams[] = []
  const seen: Egress = {
    ...egress,
    fetch(url, init) {
      sent.push(new URLSearchParams(String(init.body)))
      return egress.fetch(url, init)
    },
  }
  const tokenEndpoint = createTokenEndpoint({ egress: seen, clock })
  const attempts = createPendingAuthorizations({ db, clock, vault })
  const { begin, finish } = createRemoteAuthorizations({ pendingAuthorizations: attempts, tokenEndpoint, clients })
  const { discover } = createDiscovery({ egress, requests: createRequests({ clientInfo: serverInfo }) })
  const { register } = createClientRegistration({ egress })
  const upstream = await oauthUpstream(t, options)
  const [ada, eve] = await directory(directoryServices(db, clock, { audit })).members('admin', 'admin')
  const { orgId, userId } = ada

  const discovered = await discover(upstream.url)
  const { oauth, clientSecret } = await register(discovered, {}, { origin: 'http://127.0.0.1' })
  const slug = 'specimens'
  const fields = { id: ids('rem'), orgId, slug, upstreamUrl: upstream.url, auth: { mode: 'oauth', oauth } } as const
  const { registration } = madeRemote({ ...fields, createdBy: userId })
  await store(registration, oauth)
  const { clientId } = oauth
  const client = { connector: remoteCapability(slug), remoteId: registration.id, clientId, clientSecret, setBy: userId }
  await clients.storeForRemote(forOrg(db, orgId), client)

  /** The registration when the callback arrives. */
  const now: { registration: Registration | undefined } = { registration }
  const authorize = async () => {
    const { authorizationUrl, state } = await begin({ registration, member: ada, redirectUri: LOOPBACK_REDIRECT_URI })
    return {
      authorizationUrl: new URL(authorizationUrl),
      state,
      callback: await browserSignIn(new URL(authorizationUrl), 'ada'),
    }
  }
  return {
    clock,
    clients,
    attempts,
    tokenEndpoint,
    sent,
    upstream,
    ada,
    eve,
    registration,
    oauth,
    client,
    now,
    begin,
    authorize,
    finish: (callback: URL | string, member = ada) =>
      finish({
        member,
        callback: String(callback),
        registrationOf: async slug => (slug === registration.slug ? now.registration : undefined),
      }),
    tokenRequests: () => upstream.authorization.asked.filter(path => path === '/token').length,
  }
}

async function store(
  { id, orgId, slug, name, upstreamUrl, createdBy, createdAt }: Registration,
  oauth: RemoteOauth,
): Promise<void> {
  await forOrg(db, orgId)
    .insertInto('remote_connectors', {
      id,
      slug,
      name,
      upstream_url: upstreamUrl,
      auth_mode: 'oauth',
      header_name: null,
      oauth: JSON.stringify(oauth),
      created_by: createdBy,
      created_at: createdAt,
      snapshot_id: null,
    })
    .execute()
}

type Tokens = Extract<Credential, { kind: 'oauth2' }>

const failed = (message: RegExp) => ({ name: 'GatewayError', code: 'connect_failed', message })

/** The callback with other parameters; undefined removes one. */
function changed(callback: URL, parameters: Record<string, string | undefined>): URL {
  const url = new URL(callback)
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  return url
}

t.test('a consent yields a token for one upstream, which is refreshed for that upstream', async t => {
  const { upstream, authorize, finish, registration, oauth, tokenEndpoint, sent, clients, ada } = await fixture(t)
  const { authorizationUrl, state, callback } = await authorize()
  const asked = Object.fromEntries(authorizationUrl.searchParams)
  t.match(asked, { resource: upstream.url, code_challenge_method: 'S256', response_type: 'code', state })
  t.match(asked.code_challenge, /^[\w-]{43}$/)
  t.equal(asked.scope, undefined, 'nothing was published, and the server decides')

  const { issued, registration: of } = await finish(callback)
  t.equal(of, registration)
  const { clientId } = oauth
  t.same(issued.client, { id: clientId, source: 'org' })
  const { accessToken, refreshToken = '' } = issued.credential as Tokens
  t.match(decodeJwt(accessToken), { aud: upstream.url, iss: upstream.authorization.issuer, client_id: clientId })

  const connector = grantConnectorOf(registration, { mode: 'oauth', oauth })
  const client = await clients.ofGrant(ada.orgId, connector.id, clientId)
  t.same(client, { id: clientId, secret: '', source: 'org' }, 'a public client is kept, without a secret')
  const renewed = await tokenEndpoint.refresh(connector, client as never, refreshToken)
  t.match(decodeJwt((renewed.credential as Tokens).accessToken), { aud: upstream.url, client_id: clientId })
  const [exchanged, refreshed] = sent
  t.same([exchanged?.getAll('resource'), refreshed?.getAll('resource')], [[upstream.url], [upstream.url]])
  const verifier = exchanged?.get('code_verifier') ?? ''
  t.equal(createHash('sha256').update(verifier).digest('base64url'), asked.code_challenge)

  upstream.authorization.resources.delete(upstream.url)
  const again = (renewed.credential as Tokens).refreshToken ?? ''
  await t.rejects(tokenEndpoint.refresh(connector, client as never, again), { code: 'invalid_target' })
})

t.test('an authorization requests the scopes that the upstream publishes', async t => {
  const { authorize, finish } = await fixture(t, { scopes: ['openid'] })
  const { authorizationUrl, callback } = await authorize()
  t.equal(authorizationUrl.searchParams.get('scope'), 'openid offline_access')
  t.ok((await finish(callback)).issued)
})

t.test('a callback works once, for its member, within ten minutes', async t => {
  const { authorize, finish, clock, eve, tokenRequests } = await fixture(t)
  const first = await authorize()
  const gone = failed(/^This authorization is not pending/)
  await t.rejects(finish(first.callback, eve), gone, 'another user who opens the callback URL')
  t.equal(tokenRequests(), 0)
  await finish(first.callback)
  await t.rejects(finish(first.callback), gone)
  const { callback } = await authorize()
  clock.advance(10 * 60_000)
  await t.rejects(finish(callback), gone)
  await t.rejects(finish(changed(callback, { state: 'guessed' })), gone)
  await t.rejects(
    finish(changed(callback, { state: undefined })),
    failed(/^This URL is not the callback of an authorization/),
  )
  await t.rejects(finish('no url'), failed(/^This URL is not the callback of an authorization/))
  t.equal(tokenRequests(), 1)
})

t.test('a callback with a wrong or missing issuer sends no code', async t => {
  const { authorize, finish, tokenRequests, oauth, upstream } = await fixture(t)
  t.equal(oauth.issParameter, true)
  const { issuer } = upstream.authorization
  for (const [iss, message] of [
    ['https://evil.example', /cannot be trusted: unexpected "iss"/],
    [`${issuer}/`, /cannot be trusted: unexpected "iss"/],
    [issuer.toUpperCase(), /cannot be trusted: unexpected "iss"/],
    [undefined, /cannot be trusted: response parameter "iss" \(issuer\) missing/],
  ] as const) {
    const { callback } = await authorize()
    await t.rejects(finish(changed(callback, { iss })), failed(message))
    await t.rejects(finish(callback), failed(/not pending/), 'and the attempt is used up')
  }
  t.equal(tokenRequests(), 0)
})

t.test('the issuer may be missing but not wrong if the server does not announce the parameter', async t => {
  const { authorize, finish, now, registration, oauth, tokenRequests } = await fixture(t)
  now.registration = { ...registration, auth: { mode: 'oauth', oauth: { ...oauth, issParameter: false } } }
  const wrong = await authorize()
  await t.rejects(finish(changed(wrong.callback, { iss: 'https://evil.example' })), failed(/unexpected "iss"/))
  t.equal(tokenRequests(), 0)
  const { callback } = await authorize()
  t.ok((await finish(changed(callback, { iss: undefined }))).issued)
})

t.test('a server that sends the person on to another one does not get the code of that one', async t => {
  const { begin, finish, now, ada, registration, oauth, sent, upstream } = await fixture(t)
  // The hostile server announces no `iss`, so that the honest one's response could pass as its own.
  const hostile = { ...oauth, issuer: 'https://hostile.example', issParameter: false }
  now.registration = { ...registration, auth: { mode: 'oauth', oauth: hostile } }
  const redirectUri = LOOPBACK_REDIRECT_URI
  const { authorizationUrl } = await begin({ registration: now.registration, member: ada, redirectUri })
  const callback = await browserSignIn(new URL(authorizationUrl), 'ada')
  t.equal(callback.searchParams.get('iss'), upstream.authorization.issuer)
  await t.rejects(finish(callback), failed(/unexpected "iss"/))
  t.same(sent, [], 'no code is sent')
})

t.test('a code is sent only to the server and the client of its authorization', async t => {
  const { authorize, finish, now, registration, oauth, tokenRequests } = await fixture(t)
  const changed = (fields: Partial<RemoteOauth>) => ({
    ...registration,
    auth: { mode: 'oauth', oauth: { ...oauth, ...fields } } as const,
  })
  for (const [later, message] of [
    [undefined, /was changed or removed/],
    [{ ...registration, id: 'rem_another' }, /was changed or removed/],
    [{ ...registration, auth: { mode: 'none' } }, /was changed or removed/],
    [changed({ issuer: 'https://evil.example' }), /was changed or removed/],
    [changed({ clientId: 'another' }), /The OAuth client of specimens changed/],
  ] as const) {
    const { callback } = await authorize()
    now.registration = later
    await t.rejects(finish(callback), failed(message))
  }
  t.equal(tokenRequests(), 0)
})

t.test('an authorization fails if its client was deleted', async t => {
  const { authorize, finish, client, clients, ada, tokenRequests } = await fixture(t)
  const { callback } = await authorize()
  await clients.storeForRemote(forOrg(db, ada.orgId), { ...client, clientId: 'newer', clientSecret: 'hush' })
  await newsHeard(database)
  await t.rejects(finish(callback), failed(/changed after this authorization started/))
  t.equal(tokenRequests(), 0)
})

t.test('a declined authorization says so, and the error contains nothing of the callback', async t => {
  const { authorize, finish } = await fixture(t)
  const first = await authorize()
  const declined = changed(first.callback, { error: 'access_denied', code: undefined })
  await t.rejects(finish(declined), failed(/^The access was declined at The wiki/))
  const { callback, state } = await authorize()
  const error = await finish(changed(callback, { code: 'a-wrong-code' })).catch(error => error)
  t.match(error, failed(/rejected the grant or the client: invalid_grant/))
  t.notMatch(`${error.stack} ${error.cause?.stack}`, new RegExp(`a-wrong-code|${state}`))
})

t.test('the callback of an account’s authorization cannot finish the one of an upstream', async t => {
  const { attempts, finish, ada } = await fixture(t)
  const attempt: PendingAccountAuthorization = {
    v: 1,
    kind: 'account',
    connector: 'github',
    target: { scope: 'private', settings: {} },
    redirectUri: LOOPBACK_REDIRECT_URI,
    clientId: 'app',
    ceremony: { kind: 'oauth2' },
  }
  await attempts.begin(ada, 'a-state', attempt)
  await t.rejects(finish(`${LOOPBACK_REDIRECT_URI}?state=a-state&code=c`), failed(/an authorization of another kind/))
})

t.test('an authorization is rejected for other modes than oauth', async t => {
  const { begin, registration, ada } = await fixture(t)
  const request = { member: ada, redirectUri: LOOPBACK_REDIRECT_URI }
  const bearer = { ...registration, auth: { mode: 'bearer' } } as const
  await t.rejects(begin({ ...request, registration: bearer }), {
    code: 'invalid_request',
    message: /does not use OAuth/,
  })
})

t.test('an upstream’s client is deleted with its registration and is not listed as a connector’s app', async t => {
  const { clients, client, registration, ada, eve } = await fixture(t)
  const { orgId } = ada
  const { connector, clientId } = client
  t.same(await clients.list(orgId), [])
  t.equal(await clients.remove({ orgId, connector, by: 'operator' }), false)
  await clients.storeForRemote(forOrg(db, orgId), { ...client, clientSecret: 'hush', setBy: eve.userId })
  await newsHeard(database)
  t.match(await clients.ofGrant(orgId, connector, clientId), { secret: 'hush' }, 'the newest is kept')
  t.equal(await clients.ofGrant(orgId, connector, 'another'), undefined)
  await forOrg(db, orgId).deleteFrom('remote_connectors').where('id', '=', registration.id).execute()
  await newsHeard(database)
  t.equal(await clients.ofGrant(orgId, connector, clientId), undefined)
})
