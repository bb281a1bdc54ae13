import type { Kysely } from 'kysely'
import type { ReconciliationsTable } from '../../lib/database/billing-tables.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { requireOrganization } from '../organizations/require-organization.ts'

/** A hold that was let go in the customer's favour. */
export interface Reconciliation {
  holdId: string
  orgId: string
  tool: string
  reason: ReconciliationsTable['reason']
  heldMicros: number
  /** What the call had cost, where that was learned afterwards. */
  costMicros: number | null
  at: Date
}

/** The last of them, of one organization or of all, the newest first; throws invalid_request when there is no such organization. */
export async function listReconciliations(
  db: Kysely<Database>,
  { orgId, limit }: { orgId: string | undefined; limit: number },
): Promise<Reconciliation[]> {
  if (orgId !== undefined) await requireOrganization(db, orgId)
  return acrossOrgs(db)
    .selectFrom('reconciliations')
    .$if(orgId !== undefined, query => query.where('org_id', '=', orgId ?? ''))
    .select([
      'hold_id as holdId',
      'org_id as orgId',
      'tool',
      'reason',
      'held_micros as heldMicros',
      'cost_micros as costMicros',
      'at',
    ])
    .orderBy('at', 'desc')
    .orderBy('hold_id', 'desc')
    .limit(limit)
    .execute()
}
