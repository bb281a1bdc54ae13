import type { DiscoveredServer } from './discovered.ts'
import { firstOf, MetadataFault, type ReadDocument } from './metadata-document.ts'
import { publishedUrl } from './published-url.ts'
import { scopesIn } from './scopes.ts'

/** What an authorization server publishes of itself (RFC 8414), as far as it is used. */
export interface AuthorizationServer extends Omit<DiscoveredServer, 'resource' | 'scopes'> {
  readonly scopesSupported: readonly string[]
}

/** How a client proves itself at the token endpoint, the best first. */
const CLIENT_AUTH = [
  ['client_secret_basic', 'basic'],
  ['client_secret_post', 'post'],
  ['none', 'none'],
] as const

/** Reads the metadata of an issuer, which must name that very issuer and take S256; throws MetadataFaults. */
export async function readAuthorizationServer(read: ReadDocument, issuer: string): Promise<AuthorizationServer> {
  const url = publishedUrl(issuer)
  if (url === undefined || url.search !== '')
    throw new MetadataFault('the upstream names an issuer that is no plain URL')
  return firstOf(wellKnown(url), async place => serverOf(await read(place), issuer, url))
}

/** RFC 8414, section 3.1, then OpenID Connect with its path inserted and appended, as MCP has them. */
function wellKnown(issuer: URL): URL[] {
  const path = issuer.pathname.replace(/\/$/, '')
  const places = [
    `/.well-known/oauth-authorization-server${path}`,
    `/.well-known/openid-configuration${path}`,
    `${path}/.well-known/openid-configuration`,
  ]
  return [...new Set(places)].map(place => {
    // Set rather than resolved: a path that begins with two slashes would lead to another host.
    const url = new URL(issuer.origin)
    url.pathname = place
    return url
  })
}

function serverOf(document: Readonly<Record<string, unknown>>, issuer: string, url: URL): AuthorizationServer {
  // To the letter (RFC 8414, section 3.3): what is only alike may be another server that hopes to be taken for this one.
  if (document.issuer !== issuer)
    throw new MetadataFault('its `issuer` is not, to the letter, the one that the upstream names')
  if (!listOf(document.code_challenge_methods_supported)?.includes('S256'))
    throw new MetadataFault('it does not list S256 in `code_challenge_methods_supported`, and PKCE is required')
  const methods = listOf(document.token_endpoint_auth_methods_supported)
  const registration = document.registration_endpoint
  return {
    issuer,
    authorizationEndpoint: endpoint(document, 'authorization_endpoint', url),
    tokenEndpoint: endpoint(document, 'token_endpoint', url),
    registrationEndpoint: registration === undefined ? undefined : endpoint(document, 'registration_endpoint', url),
    // A client that is known by its document has no secret.
    takesClientIdMetadata:
      document.client_id_metadata_document_supported === true && (methods?.includes('none') ?? true),
    issParameter: document.authorization_response_iss_parameter_supported === true,
    // Who lists none takes HTTP Basic (RFC 8414, section 2).
    clientAuth: CLIENT_AUTH.filter(([name]) => (methods ?? ['client_secret_basic']).includes(name)).map(
      ([, auth]) => auth,
    ),
    scopesSupported: scopesIn(document.scopes_supported),
  }
}

function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined
}

/** Without TLS only where egress has let out to the issuer without TLS as well. */
function endpoint(document: Readonly<Record<string, unknown>>, name: string, issuer: URL): string {
  const url = publishedUrl(document[name])
  if (url === undefined || (url.protocol === 'http:' && issuer.protocol !== 'http:'))
    throw new MetadataFault(`its \`${name}\` is no plain https URL`)
  return document[name] as string
}
