import { LRUCache } from 'lru-cache'
import { atMost } from '../../lib/lru.ts'
import { wireName } from '../../schemas/remotes/names.ts'
import type { Trace } from '../../schemas/tools/mcp.ts'
import type { Account } from '../accounts/account.ts'
import type { Caller } from '../identity/caller.ts'
import type { Identity } from '../identity/identity.ts'
import type { OfferCapabilities, Offered } from '../mcp/mcp-types.ts'
import { UI_EXTENSION } from '../mcp/protocol.ts'
import type { SurfaceVersions } from '../organizations/surface-versions.ts'
import type { Policies } from '../policies/policies.ts'
import { allowsAccount, denialOf, type Layer } from '../policies/policy.ts'
import type { DisabledCapabilities } from './capabilities.ts'
import { type Asking, cachedLayers, keyOf, readLayers } from './surfaces.ts'

/** Who reads, and until when. */
export interface OfferContext {
  readonly caller: Caller
  readonly identity: Identity
  /** The caller's own account, for an upstream that needs one. */
  readonly account: Account | undefined
  readonly trace: Trace
  readonly signal: AbortSignal
}

/** A result of an upstream, or why a request names nothing or is invalid, as a sentence. */
export type UpstreamOfferResult =
  | { readonly result: object; readonly ttlMs?: number | undefined }
  | { readonly refused: 'unknown' | 'invalid'; readonly message: string }

/** An entry of a list: what it is sorted by, and its JSON. */
export interface OfferEntry {
  readonly key: string
  readonly json: string
}

/** What one registered upstream offers besides tools. The requests throw GatewayErrors. */
export interface UpstreamOffers {
  /** `org__<slug>`. */
  readonly capability: string
  readonly lists: Readonly<Record<Offered, readonly OfferEntry[]>>
  /** Whether each member acts with an account of their own. It offers nothing to members without one. */
  readonly needsAccount: boolean
  /** Whether it offers resources and prompts at all. Resources can be read that no list has. */
  readonly announced: { readonly resources: boolean; readonly prompts: boolean }
  /** Whether a tool or resource of it is an interface that clients show (MCP Apps). */
  readonly hasInterface: boolean
  /** The size of its lists, in characters. */
  readonly size: number
  /** The names of its prompts in `prompts/list`. */
  readonly prompts: ReadonlySet<string>
  /** Whether a URI of this gateway names a resource of this upstream. */
  serves(uri: string): boolean
  /** Reads a resource by its URI at this gateway. */
  readResource(uri: string, context: OfferContext): Promise<UpstreamOfferResult>
  getPrompt(name: string, args: unknown, context: OfferContext): Promise<UpstreamOfferResult>
}

/** The offers of registered upstreams. Excludes those whose tools are not listed. */
export interface RemoteOffers {
  of(orgId: string): Promise<readonly UpstreamOffers[]>
}

/** What one caller is offered besides tools, shared by all callers who are offered the same. */
export interface OfferSurface {
  readonly upstreams: readonly UpstreamOffers[]
  readonly capabilities: OfferCapabilities
  readonly lists: Readonly<Record<Offered, string>>
  /** The caller's own accounts, by capability. */
  readonly accounts: ReadonlyMap<string, Account>
}

/** The offers of all callers. */
export interface OfferSurfaces {
  /** Synchronous if it is cached. */
  of(asking: Asking): OfferSurface | Promise<OfferSurface>
}

interface OfferSurfacesOptions {
  remoteOffers: RemoteOffers
  versions: Pick<SurfaceVersions, 'fresh' | 'current'>
  policies: Pick<Policies, 'layersOf' | 'cachedLayersOf'>
  disabledFor(orgId: string, userId: string): Promise<DisabledCapabilities>
  /** The accounts that a caller's calls can act with. */
  accountsOf(caller: Caller): Promise<readonly Account[]>
}

/** The offers of an organization at a version of its surface, and the surfaces made of them, by the visible capabilities. */
interface OrganizationOffers {
  readonly version: number
  readonly upstreams: Promise<readonly UpstreamOffers[]>
  readonly surfaces: Map<string, OfferSurface>
}

interface MemberOffers {
  readonly version: number
  readonly surface: OfferSurface
}

/** The maximum size of the cached lists, in characters, and the size of an organization without any. */
const MAX_CHARACTERS = 32 * 1024 * 1024
const EACH = Math.ceil(MAX_CHARACTERS / 10_000)

const NOTHING: OfferSurface = {
  upstreams: [],
  capabilities: {},
  lists: { resources: '[]', resourceTemplates: '[]', prompts: '[]' },
  accounts: new Map(),
}

export function createOfferSurfaces(options: OfferSurfacesOptions): OfferSurfaces {
  const { remoteOffers, versions, policies, disabledFor, accountsOf } = options
  const organizations = new LRUCache<string, OrganizationOffers>({ maxSize: MAX_CHARACTERS })
  const members = new LRUCache<string, MemberOffers>(atMost(50_000))
  // Apart, and by their size: the headers of requests can make any number of them, and none is shared.
  const bounded = new LRUCache<string, MemberOffers>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ surface }) => Object.values(surface.lists).reduce((sum, list) => sum + list.length, EACH),
  })
  const cacheOf = (layers: readonly Layer[]) => (layers.length === 0 ? members : bounded)

  function organization(orgId: string, version: number): OrganizationOffers {
    const known = organizations.get(orgId)
    if (known?.version === version) return known
    const loaded: OrganizationOffers = { version, upstreams: remoteOffers.of(orgId), surfaces: new Map() }
    organizations.set(orgId, loaded, { size: EACH })
    loaded.upstreams.then(
      upstreams => {
        if (organizations.peek(orgId) !== loaded) return
        organizations.set(orgId, loaded, { size: upstreams.reduce((sum, { size }) => sum + size, EACH) })
      },
      () => organizations.peek(orgId) === loaded && organizations.delete(orgId),
    )
    return loaded
  }

  async function load(caller: Caller, asking: Asking): Promise<OfferSurface> {
    const { orgId, userId } = caller
    // The version is read before the data. After a change in between, the next request loads again.
    const version = await versions.current(orgId)
    const layers = await readLayers(policies, version, caller, asking)
    const [members, key] = [cacheOf(layers), keyOf(caller, layers)]
    const known = members.get(key)
    if (known?.version === version) return known.surface
    const { upstreams, surfaces } = organization(orgId, version)
    const [all, disabled] = await Promise.all([upstreams, disabledFor(orgId, userId)])
    const needed = new Set(all.flatMap(({ capability, needsAccount }) => (needsAccount ? [capability] : [])))
    const own =
      needed.size === 0
        ? []
        : (await accountsOf(caller)).filter(({ connector, id }) => needed.has(connector) && allowsAccount(layers, id))
    const accounts = new Map(own.map(account => [account.connector, account]))
    const visible = all
      .filter(
        ({ capability, needsAccount }) => !disabled.has(capability) && (!needsAccount || accounts.has(capability)),
      )
      .map(upstream => allowedOffers(upstream, layers))
    const content = visible.map(({ capability }) => capability).join()
    const shared = (layers.length === 0 ? surfaces.get(content) : undefined) ?? toSurface(visible)
    if (layers.length === 0) surfaces.set(content, shared)
    const surface = accounts.size === 0 ? shared : { ...shared, accounts }
    members.set(key, { version, surface })
    return surface
  }

  return {
    of(asking) {
      const { caller } = asking
      if (caller === null) return NOTHING
      const version = versions.fresh(caller.orgId)
      const layers = version === undefined ? undefined : cachedLayers(policies, version, caller, asking)
      if (layers === undefined) return load(caller, asking)
      const known = cacheOf(layers).get(keyOf(caller, layers))
      return known !== undefined && known.version === version ? known.surface : load(caller, asking)
    },
  }
}

/** What policies leave of an upstream's offers. A prompt is judged like a tool of its name, all resources of an upstream together. */
function allowedOffers(upstream: UpstreamOffers, layers: readonly Layer[]): UpstreamOffers {
  if (layers.length === 0) return upstream
  const { capability, lists, announced } = upstream
  const isAllowed = (name: string) => denialOf(layers, { name, capability, effect: 'read' }) === undefined
  const prompts = new Set([...upstream.prompts].filter(isAllowed))
  const promptList = lists.prompts.filter(({ key }) => prompts.has(key))
  // The name of no tool or prompt, so that only rules for all of the upstream match it.
  if (isAllowed(wireName(capability, ''))) return { ...upstream, prompts, lists: { ...lists, prompts: promptList } }
  return {
    ...upstream,
    prompts,
    lists: { resources: [], resourceTemplates: [], prompts: promptList },
    announced: { resources: false, prompts: announced.prompts && prompts.size > 0 },
    hasInterface: false,
    serves: () => false,
  }
}

function toSurface(upstreams: readonly UpstreamOffers[]): OfferSurface {
  if (upstreams.length === 0) return NOTHING
  const all = (kind: Offered) => upstreams.flatMap(({ lists }) => lists[kind])
  const json = (kind: Offered) =>
    `[${all(kind)
      .sort(byKey)
      .map(entry => entry.json)}]`
  const hasResources = upstreams.some(({ announced }) => announced.resources)
  const hasPrompts = upstreams.some(({ announced }) => announced.prompts)
  const hasInterface = upstreams.some(upstream => upstream.hasInterface)
  return {
    ...NOTHING,
    upstreams,
    capabilities: {
      // Interfaces are read as resources, also if the server lists none.
      ...((hasResources || hasInterface) && { resources: {} }),
      ...(hasPrompts && { prompts: {} }),
      ...(hasInterface && { extensions: { [UI_EXTENSION]: {} } }),
    },
    lists: {
      resources: json('resources'),
      resourceTemplates: json('resourceTemplates'),
      prompts: json('prompts'),
    },
  }
}

function byKey(a: OfferEntry, b: OfferEntry): number {
  return a.key < b.key ? -1 : 1
}
