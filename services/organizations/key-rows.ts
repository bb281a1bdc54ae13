import { type Kysely, type Selectable, sql } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { policyColumn } from '../policies/policies.ts'
import type { StoredPolicy } from '../policies/policy.ts'
import { thisMonthOf } from './key-queries.ts'

/** A key in a list: enough to recognize it, nothing that reveals its secret. */
export interface ListedKey {
  id: string
  prefix: string
  last4: string
  name: string
  userId: string
  agentId: string | null
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  /** The last characters of the secret that the last rotation replaced, and until when it is valid; null if there is none. */
  previousLast4: string | null
  previousExpiresAt: Date | null
  /** What the key may spend per month (UTC), in micro-dollars; unlimited if null. */
  monthlyCapMicros: number | null
  spentThisMonthMicros: number
  /** The end of its last call of a tool that is written already. */
  lastUsedAt: Date | null
  policy: StoredPolicy | null
}

/** What changes of a key; absent members stay, null removes. */
export interface KeyUpdate {
  name?: string
  expiresAt?: Date | null
  monthlyCapMicros?: number | null
  policy?: StoredPolicy | null
}

/** Selects the keys of an organization as lists show them. */
export function listedKeys(db: Kysely<Database>, orgId: string) {
  return forOrg(db, orgId)
    .selectFrom('api_keys')
    .leftJoin(thisMonthOf(db, orgId), join => join.onRef('this_month.key_id', '=', 'api_keys.id'))
    .select(eb => [
      'id',
      'prefix',
      'last4',
      'name',
      'user_id as userId',
      'agent_id as agentId',
      'created_at as createdAt',
      'expires_at as expiresAt',
      'revoked_at as revokedAt',
      'previous_last4 as previousLast4',
      'previous_expires_at as previousExpiresAt',
      'monthly_cap_micros as monthlyCapMicros',
      eb.fn.coalesce('spent_micros', sql<number>`0`).as('spentThisMonthMicros'),
      eb
        .selectFrom('usage')
        .where('usage.org_id', '=', orgId)
        .whereRef('usage.key_id', '=', 'api_keys.id')
        .orderBy('usage.at', 'desc')
        .limit(1)
        .select('usage.at')
        .as('lastUsedAt'),
      policyColumn(db, { orgId, layer: 'key', id: 'api_keys.id' }),
    ])
}

export type KeyRow = Selectable<Database['api_keys']>

/** The row of a key that exists. */
export function keyRow(org: OrgDatabase, id: string): Promise<KeyRow> {
  return org.selectFrom('api_keys').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
}

/** Throws invalid_request if a key is revoked. */
export function requireNotRevoked({ id, revoked_at }: KeyRow): void {
  if (revoked_at !== null)
    throw new GatewayError('invalid_request', `Key ${id} is revoked, which is permanent. Create another key.`)
}

/** Later times have years of more than four digits, which no entry may have (RFC 3339). */
const LAST_EXPIRY = new Date('9999-12-31T23:59:59.999Z')

/** Throws invalid_request for an expiry that is not in the future, or after the year 9999. */
export function requireFuture(expiresAt: Date, now: Date): void {
  if (expiresAt <= now)
    throw new GatewayError('invalid_request', 'The expiry of a key must be in the future. Use a later time, or none.')
  if (expiresAt > LAST_EXPIRY)
    throw new GatewayError(
      'invalid_request',
      'The expiry of a key must be in year 9999 or before. Use none for a key that never expires.',
    )
}

/** What an update changes of a key, each with the action and the detail of its audit row. */
export function changesOf(before: KeyRow, { name, expiresAt, monthlyCapMicros }: KeyUpdate) {
  const changes = []
  if (name !== undefined && name !== before.name)
    changes.push({ set: { name }, action: 'key.rename', detail: { name, before: before.name } })
  if (expiresAt !== undefined && expiresAt?.getTime() !== before.expires_at?.getTime())
    changes.push({
      set: { expires_at: expiresAt },
      action: 'key.expiry',
      detail: { expiresAt, before: before.expires_at },
    })
  if (monthlyCapMicros !== undefined && monthlyCapMicros !== before.monthly_cap_micros)
    changes.push({
      set: { monthly_cap_micros: monthlyCapMicros },
      action: 'key.cap',
      detail: { monthlyCapMicros, before: before.monthly_cap_micros },
    })
  return changes
}

/** What a rotation stores of the replaced secret. An overlap of 0 makes it invalid. */
export function replacedSecret(
  { hash, pepper_id, last4 }: KeyRow,
  { from, seconds }: { from: number; seconds: number },
) {
  if (seconds === 0)
    return { previous_hash: null, previous_pepper_id: null, previous_last4: null, previous_expires_at: null }
  return {
    previous_hash: hash,
    previous_pepper_id: pepper_id,
    previous_last4: last4,
    previous_expires_at: new Date(from + seconds * 1_000),
  }
}

/** Throws invalid_request unless the agent can get keys that act as this owner. */
export async function requireOwnAgent(org: OrgDatabase, agentId: string, ownerId: string): Promise<void> {
  const agent = await org
    .selectFrom('agents')
    .where('id', '=', agentId)
    .select(['owner_id', 'status'])
    .executeTakeFirst()
  if (agent?.owner_id !== ownerId)
    throw new GatewayError('invalid_request', `${ownerId} is not the owner of agent ${agentId}.`)
  if (agent.status === 'retired')
    throw new GatewayError('invalid_request', `Agent ${agentId} is retired, so it cannot get new keys.`)
}
