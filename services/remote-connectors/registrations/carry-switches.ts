import type { OrgDatabase } from '../../../lib/database/tenant.ts'
import { wireName } from '../../../schemas/remote-names.ts'
import { predecessorsOf } from '../snapshots/renames.ts'
import type { Snapshot } from '../snapshots/snapshot.ts'

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
