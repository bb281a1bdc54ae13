import t, { type Test } from 'tap'
import { newsHeard } from './fixtures/database.ts'
import { type RemoteMember, remoteJourney } from './fixtures/remote-journey.ts'
import { BEFORE, HARMLESS_CHANGES, HOSTILE_CHANGES } from './upstreams/hostile-changes.ts'
import { scriptedServer } from './upstreams/scripted-server.ts'

const MINUTE_MS = 60_000
const PERIOD_MS = 60 * MINUTE_MS

const { team, clock, services } = await remoteJourney(t)

/** An upstream with the tools of BEFORE until the test changes them. */
async function changingServer(t: Test) {
  const state = { tools: BEFORE, fails: false }
  const { url, methods } = await scriptedServer(t, 'modern', {
    'tools/list': ({ result, send }) =>
      state.fails ? send(500) : result({ resultType: 'complete', tools: state.tools, ttlMs: 0, cacheScope: 'private' }),
  })
  return { url, state, listed: () => methods().filter(method => method === 'tools/list').length }
}

/** Registers an upstream with a refresh mode. */
async function register({ http }: RemoteMember, slug: string, upstream_url: string, refresh: string, mode = 'none') {
  const request = { slug, name: `The ${slug}`, upstream_url, auth: { mode }, refresh }
  const { status, body } = await http('POST', '/connectors/org', request)
  if (status !== 201) throw new Error(`The registration got ${status}: ${JSON.stringify(body)}`)
}

/** Lets time pass, then runs the jobs that are due. */
async function pass(ms: number): Promise<void> {
  clock.advance(ms)
  await services.jobs.runDue()
  await newsHeard(services.database)
}

for (const mode of ['manual', 'harmless'])
  t.test(
    `none of ${Object.keys(HOSTILE_CHANGES).length} hostile changes is live without an admin (${mode})`,
    async t => {
      const { owner, member } = await team()
      const names = Object.keys(HOSTILE_CHANGES)
      const servers = await Promise.all(names.map(() => changingServer(t)))
      for (const [n, { url }] of servers.entries()) await register(owner, `s-${n}`, url, mode)
      await pass(PERIOD_MS)
      const before = await Promise.all(servers.map((_, n) => member.tools(`s-${n}`)))
      const listed = servers.map(server => server.listed())
      for (const [n, name] of names.entries()) Object.assign(servers[n]?.state ?? {}, { tools: HOSTILE_CHANGES[name] })
      await pass(PERIOD_MS)

      for (const [n, name] of names.entries()) {
        const slug = `s-${n}`
        t.same(await member.tools(slug), before[n], `${name}: not after the period`)
        const { pending } = (await owner.read(slug)).remote
        if (mode === 'manual') t.same([pending, servers[n]?.listed()], [undefined, listed[n]], `${name}: nobody looked`)
        else t.ok((pending as { risky_count: number }).risky_count > 0, `${name}: it waits for an admin`)
        t.notOk('pending' in (await member.read(slug)).remote, `${name}: members do not see it`)

        const { body } = await owner.refresh(slug)
        t.match(body, { applied: false }, `${name}: not by a refresh`)
        t.same(await member.tools(slug), before[n], `${name}: not after it`)
        const accept = { accept: body.full_schema_hash }
        t.match(await owner.http('POST', `/connectors/org/${slug}/refresh`, accept), { body: { applied: true } }, name)
        await newsHeard(services.database)
        t.notSame(await member.tools(slug), before[n], `${name}: an admin has accepted it`)
      }
    },
  )

t.test('a harmless change is live within the period in mode harmless, and by a refresh in mode manual', async t => {
  const { owner, member } = await team()
  const names = Object.keys(HARMLESS_CHANGES)
  for (const [n, name] of names.entries()) {
    const server = await changingServer(t)
    const [automatic, manual] = [`a-${n}`, `m-${n}`]
    await register(owner, automatic, server.url, 'harmless')
    await register(owner, manual, server.url, 'manual')
    await pass(PERIOD_MS)
    const before = { automatic: await member.tools(automatic), manual: await member.tools(manual) }
    server.state.tools = HARMLESS_CHANGES[name] ?? []
    await pass(PERIOD_MS)
    t.notSame(await member.tools(automatic), before.automatic, name)
    t.notOk((await owner.read(automatic)).remote.pending, name)
    t.same(await member.tools(manual), before.manual, `${name}: not in mode manual`)
    t.match(await owner.refresh(manual), { body: { applied: true } }, name)
    t.notSame(await member.tools(manual), before.manual, name)
  }
})

t.test('in mode assertion, the job refreshes as the admin who registered the server while they are one', async t => {
  const { owner, member: admin } = await team()
  const { orgId, userId } = admin.who
  const setRole = async (role: 'admin' | 'member') => {
    await services.members.setRole({ orgId, userId, role, by: 'operator' })
    await newsHeard(services.database)
  }
  await setRole('admin')
  const server = await changingServer(t)
  await register(admin, 'own', server.url, 'harmless', 'assertion')
  await pass(PERIOD_MS)
  const before = await owner.tools('own')
  server.state.tools = Object.values(HARMLESS_CHANGES)[0] ?? []
  await pass(PERIOD_MS)
  t.notSame(await owner.tools('own'), before)
  const asked = server.listed()
  await setRole('member')
  await pass(PERIOD_MS)
  t.equal(server.listed(), asked, 'nobody else is named to the server')
})

t.test('the job asks a server once per period, whatever it answers, and keeps what is live', async t => {
  const { owner, member } = await team()
  const server = await changingServer(t)
  await register(owner, 'wiki', server.url, 'harmless')
  await pass(PERIOD_MS)
  const before = await member.tools('wiki')
  const { remote } = await owner.read('wiki')
  const asked = server.listed()
  await pass(PERIOD_MS - 2 * MINUTE_MS)
  t.equal(server.listed(), asked, 'not earlier')
  await pass(2 * MINUTE_MS)
  t.equal(server.listed(), asked + 1)
  t.same((await owner.read('wiki')).remote, remote, 'unchanged tools keep their snapshot')

  server.state.fails = true
  await pass(PERIOD_MS)
  t.equal(server.listed(), asked + 2)
  t.same(await member.tools('wiki'), before)
  await pass(MINUTE_MS)
  t.equal(server.listed(), asked + 2, 'a failure waits for the next period')
  Object.assign(server.state, { fails: false, tools: BEFORE.slice(0, 1) })
  await pass(PERIOD_MS)
  t.equal((await member.tools('wiki')).length, 1)
})

t.test('changes that the server takes back no longer wait', async t => {
  const { owner } = await team()
  const server = await changingServer(t)
  await register(owner, 'wiki', server.url, 'harmless')
  server.state.tools = HOSTILE_CHANGES['a tool is renamed'] ?? []
  await pass(PERIOD_MS)
  const { pending } = (await owner.read('wiki')).remote as { pending?: { full_schema_hash: string } }
  t.ok(pending)
  server.state.tools = BEFORE
  await pass(PERIOD_MS)
  t.notOk((await owner.read('wiki')).remote.pending)
  const accept = { accept: pending?.full_schema_hash }
  t.match(await owner.http('POST', '/connectors/org/wiki/refresh', accept), { status: 409 })
})

t.test('a registration whose first snapshot failed gets it from the job', async t => {
  const { owner, member } = await team()
  const server = await changingServer(t)
  server.state.fails = true
  await register(owner, 'wiki', server.url, 'harmless')
  server.state.fails = false
  t.same(await member.tools('wiki'), [])
  await pass(PERIOD_MS)
  t.equal((await member.tools('wiki')).length, BEFORE.length)
})
