import { canonicalJson } from '../../../lib/canonical-json.ts'
import type { PinnedTool, Snapshot } from './snapshot.ts'

/** Tools of equal schemas that a new one is compared with. */
const MAX_COMPARED = 20
/** Of the words of two descriptions, how many they share. */
const SIMILAR = 0.7

/**
 * What the tools of a snapshot were in the one before, if there was one: those of the same original name, and those that
 * seem to be others under a new one. New ones are left out.
 */
export function predecessorsOf(before: Snapshot | undefined, after: Snapshot): Map<PinnedTool, PinnedTool> {
  const old = new Map(before?.tools.map(tool => [tool.originalName, tool]))
  const now = new Set(after.tools.map(({ originalName }) => originalName))
  const gone = [...old.values()].filter(({ originalName }) => !now.has(originalName))
  const come = after.tools.filter(({ originalName }) => !old.has(originalName))
  const found = renamesOf(gone, come)
  for (const tool of after.tools) {
    const was = old.get(tool.originalName)
    if (was !== undefined) found.set(tool, was)
  }
  return found
}

/** The tools that seem to be others under a new name, with what they were: they take the same and say nearly the same. */
function renamesOf(gone: readonly PinnedTool[], come: readonly PinnedTool[]): Map<PinnedTool, PinnedTool> {
  const renames = new Map<PinnedTool, PinnedTool>()
  const left = Map.groupBy(gone, ({ inputSchema }) => canonicalJson(inputSchema))
  for (const tool of come) {
    const like = left.get(canonicalJson(tool.inputSchema)) ?? []
    const from = like.slice(0, MAX_COMPARED).find(other => similarity(wordsOf(other), wordsOf(tool)) >= SIMILAR)
    if (from === undefined) continue
    renames.set(tool, from)
    like.splice(like.indexOf(from), 1)
  }
  return renames
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return a.intersection(b).size / Math.max(a.union(b).size, 1)
}

function wordsOf({ description = '' }: PinnedTool): Set<string> {
  return new Set(description.toLowerCase().match(/[\p{L}\p{N}]+/gu))
}
