import { sql } from 'kysely'
import { canonicalJson } from '../../../../lib/canonical-json.ts'
import type { OrgDatabase } from '../../../../lib/database/tenant.ts'
import { wireName } from '../../../../schemas/remotes/names.ts'
import type { StoredOverride } from '../../../../schemas/remotes/overrides.ts'
import type { StoredPolicy } from '../../../policies/policy.ts'
import type { PinnedTool, Snapshot } from '../../snapshot.ts'

/** How many removed tools with the same schema a new one is compared with. */
const MAX_COMPARED = 20
/** The share of common words from which two descriptions count as the same. */
const SIMILAR = 0.7

/**
 * The predecessors of a snapshot's tools in the previous snapshot: those with the same original name, and those that appear to be
 * renamed. New tools have none.
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

/** The new tools that appear to be renamed ones: the same input schema and nearly the same description. */
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

/** The overrides of a registration with those of renamed tools also under their new names. */
export function carryOverrides(
  overrides: readonly StoredOverride[],
  before: Snapshot | undefined,
  after: Snapshot,
): readonly StoredOverride[] {
  if (overrides.length === 0) return overrides
  const of = new Map(overrides.map(override => [override.originalName, override]))
  const carried = [...predecessorsOf(before, after)].flatMap(([{ originalName }, was]) => {
    const override = of.get(was.originalName)
    return override === undefined || of.has(originalName) ? [] : [{ ...override, originalName }]
  })
  return [...overrides, ...carried].sort((a, b) => (a.originalName < b.originalName ? -1 : 1))
}

/** The maximum number of rows per statement, because PostgreSQL accepts at most 65,535 parameters. */
const BATCH = 5_000

/**
 * Copies the switched-off state of renamed tools to their new names, in the transaction that serves the snapshot. The former
 * names stay switched off, because a later tool with such a name would not be the one that was approved. Returns the new names.
 */
export async function carrySwitches(
  org: OrgDatabase,
  { before, after, capability }: { before: Snapshot | undefined; after: Snapshot; capability: string },
  at: Date,
): Promise<string[]> {
  const renamed = renamedTools(before, after, capability)
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

/**
 * Adds the new names of renamed tools to the policies that deny their former names, in the transaction that serves the snapshot.
 * The former names stay denied.
 */
export async function carryDenials(
  org: OrgDatabase,
  { before, after, capability }: { before: Snapshot | undefined; after: Snapshot; capability: string },
): Promise<void> {
  const renamed = renamedTools(before, after, capability)
  if (renamed.size === 0) return
  const denies = sql<boolean>`exists (
    select 1 from jsonb_array_elements(policy -> 'rules') as rule
    where rule ->> 'do' = 'deny' and rule ->> 'match' in (${sql.join([...renamed.keys()])}))`
  const rows = await org.selectFrom('policies').where(denies).select(['layer', 'subject', 'policy']).execute()
  for (const { layer, subject, policy } of rows) {
    const { rules = [], ...rest } = policy as StoredPolicy
    const carried = rules.flatMap(rule => {
      const match = rule.do === 'deny' ? renamed.get(rule.match) : undefined
      return match === undefined || rules.some(other => other.do === 'deny' && other.match === match)
        ? []
        : [{ ...rule, match }]
    })
    if (carried.length === 0) continue
    await org
      .updateTable('policies')
      .where('layer', '=', layer)
      .where('subject', '=', subject)
      .set({ policy: JSON.stringify({ ...rest, rules: [...rules, ...carried] }) })
      .execute()
  }
}

/** The wire names of tools by their former ones. */
function renamedTools(before: Snapshot | undefined, after: Snapshot, capability: string): Map<string, string> {
  const renamed = new Map<string, string>()
  for (const [tool, was] of predecessorsOf(before, after))
    if (tool.name !== was.name) renamed.set(wireName(capability, was.name), wireName(capability, tool.name))
  return renamed
}
