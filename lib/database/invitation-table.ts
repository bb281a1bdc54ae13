import type { Role } from '../../schemas/role.ts'
import type { OptionalTime, Time } from './column-types.ts'

/** Invitations to join an organization. A link works once, for the invited address. */
export interface InvitationsTable {
  org_id: string
  id: string
  email: string
  /** The form in which addresses are compared. */
  email_key: string
  role: Role
  /** SHA-256 of the token, which has 256 random bits. */
  token_hash: string
  /** The user who invited; null for the operator. */
  invited_by: string | null
  created_at: Time
  expires_at: Time
  accepted_at: OptionalTime
  accepted_by: string | null
  revoked_at: OptionalTime
}
