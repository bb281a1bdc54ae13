import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { Actor, Audit } from '../../lib/audit/audit.ts'
import type { KeyRing } from '../../lib/configuration/key-ring.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs, type OrgDatabase } from '../../lib/database/tenant.ts'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'

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

/** What the keys of an organization have spent and hold in this month (UTC, by the database's clock), to be joined. */
export function thisMonthOf(db: Kysely<Database>, orgId: string) {
  return db
    .selectFrom('key_months')
    .where('org_id', '=', orgId)
    .where('month', '=', sql<string>`gateway_month()`)
    .select(['key_id', 'spent_micros', 'held_micros'])
    .as('this_month')
}

/** A pepper, and what would be lost without it. */
export interface PepperUse {
  id: string
  /** Keys under it that are neither revoked nor expired. */
  keys: number
  /** False for one that is not configured: the keys under it match nothing. */
  configured: boolean
}

/** How many live keys stand under each pepper: the configured ones in their order, then those that are missed. */
export async function pepperUse(db: Kysely<Database>, peppers: KeyRing, clock: Clock): Promise<PepperUse[]> {
  const rows = await acrossOrgs(db)
    .selectFrom('api_keys')
    .where('revoked_at', 'is', null)
    .where(eb => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', new Date(clock.now()))]))
    .groupBy('pepper_id')
    .orderBy('pepper_id')
    .select(eb => ['pepper_id as id', eb.fn.countAll<number>().as('keys')])
    .execute()
  const counts = new Map(rows.map(({ id, keys }) => [id, keys]))
  const configured = peppers.map(({ id }) => ({ id, keys: counts.get(id) ?? 0, configured: true }))
  const known = new Set(configured.map(({ id }) => id))
  return [...configured, ...rows.filter(({ id }) => !known.has(id)).map(row => ({ ...row, configured: false }))]
}

/** Says in one warning which peppers are missed by keys that are in use; nothing when none is. */
export async function warnOfMissingPeppers({
  keys,
  log,
}: {
  keys: { pepperUse(): Promise<PepperUse[]> }
  log: Logger
}): Promise<void> {
  const missing = (await keys.pepperUse()).filter(({ configured }) => !configured)
  if (missing.length === 0) return
  log.warn(
    // Not named after what it lists, which the log would take for the peppers themselves.
    { missing: missing.map(({ id, keys }) => ({ id, keys })) },
    'API keys stand under peppers that API_KEY_PEPPERS does not name: they are refused as unknown',
  )
}
