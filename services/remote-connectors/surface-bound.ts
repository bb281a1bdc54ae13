import type { Registration } from './registration.ts'

/** The size of each tool's entry in `tools/list`, in bytes, in the order of the snapshot. */
export type ToolSizes = Uint32Array

/** What all registered servers of an organization add to `tools/list`. */
interface SurfaceSize {
  tools: number
  bytes: number
}

const MEBIBYTE = 1024 * 1024
const MAX_TOOLS = 2_000
const MAX_BYTES = 8 * MEBIBYTE

/** The limit, in words. */
export const SURFACE_BOUND = `${MAX_TOOLS.toLocaleString('en')} tools and ${MAX_BYTES / MEBIBYTE} MiB for all registered servers together`

/** Whether snapshots of these sizes exceed the limit together. */
export function isBeyondBound(sizes: Iterable<ToolSizes>): boolean {
  const { tools, bytes } = sumOf(sizes)
  return tools > MAX_TOOLS || bytes > MAX_BYTES
}

/** Whether a snapshot takes less room than another. */
export function isSmaller(one: ToolSizes, other: ToolSizes): boolean {
  const [a, b] = [sumOf([one]), sumOf([other])]
  return a.bytes < b.bytes && a.tools <= b.tools
}

/** The total size of snapshots, in words. */
export function inWords(...sizes: readonly ToolSizes[]): string {
  const { tools, bytes } = sumOf(sizes)
  return `${tools === 1 ? '1 tool' : `${tools} tools`}, ${(bytes / MEBIBYTE).toFixed(1)} MiB`
}

/**
 * The number of unlisted tools per registration ID. The oldest registrations are listed first, and the tools of one
 * registration by name, so the unlisted tools are the last ones. Hidden registrations take no room.
 */
export function toolsLeftOut(
  registrations: readonly Pick<Registration, 'id' | 'createdAt' | 'hidden'>[],
  sizes: ReadonlyMap<string, ToolSizes>,
): ReadonlyMap<string, number> {
  const listed = registrations.filter(({ hidden }) => !hidden).sort(byAge)
  const leftOut = new Map<string, number>()
  const room = { tools: MAX_TOOLS, bytes: MAX_BYTES }
  for (const { id } of listed) {
    const own = sizes.get(id) ?? []
    let fit = 0
    for (const bytes of own) {
      if (room.tools < 1 || room.bytes < bytes) break
      room.tools--
      room.bytes -= bytes
      fit++
    }
    if (fit === own.length) continue
    leftOut.set(id, own.length - fit)
    // Leave out everything that follows, so that whether a tool is listed does not depend on the sizes of the tools before it.
    room.tools = 0
  }
  return leftOut
}

function byAge(a: Pick<Registration, 'id' | 'createdAt'>, b: Pick<Registration, 'id' | 'createdAt'>): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1)
}

function sumOf(sizes: Iterable<ToolSizes>): SurfaceSize {
  let [tools, bytes] = [0, 0]
  for (const own of sizes) {
    tools += own.length
    for (const size of own) bytes += size
  }
  return { tools, bytes }
}
