import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { atMost } from '../../lib/lru.ts'
import type { Account } from '../accounts/account.ts'
import { groupByConnector, type LabeledAccounts, labelAccounts } from '../accounts/aliases.ts'
import type { AnyTool } from '../definitions/define-tool.ts'
import type { Caller } from '../identity/caller.ts'
import type { ToolList } from '../mcp/tool-list.ts'
import type { SurfaceVersions } from '../organizations/surface-versions.ts'
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
}

export interface SurfacesOptions {
  registry: Registry
  /** The tools of an organization. */
  toolsAt: OrganizationTools['at']
  versions: SurfaceVersions
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
   * The surface of a caller. Synchronous if it is cached. A user without an organization (null) sees the built-in tools.
   */
  of(caller: Caller | null): Surface | Promise<Surface>
}

/** The cached state of a member. Surfaces are cached by content, so that equal ones exist once. */
interface MemberSurface {
  version: number
  content: string
  accounts: CallerAccounts
}

export function createSurfaces(options: SurfacesOptions): Surfaces {
  const { registry, versions, toolsAt } = options
  const members = new LRUCache<string, MemberSurface>(atMost(50_000))
  const byContent = new LRUCache<string, Surface>({ maxSize: MAX_CHARACTERS })

  function cached(member: MemberSurface | undefined, version: number): Surface | undefined {
    if (member?.version !== version) return undefined
    const shared = byContent.get(member.content)
    return shared === undefined ? undefined : withAccounts(shared, member.accounts)
  }

  async function load(caller: Caller, key: string): Promise<Surface> {
    // The version is read before the data. After a change in between, the next request builds the surface again.
    const version = await versions.current(caller.orgId)
    const known = cached(members.get(key), version)
    if (known !== undefined) return known
    const [all, disabled, visible] = await Promise.all([
      toolsAt(caller.orgId, version),
      options.disabledFor(caller.orgId, caller.userId),
      options.accountsOf(caller),
    ])
    const accounts = callerAccounts(visible)
    const tools = all.filter(({ tool }) => isVisible(tool, disabled, accounts))
    const { content, surface } = build(tools, accounts)
    members.set(key, { version, content, accounts })
    return withAccounts(surface, accounts)
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
      }
      byContent.set(content, surface, { size: visible.reduce((sum, { size }) => sum + size, 1) })
    }
    return { content, surface }
  }

  const builtIn = build(
    registry.tools.filter(({ tool }) => !tool.needsAccount),
    NO_ACCOUNTS,
  ).surface

  return {
    of(caller) {
      if (caller === null) return builtIn
      const key = `${caller.orgId} ${caller.userId}`
      const version = versions.fresh(caller.orgId)
      return (version !== undefined && cached(members.get(key), version)) || load(caller, key)
    },
  }
}

/** Members without accounts share one object. For others, only `accounts` differs. */
function withAccounts(shared: Surface, accounts: CallerAccounts): Surface {
  return accounts.size === 0 ? shared : { tools: shared.tools, list: shared.list, accounts }
}

function callerAccounts(visible: readonly Account[]): CallerAccounts {
  if (visible.length === 0) return NO_ACCOUNTS
  return new Map([...groupByConnector(visible)].map(([connector, ofOne]) => [connector, labelAccounts(ofOne)]))
}

/** The tools of a connector are visible if the caller has an account of it, including accounts that need a new sign-in. */
function isVisible(tool: AnyTool, disabled: DisabledCapabilities, accounts: CallerAccounts): boolean {
  if (tool.needsAccount && !accounts.has(tool.capability)) return false
  return offBy(tool, disabled) === undefined
}
