/** What an upstream and its authorization server publish (RFC 9728, RFC 8414), checked against each other. */
export interface DiscoveredServer {
  /** The protected resource, as its metadata names it; sent as `resource` (RFC 8707). */
  readonly resource: string
  readonly issuer: string
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly registrationEndpoint: string | undefined
  readonly takesClientIdMetadata: boolean
  readonly issParameter: boolean
  /** The client authentication methods of the token endpoint that this service can use, the best first. */
  readonly clientAuth: readonly ('basic' | 'post' | 'none')[]
  /** What an authorization asks for, of the challenge or the resource's metadata; empty where neither has any. */
  readonly scopes: readonly string[]
}

/** What an administrator gives of a client that he has registered by himself. */
export interface ProvidedClient {
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  /** In place of the discovered ones. */
  readonly scopes?: readonly string[] | undefined
}
