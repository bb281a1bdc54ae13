import { Type } from '@sinclair/typebox'
import t from 'tap'
import { createProviderCaller } from '../../../services/connectors/engine/provider-caller.ts'
import type { Credential } from '../../../services/credentials/credential.ts'
import type { SettingsDiscovery } from '../../../services/definitions/connector-types.ts'
import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { file, pick } from '../../../services/definitions/http-tool.ts'
import { fillPointers, readPointer } from '../../../services/definitions/placeholders.ts'
import { reads } from '../../../services/definitions/tool.ts'
import {
  connectorOf,
  engine,
  failureOf,
  oauth2,
  probe,
  recordingUpstream,
  secret,
  tool,
} from './connector-engine-fixture.ts'

const plain = tool({}, { request: { method: 'GET', path: '/x' } })

t.test('a JSON pointer reads only own members and items', async t => {
  const value = { a: [{ 'b/c': 1, 'm~n': 2 }], '': 3 }
  t.equal(readPointer(value, '/a/0/b~1c'), 1)
  t.equal(readPointer(value, '/a/0/m~0n'), 2)
  t.equal(readPointer(value, '/'), 3)
  t.equal(readPointer(value, ''), value)
  for (const pointer of ['/a/1', '/a/length/x', '/toString', '/__proto__', '/a/0/b~1c/d'])
    t.equal(readPointer(value, pointer), undefined)
  t.throws(() => readPointer(value, 'a'), TypeError)
})

t.test('an account gets the complete name that the provider reports, or none', async t => {
  t.equal(fillPointers('{/name} (@{/user/id})', { name: 'Ada', user: { id: 7 } }), 'Ada (@7)')
  t.equal(fillPointers('{/name} ({/team})', { name: 'Ada', team: null }), 'Ada')
  t.equal(fillPointers('{/name}', { name: '' }), undefined)
  t.equal(fillPointers('{/name}', { name: { a: 1 } }), undefined)
})

t.test('a probe identifies the account with its credential, which goes only to the connector’s origin', async t => {
  const upstream = await recordingUpstream(t)
  const { egress } = engine(t)
  const caller = createProviderCaller({ egress, clock: { now: Date.now } })
  const credential: Credential = { v: 1, kind: 'oauth2', accessToken: secret() }
  const auth = oauth2()
  upstream.reply = () => ({ body: { data: { viewer: { name: 'Ada', id: 'u1' } } } })
  const graphql = connectorOf('https://elsewhere.example/v1', plain, {
    auth,
    settings: Type.Object({ cloud: Type.String() }),
    headers: { 'x-version': '1' },
    identity: {
      request: {
        url: `${upstream.origin}/graphql/{settings.cloud}`,
        query: { a: 'b c' },
        json: { query: '{ viewer { name id } }', cloud: '{settings.cloud}' },
      },
      label: '{/data/viewer/name}',
      key: '{/data/viewer/id}',
    },
  })
  const asking = { connector: graphql, credential, settings: { cloud: 'x/y' } }
  t.same(await caller.identify(asking), { label: 'Ada', key: 'u1' })
  t.match(upstream.received[0], {
    method: 'POST',
    url: '/graphql/x%2Fy?a=b+c',
    headers: {
      authorization: `Bearer ${credential.accessToken}`,
      'x-version': '1',
      'content-type': 'application/json',
    },
  })
  t.same(JSON.parse(String(upstream.received[0]?.body)), { query: '{ viewer { name id } }', cloud: 'x/y' })

  upstream.reply = ({ headers }) => ({ body: { name: headers['x-key'] } })
  const key = secret()
  const keyed = connectorOf(`${upstream.origin}/v1`, plain, { identity: { request: { url: '/me' }, label: '{/name}' } })
  const echoed = await caller.identify({ connector: keyed, credential: { v: 1, kind: 'api_key', key }, settings: {} })
  t.equal(echoed.label, '[redacted]', 'an echoed key does not become a name')
  t.equal(upstream.received.at(-1)?.url, '/v1/me')
})

t.test('a probe that is rejected, fails or returns no identity is an error with advice', async t => {
  const upstream = await recordingUpstream(t)
  const { egress } = engine(t)
  const caller = createProviderCaller({ egress, clock: { now: Date.now } })
  const connector = connectorOf(upstream.origin, plain, { identity: { request: { url: '/me' }, label: '{/name}' } })
  const identify = () =>
    failureOf(caller.identify({ connector, credential: { v: 1, kind: 'api_key', key: secret() }, settings: {} }))
  const codes: [Parameters<typeof Object>[0], string][] = [
    [{ status: 401, body: { message: 'Bad credentials' } }, 'connect_failed'],
    [{ status: 503 }, 'upstream_unavailable'],
    [{ status: 429 }, 'upstream_rate_limited'],
    [{ status: 403, body: {} }, 'upstream_rejected'],
    [{ body: { other: 1 } }, 'connect_failed'],
    [{ body: 'no JSON' }, 'upstream_unavailable'],
  ]
  for (const [reply, code] of codes) {
    upstream.reply = () => reply
    t.equal((await identify()).code, code, code)
  }
  upstream.reply = () => ({ status: 401, body: { message: 'Bad credentials' } })
  t.match((await identify()).message, 'Sample rejected this (401): “Bad credentials”')
})

t.test(
  'settings are discovered from the only or the chosen candidate; otherwise the error lists the candidates',
  async t => {
    const upstream = await recordingUpstream(t)
    const { egress } = engine(t)
    const caller = createProviderCaller({ egress, clock: { now: Date.now } })
    const discovery: SettingsDiscovery = {
      request: { url: `${upstream.origin}/sites` },
      items: '',
      settings: { cloud_id: '/id', site: '/url' },
      chosenBy: 'site',
    }
    const connector = connectorOf('https://api.sample.example/{settings.cloud_id}', plain, { discovery })
    const credential: Credential = { v: 1, kind: 'api_key', key: secret() }
    const discover = (settings: Record<string, string> = {}) => caller.discover({ connector, credential, settings })
    const [a, b] = [
      { id: '1', url: 'https://a.example', more: 1 },
      { id: '2', url: 'https://b.example' },
    ]
    upstream.reply = () => ({ body: [a, { id: '3' }] })
    t.same(await discover(), { cloud_id: '1', site: 'https://a.example' })
    upstream.reply = () => ({ body: [a, b] })
    t.same(await discover({ site: 'B.example/' }), { cloud_id: '2', site: 'https://b.example' })
    t.match(
      (await failureOf(discover())).message,
      /several .*https:\/\/a\.example, https:\/\/b\.example\. .*setting site/,
    )
    t.match((await failureOf(discover({ site: 'c.example' }))).message, 'no site called c.example')
    upstream.reply = () => ({ body: [] })
    t.equal((await failureOf(discover())).code, 'connect_failed')
    t.same(await caller.discover({ connector: connectorOf(upstream.origin, plain), credential, settings: {} }), {})
  },
)

t.test('a site that is listed once for each of its products is one candidate, if its scopes fit', async t => {
  const upstream = await recordingUpstream(t)
  const { egress } = engine(t)
  const caller = createProviderCaller({ egress, clock: { now: Date.now } })
  const [jira, wiki] = [['read:jira-work', 'offline_access'], ['read:confluence-content.all']]
  const site = (id: string, scopes?: string[]) => ({ id, url: `https://${id}.example`, scopes })
  const connector = connectorOf(upstream.origin, plain, {
    discovery: {
      request: { url: `${upstream.origin}/sites` },
      items: '',
      where: { pointer: '/scopes', includes: 'read:jira-work' },
      settings: { cloud_id: '/id', site: '/url' },
      chosenBy: 'site',
    },
    identity: { request: { url: '/me' }, label: '{/name} ({settings.site})', key: '{/id}@{settings.cloud_id}' },
  })
  const credential: Credential = { v: 1, kind: 'api_key', key: secret() }
  const discover = () => caller.discover({ connector, credential, settings: {} })

  upstream.reply = () => ({ body: [site('a', jira), site('a', wiki), site('a', jira), site('b', wiki), site('c')] })
  const settings = await discover()
  t.same(settings, { cloud_id: 'a', site: 'https://a.example' })
  upstream.reply = () => ({ body: [site('b', wiki)] })
  t.equal((await failureOf(discover())).code, 'connect_failed')

  upstream.reply = () => ({ body: { name: 'Ada', id: '7' } })
  const identify = (settings: Record<string, string>) => caller.identify({ connector, credential, settings })
  t.same(await identify(settings), { label: 'Ada (https://a.example)', key: '7@a' })
  t.same(await identify({}), { label: 'Ada', key: '7@' }, 'a missing setting leaves no parentheses')
})

t.test('a tool with inconsistent data is rejected when it is defined', async t => {
  const limit = Type.Optional(Type.Integer({ default: 5 }))
  const cursor = Type.Optional(Type.String())
  const request = { method: 'GET', path: '/x' } as const
  const paged = { ...request, query: { limit: '{limit}', cursor: '{cursor}' } }
  const pagination = { style: 'page', items: '' } as const
  const wrong: [string, () => unknown][] = [
    ['no argument named b', () => tool({}, { request: { ...request, query: { a: '{b}' } } })],
    ['no placeholder for the argument b', () => tool({ b: cursor }, { request })],
    ['without id, which its path requires', () => tool({ id: cursor }, { request: { ...request, path: '/x/{id}' } })],
    ['argument named account', () => tool({ account: cursor }, { request: { ...request, query: { a: '{account}' } } })],
    ['a path that a URL parser would change', () => tool({}, { request: { ...request, path: 'x' } })],
    ['a path that a URL parser would change', () => tool({}, { request: { ...request, path: '/a/../b' } })],
    ['a path that a URL parser would change', () => tool({}, { request: { ...request, path: '/a?b=c' } })],
    ['is paged but has no cursor', () => tool({}, { request, pagination })],
    ['does not send its cursor and limit', () => tool({ limit, cursor }, { request, pagination })],
    ['limit has no default', () => tool({ limit: cursor, cursor }, { request: paged, pagination })],
    [
      'not a JSON pointer',
      () => tool({ limit, cursor }, { request: paged, pagination: { style: 'page', items: 'x' } }),
    ],
    ['not a JSON pointer', () => tool({}, { request, result: pick('x', []) })],
    ['picks the invalid field', () => tool({}, { request, result: pick('', ['a..b']) })],
    ['sends a body with GET', () => tool({}, { request: { ...request, body: { json: {} } } })],
    ['read-only but writes', () => tool({}, { request: { ...request, method: 'DELETE' } })],
    ['both read-only and destructive', () => tool({}, { request, annotations: { ...reads, destructiveHint: true } })],
    ['snake case', () => tool({}, { request, operation: 'TryIt' })],
    ['no argument named name', () => tool({}, { request, result: file('{name}') })],
  ]
  for (const [message, define] of wrong) t.throws(define, { name: 'TypeError', message: new RegExp(message) }, message)
  t.ok(tool({ limit, cursor, p: cursor }, { request: { ...paged, path: '/x/{+p}' }, pagination }))
})

/** Connectors with a placeholder that has no value. */
function unfilled(base: string): [string, () => unknown][] {
  const settings = Type.Object({ site: Type.String() })
  const revocation = { url: '/revoke', method: 'POST', as: 'token' } as const
  const revoked = (more: object) =>
    connectorOf(base, plain, { settings, auth: oauth2({ revocation: { ...revocation, ...more } }), identity: probe })
  revoked({ url: '/{settings.site}/{access_token}', form: { also: '{refresh_token}', by: '{client_id}' } })
  const discovery = { items: '', settings: { id: '/id' }, chosenBy: 'id' }
  return [
    ['no setting named cloud', () => revoked({ url: '/{settings.cloud}' })],
    ['no value for {token}', () => revoked({ json: { token: '{token}' } })],
    ['no setting named cloud', () => connectorOf(base, plain, { headers: { 'x-site': '{settings.cloud}' } })],
    [
      'no value for {access_token}',
      () => connectorOf(base, plain, { identity: { ...probe, request: { url: '/{access_token}' } } }),
    ],
    [
      'no setting named cloud',
      () => connectorOf(base, plain, { discovery: { ...discovery, request: { url: '/{settings.cloud}' } } }),
    ],
    [
      'no value for {settings.site}',
      () =>
        connectorOf(base, plain, {
          auth: oauth2({ tokenUrl: 'https://{settings.site}/t' }),
          settings,
          identity: probe,
        }),
    ],
  ]
}

/** Connectors with an invalid pointer. */
function unread(base: string): [string, () => unknown][] {
  const quirky = (quirks: object) => connectorOf(base, plain, { auth: oauth2({ quirks }), identity: probe })
  const discovery = { request: { url: base }, items: '', settings: { a: '/a' }, chosenBy: 'a' }
  return [
    ['reads bot,', () => quirky({ token: 'bot' })],
    ['reads /a~2,', () => quirky({ userToken: '/a~2' })],
    ['reads ok,', () => quirky({ errors: { ok: 'ok', code: '/error' } })],
    ['reads team,', () => quirky({ keep: { team: 'team' } })],
    ['reads error,', () => connectorOf(base, plain, { errors: { message: ['/a', 'error'] } })],
    [
      'reads ok,',
      () => connectorOf(base, plain, { errors: { message: [], failedWhen: { pointer: 'ok', is: 'false' } } }),
    ],
    ['reads items,', () => connectorOf(base, plain, { discovery: { ...discovery, items: 'items' } })],
    ['reads b,', () => connectorOf(base, plain, { discovery: { ...discovery, settings: { a: 'b' } } })],
    ['reads login,', () => connectorOf(base, plain, { identity: { ...probe, label: '{/name} {login}' } })],
  ]
}

t.test('a connector with inconsistent data is rejected when it is defined', async t => {
  const base = 'https://api.sample.example'
  const auth = oauth2()
  const wrong: [string, () => unknown][] = [
    ['no tool name', () => connectorOf(base, plain, { id: 'A_b' })],
    ['no identity probe', () => connectorOf(base, plain, { auth })],
    ['not an absolute', () => connectorOf('api.sample.example', plain)],
    ['not an absolute', () => connectorOf(base, plain, { auth: oauth2({ tokenUrl: '/token' }), identity: probe })],
    ['no setting named site', () => connectorOf('https://{settings.site}.example', plain)],
    ['always the same', () => connectorOf(base, plain, { identity: { ...probe, label: 'me' } })],
    ['unknown scope nope', () => connectorOf(base, { ...plain, scopes: ['nope'] }, { auth, identity: probe })],
    ['no token of the user', () => connectorOf(base, { ...plain, as: 'user' }, { auth, identity: probe })],
    ['name is too long', () => connectorOf(base, { ...plain, operation: 'x'.repeat(60) })],
    ['two tools named try_it', () => defineConnector({ ...connectorOf(base, plain), tools: [plain, plain] })],
    ...unfilled(base),
    ...unread(base),
    [
      'which the discovery does not find',
      () =>
        connectorOf(base, plain, {
          discovery: { request: { url: base }, items: '', settings: { a: '/a' }, chosenBy: 'b' },
        }),
    ],
  ]
  for (const [message, define] of wrong) t.throws(define, { name: 'TypeError', message: new RegExp(message) }, message)
})
