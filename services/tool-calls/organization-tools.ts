import { LRUCache } from 'lru-cache'
import { nameWithin } from '../../schemas/remotes/names.ts'
import type { AnyTool } from '../definitions/define-tool.ts'
import type { Caller } from '../identity/caller.ts'
import type { NamedTool, RegisteredTool, Registry } from './registry.ts'

/** The member whose view of a tool is meant. */
type Member = Pick<Caller, 'orgId' | 'userId'>

/** The tools of registered remote servers, from their snapshots. */
export interface UpstreamTools {
  /** The callable tools of an organization. Excludes hidden and pending registrations. */
  of(orgId: string): Promise<readonly RegisteredTool[]>
  /** The capability of each registration of an organization, with its tool names. Includes hidden registrations. */
  names(orgId: string): Promise<ReadonlyMap<string, readonly string[]>>
  /** Explains a name that may belong to a remote tool of the member's organization. */
  explain(member: Member, name: string): Promise<NamedTool>
}

/** All tools of an organization, before member settings: those of the registry and of its remote servers. */
export interface OrganizationTools {
  /** The tools at this version of the organization's surface or a later one, sorted by name. */
  at(orgId: string, version: number): Promise<readonly RegisteredTool[]>
  /** Whether this organization has a family, connector, registration (`org__<slug>`) or tool of this name. */
  isCapability(name: string, orgId: string): Promise<boolean>
  /** Whether this organization has a tool of this name, even if it is switched off or hidden. */
  isTool(name: string, orgId: string): Promise<boolean>
  /** The tool of this name, or why it cannot be called. */
  named(name: string, member: Member): AnyTool | Promise<NamedTool>
  /** Suggestions for an unknown name. */
  similarTo(name: string, orgId: string): Promise<readonly string[]>
}

interface OrganizationToolsOptions {
  registry: Registry
  remoteTools: UpstreamTools
}

/** The maximum number of cached characters of remote tools' JSON. The parsed schemas take a multiple of that. */
const MAX_CHARACTERS = 64 * 1024 * 1024
/** The size of an organization without remote tools: the cache holds 10,000 of them. */
const EACH = Math.ceil(MAX_CHARACTERS / 10_000)

export function createOrganizationTools({ registry, remoteTools }: OrganizationToolsOptions): OrganizationTools {
  const cache = new LRUCache<string, { version: number; tools: readonly RegisteredTool[] }>({
    maxSize: MAX_CHARACTERS,
  })
  /** The running loads. After a change, all members of an organization need the tools at once. */
  const inFlight = new Map<string, Promise<readonly RegisteredTool[]>>()

  async function load(orgId: string, version: number): Promise<readonly RegisteredTool[]> {
    const own = await remoteTools.of(orgId)
    const tools = own.length === 0 ? registry.tools : [...registry.tools, ...own].sort(byName)
    cache.set(orgId, { version, tools }, { size: own.reduce((sum, { size }) => sum + size, EACH) })
    return tools
  }

  return {
    async at(orgId, version) {
      const known = cache.get(orgId)
      if (known?.version === version) return known.tools
      const key = `${orgId} ${version}`
      const first = inFlight.get(key)
      if (first !== undefined) return first
      const loading = load(orgId, version).finally(() => inFlight.delete(key))
      inFlight.set(key, loading)
      return loading
    },

    async isTool(name, orgId) {
      if (registry.find(name) !== undefined) return true
      return [...(await remoteTools.names(orgId)).values()].some(tools => tools.includes(name))
    },

    named: (name, member) => registry.find(name) ?? remoteTools.explain(member, name),

    async isCapability(name, orgId) {
      if (registry.isCapability(name)) return true
      for (const [capability, tools] of await remoteTools.names(orgId))
        if (capability === name || tools.includes(name)) return true
      return false
    },

    async similarTo(name, orgId) {
      const names = await remoteTools.names(orgId)
      for (const [capability, tools] of names)
        if (nameWithin(capability, name) !== undefined && tools.length > 0) return tools
      const [family = ''] = name.split('__', 1)
      const similar = registry.similarTo(name)
      return registry.isCapability(family) ? similar : [...similar, ...names.keys()]
    },
  }
}

function byName({ tool: a }: RegisteredTool, { tool: b }: RegisteredTool): number {
  return a.entry.name < b.entry.name ? -1 : 1
}
