import { redactPrivateAddresses } from '../../../lib/egress/private-addresses.ts'
import type { Challenge } from './challenge.ts'
import { firstOf, MetadataFault, type ReadDocument } from './metadata-document.ts'
import { publishedUrl, scopesIn } from './published.ts'

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** How many authorization servers of an upstream are tried. */
const MAX_SERVERS = 4

/** The used part of an upstream's metadata (RFC 9728). */
interface ProtectedResource {
  /** The exact text, because authorization servers compare it exactly. */
  readonly resource: string
  readonly authorizationServers: readonly string[]
  readonly scopes: readonly string[]
}

/**
 * Reads an upstream's metadata from the URL in its challenge, otherwise from the well-known URLs. An upstream that
 * publishes none anywhere is its own authorization server (MCP 2025-03-26). Throws MetadataFaults.
 */
export async function readProtectedResource(
  read: ReadDocument,
  upstream: URL,
  challenge: Challenge | undefined,
): Promise<ProtectedResource> {
  const named = challenge?.resourceMetadata
  const places = named === undefined ? wellKnown(upstream) : [own(named, upstream)]
  try {
    return await firstOf(places, async url => resourceOf(await read(url), upstream))
  } catch (error) {
    if (named !== undefined || !(error instanceof MetadataFault) || !error.missing) throw error
    return { resource: upstream.href, authorizationServers: [upstream.origin], scopes: [] }
  }
}

/** Rejects a document at another origin without fetching it: that origin could name the authorization server of this one. */
function own(named: string, upstream: URL): URL {
  const url = URL.parse(named)
  if (url?.origin === upstream.origin) return url
  const where =
    url === null ? 'an invalid URL' : `${redactPrivateAddresses(url.host) || url.protocol}, which is another origin`
  throw new MetadataFault(`the 401 of ${upstream.host} names it at ${where}; the gateway did not fetch it`)
}

/** The well-known URLs (RFC 9728, section 3.1): with the path of the resource, then at the root. */
function wellKnown(upstream: URL): URL[] {
  const root = new URL(WELL_KNOWN, upstream)
  if (upstream.pathname === '/' && upstream.search === '') return [root]
  const path = upstream.pathname === '/' ? '' : upstream.pathname
  return [new URL(`${WELL_KNOWN}${path}${upstream.search}`, upstream), root]
}

function resourceOf(document: Readonly<Record<string, unknown>>, upstream: URL): ProtectedResource {
  const { resource, authorization_servers: servers, scopes_supported: scopes } = document
  if (typeof resource !== 'string' || !covers(resource, upstream))
    throw new MetadataFault(`its \`resource\` is neither the URL of the upstream nor a parent of it`)
  const authorizationServers = Array.isArray(servers) ? servers.filter(server => typeof server === 'string') : []
  if (authorizationServers.length === 0) throw new MetadataFault('it names no `authorization_servers`')
  return { resource, authorizationServers: authorizationServers.slice(0, MAX_SERVERS), scopes: scopesIn(scopes) }
}

/** Whether a resource is the upstream's URL or a parent of it on the same origin. */
function covers(resource: string, upstream: URL): boolean {
  const url = publishedUrl(resource)
  if (url?.origin !== upstream.origin) return false
  if (url.search !== '') return url.href === upstream.href
  const above = url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`
  return upstream.pathname === url.pathname || `${upstream.pathname}/`.startsWith(above)
}
