import type { RemoteOauth } from '../../schemas/oauth-client.ts'

/** How an upstream is authenticated to where it wants to be: what the keeping of its credential needs to know. */
export type CredentialAuth =
  | { readonly mode: 'bearer' }
  /** `headerName` carries the value. */
  | { readonly mode: 'header'; readonly headerName: string }
  | { readonly mode: 'oauth'; readonly oauth: RemoteOauth }

/** How an upstream is authenticated to, without the secret. */
export type RemoteAuth = { readonly mode: 'none' } | CredentialAuth

/** A registered upstream, without its secrets: those are an account's (`accounts.remote_id`) and an OAuth client's. */
export interface Registration {
  readonly id: string
  readonly orgId: string
  readonly slug: string
  readonly name: string
  readonly upstreamUrl: string
  readonly auth: RemoteAuth
  /** Hidden by an admin: the entry stays, the tools are gone. */
  readonly hidden: boolean
  readonly createdBy: string
  readonly createdAt: Date
  /** The snapshot that is served; null before the first. */
  readonly snapshotId: string | null
  /** Why none is served although the upstream gave its tools: a sentence. */
  readonly snapshotRefusal: string | null
}
