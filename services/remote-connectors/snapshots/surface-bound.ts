import type { Registration } from '../registration.ts'

/** The bytes of each tool of a snapshot as `tools/list` has it, in the order of the snapshot. */
export type ToolSizes = Uint32Array

/** What an organization's registered servers add to `tools/list`, together. */
interface SurfaceSize {
  tools: number
  bytes: number
}

const MEBIBYTE = 1024 * 1024
const MAX_TOOLS = 2_000
const MAX_BYTES = 8 * MEBIBYTE

/** The bound, in words. */
export const SURFACE_BOUND = `${MAX_TOOLS.toLocaleString('en')} tools and ${MAX_BYTES / MEBIBYTE} MiB for all registered servers together`

/** Whether snapshots of these sizes exceed together what an organization can list. */
export function isBeyondBound(sizes: Iterable<ToolSizes>): boolean {
  const { tools, bytes } = sumOf(sizes)
  return tools > MAX_TOOLS || bytes > MAX_BYTES
}

/** Whether a snapshot takes less of the surface than another one. */
export function isSmaller(one: ToolSizes, other: ToolSizes): boolean {
  const [a, b] = [sumOf([one]), sumOf([other])]
  return a.bytes < b.bytes && a.tools <= b.tools
}

/** The size of snapshots together, in words. */
export function inWords(...sizes: readonly ToolSizes[]): string {
  const { tools, bytes } = sumOf(sizes)
  return `${tools === 1 ? '1 tool' : `${tools} tools`}, ${(bytes / MEBIBYTE).toFixed(1)} MiB`
}

/**
 * How many tools of each registration's snapshot, the last ones, the list has no room for, by the registration's id.
 * The oldest registrations come first, and of one its tools by name. Hidden registrations take no room.
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
    // Whatever comes later is left out, so that a small tool does not depend on the size of those before it.
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
