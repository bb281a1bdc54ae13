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
  standardAnswer,
  standardError,
  type TokenAnswer,
  toPair,
} from './token-answer.ts'

/** How long a token endpoint may take. A refresh's lease outlives it (grants.ts). */
const TOKEN_DEADLINE_MS = 12_000

/**
 * Why no token came. `invalid_grant`: what was handed in is not good any more, by the connector's own codes too.
 * `rejected`: everything else that an authorization was refused with (the client, the request, the person, a wrong
 * `state` or `iss`). `unreachable`: no answer, 5xx, 429, or one that is no token answer.
 */
export type TokenFailure = 'invalid_grant' | 'rejected' | 'unreachable'

/** No token came; the message names the provider and its error code, never a token, a code or a secret. */
export class TokenEndpointError extends Error {
  override readonly name = 'TokenEndpointError'
  readonly kind: TokenFailure
  /** The provider's error code, where it sent one. */
  readonly code: string | undefined
  /** Seconds until it should be asked again, where it said so; negative for a date that has passed. */
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

/** What came back to the redirect URI, and what it is held against. */
export interface CodeExchange {
  /** The query of the callback as it came: `code` and `state`, or `error`. */
  callbackParameters: URLSearchParams
  expectedState: string
  /** The PKCE verifier; none for connectors tokenOwner `pkce` is `none`. */
  codeVerifier?: string
  redirectUri: string
}

/** A connector's token endpoint. Both throw TokenEndpointErrors; a TypeError for a connector that is not `oauth2`. */
export interface TokenEndpoint {
  /**
   * A new token for a refresh token; where the answer has no new refresh token, the old one stands in it. `user`: the
   * refresh token of the authorizing user (Slack), tokenOwner new token comes as the credential itself.
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

/** RFC 6749's token endpoint by oauth4webapi, behind what takes the connector's quirks off the answers. */
export function createTokenEndpoint({ egress, clock }: { egress: Egress; clock: Clock }): TokenEndpoint {
  /** One exchange: the library's options, and what the answer had beside what the library reads. */
  function prepareExchange(connector: GrantConnector, tokenOwner: 'own' | 'user' = 'own') {
    const auth = oauth2Of(connector)
    const askedAt = clock.now()
    let read: { token: AnsweredToken; answer: TokenAnswer } | undefined

    async function fetchToken(url: string, init: RequestInit): Promise<Response> {
      const { ok, status, headers, body } = await answerOf(connector, () =>
        egress.fetch(url, { ...init, body: String(init.body) }),
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
        // Where a token may travel without TLS is for egress to judge, as for every other request.
        [allowInsecureRequests]: true,
        signal: AbortSignal.timeout(TOKEN_DEADLINE_MS),
        ...(auth.tokenParams !== undefined && { additionalParameters: { ...auth.tokenParams } }),
      },
      /** What was issued, once the library has found no fault with it. */
      issued({ id, source }: OauthClient, oldRefreshToken?: string): IssuedCredential {
        if (read === undefined) throw unreadable(connector)
        const { token, answer } = read
        const own = toPair(token, askedAt, oldRefreshToken)
        const beside = tokenOwner === 'own' && answer.user !== token ? answer.user : undefined
        const user = beside && toPair(beside, askedAt)
        const scopes = [token.scopes, beside?.scopes].filter(list => list !== undefined)
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
        throw failureOf(error, connector, [refreshToken, client.secret])
      }
      return issued(client, refreshToken)
    },

    async exchangeCode(connector, client, { callbackParameters, expectedState, codeVerifier, redirectUri }) {
      const { server, auth, options, issued } = prepareExchange(connector)
      const app = { client_id: client.id }
      const proof = clientAuthentication(auth.clientAuth, client)
      const came = new URLSearchParams(callbackParameters)
      // There is nothing to hold it against, and providers begin to send it without notice.
      if (auth.issuer === undefined) came.delete('iss')
      try {
        const code = validateAuthResponse(refusalNeedsNoIssuer(server, came), app, came, expectedState)
        const verifier = codeVerifier ?? nopkce
        const answer = await authorizationCodeGrantRequest(server, app, proof, code, redirectUri, verifier, options)
        await processAuthorizationCodeResponse(server, app, answer)
      } catch (error) {
        const sent = [came.get('code'), came.get('state'), codeVerifier, client.secret]
        throw failureOf(error, connector, sent)
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
 * Some servers leave `iss` out of their refusals (RFC 9207 has it there too): an answer without a code gives nothing
 * away, and whoever declined is to read that he did.
 */
function refusalNeedsNoIssuer(server: AuthorizationServer, came: URLSearchParams): AuthorizationServer {
  const isRefusal = came.has('error') && !came.has('code') && !came.has('iss')
  return isRefusal ? { ...server, authorization_response_iss_parameter_supported: false } : server
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

/** Never with a cause of the library's: those carry the answer, tokens and all. `sent`: what no code may give away. */
function failureOf(error: unknown, connector: GrantConnector, sent: readonly (string | null | undefined)[]): unknown {
  const { name } = connector
  if (error instanceof ResponseBodyError) {
    const { invalidGrant = [] } = oauth2Of(connector).quirks ?? {}
    const dead = error.error === 'invalid_grant' || invalidGrant.includes(error.error)
    const code = codeOf(error.error, sent)
    const message = `${tokenEndpointOf(connector)} refused the grant or the client: ${code}`
    return new TokenEndpointError(dead ? 'invalid_grant' : 'rejected', message, { code })
  }
  if (error instanceof AuthorizationResponseError) {
    const code = codeOf(error.error, sent)
    return new TokenEndpointError('rejected', `${name} did not authorize the connection: ${code}`, { code })
  }
  if (error instanceof OperationProcessingError)
    return new TokenEndpointError('rejected', `The answer of ${name} is not to be trusted: ${error.message}`)
  return error
}

function unreadable(connector: GrantConnector): TokenEndpointError {
  return new TokenEndpointError('unreachable', `${tokenEndpointOf(connector)} answered without a token`)
}

function tokenEndpointOf({ name }: GrantConnector): string {
  return `The token endpoint of ${name}`
}

/** An error code as it may be shown: what is none is not, nor what has a part of what was sent, whoever put it there. */
function codeOf(error: string, sent: readonly (string | null | undefined)[]): string {
  const tells = sent.some(secret => {
    const text = secret?.toLowerCase()
    return text && (text.includes(error) || error.includes(text))
  })
  return /^[a-z][a-z0-9_.-]{0,39}$/.test(error) && !tells ? error : 'unnamed'
}
