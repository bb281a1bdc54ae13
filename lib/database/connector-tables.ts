import type { ColumnType, Generated } from 'kysely'
import type { AccountScope, AccountStatus, AuthKind } from '../../schemas/account.ts'
import type { RemoteOauth } from '../../schemas/oauth-client.ts'
import type { RemoteAuthMode } from '../../schemas/remote.ts'
import type { Json, OptionalTime, Time } from './column-types.ts'

/** A connected account as everybody who sees it may know it; its credential stands in a table of its own. */
export interface AccountsTable {
  org_id: string
  id: string
  /** The connector's id. */
  connector: string
  /** Who connected it: the owner of a private account, the creator of a shared one. */
  user_id: string
  scope: AccountScope
  alias: string
  /** What the alias is compared by (aliasKey); null in rows of older versions. */
  alias_key: string | null
  /** How the provider names it, for people. */
  identity: string
  /** What the provider tells it from others by; reauthorizing must meet the same. */
  identity_key: string
  auth_kind: AuthKind
  /** Of a pasted key: whether the provider was asked; null for the other doors. */
  key_verified: boolean | null
  status: AccountStatus
  /** What the provider needs beside a credential (site, cloud id, …); never a secret. */
  settings: Json<Record<string, string>>
  /** The scopes that the provider granted; null where it does not say. */
  granted_scopes: ColumnType<string[] | null, string | null, string | null>
  /** The registration whose upstream it is the credential of: nobody's to see or to choose. Null for every other account. */
  remote_id: ColumnType<string | null, string | null | undefined, never>
  created_at: Time
  updated_at: Time
}

/** The sealed credential of an account, and who refreshes it. Changes here touch no tool surface. */
export interface AccountCredentialsTable {
  org_id: string
  account_id: string
  /** A sealed Credential (vault). */
  sealed: string
  /** The vault key it is sealed with. */
  key_id: string
  /** Counts what was stored: who refreshed on an older one finds the newer. */
  version: Generated<number>
  /** When its access token ends; null where it does not, or nobody knows. */
  expires_at: OptionalTime
  /** The OAuth client it was issued to; null for keys. */
  client_id: string | null
  client_source: 'platform' | 'org' | null
  /** Who refreshes it now, until when. */
  refresh_owner: string | null
  refresh_until: OptionalTime
  /** Failed refreshes in a row, and before when none is tried. */
  refresh_failures: Generated<number>
  retry_at: OptionalTime
  /** When the provider refused this version, which made the account need a reauthorization; null for one it did not. */
  refused_at: OptionalTime
  updated_at: Time
}

/** An organization's own OAuth client of a connector. */
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
  /** The registration whose upstream's authorization server knows it; null for a curated connector's. */
  remote_id: ColumnType<string | null, string | null | undefined, never>
}

/** An authorization that was begun: single use, bound to its member, gone after ten minutes. */
export interface ConnectAttemptsTable {
  org_id: string
  /** SHA-256 of the `state` (OAuth 2) or of the request token (OAuth 1.0a), base64url; its organization's alone, since a provider chooses the latter. */
  id: string
  user_id: string
  connector: string
  /** Sealed: the PKCE verifier or the token secret, the redirect URI, and what is to be made of it (vault). */
  sealed: string
  key_id: string
  expires_at: Time
}

/** An upstream MCP server that an organization has registered; its secrets stand with accounts and OAuth clients. */
export interface RemoteConnectorsTable {
  org_id: string
  id: string
  slug: string
  name: string
  upstream_url: string
  auth_mode: RemoteAuthMode
  /** The header that carries the value; of mode `header` alone. */
  header_name: string | null
  /** Of mode `oauth` alone. */
  oauth: ColumnType<RemoteOauth | null, string | null, string | null>
  hidden: Generated<boolean>
  created_by: string
  created_at: Time
  /** When a refresh was begun last, whatever came of it. */
  refreshed_at: OptionalTime
  /** The snapshot that is served; null before the first. */
  snapshot_id: string | null
  /** Why there is no snapshot although the server gave its tools. */
  snapshot_refusal: Generated<string | null>
}

/** What an upstream offered at a time; never changed once it is there. */
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
}

/** A file that a tool made; its bytes lie in DATA_DIR/artifacts. */
export interface ArtifactsTable {
  org_id: string
  id: string
  user_id: string
  name: string
  media_type: string
  bytes: number
  created_at: Time
  expires_at: Time
}
