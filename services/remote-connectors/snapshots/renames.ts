import { canonicalJson } from '../../../lib/canonical-json.ts'
import type { OrgDatabase } from '../../../lib/database/tenant.ts'
import { wireName } from '../../../schemas/remote-names.ts'
import type { PinnedTool, Snapshot } from '../snapshot.ts'

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

/** Rows of one statement: each has a handful of parameters, of which PostgreSQL takes 65,535. */
const BATCH = 5_000

/**
 * Switches off, for whom its former name is, what a snapshot has under another name than the one before; in the
 * transaction that serves it. The former names stay off: what may come under one of them is not what was agreed to.
 * Answers the names.
 */
export async function carrySwitches(
  org: OrgDatabase,
  { before, after, capability }: { before: Snapshot | undefined; after: Snapshot; capability: string },
  at: Date,
): Promise<string[]> {
  const renamed = new Map<string, string>()
  for (const [tool, was] of predecessorsOf(before, after))
    if (tool.name !== was.name) renamed.set(wireName(capability, was.name), wireName(capability, tool.name))
  if (renamed.size === 0) return []
  const off = await org
    .selectFrom('capability_settings')
    .where('enabled', '=', false)
    .where('capability', 'in', [...renamed.keys()])
    .select(['capability', 'user_id'])
    .execute()
  const rows = off.flatMap(({ capability: from, user_id }) => {
    const to = renamed.get(from)
    return to === undefined ? [] : [{ user_id, capability: to, enabled: false, updated_at: at }]
  })
  for (let i = 0; i < rows.length; i += BATCH)
    await org
      .insertInto('capability_settings', rows.slice(i, i + BATCH))
      .onConflict(conflict =>
        conflict.columns(['org_id', 'user_id', 'capability']).doUpdateSet({ enabled: false, updated_at: at }),
      )
      .execute()
  return [...new Set(rows.map(({ capability: to }) => to))]
}
