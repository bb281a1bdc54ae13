import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { hasHidden } from '../../lib/sanitize-text.ts'
import { isCost, isMicros, MOST_MICROS } from '../../schemas/billing/money.ts'
import type { Role } from '../../schemas/organizations/member.ts'
import { isId } from '../../schemas/primitives/ids.ts'

/** The role of a member; undefined for users who are not members or were removed. */
export async function roleOf(org: OrgDatabase, userId: string): Promise<Role | undefined> {
  return isId('usr', userId) ? (await activeMembership(org, userId).executeTakeFirst())?.role : undefined
}

/**
 * Whether a user is an active member. Locks the membership until the transaction ends, so that a member who leaves
 * meanwhile leaves no private account behind.
 */
export async function lockActiveMember(org: OrgDatabase, userId: string): Promise<boolean> {
  return (await activeMembership(org, userId).forShare().executeTakeFirst()) !== undefined
}

function activeMembership(org: OrgDatabase, userId: string) {
  return org.selectFrom('memberships').where('user_id', '=', userId).where('revoked_at', 'is', null).select('role')
}

/** The role of a member. Throws `code` if the user is not a member or was removed. */
export async function requireMember(
  org: OrgDatabase,
  userId: string,
  code: 'invalid_request' | 'not_found' = 'invalid_request',
): Promise<Role> {
  const role = await roleOf(org, userId)
  if (role === undefined) throw notMember(org.orgId, userId, code)
  return role
}

/** The error for a user who is not a member, or was removed. */
export function notMember(orgId: string, userId: string, code: 'invalid_request' | 'not_found'): GatewayError {
  return new GatewayError(code, `${userId} is not a member of ${orgId}.`)
}

/** Throws invalid_request if the organization does not exist. */
export async function requireOrganization(db: Kysely<Database>, orgId: string): Promise<void> {
  const found = await db.selectFrom('organizations').where('id', '=', orgId).select('id').executeTakeFirst()
  if (found === undefined) throw new UnknownOrganization(orgId)
}

/** The error for an organization that does not exist, or to which the actor has no access. Only operators can list all. */
export class UnknownOrganization extends GatewayError {
  constructor(orgId: string) {
    super('invalid_request', `There is no organization ${orgId}.`)
  }
}

/** What makes an emoji of a character. */
const SELECTOR = /(?<!\uFE0F)\uFE0F(?!\uFE0F)/g

/**
 * Throws invalid_request for the name of a key or an agent with characters that people cannot see: the model of an admin
 * who lists what members have named would read them.
 */
export function requireVisibleName(name: string): void {
  if (hasHidden(name.replace(SELECTOR, '')))
    throw new GatewayError('invalid_request', 'The `name` has characters that are invisible. Remove them.')
}

/** Throws invalid_request with the name of an amount, unless the amount is a valid number of micro-dollars. */
export function requireMicros(name: string, value: unknown, { from }: { from: 0 | 1 }): void {
  if (from === 0 ? isCost(value) : isMicros(value)) return
  throw new GatewayError(
    'invalid_request',
    `${name} must be an integer of micro-dollars from ${from} to ${MOST_MICROS}.`,
  )
}
