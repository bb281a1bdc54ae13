import { type Egress, EgressError } from '../../../lib/egress/egress.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { FIRST_MODERN_VERSION } from '../../mcp/protocol.ts'
import type { Requests } from '../upstream/requests.ts'
import {
  type AuthorizationServer,
  type DiscoveredServer,
  readAuthorizationServer,
  requireReachableEndpoints,
} from './authorization-server.ts'
import { type Challenge, readChallenge } from './challenge.ts'
import { createReadDocument, MetadataFault, type ReadDocument } from './metadata-document.ts'
import { readProtectedResource } from './protected-resource.ts'

/** How long a discovery may take, all its requests together. */
const DISCOVERY_DEADLINE_MS = 25_000
/** How long an upstream may take to say that it wants a token. */
const CHALLENGE_DEADLINE_MS = 8_000

/** Finds out who issues tokens for an upstream. */
export interface Discovery {
  /** Throws oauth_discovery_failed, which names the step and the host and says what to do. */
  discover(upstreamUrl: string): Promise<DiscoveredServer>
}

export function createDiscovery({
  egress,
  requests,
}: {
  egress: Pick<Egress, 'request' | 'stream' | 'requireReachable'>
  requests: Pick<Requests, 'initialize' | 'listTools'>
}): Discovery {
  /**
   * What the upstream says to who comes without a token; undefined where it says nothing of an authorization. It is asked
   * for its tools in the stateless revision, since some let everybody say hello; and for the hello of the handshake
   * revisions, for those that judge the revision first.
   */
  async function challengeOf(upstream: URL, signal: AbortSignal): Promise<Challenge | undefined> {
    const tools = requests.listTools({ generation: 'modern', version: FIRST_MODERN_VERSION }, undefined)
    for (const { headers, body } of [tools, requests.initialize()]) {
      const request = { method: 'POST', url: upstream, headers, body, deadlineMs: CHALLENGE_DEADLINE_MS, signal }
      const answer = await egress.stream(request)
      // Nothing is read of it but its head.
      answer.body.destroy()
      if (answer.status === 401) return readChallenge(answer.headers['www-authenticate'])
      if (answer.status < 400) return undefined
    }
    return undefined
  }

  return {
    async discover(upstreamUrl) {
      const upstream = new URL(upstreamUrl)
      upstream.hash = ''
      const signal = AbortSignal.timeout(DISCOVERY_DEADLINE_MS)
      const read = createReadDocument(egress, signal)
      const challenge = await step(upstream, 'The upstream cannot be reached', () => challengeOf(upstream, signal))
      const { resource, authorizationServers, scopes } = await step(
        upstream,
        `The protected resource metadata of ${upstream.host} (RFC 9728) cannot be used`,
        () => readProtectedResource(read, upstream, challenge),
      )
      const { scopesSupported, ...server } = await firstServer({ read, egress }, upstream, authorizationServers)
      const wanted = challenge !== undefined && challenge.scopes.length > 0 ? challenge.scopes : scopes
      // What renews tokens is asked for beside other scopes alone: by itself it would narrow what the server gives by default.
      const renewed = wanted.length > 0 && scopesSupported.includes('offline_access')
      return { ...server, resource, scopes: renewed ? [...new Set([...wanted, 'offline_access'])] : wanted }
    },
  }
}

/** The first of an upstream's authorization servers that can be used; throws what is wrong with the first. */
async function firstServer(
  { read, egress }: { read: ReadDocument; egress: Pick<Egress, 'requireReachable'> },
  upstream: URL,
  issuers: readonly string[],
): Promise<AuthorizationServer> {
  let failure: unknown
  for (const issuer of issuers) {
    const host = URL.parse(issuer)?.host
    const what = `The metadata of the authorization server${host ? ` ${host}` : ''} (RFC 8414) cannot be used`
    try {
      return await step(upstream, what, async () => {
        const server = await readAuthorizationServer(read, issuer)
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
      `${what}: ${cause.message.replace(/\.$/, '')}. ${unanswered ? 'Check the address, and try again' : instead(upstream)}.`,
      { cause },
    )
  }
}

function instead({ host }: URL): string {
  return `Have who runs ${host} put that right, or register it with a token that you have from there: auth mode bearer or header`
}
