import type { Place, Vault } from '../../lib/vault/vault.ts'
import type { GrantConnector } from '../definitions/define-connector.ts'
import type { AccountKey, NextCredential, StoredCredential } from './credential-rows.ts'

/** A token with what renews it. */
export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken?: string
  /** When the access token ends, in milliseconds since the epoch; absent where it does not, or nobody knows. */
  readonly expiresAt?: number
}

/** What an account is acted with, in the clear: it lives within one call and is kept nowhere but sealed. */
export type Credential =
  /** `user`: the token of the authorizing user, where a provider issues one beside the connector's own (Slack). */
  | ({ readonly v: 1; readonly kind: 'oauth2'; readonly user?: TokenPair } & TokenPair)
  | { readonly v: 1; readonly kind: 'oauth1a'; readonly token: string; readonly tokenSecret: string }
  | { readonly v: 1; readonly kind: 'api_key'; readonly key: string }

/** A credential as a provider has just issued it. */
export interface IssuedCredential {
  readonly credential: Credential
  /** The granted scopes; null where the provider does not say. */
  readonly grantedScopes: readonly string[] | null
  /** The OAuth client it was issued to; null for keys. */
  readonly client: { readonly id: string; readonly source: 'platform' | 'org' } | null
  /** What the connector keeps of the token answer (`quirks.keep`), to stand among the account's settings. */
  readonly kept?: Readonly<Record<string, string>>
}

export type Oauth2Credential = Extract<Credential, { kind: 'oauth2' }>

/** The owner of a token in a credential: the connector itself, or the user who authorized it. */
export type TokenOwner = 'own' | 'user'

/** How long before its end a token is renewed: a minute, or a tenth of its life where that is less. */
const AHEAD_MS = 60_000
const AHEAD_SHARE = 0.1

/** The end of the year 9999: later, a database and its driver do not agree any more, and nobody needs to. */
const LATEST_END = Date.UTC(10_000, 0) - 1

/** Where a credential is sealed for: its account, and the provider that it is sent to. */
export interface CredentialPlace {
  account: AccountKey
  connector: Pick<GrantConnector, 'id'>
}

/** Seals a credential for its account, and opens it. */
export function credentialVault(vault: Vault) {
  return {
    seal: (place: CredentialPlace, credential: Credential): NextCredential => ({
      ...vault.seal(credentialPlace(place), JSON.stringify(credential)),
      expiresAt: credential.kind === 'oauth2' ? firstEnd(credential) : null,
    }),
    /** Throws a VaultError. */
    open: (place: CredentialPlace, { sealed }: Pick<StoredCredential, 'sealed'>): Credential =>
      JSON.parse(vault.open(credentialPlace(place), sealed)),
  }
}

export type CredentialVault = ReturnType<typeof credentialVault>

/** Where a credential stands. */
export function credentialPlace({ account: { id, orgId }, connector }: CredentialPlace): Place {
  return { table: 'account_credentials', column: 'sealed', orgId, id, of: connector.id }
}

/** Whether its token has ended. */
export function isExpired({ expiresAt }: Pick<StoredCredential, 'expiresAt'>, now: number): boolean {
  return expiresAt !== null && now >= expiresAt
}

/** Whether its token is to be renewed, though it may be good still. */
export function isRefreshDue(
  { expiresAt, issuedAt }: Pick<StoredCredential, 'expiresAt' | 'issuedAt'>,
  now: number,
): boolean {
  return expiresAt !== null && now >= expiresAt - Math.min(AHEAD_MS, (expiresAt - issuedAt) * AHEAD_SHARE)
}

/** Whether there is anything to renew it with. */
export function isRefreshable(credential: Credential): credential is Oauth2Credential {
  return credential.kind === 'oauth2' && renewableTokens(credential).length > 0
}

/** Which of its tokens can be renewed; they are issued together and end together. */
export function renewableTokens(credential: Oauth2Credential): TokenOwner[] {
  return (['own', 'user'] as const).filter(
    tokenOwner => tokenPairOf(credential, tokenOwner)?.refreshToken !== undefined,
  )
}

export function tokenPairOf(credential: Oauth2Credential, tokenOwner: TokenOwner): TokenPair | undefined {
  return tokenOwner === 'own' ? credential : credential.user
}

/** The credential with the token that came for one of its own. */
export function renewed(credential: Oauth2Credential, tokenOwner: TokenOwner, issued: Credential): Oauth2Credential {
  if (issued.kind !== 'oauth2') throw new TypeError('A token endpoint issues OAuth 2 credentials')
  const { accessToken, refreshToken, expiresAt } = issued
  const pair: TokenPair = {
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(expiresAt !== undefined && { expiresAt }),
  }
  if (tokenOwner === 'user') return { ...credential, user: pair }
  const user = issued.user ?? credential.user
  return { v: 1, kind: 'oauth2', ...pair, ...(user && { user }) }
}

/** The credential once the authorizing user's token is good no more. */
export function withoutUser({ user, ...own }: Oauth2Credential): Oauth2Credential {
  return own
}

/** When the first of its tokens ends that can be renewed; of one where none can, when the first ends at all. A time that cannot be is none. */
function firstEnd(credential: Oauth2Credential): number | null {
  const can = renewableTokens(credential)
  const ends = (can.length > 0 ? can : (['own', 'user'] as const))
    .map(tokenOwner => tokenPairOf(credential, tokenOwner)?.expiresAt)
    .filter(end => end !== undefined)
    .filter(end => end >= 0 && end <= LATEST_END)
  return ends.length === 0 ? null : Math.min(...ends)
}
