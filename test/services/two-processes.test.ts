import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openDatabase } from '../../lib/database/open-database.ts'
import { type BuildOptions, type Built, build } from '../fixtures/build.ts'
import { newsHeard, silent, testDatabaseUrl, testPostgres } from '../fixtures/database.ts'
import { directory } from '../fixtures/directory.ts'
import { waitedMs } from '../fixtures/elapsed.ts'
import { faultProxy } from '../fixtures/fault-proxy.ts'
import { callerOfApp, rotor, signedIn, verifyJwt } from '../fixtures/journey-fixture.ts'
import { testSettings } from '../fixtures/settings.ts'
import { tokenServer } from '../fixtures/token-server.ts'
import { upstreamWith } from '../tenancy/remotes.ts'

const EVENT_MS = 1_000
const RECHECK_MS = 10_000
const SURFACE_MS = 5_000

const withoutServer =
  testDatabaseUrl === undefined ? 'TEST_DATABASE_URL is not set: the embedded database is for one process' : false

/** Two processes on one database. What the second hears of changes comes through a proxy. */
async function two(t: Test, { settings, ...options }: BuildOptions = {}) {
  const url = await testPostgres(t, testDatabaseUrl ?? '')
  const events = await faultProxy(t, url)
  const { peppers, vaultKeys } = testSettings()
  const process = async (directUrl: string) =>
    build(t, {
      ...options,
      settings: { peppers, vaultKeys, ...settings },
      database: await openDatabase({ postgres: { url, directUrl, maxConnections: 3 }, dataDir: '', log: silent }),
      verifyJwt,
    })
  const [first, second] = [await process(url), await process(events.url)]
  return { first, second, events }
}

/** What the gateway says to a caller: `done`, or the code of its refusal. */
async function ask({ app }: Built, headers: Record<string, string>): Promise<string> {
  const answer = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory__list_memories","arguments":{}}}',
  })
  const { error, result } = answer.json()
  if (error !== undefined) return error.code
  return result.isError === true ? JSON.parse(result.content[0].text).error.code : 'done'
}

/** Whether the second process comes to see a change in time. */
async function seen(t: Test, what: string, is: () => Promise<boolean>): Promise<void> {
  const ms = await waitedMs(async () => {
    while (!(await is())) await delay(1)
  })
  t.ok(ms < EVENT_MS, `${what}: ${ms.toFixed(1)} ms`)
}

/** A caller of each kind, how the first process removes their access, and the error that they get afterwards. */
async function callers({ services }: Built, other: Built) {
  const heard = new Set<string | null>()
  other.services.database.events.on('api_key', ({ id }) => heard.add(id))
  const org = await directory(services).org()
  await org.member('owner')
  const holder = await org.member()
  const [key, rotated] = [await holder.key(), await holder.key()]
  const agent = await holder.agent()
  const agentKey = await holder.key({ agentId: agent.id })
  const [leaver, guest] = [await org.member(), await org.member()]
  const leaverKey = await leaver.key()
  // What is made is an event too, and events empty caches: the last of them has to be heard.
  while (!heard.has(leaverKey.id)) await delay(5)
  const { keys, agents, members } = services
  const remove = ({ userId }: { userId: string }) => members.remove({ orgId: org.id, userId, by: 'operator' })
  return [
    {
      name: 'a revoked key',
      headers: { 'x-api-key': key.key },
      putOut: () => keys.revoke(key.id, { by: 'operator' }),
      refusal: 'invalid_api_key',
    },
    {
      name: 'a secret that was replaced without an overlap',
      headers: { 'x-api-key': rotated.key },
      putOut: () => keys.rotate(rotated.id, { overlapSeconds: 0, by: 'operator' }),
      refusal: 'invalid_api_key',
    },
    {
      name: 'a suspended agent',
      headers: { 'x-api-key': agentKey.key },
      putOut: () => agents.setStatus(agent.id, 'suspended', { by: 'operator' }),
      refusal: 'agent_suspended',
    },
    {
      name: 'the key of a removed member',
      headers: { 'x-api-key': leaverKey.key },
      putOut: () => remove(leaver),
      refusal: 'invalid_api_key',
    },
    {
      name: 'the session of a removed member',
      headers: { authorization: `Bearer e30.${guest.userId}.x` },
      putOut: () => remove(guest),
      refusal: 'no_active_org',
    },
  ]
}

t.test(
  'a member who is removed through one process is rejected by the other within 1 s',
  { skip: withoutServer },
  async t => {
    const { first, second } = await two(t)
    for (const { name, headers, putOut, refusal } of await callers(first, second)) {
      t.equal(await ask(second, headers), 'done', name)
      await putOut()
      let answer = ''
      await seen(t, name, async () => {
        answer = await ask(second, headers)
        return answer !== 'done'
      })
      t.equal(answer, refusal, name)
    }
  },
)

t.test('if the event is lost, the member is rejected after 10 s', { skip: withoutServer }, async t => {
  const { first, second, events } = await two(t)
  const all = await callers(first, second)
  for (const { name, headers } of all) t.equal(await ask(second, headers), 'done', name)
  events.blackhole()
  for (const { putOut } of all) await putOut()
  for (const { name, headers, refusal } of all) {
    t.equal(await ask(first, headers), refusal, `${name}, by the process it went through`)
    t.equal(await ask(second, headers), 'done', `${name}: the other has not heard`)
  }
  second.clock.advance(RECHECK_MS)
  for (const { name, headers, refusal } of all) t.equal(await ask(second, headers), refusal, name)
})

/** Two processes with a provider that rotates its tokens, and a member who is known to both. */
async function twoWithAccounts(t: Test) {
  const server = await tokenServer(t)
  const oauthClients = new Map([['rotor', { id: 'app.1', secret: `s_${crypto.randomUUID()}` }]])
  const { first, second, events } = await two(t, { connectors: [rotor(server)], settings: { oauthClients } })
  const [ada] = await directory(first.services).members('owner')
  const { caller } = ada
  const here = callerOfApp(first, signedIn(ada))
  const there = callerOfApp(second, signedIn(ada))
  const connect = (alias: string) =>
    first.services.connecting.add({
      caller,
      connector: 'rotor',
      scope: 'private',
      alias,
      credential: { kind: 'oauth2', ...server.grant(), expiresInSeconds: 3_600 },
      identity: alias,
      probe: false,
    })
  const aliasesThere = async () => (await there.tools('rotor')).get('rotor__look') ?? []
  return { first, second, events, server, ada, here, there, connect, aliasesThere }
}

t.test('a change of an account in one process applies in the other within 1 s', { skip: withoutServer }, async t => {
  const { first, ada, here, there, server, connect, aliasesThere } = await twoWithAccounts(t)
  t.same([await aliasesThere(), (await there.entry('rotor'))?.status], [[], 'disconnected'])
  const { id } = await connect('work')
  t.match(await here.entry('rotor'), { accounts: [{ id }] }, 'at once where it was connected')
  await seen(t, 'connected', async () => (await aliasesThere()).includes('work'))
  t.match(await there.entry('rotor'), { status: 'connected', accounts: [{ id, alias: 'work' }] })
  t.match(await there.call('rotor__look'), { outcome: 'ok', account: { id } })

  await first.services.accounts.update(ada.caller, id, { alias: 'home' })
  await seen(t, 'renamed', async () => (await aliasesThere()).includes('home'))
  t.match(await there.call('rotor__look', { account: 'home' }), { outcome: 'ok' })

  server.endGrants()
  t.match(await here.call('rotor__look'), { outcome: 'needs_reauth' })
  await seen(t, 'refused', async () => (await there.entry('rotor'))?.status === 'needs_reauth')
  const { asked } = server
  t.match(await there.call('rotor__look'), { outcome: 'needs_reauth' })
  t.equal(server.asked, asked)

  t.match(await here.remove(`/connectors/rotor/accounts/${id}`), { status: 204 })
  await seen(t, 'removed', async () => (await aliasesThere()).length === 0)
  t.match(await there.entry('rotor'), { status: 'disconnected', accounts: [] })
})

t.test('sharing in one process reaches other members in the other within 1 s', { skip: withoutServer }, async t => {
  const { first, second, ada, here, connect } = await twoWithAccounts(t)
  const { id: userId } = await first.services.organizations.createUser({
    orgId: ada.orgId,
    email: 'bob@example.test',
    role: 'member',
    by: 'operator',
  })
  const bob = callerOfApp(second, signedIn({ ...ada, userId }))
  const aliases = async () => (await bob.tools('rotor')).get('rotor__look') ?? []
  t.same(await aliases(), [])
  const { id } = await connect('work')
  t.match(await here.call('manage__accounts_share', { alias: 'work', scope: 'shared' }), { data: { scope: 'shared' } })
  await seen(t, 'shared', async () => (await aliases()).includes('work'))
  t.match(await bob.call('rotor__look'), { outcome: 'ok', account: { id } })
  t.match(await here.call('manage__accounts_share', { alias: 'work', scope: 'private' }), {
    data: { scope: 'private' },
  })
  await seen(t, 'private again', async () => (await aliases()).length === 0)
  t.match(await bob.call('rotor__look'), { outcome: 'error', text: /not found/ })
})

t.test('if the event is lost, connected and removed accounts apply after 5 s', { skip: withoutServer }, async t => {
  const { second, events, here, there, connect, aliasesThere } = await twoWithAccounts(t)
  const { id } = await connect('work')
  await seen(t, 'connected', async () => (await aliasesThere()).includes('work'))
  t.match(await there.call('rotor__look'), { outcome: 'ok' }, 'it holds the credential')
  events.blackhole()
  await connect('home')
  t.same(await aliasesThere(), ['work'])
  second.clock.advance(SURFACE_MS)
  t.same([...(await aliasesThere())].sort(), ['home', 'work'])

  t.match(await here.remove(`/connectors/rotor/accounts/${id}`), { status: 204 })
  second.clock.advance(SURFACE_MS)
  t.match(await there.call('rotor__look', { account: 'work' }), {
    outcome: 'error',
    text: /must be "home"; got "work"/,
  })
  t.same(await aliasesThere(), ['home'])
})

t.test('fifty calls on an expired account of two processes are one refresh', { skip: withoutServer }, async t => {
  const { first, second, server, here, there, connect, aliasesThere } = await twoWithAccounts(t)
  await connect('work')
  await seen(t, 'connected', async () => (await aliasesThere()).includes('work'))
  for (const round of [1, 2]) {
    first.clock.advance(3_600_000)
    second.clock.advance(3_600_000)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? here : there).call('rotor__look')),
    )
    t.same([...new Set(answers.map(({ outcome, text }) => (outcome === 'ok' ? outcome : text)))], ['ok'])
    t.same([server.refreshed, server.reused], [round, 0])
  }
})

t.test(
  'a token that one process renews is used by the other, even if the event is lost',
  { skip: withoutServer },
  async t => {
    const { events, server, here, there, connect, aliasesThere } = await twoWithAccounts(t)
    await connect('work')
    await seen(t, 'connected', async () => (await aliasesThere()).includes('work'))
    t.match(await there.call('rotor__look'), { outcome: 'ok' }, 'it has the token of now')
    events.blackhole()
    server.endAccess()
    t.match(await here.call('rotor__look'), { outcome: 'ok' })
    t.match(await there.call('rotor__look'), { outcome: 'ok' })
    t.same([server.refreshed, server.reused], [1, 0])
  },
)

t.test(
  'a change of a registered remote server in one process applies in the other within 1 s',
  { skip: withoutServer },
  async t => {
    const { first, second, events } = await two(t)
    const [ada] = await directory(first.services).members('owner')
    const { caller, orgId } = ada
    const { remotes } = first.services
    const there = callerOfApp(second, signedIn(ada))
    const registered = () =>
      remotes.register(caller, { slug: 'wiki', name: 'The wiki', upstream_url: url, auth: { mode: 'none' } }, '')
    const url = await upstreamWith(t, [{ name: 'look', inputSchema: { type: 'object', properties: {} } }])
    const tools = async () => [...(await there.tools('org')).keys()]
    t.same([await tools(), await there.entry('wiki')], [[], undefined])
    await registered()
    await seen(t, 'registered', async () => (await tools()).includes('org__wiki__look'))
    t.match(await there.entry('wiki'), { status: 'connected', remote: { tool_count: 1 } })
    await remotes.setHidden(orgId, 'wiki', true, 'operator')
    await seen(t, 'hidden', async () => (await tools()).length === 0)
    await remotes.remove(caller, 'wiki')
    await seen(t, 'removed', async () => (await there.entry('wiki')) === undefined)

    await newsHeard(second.services.database)
    t.same(await tools(), [])
    events.blackhole()
    await registered()
    t.same(await tools(), [])
    second.clock.advance(SURFACE_MS)
    t.same(await tools(), ['org__wiki__look'], 'when the event is lost, after 5 s')
    const codes = await Promise.all(
      [first, second].map(({ services }) =>
        services.remotes.refresh(caller, 'wiki').then(
          () => 'done',
          error => error.code,
        ),
      ),
    )
    t.same(codes.sort(), ['cooldown', 'done'], 'two processes refresh it once')
  },
)
