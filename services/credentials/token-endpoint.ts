import {
  AuthorizationResponseError,
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  customFetch,
  nopkce,
  OperationProcessingError,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  ResponseBodyError,
  refreshTokenGrantRequest,
  validateAuthResponse,
} from 'oauth4webapi'
import { type Egress, EgressError } from '../../lib/egress/egress.ts'
import { retryAfter } from '../../lib/http/headers.ts'
import type { Clock } from '../../schemas/time.ts'
import type { GrantConnector } from '../definitions/define-connector.ts'
import type { IssuedCredential } from './credential.ts'
import type { OauthClient } from './oauth-clients.ts'
import {
  type AnsweredToken,
  clientAuthentication,
  readTokenAnswer,
  safeErrorCode,
  standardAnswer,
  standardError,
  type TokenAnswer,
  tokenRequest,
  toPair,
} from './token-answer.ts'

/** The deadline of a token request. The lease of a refresh is longer (grants.ts). */
const TOKEN_DEADLINE_MS = 12_000

/**
 * Why no token was issued. `invalid_grant`: the code or refresh token is no longer valid, also by the connector's own
 * codes. `rejected`: any other rejection (of the client or the request, by the person, a wrong `state` or `iss`).
 * `unreachable`: no answer, a 5xx, a 429, or an answer without a token.
 */
type TokenFailure = 'invalid_grant' | 'rejected' | 'unreachable'

/** No token was issued. The message names the provider and its error code, never a token, a code or a secret. */
export class TokenEndpointError extends Error {
  override readonly name = 'TokenEndpointError'
  readonly kind: TokenFailure
  /** The provider's error code, if it sent one. */
  readonly code: string | undefined
  /** Seconds until the next try, if the provider states them; negative for a date that has passed. */
  readonly retryAfter: number | undefined

  constructor(
    kind: TokenFailure,
    message: string,
    options: { cause?: unknown; code?: string | undefined; retryAfter?: number | undefined } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
    this.code = options.code
    this.retryAfter = options.retryAfter
  }
}

/** A callback and the values to check it against. */
interface CodeExchange {
  /** The query of the callback: `code` and `state`, or `error`. */
  callbackParameters: URLSearchParams
  expectedState: string
  /** The PKCE verifier; absent for connectors whose `pkce` is `none`. */
  codeVerifier?: string
  redirectUri: string
}

/**
 * A connector's token endpoint. Both methods throw TokenEndpointErrors, and a TypeError for a connector without OAuth
 * 2.
 */
export interface TokenEndpoint {
  /**
   * Exchanges a refresh token for a new token. Without a new refresh token in the answer, the old one stays. `user`
   * renews the token of the authorizing user (Slack), which is returned as the credential itself.
   */
  refresh(
    connector: GrantConnector,
    client: OauthClient,
    refreshToken: string,
    tokenOwner?: 'own' | 'user',
  ): Promise<IssuedCredential>
  /** Checks `state` and `iss` of the callback, then exchanges its code. */
  exchangeCode(connector: GrantConnector, client: OauthClient, exchange: CodeExchange): Promise<IssuedCredential>
}

type Oauth2Auth = Extract<GrantConnector['auth'], { type: 'oauth2' }>

/**
 * The token endpoint of RFC 6749 with oauth4webapi. Answers are normalized first, because of the connectors' quirks.
 */
export function createTokenEndpoint({ egress, clock }: { egress: Egress; clock: Clock }): TokenEndpoint {
  /**
   * Prepares one exchange: the options for the library, and access to the parts of the answer that the library ignores.
   */
  function prepareExchange(connector: GrantConnector, tokenOwner: 'own' | 'user' = 'own') {
    const auth = oauth2Of(connector)
    const askedAt = clock.now()
    let read: { token: AnsweredToken; answer: TokenAnswer } | undefined

    async function fetchToken(url: string, init: RequestInit): Promise<Response> {
      const { ok, status, headers, body } = await answerOf(connector, () =>
        egress.fetch(url, { ...init, ...tokenRequest(init, auth.tokenRequest) }),
      )
      if (status >= 500 || status === 429 || status === 408)
        throw new TokenEndpointError('unreachable', `${tokenEndpointOf(connector)} answered ${status}`, {
          retryAfter: retryAfter(headers.get('retry-after'), clock.now()),
        })
      const answer = readTokenAnswer(body, auth.quirks)
      if (answer?.error !== undefined) return standardError(answer.error)
      if (!ok) throw new TokenEndpointError('rejected', `${tokenEndpointOf(connector)} answered ${status}`)
      const token = tokenOwner === 'own' ? (answer?.own ?? answer?.user) : (answer?.user ?? answer?.own)
      if (answer === undefined || token === undefined) throw unreadable(connector)
      read = { token, answer }
      return standardAnswer(token)
    }

    return {
      server: serverOf(auth),
      auth,
      options: {
        [customFetch]: fetchToken,
        // Egress decides where tokens may travel without TLS, as for all requests.
        [allowInsecureRequests]: true,
        signal: AbortSignal.timeout(TOKEN_DEADLINE_MS),
        ...(auth.tokenParams !== undefined && { additionalParameters: { ...auth.tokenParams } }),
      },
      /** Returns the issued credential after the library has validated the answer. */
      issued({ id, source }: OauthClient, oldRefreshToken?: string): IssuedCredential {
        if (read === undefined) throw unreadable(connector)
        const { token, answer } = read
        const own = toPair(token, askedAt, oldRefreshToken)
        const userToken = tokenOwner === 'own' && answer.user !== token ? answer.user : undefined
        const user = userToken && toPair(userToken, askedAt)
        const scopes = [token.scopes, userToken?.scopes].filter(list => list !== undefined)
        return {
          credential: { v: 1, kind: 'oauth2', ...own, ...(user && { user }) },
          grantedScopes: scopes.length === 0 ? null : [...new Set(scopes.flat())],
          client: { id, source },
          kept: answer.kept,
        }
      },
    }
  }

  return {
    async refresh(connector, client, refreshToken, tokenOwner) {
      const { server, auth, options, issued } = prepareExchange(connector, tokenOwner)
      const app = { client_id: client.id }
      const proof = clientAuthentication(auth.clientAuth, client)
      try {
        const answer = await refreshTokenGrantRequest(server, app, proof, refreshToken, options)
        await processRefreshTokenResponse(server, app, answer)
      } catch (error) {
        throw toTokenEndpointError(error, connector, [refreshToken, client.secret])
      }
      return issued(client, refreshToken)
    },

    async exchangeCode(connector, client, { callbackParameters, expectedState, codeVerifier, redirectUri }) {
      const { server, auth, options, issued } = prepareExchange(connector)
      const app = { client_id: client.id }
      const proof = clientAuthentication(auth.clientAuth, client)
      const callback = new URLSearchParams(callbackParameters)
      // Without a configured issuer there is nothing to compare, and providers start to send `iss` without notice.
      if (auth.issuer === undefined) callback.delete('iss')
      try {
        const code = validateAuthResponse(allowMissingIssuer(server, callback), app, callback, expectedState)
        const verifier = codeVerifier ?? nopkce
        const answer = await authorizationCodeGrantRequest(server, app, proof, code, redirectUri, verifier, options)
        await processAuthorizationCodeResponse(server, app, answer)
      } catch (error) {
        const sent = [callback.get('code'), callback.get('state'), codeVerifier, client.secret]
        throw toTokenEndpointError(error, connector, sent)
      }
      return issued(client)
    },
  }
}

function oauth2Of({ id, auth }: GrantConnector): Oauth2Auth {
  if (auth.type !== 'oauth2') throw new TypeError(`Connector ${id} has no OAuth 2 token endpoint`)
  return auth
}

function serverOf({ issuer, issOptional, authorizationUrl, tokenUrl }: Oauth2Auth) {
  return {
    issuer: issuer ?? new URL(authorizationUrl).origin,
    token_endpoint: tokenUrl,
    authorization_response_iss_parameter_supported: issuer !== undefined && issOptional !== true,
  }
}

/**
 * Some servers omit `iss` in error responses, although RFC 9207 requires it. A response without a code reveals nothing,
 * and a person who declined should see that reason.
 */
function allowMissingIssuer(server: AuthorizationServer, came: URLSearchParams): AuthorizationServer {
  const isError = came.has('error') && !came.has('code') && !came.has('iss')
  return isError ? { ...server, authorization_response_iss_parameter_supported: false } : server
}

async function answerOf(connector: GrantConnector, fetch: () => Promise<Response>) {
  try {
    const response = await fetch()
    const { ok, status, headers } = response
    return { ok, status, headers, body: await response.text() }
  } catch (cause) {
    const why = cause instanceof EgressError ? cause.reason : 'unreachable'
    throw new TokenEndpointError('unreachable', `${tokenEndpointOf(connector)} gave no answer (${why})`, { cause })
  }
}

/**
 * Never includes a cause from the library, because it contains the answer with its tokens. `sent`: secrets that an
 * error code must not reveal.
 */
function toTokenEndpointError(
  error: unknown,
  connector: GrantConnector,
  sent: readonly (string | null | undefined)[],
): unknown {
  const { name } = connector
  if (error instanceof ResponseBodyError) {
    const { invalidGrant = [] } = oauth2Of(connector).quirks ?? {}
    const isInvalidGrant = error.error === 'invalid_grant' || invalidGrant.includes(error.error)
    const code = safeErrorCode(error.error, sent)
    const message = `${tokenEndpointOf(connector)} rejected the grant or the client: ${code}`
    return new TokenEndpointError(isInvalidGrant ? 'invalid_grant' : 'rejected', message, { code })
  }
  if (error instanceof AuthorizationResponseError) {
    const code = safeErrorCode(error.error, sent)
    return new TokenEndpointError('rejected', `${name} did not authorize the connection: ${code}`, { code })
  }
  if (error instanceof OperationProcessingError)
    return new TokenEndpointError('rejected', `The answer of ${name} cannot be trusted: ${error.message}`)
  return error
}

const unreadable = (connector: GrantConnector) =>
  new TokenEndpointError('unreachable', `${tokenEndpointOf(connector)} answered without a token`)

function tokenEndpointOf({ name }: GrantConnector): string {
  return `The token endpoint of ${name}`
}
