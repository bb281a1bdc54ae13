import { type Egress, EgressError } from '../../../lib/egress/egress.ts'
import { AUTH_METHODS, type ClientAuth } from './client-metadata.ts'
import { firstOf, MetadataFault, publishedUrl, type ReadDocument, scopesIn } from './published-metadata.ts'

/** The validated metadata of an upstream and its authorization server (RFC 9728, RFC 8414). */
export interface DiscoveredServer {
  /** The protected resource, as its metadata names it; sent as `resource` (RFC 8707). */
  readonly resource: string
  readonly issuer: string
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly registrationEndpoint: string | undefined
  readonly revocationEndpoint: string | undefined
  readonly takesClientIdMetadata: boolean
  readonly issParameter: boolean
  /** The client authentication methods of the token endpoint that this service can use, the best first. */
  readonly clientAuth: readonly ClientAuth[]
  /** The scopes to request, from the challenge or the resource's metadata; empty if neither has any. */
  readonly scopes: readonly string[]
}

/** The used part of an authorization server's metadata (RFC 8414). */
export interface AuthorizationServer extends Omit<DiscoveredServer, 'resource' | 'scopes'> {
  readonly scopesSupported: readonly string[]
}

/** How tokens are requested: after a person's sign-in, or for the client itself. */
export type OauthGrant = 'authorization_code' | 'client_credentials'

/**
 * Reads the metadata of an issuer, which must contain this issuer, with or without a slash at its end, and, for sign-ins,
 * support S256. Throws MetadataFaults.
 */
export async function readAuthorizationServer(
  read: ReadDocument,
  issuer: string,
  grant: OauthGrant,
): Promise<AuthorizationServer> {
  const url = publishedUrl(issuer)
  if (url === undefined || url.search !== '')
    throw new MetadataFault('the issuer that the upstream names is not a valid URL')
  return firstOf(wellKnown(url), async place => serverOf(await read(place), { issuer, url, grant }))
}

/** The metadata URLs in MCP's order: RFC 8414, section 3.1, then OpenID Connect with the path inserted and appended. */
function wellKnown(issuer: URL): URL[] {
  const path = issuer.pathname.replace(/\/$/, '')
  const places = [
    `/.well-known/oauth-authorization-server${path}`,
    `/.well-known/openid-configuration${path}`,
    `${path}/.well-known/openid-configuration`,
  ]
  return [...new Set(places)].map(place => {
    // Set the path instead of resolving it, because a path with two leading slashes would lead to another host.
    const url = new URL(issuer.origin)
    url.pathname = place
    return url
  })
}

function serverOf(
  document: Readonly<Record<string, unknown>>,
  { issuer, url, grant }: { issuer: string; url: URL; grant: OauthGrant },
): AuthorizationServer {
  const { issuer: named } = document
  // RFC 8414, section 3.3 requires an exact match: a similar issuer may be an impostor.
  if (!isIssuer(named, issuer)) throw new MetadataFault('its `issuer` is not exactly the one that the upstream names')
  const signsIn = grant === 'authorization_code'
  if (signsIn && !listOf(document.code_challenge_methods_supported)?.includes('S256'))
    throw new MetadataFault('it does not list S256 in `code_challenge_methods_supported`, and PKCE is required')
  const methods = listOf(document.token_endpoint_auth_methods_supported)
  const { registration_endpoint: registration, revocation_endpoint: revocation } = document
  return {
    // The server's own spelling, which everything after it has: the `iss` of responses is compared exactly.
    issuer: named,
    // Without sign-ins it is never used, and servers may omit it (RFC 8414, section 2).
    authorizationEndpoint: endpoint(document, signsIn ? 'authorization_endpoint' : 'token_endpoint', url),
    tokenEndpoint: endpoint(document, 'token_endpoint', url),
    registrationEndpoint: registration === undefined ? undefined : endpoint(document, 'registration_endpoint', url),
    revocationEndpoint: revocation === undefined ? undefined : endpoint(document, 'revocation_endpoint', url),
    // A client with a metadata document has no secret.
    takesClientIdMetadata:
      document.client_id_metadata_document_supported === true && (methods?.includes('none') ?? true),
    issParameter: document.authorization_response_iss_parameter_supported === true,
    // The default is HTTP Basic (RFC 8414, section 2).
    clientAuth: (Object.keys(AUTH_METHODS) as ClientAuth[]).filter(auth =>
      (methods ?? [AUTH_METHODS.basic]).includes(AUTH_METHODS[auth]),
    ),
    scopesSupported: scopesIn(document.scopes_supported),
  }
}

/** Whether an issuer is the expected one. Upstreams and providers disagree about the slash at its end. */
function isIssuer(named: unknown, expected: string): named is string {
  return named === expected || named === `${expected}/` || `${named}/` === expected
}

function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined
}

/** A valid endpoint URL. Allows http only if the issuer uses http too. */
function endpoint(document: Readonly<Record<string, unknown>>, name: string, issuer: URL): string {
  const url = publishedUrl(document[name])
  if (url === undefined || (url.protocol === 'http:' && issuer.protocol !== 'http:'))
    throw new MetadataFault(`its \`${name}\` is not a valid https URL`)
  return document[name] as string
}

/**
 * Throws a MetadataFault for an endpoint at an address that this gateway does not connect to: tokens are requested
 * there later, and the person's browser is sent there.
 */
export async function requireReachableEndpoints(
  egress: Pick<Egress, 'requireReachable'>,
  { authorizationEndpoint, tokenEndpoint, registrationEndpoint, revocationEndpoint }: AuthorizationServer,
): Promise<void> {
  const endpoints = {
    authorization_endpoint: authorizationEndpoint,
    token_endpoint: tokenEndpoint,
    registration_endpoint: registrationEndpoint,
    revocation_endpoint: revocationEndpoint,
  }
  for (const [name, url] of Object.entries(endpoints)) {
    if (url === undefined) continue
    try {
      await egress.requireReachable(url)
    } catch (cause) {
      if (!(cause instanceof EgressError)) throw cause
      throw new MetadataFault(`its \`${name}\` is unusable: ${cause.message.replace(/\.$/, '')}`, { cause })
    }
  }
}
