import { GatewayError } from '../error-envelope/errors.ts'
import type { UserIdentity } from './identity.ts'

/** The answer to every JWT while no issuer is configured: there is nothing it could be verified against. */
export async function refuseJwt(): Promise<UserIdentity> {
  throw new GatewayError('invalid_jwt', 'This gateway has no issuer of tokens configured. Use an API key.')
}
