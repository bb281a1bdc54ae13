import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { isId } from '../../schemas/ids.ts'
import { isCost, isMicros, MOST_MICROS } from '../../schemas/money.ts'
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

/** Throws invalid_request unless the organization exists. */
export async function requireOrganization(db: Kysely<Database>, orgId: string): Promise<void> {
  const found = await db.selectFrom('organizations').where('id', '=', orgId).select('id').executeTakeFirst()
  if (found === undefined) throw unknownOrganization(orgId)
}

/** The refusal of an organization that does not exist, or is out of reach of who asks. */
export function unknownOrganization(orgId: string): GatewayError {
  return new GatewayError('invalid_request', `There is no organization ${orgId}.`)
}

/** Throws invalid_request by the name of an amount, unless it is an integer of micro-dollars from that on, none too large. */
export function requireMicros(name: string, value: unknown, { from }: { from: 0 | 1 }): void {
  if (from === 0 ? isCost(value) : isMicros(value)) return
  throw new GatewayError(
    'invalid_request',
    `${name} must be an integer of micro-dollars from ${from} to ${MOST_MICROS}.`,
  )
}
