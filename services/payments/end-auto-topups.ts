import type { Actor, Audit } from '../../lib/audit/audit.ts'
import type { OrgDatabase } from '../../lib/database/tenant.ts'

/**
 * Switches the automatic top-ups of an organization off, with an audit row. Returns whether they were on. It runs in the
 * transaction of its handle.
 */
export async function endAutoTopups(
  org: OrgDatabase,
  audit: Audit,
  { by, detail }: { by: Actor; detail: Readonly<Record<string, unknown>> },
): Promise<boolean> {
  const { numUpdatedRows } = await org
    .updateTable('customers')
    .set({ auto_topup: false })
    .where('auto_topup', '=', true)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await audit.record(org, { by, action: 'auto_topup.disable', target: org.orgId, detail })
  return true
}
