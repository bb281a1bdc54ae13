import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Actor, Audit } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import type { OrgDatabase } from '../../lib/database/tenant.ts'

export interface Revocation {
  at: Date
  by: Actor
  /** The change that brings it about, where it is not an end in itself. */
  because?: string
}

/** Revokes those of the chosen keys that are not revoked yet, with an audit row each; answers how many. */
export async function revokeKeys(
  org: OrgDatabase,
  audit: Audit,
  chosen: (eb: ExpressionBuilder<Database, 'api_keys'>) => Expression<SqlBool>,
  { at, by, because }: Revocation,
): Promise<number> {
  const keys = await org
    .updateTable('api_keys')
    .where('revoked_at', 'is', null)
    .where(chosen)
    .set({ revoked_at: at })
    .returning('id')
    .execute()
  const detail = because === undefined ? {} : { because }
  await audit.record(
    org,
    keys.map(({ id }) => ({ by, action: 'key.revoke', target: id, detail })),
  )
  return keys.length
}
