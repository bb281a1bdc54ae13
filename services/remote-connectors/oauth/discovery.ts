import { type Egress, EgressError } from '../../../lib/egress/egress.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { FIRST_MODERN_VERSION } from '../../mcp/protocol.ts'
import type { Requests } from '../upstream/requests.ts'
import type { ModernProtocol } from '../upstream/upstream.ts'
import {
  type AuthorizationServer,
  type DiscoveredServer,
  type OauthGrant,
  readAuthorizationServer,
  requireReachableEndpoints,
} from './authorization-server.ts'
import { type Challenge, readChallenge } from './challenge.ts'
import { createReadDocument, MetadataFault, type ReadDocument } from './metadata-document.ts'
import { readProtectedResource } from './protected-resource.ts'

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

/** Finds the authorization server of an upstream. */
export interface Discovery {
  /**
   * Throws oauth_discovery_failed, with the failed step, the host and what to do. Without people who sign in
   * (`client_credentials`), the server needs neither PKCE nor an authorization endpoint.
   */
  discover(upstreamUrl: string, grant?: OauthGrant): Promise<DiscoveredServer>
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
   */
  async function challengeOf(upstream: URL, signal: AbortSignal): Promise<Challenge | undefined> {
    const tools = requests.list('tools/list', MODERN, undefined)
    for (const { headers, body } of [tools, requests.initialize()]) {
      const request = { method: 'POST', url: upstream, headers, body, deadlineMs: CHALLENGE_DEADLINE_MS, signal }
      const answer = await egress.stream(request)
      // Only the headers matter.
      answer.body.destroy()
      if (answer.status === 401) return readChallenge(answer.headers['www-authenticate'])
      if (answer.status < 400) return undefined
    }
    return undefined
  }

  return {
    async discover(upstreamUrl, grant = 'authorization_code') {
      const upstream = new URL(upstreamUrl)
      upstream.hash = ''
      const signal = AbortSignal.timeout(DISCOVERY_DEADLINE_MS)
      const read = createReadDocument(egress, signal)
      const challenge = await step(upstream, 'The upstream is unreachable', () => challengeOf(upstream, signal))
      const { resource, authorizationServers, scopes } = await step(
        upstream,
        `The protected resource metadata of ${upstream.host} (RFC 9728) is unusable`,
        () => readProtectedResource(read, upstream, challenge),
      )
      const { scopesSupported, ...server } = await firstServer({ read, egress, grant }, upstream, authorizationServers)
      const wanted = challenge !== undefined && challenge.scopes.length > 0 ? challenge.scopes : scopes
      // Request offline_access only together with other scopes: without them it would narrow the server's default scopes.
      const renewed = wanted.length > 0 && scopesSupported.includes('offline_access')
      return { ...server, resource, scopes: renewed ? [...new Set([...wanted, 'offline_access'])] : wanted }
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
