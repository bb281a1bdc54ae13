import type { Actor } from '../../lib/audit/audit.ts'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Role } from '../../schemas/organizations/member.ts'
import { roleOf } from './requirements.ts'

/**
 * Throws admin_required unless the actor may give and take these roles: an owner all of them, an admin all but `owner`, a
 * member none. Reads the actor's current role: the one of the request may be 10 s old.
 */
export async function requireAuthority(org: OrgDatabase, by: Actor, roles: readonly Role[]): Promise<void> {
  if (typeof by === 'string') return
  const own = await roleOf(org, by.userId)
  if (mayGive(own, roles)) return
  throw new GatewayError(
    'admin_required',
    own === 'admin'
      ? 'Only an owner of the organization may make, change, remove or invite an owner. Ask an owner.'
      : 'Only an owner or an admin of the organization may do this. Ask one of them.',
  )
}

/** Whether someone with a role may give and take other roles. */
export function mayGive(own: Role | undefined, roles: readonly Role[]): boolean {
  return own === 'owner' || (own === 'admin' && !roles.includes('owner'))
}

/**
 * Throws what `unknown` returns unless the actor may change what a member owns: an owner or an admin everything, a member
 * their own. Reads the actor's current role, as requireAuthority does.
 */
export async function requireOwn(
  org: OrgDatabase,
  by: Actor,
  ownerId: string,
  unknown: () => GatewayError,
): Promise<void> {
  if (typeof by === 'string') return
  const own = await roleOf(org, by.userId)
  if (!mayGive(own, []) && (own === undefined || ownerId !== by.userId)) throw unknown()
}
