import {
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  clientCredentialsGrantRequest,
  customFetch,
  nopkce,
  processAuthorizationCodeResponse,
  processClientCredentialsResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  validateAuthResponse,
} from 'oauth4webapi'
import { EgressError } from '../../lib/egress/egress.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { retryAfter } from '../../lib/http/headers.ts'
import type { AccountSettings } from '../accounts/account.ts'
import type { GrantConnector } from '../definitions/connector-types.ts'
import { isHostLabels, PLACEHOLDER, settingOf } from '../definitions/placeholders.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { IssuedCredential } from './credential.ts'
import type { OauthClient } from './oauth-clients.ts'
import {
  type AnsweredToken,
  clientAuthentication,
  readTokenAnswer,
  refusesResource,
  standardAnswer,
  standardError,
  type TokenAnswer,
  tokenRequest,
  toPair,
} from './token-answer.ts'
import {
  type Oauth2Auth,
  oauth2Of,
  TokenEndpointError,
  tokenEndpointOf,
  toTokenEndpointError,
  unreadable,
} from './token-endpoint-error.ts'

/** The deadline of a token request. The lease of a refresh is longer (grants.ts). */
const TOKEN_DEADLINE_MS = 12_000

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
   * renews the token of the authorizing user (Slack), which is returned as the credential itself. A connector with the
   * grant `client_credentials` gets a token for the client itself; it has no refresh token.
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

/**
 * The token endpoint of RFC 6749 with oauth4webapi. Answers are normalized first, because of the connectors' quirks.
 */
export function createTokenEndpoint({ egress, clock }: Pick<Infrastructure, 'clock' | 'egress'>): TokenEndpoint {
  /**
   * Prepares one exchange: the options for the library, and access to the parts of the answer that the library ignores.
   */
  function prepareExchange(connector: GrantConnector, tokenOwner: 'own' | 'user' = 'own') {
    const auth = oauth2Of(connector)
    const askedAt = clock.now()
    let read: { token: AnsweredToken; answer: TokenAnswer } | undefined
    let resourceRefused = false

    async function ask(url: string, init: RequestInit) {
      const { ok, status, headers, body } = await answerOf(connector, () =>
        egress.fetch(url, { ...init, ...tokenRequest(init, auth.tokenRequest) }),
      )
      if (status >= 500 || status === 429 || status === 408)
        throw new TokenEndpointError('unreachable', `${tokenEndpointOf(connector)} answered ${status}`, {
          retryAfter: retryAfter(headers.get('retry-after'), clock.now()),
        })
      return { ok, status, answer: readTokenAnswer(body, auth.quirks) }
    }

    async function fetchToken(url: string, init: RequestInit): Promise<Response> {
      let { ok, status, answer } = await ask(url, init)
      const scoped = refusesResource(answer?.errorDescription) ? withScopeOnly(init, auth) : undefined
      if (scoped !== undefined) {
        ;({ ok, status, answer } = await ask(url, scoped))
        resourceRefused = true
      }
      if (answer?.error !== undefined) return standardError(answer.error, answer.errorDescription)
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
          credential: { v: 1, kind: 'oauth2', ...own, ...(user && { user }), ...(auth.grant && { grant: auth.grant }) },
          grantedScopes: scopes.length === 0 ? null : [...new Set(scopes.flat())],
          client: { id, source },
          kept: answer.kept,
          ...(resourceRefused && { resourceRefused }),
        }
      },
    }
  }

  return {
    async refresh(connector, client, refreshToken, tokenOwner) {
      const { server, auth, options, issued } = prepareExchange(connector, tokenOwner)
      const app = { client_id: client.id }
      const proof = clientAuthentication(auth.clientAuth, client)
      if (auth.grant === 'client_credentials') {
        const scope = scopeOf(auth)
        const parameters = { ...(scope !== '' && { scope }), ...auth.tokenParams }
        try {
          const answer = await clientCredentialsGrantRequest(server, app, proof, parameters, options)
          await processClientCredentialsResponse(server, app, answer)
        } catch (error) {
          throw toTokenEndpointError(error, connector, [client.secret])
        }
        return issued(client)
      }
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

/** The requested scopes, as one parameter. */
function scopeOf({ scopes = {} }: Oauth2Auth): string {
  return Object.keys(scopes).join(' ')
}

/**
 * The request with `scope` instead of `resource`; undefined if it has no resource, or no scope that could name one: a
 * token without both could be for another server.
 */
function withScopeOnly(init: RequestInit, auth: Oauth2Auth): RequestInit | undefined {
  const form = new URLSearchParams(String(init.body))
  const scope = scopeOf(auth)
  if (!form.has('resource') || scope === '') return undefined
  form.delete('resource')
  form.set('scope', scope)
  return { ...init, body: form }
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
 * Returns a connector with the OAuth endpoints of one account, whose hosts may contain a setting that the member gave.
 * Throws invalid_request for a missing or invalid setting.
 */
export function withAccountEndpoints<Connector extends GrantConnector>(
  connector: Connector,
  settings: AccountSettings,
): Connector {
  const { auth, name } = connector
  if (auth.type !== 'oauth2') return connector
  const { authorizationUrl, tokenUrl } = auth
  if (!PLACEHOLDER.test(authorizationUrl) && !PLACEHOLDER.test(tokenUrl)) return connector

  function fill(url: string): string {
    return url.replace(new RegExp(PLACEHOLDER, 'g'), (_, place: string) => {
      const setting = settingOf(place) ?? place
      const value = Object.hasOwn(settings, setting) ? (settings[setting] ?? '') : ''
      if (isHostLabels(value)) return value
      throw new GatewayError(
        'invalid_request',
        `${name} needs the setting ${setting}, a plain host name. Connect the account again with it.`,
      )
    })
  }
  return { ...connector, auth: { ...auth, authorizationUrl: fill(authorizationUrl), tokenUrl: fill(tokenUrl) } }
}
