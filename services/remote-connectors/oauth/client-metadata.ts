import type { ClientMetadata } from '../../../schemas/oauth-client.ts'

/** Where the document of this service as an OAuth client stands, below its origin. */
export const CLIENT_METADATA_PATH = '/.well-known/oauth-client-metadata'

/** Where the operator's command waits for the answer of an upstream's authorization server. */
export const LOOPBACK_REDIRECT_URI = 'http://127.0.0.1:8976/callback'

/** How a client proves itself at a token endpoint, the best first, with the names of RFC 7591. */
export const AUTH_METHODS = { basic: 'client_secret_basic', post: 'client_secret_post', none: 'none' } as const

export type ClientAuth = keyof typeof AUTH_METHODS

/** The one of a method's name; undefined for a method that this service does not have. */
export function clientAuthOf(method: unknown): ClientAuth | undefined {
  return (Object.keys(AUTH_METHODS) as ClientAuth[]).find(auth => AUTH_METHODS[auth] === method)
}

/** Where authorization servers may send a person back to. */
export const REDIRECT_URIS: readonly string[] = [LOOPBACK_REDIRECT_URI]

/** This service as an OAuth client that proves itself in a way, or is public. */
export function clientMetadata(authMethod: ClientMetadata['token_endpoint_auth_method'] = 'none'): ClientMetadata {
  return {
    client_name: 'Connector Gateway',
    redirect_uris: [...REDIRECT_URIS],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: authMethod,
    application_type: 'native',
  }
}
