import t from 'tap'
import { forOrg } from '../lib/database/tenant.ts'
import { browserSignIn } from './fixtures/browser-sign-in.ts'
import { newsHeard } from './fixtures/database.ts'
import { type RemoteMember, remoteJourney } from './fixtures/remote-journey.ts'
import { identityTools } from './upstreams/identity-tools.ts'
import { legacyServer } from './upstreams/legacy-server.ts'
import { oauthUpstream } from './upstreams/oauth-upstream.ts'
import { type SpecimenOffers, specimenOffers } from './upstreams/specimen-resources-and-prompts.ts'

const journey = await remoteJourney(t)
const { team, services, clock } = journey

/** An upstream that accepts the keys of these people in a header, and tells who called. */
async function keyedUpstream(
  t: Parameters<typeof legacyServer>[0],
  header: string,
  keys: ReadonlyMap<string, string>,
  offers?: SpecimenOffers,
) {
  const nameOf = (value: string | null | undefined) => keys.get((value ?? '').replace('Bearer ', ''))
  return legacyServer(t, {
    ...(offers !== undefined && { offers }),
    tools: identityTools(headers => nameOf(headers[header])),
    guard: async ({ headers }) =>
      nameOf(headers.get(header)) === undefined ? new Response(null, { status: 401 }) : undefined,
  })
}

const key = () => crypto.randomUUID()
const who = async (member: RemoteMember, slug: string) => (await member.call(`org__${slug}__headers`)).structuredContent

async function connect(member: RemoteMember, slug: string, value: string) {
  const answer = await member.http('POST', `/connectors/org/${slug}/credential`, { key: value })
  await newsHeard(services.database)
  return answer
}

t.test('each member calls with their own key, in mode bearer and in mode header', async t => {
  for (const mode of ['bearer', 'header'] as const) {
    const { owner, member } = await team()
    const [ofOwner, ofMember] = [key(), key()]
    const keys = new Map([
      [ofOwner, 'the owner'],
      [ofMember, 'the member'],
    ])
    const { url } = await keyedUpstream(t, mode === 'bearer' ? 'authorization' : 'x-own-key', keys)
    const secret = mode === 'bearer' ? { mode, token: ofOwner } : { mode, name: 'X-Own-Key', value: ofOwner }
    const registered = await owner.register('own', url, { ...secret, per: 'member' })
    t.match(registered, {
      status: 'connected',
      accounts: [],
      remote: { auth_mode: mode, credential: { per: 'member', connected: true } },
    })

    t.match(await connect(member, 'own', ofMember), {
      status: 200,
      body: { status: 'connected', remote: { credential: { per: 'member', connected: true } } },
    })
    t.match(await who(owner, 'own'), { name: 'the owner' })
    t.match(await who(member, 'own'), { name: 'the member' })
    t.same(await member.tools('own'), await owner.tools('own'), 'both see the same tools')
    t.match(await member.call('manage__explain_tool', { name: 'org__own__headers' }), {
      structuredContent: { callable: true, explanation: /uses your own credential there/ },
    })
  }
})

t.test('a member without a credential sees no tool of the server; the next step says where to connect', async t => {
  const { owner, member } = await team()
  const ofOwner = key()
  const { url } = await keyedUpstream(t, 'authorization', new Map([[ofOwner, 'the owner']]))
  await owner.register('own', url, { mode: 'bearer', token: ofOwner, per: 'member' })

  t.same(await member.tools('own'), [])
  t.match(await member.call('org__own__headers'), {
    isError: true,
    content: [{ text: 'Tool org__own__headers not found' }],
  })
  const hint = new RegExp(`remote connect own --org ${owner.who.orgId} --user ${member.who.userId} --token -$`)
  t.match(await member.call('manage__explain_tool', { name: 'org__own__headers' }), {
    structuredContent: { callable: false, reason: 'authorization_pending', explanation: hint },
  })
  t.match(await member.read('own'), {
    status: 'disconnected',
    accounts: [],
    remote: { credential: { per: 'member', connected: false }, next_step: hint },
  })
  t.equal((await owner.read('own')).status, 'connected', 'the status is that of the caller')
  const { connectors } = (await member.call('manage__remote_list')).structuredContent as { connectors: unknown[] }
  t.match(connectors, [{ status: 'disconnected', next_step: hint }])
  const { body } = await member.http('GET', '/connectors')
  t.match((body as { connectors: unknown[] }).connectors.at(-1), {
    id: 'own',
    remote: { credential: { connected: false } },
  })
})

t.test('a key that the server rejects is not stored, and replaces no key that works', async t => {
  const { owner, member } = await team()
  const [ofOwner, ofMember] = [key(), key()]
  const keys = new Map([
    [ofOwner, 'the owner'],
    [ofMember, 'the member'],
  ])
  const { url } = await keyedUpstream(t, 'authorization', keys)
  await owner.register('own', url, { mode: 'bearer', token: ofOwner, per: 'member' })
  t.match(await connect(member, 'own', key()), { status: 400, body: { error: 'invalid_request' } })
  t.same(await member.tools('own'), [])
  await connect(member, 'own', ofMember)
  t.match(await connect(member, 'own', key()), { status: 400 })
  t.match(await who(member, 'own'), { name: 'the member' })
})

t.test(
  'a key that the server cannot be asked about is stored, and the answer says that it was not checked',
  async t => {
    const { owner, member } = await team()
    const [ofOwner, ofMember] = [key(), key()]
    const keys = new Map<string, string>([
      [ofOwner, 'the owner'],
      [ofMember, 'the member'],
    ])
    let isDown = false
    const { url } = await legacyServer(t, {
      tools: identityTools(({ authorization = '' }) => keys.get(authorization.replace('Bearer ', ''))),
      guard: async () => (isDown ? new Response(null, { status: 503 }) : undefined),
    })
    await owner.register('own', url, { mode: 'bearer', token: ofOwner, per: 'member' })
    isDown = true
    t.match(await connect(member, 'own', ofMember), { status: 200, body: { unchecked: /HTTP 503/ } })
    isDown = false
    t.match(await who(member, 'own'), { name: 'the member' })
    t.notOk('unchecked' in (await connect(member, 'own', ofMember)).body, 'the server was asked')
  },
)

t.test('a member’s rejected key needs a new one from them, and nobody else notices', async t => {
  const { owner, member } = await team()
  const [ofOwner, ofMember] = [key(), key()]
  const keys = new Map([
    [ofOwner, 'the owner'],
    [ofMember, 'the member'],
  ])
  const { url } = await keyedUpstream(t, 'authorization', keys)
  await owner.register('own', url, { mode: 'bearer', token: ofOwner, per: 'member' })
  await connect(member, 'own', ofMember)
  keys.delete(ofMember)
  const refused = JSON.stringify(await member.call('org__own__headers'))
  t.match(refused, 'needs_reauth')
  t.match(refused, `remote connect own --org ${owner.who.orgId} --user ${member.who.userId} --token -`)
  await newsHeard(services.database)
  t.equal((await member.read('own')).status, 'needs_reauth')
  t.ok((await member.tools('own')).length > 0, 'the tools stay listed')
  t.equal((await owner.read('own')).status, 'connected')
  t.match(await who(owner, 'own'), { name: 'the owner' })

  const next = key()
  keys.set(next, 'the member again')
  await connect(member, 'own', next)
  t.match(await who(member, 'own'), { name: 'the member again' })
})

t.test('an agent calls with its owner’s credential, and can neither give nor remove one', async t => {
  const { owner, member } = await team()
  const [ofOwner, ofMember] = [key(), key()]
  const keys = new Map([
    [ofOwner, 'the owner'],
    [ofMember, 'the member'],
  ])
  const { url } = await keyedUpstream(t, 'authorization', keys)
  await owner.register('own', url, { mode: 'bearer', token: ofOwner, per: 'member' })
  const agent = await member.who.agent()
  const { key: agentKey } = await member.who.key({ agentId: agent.id })
  const headers = { 'x-api-key': agentKey, accept: 'application/json, text/event-stream' }
  const rpc = async () => {
    const payload = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'org__own__headers', arguments: {} },
    }
    return (await journey.app.inject({ method: 'POST', url: '/mcp', headers, payload })).json().result
  }
  t.match(await rpc(), { isError: true, content: [{ text: 'Tool org__own__headers not found' }] })
  await connect(member, 'own', ofMember)
  t.match(await rpc(), { structuredContent: { name: 'the member' } })

  for (const method of ['POST', 'DELETE'] as const) {
    const payload = method === 'POST' ? { payload: { key: ofOwner } } : {}
    const answer = await journey.app.inject({ method, url: '/connectors/org/own/credential', headers, ...payload })
    t.match([answer.statusCode, answer.json().error], [403, 'not_account_owner'], method)
  }
  const { key: ofAdmin } = await owner.who.key({ agentId: (await owner.who.agent()).id })
  const change = (payload: object) =>
    journey.app.inject({
      method: 'PATCH',
      url: '/connectors/org/own',
      headers: { ...headers, 'x-api-key': ofAdmin },
      payload,
    })
  const auth = { mode: 'bearer', token: ofOwner, per: 'member' }
  const changed = await change({ auth })
  t.match([changed.statusCode, changed.json().error], [403, 'not_account_owner'], 'also the agent of an admin')
  t.equal((await change({ name: 'Mine' })).statusCode, 200)
  t.match(await rpc(), { structuredContent: { name: 'the member' } })
})

t.test('a member removes only their own credential, and leaving the organization removes it too', async t => {
  const { owner, member } = await team()
  const [ofOwner, ofMember] = [key(), key()]
  const keys = new Map([
    [ofOwner, 'the owner'],
    [ofMember, 'the member'],
  ])
  const { url } = await keyedUpstream(t, 'authorization', keys)
  await owner.register('own', url, { mode: 'bearer', token: ofOwner, per: 'member' })
  await connect(member, 'own', ofMember)
  for (const attempt of ['with a credential', 'without one']) {
    t.equal((await member.http('DELETE', '/connectors/org/own/credential')).status, 204, attempt)
    await newsHeard(services.database)
    t.same(await member.tools('own'), [], attempt)
  }
  t.match(await who(owner, 'own'), { name: 'the owner' })

  await connect(member, 'own', ofMember)
  const { orgId, userId } = member.who
  await services.members.remove({ orgId, userId, by: 'operator' })
  const org = forOrg(services.database.db, orgId)
  const [account, ...others] = await org.selectFrom('accounts').select(['id', 'user_id']).execute()
  t.match([account, others], [{ user_id: owner.who.userId }, []])
  const credentials = await org.selectFrom('account_credentials').select('account_id').execute()
  t.same(credentials, [{ account_id: account?.id }])
})

t.test('an argument named account belongs to the upstream’s tool', async t => {
  const { owner } = await team()
  const ofOwner = key()
  const { url } = await keyedUpstream(t, 'authorization', new Map([[ofOwner, 'the owner']]))
  await owner.register('own', url, { mode: 'bearer', token: ofOwner, per: 'member' })
  t.match(await owner.call('org__own__echo', { account: 'somebody' }), { structuredContent: { account: 'somebody' } })
})

t.test(
  'the organization’s credential is changed by admins only, and a credential of unknown servers is not found',
  async t => {
    const { owner, member } = await team()
    const [first, second] = [key(), key()]
    const keys = new Map([
      [first, 'the first'],
      [second, 'the second'],
    ])
    const { url } = await keyedUpstream(t, 'authorization', keys)
    t.match(await owner.register('shared', url, { mode: 'bearer', token: first }), {
      remote: { credential: { per: 'organization', connected: true } },
    })
    t.match(await connect(member, 'shared', second), { status: 403, body: { error: 'admin_required' } })
    t.match(await who(member, 'shared'), { name: 'the first' })
    t.match(await connect(owner, 'shared', second), { status: 200 })
    t.match(await who(member, 'shared'), { name: 'the second' })
    t.match(await member.http('DELETE', '/connectors/org/shared/credential'), {
      status: 400,
      body: { error: 'invalid_request' },
    })
    t.match(await connect(member, 'nothing', first), { status: 404 })
    t.match(await member.http('DELETE', '/connectors/org/nothing/credential'), { status: 404 })
  },
)

t.test('members sign in for themselves, and each token is refreshed for its member', async t => {
  const { owner, member } = await team()
  const upstream = await oauthUpstream(t, { tools: identityTools() })
  t.match(await owner.register('own', upstream.url, { mode: 'oauth', per: 'member' }), {
    status: 'disconnected',
    remote: { credential: { per: 'member', connected: false }, next_step: / --user usr_\w+$/ },
  })
  await owner.authorize('own', 'ada')
  t.match(await owner.read('own'), { status: 'connected', remote: { credential: { connected: true } } })
  t.match(await member.read('own'), { status: 'disconnected', remote: { credential: { connected: false } } })
  t.same(await member.tools('own'), [])

  const redirect_uri = 'http://127.0.0.1:8976/callback'
  const path = '/connectors/org/own/credential/authorization'
  t.match(await member.http('POST', path, { redirect_uri: 'https://evil.test/callback' }), { status: 400 })
  const begun = await member.http('POST', path, { redirect_uri })
  t.match(begun, { status: 200, body: { authorization_url: String, state: String } })
  const { search } = await browserSignIn(new URL(begun.body.authorization_url as string), 'bob')
  t.match(await owner.http('POST', '/connectors/org/callback', { search }), {
    status: 422,
    body: { error: 'connect_failed' },
  })
  t.match(await member.http('POST', '/connectors/org/callback', { search }), {
    status: 200,
    body: { status: 'connected', remote: { credential: { connected: true } } },
  })
  await newsHeard(services.database)

  const asThemselves = async (when: string) => {
    t.match(await who(owner, 'own'), { name: 'ada' }, when)
    t.match(await who(member, 'own'), { name: 'bob' }, when)
  }
  await asThemselves('at first')
  const before = new Set(upstream.state.tokens)
  clock.advance(3_600_000)
  await asThemselves('after both tokens expired')
  t.equal(new Set(upstream.state.tokens).difference(before).size, 2, 'each got a new token')

  const { orgId, userId } = owner.who
  t.match(await member.http('POST', '/connectors/org/own/refresh'), { status: 403 })
  t.match(await owner.refresh('own'), { status: 200 })
  t.match(await owner.http('DELETE', '/connectors/org/own/credential'), { status: 204 })
  await newsHeard(services.database)
  t.match(await owner.refresh('own'), {
    status: 422,
    body: { message: new RegExp(`remote connect own --org ${orgId} --user ${userId}`) },
  })
  t.match(await who(member, 'own'), { name: 'bob' }, 'the snapshot stays, and the member’s credential too')
})

t.test('a member who disconnects or leaves has their grant revoked at the server, and only theirs', async t => {
  const { owner, member } = await team()
  const { member: stranger } = await team()
  const upstream = await oauthUpstream(t, { tools: identityTools() })
  await owner.register('own', upstream.url, { mode: 'oauth', per: 'member' })
  await owner.authorize('own', 'ada')
  await member.authorize('own', 'bob')
  const revocations = () => upstream.authorization.asked.filter(path => path === '/token/revocation').length

  await member.http('DELETE', '/connectors/org/own/credential')
  await services.jobs.runDue()
  t.equal(revocations(), 1)
  await member.authorize('own', 'bob')
  await services.members.remove({ orgId: member.who.orgId, userId: member.who.userId, by: 'operator' })
  await services.jobs.runDue()
  t.equal(revocations(), 2)
  t.match(await stranger.http('DELETE', '/connectors/org/own/credential'), { status: 404 }, 'of another organization')

  clock.advance(3_600_000)
  t.match(await who(owner, 'own'), { name: 'ada' }, 'the token of the other is still refreshed')
  t.match(await owner.http('DELETE', '/connectors/org/own'), { status: 204 })
  await services.jobs.runDue()
  t.equal(revocations(), 3, 'the removal of the registration revokes it')
})

t.test('fixed headers travel beside each credential, are redacted from answers and shown to nobody', async t => {
  const { owner, member } = await team()
  const [ofOwner, ofMember, fixed] = [key(), key(), key()]
  const keys = new Map([
    [ofOwner, 'the owner'],
    [ofMember, 'the member'],
  ])
  const offers = specimenOffers()
  const dump = Buffer.from(`host: own.test\r\nx-gate: ${fixed}\r\naccept: */*`).toString('base64')
  offers.read = uri => ({ contents: [{ uri, blob: dump }] })
  const { url, requests } = await keyedUpstream(t, 'authorization', keys, offers)
  const headers = [
    { name: 'X-Tenant', value: ' acme ' },
    { name: 'x-gate', value: fixed },
  ]
  const registered = await owner.register('own', url, { mode: 'bearer', token: ofOwner, per: 'member', headers })
  t.match(registered, { status: 'connected', remote: { header_names: ['x-tenant', 'x-gate'] } })
  t.notMatch(JSON.stringify(registered), fixed)
  await connect(member, 'own', ofMember)
  requests.length = 0
  t.match(await who(member, 'own'), { name: 'the member' })
  const sent = requests.map(({ headers }) => new Headers(headers as Record<string, string>))
  t.ok(sent.length > 0)
  for (const each of sent) t.same([each.get('x-tenant'), each.get('x-gate')], ['acme', fixed])
  const echoed = await owner.call('org__own__echo', { a: `x${fixed}x`, b: 'acme' })
  t.same(echoed.structuredContent, { a: 'x[redacted]x', b: 'acme' }, 'a short value is not redacted')
  const uri = 'cgw+org://own/test%3A%2F%2Fstatic-binary'
  const { contents } = await member.rpc('resources/read', { uri })
  t.match(JSON.stringify(contents), '[redacted]')
  t.notMatch(JSON.stringify(contents), dump.slice(40, -32), 'nor in Base64')
  const stored = await forOrg(services.database.db, owner.who.orgId)
    .selectFrom('remote_connectors')
    .selectAll()
    .execute()
  t.notMatch(JSON.stringify(stored), fixed)
  t.match(await who(owner, 'own'), { name: 'the owner' })

  const refused: [name: string, value: string][] = [
    ['authorization', 'Bearer other'],
    ['host', 'other.test'],
    ['mcp-session-id', 'x'],
    ['x-tenant', 'two\nlines'],
  ]
  for (const [name, value] of refused) {
    const auth = { mode: 'bearer', token: ofOwner, headers: [{ name, value }] }
    const request = { slug: 'other', name: 'Other', upstream_url: url, auth }
    t.match(
      await owner.http('POST', '/connectors/org', request),
      { status: 400, body: { error: 'invalid_request' } },
      name,
    )
  }
  const twice = { mode: 'bearer', token: ofOwner, headers: [...headers, { name: 'X-TENANT', value: 'x' }] }
  const request = { slug: 'other', name: 'Other', upstream_url: url, auth: twice }
  t.match(await owner.http('POST', '/connectors/org', request), { status: 400 })
})
