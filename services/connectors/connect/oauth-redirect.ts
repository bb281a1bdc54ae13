import { GatewayError } from '../../../lib/errors/errors.ts'
import { pkceChallenge } from '../../../lib/random-secret.ts'
import type { Oauth2Connector } from './connect-errors.ts'

type OAuth2 = Oauth2Connector['auth']

/** The parts of an authorization request that do not come from the connector. */
interface AuthorizationRequest {
  clientId: string
  redirectUri: string
  state: string
  /** The PKCE verifier; absent if the connector's `pkce` is `none`. */
  verifier?: string
  /** The optional scopes to request; all of them if absent. */
  optionalScopes?: readonly string[]
}

/** Returns the URL where a person authorizes the access. Throws invalid_request for an unknown optional scope. */
export function authorizationUrl(
  auth: OAuth2,
  { clientId, redirectUri, state, verifier, optionalScopes }: AuthorizationRequest,
): URL {
  const url = new URL(auth.authorizationUrl)
  const separator = auth.scopeSeparator ?? ' '
  const scopes =
    auth.scopes === undefined ? [] : [...Object.keys(auth.scopes), ...requestedScopes(auth, optionalScopes)]
  const userScopes = Object.keys((auth.scopes !== undefined && auth.userScopes) || {})
  const parameters = {
    ...auth.authorizationParams,
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    ...(scopes.length > 0 && { scope: scopes.join(separator) }),
    ...(userScopes.length > 0 && { [auth.userScopeParam ?? 'user_scope']: userScopes.join(separator) }),
    ...(verifier !== undefined && { code_challenge: pkceChallenge(verifier), code_challenge_method: 'S256' }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}

function requestedScopes(auth: OAuth2, wanted: readonly string[] | undefined): readonly string[] {
  const offered = Object.keys((auth.scopes !== undefined && auth.optionalScopes) || {})
  const unknown = wanted?.find(scope => !offered.includes(scope))
  if (unknown !== undefined)
    throw new GatewayError(
      'invalid_request',
      `There is no optional scope ${unknown}. Choose from: ${offered.join(', ')}.`,
    )
  return wanted ?? offered
}

/**
 * Returns the identifier of the authorization that a callback belongs to: `state`, or the request token of OAuth 1.0a.
 */
export function handleOf(parameters: URLSearchParams): string | null {
  // Some OAuth 1.0a providers send the request token as `denied` if the person declines.
  return parameters.get('state') ?? parameters.get('oauth_token') ?? parameters.get('denied')
}

/** The parameters of a callback and the identifier of its authorization. */
export interface Callback {
  handle: string
  parameters: URLSearchParams
}

/** Parses a callback. Throws connect_failed if it has no identifier. */
export function readCallback(callback: string | URLSearchParams): Callback {
  const parameters = typeof callback === 'string' ? URL.parse(callback)?.searchParams : callback
  const handle = parameters && handleOf(parameters)
  if (parameters === undefined || !handle)
    throw new GatewayError(
      'connect_failed',
      'This URL is not the callback of an authorization: it has no state. Begin again, and use the URL that the provider redirects to.',
    )
  return { handle, parameters }
}
