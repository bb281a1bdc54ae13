import type { Json, OptionalTime, Time } from './column-types.ts'

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
