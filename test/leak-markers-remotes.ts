import type { Test } from 'tap'
import { runCommand } from '../cli/run-command.ts'
import type { RemoteAuthRequest } from '../schemas/remote-auth.ts'
import { LOOPBACK_REDIRECT_URI } from '../services/remote-connectors/oauth/client-metadata.ts'
import { newsHeard } from './database.ts'
import type { TestMember } from './directory.ts'
import { indiscreetUpstream, LEAKS, type Leak, TOKEN_LIFE_S } from './indiscreet-upstream.ts'
import { type leakFixture, signedIn } from './leak-fixture.ts'
import { sample } from './sample.ts'

type Fixture = Awaited<ReturnType<typeof leakFixture>>
type Service = Awaited<ReturnType<Fixture['serve']>>

/**
 * Registers a leaking upstream of each mode and runs every operation with it. The fixture records all answers and log lines.
 */
export async function useIndiscreetUpstreams(
  t: Test,
  { markers, clock, database }: Pick<Fixture, 'markers' | 'clock' | 'database'>,
  { services, send, call, attempt }: Service,
  admin: TestMember,
): Promise<void> {
  const upstream = await indiscreetUpstream(t, markers)
  const { caller, orgId } = admin
  const headers = signedIn(admin)
  const secret = (what: string) => `${markers.text(what)}/+._~-`
  const modes = {
    none: { mode: 'none' },
    bearer: {
      mode: 'bearer',
      token: secret('bearer token of an upstream'),
      headers: [{ name: 'X-Fixed', value: secret('fixed header of an upstream') }],
    },
    header: { mode: 'header', name: 'X-Team-Key', value: secret('header of an upstream') },
    'oauth-dcr': { mode: 'oauth' },
    'oauth-app': { mode: 'oauth', client_id: 'app', client_secret: secret('secret of an upstream’s app') },
    'oauth-client': {
      mode: 'client_credentials',
      client_id: 'app',
      client_secret: secret('secret of a client that gets tokens for itself'),
    },
    assertion: { mode: 'assertion' },
  } as const satisfies Record<string, RemoteAuthRequest>

  async function register(slug: string, auth: RemoteAuthRequest, path = slug): Promise<number> {
    const payload = { slug, name: `The ${slug}`, upstream_url: `${upstream.origin}/${path}`, auth }
    const { statusCode } = await send({ method: 'POST', url: '/connectors/org', headers, payload })
    await newsHeard(database)
    return statusCode
  }

  async function under(at: Leak, work: () => Promise<unknown>, recover = async () => {}): Promise<void> {
    for (const as of sample(LEAKS)) {
      const before = upstream.leaked
      upstream.leak = { at, as }
      await work()
      t.ok(upstream.leaked > before, `${at}: ${as}`)
      upstream.leak = undefined
      // Long enough that the upstream and its authorization server are tried again.
      clock.advance(300_000)
      await recover()
      await newsHeard(database)
    }
  }

  /** Makes a rejected credential usable again. */
  async function recover(slug: string, auth: RemoteAuthRequest): Promise<void> {
    const { account } = (await services.remotes.find(orgId, slug)) ?? {}
    if (account?.status !== 'needs_reauth') return
    if (auth.mode === 'oauth') await authorize(slug)
    if (auth.mode === 'bearer') await services.remotes.setToken(orgId, slug, auth.token, 'operator')
    if (auth.mode === 'header') await services.remotes.setToken(orgId, slug, auth.value, 'operator')
    if (auth.mode === 'client_credentials')
      await services.remotes.setToken(orgId, slug, auth.client_secret ?? '', 'operator')
  }

  async function authorize(slug: string) {
    const begun = await services.remotes.beginAuthorization({ caller, slug, redirectUri: LOOPBACK_REDIRECT_URI })
    markers.add('state', begun.state)
    t.same(markers.foundIn(begun.authorizationUrl, /^state$/), [], 'the authorization URL contains no other secret')
    const query = new URLSearchParams({ state: begun.state, code: markers.text('code') })
    return attempt(services.remotes.finishAuthorization({ caller, callback: `${LOOPBACK_REDIRECT_URI}?${query}` }))
  }

  const refresh = (slug: string) => {
    clock.advance(30_001)
    return send({ method: 'POST', url: `/connectors/org/${slug}/refresh`, headers })
  }
  const rpc = async (method: string, params: object = {}) => {
    const payload = { jsonrpc: '2.0', id: 1, method, params }
    const accept = 'application/json, text/event-stream'
    return (await send({ method: 'POST', url: '/mcp', headers: { ...headers, accept }, payload })).body
  }

  const registerAndRemove = async (slug: string, auth: RemoteAuthRequest) => {
    await register(slug, auth)
    await send({ method: 'DELETE', url: `/connectors/org/${slug}`, headers })
  }
  await under('registration', () => register('refused', { mode: 'oauth' }, 'oauth-refused'))
  await under('handshake', () => registerAndRemove('begun', modes.bearer))
  for (const [slug, auth] of Object.entries(modes)) {
    t.equal(await register(slug, auth), 201, slug)
    await register(slug, auth)
    if (auth.mode === 'oauth') {
      await under('token', () => authorize(slug))
      t.ok(await authorize(slug), `${slug} is authorized`)
      await newsHeard(database)
    }
    const { body } = await send({ url: `/connectors/org/${slug}`, headers })
    t.match(body, `org__${slug}__works`)
    t.match(await rpc('tools/list'), `org__${slug}__works`)
    t.match(await rpc('resources/list'), `cgw+org://${slug}/test%3A%2F%2Fworks`)
    await rpc('resources/templates/list')
    t.match(await rpc('prompts/list'), `org__${slug}__works`)
    for (const tool of ['works', 'fails']) t.match(await call(admin, `org__${slug}__${tool}`, {}), 'redacted')
    const offered: [method: string, params: object][] = [
      ['resources/read', { uri: `cgw+org://${slug}/test%3A%2F%2Fworks` }],
      ['prompts/get', { name: `org__${slug}__works` }],
    ]
    for (const [method, params] of offered) t.match(await rpc(method, params), 'redacted')
    const again = () => recover(slug, auth)
    // One mode is enough, because each takes hours of the fixture's clock.
    if (auth.mode === 'bearer') {
      for (const [method, params] of offered) await under('offers', () => rpc(method, params), again)
      await under('offers', () => refresh(slug), again)
    }
    await under('tools', () => call(admin, `org__${slug}__works`, {}), again)
    await under('tools', () => refresh(slug), again)
    const renewed = () => {
      clock.advance(TOKEN_LIFE_S * 1_000)
      return call(admin, `org__${slug}__works`, {})
    }
    if (auth.mode === 'oauth' || auth.mode === 'client_credentials') await under('token', renewed, again)
    const refreshed = await refresh(slug)
    t.equal(refreshed.statusCode, 200, `${slug}: ${refreshed.body.slice(0, 300)}`)
    await newsHeard(database)
    for (const name of [`org__${slug}__works`, `org__${slug}__odd`, 'odd'])
      await call(admin, 'manage__explain_tool', { name })
  }
  await call(admin, 'manage__remote_list', {})
  for (const token of ['two\nlines', 'ü'])
    await register('bad', { mode: 'bearer', token: markers.text('bad token') + token })
  for (const [name, auth] of [
    ['token', { mode: 'bearer', token: markers.text('token in a tool’s arguments') }],
    ['client_secret', { mode: 'oauth', client_id: 'x', client_secret: markers.text('secret in a tool’s arguments') }],
  ] as const)
    t.match(
      await call(admin, 'manage__remote_add', { slug: 'told', name, upstream_url: upstream.origin, auth }),
      'isError',
    )
  await send({ url: '/connectors', headers })
  await attempt(runCommand(services, ['remote', 'list', '--org', orgId]))
}
