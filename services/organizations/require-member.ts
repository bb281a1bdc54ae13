import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { isId } from '../../schemas/ids.ts'
import type { Role } from '../../schemas/role.ts'

/** The role of a member; undefined for whom the organization does not know, and for a removed one. */
export async function roleOf(org: OrgDatabase, userId: string): Promise<Role | undefined> {
  if (!isId('usr', userId)) return undefined
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
