import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { AnyTool } from '../../tools/define-tool.ts'
import type { ToolList } from '../mcp/tool-list.ts'
import type { Caller } from '../org-resolution/caller.ts'
import type { DisabledCapabilities } from './capabilities.ts'
import type { RegisteredTool, Registry } from './registry.ts'
import type { SurfaceVersions } from './versions.ts'

/** What one caller sees: the tools by name, and their list as stored bytes. Equal surfaces are one object. */
export interface Surface {
  readonly tools: ReadonlyMap<string, AnyTool>
  readonly list: ToolList
}

export interface SurfacesOptions {
  registry: Registry
  versions: SurfaceVersions
  disabledFor(orgId: string, userId: string): Promise<DisabledCapabilities>
  /** Makes the stored list of entries, which are JSON and sorted by name. */
  createList(entries: readonly string[]): ToolList
}

/** How many bytes of lists are kept. */
const MAX_BYTES = 64 * 1024 * 1024

/** The surfaces of all callers. */
export interface Surfaces {
  /** A caller's surface; without a promise while it is cached. A user without an organization (null) sees the built-ins. */
  of(caller: Caller | null): Surface | Promise<Surface>
}

interface MemberSurface {
  version: number
  content: string
}

export function createSurfaces(options: SurfacesOptions): Surfaces {
  const { registry, versions } = options
  const members = new LRUCache<string, MemberSurface>({ max: 50_000 })
  const byContent = new LRUCache<string, Surface>({
    maxSize: MAX_BYTES,
    sizeCalculation: surface => surface.list.size,
  })

  function cached(member: MemberSurface | undefined, version: number): Surface | undefined {
    return member?.version === version ? byContent.get(member.content) : undefined
  }

  async function load(caller: Caller, key: string): Promise<Surface> {
    // The version is read before what it stands for: a change in between makes the next request build again.
    const version = await versions.current(caller.orgId)
    const known = cached(members.get(key), version)
    if (known !== undefined) return known
    const disabled = await options.disabledFor(caller.orgId, caller.userId)
    const { content, surface } = build(registry.tools.filter(({ tool }) => isVisible(tool, disabled)))
    members.set(key, { version, content })
    return surface
  }

  function build(visible: readonly RegisteredTool[]): { content: string; surface: Surface } {
    const content = hash('sha256', visible.map(({ digest }) => digest).join(), 'base64url')
    let surface = byContent.get(content)
    if (surface === undefined) {
      surface = {
        tools: new Map(visible.map(({ tool }) => [tool.entry.name, tool])),
        list: options.createList(visible.map(({ json }) => json)),
      }
      byContent.set(content, surface)
    }
    return { content, surface }
  }

  const everything = build(registry.tools).surface

  return {
    of(caller) {
      if (caller === null) return everything
      const key = `${caller.orgId} ${caller.userId}`
      const version = versions.fresh(caller.orgId)
      return (version !== undefined && cached(members.get(key), version)) || load(caller, key)
    },
  }
}

function isVisible(tool: AnyTool, disabled: DisabledCapabilities): boolean {
  return !disabled.has(tool.capability) && !disabled.has(tool.entry.name)
}
