import type { ClientMetadata } from '../../../schemas/oauth-client.ts'
import { LOOPBACK_REDIRECT_URI } from './loopback-redirect.ts'

/** Where the document of this service as an OAuth client stands, below its origin. */
export const CLIENT_METADATA_PATH = '/.well-known/oauth-client-metadata'

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
