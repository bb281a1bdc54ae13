import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { acrossOrgs, forOrg } from '../../../lib/database/tenant.ts'
import { createVault } from '../../../lib/vault/vault.ts'
import { MAX_ACCOUNTS } from '../../../services/accounts/account-rows.ts'
import { createPendingAuthorizations } from '../../../services/connectors/connect/pending-authorizations.ts'
import { connectFixture } from '../../fixtures/connect-fixture.ts'
import { testDatabase } from '../../fixtures/database.ts'
import { upstream } from '../../fixtures/egress-fixture.ts'
import { REDIRECT_URI } from '../../fixtures/oauth-client.ts'
import {
  keyConnector,
  newKey,
  oauth1Connector,
  oauth2Connector,
  siteConnector,
} from '../../fixtures/sample-connectors.ts'
import { testSettings } from '../../fixtures/settings.ts'

/** Shared by the tests that do not change other organizations. */
const shared = await testDatabase(t)

/** A fixture with a provider that answers each path with what the test sets. */
async function hostileFixture(t: Test) {
  const fixture = await connectFixture(t, shared)
  const answers: Record<string, unknown> = {}
  const provider = await upstream(t, (request, response) => {
    const answer = answers[request.url ?? '']
    response.setHeader('content-type', typeof answer === 'string' ? 'text/plain' : 'application/json')
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  const [ada, eve] = await fixture.directory.members('member', 'member')
  return { ...fixture, provider, answers, ada, eve }
}

const failed = (message: RegExp) => ({ name: 'GatewayError', code: 'connect_failed', message })

t.test('the provider’s name for an account is stored as one sanitized line', async t => {
  const { connecting, connectors, provider, answers, ada } = await hostileFixture(t)
  connectors.set('keyed', keyConnector('keyed', provider.origin, { probe: true }))
  const connect = () =>
    connecting.connectWithKey({ caller: ada.caller, connector: 'keyed', scope: 'private', key: newKey() })
  for (const [login, identity] of [
    ['a\0b', 'a b'],
    ['\u001b[2J\u001b[31mroot\r\nfake: row', '[2J [31mroot fake: row'],
    ['ad\u202Egro.live', 'ad gro.live'],
    ['x\ud800', 'x\ufffd'],
    ['Zoë 世界 🦊', 'Zoë 世界 🦊'],
    ['x'.repeat(500_000), 'x'.repeat(200)],
  ] as const) {
    answers['/user'] = { id: 1, login }
    t.equal((await connect()).identity.replace(/…$/, 'x'), identity)
  }
})

t.test('an identity that distinguishes no account connects nothing', async t => {
  const { connecting, connectors, provider, answers, ada, stored } = await hostileFixture(t)
  connectors.set('keyed', keyConnector('keyed', provider.origin, { probe: true }))
  const connect = (more = {}) =>
    connecting.connectWithKey({ caller: ada.caller, connector: 'keyed', scope: 'private', key: newKey(), ...more })
  for (const user of [
    { id: 1, login: '   ' },
    { id: 1, login: '\u200B\u2066' },
    { id: 1, login: '(@)' },
    { id: 'a\0b', login: 'ab' },
    { id: 'a\nb', login: 'ab' },
    { id: ' ', login: 'ab' },
    { id: '\ud800', login: 'ab' },
    { id: 'k'.repeat(700_000), login: 'huge' },
  ]) {
    answers['/user'] = user
    await t.rejects(connect(), failed(/^Vaulted answered without an identity for this account/))
  }
  t.same(await stored(), { accounts: 0, attempts: 0 })

  answers['/user'] = { id: 7, login: 'seven' }
  const { id } = await connect()
  answers['/user'] = { id: 8, login: '\u001b[2J\u001b]0;pwned\u0007' }
  const mismatch = await connect({ accountId: id }).then(
    () => new Error('it was the same'),
    (error: Error) => error,
  )
  t.match(mismatch, { code: 'identity_mismatch' })
  t.notMatch(mismatch.message, /\p{Cc}/u)
})

t.test('a setting from a provider is stored only if the connector would accept it from a member', async t => {
  const { connecting, connectors, provider, answers, ada, stored } = await hostileFixture(t)
  const pattern = '^[a-z0-9-]{1,64}$'
  const site = siteConnector(provider.origin)
  connectors.set('site', {
    ...site,
    settings: Type.Object(
      { site: Type.Optional(Type.String()), site_id: Type.Optional(Type.String({ pattern })) },
      { additionalProperties: false },
    ),
  })
  answers['/abc/user'] = { login: 'ada' }
  const add = (settings = {}) =>
    connecting.add({
      caller: ada.caller,
      connector: 'site',
      scope: 'private',
      settings,
      credential: { kind: 'oauth2', accessToken: newKey() },
    })
  for (const found of [
    { id: 'abc\0', url: 'https://a.example' },
    { id: '../../x?y#z', url: 'https://a.example' },
    { id: '../..', url: 'https://a.example' },
    { id: '', url: 'https://a.example' },
    { id: 'abc', url: 'https://a.example\n' },
    { id: 'abc', url: `https://${'a'.repeat(600_000)}` },
  ]) {
    answers['/sites'] = [found]
    await t.rejects(add(), failed(/^Site answered with an invalid site(_id)?. Nothing was connected/))
  }
  t.equal(
    provider.requests.filter(({ url }) => url.endsWith('/user')).length,
    0,
    'no request contains the invalid setting',
  )
  for (const site of ['a\0b', 'a\nb', ' ', 'a'.repeat(1025)])
    await t.rejects(add({ site }), { code: 'invalid_request', message: /The setting site must be one line/ })
  t.same(await stored(), { accounts: 0, attempts: 0 })
  answers['/sites'] = [{ id: 'abc', url: 'https://a.example' }]
  t.match(await add(), { settings: { site: 'https://a.example', site_id: 'abc' } })
})

t.test('settings and scopes of a token answer are validated too', async t => {
  const { connecting, connectors, platform, provider, answers, ada, stored } = await hostileFixture(t)
  const auth = { issuer: provider.origin, quirks: { keep: { team_id: '/team' } } }
  connectors.set('hub', oauth2Connector(provider.origin, auth))
  platform.set('hub', { id: 'app', secret: newKey() })
  answers['/me'] = { sub: 'ada' }
  async function connect(answer: object) {
    answers['/token'] = { access_token: newKey(), token_type: 'bearer', ...answer }
    const request = { caller: ada.caller, connector: 'hub', scope: 'private', redirectUri: REDIRECT_URI } as const
    const { state } = await connecting.begin(request)
    const callback = new URLSearchParams({ code: 'x', state, iss: provider.origin })
    return connecting.finish({ caller: ada.caller, callback })
  }
  for (const team of ['a\u0001b', '\u001b[2J', 't'.repeat(2_000)])
    await t.rejects(connect({ team }), failed(/^Hub answered with an invalid team_id/))
  for (const scope of ['read a\u0001b', 's'.repeat(2_000), Array.from({ length: 600 }, (_, i) => i).join(' ')])
    await t.rejects(connect({ scope }), failed(/^Hub granted an invalid scope/))
  t.same(await stored(), { accounts: 0, attempts: 0 })
  t.match(await connect({ team: 'T1', scope: 'read write' }), {
    settings: { team_id: 'T1' },
    grantedScopes: ['read', 'write'],
  })
})

t.test('a repeated request token is rejected, and organizations do not share request tokens', async t => {
  const { connecting, connectors, platform, provider, answers, ada, eve, directory } = await hostileFixture(t)
  connectors.set('board', oauth1Connector(provider.origin))
  platform.set('board', { id: 'app', secret: newKey() })
  answers['/request'] = 'oauth_token=same&oauth_token_secret=s&oauth_callback_confirmed=true'
  const [bob] = await directory.members('member')
  const begin = ({ caller }: typeof ada) =>
    connecting.begin({ caller, connector: 'board', redirectUri: REDIRECT_URI, scope: 'private' })
  t.match(await begin(ada), { state: 'same' })
  await t.rejects(begin(eve), failed(/board issued the same request token twice. Begin again/))
  t.match(await begin(bob), { state: 'same' }, 'the authorization of another organization')
})

t.test('of two authorizations with one identifier, each organization gets its own', async t => {
  const { db, clock, directory } = await connectFixture(t, shared)
  const pending = createPendingAuthorizations({ db, clock, vault: createVault(testSettings().vaultKeys) })
  const [ada] = await directory.members('member')
  const [bob] = await directory.members('member')
  const authorization = (clientId: string) => ({
    v: 1 as const,
    kind: 'account' as const,
    connector: 'board',
    target: { scope: 'private' as const, settings: {} },
    redirectUri: REDIRECT_URI,
    clientId,
    ceremony: { kind: 'oauth1a' as const, tokenSecret: 's' },
  })
  await pending.begin(ada, 'same', authorization('hers'))
  await pending.begin(bob, 'same', authorization('bobs'))
  t.match(await pending.take(bob, 'same', 'account'), { clientId: 'bobs' })
  t.match(await pending.take(ada, 'same', 'account'), { clientId: 'hers' })
})

t.test('the number of accounts of a connector is limited: per member, and shared ones per organization', async t => {
  const { db, connecting, connectors, platform, directory } = await connectFixture(t, shared)
  connectors.set('keys', keyConnector('keys', 'http://127.0.0.1:9', { probe: false }))
  connectors.set('hub', oauth2Connector('http://127.0.0.1:9'))
  platform.set('hub', { id: 'app', secret: newKey() })
  const [ada, eve] = await directory.members('member', 'member')
  const [bob] = await directory.members('member')
  const add = ({ caller }: typeof ada, scope: 'private' | 'shared', more = {}) =>
    connecting.connectWithKey({ caller, connector: 'keys', scope, key: newKey(), ...more })
  const full = { code: 'invalid_request', message: /the maximum number. Remove one/ }

  for (const scope of ['private', 'shared'] as const) {
    const account = await add(ada, scope)
    const row = await acrossOrgs(db)
      .selectFrom('accounts')
      .where('id', '=', account.id)
      .selectAll()
      .executeTakeFirstOrThrow()
    const { org_id: _org, ...facts } = row
    const settings = JSON.stringify(row.settings)
    const rows = Array.from({ length: MAX_ACCOUNTS[scope] - 2 }, (_, i) => ({
      ...facts,
      settings,
      granted_scopes: null,
      id: `acc_${scope}_${i}`,
      alias: `${scope} ${i}`,
      alias_key: `${scope} ${i}`,
    }))
    await forOrg(db, ada.orgId).insertInto('accounts', rows).execute()
    await add(ada, scope)
    await t.rejects(add(ada, scope), full)
    await t.rejects(add(ada, scope, { alias: 'named' }), full)
    t.match(
      await add(ada, scope, { accountId: account.id }),
      { id: account.id },
      'an existing account can be reauthorized at the limit',
    )
    t.ok(await add(bob, scope), 'another organization has its own limit')
  }
  t.ok(await add(eve, 'private'), 'another member has their own limit')
  await t.rejects(add(eve, 'shared'), { ...full, message: /^The organization has 200 shared accounts of keys/ })
  const begin = { caller: ada.caller, connector: 'hub', redirectUri: REDIRECT_URI, scope: 'private' } as const
  t.ok(await connecting.begin(begin), 'each connector has its own limit')
})
