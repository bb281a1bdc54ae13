import type { ColumnType, Generated } from 'kysely'
import type { Role } from '../../schemas/organizations/member.ts'
import type { Json, OptionalTime, Time } from './column-types.ts'

export type AgentStatus = 'active' | 'suspended' | 'retired'

export interface OrganizationsTable {
  id: string
  name: string
  created_at: Time
  /** Since when the operator has suspended everything that costs money. A top-up does not lift it. */
  suspended_at: OptionalTime
}

export interface UsersTable {
  id: string
  email: string | null
  created_at: Time
}

/** The (issuer, subject) pairs of a user's tokens. */
export interface UserSubjectsTable {
  issuer: string
  subject: string
  user_id: string
  created_at: Time
}

/** The organization a user works in, per OAuth client; the row with an empty client ID is the default. */
export interface ActiveOrganizationsTable {
  user_id: string
  client_id: string
  org_id: string
  chosen_at: Time
}

/** A revoked membership keeps its row, because agents, keys and audit rows refer to it. */
export interface MembershipsTable {
  org_id: string
  user_id: string
  role: Role
  created_at: Time
  revoked_at: OptionalTime
}

export interface AgentsTable {
  org_id: string
  id: string
  owner_id: string
  name: string
  status: AgentStatus
  /** Whether it is suspended because its owner left. A new owner reactivates it. */
  orphaned: Generated<boolean>
  created_at: Time
}

/** The (issuer, subject) pairs of agents' own tokens. A pair is a user's or an agent's, never both. */
export interface AgentSignInsTable {
  org_id: string
  id: string
  agent_id: string
  issuer: string
  subject: string
  created_at: Time
  /** When the keys of its retired agent were revoked: its tokens are invalid since. */
  revoked_at: OptionalTime
}

export interface ApiKeysTable {
  org_id: string
  id: string
  user_id: string
  agent_id: string | null
  name: string
  /** HMAC-SHA-256 of the key under the named pepper, in hexadecimal. */
  hash: string
  pepper_id: string
  prefix: string
  last4: string
  created_at: Time
  expires_at: OptionalTime
  revoked_at: OptionalTime
  /** The monthly spending cap (UTC) in micro-dollars; null means no cap. */
  monthly_cap_micros: ColumnType<number | null, number | null | undefined>
  /** The replaced secret of a rotated key, as `hash`. All four are null if there is none. */
  previous_hash: ColumnType<string | null, string | null | undefined>
  previous_pepper_id: ColumnType<string | null, string | null | undefined>
  previous_last4: ColumnType<string | null, string | null | undefined>
  /** Until when the replaced secret is valid. */
  previous_expires_at: OptionalTime
}

/** A key or a secret that a member asked a tool for. It does not exist before the claim is redeemed. */
export interface KeyClaimsTable {
  org_id: string
  id: string
  /** The member who asked, the only one who may redeem it. */
  user_id: string
  /** SHA-256 of the token in the link, in hexadecimal. */
  token_hash: string
  /** What to create: `{create: …}` or `{rotate: …}`. */
  request: Json
  created_at: Time
  expires_at: Time
  used_at: OptionalTime
}

/**
 * A capability that is switched off or on: a family, a connector ID, `org__<slug>` or one tool; for a member, or for
 * everyone (user_id null).
 */
export interface CapabilitySettingsTable {
  org_id: string
  user_id: string | null
  capability: string
  enabled: boolean
  updated_at: Time
}

/** What an organization, the members of a role, an agent or a key may call. */
export interface PoliciesTable {
  org_id: string
  layer: 'organization' | 'role' | 'agent' | 'key'
  /** The ID of the agent or the key, or the role; empty for the organization. */
  subject: string
  /** StoredPolicy. */
  policy: Json
  updated_at: Time
}

/**
 * One row per organization. Triggers increment the version when anything changes that the organization's tool surface
 * depends on.
 */
export interface OrgSurfaceTable {
  org_id: string
  version: number
}

/** The browsers that are signed in to the dashboard. Both secrets of a session are stored as digests. */
export interface DashboardSessionsTable {
  /** `ses_…`, which names the session in the list of a user. */
  id: string
  user_id: string
  /** SHA-256 of the cookie. */
  cookie_hash: string
  /** SHA-256 of the token that the page sends as a header. */
  token_hash: string
  /** What the browser called itself when it signed in. */
  user_agent: string
  /** The sign-in at the issuer; null for a one-time link. */
  issuer: string | null
  subject: string | null
  /** The issuer's name of its own session (`sid`), for its logout. */
  issuer_session: string | null
  /** The email of the sign-in, if the issuer says that it is verified: invitations are for an address. */
  verified_email: string | null
  created_at: Time
  used_at: Time
  /** The latest end, however much it is used. */
  expires_at: Time
}

/** One-time links that sign a user in. */
export interface SignInLinksTable {
  /** SHA-256 of the token. */
  token_hash: string
  user_id: string
  created_at: Time
  expires_at: Time
  used_at: OptionalTime
}

/** Sign-ins that wait for the issuer's answer. */
export interface PendingSignInsTable {
  /** SHA-256 of the `state`. */
  id: string
  /** SHA-256 of a cookie of the browser that began it. */
  browser_hash: string
  /** Sealed: the PKCE verifier, the nonce, and where the browser goes afterwards (vault). */
  sealed: string
  key_id: string
  expires_at: Time
}

/** What the local issuer of development keeps: registered clients, grants, refresh tokens, authorizations that wait for the user. */
export interface IssuerRecordsTable {
  /** `Client`, `Grant`, … as oidc-provider names it. */
  kind: string
  /** SHA-256 of the ID. */
  id_hash: string
  payload: Json
  /** The grant that a code or token belongs to, and ends with. */
  grant_id: string | null
  expires_at: Time
}
