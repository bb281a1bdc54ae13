import { Type } from '@sinclair/typebox'
import t from 'tap'
import { signOauth1 } from '../../../lib/http/oauth1.ts'
import { isRateLimited, secondsToWait } from '../../../services/connectors/engine/answer/provider-answer.ts'
import { compileSelection } from '../../../services/connectors/engine/answer/select.ts'
import type { Credential } from '../../../services/credentials/credential.ts'
import { redactorOf } from '../../../services/credentials/redactor.ts'
import { done, file, pick, text } from '../../../services/definitions/http-tool.ts'
import type { BodyTemplate } from '../../../services/definitions/http-tool-types.ts'
import { adds } from '../../../services/definitions/tool.ts'
import { freePort } from '../../fixtures/free-port.ts'
import fc from '../../fixtures/property.ts'
import {
  connectorOf,
  engine,
  failureOf,
  oauth2,
  probe,
  type Reply,
  recordingUpstream,
  secret,
  tool,
} from './connector-engine-fixture.ts'

const get = { method: 'GET', path: '/things' } as const

function oauth(more: object = {}): Credential & { kind: 'oauth2' } {
  return { v: 1, kind: 'oauth2', accessToken: secret(), refreshToken: secret(), ...more }
}

t.test('a result names the account that acted, and has the same content as data and as text', async t => {
  const upstream = await recordingUpstream(t)
  upstream.reply = () => ({ body: { login: 'ada', id: null, url: 'https://sample.example/ada' } })
  const { run } = engine(t)
  const result = await run(connectorOf(upstream.origin, tool({}, { request: get, result: pick('', ['login', 'id']) })))
  t.same(result, {
    content: [{ type: 'text', text: '{"login":"ada"}' }],
    structuredContent: { login: 'ada' },
    _meta: { 'connector-gateway/account': { id: 'acc_1', alias: 'work', identity: 'ada@sample.example' } },
  })
})

t.test('each connect method sends only its credential, in the declared way', async t => {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t)
  const plain = tool({}, { request: get })
  const asUser = tool({}, { request: get, as: 'user', scopes: ['search'] })
  const key = secret()
  const credential: Credential = { v: 1, kind: 'api_key', key }
  const method = { probe: false, hint: 'A key.' }
  const auths = [
    [{ header: 'X-Key', ...method }, 'x-key', key],
    [{ header: 'Authorization', prefix: 'Bearer ', ...method }, 'authorization', `Bearer ${key}`],
    [{ header: 'Authorization', basic: true, ...method }, 'authorization', `Basic ${btoa(key)}`],
  ] as const
  for (const [apiKey, header, value] of auths) {
    await run(connectorOf(upstream.origin, plain, { auth: { type: 'api_key', apiKey } }), {}, { credential })
    t.equal(upstream.received.at(-1)?.headers[header], value)
  }

  const userToken = secret()
  const granted = oauth({ user: { accessToken: userToken } })
  const auth = oauth2({ quirks: { userToken: '/user' }, userScopes: { search: 'Search.' }, apiKey: auths[0][0] })
  const rest = { auth, identity: probe }
  await run(connectorOf(upstream.origin, plain, rest), {}, { credential: granted })
  t.equal(upstream.received.at(-1)?.headers.authorization, `Bearer ${granted.accessToken}`)
  await run(connectorOf(upstream.origin, asUser, rest), {}, { credential: granted })
  t.equal(upstream.received.at(-1)?.headers.authorization, `Bearer ${userToken}`)
  await run(connectorOf(upstream.origin, asUser, rest), {}, { credential })
  t.equal(upstream.received.at(-1)?.headers['x-key'], key, 'a pasted key is sent in its own header')

  const count = upstream.received.length
  const refused = await failureOf(run(connectorOf(upstream.origin, asUser, rest), {}, { credential: oauth() }))
  t.equal(refused.code, 'scope_missing')
  t.match(refused.message, 'account connect --account acc_1')
  t.equal(upstream.received.length, count)
})

t.test('OAuth 1.0a signs the request with its query and form, with the app of the grant', async t => {
  const upstream = await recordingUpstream(t)
  const now = 1_700_000_000_500
  const { run } = engine(t, { now: () => now })
  const client = { id: 'consumer', secret: secret(), source: 'platform' as const }
  const credential: Credential = { v: 1, kind: 'oauth1a', token: 'the-token', tokenSecret: secret() }
  const urls = {
    requestTokenUrl: 'https://sample.example/r',
    authorizationUrl: 'https://sample.example/a',
    accessTokenUrl: 'https://sample.example/t',
  }
  const rest = { auth: { type: 'oauth1a' as const, ...urls, accessSummary: 'All.' }, identity: probe }
  const properties = { q: Type.String(), text: Type.String() }
  const posts = tool(properties, {
    annotations: adds,
    request: { method: 'POST', path: '/things', query: { q: '{q}' }, body: { form: { text: '{text}', to: ['{q}'] } } },
  })
  await run(connectorOf(upstream.origin, posts, rest), { q: 'a b&c', text: 'é!*' }, { credential, client })
  const [received] = upstream.received
  const header = received?.headers.authorization ?? ''
  const expected = signOauth1({
    method: 'POST',
    url: upstream.origin + received?.url,
    consumer: { key: client.id, secret: client.secret },
    token: { key: credential.token, secret: credential.tokenSecret },
    form: String(received?.body),
    extra: { oauth_version: '1.0' },
    nonce: /oauth_nonce="([^"]+)"/.exec(header)?.[1] ?? '',
    timestamp: 1_700_000_000,
  })
  t.equal(header, expected)

  const gone = await failureOf(run(connectorOf(upstream.origin, posts, rest), { q: 'a', text: 'b' }, { credential }))
  t.equal(gone.code, 'upstream_unavailable')
  t.match(gone.message, 'oauth-client set')
})

t.test('a missing scope is reported before anything is sent; keys and unreported scopes are not checked', async t => {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t)
  const connector = connectorOf(upstream.origin, tool({}, { request: get, scopes: ['read', 'write'] }), {
    auth: oauth2(),
    identity: probe,
  })
  const credential = oauth()
  const error = await failureOf(run(connector, {}, { credential, account: { grantedScopes: ['read'] } }))
  t.equal(error.code, 'scope_missing')
  t.match(error.message, /“work” of Sample .*: write\. .*account connect --account acc_1/)
  t.same(error.details, { account: 'acc_1', scopes: ['write'] })
  t.equal(upstream.received.length, 0)
  await run(connector, {}, { credential, account: { grantedScopes: ['write', 'read'] } })
  await run(connector, {}, { credential, account: { grantedScopes: null } })
  await run(connector, {}, { credential, account: { grantedScopes: null, authKind: 'api_key' } })
  t.equal(upstream.received.length, 3)
})

t.test(
  'a provider’s error says who rejected the call, in which words, and what to do; a code adds its own advice',
  async t => {
    const upstream = await recordingUpstream(t)
    const { run } = engine(t)
    const errors = {
      message: ['/error/text'],
      code: ['/error/code'],
      scopeMissing: ['no_scope'],
      unauthorized: ['bad_token'],
      rateLimited: ['slow_down'],
      advice: { archived: 'Bring it back first.' },
    }
    const reads = connectorOf(upstream.origin, tool({}, { request: get, result: pick('', []) }), { errors })
    const writes = connectorOf(upstream.origin, tool({}, { annotations: adds, request: { ...get, method: 'POST' } }))
    const says = async (reply: Reply, connector = reads) => {
      upstream.reply = () => reply
      const { code, message } = await failureOf(run(connector))
      return `${code}: ${message}`
    }
    const body = (text: string, code?: string) => ({ error: { text, code } })
    t.equal(
      await says({ status: 404, body: body('Not Found') }),
      'upstream_rejected: Sample rejected this (404): “Not Found”. Check the IDs, and that the account “work” may access the item.',
    )
    t.equal(
      await says({ status: 422, body: body('due is no date', 'invalid') }),
      'upstream_rejected: Sample rejected this (422): “due is no date” (invalid). Correct the arguments, then retry.',
    )
    t.equal(
      await says({ status: 400, body: body('It is archived.', 'archived') }),
      'upstream_rejected: Sample rejected this (400): “It is archived” (archived). Bring it back first.',
    )
    t.equal(
      await says({ status: 403, body: body('Missing.', 'no_scope') }),
      'scope_missing: Sample rejected this (403): “Missing” (no_scope). Give the account a key with this permission. Ask the operator to run: npm run -s cli -- account add --account acc_1 --api-key -',
    )
    t.equal(
      await says({ status: 403, body: body('No.') }),
      'upstream_rejected: Sample rejected this (403): “No”. Check the permissions of the account “work”, or use another account.',
    )
    t.match(await says({ status: 409, body: {} }), 'read it again')
    t.equal(
      await says({ status: 503, body: '<html><h1>Bad gateway</h1></html>', headers: { 'content-type': 'text/html' } }),
      'upstream_unavailable: Sample failed (503). Retry later.',
    )
    t.match(await says({ status: 500, body: 'x' }, writes), 'The call may have been executed: check before you retry.')
    t.match(await says({ status: 401, body: {} }), /^needs_reauth/)
    const expired = { 'www-authenticate': 'Bearer realm="x", error="invalid_token"' }
    for (const status of [400, 403]) t.match(await says({ status, body: {}, headers: expired }), /^needs_reauth/)
    t.match(await says({ status: 400, body: body('', 'bad_token') }), /^needs_reauth/)
    t.match(await says({ status: 302, headers: { location: '/elsewhere' } }, writes), /^upstream_rejected.*\(302\)/)
    t.match(await says({ status: 200, body: 'no JSON' }), /^upstream_unavailable.*unreadable body/)
    t.match(
      await says({ status: 400, body: { errorMessages: ['A', 'B'], errors: { summary: 'is required' } } }, writes),
      'upstream_rejected',
    )
  },
)

t.test('messages of validators are one sanitized line of limited length', async t => {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t)
  const errors = { message: ['/errorMessages', '/errors'] }
  const connector = connectorOf(upstream.origin, tool({}, { request: get }), { errors })
  const says = async (body: unknown) => {
    upstream.reply = () => ({ status: 400, body })
    return (await failureOf(run(connector))).message
  }
  t.match(
    await says({ errorMessages: [], errors: { summary: 'is required', due: ['a', 'b'] } }),
    '“summary: is required; due: a, b”',
  )
  t.match(await says({ errorMessages: ['One', 'Two'] }), '“One; Two”')
  t.match(await says({ errors: [{ resource: 'Issue', code: 'missing' }, { message: 'plain' }] }), 'resource: Issue')
  t.match(await says({ message: 'a\u0000b\u001b[31m\u202e\n  <b>c</b>' }), '“a b [31m c”')
  t.ok((await says({ message: 'x'.repeat(100_000) })).length < 700)
})

t.test('errors under HTTP 200 are recognized by a false or present member, and by codes', async t => {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t)
  const plain = tool({}, { request: get })
  const slack = connectorOf(upstream.origin, plain, {
    errors: {
      failedWhen: { pointer: '/ok', is: 'false' },
      message: ['/error'],
      code: ['/error'],
      unauthorized: ['token_revoked'],
      rateLimited: ['ratelimited'],
      advice: { channel_not_found: 'Check the channel.' },
    },
  })
  const graphql = connectorOf(upstream.origin, plain, {
    errors: {
      failedWhen: { pointer: '/errors', is: 'present' },
      message: ['/errors/0/message'],
      code: ['/errors/0/extensions/code'],
    },
  })
  upstream.reply = () => ({ body: { ok: false, error: 'channel_not_found' } })
  const error = await failureOf(run(slack))
  t.same(
    [error.code, error.message],
    ['upstream_rejected', 'Sample rejected this: “channel_not_found”. Check the channel.'],
  )
  upstream.reply = () => ({ body: { ok: false, error: 'token_revoked' } })
  t.equal((await failureOf(run(slack))).code, 'needs_reauth')
  upstream.reply = () => ({ body: { ok: false, error: 'ratelimited' }, headers: { 'retry-after': '7' } })
  t.same((await failureOf(run(slack))).details, { retry_after: 7 })
  upstream.reply = () => ({ body: { ok: true } })
  t.same((await run(slack)).structuredContent, { ok: true })

  upstream.reply = () => ({ body: { errors: [{ message: 'Entity not found', extensions: { code: 'INVALID' } }] } })
  t.match((await failureOf(run(graphql))).message, '“Entity not found” (INVALID)')
  upstream.reply = () => ({ body: { data: 1, errors: [] } })
  t.same((await run(graphql)).structuredContent, { data: 1, errors: [] })
})

t.test('a rate limit states the wait in the text, for the model and for the client', async t => {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t)
  const connector = connectorOf(upstream.origin, tool({}, { request: get }))
  upstream.reply = () => ({ status: 429, body: { message: 'Slow down' }, headers: { 'retry-after': '12' } })
  const error = await failureOf(run(connector))
  t.same([error.code, error.retryAfter, error.details], ['upstream_rate_limited', 12, { retry_after: 12 }])
  t.match(error.message, /“Slow down”.*Wait 12 s/)

  const now = Date.UTC(2026, 0, 1)
  const at = (unit: 'epoch-s' | 'epoch-ms' | 'iso' | 'seconds', value: string) =>
    secondsToWait({ 'x-reset': value }, { reset: 'X-Reset', unit }, now)
  t.equal(at('epoch-s', String(now / 1000 + 30)), 30)
  t.equal(at('epoch-ms', String(now + 1500)), 2)
  t.equal(at('iso', new Date(now + 9000).toISOString()), 9)
  t.equal(at('seconds', '45'), 45)
  t.equal(at('epoch-s', '1'), 1, 'a time in the past')
  t.equal(at('seconds', 'soon'), 60, 'nonsense')
  t.equal(secondsToWait({ 'retry-after': new Date(now + 5000).toUTCString() }, undefined, now), 5)
  t.equal(secondsToWait({ 'retry-after': '99999999' }, undefined, now), 86_400)
  t.ok(isRateLimited(403, { 'x-left': '0' }, { reset: 'r', unit: 'seconds', remaining: 'X-Left' }))
  t.ok(isRateLimited(403, { 'retry-after': '3' }, undefined))
  t.notOk(isRateLimited(403, { 'x-left': '1' }, { reset: 'r', unit: 'seconds', remaining: 'X-Left' }))
})

t.test('a secret of the account that a provider echoes appears in no result and no error, in any encoding', async t => {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t)
  const key = `user:${secret()}"/+é`
  const credential: Credential = { v: 1, kind: 'api_key', key }
  const connector = connectorOf(upstream.origin, tool({}, { request: get }))
  const half = key.slice(5)
  for (const status of [200, 400, 500]) {
    upstream.reply = () => ({
      status,
      body: {
        message: `echo ${key}`,
        half,
        link: `https://x/?k=${encodeURIComponent(key)}`,
        basic: Buffer.from(key).toString('base64'),
      },
    })
    const outcome = await run(connector, {}, { credential }).then(JSON.stringify, (error: Error) => error.message)
    for (const form of [
      half,
      encodeURIComponent(half),
      JSON.stringify(half).slice(1, -1),
      Buffer.from(key).toString('base64'),
    ])
      t.notOk(outcome.includes(form), `${status} ${outcome}`)
  }
})

t.test(
  'a provider that hangs, is unreachable, answers too much or is not allowed gives an error with advice',
  async t => {
    const upstream = await recordingUpstream(t)
    const { run } = engine(t, { deadlineMs: 1_000 })
    const reads = tool({}, { request: get })
    const writes = tool({}, { annotations: adds, request: { ...get, method: 'POST' } })
    upstream.reply = () => undefined
    const slow = await failureOf(run(connectorOf(upstream.origin, writes)))
    t.same([slow.code, /check before you retry/.test(slow.message)], ['timeout', true])
    const aborted = await failureOf(run(connectorOf(upstream.origin, reads), {}, { signal: AbortSignal.abort() }))
    t.equal(aborted.code, 'timeout')
    upstream.reply = () => ({ body: 'x'.repeat(9 * 1024 * 1024) })
    const patient = engine(t)
    t.match((await failureOf(patient.run(connectorOf(upstream.origin, reads)))).message, 'Use a smaller limit')
    const larger = 'This file of Sample is larger than this gateway reads.'
    const decoding = tool({}, { request: get, result: text() })
    const encoded = tool({}, { request: get, result: pick('', ['data|base64-to-text']) })
    const download = tool({}, { request: get, operation: 'download', result: file('x') })
    for (const reading of [decoding, encoded]) {
      const connector = connectorOf(upstream.origin, reading)
      t.equal((await failureOf(patient.run(connector))).message, `${larger} Ask the user to open it.`)
      const both = { ...connector, tools: [reading, download] }
      t.equal((await failureOf(patient.run(both))).message, `${larger} Use download.`)
    }
    const closed = `127.0.0.1:${await freePort()}`
    const nobody = await failureOf(patient.run(connectorOf(`http://${closed}`, reads)))
    t.equal(nobody.code, 'upstream_unavailable')
    t.equal(nobody.message, `Sample is unreachable: ${closed} refused the connection. Retry later.`)
    const refused = await failureOf(patient.run(connectorOf('http://10.0.0.1', reads)))
    t.same(
      [refused.code, /check EGRESS_ALLOW, or EGRESS_ALLOW_LOOPBACK for an address/.test(refused.message)],
      ['upstream_unavailable', true],
    )
  },
)

t.test('a read follows redirects without the credential to other origins; a write does not follow them', async t => {
  const upstream = await recordingUpstream(t)
  const elsewhere = await recordingUpstream(t)
  const { run } = engine(t)
  const connector = connectorOf(upstream.origin, tool({}, { request: get }))
  upstream.reply = ({ url }) =>
    url === '/things'
      ? { status: 301, headers: { location: '/moved' } }
      : { status: 302, headers: { location: `${elsewhere.origin}/x` } }
  elsewhere.reply = () => ({ body: { there: true } })
  t.same((await run(connector)).structuredContent, { there: true })
  t.ok(upstream.received.every(({ headers }) => 'x-key' in headers))
  t.notOk('x-key' in (elsewhere.received[0]?.headers ?? {}))
  elsewhere.reply = () => ({ status: 401, body: { message: 'Who are you?' } })
  t.equal(
    (await failureOf(run(connector))).code,
    'upstream_rejected',
    'a 401 after such a redirect does not reject the credential',
  )
  upstream.received.length = 0
  upstream.reply = () => ({ status: 307, headers: { location: '/moved' } })
  const writes = tool({}, { annotations: adds, request: { ...get, method: 'POST' } })
  t.equal((await failureOf(run(connectorOf(upstream.origin, writes)))).code, 'upstream_rejected')
  t.equal(upstream.received.length, 1)
})

t.test('a secret is redacted in any encoding, and a text without one stays unchanged', async t => {
  const key = `${secret()}/+ ~"`
  const redact = redactorOf({ v: 1, kind: 'api_key', key })
  const json = JSON.stringify({ token: key })
  const written = [
    key,
    json,
    json.replaceAll('/', '\\/'),
    json.replaceAll('+', '\\u002B').replaceAll('~', '\\u007e'),
    encodeURIComponent(key),
    `${new URLSearchParams({ token: key })}`,
  ]
  for (const text of written) t.notOk(redact(`{"a":"\\\\"} ${text}`).includes(key.slice(0, 24)), text)
  const innocent = String.raw`{"url":"https:\/\/sample.example","plus":"\u002B","path":"C:\\u0041"}`
  t.equal(redact(innocent), innocent)
})

t.test(
  'a file becomes an artifact with a link, also through a redirect without the credential; its errors are errors',
  async t => {
    const upstream = await recordingUpstream(t)
    const storage = await recordingUpstream(t)
    const { run, stored } = engine(t)
    const downloads = tool(
      { path: Type.String() },
      { request: { method: 'GET', path: '/files/{path}' }, result: file('{path}') },
    )
    const connector = connectorOf(upstream.origin, downloads)
    upstream.reply = () => ({ status: 302, headers: { location: `${storage.origin}/bytes` } })
    storage.reply = () => ({ body: Buffer.from('the bytes') })
    const { content, structuredContent } = await run(connector, { path: 'a/b/re:port.txt' })
    t.same(stored, [{ name: 're port.txt', bytes: Buffer.from('the bytes') }])
    t.match(content[1], {
      type: 'resource_link',
      uri: 'https://gateway.example/artifacts/art_1',
      name: 're port.txt',
      mimeType: 'text/plain',
      size: 9,
    })
    t.match(structuredContent, { artifact: 'art_1', bytes: 9, url: 'https://gateway.example/artifacts/art_1' })
    t.notOk('x-key' in (storage.received[0]?.headers ?? {}))
    upstream.reply = () => ({ status: 404, body: { message: 'No such file' } })
    t.match((await failureOf(run(connector, { path: 'x' }))).message, '“No such file”')
    upstream.reply = () => ({ status: 401, body: {} })
    t.equal((await failureOf(run(connector, { path: 'x' }))).code, 'needs_reauth')
  },
)

t.test('done, text and empty answers become results', async t => {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t)
  const removes = tool(
    { id: Type.String() },
    { annotations: adds, request: { method: 'DELETE', path: '/x/{id}' }, result: done('Removed {id}.') },
  )
  upstream.reply = () => ({ status: 204 })
  const removed = await run(connectorOf(upstream.origin, removes), { id: '7' })
  t.same(removed.content, [{ type: 'text', text: 'Removed 7.' }])
  t.same((await run(connectorOf(upstream.origin, tool({}, { request: get })))).content, [
    { type: 'text', text: 'Done.' },
  ])
  const reads = connectorOf(upstream.origin, tool({}, { request: get, result: text() }))
  upstream.reply = () => ({ body: '{"not":"parsed"}' })
  t.same((await run(reads)).content, [{ type: 'text', text: '{"not":"parsed"}' }])
  upstream.reply = () => ({ body: 'é'.repeat(100_001) })
  t.match((await run(reads)).content[0], { text: /Cut: the first 100000 of 100001 characters/ })
  upstream.reply = () => ({ body: 'a\0b' })
  t.equal((await failureOf(run(reads))).code, 'upstream_rejected')
})

t.test('an answer without the requested result is an error with advice, not an empty object', async t => {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t)
  upstream.reply = () => ({ body: { data: { issue: null } } })
  const body: BodyTemplate = { graphql: '{ issue { id } }' }
  const request = { method: 'POST', path: '/graphql', body } as const
  const error = await failureOf(
    run(connectorOf(upstream.origin, tool({}, { request, result: pick('/data/issue', ['id']) }))),
  )
  t.equal(error.code, 'upstream_rejected')
  t.match(error.message, 'Check the IDs')
})

t.test('a large answer is cut to the size limit, and says so', async t => {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t)
  const list = connectorOf(upstream.origin, tool({}, { request: get, result: pick('', ['id', 'body']) }))
  const run_ = async (body: unknown) => {
    upstream.reply = () => ({ body })
    const { content, structuredContent = {} } = await run(list)
    const [{ text } = { text: '' }] = content as { text: string }[]
    t.same(JSON.parse(text), structuredContent)
    t.ok(Buffer.byteLength(text) <= 205_000, `${Buffer.byteLength(text)} bytes`)
    return structuredContent as {
      items: { id: number; body: string }[]
      truncated?: boolean
      note?: string
      body: string
    }
  }
  const one = await run_({ id: 1, body: 'x'.repeat(30_000) })
  t.match(one.body, /x… \[cut: the first 20000 of 30000 characters\]$/)
  const items = (count: number, length: number) =>
    Array.from({ length: count }, (_, id) => ({ id, body: 'é'.repeat(length) }))
  const shorter = await run_(items(40, 15_000))
  t.equal(shorter.items.length, 40, 'texts are cut before items are left out')
  t.equal(shorter.truncated, undefined)
  const fewer = await run_(items(3000, 300))
  t.ok(fewer.items.length > 100 && fewer.items.length < 3000)
  t.equal(fewer.truncated, true)
  t.match(fewer.note, `first ${fewer.items.length} of 3000`)
  upstream.reply = () => ({ body: { many: Object.fromEntries(items(50_000, 1).map(({ id }) => [`k${id}`, '"'])) } })
  const whole = await run(connectorOf(upstream.origin, tool({}, { request: get })))
  t.match(whole.structuredContent, { truncated: true })
})

t.test('a hostile answer changes no prototype and does not exhaust the stack', async t => {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t)
  const connector = connectorOf(upstream.origin, tool({}, { request: get }))
  upstream.reply = () => ({
    body: '{"__proto__": {"admin": true}, "a": {"constructor": {"prototype": {"x": 1}}, "b": 1}}',
  })
  t.same((await run(connector)).structuredContent, { a: { b: 1 } })
  upstream.reply = () => ({ body: `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}` })
  t.ok((await run(connector)).structuredContent)
  upstream.reply = () => ({ body: `{"n":9007199254740993,"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}` })
  t.match(await failureOf(run(connector)), { code: 'upstream_rejected' })
})

t.test('an integer that a number cannot represent keeps its digits as a string, which arguments accept', async t => {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t)
  upstream.reply = () => ({
    body: '{"id":9007199254740993,"ids":[-12345678901234567890],"n":9007199254740991,"x":1.5e300}',
  })
  t.same((await run(connectorOf(upstream.origin, tool({}, { request: get })))).structuredContent, {
    id: '9007199254740993',
    ids: ['-12345678901234567890'],
    n: 9_007_199_254_740_991,
    x: 1.5e300,
  })
})

t.test('a selection keeps the named fields through arrays, drops nulls, and never throws', async t => {
  const answer = {
    items: [
      { id: 1, user: { login: 'a', url: 'u' }, labels: [{ name: 'x', color: 'c' }, { name: null }], gone: null },
      { id: 2, user: null, labels: [] },
    ],
  }
  const select = (json: unknown, pointer: string, fields: string[]) => {
    const { find, keep } = compileSelection(pointer, fields)
    return keep(find(json), { longest: 5, left: 1000, longestSeen: 0, redact: text => text, convert: value => value })
  }
  const kept = (pointer: string, fields: string[]) => select(answer, pointer, fields)
  t.same(kept('/items', ['id', 'user.login', 'labels.name', 'gone', 'none.at.all']), [
    { id: 1, user: { login: 'a' }, labels: [{ name: 'x' }] },
    { id: 2, labels: [] },
  ])
  t.same(kept('/items/0', ['user', 'user.login']), { user: { login: 'a', url: 'u' } })
  t.same(kept('/items/0', ['user.login', 'user']), { user: { login: 'a', url: 'u' } })
  t.same(kept('/items/1', []), { id: 2, labels: [] })
  t.equal(kept('/none', ['id']), undefined)
  t.equal(kept('/items/0/toString', []), undefined)
  const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'toString')
  const field = fc.array(name, { minLength: 1, maxLength: 4 }).map(steps => steps.join('.'))
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(field), fc.constantFrom('', '/a', '/a/b', '/0'), (json, fields, pointer) => {
      JSON.stringify(select(json, pointer, fields))
    }),
    { numRuns: 500 },
  )
})
