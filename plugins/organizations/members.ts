import type { Kysely } from 'kysely'
import type { Database } from '../database/tables.ts'
import type { OrgDatabase } from '../database/tenant.ts'
import { GatewayError } from '../error-envelope/errors.ts'

/** Throws invalid_request unless the organization exists. */
export async function requireOrganization(db: Kysely<Database>, orgId: string): Promise<void> {
  const found = await db.selectFrom('organizations').where('id', '=', orgId).select('id').executeTakeFirst()
  if (found === undefined) throw new GatewayError('invalid_request', `There is no organization ${orgId}.`)
}

/** Throws invalid_request unless the user is a member of the organization, and not a removed one. */
export async function requireMember(org: OrgDatabase, userId: string): Promise<void> {
  const member = await org
    .selectFrom('memberships')
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .select('user_id')
    .executeTakeFirst()
  if (member === undefined) throw new GatewayError('invalid_request', `${userId} is no member of ${org.orgId}.`)
}
