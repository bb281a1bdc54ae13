import { createHash, randomBytes } from 'node:crypto'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { Oauth2Connector } from './connect-errors.ts'

type OAuth2 = Oauth2Connector['auth']

/** What one authorization request is made of, beside what the connector says. */
export interface AuthorizationRequest {
  clientId: string
  redirectUri: string
  state: string
  /** The PKCE verifier; none where the connector's `pkce` is `none`. */
  verifier?: string
  /** The optional scopes that are asked for; all of them when absent. */
  optionalScopes?: readonly string[]
}

/** The URL that a person agrees at. Throws invalid_request for an optional scope that the connector does not have. */
export function authorizationUrl(
  auth: OAuth2,
  { clientId, redirectUri, state, verifier, optionalScopes }: AuthorizationRequest,
): URL {
  const url = new URL(auth.authorizationUrl)
  const separator = auth.scopeSeparator ?? ' '
  const scopes = auth.scopes === undefined ? [] : [...Object.keys(auth.scopes), ...chosen(auth, optionalScopes)]
  const userScopes = Object.keys((auth.scopes !== undefined && auth.userScopes) || {})
  const parameters = {
    ...auth.authorizationParams,
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    ...(scopes.length > 0 && { scope: scopes.join(separator) }),
    ...(userScopes.length > 0 && { [auth.userScopeParam ?? 'user_scope']: userScopes.join(separator) }),
    ...(verifier !== undefined && { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}

function chosen(auth: OAuth2, wanted: readonly string[] | undefined): readonly string[] {
  const offered = Object.keys((auth.scopes !== undefined && auth.optionalScopes) || {})
  const unknown = wanted?.find(scope => !offered.includes(scope))
  if (unknown !== undefined)
    throw new GatewayError(
      'invalid_request',
      `There is no optional scope ${unknown}. There are: ${offered.join(', ')}.`,
    )
  return wanted ?? offered
}

/** RFC 7636, section 4.2. */
function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

/** What an authorization is known by when it comes back: the `state`, or the request token of OAuth 1.0a. */
export function handleOf(parameters: URLSearchParams): string | null {
  // `denied` is how OAuth 1.0a providers that say no at all name the request token.
  return parameters.get('state') ?? parameters.get('oauth_token') ?? parameters.get('denied')
}

/** What came back, and what it is known by. */
export interface Callback {
  handle: string
  parameters: URLSearchParams
}

/** Throws connect_failed for what is no callback. */
export function readCallback(callback: string | URLSearchParams): Callback {
  const parameters = typeof callback === 'string' ? URL.parse(callback)?.searchParams : callback
  const handle = parameters && handleOf(parameters)
  if (parameters === undefined || !handle)
    throw new GatewayError(
      'connect_failed',
      'This is no answer to an authorization: it has no state. Begin again, and let the provider’s last page lead you back.',
    )
  return { handle, parameters }
}

/** 256 bits: nobody guesses a state, nor a verifier (RFC 7636, section 7.1). */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}
