import { type Kysely, sql } from 'kysely'
import type { Actor, Audit } from '../../lib/audit/audit.ts'
import type { KeyRing } from '../../lib/configuration/key-ring.ts'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { GatewayEnvironment } from '../../schemas/config.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Clock } from '../../schemas/time.ts'
import { hashApiKey } from '../identity/api-keys.ts'
import { keyHint, mintApiKey } from '../identity/key-format.ts'
import { type Change, changeIn, changeOf } from './change.ts'
import { type PepperUse, pepperUse, revokeKeys, thisMonthOf } from './key-queries.ts'
import { requireMember, requireMicros, requireOrganization } from './requirements.ts'

interface KeyStoreOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  audit: Audit
  environment: GatewayEnvironment
  /** New keys use the first one. */
  peppers: KeyRing
}

/** A key to create. */
interface NewKey {
  orgId: string
  /** The member that the key acts as. For an agent's key, the owner of the agent. */
  userId: string
  agentId?: string
  name?: string
  /** When the key expires; never if absent. */
  expiresAt?: Date
  /** What the key may spend per month (UTC), in micro-dollars; unlimited if absent. */
  monthlyCapMicros?: number
  by: Actor
}

/** A key in a list: enough to recognize it, nothing that reveals its secret. */
interface ListedKey {
  id: string
  prefix: string
  last4: string
  name: string
  userId: string
  agentId: string | null
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  /** What the key may spend per month (UTC), in micro-dollars; unlimited if null. */
  monthlyCapMicros: number | null
  spentThisMonthMicros: number
}

/** Creates, changes and lists API keys. */
export interface KeyStore {
  /**
   * Creates a key. Only this result contains the secret. Throws invalid_request for a user who is not a member, a retired
   * agent, an expiry in the past, and an invalid cap.
   */
  create(key: NewKey): Promise<{ id: string; key: string }>
  /** Revokes a key permanently; false if it was already revoked. Throws invalid_request for an unknown id. */
  revoke(id: string, change: Change): Promise<boolean>
  /**
   * Sets the monthly spending cap of a key, effective immediately; null removes it. Throws invalid_request for an unknown
   * id and for an invalid cap.
   */
  setCap(id: string, monthlyCapMicros: number | null, change: Change): Promise<void>
  /** The keys of an organization, including revoked and expired ones, oldest first. */
  list(orgId: string): Promise<ListedKey[]>
  /** Counts the active keys of this environment per pepper: first the configured peppers, then the missing ones. */
  pepperUse(): Promise<PepperUse[]>
}

export function createKeyStore({ db, clock, ids, audit, environment, peppers }: KeyStoreOptions): KeyStore {
  const [pepper] = peppers

  return {
    async create({ orgId, userId, agentId, name = 'API key', expiresAt, monthlyCapMicros, by }) {
      if (expiresAt !== undefined && expiresAt.getTime() <= clock.now())
        throw new GatewayError(
          'invalid_request',
          'The expiry of a key must be in the future. Use a later time, or none.',
        )
      if (monthlyCapMicros !== undefined) requireMicros('monthly_cap_micros', monthlyCapMicros, { from: 0 })
      const id = ids('key')
      const key = mintApiKey(environment)
      await changeIn(db, { orgId, by }, async org => {
        await requireMember(org, userId)
        if (agentId !== undefined) await requireOwnAgent(org, agentId, userId)
        await org
          .insertInto('api_keys', {
            id,
            user_id: userId,
            agent_id: agentId ?? null,
            name,
            hash: hashApiKey(key, pepper),
            pepper_id: pepper.id,
            ...keyHint(key),
            created_at: new Date(clock.now()),
            expires_at: expiresAt ?? null,
            monthly_cap_micros: monthlyCapMicros ?? null,
          })
          .execute()
        const detail = { name, userId, agentId, monthlyCapMicros }
        await audit.record(org, { by, action: 'key.create', target: id, detail })
      })
      return { id, key }
    },

    async revoke(id, { by }) {
      return changeOf(db, { table: 'api_keys', id, by }, async org => {
        const revoked = await revokeKeys(org, audit, eb => eb('id', '=', id), { at: new Date(clock.now()), by })
        return revoked > 0
      })
    },

    async setCap(id, monthlyCapMicros, { by }) {
      if (monthlyCapMicros !== null) requireMicros('monthly_cap_micros', monthlyCapMicros, { from: 0 })
      await changeOf(db, { table: 'api_keys', id, by }, async org => {
        const { before } = await org
          .selectFrom('api_keys')
          .where('id', '=', id)
          .select('monthly_cap_micros as before')
          .executeTakeFirstOrThrow()
        if (before === monthlyCapMicros) return
        await org.updateTable('api_keys').where('id', '=', id).set({ monthly_cap_micros: monthlyCapMicros }).execute()
        await audit.record(org, { by, action: 'key.cap', target: id, detail: { monthlyCapMicros, before } })
      })
    },

    async list(orgId) {
      await requireOrganization(db, orgId)
      return forOrg(db, orgId)
        .selectFrom('api_keys')
        .leftJoin(thisMonthOf(db, orgId), join => join.onRef('this_month.key_id', '=', 'api_keys.id'))
        .orderBy('created_at')
        .orderBy('id')
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
          'monthly_cap_micros as monthlyCapMicros',
          eb.fn.coalesce('spent_micros', sql<number>`0`).as('spentThisMonthMicros'),
        ])
        .execute()
    },

    pepperUse: () => pepperUse(db, { peppers, environment, clock }),
  }
}

async function requireOwnAgent(org: OrgDatabase, agentId: string, ownerId: string): Promise<void> {
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
