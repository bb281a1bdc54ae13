import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import type { FastifyInstance, InjectOptions, RouteOptions } from 'fastify'
import type { RouteGate } from '../../routes/define-routes.ts'
import type { Gate } from '../../services/definitions/define-tool.ts'
import { modern, request } from '../fixtures/mcp-fixture.ts'
import { KINDS, PARAMETERS, ROUTES } from './placements.ts'
import { type Placer, type Schema, Slot, variantsOf } from './variants.ts'
import type { Credential } from './world.ts'

/** A route as Fastify registered it. */
export interface RouteEntry {
  /** `GET /agents/:id`; a route of many methods is `* /mcp`. */
  name: string
  methods: readonly string[]
  url: string
  schema: { params?: Schema; querystring?: Schema; body?: Schema; headers?: Schema }
  /** Whether its scope requires a credential. */
  authenticated: boolean
  /** Whether it accepts the tokens of MCP clients. */
  takesMcpTokens: boolean
  gate: RouteGate | undefined
}

/** Something that a caller can request: a route, a tool, or a method of MCP. */
export interface Operation {
  name: string
  /** Whether its annotations or its HTTP method say that it changes nothing. */
  reads: boolean
  /** Whether it runs once per idempotency key. */
  keyed: boolean
  takesMcpTokens: boolean
  /** Whether it lists changes, which name what was removed. */
  history?: boolean
  /** Whether a credential passes its gate. Identifiers only matter after the gate. */
  opens(credential: Credential): boolean
  /** Arguments to send, with slots for identifiers. */
  variants: readonly unknown[]
  request(args: unknown, as: Pick<Credential, 'era' | 'headers'>, idempotencyKey?: string): InjectOptions
}

/** The placed operations, and a sentence for everything that could not be placed. */
interface Placed {
  operations: Operation[]
  complaints: string[]
}

/** Records every route that is registered from now on. */
export function watchRoutes(routes: RouteEntry[]): (app: FastifyInstance) => void {
  return app =>
    void app.addHook('onRoute', function noteRoute({ method, url, schema, config }: RouteOptions) {
      const methods = [method].flat()
      routes.push({
        name: `${methods.length === 1 ? methods[0] : '*'} ${url}`,
        methods,
        url,
        schema: (schema ?? {}) as RouteEntry['schema'],
        authenticated: this.hasRequestDecorator('caller'),
        takesMcpTokens: config?.audience === 'mcp',
        gate: this.gate,
      })
    })
}

/** Places routes. */
export function placeRoutes(routes: readonly RouteEntry[]): Placed {
  const complaints: string[] = []
  const operations: Operation[] = []
  for (const name of Object.keys(ROUTES))
    if (!routes.some(route => route.name === name))
      complaints.push(`${name}: is not served. Remove it from ROUTES in test/tenancy/placements.ts.`)

  for (const route of routes) {
    const placement: Partial<Record<'public' | 'tools', string>> = ROUTES[route.name] ?? {}
    if (!route.authenticated && placement.public === undefined)
      complaints.push(
        `${route.name}: asks for no credential. Register it in the authenticated scope, or add it to ROUTES in test/tenancy/placements.ts with the reason: { public: … }.`,
      )
    if (route.authenticated && placement.public !== undefined)
      complaints.push(`${route.name}: is declared public in test/tenancy/placements.ts, but asks for a credential.`)
    if (route.takesMcpTokens && placement.tools === undefined)
      complaints.push(`${route.name}: accepts tokens of MCP clients, which only POST /mcp may accept.`)
    if (!route.authenticated || placement.tools !== undefined) continue
    if (route.gate === undefined)
      complaints.push(
        `${route.name}: has no gate. Add it to the scope of one with defineRoutes (routes/define-routes.ts).`,
      )
    operations.push(placeRoute(route, complaints))
  }
  return { operations, complaints }
}

function placeRoute(route: RouteEntry, complaints: string[]): Operation {
  const { name, url, schema, takesMcpTokens, gate } = route
  for (const [, wildcard] of url.matchAll(/:(\w+)|\*/g))
    if (schema.params?.properties?.[wildcard ?? '*'] === undefined)
      complaints.push(`${name}: has no schema for ${wildcard ?? '*'}. Add params to the schema of the route.`)
  const { params, querystring, body, headers } = schema
  const sections = Object.entries({ params, querystring, body, headers }).filter(([, part]) => part !== undefined)
  const whole = {
    type: 'object',
    properties: Object.fromEntries(sections) as Record<string, Schema>,
    required: sections.map(([section]) => section),
  }
  const [method] = route.methods
  return {
    name,
    reads: method === 'GET',
    history: url === '/audit',
    keyed: false,
    takesMcpTokens,
    opens: credential => (takesMcpTokens || credential.kind !== 'MCP token') && passes(credential, gate),
    variants: variantsOf(
      whole,
      placerOf(name, complaints, path => path.includes('.')),
    ),
    request(args, as) {
      const { params = {}, querystring, body, headers } = args as Record<string, Record<string, string>>
      return {
        method: method as 'GET',
        url: url.replaceAll(/:(\w+)|\*/g, (_, wildcard = '*') => encodeURIComponent(String(params[wildcard]))),
        headers: { ...headers, ...as.headers },
        ...(querystring !== undefined && { query: querystring }),
        ...(body !== undefined && { payload: body }),
      }
    },
  }
}

/** A tool as one caller's list shows it. */
interface ListedTool {
  listedTo: string
  entry: Pick<Tool, 'name' | 'inputSchema' | 'annotations'>
  gate: Gate | undefined
}

/** Places the tools from the lists of all callers. */
export function placeTools(listed: readonly ListedTool[]): Placed {
  const complaints: string[] = []
  const operations = new Map<string, { operation: Operation; listedTo: string }>()
  for (const { entry, gate, listedTo } of listed) {
    const known = operations.get(entry.name)
    const operation = placeTool(entry, gate, known === undefined ? complaints : [])
    if (known === undefined) operations.set(entry.name, { operation, listedTo })
    else if (JSON.stringify(operation.variants) !== JSON.stringify(known.operation.variants))
      complaints.push(
        `${entry.name}: accepts different values from ${listedTo} than from ${known.listedTo}, so the values name things of the caller. Add the parameter to PARAMETERS in test/tenancy/placements.ts with its kind.`,
      )
  }
  return { operations: [...operations.values()].map(({ operation }) => operation), complaints }
}

function placeTool(
  { name, inputSchema, annotations }: ListedTool['entry'],
  gate: Gate | undefined,
  complaints: string[],
) {
  const reads = annotations?.readOnlyHint === true
  return {
    ...rpc(name, 'tools/call'),
    reads,
    keyed: !reads,
    opens: (credential: Credential) => passes(credential, gate),
    variants: variantsOf(
      inputSchema as Schema,
      placerOf(name, complaints, () => true),
    ),
  }
}

/** The methods of MCP that take no identifiers. */
export function mcpMethods(): Operation[] {
  const lists = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']
  return [...lists, 'initialize', 'server/discover', 'ping'].map(name => ({
    ...rpc(name, name),
    reads: true,
    keyed: false,
    opens: () => true,
    variants: [{}],
  }))
}

/** The call of a registered upstream's tool: its name is an identifier. */
export function remoteCall(): Operation {
  return {
    ...rpc('a remote tool', 'tools/call'),
    reads: false,
    keyed: true,
    opens: () => true,
    variants: [{ name: new Slot('name', 'remote tool') }],
    request: (args, as, key) => rpc((args as { name: string }).name, 'tools/call').request({}, as, key),
  }
}

/** The requests of a registered upstream's prompt, which is named like its tool, and of a resource by its slug. */
export function remoteOffers(): Operation[] {
  const reads = { reads: true, keyed: false, opens: () => true }
  return [
    {
      ...rpc('a remote prompt', 'prompts/get', args => args as object),
      ...reads,
      variants: [{ name: new Slot('name', 'remote tool') }],
    },
    {
      ...rpc('a remote resource', 'resources/read', args => ({
        uri: `cgw+org://${(args as { slug: string }).slug}/test%3A%2F%2Ftext`,
      })),
      ...reads,
      variants: [{ slug: new Slot('slug', 'slug') }],
    },
  ]
}

/** The common parts of operations over POST /mcp. `paramsOf` makes the parameters from the arguments. */
function rpc(
  name: string,
  method: string,
  paramsOf: (args: unknown) => object = args => (method === 'tools/call' ? { name, arguments: args } : {}),
) {
  return {
    name,
    takesMcpTokens: true,
    request(args: unknown, { era, headers }: Pick<Credential, 'era' | 'headers'>, key?: string): InjectOptions {
      const params = paramsOf(args) as Record<string, unknown>
      const meta = key === undefined ? {} : { 'connector-gateway/idempotency-key': key }
      const asked =
        era === 'modern'
          ? modern(method, params, meta)
          : { headers: key === undefined ? {} : { 'idempotency-key': key }, message: request(method, params) }
      return {
        method: 'POST',
        url: '/mcp',
        headers: { accept: 'application/json, text/event-stream', ...asked.headers, ...headers },
        payload: asked.message,
      }
    },
  }
}

function passes({ kind, member }: Credential, gate: RouteGate | Gate | undefined): boolean {
  const signedIn = kind === 'session' || kind === 'MCP token'
  const admin = member.role !== 'member'
  switch (gate) {
    case 'person':
      return kind !== 'agent’s key' && kind !== 'agent’s token'
    case 'session':
    case 'userSession':
      return signedIn
    case 'admin':
      return admin
    case 'adminSession':
    case 'billingAdmin':
      return signedIn && admin
    default:
      return true
  }
}

function placerOf(operation: string, complaints: string[], isParameter: (path: string) => boolean): Placer {
  const slot = (path: string, kind: string) => {
    if (KINDS[kind] === undefined)
      complaints.push(
        `${operation}: its parameter ${path} names a thing of an unknown kind. Add ${kind} to KINDS in test/tenancy/placements.ts: how to make one, what an unknown one looks like, who sees it.`,
      )
    return [new Slot(path, kind)]
  }
  return {
    named(path) {
      if (!isParameter(path)) return undefined
      const placement = PARAMETERS[`${operation} ${path}`] ?? PARAMETERS[path.slice(path.lastIndexOf('.') + 1)]
      if (placement === undefined) return undefined
      const { samples = [] } = placement
      // Values that name nothing come first, so that calls with another identifier use them.
      return 'kind' in placement ? [...samples, ...slot(path, placement.kind)] : samples
    },
    id: slot,
    unplaced: (path, what) =>
      void complaints.push(
        `${operation}: its parameter ${path}, ${what}, has no placement. Add '${operation} ${path}' to PARAMETERS in test/tenancy/placements.ts: { kind } if it names something of a member or an organization, { samples } if it names nothing.`,
      ),
  }
}
