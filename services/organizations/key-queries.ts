import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { Actor, Audit } from '../../lib/audit/audit.ts'
import type { KeyRing } from '../../lib/configuration/key-ring.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs, type OrgDatabase } from '../../lib/database/tenant.ts'
import type { GatewayEnvironment } from '../../schemas/gateway/environment.ts'
import type { Logger } from '../../schemas/gateway/log.ts'
import type { Clock } from '../../schemas/primitives/time.ts'
import { keyPrefix } from '../identity/key-format.ts'

interface Revocation {
  at: Date
  by: Actor
  /** The change that causes the revocation, if any. */
  because?: string
}

/** Revokes the chosen keys that are not revoked yet and writes an audit row for each. Returns their number. */
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

/** Selects what each key of an organization has spent and holds in this month (UTC, by the database's clock), for a join. */
export function thisMonthOf(db: Kysely<Database>, orgId: string) {
  return db
    .selectFrom('key_months')
    .where('org_id', '=', orgId)
    .where('month', '=', sql<string>`gateway_month()`)
    .select(['key_id', 'spent_micros', 'held_micros'])
    .as('this_month')
}

/** A pepper and the number of keys that depend on it. */
export interface PepperUse {
  id: string
  /** The number of keys of this environment under it that are neither revoked nor expired. */
  keys: number
  /** False if the pepper is not configured: its keys are invalid then. */
  configured: boolean
}

/**
 * Counts the active keys of an environment per pepper: first the configured peppers in their order, then the missing ones.
 * Keys of other environments, which a move copies, are rejected whatever their pepper.
 */
export async function pepperUse(
  db: Kysely<Database>,
  { peppers, environment, clock }: { peppers: KeyRing; environment: GatewayEnvironment; clock: Clock },
): Promise<PepperUse[]> {
  const now = new Date(clock.now())
  const active = acrossOrgs(db)
    .selectFrom('api_keys')
    .where('revoked_at', 'is', null)
    .where(sql<SqlBool>`starts_with(prefix, ${keyPrefix(environment)})`)
    .where(eb => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
  // A replaced secret depends on its own pepper.
  const replaced = active.where('previous_expires_at', '>', now).where('previous_pepper_id', 'is not', null)
  const rows = await acrossOrgs(db)
    .selectFrom(
      active
        .select(['id', 'pepper_id as pepper'])
        .union(replaced.select(['id', sql<string>`previous_pepper_id`.as('pepper')]))
        .as('secrets'),
    )
    .groupBy('pepper')
    .orderBy('pepper')
    .select(eb => ['pepper as id', eb.fn.countAll<number>().as('keys')])
    .execute()
  const counts = new Map(rows.map(({ id, keys }) => [id, keys]))
  const configured = peppers.map(({ id }) => ({ id, keys: counts.get(id) ?? 0, configured: true }))
  const known = new Set(configured.map(({ id }) => id))
  return [...configured, ...rows.filter(({ id }) => !known.has(id)).map(row => ({ ...row, configured: false }))]
}

/** Logs one warning with the peppers of active keys that are not configured, if there are any. */
export function warnOfMissingPeppers(peppers: readonly PepperUse[], log: Logger): void {
  const missing = peppers.filter(({ configured }) => !configured)
  if (missing.length === 0) return
  log.warn(
    // The field name does not contain "pepper", because the log redacts fields with such names.
    { missing: missing.map(({ id, keys }) => ({ id, keys })) },
    'API_KEY_PEPPERS does not name the peppers of some API keys, which are rejected as unknown',
  )
}
