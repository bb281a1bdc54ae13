import type { JWK } from 'jose'
import type { ColumnType, Generated } from 'kysely'
import type { AccountScope, AccountStatus, AuthKind } from '../../schemas/organizations/account.ts'
import type { CredentialPer } from '../../schemas/remotes/auth.ts'
import type { RemoteOauth } from '../../schemas/remotes/oauth-client.ts'
import type { Candidate, Confirmation, RefreshMode } from '../../schemas/remotes/refresh.ts'
import type { RemoteAuthMode } from '../../schemas/remotes/remote.ts'
import type { Json, OptionalTime, Time } from './column-types.ts'

/** A connected account. Its credential is in a table of its own. */
export interface AccountsTable {
  org_id: string
  id: string
  /** The connector's id. */
  connector: string
  /** The user who connected it: the owner of a private account, the creator of a shared one. */
  user_id: string
  scope: AccountScope
  alias: string
  /** The alias in its comparison form (aliasKey); null in rows of older versions. */
  alias_key: string | null
  /** The provider's name for it, for display. */
  identity: string
  /** The provider's unique key for it; a reauthorization must find the same key. */
  identity_key: string
  auth_kind: AuthKind
  /** For a provided key: whether the provider confirmed it; null for other connect methods. */
  key_verified: boolean | null
  status: AccountStatus
  /** What the provider needs besides a credential (site, cloud ID, …); never a secret. */
  settings: Json<Record<string, string>>
  /** The scopes that the provider granted; null if the provider does not report them. */
  granted_scopes: ColumnType<string[] | null, string | null, string | null>
  /**
   * The remote connector whose upstream credential this is: a shared account for the organization, a private one for a
   * member. Such an account is never listed. Null for every other account.
   */
  remote_id: ColumnType<string | null, string | null | undefined, never>
  created_at: Time
  updated_at: Time
}

/** The sealed credential of an account, and its refresh lease. Changes here do not affect tool surfaces. */
export interface AccountCredentialsTable {
  org_id: string
  account_id: string
  /** A sealed Credential (vault). */
  sealed: string
  /** The vault key that sealed it. */
  key_id: string
  /** Counts stored credentials: a refresh of an older version finds the newer one. */
  version: Generated<number>
  /** Counts authorizations: only they notify other processes. */
  authorizations: Generated<number>
  /** When its access token expires; null if never or unknown. */
  expires_at: OptionalTime
  /** The OAuth client it was issued to; null for keys. */
  client_id: string | null
  client_source: 'platform' | 'org' | null
  /** The process that refreshes it now, and until when. */
  refresh_owner: string | null
  refresh_until: OptionalTime
  /** The number of consecutive failed refreshes, and the earliest time of the next try. */
  refresh_failures: Generated<number>
  retry_at: OptionalTime
  /** When the provider rejected this version, which made the account need a reauthorization; null if it did not. */
  refused_at: OptionalTime
  updated_at: Time
}

/** An organization's own OAuth client for a connector. */
export interface OauthClientsTable {
  org_id: string
  connector: string
  client_id: string
  /** The sealed client secret (vault). */
  sealed: string
  key_id: string
  /** The admin who set it; null for the operator. */
  set_by: string | null
  created_at: Time
  rotated_at: OptionalTime
  /** The remote connector whose authorization server knows it; null for a curated connector's client. */
  remote_id: ColumnType<string | null, string | null | undefined, never>
}

/** An authorization that was begun: single use, bound to its member, gone after ten minutes. */
export interface ConnectAttemptsTable {
  org_id: string
  /**
   * SHA-256 of the `state` (OAuth 2) or of the request token (OAuth 1.0a), base64url. Unique only within the
   * organization, because a provider chooses the request token.
   */
  id: string
  user_id: string
  connector: string
  /**
   * Sealed: the PKCE verifier or the token secret, the redirect URI, and the settings of the account to create (vault).
   */
  sealed: string
  key_id: string
  expires_at: Time
}

/** An upstream MCP server that an organization registered. Its secrets are with accounts and OAuth clients. */
export interface RemoteConnectorsTable {
  org_id: string
  id: string
  slug: string
  name: string
  upstream_url: string
  auth_mode: RemoteAuthMode
  /** The header that carries the value; only for mode `header`. */
  header_name: string | null
  /** Only for the modes `oauth` and `client_credentials`. */
  oauth: ColumnType<RemoteOauth | null, string | null, string | null>
  /** Whether one credential serves the organization, or each member has their own. */
  credential_per: Generated<CredentialPer>
  /** The names of the fixed headers beside the credential; null without any. Their values are sealed (vault). */
  header_names: ColumnType<string[] | null, string | null | undefined, string | null>
  sealed: Generated<string | null>
  key_id: Generated<string | null>
  hidden: Generated<boolean>
  created_by: string
  created_at: Time
  /** When the last refresh started, whatever its result. */
  refreshed_at: OptionalTime
  /** The served snapshot; null before the first one. */
  snapshot_id: string | null
  /** Why there is no snapshot although the server returned its tools. */
  snapshot_refusal: Generated<string | null>
  /** The snapshot that waits for an admin. */
  candidate: ColumnType<Candidate | null, string | null | undefined, string | null>
  refresh_mode: Generated<RefreshMode>
  /** When the job of automatic refreshes last took a snapshot, whatever its result. */
  checked_at: OptionalTime
  /** The JSON of StoredOverride[]; null without any. */
  overrides: ColumnType<string | null, string | null | undefined, string | null>
  confirmed: ColumnType<Confirmation | null, string | null | undefined, string | null>
}

/** A key that signs who calls an organization's own servers. It belongs to no organization. */
export interface AssertionKeysTable {
  id: string
  public_jwk: Json<JWK>
  /** The sealed private JWK (vault). */
  sealed: string
  key_id: string
  signs_from: Time
  signs_until: Time
  /** Until when it is published, so that what it signed last can be verified. */
  published_until: Time
}

/** What an upstream offered at a point in time. Rows never change. */
export interface RemoteSnapshotsTable {
  org_id: string
  id: string
  remote_id: string
  fetched_at: Time
  hash: string
  /** The JSON of `{v: 1, tools: PinnedTool[]}`, as a JSON string: an upstream's schemas keep their order and their every character. */
  tools: ColumnType<string, string, never>
  /** The JSON of `{ v: 1 }` and a `RejectedTools`, the same way. */
  set_aside: ColumnType<string, string, never>
  /** The JSON of an `Offers`, the same way; null in snapshots from before offers were pinned. */
  offers: ColumnType<string | null, string | null, never>
}

/** A page that the web tools have read, kept for a few minutes. */
export interface WebPagesTable {
  org_id: string
  id: string
  /** As it was asked for. */
  url: string
  view: string
  /** The JSON of `{v: 1, page: StoredPage}`. */
  page: string
  /** The size of `page`, for the bound of an organization. */
  bytes: number
  fetched_at: Time
  expires_at: Time
}

/** A file that a tool created or a member uploaded. Its bytes are in DATA_DIR/artifacts or a bucket. */
export interface ArtifactsTable {
  org_id: string
  id: string
  user_id: string
  name: string
  media_type: string
  bytes: number
  created_at: Time
  expires_at: Time
  /** The name of the bytes in the store; null: the ID. */
  stored_as: ColumnType<string | null, string | null | undefined, never>
}
