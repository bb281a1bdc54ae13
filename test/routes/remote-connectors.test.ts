import t, { type Test } from 'tap'
import errorEnvelope, { endpointNotFound } from '../../plugins/error-envelope/plugin.ts'
import { remoteConnectorRoutes, remoteCredentialRoutes } from '../../routes/remote-connectors.ts'
import { LOOPBACK_REDIRECT_URI } from '../../services/remote-connectors/oauth/client-metadata.ts'
import { UpstreamError } from '../../services/remote-connectors/upstream/upstream.ts'
import { testDatabase } from '../fixtures/database.ts'
import { bare } from '../fixtures/fixture.ts'
import { commands } from '../fixtures/operator-commands.ts'
import { checkStrangersRefused } from '../fixtures/refused-strangers.ts'
import { asked, remoteFixture, upstreamTool } from '../fixtures/registration-fixture.ts'
import { routeFixture } from '../fixtures/route-fixture.ts'

// Made once: most of the time of a test would be that of its database.
const database = await testDatabase(t)

/** The routes on a bare Fastify, for an owner (`ada`) and a member (`bob`) of one organization, and a stranger (`eve`). */
async function fixture(t: Test, on = database) {
  const registered = remoteFixture(t, on)
  const { remotes } = registered
  const { app, ada, bob } = await routeFixture(
    t,
    registered,
    scope =>
      void scope
        .register(remoteConnectorRoutes, { remotes, commands })
        .register(remoteCredentialRoutes, { remotes, commands, settings: { dashboardUrl: undefined } }),
  )

  return {
    ...registered,
    app,
    ada,
    bob,
    async ask(who: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object | string) {
      const payload = body === undefined ? {} : { payload: body, headers: { 'content-type': 'application/json' } }
      const response = await app.inject({ method, url, ...payload, headers: { 'x-api-key': who, ...payload.headers } })
      return {
        status: response.statusCode,
        headers: response.headers,
        body: response.body === '' ? '' : response.json(),
      }
    },
  }
}

const endpoints = [
  'POST /connectors/org',
  'GET /connectors/org/:slug',
  'PATCH /connectors/org/:slug',
  'DELETE /connectors/org/:slug',
  'POST /connectors/org/:slug/confirm',
  'POST /connectors/org/:slug/credential',
  'DELETE /connectors/org/:slug/credential',
  'POST /connectors/org/:slug/credential/authorization',
  'POST /connectors/org/:slug/refresh',
  'POST /connectors/org/callback',
]

const notFound = {
  status: 404,
  body: {
    error: {
      type: 'invalid_request_error',
      code: 'endpoint_not_found',
      message: endpointNotFound({ server: { endpoints } }).message,
    },
  },
}

t.test('POST /connectors/org answers 201 with the single read', async t => {
  const { ask, ada } = await fixture(t)
  const { status, headers, body } = await ask('ada', 'POST', '/connectors/org', asked)
  t.equal(status, 201)
  t.equal(headers['content-type'], 'application/json; charset=utf-8')
  t.equal(headers['cache-control'], 'no-store')
  t.match(body, {
    id: 'wiki',
    kind: 'remote-mcp',
    url: 'http://localhost/connectors/org/wiki',
    mcp_url: 'http://localhost/mcp',
    status: 'connected',
    icon_url: null,
    accounts: [],
    remote: {
      upstream_url: 'https://wiki.test/mcp',
      auth_mode: 'none',
      tool_count: 1,
      full_schema_hash: /^[0-9a-f]{64}$/,
      created_by_user_id: ada.userId,
      warning: String,
      tools: [
        {
          name: 'org__wiki__look',
          original_name: 'look',
          input_schema: { type: 'object' },
          schema_hash: /^[0-9a-f]{64}$/,
        },
      ],
      set_aside: [],
      set_aside_count: 0,
    },
  })
  t.notOk('auth' in body)
  t.same((await ask('ada', 'GET', '/connectors/org/wiki')).body, body)
})

t.test('POST /connectors/org registers a server that does not answer, with three nulls', async t => {
  const { ask, upstream } = await fixture(t)
  upstream.answer = () => Promise.reject(new UpstreamError('unreachable', 'wiki.test has no address; check the name.'))
  const { status, body } = await ask('ada', 'POST', '/connectors/org', asked)
  t.equal(status, 201)
  const never = { tool_count: null, snapshot_fetched_at: null, full_schema_hash: null, tools: [] }
  t.match(body, { status: 'disconnected', remote: never })
})

t.test('POST /connectors/org rejects an invalid registration with the code of the reason', async t => {
  const { ask, rowsOf, ada } = await fixture(t)
  const register = (body: object | string, who = 'ada') => ask(who, 'POST', '/connectors/org', body)
  const cases: [object | string, string][] = [
    [{}, 'invalid_request'],
    ['{"slug":', 'invalid_request'],
    [[asked], 'invalid_request'],
    [{ ...asked, slug: 'a--b-' }, 'invalid_request'],
    [{ ...asked, more: 1 }, 'invalid_request'],
    [{ ...asked, name: '' }, 'invalid_request'],
    [{ ...asked, auth: { mode: 'bearer' } }, 'invalid_request'],
    [{ ...asked, auth: { mode: 'none', token: 'x' } }, 'invalid_request'],
    [{ ...asked, auth: { mode: 'basic', token: 'x' } }, 'invalid_request'],
    [{ ...asked, auth: { mode: 'header', name: 'host', value: 'x' } }, 'invalid_request'],
    [{ ...asked, upstream_url: 'http://wiki.test/mcp' }, 'invalid_upstream_url'],
    [{ ...asked, upstream_url: 'https://169.254.169.254/' }, 'invalid_upstream_url'],
  ]
  for (const [body, code] of cases)
    t.match(await register(body), { status: 400, body: { error: code, message: String } }, JSON.stringify(body))
  const secret = `s_${crypto.randomUUID()}`
  const refused = await register({ ...asked, auth: { mode: 'bearer', token: secret, more: secret } })
  t.equal(refused.status, 400)
  t.notMatch(JSON.stringify(refused.body), secret)
  t.equal(refused.body.message, 'Unknown field `auth.more`; expected `per` or `headers`.')
  const { body: wrong } = await register({ slug: 'The_Wiki', nam: 1, auth: { mode: 'header', value: 5 } })
  t.equal(
    wrong.message,
    '`name` is required. `upstream_url` is required. `slug` must be a string that fits its description: ' +
      '"It has 1 to 20 of a-z, 0-9 and dashes, no dash at its beginning or end."; got "The_Wiki". `auth.name` is ' +
      'required. `auth.value` must be a string of 1 to 8192 characters; got a number. Unknown field `nam`; did you mean `name`?',
  )
  t.same(await rowsOf(ada.orgId), {})

  await register(asked)
  t.match(await register(asked), { status: 409, body: { error: 'slug_taken', message: /wiki/ } })
  t.equal((await register(asked, 'eve')).status, 201, 'another organization’s slugs are its own')
})

t.test('members can read the tools but not the rejected ones, and cannot write', async t => {
  const { ask } = await fixture(t)
  await ask('ada', 'POST', '/connectors/org', asked)
  const { status, body } = await ask('bob', 'GET', '/connectors/org/wiki')
  t.equal(status, 200)
  t.equal(body.remote.tools.length, 1)
  t.notOk('set_aside' in body.remote || 'set_aside_count' in body.remote)
  for (const [method, url, payload] of [
    ['POST', '/connectors/org', asked],
    ['POST', '/connectors/org', 'not json'],
    ['PATCH', '/connectors/org/wiki', { name: 'x' }],
    ['PATCH', '/connectors/org/nothing', 'not json'],
    ['POST', '/connectors/org/nothing/confirm', {}],
    ['POST', '/connectors/org/wiki/refresh', undefined],
    ['POST', '/connectors/org/nothing/refresh', undefined],
    ['DELETE', '/connectors/org/wiki', undefined],
    ['DELETE', '/connectors/org/nothing', undefined],
  ] as const)
    t.match(
      await ask('bob', method, url, payload),
      { status: 403, body: { error: 'admin_required', message: String } },
      `${method} ${url}`,
    )
})

t.test('an unknown slug and another organization’s slug get the same 404', async t => {
  const { ask } = await fixture(t)
  await ask('eve', 'POST', '/connectors/org', asked)
  for (const slug of ['wiki', 'nothing', 'WIKI', '__proto__', 'a%2Fb', '%00', '%F0%9F%9B%92'])
    for (const [method, url, payload] of [
      ['GET', `/connectors/org/${slug}`],
      ['POST', `/connectors/org/${slug}/refresh`],
      ['DELETE', `/connectors/org/${slug}`],
      ['PATCH', `/connectors/org/${slug}`, { name: 'x' }],
      ['POST', `/connectors/org/${slug}/confirm`, { hash: 'f'.repeat(64) }],
      ['POST', `/connectors/org/${slug}/credential`, { key: 'a-key' }],
      ['POST', `/connectors/org/${slug}/credential/authorization`, { redirect_uri: LOOPBACK_REDIRECT_URI }],
      ['DELETE', `/connectors/org/${slug}/credential`],
    ] as const) {
      const { status, body } = await ask('ada', method, url, payload)
      t.same({ status, body }, notFound, `${method} ${url}`)
    }
  t.equal((await ask('eve', 'GET', '/connectors/org/wiki')).status, 200)
})

t.test('POST /connectors/org/:slug/refresh serves what is not risky and returns the changes, once in 30 s', async t => {
  const { ask, upstream, clock } = await fixture(t)
  upstream.answer = async () => [upstreamTool('look'), upstreamTool('gone')]
  await ask('ada', 'POST', '/connectors/org', asked)
  upstream.answer = async () => [upstreamTool('look')]
  clock.advance(1)
  const refreshed = await ask('ada', 'POST', '/connectors/org/wiki/refresh')
  t.equal(refreshed.status, 200)
  const { changes, applied, full_schema_hash, ...read } = refreshed.body
  t.match(changes, { added: [], removed: [{ name: 'org__wiki__gone', risky: false }], changed: [], renamed: [] })
  t.same([applied, full_schema_hash], [true, read.remote.full_schema_hash])
  t.same((await ask('ada', 'GET', '/connectors/org/wiki')).body, read)

  const early = await ask('ada', 'POST', '/connectors/org/wiki/refresh', {})
  t.match(early, { status: 429, body: { error: 'cooldown', message: String, retry_after: 30 } })
  t.equal(early.headers['retry-after'], '30')
  clock.advance(30_000)
  upstream.answer = () => Promise.reject(new UpstreamError('malformed', 'wiki.test answered what is no list.'))
  const failed = await ask('ada', 'POST', '/connectors/org/wiki/refresh')
  t.match(failed, { status: 422, body: { error: 'snapshot_failed', message: /wiki\.test answered what is no list/ } })
  t.same((await ask('ada', 'GET', '/connectors/org/wiki')).body, read, 'the one before stays')
})

t.test('POST /connectors/org/:slug/refresh previews risky changes, which go live only by their hash', async t => {
  const { ask, upstream, clock } = await fixture(t)
  const refresh = (query = '', body?: object | string, who = 'ada') =>
    ask(who, 'POST', `/connectors/org/wiki/refresh${query}`, body)
  const { body: before } = await ask('ada', 'POST', '/connectors/org', asked)
  const risky = { changed: [{ name: 'org__wiki__look', risky: true }] }
  const description = `${'x'.repeat(2_000)} Something else.`
  upstream.answer = async () => [upstreamTool('look', { description })]
  const content = {
    tools: [{ name: 'org__wiki__look', original_name: 'look', description, input_schema: {}, schema_hash: String }],
    changes: { changed: [{ changes: [{ before: 'Does look.', after: description }] }] },
  }
  for (const query of ['', '?preview=1']) {
    clock.advance(30_000)
    const { status, body } = await refresh(query)
    const { changes, applied, full_schema_hash, ...read } = body
    t.match({ status, changes, applied }, { status: 200, changes: risky, applied: false })
    t.match(read.remote, { full_schema_hash: before.remote.full_schema_hash, tools: before.remote.tools })
    t.match(read.remote.pending, { full_schema_hash, change_count: 1, risky_count: 1, fetched_at: String, ...content })
    t.not(full_schema_hash, before.remote.full_schema_hash)
    const { body: admin } = await ask('ada', 'GET', '/connectors/org/wiki')
    t.match(admin.remote.pending, { full_schema_hash, changes: risky })
    t.match(admin.remote.pending, content)
    t.same(admin.remote.pending, read.remote.pending)
    t.notOk('pending' in (await ask('bob', 'GET', '/connectors/org/wiki')).body.remote)
  }
  const { body: read } = await ask('ada', 'GET', '/connectors/org/wiki')
  const accept = read.remote.pending.full_schema_hash

  const requests = upstream.asked.length
  t.match(await refresh('', { accept: 'f'.repeat(64) }), { status: 409, body: { error: 'preview_expired' } })
  for (const [query, body] of [
    ['', { accept: 'latest' }],
    ['', { accept, more: 1 }],
    ['', 'not json'],
    ['?preview=yes', undefined],
    ['?preview=1', { accept }],
  ] as const)
    t.match(await refresh(query, body), { status: 400, body: { error: 'invalid_request' } }, JSON.stringify(body))
  t.match(await refresh('', { accept }, 'bob'), { status: 403, body: { error: 'admin_required' } })
  t.match(await refresh('', { accept }), {
    status: 200,
    body: { applied: true, changes: risky, full_schema_hash: accept, remote: { full_schema_hash: accept } },
  })
  t.match(await refresh('', { accept }), { status: 200, body: { applied: true } }, 'a repetition finds it live')
  t.equal(upstream.asked.length, requests, 'no request is sent to the upstream')
  t.notOk('pending' in (await ask('ada', 'GET', '/connectors/org/wiki')).body.remote)
})

t.test('PATCH /connectors/org/:slug answers the changed single read', async t => {
  const { ask, upstream } = await fixture(t)
  await ask('ada', 'POST', '/connectors/org', { ...asked, refresh: 'harmless' })
  t.match((await ask('bob', 'GET', '/connectors/org/wiki')).body, { remote: { refresh: 'harmless' } })
  const { status, body } = await ask('ada', 'PATCH', '/connectors/org/wiki', { name: 'Our wiki', refresh: 'manual' })
  t.match({ status, body }, { status: 200, body: { name: 'Our wiki', remote: { refresh: 'manual', tool_count: 1 } } })
  t.same((await ask('ada', 'GET', '/connectors/org/wiki')).body, body)

  upstream.answer = async () => [upstreamTool('look', { description: 'Something else.' })]
  const moved = await ask('ada', 'PATCH', '/connectors/org/wiki', { upstream_url: 'https://wiki.test/v2' })
  t.match(moved.body.remote, {
    upstream_url: 'https://wiki.test/v2',
    tools: body.remote.tools,
    pending: { changes: { changed: [{ name: 'org__wiki__look', risky: true }] } },
  })
  for (const [request, code] of [
    [{}, 'invalid_request'],
    [{ slug: 'other' }, 'invalid_request'],
    [{ refresh: 'always' }, 'invalid_request'],
    [{ auth: { mode: 'bearer' } }, 'invalid_request'],
    [{ upstream_url: 'http://wiki.test/mcp' }, 'invalid_upstream_url'],
  ] as const)
    t.match(await ask('ada', 'PATCH', '/connectors/org/wiki', request), { status: 400, body: { error: code } })
})

t.test('PATCH sets overrides, and POST /connectors/org/:slug/confirm confirms the pinned hints', async t => {
  const { ask, ada } = await fixture(t)
  const { body: before } = await ask('ada', 'POST', '/connectors/org', asked)
  const hash = before.remote.full_schema_hash
  const look = { title: 'Ours', hidden: true, class: 'read' }
  const { status, body } = await ask('ada', 'PATCH', '/connectors/org/wiki', { overrides: { look } })
  t.match(
    { status, body },
    {
      status: 200,
      body: {
        remote: { overrides: [{ original_name: 'look', ...look, state: 'current', set_by_user_id: ada.userId }] },
      },
    },
  )
  t.match(body.remote.tools, [{ original_name: 'look', hidden: true, class: 'read' }])
  for (const overrides of [{ look: {} }, { look: { name: 'x' } }, { look: { class: 'safe' } }, { nothing: look }, []])
    t.match(await ask('ada', 'PATCH', '/connectors/org/wiki', { overrides }), {
      status: 400,
      body: { error: 'invalid_request' },
    })

  const confirm = (payload: object, who = 'ada') => ask(who, 'POST', '/connectors/org/wiki/confirm', payload)
  t.match(await confirm({ hash }, 'bob'), { status: 403, body: { error: 'admin_required' } })
  t.match(await confirm({}), { status: 400, body: { error: 'invalid_request' } })
  t.match(await confirm({ hash: 'f'.repeat(64) }), {
    status: 409,
    body: { error: 'preview_expired', message: /another hash/ },
  })
  const confirmed = { full_schema_hash: hash, confirmed_by_user_id: ada.userId, confirmed_at: String }
  t.match(await confirm({ hash }), { status: 200, body: { remote: { confirmed } } })
  const { body: read } = await ask('bob', 'GET', '/connectors/org/wiki')
  t.match(read.remote, { confirmed })
  t.notOk('overrides' in read.remote)
})

t.test('DELETE /connectors/org/:slug answers 204 once, then the slug is unknown', async t => {
  const { ask, rowsOf, ada } = await fixture(t)
  await ask('ada', 'POST', '/connectors/org', { ...asked, auth: { mode: 'bearer', token: 'a-token-of-ours' } })
  t.match(await ask('ada', 'DELETE', '/connectors/org/wiki', 'not json'), { status: 204, body: '' })
  t.same(await rowsOf(ada.orgId), {})
  for (const method of ['GET', 'DELETE'] as const) {
    const { status, body } = await ask('ada', method, '/connectors/org/wiki')
    t.same({ status, body }, notFound, method)
  }
})

t.test('every route requires a credential, an active organization and good standing', async t => {
  const { app } = await fixture(t)
  await checkStrangersRefused(t, app, [
    ['POST', '/connectors/org'],
    ['GET', '/connectors/org/wiki'],
    ['PATCH', '/connectors/org/wiki'],
    ['DELETE', '/connectors/org/wiki'],
    ['POST', '/connectors/org/wiki/refresh'],
    ['POST', '/connectors/org/wiki/confirm'],
  ])
})

t.test('an unavailable database is a 503', async t => {
  const database = await testDatabase(t)
  const { ask } = await fixture(t, database)
  await database.close()
  for (const [method, url, body] of [
    ['POST', '/connectors/org', asked],
    ['GET', '/connectors/org/wiki', undefined],
    ['PATCH', '/connectors/org/wiki', { name: 'x' }],
    ['DELETE', '/connectors/org/wiki', undefined],
    ['POST', '/connectors/org/wiki/refresh', undefined],
  ] as const)
    t.match(await ask('ada', method, url, body), { status: 503, body: { error: { code: 'platform_db_unavailable' } } })
})

t.test('the routes do not load outside the authenticated scope', async t => {
  const app = bare(t)
  app.register(errorEnvelope)
  app.register(remoteConnectorRoutes, {} as never)
  await t.rejects(async () => app.ready(), { code: 'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED' })
})
