import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Kysely } from 'kysely'
import t, { type Test } from 'tap'
import { buildApp } from '../../app.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs, forOrg } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import errorEnvelope, { endpointNotFound } from '../../plugins/error-envelope/plugin.ts'
import identity from '../../plugins/identity/plugin.ts'
import orgResolution, { callerOf } from '../../plugins/org-resolution/plugin.ts'
import origin from '../../plugins/origin/plugin.ts'
import { Id } from '../../schemas/primitives/ids.ts'
import { StringEnum } from '../../schemas/primitives/string-enum.ts'
import type { Accounts } from '../../services/accounts/accounts.ts'
import { groupByConnector, labelAccounts } from '../../services/accounts/aliases.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import { type Caller, isAdmin } from '../../services/identity/caller.ts'
import type { Surfaces } from '../../services/tool-calls/surfaces.ts'
import type { VisibleAccounts } from '../../tools/manage/accounts.ts'
import { accountsList, accountsRename } from '../../tools/manage/accounts.ts'
import { silent, testDatabase } from '../fixtures/database.ts'
import { askedBy, bare, localhost } from '../fixtures/fixture.ts'
import { NO_LOAD_SHEDDING } from '../fixtures/no-load-shedding.ts'
import { createMatrix } from '../tenancy/matrix.ts'
import { placeRoutes, placeTools, type RouteEntry, watchRoutes } from '../tenancy/operations.ts'
import { ROUTES } from '../tenancy/placements.ts'
import { makeWorld, type World } from '../tenancy/world.ts'

// Negative controls: the matrix must report tools and routes that leak, or that could leak.

t.test('a route without a placement is reported, with what to add and where', async t => {
  const route = (entry: Partial<RouteEntry>): RouteEntry => ({
    name: 'PATCH /made-up/:id',
    methods: ['PATCH'],
    url: '/made-up/:id',
    schema: {},
    authenticated: true,
    takesMcpTokens: false,
    gate: 'organization',
    ...entry,
  })
  const complaints = (entry: Partial<RouteEntry>) => {
    const added = route(entry)
    return placeRoutes([added]).complaints.filter(complaint => complaint.startsWith(`${added.name}:`))
  }
  const params = Type.Object({ id: Id('mem') })

  t.same(complaints({ schema: { params } }), [], 'an ID needs no placement, because its prefix names the kind')
  t.same(complaints({}), ['PATCH /made-up/:id: has no schema for id. Add params to the schema of the route.'])
  t.same(
    complaints({
      schema: {
        params: Type.Object({ id: Type.String() }),
        querystring: Type.Object({ limit: Type.Integer(), after: Type.Optional(Type.String()) }),
        body: Type.Object({ keeper: Type.Object({ names: Type.Array(Type.String()) }) }),
      },
    }).map(complaint => complaint.split('.')[0]),
    [
      'PATCH /made-up/:id: its parameter params',
      'PATCH /made-up/:id: its parameter querystring',
      'PATCH /made-up/:id: its parameter body',
    ],
  )
  t.match(complaints({ schema: { params, body: Type.Object({ remark: Type.String() }) } }), [
    /its parameter body\.remark, a string, has no placement\. Add 'PATCH \/made-up\/:id body\.remark' to PARAMETERS in test\/tenancy\/placements\.ts: \{ kind } if/,
  ])
  t.match(complaints({ schema: { params: Type.Object({ id: Id('hld') }) } }), [
    /its parameter params\.id names a thing of an unknown kind\. Add hld to KINDS in test\/tenancy\/placements\.ts/,
  ])
  t.match(complaints({ schema: { params }, authenticated: false }), [
    /asks for no credential\. Register it in the authenticated scope, or add it to ROUTES/,
  ])
  t.match(complaints({ schema: { params }, gate: undefined }), [/has no gate\. Add it to the scope of one with/])
  t.match(complaints({ schema: { params }, takesMcpTokens: true }), [/accepts tokens of MCP clients/])
  t.match(complaints({ name: 'GET /version', methods: ['GET'], url: '/version' }), [/is declared public/])
  t.same(
    placeRoutes([]).complaints,
    Object.keys(ROUTES).map(name => `${name}: is not served. Remove it from ROUTES in test/tenancy/placements.ts.`),
  )
})

t.test('a tool parameter without a placement is reported, with what to add and where', async t => {
  const tool = (properties: Record<string, TSchema>, listedTo = 'a1') => ({
    entry: { name: 'made_up__tool', inputSchema: { type: 'object' as const, ...wire(Type.Object(properties)) } },
    gate: undefined,
    listedTo,
  })
  const unplaced = (properties: Record<string, TSchema>) =>
    placeTools([tool(properties)]).complaints.map(complaint =>
      /^made_up__tool: its parameter (\S+)/.exec(complaint)?.[1]?.replace(/,$/, ''),
    )

  t.same(unplaced({ id: Id('mem'), scope: StringEnum(['a']), limit: Type.Integer(), on: Type.Boolean() }), [])
  t.same(unplaced({ remark: Type.String() }), ['remark'])
  t.same(unplaced({ hold: Id('hld') }), ['hold'])
  t.same(unplaced({ filter: Type.Object({ any: Type.Array(Type.Object({ remark: Type.String() })) }) }), [
    'filter.any[].remark',
  ])
  t.same(unplaced({ either: Type.Union([Type.Null(), Type.Object({ slug: Type.String() })]) }), ['either.slug'])
  t.same(unplaced({ free: Type.Record(Type.String(), Type.Integer()) }), ['free'])
  t.same(unplaced({ open: Type.Object({}, { additionalProperties: true }) }), ['open'])
  t.same(unplaced({ anything: Type.Unknown() }), ['anything'])
  t.same(unplaced({ list: Type.Array(Type.Unknown()) }), ['list[]'])
  t.match(placeTools([tool({ site: StringEnum(['work']) }), tool({ site: StringEnum(['home']) }, 'b1')]).complaints, [
    /^made_up__tool: accepts different values from b1 than from a1, so the values name things of the caller/,
  ])
})

/** A world with leaky tools in addition to the catalog's. Two kinds of credentials are enough to find the leaks. */
async function fixture(t: Test) {
  const database = await testDatabase(t)
  const ever = new Set<string>()
  const families = leakyTools(database.db, ever)
  const whole = await makeWorld(t, { shared: database, families })
  for (const { id } of whole.specimens) ever.add(id)
  const credentials = whole.credentials.filter(({ kind }) => kind === 'API key' || kind === 'session')
  const { matrix, operation } = matrixOf({ ...whole, credentials }, families)
  return { matrix, operation: (name: string) => operation(`made_up__${name}`) }
}

/** Instead of a sample: a leak counts for each credential that finds it. */
const everything = <T>(cases: readonly T[]) => cases

/** A matrix, and the operations of these tools. */
function matrixOf(world: World, tools: readonly AnyTool[]) {
  const { operations, complaints } = placeTools(
    tools.map(({ entry, gate }) => ({ entry, gate, listedTo: 'everybody' })),
  )
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
  return {
    matrix: createMatrix(world, everything),
    operation: (name: string) => operations.find(one => one.name === name)!,
  }
}

/** Checks that this many credentials found a problem like this. */
function reported(t: Test, problems: readonly string[], pattern: RegExp, credentials: number) {
  const like = problems.filter(problem => pattern.test(problem))
  t.equal(
    new Set(like.map(problem => / by (\S+ [^:]+?)(?= about|:| with)/.exec(problem)?.[1])).size,
    credentials,
    `${pattern}`,
  )
}

t.test('tools: the matrix finds leaks and reports nothing else', async t => {
  const { matrix, operation } = await fixture(t)
  const { probe, sweep, replay, refuse } = matrix

  for (const honest of ['key', 'agent']) {
    t.same(await probe(operation(honest)), [])
    t.same(await refuse(operation(honest)), [])
  }

  const elsewhere = await probe(operation('elsewhere'))
  reported(t, elsewhere, / by (a\d.* of b|b\d.* of a)\d \((private|shared)\): answers …/, 8)
  t.notOk(
    elsewhere.some(problem => / by (a\d.* of a|b\d.* of b)\d /.test(problem)),
    'and nothing else',
  )
  const mate = await probe(operation('mate'))
  reported(t, mate, / by (a1.* of a2|a2.* of a1|b1.* of b2|b2.* of b1) \(private\): answers …/, 8)
  t.notOk(
    mate.some(problem => / by (a\d.* of b|b\d.* of a)\d /.test(problem)),
    'and nothing else',
  )
  reported(t, await probe(operation('gone')), / about id = mem of \w\d \(removed\): answers …/, 8)
  reported(t, await probe(operation('touch')), / about id = mem of \w\d \((private|shared)\): changed it: /, 8)
  reported(t, await probe(operation('closed')), / answers about the mem \(private\) of \w\d as about an unknown one/, 8)
  reported(t, await sweep(operation('all')), /^made_up__all by .*: shows “marker of .*”, which is not for/, 8)
  reported(t, await replay(operation('stored')), / with the idempotency key of another: got their result, with mem_/, 6)
  t.same(await replay(operation('refusing')), ['made_up__refusing: no call of a1 succeeded, so no result was stored'])
})

function leakyTools(db: Kysely<Database>, ever: ReadonlySet<string>): AnyTool[] {
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  const made = <Input extends TObject>(
    name: string,
    input: Input,
    run: (args: Record<string, string>, caller: Caller) => Promise<Record<string, unknown>>,
    readOnlyHint = true,
  ) =>
    defineTool({
      name: `made_up__${name}`,
      title: name,
      description: name,
      annotations: { ...annotations, readOnlyHint },
      input,
      run: async (args, { caller }) => structured(await run(args as Record<string, string>, caller)),
    })
  const notFound = (id: string) => new GatewayError('not_found', `There is no ${id}.`)
  const forbidden = () => new GatewayError('admin_required', 'This is not yours.')
  const memory = (id: string) =>
    acrossOrgs(db).selectFrom('memories').where('id', '=', id).selectAll().executeTakeFirst()
  const about = (prefix: 'mem' | 'key' | 'agt') => Type.Object({ id: Id(prefix) }, { additionalProperties: false })
  const nothing = Type.Object({}, { additionalProperties: false })

  /** A correct tool, except that it leaks the existence of a row when `leaks` returns true. */
  const peek = (
    name: string,
    leaks: (row: { org_id: string; user_id: string } | undefined, caller: Caller, id: string) => boolean,
  ) =>
    made(name, about('mem'), async ({ id = '' }, caller) => {
      const row = await memory(id)
      if (row?.org_id === caller.orgId && (row.scope === 'shared' || row.user_id === caller.userId))
        return { memory: row.memory }
      throw leaks(row, caller, id) ? forbidden() : notFound(id)
    })
  const stored = new Map<string, Record<string, unknown>>()

  return [
    made('key', about('key'), async ({ id = '' }, caller) => {
      const row = await forOrg(db, caller.orgId)
        .selectFrom('api_keys')
        .where('id', '=', id)
        .select(['user_id', 'name'])
        .executeTakeFirst()
      if (row === undefined || (row.user_id !== caller.userId && !isAdmin(caller))) throw notFound(id)
      return { name: row.name }
    }),
    made('agent', about('agt'), async ({ id = '' }, caller) => {
      const row = await forOrg(db, caller.orgId)
        .selectFrom('agents')
        .where('id', '=', id)
        .select(['owner_id', 'name'])
        .executeTakeFirst()
      if (row === undefined || (row.owner_id !== caller.userId && !isAdmin(caller))) throw notFound(id)
      return { name: row.name }
    }),
    peek('elsewhere', (row, caller) => row !== undefined && row.org_id !== caller.orgId),
    peek('mate', (row, caller) => row?.org_id === caller.orgId && row.user_id !== caller.userId),
    peek('gone', (row, _caller, id) => row === undefined && ever.has(id)),
    made('touch', about('mem'), async ({ id = '' }) => {
      await acrossOrgs(db).updateTable('memories').set({ updated_at: new Date() }).where('id', '=', id).execute()
      throw notFound(id)
    }),
    made('closed', about('mem'), async ({ id = '' }) => {
      throw notFound(id)
    }),
    made('all', nothing, async () => ({
      memories: (await acrossOrgs(db).selectFrom('memories').select('memory').execute()).map(({ memory }) => memory),
    })),
    made(
      'stored',
      Type.Object({ query: Type.String() }),
      async args => {
        const key = JSON.stringify(args)
        const result = stored.get(key) ?? { id: `mem_${String(stored.size).padStart(32, 'f')}` }
        stored.set(key, result)
        return result
      },
      false,
    ),
    made(
      'refusing',
      nothing,
      async () => {
        throw forbidden()
      },
      false,
    ),
  ]
}

t.test('accounts: the matrix finds a service that ignores the owner, on every surface', async t => {
  let accounts: Accounts | undefined
  const forgetful: VisibleAccounts = { visibleTo: async ({ orgId }) => (await accounts?.listOf(orgId)) ?? [] }
  const update: Accounts['update'] = (caller, id, change) => accounts!.update(caller, id, change)
  const [list, choose] = [accountsList(forgetful), accountsRename({ ...forgetful, update })].map(tool => ({
    ...tool,
    entry: { ...tool.entry, name: tool.entry.name.replace('manage', 'made_up') },
  })) as [AnyTool, AnyTool]
  const whole = await makeWorld(t, { families: [list, choose] })
  const { services } = whole
  accounts = services.accounts
  const credentials = whole.credentials.filter(({ kind }) => kind === 'API key' || kind === 'session')
  const world = { ...whole, credentials }
  const { matrix, operation } = matrixOf(world, [list, choose])

  reported(t, await matrix.sweep(operation('made_up__accounts_list')), / by .*: shows “marker of \w\d acc private”/, 4)
  const chosen = await matrix.probe(operation('made_up__accounts_rename'))
  reported(t, chosen, / about alias = shelf account of \w\d \(private\): answers …/, 4)
  t.notOk(
    chosen.some(problem => /changed it/.test(problem)),
    'the real service still checks the owner when it renames',
  )

  const surfaces: Surfaces = {
    async of(asking) {
      const { caller } = asking
      const surface = await services.surfaces.of(asking)
      if (caller === null) return surface
      const all = await forgetful.visibleTo(caller)
      return {
        ...surface,
        accounts: new Map([...groupByConnector(all)].map(([id, ofOne]) => [id, labelAccounts(ofOne)])),
      }
    },
  }
  const app = buildApp({ ...services, surfaces }, { logger: silent, overload: NO_LOAD_SHEDDING })
  t.teardown(() => app.close())
  const { tools } = await services.surfaces.of(askedBy(whole.members[0]!.caller))
  const shelf = matrixOf({ ...world, send: request => app.inject(request) }, [tools.get('shelf__read')!])
  const acted = await shelf.matrix.probe(shelf.operation('shelf__read'))
  reported(t, acted, / about account = shelf account of \w\d \(private\): answers …/, 8)
  reported(t, acted, / by .*: shows “marker of \w\d shelf account private”, which is not for/, 8)
})

t.test('routes: the matrix finds leaks and reports nothing else', async t => {
  const world = await makeWorld(t)
  const read = async (caller: Caller, id: string) =>
    forOrg(world.db, caller.orgId)
      .selectFrom('memories')
      .where('id', '=', id)
      .select(['user_id', 'scope', 'memory'])
      .executeTakeFirst()
  const served = (open: boolean, leak?: (reply: FastifyReply) => void) =>
    routeOn(t, world, { open }, async (app, url) => {
      app.get<{ Params: { id: string } }>(
        url,
        { schema: { params: Type.Object({ id: Id('mem') }) } },
        async (request, reply) => {
          if (open) return { memory: (await read(world.members[0]!.caller, request.params.id))?.memory }
          const caller = callerOf(request)
          const row = await read(caller, request.params.id)
          if (row !== undefined) leak?.(reply)
          if (row === undefined || (row.scope === 'private' && row.user_id !== caller.userId))
            throw endpointNotFound(request)
          return { memory: row.memory }
        },
      )
    })

  const honest = await served(false)
  t.same(await honest.matrix.probe(honest.operation), [])
  t.same(await honest.matrix.refuse(honest.operation), [])

  const header = await served(false, reply => void reply.header('etag', '"it is there"'))
  reported(
    t,
    await header.matrix.probe(header.operation),
    / about params\.id = mem of \w\d \(private\): answers ….*etag/,
    16,
  )

  const open = await served(true)
  t.match(await open.matrix.refuse(open.operation), [/^GET \/made-up\/:id with no credential: \[200,/])
  reported(t, await open.matrix.probe(open.operation), / by .*’s MCP token: an MCP token was accepted outside \/mcp/, 4)
})

/** An app with one route. It checks the world's credentials unless it is open. */
async function routeOn(
  t: Test,
  world: World,
  { open }: { open: boolean },
  register: (app: FastifyInstance, url: string) => Promise<void>,
) {
  const app = bare(t)
  const routes: RouteEntry[] = []
  watchRoutes(routes)(app)
  app.register(errorEnvelope)
  app.register(origin, localhost)
  app.register(async scope => {
    if (!open) scope.register(identity, { ...world.services.identity, scopes: [] })
    if (!open) scope.register(orgResolution, { activeOrganizations: world.services.activeOrganizations })
    await scope.after()
    await register(scope, '/made-up/:id')
  })
  await app.ready()
  t.same(
    routes.map(({ authenticated }) => authenticated),
    [!open],
  )
  const { operations } = placeRoutes(routes.map(route => ({ ...route, authenticated: true })))
  return {
    matrix: createMatrix({ ...world, send: request => app.inject(request) }, everything),
    operation: operations[0]!,
  }
}

/** A schema in its JSON form. */
function wire(schema: TSchema): object {
  return JSON.parse(JSON.stringify(schema))
}
