import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { atMost } from '../../lib/lru.ts'
import type { Account } from '../accounts/account.ts'
import { groupByConnector, type LabeledAccounts, labelAccounts } from '../accounts/aliases.ts'
import type { AnyTool } from '../definitions/define-tool.ts'
import type { Caller, Principal } from '../identity/caller.ts'
import type { ToolList } from '../mcp/tool-list.ts'
import type { SurfaceVersions } from '../organizations/surface-versions.ts'
import { type Policies, policyHolder } from '../policies/policies.ts'
import { allowsAccount, conditionalLayers, denialOf, keyOfLayers, type Layer, subjectOf } from '../policies/policy.ts'
import type { DisabledCapabilities } from './capabilities.ts'
import type { OrganizationTools } from './organization-tools.ts'
import { offBy } from './refusals.ts'
import type { RegisteredTool, Registry } from './registry.ts'

/** The accounts that a caller may use: by connector, then by label. */
export type CallerAccounts = ReadonlyMap<string, LabeledAccounts>

/** What one caller sees: the tools and their list, shared by all callers who see the same, and the caller's accounts. */
export interface Surface {
  readonly tools: ReadonlyMap<string, AnyTool>
  readonly list: ToolList
  readonly accounts: CallerAccounts
  /** The policies that decide about the arguments of calls. */
  readonly conditional: readonly Layer[]
}

export interface SurfacesOptions {
  registry: Registry
  /** The tools of an organization. */
  toolsAt: OrganizationTools['at']
  versions: SurfaceVersions
  policies: Pick<Policies, 'layersOf' | 'cachedLayersOf'>
  disabledFor(orgId: string, userId: string): Promise<DisabledCapabilities>
  /** The accounts that a caller's calls can act with. */
  accountsOf(caller: Caller): Promise<readonly Account[]>
  /** Creates the list of entries, which are JSON sorted by name. `content` identifies them in the cache. */
  createList(entries: readonly string[], content: string): ToolList
}

/** The maximum number of characters of remote tools' JSON that cached surfaces reference. The bytes of lists have a separate cache. */
const MAX_CHARACTERS = 64 * 1024 * 1024

const NO_ACCOUNTS: CallerAccounts = new Map()

/** The surfaces of all callers. */
export interface Surfaces {
  /**
   * The surface of a caller. Synchronous if it is cached. A user without an organization sees the built-in tools. Throws
   * if the policies cannot be read.
   */
  of(asking: Asking): Surface | Promise<Surface>
}

/** Who asks, and what their request excludes. */
export interface Asking extends Principal {
  readonly narrowing: readonly Layer[]
}

/** The cached state of a member. Surfaces are cached by content, so that equal ones exist once. */
interface MemberSurface {
  version: number
  content: string
  accounts: CallerAccounts
  conditional: readonly Layer[]
}

export function createSurfaces(options: SurfacesOptions): Surfaces {
  const { registry, versions, toolsAt, policies } = options
  const members = new LRUCache<string, MemberSurface>(atMost(50_000))
  // Apart, because the headers of requests can make any number of them.
  const bounded = new LRUCache<string, MemberSurface>({
    maxSize: 50_000,
    sizeCalculation: ({ accounts }) => [...accounts.values()].reduce((sum, { size }) => sum + size, 1),
  })
  const cacheOf = (layers: readonly Layer[]) => (layers.length === 0 ? members : bounded)
  const byContent = new LRUCache<string, Surface>({ maxSize: MAX_CHARACTERS })

  function cached(member: MemberSurface | undefined, version: number): Surface | undefined {
    if (member?.version !== version) return undefined
    const shared = byContent.get(member.content)
    return shared === undefined ? undefined : withOwn(shared, member)
  }

  async function load(caller: Caller, asking: Asking): Promise<Surface> {
    // The version is read before the data. After a change in between, the next request builds the surface again.
    const version = await versions.current(caller.orgId)
    const layers = await readLayers(policies, version, caller, asking)
    const key = keyOf(caller, layers)
    const known = cached(cacheOf(layers).get(key), version)
    if (known !== undefined) return known
    const [all, disabled, visible] = await Promise.all([
      toolsAt(caller.orgId, version),
      options.disabledFor(caller.orgId, caller.userId),
      options.accountsOf(caller),
    ])
    const accounts = allowedAccounts(callerAccounts(visible), layers)
    const tools = all.filter(({ tool }) => isVisible(tool, disabled, accounts) && isAllowed(tool, layers))
    const { content, surface } = build(tools, accounts)
    const member = { version, content, accounts, conditional: conditionalLayers(layers) }
    cacheOf(layers).set(key, member)
    return withOwn(surface, member)
  }

  function build(visible: readonly RegisteredTool[], accounts: CallerAccounts): { content: string; surface: Surface } {
    const labels = new Map([...accounts].map(([connector, named]) => [connector, [...named.keys()]]))
    const named = visible.map(({ tool, digest }) =>
      tool.needsAccount ? [digest, labels.get(tool.capability)] : digest,
    )
    const content = hash('sha256', JSON.stringify(named), 'base64url')
    let surface = byContent.get(content)
    if (surface === undefined) {
      surface = {
        tools: new Map(visible.map(({ tool }) => [tool.entry.name, tool])),
        list: options.createList(
          visible.map(({ tool, json }) => json(labels.get(tool.capability) ?? [])),
          content,
        ),
        accounts: NO_ACCOUNTS,
        conditional: [],
      }
      const lengths = new Map([...labels].map(([connector, names]) => [connector, names.join('","').length]))
      const sizeOf = ({ tool, size }: RegisteredTool) => size + (lengths.get(tool.capability) ?? 0)
      byContent.set(content, surface, { size: visible.reduce((sum, tool) => sum + sizeOf(tool), 1) })
    }
    return { content, surface }
  }

  /** What a user without an organization sees: the built-in tools that the request does not exclude. */
  function builtInOf(layers: readonly Layer[]): Surface {
    const visible = registry.tools.filter(({ tool }) => !tool.needsAccount && isAllowed(tool, layers))
    return build(visible, NO_ACCOUNTS).surface
  }

  const builtIn = builtInOf([])

  return {
    of(asking) {
      const { caller, narrowing } = asking
      if (caller === null) return narrowing.length === 0 ? builtIn : builtInOf(narrowing)
      const version = versions.fresh(caller.orgId)
      if (version === undefined) return load(caller, asking)
      const layers = cachedLayers(policies, version, caller, asking)
      if (layers === undefined) return load(caller, asking)
      return cached(cacheOf(layers).get(keyOf(caller, layers)), version) ?? load(caller, asking)
    },
  }
}

/** Members without accounts and conditions share one object. For others, only these two differ. */
function withOwn(shared: Surface, { accounts, conditional }: Pick<MemberSurface, 'accounts' | 'conditional'>): Surface {
  if (accounts.size === 0 && conditional.length === 0) return shared
  return { tools: shared.tools, list: shared.list, accounts, conditional }
}

function callerAccounts(visible: readonly Account[]): CallerAccounts {
  if (visible.length === 0) return NO_ACCOUNTS
  return new Map([...groupByConnector(visible)].map(([connector, ofOne]) => [connector, labelAccounts(ofOne)]))
}

/** The policies that apply to a caller and their request. Throws if they cannot be read. */
export async function readLayers(
  policies: Pick<Policies, 'layersOf'>,
  version: number,
  caller: Caller,
  { identity, narrowing }: Asking,
): Promise<readonly Layer[]> {
  return [...(await policies.layersOf(caller.orgId, version, policyHolder(caller, identity))), ...narrowing]
}

/** The policies that apply to a caller and their request, if they are cached. */
export function cachedLayers(
  policies: Pick<Policies, 'cachedLayersOf'>,
  version: number,
  caller: Caller,
  { identity, narrowing }: Asking,
): readonly Layer[] | undefined {
  const layers = policies.cachedLayersOf(caller.orgId, version, policyHolder(caller, identity))
  return layers === undefined || narrowing.length === 0 ? layers : [...layers, ...narrowing]
}

/** A cache key of what a caller sees. */
export function keyOf({ orgId, userId }: Caller, layers: readonly Layer[]): string {
  return layers.length === 0 ? `${orgId} ${userId}` : `${orgId} ${userId} ${keyOfLayers(layers)}`
}

/** The accounts that all policies allow, under the labels that they have anyway. */
function allowedAccounts(accounts: CallerAccounts, layers: readonly Layer[]): CallerAccounts {
  if (layers.every(({ accounts: limited }) => limited === undefined)) return accounts
  const allowed = new Map<string, LabeledAccounts>()
  for (const [connector, labeled] of accounts) {
    const left = [...labeled].filter(([, { id }]) => allowsAccount(layers, id))
    if (left.length > 0) allowed.set(connector, new Map(left))
  }
  return allowed
}

function isAllowed(tool: AnyTool, layers: readonly Layer[]): boolean {
  return layers.length === 0 || denialOf(layers, subjectOf(tool)) === undefined
}

/** The tools of a connector are visible if the caller has an account of it, including accounts that need a new sign-in. */
function isVisible(tool: AnyTool, disabled: DisabledCapabilities, accounts: CallerAccounts): boolean {
  if (tool.needsAccount && !accounts.has(tool.capability)) return false
  return offBy(tool, disabled) === undefined
}
