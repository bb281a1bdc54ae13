import type { Kysely } from 'kysely'
import type { Role } from '../../schemas/role.ts'
import type { Database } from '../database/tables.ts'
import type { OrgDatabase } from '../database/tenant.ts'
import { GatewayError } from '../error-envelope/errors.ts'

/** Throws invalid_request unless the organization exists. */
export async function requireOrganization(db: Kysely<Database>, orgId: string): Promise<void> {
  const found = await db.selectFrom('organizations').where('id', '=', orgId).select('id').executeTakeFirst()
  if (found === undefined) throw new GatewayError('invalid_request', `There is no organization ${orgId}.`)
}

/** The role of a member; undefined for whom the organization does not know, and for a removed one. */
export async function roleOf(org: OrgDatabase, userId: string): Promise<Role | undefined> {
  const member = await org
    .selectFrom('memberships')
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .select('role')
    .executeTakeFirst()
  return member?.role
}

/** The role of a member; throws invalid_request unless the user is one, and not a removed one. */
export async function requireMember(org: OrgDatabase, userId: string): Promise<Role> {
  const role = await roleOf(org, userId)
  if (role === undefined) throw new GatewayError('invalid_request', `${userId} is no member of ${org.orgId}.`)
  return role
}
