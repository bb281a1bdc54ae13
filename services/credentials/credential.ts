import type { Place, Vault } from '../../lib/vault/vault.ts'
import type { GrantConnector } from '../definitions/connector-types.ts'
import type { AccountKey, NextCredential, StoredCredential } from './credential-rows.ts'

/** An access token and its refresh token. */
export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken?: string
  /**
   * The end of the access token, in milliseconds since the epoch; absent if it does not expire or if that is unknown.
   */
  readonly expiresAt?: number
}

/** A decrypted credential. It exists only during one call; it is stored only sealed. */
export type Credential =
  /**
   * `user`: the token of the authorizing user, if the provider issues one in addition to the connector's own (Slack).
   */
  | ({
      readonly v: 1
      readonly kind: 'oauth2'
      readonly user?: TokenPair
      readonly grant?: 'client_credentials'
    } & TokenPair)
  | { readonly v: 1; readonly kind: 'oauth1a'; readonly token: string; readonly tokenSecret: string }
  | { readonly v: 1; readonly kind: 'api_key'; readonly key: string }

/** A credential as the provider has just issued it. */
export interface IssuedCredential {
  readonly credential: Credential
  /** The granted scopes; null if the provider does not report them. */
  readonly grantedScopes: readonly string[] | null
  /** The OAuth client that it was issued to; null for keys. */
  readonly client: { readonly id: string; readonly source: 'platform' | 'org' } | null
  /** Members of the token answer that become settings of the account (`quirks.keep`). */
  readonly kept?: Readonly<Record<string, string>>
  /** Whether the provider refused `resource` and issued it for `scope`. */
  readonly resourceRefused?: true
}

export type Oauth2Credential = Extract<Credential, { kind: 'oauth2' }>

/** The owner of a token in a credential: the connector itself, or the user who authorized it. */
export type TokenOwner = 'own' | 'user'

/** How long before its expiry a token is renewed: a minute, or a tenth of its lifetime if that is shorter. */
const AHEAD_MS = 60_000
const AHEAD_SHARE = 0.1

/** The end of the year 9999: databases and drivers do not agree on later times. */
const LATEST_END = Date.UTC(10_000, 0) - 1

/** The place that a credential is sealed for: its account and its provider. */
interface CredentialPlace {
  account: AccountKey
  connector: Pick<GrantConnector, 'id'>
}

/** Seals credentials for their accounts and opens them. */
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

/** Returns the vault place of a credential. */
export function credentialPlace({ account: { id, orgId }, connector }: CredentialPlace): Place {
  return { table: 'account_credentials', column: 'sealed', orgId, id, of: connector.id }
}

/** Whether the token has expired. */
export function isExpired({ expiresAt }: Pick<StoredCredential, 'expiresAt'>, now: number): boolean {
  return expiresAt !== null && now >= expiresAt
}

/** Whether the token should be renewed, even if it is still valid. */
export function isRefreshDue(
  { expiresAt, issuedAt }: Pick<StoredCredential, 'expiresAt' | 'issuedAt'>,
  now: number,
): boolean {
  return expiresAt !== null && now >= expiresAt - Math.min(AHEAD_MS, (expiresAt - issuedAt) * AHEAD_SHARE)
}

/** Whether the credential has a token that can be renewed. */
export function isRefreshable(credential: Credential): credential is Oauth2Credential {
  return credential.kind === 'oauth2' && renewableTokens(credential).length > 0
}

/** Returns the owners of the tokens that can be renewed. The tokens are issued together and expire together. */
export function renewableTokens(credential: Oauth2Credential): TokenOwner[] {
  // The client itself is the grant: it needs no refresh token.
  if (credential.grant === 'client_credentials') return ['own']
  return (['own', 'user'] as const).filter(
    tokenOwner => tokenPairOf(credential, tokenOwner)?.refreshToken !== undefined,
  )
}

export function tokenPairOf(credential: Oauth2Credential, tokenOwner: TokenOwner): TokenPair | undefined {
  return tokenOwner === 'own' ? credential : credential.user
}

/** Replaces one token of a credential. */
export function renewed(credential: Oauth2Credential, tokenOwner: TokenOwner, issued: Credential): Oauth2Credential {
  if (issued.kind !== 'oauth2') throw new TypeError('A token endpoint issues OAuth 2 credentials')
  const { accessToken, refreshToken, expiresAt, grant } = issued
  const pair: TokenPair = {
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(expiresAt !== undefined && { expiresAt }),
  }
  if (tokenOwner === 'user') return { ...credential, user: pair }
  const user = issued.user ?? credential.user
  return { v: 1, kind: 'oauth2', ...pair, ...(user && { user }), ...(grant && { grant }) }
}

/** Removes the authorizing user's token after the provider rejected it. */
export function withoutUser({ user, ...own }: Oauth2Credential): Oauth2Credential {
  return own
}

/**
 * Returns the first expiry among the tokens that can be renewed, or among all tokens if none can. Ignores invalid
 * times.
 */
function firstEnd(credential: Oauth2Credential): number | null {
  const can = renewableTokens(credential)
  const ends = (can.length > 0 ? can : (['own', 'user'] as const))
    .map(tokenOwner => tokenPairOf(credential, tokenOwner)?.expiresAt)
    .filter(end => end !== undefined)
    .filter(end => end >= 0 && end <= LATEST_END)
  return ends.length === 0 ? null : Math.min(...ends)
}
