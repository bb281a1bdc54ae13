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
