import {
  AuthorizationResponseError,
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  ClientSecretBasic,
  customFetch,
  discoveryRequest,
  None,
  processDiscoveryResponse,
  validateAuthResponse,
} from 'oauth4webapi'
import { fetchConfigured, fetchConfiguredJson } from '../../lib/egress/fetch-configured-json.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { sanitizeLine } from '../../lib/sanitize-text.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { DashboardClient } from './dashboard-settings.ts'

const LIMITS = { deadlineMs: 5_000, maxBytes: 256 * 1024 }
/** How long the issuer's metadata is used before it is fetched again. */
const METADATA_MS = 10 * 60_000

/**
 * The requests of a sign-in at an OpenID Connect issuer. They throw invalid_request with a reason for the person, and
 * identity_provider_unavailable.
 */
export interface IssuerClient {
  authorizationUrl(request: { redirectUri: string; state: string; nonce: string; challenge: string }): Promise<string>
  /** Checks the answer of the issuer (`state`, `iss`) and exchanges its code. Returns the ID token, unverified. */
  exchange(answer: { callback: URLSearchParams; state: string; redirectUri: string; verifier: string }): Promise<string>
  /** Where the browser ends its session at the issuer; undefined if it has no such page. */
  logoutUrl(returnTo: string): Promise<string | undefined>
}

export function createIssuerClient(settings: DashboardClient, { clock }: Pick<Infrastructure, 'clock'>): IssuerClient {
  const { issuer, clientId, clientSecret } = settings
  const client = { client_id: clientId }
  let known: { server: AuthorizationServer; at: number } | undefined

  async function readMetadata(): Promise<AuthorizationServer> {
    if (known !== undefined && clock.now() < known.at + METADATA_MS) return known.server
    try {
      const response = await discoveryRequest(new URL(issuer), {
        algorithm: 'oidc',
        [allowInsecureRequests]: true,
        [customFetch]: async url => Response.json(await fetchConfiguredJson(url, LIMITS)),
      })
      const server = await processDiscoveryResponse(new URL(issuer), response)
      if (server.authorization_endpoint === undefined || server.token_endpoint === undefined)
        throw new Error(`The metadata of ${issuer} names no authorization_endpoint and token_endpoint`)
      known = { server, at: clock.now() }
      return server
    } catch (cause) {
      if (known !== undefined) return known.server
      throw new GatewayError(
        'identity_provider_unavailable',
        'The sign-in service returned an unexpected response. Try again in a minute, or ask the operator for a sign-in link.',
        { cause, retryAfter: 60 },
      )
    }
  }

  return {
    async authorizationUrl({ redirectUri, state, nonce, challenge }) {
      const { authorization_endpoint: endpoint = '' } = await readMetadata()
      const url = new URL(endpoint)
      for (const [name, value] of Object.entries({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }))
        url.searchParams.set(name, value)
      return url.href
    },

    async exchange({ callback, state, redirectUri, verifier }) {
      const server = await readMetadata()
      try {
        const parameters = validateAuthResponse(server, client, callback, state)
        const authentication = clientSecret === undefined ? None() : ClientSecretBasic(clientSecret)
        const options = {
          [allowInsecureRequests]: true,
          [customFetch]: (url: string, init: { method: string; headers: Record<string, string>; body: unknown }) =>
            fetchConfigured(url, { method: init.method, headers: init.headers, body: String(init.body) }, LIMITS),
        }
        const answer = await authorizationCodeGrantRequest(
          ...([server, client, authentication, parameters, redirectUri, verifier, options] as const),
        )
        const body = (await answer.json()) as { id_token?: unknown; error?: unknown }
        if (answer.ok && typeof body.id_token === 'string') return body.id_token
        throw failed(`The issuer answered ${answer.status} (${textOf(body.error ?? 'no id_token')}). Sign in again`)
      } catch (cause) {
        if (cause instanceof GatewayError) throw cause
        if (cause instanceof AuthorizationResponseError)
          throw failed(`The issuer declined: ${textOf(cause.error_description ?? cause.error)}. Sign in again`, cause)
        throw failed('The answer of the issuer does not belong to this sign-in. Sign in again', cause)
      }
    },

    async logoutUrl(returnTo) {
      const { end_session_endpoint: endpoint } = await readMetadata().catch(() => ({ end_session_endpoint: undefined }))
      if (endpoint === undefined) return undefined
      const url = new URL(endpoint)
      url.searchParams.set('client_id', clientId)
      url.searchParams.set('post_logout_redirect_uri', returnTo)
      return url.href
    },
  }
}

/** The issuer's words in a message: one short line. */
function textOf(words: unknown): string {
  return sanitizeLine(String(words), 200)
}

function failed(why: string, cause?: unknown): GatewayError {
  return new GatewayError('invalid_request', `${why}.`, { cause })
}
