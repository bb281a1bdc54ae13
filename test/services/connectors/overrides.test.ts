import t from 'tap'
import { applyOverrides } from '../../../services/connectors/overrides.ts'
import type { ConnectorDefinition } from '../../../services/definitions/connector-types.ts'
import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { httpTool, pick } from '../../../services/definitions/http-tool.ts'
import { reads } from '../../../services/definitions/tool.ts'

const tool = httpTool({
  operation: 'read_me',
  title: 'Read me',
  description: 'Read the user.',
  annotations: reads,
  input: {},
  request: { method: 'GET', path: '/user' },
  result: pick('', ['login']),
})

const common = { name: 'Git', category: 'developer', description: 'Git.', icon: { simpleIcon: 'git' } } as const

function oauth2(overrides: Partial<ConnectorDefinition> = {}): ConnectorDefinition {
  return defineConnector({
    ...common,
    id: 'git',
    baseUrl: 'https://api.git.example',
    auth: {
      type: 'oauth2',
      authorizationUrl: 'https://git.example/authorize',
      tokenUrl: 'https://git.example/token',
      issuer: 'https://git.example',
      pkce: 'required',
      clientAuth: 'post',
      scopes: { repo: 'Read repositories.' },
      revocation: { url: 'https://api.git.example/applications/{client_id}/token', method: 'DELETE', as: 'client' },
    },
    identity: { request: { url: '/user' }, label: '{/login}' },
    tools: [tool],
    ...overrides,
  })
}

const oauth1a = defineConnector({
  ...common,
  id: 'cards',
  baseUrl: 'https://api.cards.example/1',
  auth: {
    type: 'oauth1a',
    requestTokenUrl: 'https://cards.example/request',
    authorizationUrl: 'https://cards.example/authorize',
    accessTokenUrl: 'https://cards.example/access',
    accessSummary: 'Everything.',
  },
  identity: { request: { url: 'https://api.cards.example/1/members/me?fields=all' }, label: '{/username}' },
  tools: [tool],
})

t.test('an override changes only the URLs, and leaves the original definition unchanged', async t => {
  const before = oauth2()
  const copy = structuredClone({ ...before, tools: [] })
  const after = applyOverrides(before, {
    base_url: 'https://ghe.example/api/v3/',
    authorization_url: 'https://ghe.example/authorize',
    token_url: 'https://ghe.example/token',
    issuer: 'https://ghe.example',
  })
  t.same(after, {
    ...before,
    baseUrl: 'https://ghe.example/api/v3',
    auth: {
      ...before.auth,
      authorizationUrl: 'https://ghe.example/authorize',
      tokenUrl: 'https://ghe.example/token',
      issuer: 'https://ghe.example',
      revocation: {
        url: 'https://ghe.example/api/v3/applications/{client_id}/token',
        method: 'DELETE',
        as: 'client',
      },
    },
  })
  t.ok(Object.isFrozen(after))
  t.same({ ...before, tools: [] }, copy)
})

t.test('requests to the base’s origin move with the base, other requests do not', async t => {
  const discovery = (url: string) =>
    oauth2({
      baseUrl: 'https://api.git.example/ex/{settings.site}',
      discovery: { request: { url }, items: '', settings: { site: '/id' }, chosenBy: 'site' },
      identity: { request: { url: 'https://id.git.example/me' }, label: '{/login}' },
    })
  const base_url = 'http://127.0.0.1:9000/jira/{settings.site}'
  for (const [url, expected] of [
    ['/sites', '/sites'],
    ['https://api.git.example/ex/{settings.site}/me', 'http://127.0.0.1:9000/jira/{settings.site}/me'],
    ['https://API.git.example/ex/{settings.site}?a=/b', 'http://127.0.0.1:9000/jira/{settings.site}?a=/b'],
    ['https://api.git.example/oauth/sites', 'http://127.0.0.1:9000/oauth/sites'],
    ['https://api.git.example/ex/{settings.site}s', 'http://127.0.0.1:9000/ex/{settings.site}s'],
    ['https://api.git.example.evil/x', 'https://api.git.example.evil/x'],
    ['https://git.example/oauth/sites', 'https://git.example/oauth/sites'],
  ] as const) {
    const after = applyOverrides(discovery(url), { base_url })
    t.equal(after.discovery?.request.url, expected)
    t.equal(after.identity?.request.url, 'https://id.git.example/me')
    t.match(
      after.auth,
      { tokenUrl: 'https://git.example/token', issuer: 'https://git.example' },
      'OAuth endpoints do not move',
    )
  }
  const named = applyOverrides(discovery('/sites'), { base_url, discovery_url: 'https://elsewhere.example/sites' })
  t.equal(named.discovery?.request.url, 'https://elsewhere.example/sites')
})

t.test('the endpoints of OAuth 1.0a and of revocation are overridden by name', async t => {
  const cards = applyOverrides(oauth1a, {
    base_url: 'http://127.0.0.1:9000/1',
    request_token_url: 'http://127.0.0.1:9000/request',
    access_token_url: 'http://127.0.0.1:9000/access',
    authorization_url: 'http://127.0.0.1:9000/authorize',
  })
  t.match(cards, {
    baseUrl: 'http://127.0.0.1:9000/1',
    identity: { request: { url: 'http://127.0.0.1:9000/1/members/me?fields=all' } },
    auth: {
      requestTokenUrl: 'http://127.0.0.1:9000/request',
      accessTokenUrl: 'http://127.0.0.1:9000/access',
      authorizationUrl: 'http://127.0.0.1:9000/authorize',
    },
  })
  const git = applyOverrides(oauth2(), { revocation_url: 'https://ghe.example/revoke/{client_id}' })
  t.match(git, {
    baseUrl: 'https://api.git.example',
    auth: { revocation: { url: 'https://ghe.example/revoke/{client_id}' } },
  })
})

t.test('a URL that a connector does not use is rejected by its name', async t => {
  const key = defineConnector({
    ...common,
    id: 'mail',
    baseUrl: 'https://api.mail.example',
    auth: { type: 'api_key', apiKey: { header: 'authorization', probe: false, hint: 'A key.' } },
    tools: [],
  })
  for (const [definition, override] of [
    [key, { token_url: 'https://x.example' }],
    [key, { authorization_url: 'https://x.example' }],
    [key, { revocation_url: 'https://x.example' }],
    [oauth1a, { token_url: 'https://x.example' }],
    [oauth1a, { revocation_url: 'https://x.example' }],
    [oauth2(), { access_token_url: 'https://x.example' }],
    [oauth2(), { discovery_url: 'https://x.example' }],
  ] as const)
    t.throws(() => applyOverrides(definition, override), {
      name: 'ConfigurationError',
      message: `CONNECTOR_OVERRIDES must give ${definition.id} only URLs that it uses. It has no ${Object.keys(override)[0]}.`,
    })
  t.equal(applyOverrides(key, { base_url: 'https://mail.internal' }).baseUrl, 'https://mail.internal')
})

t.test('hosts move with the base URL, unless they are named', async t => {
  const hosts = {
    uploads: { url: 'https://uploads.git.example/v1', credential: true },
    files: { url: 'https://files.git.example', credential: false },
  }
  const before = oauth2({ hosts })
  const base_url = 'https://ghe.example/api'
  t.same(applyOverrides(before, { token_url: 'https://x.example/t' }).hosts, hosts)
  t.same(applyOverrides(before, { base_url, hosts: { files: 'https://cdn.example/f/' } }).hosts, {
    uploads: { url: 'https://ghe.example/v1', credential: true },
    files: { url: 'https://cdn.example/f', credential: false },
  })
  for (const [definition, given] of [
    [before, { hosts: { other: 'https://x.example' } }],
    [oauth2(), { hosts: {} }],
  ] as const)
    t.throws(() => applyOverrides(definition, given), { message: /CONNECTOR_OVERRIDES must give git only URLs/ })
})
