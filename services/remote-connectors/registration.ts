import { isDeepStrictEqual } from 'node:util'
import type { CredentialPer } from '../../schemas/remotes/auth.ts'
import type { RemoteOauth } from '../../schemas/remotes/oauth-client.ts'
import type { StoredOverride } from '../../schemas/remotes/overrides.ts'
import type { Candidate, Confirmation, RefreshMode } from '../../schemas/remotes/refresh.ts'

/** Whose credential it is; the organization's if absent. */
interface Per {
  readonly per?: CredentialPer
}

/** How the gateway authenticates to an upstream that requires a credential. Contains no secret. */
export type CredentialAuth =
  | ({ readonly mode: 'bearer' } & Per)
  /** `headerName` is the header that carries the credential. */
  | ({ readonly mode: 'header'; readonly headerName: string } & Per)
  | ({ readonly mode: 'oauth'; readonly oauth: RemoteOauth } & Per)
  /** The gateway's client itself gets the tokens. */
  | ({ readonly mode: 'client_credentials'; readonly oauth: RemoteOauth } & Per)

/** How the gateway authenticates to an upstream. Contains no secret. `assertion`: the gateway signs who calls. */
export type RemoteAuth = { readonly mode: 'none' } | { readonly mode: 'assertion' } | CredentialAuth

/** Fixed headers that every request to an upstream carries beside its credential. Their values are sealed. */
export interface SealedHeaders {
  readonly names: readonly string[]
  /** The JSON of the headers by name. */
  readonly sealed: string
  readonly keyId: string
}

/** A registered upstream. Its secrets are stored with its account (`accounts.remote_id`) and its OAuth client. */
export interface Registration {
  readonly id: string
  readonly orgId: string
  readonly slug: string
  readonly name: string
  readonly upstreamUrl: string
  readonly auth: RemoteAuth
  /** The fixed headers beside the credential. */
  readonly headers?: SealedHeaders
  /** Whether its tools are hidden from the organization. Its catalog entry stays. */
  readonly hidden: boolean
  readonly createdBy: string
  readonly createdAt: Date
  /** The snapshot that is served; null before the first. */
  readonly snapshotId: string | null
  /** Why a snapshot that was taken is not served, as a sentence. */
  readonly snapshotRefusal: string | null
  readonly refresh: RefreshMode
  /** The snapshot that waits for an admin. Reads without a lock omit an expired one. */
  readonly candidate: Candidate | null
  /** What admins have set for single tools, by name. */
  readonly overrides: readonly StoredOverride[]
  readonly confirmed: Confirmation | null
}

/** How long a snapshot waits for an admin. */
export const CANDIDATE_MS = 7 * 24 * 3_600_000

/** The snapshot that waits for an admin, unless it has waited too long at a time in milliseconds since 1970. */
export function waitingAt(candidate: Candidate | null, at: number): Candidate | null {
  return candidate === null || candidate.fetchedAt + CANDIDATE_MS <= at ? null : candidate
}

/** Whether two states of a registration have the same server and the same way to authenticate to it. */
export function isSameUpstream(
  one: Pick<Registration, 'upstreamUrl' | 'auth'>,
  other: Pick<Registration, 'upstreamUrl' | 'auth'>,
): boolean {
  return one.upstreamUrl === other.upstreamUrl && isDeepStrictEqual(chosen(one.auth), chosen(other.auth))
}

/** The authentication without what the gateway finds out while it requests tokens, perhaps during the other request. */
function chosen(auth: RemoteAuth): RemoteAuth {
  if (!('oauth' in auth)) return auth
  const { withoutResource, ...oauth } = auth.oauth
  return { ...auth, oauth }
}

/** Whether a stored credential is sent to the upstream. With mode `assertion` the gateway signs each request instead. */
export function hasCredential(auth: RemoteAuth): auth is CredentialAuth {
  return auth.mode !== 'none' && auth.mode !== 'assertion'
}

/** Whether the upstream sees who calls: each member has a credential of their own, or the gateway signs who calls. */
export function isAsMember(registration: Pick<Registration, 'auth'>): boolean {
  return registration.auth.mode === 'assertion' || isPerMember(registration)
}

/** Whether each member has a credential of their own at the upstream. */
export function isPerMember({ auth }: Pick<Registration, 'auth'>): boolean {
  return 'per' in auth && auth.per === 'member'
}
