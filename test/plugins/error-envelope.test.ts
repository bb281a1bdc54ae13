import t from 'tap'
import { ERRORS, type ErrorCode, GatewayError } from '../../lib/errors/errors.ts'
import errorEnvelope from '../../plugins/error-envelope/plugin.ts'
import { type RouteGroup, renderError } from '../../plugins/error-envelope/render-error.ts'
import jsonBodies from '../../plugins/json-bodies/plugin.ts'
import { toolError } from '../../services/tool-calls/refusals.ts'
import { bare } from '../fixtures/fixture.ts'

const render = (code: ErrorCode, group: RouteGroup, retryAfter?: number) =>
  renderError(new GatewayError(code, 'Why.', retryAfter === undefined ? {} : { retryAfter }), group)

t.test('each code has its documented status, envelope and wire code', async t => {
  const nested = (type: string, code: string) => ({ error: { type, message: 'Why.', code } })
  const codeFirst = (code: string) => ({ error: code, message: 'Why.' })
  const messageFirst = (code: string) => ({ error: 'Why.', code })
  const invalid = 'invalid_request_error'
  const cases: [ErrorCode, RouteGroup, number, object][] = [
    ['no_active_org', 'connectors', 400, codeFirst('no_active_org')],
    ['no_active_org', 'account', 400, codeFirst('no_active_org')],
    ['no_active_org', 'billing', 402, messageFirst('no_active_org')],
    ['missing_authorization', 'mcp', 401, nested('authentication_error', 'missing_authorization')],
    ['invalid_jwt', 'connectors', 401, nested('authentication_error', 'invalid_jwt')],
    ['invalid_api_key', 'account', 401, nested('authentication_error', 'invalid_api_key')],
    ['payment_required', 'general', 402, nested('billing_error', 'payment_required')],
    ['key_spend_limit_exceeded', 'general', 402, nested('billing_error', 'key_spend_limit_exceeded')],
    ['key_spend_limit_exceeded', 'billing', 402, messageFirst('key_spend_limit_exceeded')],
    ['org_suspended', 'general', 403, nested('forbidden', 'org_suspended')],
    ['admin_required', 'connectors', 403, codeFirst('admin_required')],
    ['agent_suspended', 'mcp', 403, nested('forbidden', 'agent_suspended')],
    ['agent_retired', 'connectors', 403, nested('forbidden', 'agent_retired')],
    ['endpoint_not_found', 'connectors', 404, nested(invalid, 'endpoint_not_found')],
    ['multiple_accounts', 'connectors', 409, codeFirst('multiple_accounts')],
    ['internal_error', 'account', 500, nested('api_error', 'internal_error')],
    ['internal_error', 'connectors', 500, nested('api_error', 'internal_error')],
    ['platform_db_unavailable', 'billing', 503, nested('api_error', 'platform_db_unavailable')],
    ['identity_provider_unavailable', 'mcp', 503, nested('api_error', 'identity_provider_unavailable')],
    ['overloaded', 'general', 503, nested('api_error', 'overloaded')],
    ['host_not_allowed', 'connectors', 403, nested('forbidden', 'host_not_allowed')],
    ['origin_not_allowed', 'general', 403, nested('forbidden', 'origin_not_allowed')],
    ['account_not_found', 'connectors', 404, codeFirst('account_not_found')],
    ['not_account_owner', 'connectors', 403, codeFirst('not_account_owner')],
    ['alias_taken', 'connectors', 409, codeFirst('alias_taken')],
    ['slug_taken', 'connectors', 409, codeFirst('slug_taken')],
    ['invalid_upstream_url', 'connectors', 400, codeFirst('invalid_upstream_url')],
    ['oauth_discovery_failed', 'connectors', 422, codeFirst('oauth_discovery_failed')],
    ['oauth_registration_failed', 'connectors', 422, codeFirst('oauth_registration_failed')],
    ['snapshot_failed', 'connectors', 422, codeFirst('snapshot_failed')],
    ['invalid_request', 'connectors', 400, codeFirst('invalid_request')],
    ['body_too_large', 'connectors', 413, codeFirst('invalid_request')],
    ['unsupported_media_type', 'connectors', 415, codeFirst('invalid_request')],
    ['invalid_request', 'account', 400, messageFirst('INVALID_REQUEST')],
    ['body_too_large', 'billing', 413, messageFirst('INVALID_REQUEST')],
    ['not_found', 'account', 404, messageFirst('NOT_FOUND')],
    ['idempotency_conflict', 'account', 409, messageFirst('IDEMPOTENCY_CONFLICT')],
    ['CUSTOMER_NOT_FOUND', 'billing', 404, messageFirst('CUSTOMER_NOT_FOUND')],
    ['WALLET_NOT_FOUND', 'billing', 404, messageFirst('WALLET_NOT_FOUND')],
    ['PLAN_NOT_FOUND', 'billing', 404, messageFirst('PLAN_NOT_FOUND')],
    ['ALREADY_PRO', 'billing', 409, messageFirst('ALREADY_PRO')],
    ['ALREADY_FREE', 'billing', 409, messageFirst('ALREADY_FREE')],
    ['CUSTOMER_ALREADY_EXISTS', 'billing', 409, messageFirst('CUSTOMER_ALREADY_EXISTS')],
    ['INSUFFICIENT_BALANCE', 'billing', 402, messageFirst('INSUFFICIENT_BALANCE')],
    ['WALLET_BLOCKED', 'billing', 403, messageFirst('WALLET_BLOCKED')],
    ['MEMBERSHIP_REVOKED', 'account', 403, messageFirst('MEMBERSHIP_REVOKED')],
    ['admin_required', 'account', 403, messageFirst('FORBIDDEN')],
    ['jwt_session_required', 'billing', 403, messageFirst('SESSION_REQUIRED')],
    ['upstream_unavailable', 'billing', 502, nested('api_error', 'internal_error')],
    ['timeout', 'account', 504, nested('api_error', 'internal_error')],
  ]
  for (const [code, group, status, body] of cases) {
    const rendered = render(code, group)
    t.same({ status: rendered.status, body: rendered.body }, { status, body }, `${code} on ${group}`)
  }
})

t.test('a throttled request has the seconds next to the error and in Retry-After', async t => {
  t.same(render('rate_limit_exceeded', 'connectors', 17), {
    status: 429,
    headers: { 'retry-after': '17' },
    body: { error: { type: 'rate_limit_error', message: 'Why.', code: 'rate_limit_exceeded' }, retry_after: 17 },
  })
  t.same(render('cooldown', 'connectors', 9).body, { error: 'cooldown', message: 'Why.', retry_after: 9 })
})

t.test('POST /mcp answers transport errors as bare JSON-RPC with a null id', async t => {
  const bareRpc = (code: number) => ({ jsonrpc: '2.0', error: { code, message: 'Why.' }, id: null })
  for (const [code, status, rpc] of [
    ['not_acceptable', 406, -32000],
    ['unsupported_media_type', 415, -32000],
    ['unparsable_body', 400, -32700],
    ['batch_not_supported', 400, -32600],
    ['body_too_large', 413, -32600],
    ['host_not_allowed', 403, -32000],
    ['origin_not_allowed', 403, -32000],
  ] as const) {
    const { status: sent, body } = render(code, 'mcp')
    t.same({ sent, body }, { sent: status, body: bareRpc(rpc) }, code)
  }
})

t.test('each tool error is text with the nested envelope', async t => {
  const types = {
    jwt_session_required: 'forbidden',
    admin_required: 'forbidden',
    org_suspended: 'forbidden',
    payment_required: 'billing_error',
    key_spend_limit_exceeded: 'billing_error',
    insufficient_balance: 'billing_error',
    billing_authorization_failed: 'api_error',
    internal_error: 'api_error',
    platform_db_unavailable: 'api_error',
    upstream_unavailable: 'api_error',
    timeout: 'api_error',
    no_active_org: 'invalid_request_error',
    account_required: 'invalid_request_error',
    scope_missing: 'invalid_request_error',
    needs_reauth: 'authentication_error',
  } as const
  for (const [code, type] of Object.entries(types) as [ErrorCode, string][]) {
    const result = toolError(new GatewayError(code, 'Why.'))
    t.equal(result.isError, true)
    const [block] = result.content
    t.same(JSON.parse(block?.type === 'text' ? block.text : ''), { error: { type, message: 'Why.', code } }, code)
  }
})

t.test('every row of the table renders for every group of routes', async t => {
  const groups: RouteGroup[] = ['general', 'connectors', 'account', 'billing', 'mcp']
  for (const code of Object.keys(ERRORS) as ErrorCode[])
    for (const group of groups) t.match(render(code, group, 1), { status: Number, body: Object })
})

t.test('error-envelope', async t => {
  const app = bare(t)
  app.register(errorEnvelope)
  app.register(jsonBodies)
  app.register(async scope => {
    scope.get('/broken', async () => {
      throw new Error('password=hunter2')
    })
    scope.post('/items', { config: { group: 'connectors' }, bodyLimit: 64 }, async () => ({}))
    scope.post('/accounts', { config: { group: 'account' }, bodyLimit: 64 }, async () => ({}))
  })

  await t.test('masks unexpected errors', async t => {
    const response = await app.inject('/broken')
    t.equal(response.statusCode, 500)
    t.match(response.json(), { error: { type: 'api_error', code: 'internal_error' } })
    t.notMatch(response.body, 'hunter2')
  })

  await t.test('answers all unknown paths alike and lists the served endpoints', async t => {
    const responses = await Promise.all([
      app.inject('/v1/chat'),
      app.inject({ method: 'POST', url: '/mcp/github', headers: { 'x-api-key': 'any' } }),
    ])
    for (const response of responses) {
      t.equal(response.statusCode, 404)
      t.match(response.json(), { error: { type: 'invalid_request_error', code: 'endpoint_not_found' } })
      t.match(response.json().error.message, 'Use one of: POST /accounts, ')
    }
    t.equal(responses[0]?.body, responses[1]?.body)
  })

  await t.test('renders errors of the framework in the envelope of the route’s group', async t => {
    const json = { 'content-type': 'application/json' }
    const large = JSON.stringify({ text: 'x'.repeat(100) })
    for (const [payload, headers, status] of [
      ['{"a":', json, 400],
      ['{"__proto__":{}}', json, 400],
      [large, json, 413],
      ['a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ] as const) {
      const flat = await app.inject({ method: 'POST', url: '/items', headers, payload })
      t.equal(flat.statusCode, status)
      t.match(flat.json(), { error: 'invalid_request', message: String })
      const messageFirst = await app.inject({ method: 'POST', url: '/accounts', headers, payload })
      t.equal(messageFirst.statusCode, status)
      t.match(messageFirst.json(), { error: String, code: 'INVALID_REQUEST' })
    }
  })
})

t.test('a browser that opens a URL gets an error as a page, whose words cannot be markup', async t => {
  const app = bare(t)
  app.register(errorEnvelope)
  app.get('/refused', () => {
    throw new GatewayError('rate_limit_exceeded', 'Wait for <b>it</b> & retry.', { retryAfter: 7 })
  })
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const page = await app.inject({ url: '/refused', headers: { accept } })
  t.match(page, { statusCode: 429, headers: { 'retry-after': '7', 'cache-control': 'no-store' } })
  t.match(page.headers, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" })
  t.match(page.body, '<p>Wait for &lt;b&gt;it&lt;/b&gt; &amp; retry.</p>')
  t.match(await app.inject({ url: '/nowhere', headers: { accept } }), { statusCode: 404, body: /^<!doctype html>/ })

  for (const other of ['*/*', 'application/json', 'application/json, text/event-stream'])
    t.match((await app.inject({ url: '/refused', headers: { accept: other } })).json(), { error: {} }, other)
  const sent = await app.inject({ method: 'POST', url: '/nowhere', headers: { accept } })
  t.match(sent.json(), { error: { code: 'endpoint_not_found' } }, 'a client sends it')
})
