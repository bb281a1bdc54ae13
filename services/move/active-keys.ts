import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import type { Clock } from '../../schemas/time.ts'

/** An API key that is neither revoked nor expired, with its owner. */
export interface ActiveKey {
  id: string
  orgId: string
  userId: string
  /** The email of the user. */
  email: string | null
  agentId: string | null
  name: string
  prefix: string
  last4: string
  pepperId: string
}

/** The active API keys of all organizations, by organization and age. */
export function activeKeys(db: Kysely<Database>, clock: Clock): Promise<ActiveKey[]> {
  return acrossOrgs(db)
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .where('revoked_at', 'is', null)
    .where(eb => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', new Date(clock.now()))]))
    .orderBy('org_id')
    .orderBy('api_keys.id')
    .select([
      'api_keys.id',
      'org_id as orgId',
      'user_id as userId',
      'email',
      'agent_id as agentId',
      'name',
      'prefix',
      'last4',
      'pepper_id as pepperId',
    ])
    .execute()
}
