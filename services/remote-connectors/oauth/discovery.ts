import { type Egress, EgressError } from '../../../lib/egress/egress.ts'
import { redactPrivateAddresses } from '../../../lib/egress/private-addresses.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { FIRST_MODERN_VERSION } from '../../mcp/protocol.ts'
import { slashRedirect } from '../upstream/refusals.ts'
import type { Requests, UpstreamRequest } from '../upstream/requests.ts'
import type { ModernProtocol } from '../upstream/upstream.ts'
import {
  type AuthorizationServer,
  type DiscoveredServer,
  type OauthGrant,
  readAuthorizationServer,
  requireReachableEndpoints,
} from './authorization-server.ts'
import { type Challenge, readChallenge } from './challenge.ts'
import {
  createReadDocument,
  firstOf,
  MetadataFault,
  publishedUrl,
  type ReadDocument,
  scopesIn,
} from './published-metadata.ts'

/** The deadline of a discovery, for all its requests together. */
const DISCOVERY_DEADLINE_MS = 25_000
/** The deadline for the upstream's 401. */
const CHALLENGE_DEADLINE_MS = 8_000

/** The protocol of the first request, before the upstream has said anything. */
const MODERN: ModernProtocol = {
  generation: 'modern',
  version: FIRST_MODERN_VERSION,
  server: { capabilities: {}, instructions: undefined },
}

/** What a discovery found. */
interface Discovered extends DiscoveredServer {
  /** The URL of the upstream, after a redirect that only adds or removes a trailing slash. */
  readonly upstreamUrl: string
}

/** Finds the authorization server of an upstream. */
export interface Discovery {
  /**
   * Throws oauth_discovery_failed, with the failed step, the host and what to do. Without people who sign in
   * (`client_credentials`), the server needs neither PKCE nor an authorization endpoint.
   */
  discover(upstreamUrl: string, grant?: OauthGrant): Promise<Discovered>
}

export function createDiscovery({
  egress,
  requests,
}: {
  egress: Pick<Egress, 'request' | 'stream' | 'requireReachable'>
  requests: Pick<Requests, 'initialize' | 'list'>
}): Discovery {
  /**
   * The challenge of the upstream to a request without a token; undefined if it has none. Sends a modern `tools/list` first,
   * because some servers accept `initialize` without a token, and then `initialize`, because some check the protocol version first.
   * Follows one slashRedirect, and returns the URL that answered.
   */
  async function challengeOf(
    upstream: URL,
    signal: AbortSignal,
  ): Promise<{ url: URL; challenge?: Challenge | undefined }> {
    let url = upstream
    const ask = async ({ headers, body }: Pick<UpstreamRequest, 'headers' | 'body'>) => {
      const request = { method: 'POST', url, headers, body, deadlineMs: CHALLENGE_DEADLINE_MS, signal }
      const answer = await egress.stream(request)
      // Only the headers matter.
      answer.body.destroy()
      return answer
    }
    for (const request of [requests.list('tools/list', MODERN, undefined), requests.initialize()]) {
      let { status, headers } = await ask(request)
      const redirected = url === upstream ? slashRedirect(url, { status, location: headers.location }) : undefined
      if (redirected !== undefined) {
        url = redirected
        ;({ status, headers } = await ask(request))
      }
      if (status === 401) return { url, challenge: await readChallenge(headers['www-authenticate']) }
      if (status < 400) break
    }
    return { url }
  }

  return {
    async discover(upstreamUrl, grant = 'authorization_code') {
      const given = new URL(upstreamUrl)
      given.hash = ''
      const signal = AbortSignal.timeout(DISCOVERY_DEADLINE_MS)
      const read = createReadDocument(egress, signal)
      const { url: upstream, challenge } = await step(given, 'The upstream is unreachable', () =>
        challengeOf(given, signal),
      )
      const { resource, authorizationServers, scopes } = await step(
        upstream,
        `The protected resource metadata of ${upstream.host} (RFC 9728) is unusable`,
        () => readProtectedResource(read, upstream, challenge),
      )
      const { scopesSupported, ...server } = await firstServer({ read, egress, grant }, upstream, authorizationServers)
      const wanted = challenge !== undefined && challenge.scopes.length > 0 ? challenge.scopes : scopes
      // Request offline_access only together with other scopes: without them it would narrow the server's default scopes.
      const renewed = wanted.length > 0 && scopesSupported.includes('offline_access')
      return {
        ...server,
        upstreamUrl: upstream === given ? upstreamUrl : upstream.href,
        resource,
        scopes: renewed ? [...new Set([...wanted, 'offline_access'])] : wanted,
      }
    },
  }
}

/** The first usable authorization server of an upstream. If none is usable, throws the error of the first. */
async function firstServer(
  { read, egress, grant }: { read: ReadDocument; egress: Pick<Egress, 'requireReachable'>; grant: OauthGrant },
  upstream: URL,
  issuers: readonly string[],
): Promise<AuthorizationServer> {
  let failure: unknown
  for (const issuer of issuers) {
    const host = URL.parse(issuer)?.host
    const what = `The metadata of the authorization server${host ? ` ${host}` : ''} (RFC 8414) is unusable`
    try {
      return await step(upstream, what, async () => {
        const server = await readAuthorizationServer(read, issuer, grant)
        await requireReachableEndpoints(egress, server)
        return server
      })
    } catch (error) {
      failure ??= error
    }
  }
  throw failure
}

async function step<T>(upstream: URL, what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof MetadataFault) && !(cause instanceof EgressError)) throw cause
    const unanswered = cause instanceof EgressError || cause.cause instanceof EgressError
    throw new GatewayError(
      'oauth_discovery_failed',
      `${what}: ${cause.message.replace(/\.$/, '')}. ${unanswered ? 'Check the address, then retry' : instead(upstream)}.`,
      { cause },
    )
  }
}

function instead({ host }: URL): string {
  return `Report this to the operator of ${host}, or use a token that it issued, in auth mode bearer or header`
}

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
async function readProtectedResource(
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

/**
 * The well-known URLs (RFC 9728, section 3.1): with the path of the resource, then at the root. Many servers that serve a
 * path with a slash at its end publish the document without it.
 */
function wellKnown(upstream: URL): URL[] {
  const root = new URL(WELL_KNOWN, upstream)
  if (upstream.pathname === '/' && upstream.search === '') return [root]
  const path = upstream.pathname === '/' ? '' : upstream.pathname
  const paths = new Set([path, path.replace(/\/$/, '')])
  return [...[...paths].map(each => new URL(`${WELL_KNOWN}${each}${upstream.search}`, upstream)), root]
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
