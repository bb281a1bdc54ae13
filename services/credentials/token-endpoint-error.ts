import { AuthorizationResponseError, OperationProcessingError, ResponseBodyError } from 'oauth4webapi'
import type { GrantConnector } from '../definitions/connector-types.ts'
import { safeDescription, safeErrorCode } from './token-answer.ts'

/**
 * Why no token was issued. `invalid_grant`: the code or refresh token is no longer valid, also by the connector's own
 * codes. `rejected`: any other rejection (of the client or the request, by the person, a wrong `state` or `iss`).
 * `unreachable`: no answer, a 5xx, a 429, or an answer without a token.
 */
type TokenFailure = 'invalid_grant' | 'rejected' | 'unreachable'

/** The codes that servers send instead of `invalid_grant`: GitHub, Slack and others, mostly under HTTP 200. */
const INVALID_GRANT = new Set([
  ...['invalid_grant', 'invalid_token', 'invalid_refresh_token', 'bad_refresh_token', 'bad_verification_code'],
  ...['expired_token', 'token_expired', 'refresh_token_expired', 'expired_refresh_token'],
  ...['token_revoked', 'revoked_token', 'refresh_token_revoked'],
])

/** No token was issued. The message names the provider and its error code, never a token, a code or a secret. */
export class TokenEndpointError extends Error {
  override readonly name = 'TokenEndpointError'
  readonly kind: TokenFailure
  /** The provider's error code, if it sent one. */
  readonly code: string | undefined
  /** What the provider says about it, sanitized, as one line; undefined without words. */
  readonly description: string | undefined
  /** Seconds until the next try, if the provider states them; negative for a date that has passed. */
  readonly retryAfter: number | undefined

  constructor(
    kind: TokenFailure,
    message: string,
    options: { cause?: unknown; code?: string; description?: string; retryAfter?: number | undefined } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
    this.code = options.code
    this.description = options.description || undefined
    this.retryAfter = options.retryAfter
  }
}

export type Oauth2Auth = Extract<GrantConnector['auth'], { type: 'oauth2' }>

/** The OAuth 2 settings of a connector. Throws a TypeError if it has none. */
export function oauth2Of({ id, auth }: GrantConnector): Oauth2Auth {
  if (auth.type !== 'oauth2') throw new TypeError(`Connector ${id} has no OAuth 2 token endpoint`)
  return auth
}

/**
 * Converts an error of the library, and returns any other one as it is. Never includes a cause from the library, because it
 * contains the answer with its tokens. `sent`: secrets that an error code must not reveal.
 */
export function toTokenEndpointError(
  error: unknown,
  connector: GrantConnector,
  sent: readonly (string | null | undefined)[],
): unknown {
  const { name } = connector
  if (error instanceof ResponseBodyError) {
    const { invalidGrant = [] } = oauth2Of(connector).quirks ?? {}
    const isInvalidGrant = INVALID_GRANT.has(error.error) || invalidGrant.includes(error.error)
    const said = wordsOf(error, sent)
    const message = `${tokenEndpointOf(connector)} rejected the grant or the client: ${inWords(said)}`
    return new TokenEndpointError(isInvalidGrant ? 'invalid_grant' : 'rejected', message, said)
  }
  if (error instanceof AuthorizationResponseError) {
    const said = wordsOf(error, sent)
    return new TokenEndpointError('rejected', `${name} did not authorize the connection: ${inWords(said)}`, said)
  }
  if (error instanceof OperationProcessingError)
    return new TokenEndpointError('rejected', `The answer of ${name} cannot be trusted: ${error.message}`)
  return error
}

/** An error code and what the provider says about it. */
interface Words {
  code: string
  description: string
}

function wordsOf(
  { error, error_description }: Pick<ResponseBodyError, 'error' | 'error_description'>,
  sent: readonly (string | null | undefined)[],
): Words {
  return { code: safeErrorCode(error, sent), description: safeDescription(error_description, sent) }
}

/** Returns an error code with the provider's words, for use in a sentence. */
function inWords({ code, description }: Words): string {
  return description === '' ? code : `${code} (“${description}”)`
}

/** The error for an answer without a token. */
export function unreadable(connector: GrantConnector): TokenEndpointError {
  return new TokenEndpointError('unreachable', `${tokenEndpointOf(connector)} answered without a token`)
}

/** The token endpoint of a connector, in words. */
export function tokenEndpointOf({ name }: GrantConnector): string {
  return `The token endpoint of ${name}`
}
