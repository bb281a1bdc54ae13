import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type Egress, type EgressAnswer, EgressError } from '../../../lib/egress/egress.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { isJsonObject, parseUpstream, withoutNulls } from '../../../lib/http/json.ts'
import { type AuthorizationParams, VSCHARS } from '../../../schemas/remotes/auth.ts'
import type { RemoteOauth } from '../../../schemas/remotes/oauth-client.ts'
import { safeDescription } from '../../credentials/token-answer.ts'
import type { DiscoveredServer } from './authorization-server.ts'
import {
  AUTH_METHODS,
  CLIENT_METADATA_PATH,
  type ClientAuth,
  clientAuthOf,
  clientMetadata,
  redirectUris,
} from './client-metadata.ts'

const REGISTRATION_DEADLINE_MS = 12_000
const MAX_ANSWER_BYTES = 64 * 1024

/** The used part of the response to a registration (RFC 7591, section 3.2.1). */
const Registered = Type.Object({
  client_id: Type.String({ minLength: 1, maxLength: 2048, pattern: VSCHARS }),
  client_secret: Type.Optional(Type.String({ maxLength: 8192, pattern: VSCHARS })),
  token_endpoint_auth_method: Type.Optional(Type.String()),
})

/** The client that an admin registered and provided. */
export interface ProvidedClient {
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  /** The key of a client that authenticates with `private_key_jwt`. */
  readonly privateKey?: string | undefined
  /** Replaces the discovered scopes. */
  readonly scopes?: readonly string[] | undefined
  /** Replace those that the gateway knows for the issuer. */
  readonly authorizationParams?: AuthorizationParams | undefined
  /** Whether to send `resource`; true if absent. */
  readonly sendResource?: boolean | undefined
}

/** This gateway's client at an upstream's authorization server. */
export interface RegisteredClient {
  readonly oauth: RemoteOauth
  /** The secret, or the private key; null for a public client. */
  readonly clientSecret: string | null
}

/** The parameters without which an issuer gives no refresh token. */
const PARAMS_OF_ISSUERS: Readonly<Record<string, AuthorizationParams>> = {
  // Without the consent page, only the first sign-in of a person yields one.
  'https://accounts.google.com': { access_type: 'offline', prompt: 'consent' },
}

/** Registers this gateway as a client of an authorization server. */
export interface ClientRegistration {
  /**
   * Uses the provided client, if any. Otherwise uses the client metadata document of this gateway, if its origin is https
   * and the server supports such documents and announces `iss` (RFC 9207). Otherwise registers dynamically (RFC 7591).
   * Throws oauth_registration_failed.
   */
  register(discovered: DiscoveredServer, given: ProvidedClient, own: { origin: string }): Promise<RegisteredClient>
}

interface ClientRegistrationOptions {
  egress: Pick<Egress, 'request'>
  /** The dashboard, where people sign in too; undefined without one. */
  dashboardUrl?: string | undefined
}

export function createClientRegistration({ egress, dashboardUrl }: ClientRegistrationOptions): ClientRegistration {
  const registerManually = manualRegistration(redirectUris(dashboardUrl))

  async function registerAt(
    { issuer, registrationEndpoint, clientAuth, takesClientIdMetadata, issParameter }: DiscoveredServer,
    scopes: readonly string[],
  ): Promise<{ clientId: string; clientAuth: ClientAuth; clientSecret: string | null }> {
    if (registrationEndpoint === undefined)
      throw registerManually(
        issuer,
        takesClientIdMetadata && !issParameter
          ? 'does not announce authorization_response_iss_parameter_supported, which the client metadata document of this gateway requires, and does not support dynamic client registration'
          : 'does not support dynamic client registration',
      )
    // Prefer a public client: the secret of a client that anyone can register proves nothing and may expire.
    const asked = clientAuth.includes('none') ? 'none' : clientAuth[0]
    if (asked === undefined)
      throw registerManually(issuer, 'supports none of the client authentication methods of this gateway')
    const metadata = clientMetadata(dashboardUrl, AUTH_METHODS[asked])
    const body = JSON.stringify({ ...metadata, ...(scopes.length > 0 && { scope: scopes.join(' ') }) })
    const registered = readRegistered(issuer, await post(issuer, registrationEndpoint, body), registerManually)
    const { client_id: clientId, client_secret: secret = '', token_endpoint_auth_method: method } = registered
    // A client with a secret is confidential. The default method is HTTP Basic (RFC 7591, section 2).
    const unnamed = secret === '' ? asked : (clientAuth.find(auth => auth !== 'none') ?? 'basic')
    const granted = method === undefined ? unnamed : clientAuthOf(method)
    if (granted === undefined || (granted !== 'none' && secret === ''))
      throw registerManually(issuer, 'registered this gateway as a client without usable client authentication')
    return { clientId, clientAuth: granted, clientSecret: granted === 'none' ? null : secret }
  }

  async function post(issuer: string, url: string, body: string): Promise<EgressAnswer> {
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const bounds = { deadlineMs: REGISTRATION_DEADLINE_MS, maxBytes: MAX_ANSWER_BYTES }
    try {
      return await egress.request({ method: 'POST', url, headers, body, ...bounds })
    } catch (cause) {
      if (!(cause instanceof EgressError)) throw cause
      throw registerManually(
        issuer,
        `did not answer the registration request (${cause.message.replace(/\.$/, '')})`,
        cause,
      )
    }
  }

  return {
    async register(discovered, given, { origin }) {
      const { resource, issuer, authorizationEndpoint, tokenEndpoint, revocationEndpoint, issParameter } = discovered
      const scopes = given.scopes ?? discovered.scopes
      const authorizationParams = { ...PARAMS_OF_ISSUERS[issuer], ...given.authorizationParams }
      const server = {
        v: 1 as const,
        resource,
        issuer,
        authorizationEndpoint,
        tokenEndpoint,
        issParameter,
        scopes,
        ...(revocationEndpoint !== undefined && { revocationEndpoint }),
        ...(Object.keys(authorizationParams).length > 0 && { authorizationParams }),
        ...(given.sendResource === false && { withoutResource: true as const }),
      }
      if (given.clientId !== undefined) {
        const { clientId, privateKey, clientSecret = privateKey ?? null } = given
        const withSecret = () => (clientSecret === null ? 'none' : secretAuth(discovered))
        const clientAuth = privateKey === undefined ? withSecret() : 'private_key_jwt'
        return { oauth: { ...server, clientSource: 'preregistered', clientId, clientAuth }, clientSecret }
      }
      // Any server knows this client_id and could send a person on to this one. Only `iss` in the response then shows that
      // the code is another server's (RFC 9700, section 4.4.2).
      if (discovered.takesClientIdMetadata && issParameter && origin.startsWith('https:')) {
        const clientId = origin + CLIENT_METADATA_PATH
        return {
          oauth: { ...server, clientSource: 'preregistered', clientId, clientAuth: 'none' },
          clientSecret: null,
        }
      }
      const { clientSecret, ...client } = await registerAt(discovered, scopes)
      return { oauth: { ...server, clientSource: 'dcr', ...client }, clientSecret }
    },
  }
}

function secretAuth({ issuer, clientAuth }: DiscoveredServer): ClientAuth {
  const auth = clientAuth.find(auth => auth !== 'none')
  if (auth !== undefined) return auth
  throw new GatewayError(
    'oauth_registration_failed',
    `${hostOf(issuer)} does not support a client secret. Send only the client_id of a public client.`,
  )
}

function readRegistered(
  issuer: string,
  { status, body }: EgressAnswer,
  registerManually: RegisterManually,
): Static<typeof Registered> {
  const answer = withoutNulls(parseUpstream(body))
  // The RFC requires 201, but some servers answer 200.
  if ((status === 200 || status === 201) && Value.Check(Registered, answer)) return answer
  throw registerManually(issuer, `rejected the registration of this gateway (HTTP ${status}${errorIn(answer)})`)
}

/** The error code of a rejection, if it has a plausible form, and what the server says about it. */
function errorIn(answer: unknown): string {
  if (!isJsonObject(answer)) return ''
  const { error, error_description: description } = answer
  const said = typeof description === 'string' ? safeDescription(description, []) : ''
  const code = typeof error === 'string' && /^[a-z][a-z0-9_.-]{0,39}$/.test(error) ? ` ${error}` : ''
  return said === '' ? code : `${code}: “${said}”`
}

/** The error of a failed registration, with what to do instead. */
type RegisterManually = (issuer: string, what: string, cause?: unknown) => GatewayError

function manualRegistration(uris: readonly string[]): RegisterManually {
  return (issuer, what, cause) =>
    new GatewayError(
      'oauth_registration_failed',
      `${hostOf(issuer)} ${what}. Register a client there yourself with the redirect URI ${uris.join(' and ')}. ` +
        'Then provide its client_id, and its client_secret if it has one.',
      { cause },
    )
}

function hostOf(issuer: string): string {
  return new URL(issuer).host
}
