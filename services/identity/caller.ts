import { GatewayError } from '../../lib/errors/errors.ts'
import type { Role } from '../../schemas/role.ts'
import type { ApiKeyIdentity, Identity, UserIdentity } from './identity.ts'

/** A member in the organization he acts in: the pair that decides what a response contains. */
export interface Caller {
  readonly userId: string
  readonly orgId: string
  readonly role: Role
}

/** Who acts: a verified identity, and the member it is; null for a user without an active organization. */
export interface Principal {
  readonly identity: Identity
  readonly caller: Caller | null
}

/** Where a user acts: as a member, nowhere yet, or in an organization that has removed him. */
export type ActiveOrganization =
  | { state: 'member'; orgId: string; role: Role }
  | { state: 'none' }
  | { state: 'revoked' }

/** An API key acts in its own organization. */
export function callerOfKey(identity: ApiKeyIdentity): Caller {
  return { userId: identity.userId, orgId: identity.orgId, role: identity.role }
}

/** A user acts in the organization he chose. */
export function callerOfUser(identity: UserIdentity, { orgId, role }: { orgId: string; role: Role }): Caller {
  return { userId: identity.userId, orgId, role }
}

/** Whether the caller may administer the organization: "admin" in spec.md means owner or admin. */
export function isAdmin(caller: Caller): boolean {
  return caller.role === 'owner' || caller.role === 'admin'
}

/** The refusal of everything that needs an organization, while the user has none. */
export function noActiveOrg(): GatewayError {
  return new GatewayError(
    'no_active_org',
    'Your sign-in has no active organization. Choose one with manage__switch_org, or have an operator make you a member ' +
      'of one (manage__whoami tells your user id), then try again.',
  )
}
