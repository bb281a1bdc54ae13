import type { Kysely } from 'kysely'
import type { GatewayEnvironment } from '../../schemas/environment.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Clock } from '../../schemas/time.ts'
import type { Audit } from '../audit/audit.ts'
import type { KeyRing } from '../configuration/key-ring.ts'
import type { Database } from '../database/tables.ts'
import { acrossOrgs, forOrg, type OrgDatabase } from '../database/tenant.ts'
import { GatewayError } from '../error-envelope/errors.ts'
import { hashApiKey } from '../identity/api-keys.ts'
import { keyHint, mintApiKey } from '../identity/key-format.ts'
import { requireMember } from './members.ts'

export interface KeyStoreOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  audit: Audit
  environment: GatewayEnvironment
  /** The first one makes. */
  peppers: KeyRing
}

/** A key to be made. */
export interface NewKey {
  orgId: string
  /** The member it acts as; of an agent's key, the agent's owner. */
  userId: string
  agentId?: string
  name?: string
  /** When it stops being one; never when absent. */
  expiresAt?: Date
}

/** API keys at rest. */
export interface KeyStore {
  /** Makes a key; its secret stands in this answer and nowhere else. Throws invalid_request for whom the organization does not know. */
  create(key: NewKey): Promise<{ id: string; key: string }>
  /** Revokes a key for good; throws invalid_request when there is none of this id. */
  revoke(id: string): Promise<void>
}

export function createKeyStore({ db, clock, ids, audit, environment, peppers }: KeyStoreOptions): KeyStore {
  const [pepper] = peppers

  return {
    async create({ orgId, userId, agentId, name = 'API key', expiresAt }) {
      const id = ids('key')
      const key = mintApiKey(environment)
      await forOrg(db, orgId).transaction(async org => {
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
          })
          .execute()
        await audit.record(org, { userId: null, action: 'key.create', target: id, detail: { name, agentId } })
      })
      return { id, key }
    },

    async revoke(id) {
      // The operator names a key alone; the organization it belongs to is found with it.
      const found = await acrossOrgs(db).selectFrom('api_keys').where('id', '=', id).select('org_id').executeTakeFirst()
      if (found === undefined) throw new GatewayError('invalid_request', `There is no key ${id}.`)
      await forOrg(db, found.org_id).transaction(async org => {
        await org
          .updateTable('api_keys')
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          .set({ revoked_at: new Date(clock.now()) })
          .execute()
        await audit.record(org, { userId: null, action: 'key.revoke', target: id, detail: {} })
      })
    },
  }
}

async function requireOwnAgent(org: OrgDatabase, agentId: string, ownerId: string): Promise<void> {
  const agent = await org.selectFrom('agents').where('id', '=', agentId).select('owner_id').executeTakeFirst()
  if (agent?.owner_id !== ownerId)
    throw new GatewayError('invalid_request', `${ownerId} is not the owner of agent ${agentId}.`)
}
