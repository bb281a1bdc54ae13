import { Readable } from 'node:stream'
import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js'
import t, { type Test } from 'tap'
import { slugOf } from '../schemas/remotes/names.ts'
import { askedBy } from './fixtures/fixture.ts'
import { request } from './fixtures/mcp-fixture.ts'
import { answerTo, difference } from './tenancy/answers.ts'
import { createMatrix } from './tenancy/matrix.ts'
import { mcpMethods, type Operation, placeRoutes, placeTools, remoteCall, remoteOffers } from './tenancy/operations.ts'
import { register, toolOf, unregister } from './tenancy/remotes.ts'
import { slotsIn } from './tenancy/variants.ts'
import { type Credential, clientOf, kindOf, type Member, makeWorld, markerOf, type World } from './tenancy/world.ts'

// It tries all with all, which takes longer than tap's 30 s.
t.setTimeout(900_000)

/** Returns every tool that the list of any credential contains. */
async function listedTools({ credentials, send, services }: World) {
  const { tools } = await services.surfaces.of(askedBy(null))
  const listed = []
  for (const { headers, member, kind } of credentials) {
    const answer = await send({
      method: 'POST',
      url: '/mcp',
      headers: { accept: 'application/json, text/event-stream', ...headers },
      payload: request('tools/list'),
    })
    // The tool names of registered upstreams are identifiers themselves.
    for (const entry of ListToolsResultSchema.parse(JSON.parse(answer.body).result).tools)
      if (slugOf(entry.name) === undefined)
        listed.push({ entry, gate: tools.get(entry.name)?.gate, listedTo: `${member.name}’s ${kind}` })
  }
  return listed
}

/** Checks that there are no problems. Shows only the first ten, because a leak may repeat everywhere. */
function noProblems(t: Test, problems: readonly string[], guarantee: string) {
  t.same(problems.slice(0, 10), [], guarantee)
}

// On the embedded database, each operation meets a sample of the objects and credentials (sample.ts). On PostgreSQL, all.
t.test('an object of another tenant answers exactly like an unknown one', async t => {
  const world = await makeWorld(t)
  const matrix = createMatrix(world)
  const routes = placeRoutes(world.routes)
  const tools = placeTools(await listedTools(world))
  const complaints = [...routes.complaints, ...tools.complaints]
  noProblems(t, complaints, 'every route, tool and parameter is placed')
  if (complaints.length > 0) return // the matrix cannot call what has no placement
  const called = [...tools.operations, ...remoteOffers(), remoteCall()]
  const operations = [...mcpMethods(), ...routes.operations, ...called]
  const reads = operations.filter(({ reads }) => reads)
  const writes = operations.filter(({ reads }) => !reads)

  await t.test('lists, searches and messages show nothing of another tenant', async t => {
    for (const read of reads) noProblems(t, await matrix.sweep(read), read.name)
    for (const [{ member, kind }, seen] of matrix.seen) {
      const mate = world.members.find(one => one !== member && one.orgId === member.orgId)!
      const texts = [
        markerOf(member, 'mem', 'private'),
        markerOf(member, 'mem', 'shared'),
        markerOf(mate, 'mem', 'shared'),
        markerOf(member, 'shelf account', 'private'),
        markerOf(mate, 'ledger account', 'shared'),
        markerOf(mate, 'slug', 'registration'),
        markerOf(mate, 'remote tool', 'registration'),
      ]
      t.same(
        texts.filter(text => !seen.has(text)),
        [],
        `${member.name}’s ${kind} sees their own objects and the shared ones`,
      )
    }
  })

  for (const operation of operations)
    await t.test(operation.name, async t => {
      noProblems(
        t,
        await matrix.probe(operation),
        'objects of others answer like unknown ones, and the caller’s own do not',
      )
      noProblems(
        t,
        await matrix.refuse(operation),
        'without a valid credential, existing objects answer like unknown ones',
      )
      noProblems(t, await matrix.replay(operation), 'only its owner gets a stored result')
    })

  await t.test('writes reveal nothing of another tenant', async t => {
    for (const write of writes) noProblems(t, await matrix.sweep(write), write.name)
  })

  await t.test('a user of two organizations sees nothing of one in the other', async t => {
    noProblems(
      t,
      await probeTwoOrganizations(world, called),
      'objects in the other organization answer like unknown ones',
    )
  })

  await t.test('public routes and unknown paths answer all callers alike', async t => {
    const paths = ['/mcp//', '/nothing', ...world.specimens.flatMap(({ id }) => [`/${id}`, `/nothing/${id}`])]
    const unknown = paths.flatMap(url => (['GET', 'POST', 'DELETE'] as const).map(method => ({ method, url })))
    noProblems(t, await matrix.same(unknown, 404), 'an unknown path answers the same with and without a credential')
    const requestsOf = (wanted: boolean) =>
      world.routes
        .filter(({ authenticated }) => authenticated === wanted)
        .flatMap(({ methods, url }) => methods.map(method => ({ method: method as 'GET', url })))
    // GET /mcp has two routes: callers with a credential reach the authenticated one.
    const closed = requestsOf(true).map(({ method, url }) => `${method} ${url}`)
    const open = requestsOf(false).filter(({ method, url }) => !closed.includes(`${method} ${url}`))
    noProblems(t, await matrix.same(open), 'a public route answers the same with and without a credential')
  })

  await t.test('the same slug in two organizations reaches each organization’s own server', async t => {
    const [a1, , b1] = world.members as [Member, Member, Member]
    const textOf = ({ orgId }: Member) => `registered by ${orgId}`
    for (const owner of [a1, b1]) await register(world, owner, textOf(owner), { slug: 'common', speaks: true })
    const mentions = async (credential: Credential, removed?: Member) => {
      const there = removed?.orgId !== credential.member.orgId
      const asks = [
        [remoteCall(), { name: toolOf('common') }],
        ...['tools/list', 'GET /connectors', 'GET /connectors/org/:slug', 'manage__remote_list'].map(name => [
          operations.find(operation => operation.name === name)!,
          name.endsWith(':slug') ? { params: { slug: 'common' } } : {},
        ]),
      ] as [Operation, object][]
      for (const [operation, args] of asks.filter(([operation]) => operation.opens(credential))) {
        const { body } = await answerTo(world.send, operation.request(args, credential))
        const mentioned = [a1, b1].filter(owner => body.includes(textOf(owner)))
        const own = there ? [credential.member.orgId] : []
        const who = `${operation.name} by ${credential.member.name}’s ${credential.kind}`
        t.same(
          mentioned.map(({ orgId }) => orgId),
          own,
          who,
        )
      }
    }
    for (const credential of world.credentials) await mentions(credential)
    await unregister(world, b1, 'common')
    for (const credential of world.credentials) await mentions(credential, b1)
  })

  await t.test('a file is served only under the URL that was signed for it', async t => {
    const files = await Promise.all(world.members.map(member => storedFile(world, member)))
    const of = (url: string) => ({ method: 'GET' as const, url })
    for (const { path, text } of files) t.equal((await world.send(of(path))).body, text)
    const signed = files.map(({ path }) => of(path))
    noProblems(t, await matrix.same(signed, 200), 'a signed URL answers the same with and without a credential')
    const others = files.flatMap(file => swapped(file, files)).map(of)
    noProblems(
      t,
      await matrix.same(others, 404),
      'a file of others under the caller’s own signature answers the same with and without a credential',
    )
    const nothing = await answerTo(world.send, of('/artifacts/nothing'))
    const answers = await Promise.all(others.map(other => answerTo(world.send, other)))
    t.same(
      [...new Set(answers.map(answer => difference([answer, ''], [nothing, ''])))],
      [undefined],
      'like an unknown file',
    )
  })
})

/** Stores a file of a member. Returns its text and its signed path. */
async function storedFile({ services: { artifacts } }: World, member: Member) {
  const { orgId, userId, name } = member
  const text = `marker of ${name} file`
  const artifact = await artifacts.create({ orgId, userId, name: 'file.txt', body: Readable.from([text]) })
  const { pathname, search } = new URL(artifacts.urlOf(artifact, 'http://localhost'))
  return { id: artifact.id, orgId, text, path: pathname + search }
}

type StoredFile = Awaited<ReturnType<typeof storedFile>>

/** Returns the file’s URL with parts of other files’ URLs in it. */
function swapped({ id, orgId, path }: StoredFile, files: readonly StoredFile[]): string[] {
  const others = files.filter(file => file.id !== id)
  const urls = others.flatMap(other => [
    path.replace(id, other.id),
    path.replace(orgId, other.orgId),
    path.replace(id, other.id).replace(orgId, other.orgId),
    path.replace(/signature=.*$/, /signature=.*$/.exec(other.path)?.[0] ?? ''),
  ])
  return [...new Set(urls)].filter(url => url !== path)
}

/** Runs the matrix for one user in two organizations: their session acts in A, their OAuth client in B. */
async function probeTwoOrganizations(world: World, operations: readonly Operation[]): Promise<string[]> {
  const { members: memberships, activeOrganizations } = world.services
  const [a1, , b1] = world.members as [Member, Member, Member]
  const inA = await world.join('c', a1.orgId, 'member')
  const { userId } = inA
  await memberships.add({ orgId: b1.orgId, userId, role: 'admin', by: 'operator' })
  const inB: Member = { ...inA, orgId: b1.orgId, role: 'admin', caller: { userId, orgId: b1.orgId, role: 'admin' } }
  await activeOrganizations.choose({ userId, clientId: '' }, inA.orgId)
  await activeOrganizations.choose({ userId, clientId: clientOf('c') }, inB.orgId)

  const members = [inA, inB]
  const kinds = ['mem', 'memory cursor', 'shelf account', 'ledger account', 'remote tool', 'art', 'gen']
  const specimens = await Promise.all(
    members.flatMap(owner =>
      kinds.flatMap(kind =>
        Object.entries(kindOf(kind).shapes).map(async ([shape, sees]) => {
          const id = await world.make(kind, owner, shape)
          return { id, kind, shape, owner, sees: (caller: Member) => sees(caller, owner) }
        }),
      ),
    ),
  )
  const credentials: Credential[] = [
    { kind: 'session', member: inA, era: 'legacy', headers: await world.signIn('session', 'c') },
    { kind: 'MCP token', member: inB, era: 'modern', headers: await world.signIn('MCP token', 'c') },
  ]
  const { probe } = createMatrix({ ...world, members, credentials, specimens })
  const about = operations.filter(({ variants }) => variants.flatMap(slotsIn).some(({ kind }) => kinds.includes(kind)))
  const problems: string[] = []
  for (const operation of about) problems.push(...(await probe(operation)))
  return problems
}
