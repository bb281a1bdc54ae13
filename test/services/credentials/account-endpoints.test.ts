import assert from 'node:assert/strict'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { withAccountEndpoints } from '../../../services/credentials/token-endpoint.ts'
import type { ConnectorAuth, ConnectorDefinition } from '../../../services/definitions/connector-types.ts'
import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { anyText } from '../../fixtures/any-text.ts'
import { connectFixture } from '../../fixtures/connect-fixture.ts'
import { testDatabase } from '../../fixtures/database.ts'
import { upstream } from '../../fixtures/egress-fixture.ts'
import { callApi, grantFixture } from '../../fixtures/grant-fixture.ts'
import { REDIRECT_URI } from '../../fixtures/oauth-client.ts'
import fc from '../../fixtures/property.ts'
import { newKey, oauth2Connector } from '../../fixtures/sample-connectors.ts'

const database = await testDatabase(t)

const settings = Type.Object(
  {
    login: Type.Optional(Type.String({ pattern: '^[a-z-]+$', default: 'login' })),
    other: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
type OAuth2 = Extract<ConnectorAuth, { type: 'oauth2' }>

/** A connector with an OAuth endpoint whose host depends on a setting. */
function cloud(endpoints: Partial<OAuth2> = {}): ConnectorDefinition {
  const { auth, ...rest } = oauth2Connector('https://hub.test')
  const urls = {
    authorizationUrl: 'https://{settings.login}.cloud.test/authorize',
    tokenUrl: 'https://{settings.login}.cloud.test/token',
  }
  return defineConnector({ ...rest, settings, auth: { ...auth, ...urls, ...endpoints } as OAuth2 })
}

t.test('a setting of an account chooses the host of its OAuth endpoints, below a fixed domain', async t => {
  const connector = cloud()
  t.match(withAccountEndpoints(connector, { login: 'sandbox.eu' }).auth, {
    authorizationUrl: 'https://sandbox.eu.cloud.test/authorize',
    tokenUrl: 'https://sandbox.eu.cloud.test/token',
  })
  const fixed = oauth2Connector('https://hub.test')
  t.equal(withAccountEndpoints(fixed, { login: 'sandbox' }), fixed, 'without a placeholder it is the same connector')
  t.throws(() => withAccountEndpoints(connector, {}), { code: 'invalid_request', message: /needs the setting login/ })
  fc.assert(
    fc.property(anyText(), login => {
      try {
        const { auth } = withAccountEndpoints(connector, { login })
        assert.ok(new URL((auth as OAuth2).tokenUrl).hostname.endsWith('.cloud.test'))
      } catch (error) {
        assert.ok(error instanceof GatewayError && error.code === 'invalid_request')
      }
    }),
    { examples: [['evil.test/'], ['a@evil.test'], ['evil.test#'], ['a:80'], ['']] },
  )
})

t.test('a connector cannot let a setting choose any host, or one that may be missing', async t => {
  for (const tokenUrl of [
    'https://{settings.login}/token',
    'https://{settings.login}.test/token',
    'https://cloud.test/{settings.login}/token',
    'http://{settings.login}.cloud.test/token',
    'https://{settings.other}.cloud.test/token',
    'https://{settings.none}.cloud.test/token',
    'https://{login}.cloud.test/token',
  ])
    t.throws(() => cloud({ tokenUrl }), { name: 'TypeError', message: /no value for \{.*\} in the URL of an OAuth/ })
})

t.test('an account connects at its own endpoints, and its tokens are renewed there', async t => {
  const provider = await upstream(t, ({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(url === '/me' ? { sub: 'ada' } : { access_token: newKey(), token_type: 'bearer' }))
  })
  const { connecting, connectors, platform, directory } = await connectFixture(t, database)
  const { auth, ...rest } = oauth2Connector(provider.origin)
  // The checks of definitions allow no such URL, because a test provider has no domain.
  const urls = {
    authorizationUrl: `${provider.origin}/{settings.login}/auth`,
    tokenUrl: `${provider.origin}/{settings.login}/token`,
  }
  connectors.set('hub', { ...rest, settings, auth: { ...auth, ...urls } as OAuth2 })
  platform.set('hub', { id: 'app', secret: newKey() })
  const [{ caller }] = await directory.members('member')
  const paths: string[] = []
  for (const given of [undefined, { login: 'sandbox' }]) {
    const request = { caller, connector: 'hub', scope: 'private', redirectUri: REDIRECT_URI } as const
    const begun = await connecting.begin({ ...request, ...(given && { settings: given, alias: 'other' }) })
    const callback = new URLSearchParams({ code: 'x', state: begun.state, iss: provider.origin })
    const account = await connecting.finish({ caller, callback })
    paths.push(new URL(begun.authorizationUrl).pathname, account.settings.login ?? '')
  }
  t.same(paths, ['/login/auth', 'login', '/sandbox/auth', 'sandbox'])
  t.same(
    provider.requests.map(({ url }) => url).filter(url => url !== '/me'),
    ['/login/token', '/sandbox/token'],
  )

  const granted = await grantFixture(t, { database })
  const { server, clock } = granted
  const rotor = {
    ...granted.connector,
    auth: { ...granted.connector.auth, tokenUrl: `${server.origin}/{settings.login}` },
  }
  const account = await granted.account({ settings: { login: 'token' } })
  clock.advance(3_600_000)
  t.match(await granted.grants.send(account, rotor as ConnectorDefinition, callApi(server)), /^at_/)
  t.equal(server.refreshed, 1)
})
