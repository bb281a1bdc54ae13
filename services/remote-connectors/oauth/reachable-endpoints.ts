import { type Egress, EgressError } from '../../../lib/egress/egress.ts'
import type { AuthorizationServer } from './authorization-server.ts'
import { MetadataFault } from './metadata-document.ts'

/**
 * Throws a MetadataFault for an endpoint at an address that this gateway does not connect to: tokens are requested
 * there later, and the person's browser is sent there.
 */
export async function requireReachableEndpoints(
  egress: Pick<Egress, 'requireReachable'>,
  { authorizationEndpoint, tokenEndpoint, registrationEndpoint }: AuthorizationServer,
): Promise<void> {
  const endpoints = {
    authorization_endpoint: authorizationEndpoint,
    token_endpoint: tokenEndpoint,
    registration_endpoint: registrationEndpoint,
  }
  for (const [name, url] of Object.entries(endpoints)) {
    if (url === undefined) continue
    try {
      await egress.requireReachable(url)
    } catch (cause) {
      if (!(cause instanceof EgressError)) throw cause
      throw new MetadataFault(`its \`${name}\` cannot be used: ${cause.message.replace(/\.$/, '')}`, { cause })
    }
  }
}
