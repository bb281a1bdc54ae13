import { GatewayError } from '../../lib/errors/errors.ts'
import type { Role } from '../../schemas/organizations/member.ts'
import type { AgentIdentity, ApiKeyIdentity, Identity, UserIdentity } from './identity.ts'

/** A member and the organization that they act in. Together they decide what a response contains. */
export interface Caller {
  readonly userId: string
  readonly orgId: string
  readonly role: Role
}

/** A verified identity and its membership; `caller` is null for a user without an active organization. */
export interface Principal {
  readonly identity: Identity
  readonly caller: Caller | null
}

/** The active organization of a user: a membership, none yet, or an organization that removed the user. */
export type ActiveOrganization =
  | { state: 'member'; orgId: string; role: Role }
  | { state: 'none' }
  | { state: 'revoked' }

/** An API key and an agent act in their own organization. */
export function callerOfKey(identity: ApiKeyIdentity | AgentIdentity): Caller {
  return { userId: identity.userId, orgId: identity.orgId, role: identity.role }
}

/** A user acts in their active organization. */
export function callerOfUser(identity: UserIdentity, { orgId, role }: { orgId: string; role: Role }): Caller {
  return { userId: identity.userId, orgId, role }
}

/** Whether the caller may administer the organization, as its owner or an admin. */
export function isAdmin(caller: Caller): boolean {
  return caller.role === 'owner' || caller.role === 'admin'
}

/** The error of every operation that needs an organization, for a user without an active one. */
export function noActiveOrg(): GatewayError {
  return new GatewayError(
    'no_active_org',
    'Your sign-in has no active organization. Choose one with manage__switch_org or PATCH /me. If you are not a ' +
      'member of an organization, ask for an invitation, or ask the operator to add you (manage__whoami shows your ' +
      'user ID).',
  )
}

/** The error of account and billing routes for a user whose chosen organization has removed them. */
export function membershipRevoked(): GatewayError {
  return new GatewayError(
    'MEMBERSHIP_REVOKED',
    'You are no longer a member of the organization that you chose. Choose another one with PATCH /me.',
  )
}
