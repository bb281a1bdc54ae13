import t from 'tap'
import { LOOPBACK_REDIRECT_URI } from '../../../services/remote-connectors/oauth/client-metadata.ts'
import { UpstreamError } from '../../../services/remote-connectors/upstream/upstream.ts'
import { browserSignIn } from '../../fixtures/browser-sign-in.ts'
import { testDatabase } from '../../fixtures/database.ts'
import type { TestMember } from '../../fixtures/directory.ts'
import { upstream as serverThat } from '../../fixtures/egress-fixture.ts'
import { asked, remoteFixture, upstreamTool } from '../../fixtures/registration-fixture.ts'
import { oauthUpstream } from '../../upstreams/oauth-upstream.ts'

// Shared by all tests, because creating the database and the servers takes most of the time.
const database = await testDatabase(t)
const server = await oauthUpstream(t, { scopes: ['openid', 'offline_access'] })

const ORIGIN = 'http://localhost'
const oauth = { ...asked, upstream_url: server.url, auth: { mode: 'oauth' } } as const

/** Registrations with a real authorization server and an upstream whose tools the test simulates. */
function fixture() {
  const registered = remoteFixture(t, database)
  const { remotes } = registered
  return {
    ...registered,
    /** Completes an authorization in the authorization server's pages. */
    async signIn({ caller }: TestMember, slug = 'wiki') {
      const { authorizationUrl } = await remotes.beginAuthorization({
        caller,
        slug,
        redirectUri: LOOPBACK_REDIRECT_URI,
      })
      return (await browserSignIn(new URL(authorizationUrl), 'ada')).href
    },
  }
}

t.test('a registration of mode oauth is pending until its authorization, which takes the first snapshot', async t => {
  const { remotes, directory, upstream, signIn, hand, clock } = fixture()
  const [ada] = await directory.members('owner')
  const { caller, orgId } = ada
  const pending = await remotes.register(caller, oauth, ORIGIN)
  const { issuer } = server.authorization
  t.match(pending, {
    registration: { auth: { mode: 'oauth', oauth: { issuer, clientSource: 'dcr', resource: server.url } } },
    account: undefined,
    snapshot: undefined,
  })
  t.same(upstream.asked, [], 'nobody asks without a token')
  t.match(await remotes.refresh(caller, 'wiki').catch(error => error), {
    code: 'snapshot_failed',
    message: /waits for its authorization.*remote connect wiki --org/,
  })

  const callback = await signIn(ada)
  const connected = await remotes.finishAuthorization({ caller, callback })
  t.match(connected, {
    account: { connector: 'org__wiki', scope: 'shared', authKind: 'oauth2', keyVerified: null, status: 'connected' },
    snapshot: { tools: [{ name: 'look' }] },
  })
  t.match(upstream.asked, [{ credential: { headers: { authorization: /^Bearer / }, key: connected.account?.id } }])
  t.match(await remotes.finishAuthorization({ caller, callback }).catch(error => error), { code: 'connect_failed' })

  upstream.answer = () => Promise.reject(new UpstreamError('unauthorized', 'It answered 401.'))
  clock.advance(30_000)
  t.match(await remotes.refresh(caller, 'wiki').catch(error => error), { code: 'snapshot_failed' })
  t.equal((await remotes.find(orgId, 'wiki'))?.account?.status, 'needs_reauth', 'a new token was refused too')
  upstream.answer = async () => [upstreamTool('other')]
  const renewed = await remotes.finishAuthorization({ caller, callback: await signIn(ada) })
  t.match(renewed, {
    account: { id: connected.account?.id, status: 'connected' },
    snapshot: { tools: [{ name: 'look' }] },
  })

  const [token = ''] = upstream.asked.map(({ credential }) => credential.headers.authorization?.slice(7) ?? '')
  const rest = await Promise.all(
    (['remote_connectors', 'accounts', 'account_credentials', 'oauth_clients', 'audit'] as const).map(table =>
      hand.selectFrom(table).where('org_id', '=', orgId).selectAll().execute(),
    ),
  )
  t.equal(
    rest.every(rows => rows.length > 0),
    true,
  )
  t.ok(token.length > 20)
  t.notMatch(JSON.stringify(rest), token)
})

t.test('a provided client is used, and its secret is sealed', async t => {
  const { remotes, directory, hand, clients } = fixture()
  const [ada] = await directory.members('owner')
  const { orgId } = ada
  const client_secret = `s_${crypto.randomUUID()}`
  const auth = { ...oauth.auth, client_id: 'app.1', client_secret, scopes: ['openid'] }
  const { registration } = await remotes.register(ada.caller, { ...oauth, auth }, ORIGIN)
  t.match(registration.auth, { oauth: { clientSource: 'preregistered', clientId: 'app.1', scopes: ['openid'] } })
  t.match(await clients.ofGrant(orgId, 'org__wiki', 'app.1'), { id: 'app.1', secret: client_secret })
  t.same(await clients.list(orgId), [], 'it is no app of a curated connector')
  const rows = await Promise.all(
    (['remote_connectors', 'oauth_clients', 'audit'] as const).map(table =>
      hand.selectFrom(table).where('org_id', '=', orgId).selectAll().execute(),
    ),
  )
  t.notMatch(JSON.stringify(rows), client_secret)
})

t.test('a failed discovery or client registration stores nothing', async t => {
  const { remotes, directory, rowsOf } = fixture()
  const [ada] = await directory.members('owner')
  const silent = await serverThat(t, (_request, response) => response.writeHead(404).end())
  const nowhere = await remotes
    .register(ada.caller, { ...oauth, upstream_url: `${silent.origin}/mcp` }, ORIGIN)
    .catch(e => e)
  t.match(nowhere, { code: 'oauth_discovery_failed', message: String })
  await server.authorization.stop()
  t.match(await remotes.register(ada.caller, oauth, ORIGIN).catch(e => e), { code: 'oauth_discovery_failed' })
  await server.authorization.start()
  t.same(await rowsOf(ada.orgId), {})
})

t.test('only the admin who started an authorization can finish it, and only while the registration exists', async t => {
  const { remotes, directory, signIn, rowsOf } = fixture()
  const [ada, bob, carl] = await directory.members('owner', 'admin', 'member')
  const [eve] = await directory.members('owner')
  await remotes.register(ada.caller, oauth, ORIGIN)
  const callback = await signIn(ada)
  const finish = (member: TestMember) =>
    remotes.finishAuthorization({ caller: member.caller, callback }).then(
      () => 'done',
      error => error.code,
    )
  t.equal(await finish(carl), 'connect_failed')
  t.equal(await finish(bob), 'connect_failed')
  t.equal(await finish(eve), 'connect_failed')
  const demoted = { ...ada, caller: { ...ada.caller, role: 'member' as const } }
  t.equal(await finish(demoted), 'admin_required', 'the role is checked again')
  await remotes.remove(ada.caller, 'wiki')
  t.same(await rowsOf(ada.orgId), {}, 'the authorization that was under way is gone too')
  t.equal(await finish(ada), 'connect_failed')
  await remotes.register(ada.caller, asked, ORIGIN)
  const redirectUri = LOOPBACK_REDIRECT_URI
  for (const slug of ['wiki', 'nothing'])
    t.match(await remotes.beginAuthorization({ caller: ada.caller, slug, redirectUri }).catch(e => e), {
      code: 'invalid_request',
    })
})
