import { lookup as dnsLookup } from 'node:dns'
import { Agent } from 'undici'
import { createAddressRules } from './addresses.ts'
import type { AllowList } from './allow-list.ts'
import { collectBody, streamBody } from './bodies.ts'
import { createShares } from './concurrency-limiter.ts'
import { createConnector, type Lookup } from './connect.ts'
import { type Egress, type EgressAnswer, EgressError, type EgressRequest, type EgressStream } from './egress.ts'
import { isEventStream, watchEvents } from './events.ts'
import { fetchThrough } from './fetch-adapter.ts'
import { follow, type Out } from './follow.ts'
import { judge, requireReachable } from './validate-destination.ts'

export interface EgressOptions {
  /** EGRESS_ALLOW: what may be reached on private networks, and without TLS. */
  allow: AllowList
  /** EGRESS_ALLOW_LOOPBACK: this machine may be reached, and without TLS. */
  allowLoopback: boolean
  /** How names are resolved; the system's way when absent. */
  lookup?: Lookup
  /** Connections to one origin at most, 128 when absent; more requests wait for one within their deadline. */
  maxConnectionsPerOrigin?: number
  /** Requests of one share (EgressRequest.share) that are under way to one origin at most, 32 when absent. */
  maxPerShare?: number
  /** How long further ones wait in line, 5 s when absent; or their deadline, where that is shorter. */
  shareWaitMs?: number
  /** How long a connection may take to be made; 10 s when absent. */
  connectTimeoutMs?: number
}

/** Further requests of one share to one origin that wait at most. */
const MAX_IN_LINE = 128

/** Header bytes of one answer at most, and of its trailers. */
const MAX_HEADER_BYTES = 16_384

/** The one way out on undici. */
export function createEgress({
  allow,
  allowLoopback,
  lookup = dnsLookup,
  maxConnectionsPerOrigin = 128,
  maxPerShare = 32,
  shareWaitMs = 5_000,
  connectTimeoutMs = 10_000,
}: EgressOptions): Egress {
  const rules = createAddressRules({ allow, allowLoopback })
  // One for all: what it keeps of TLS sessions serves every pool.
  const connect = createConnector({ rules, lookup, timeoutMs: connectTimeoutMs })
  const pools = new Set<Agent>()

  function outBy(connections: number): Out & { dispatcher: Agent } {
    const dispatcher = new Agent({
      connect,
      connections,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Each exchange has one deadline of its own over everything.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    pools.add(dispatcher)
    return {
      rules,
      dispatcher,
      shares: createShares({ max: maxPerShare, maxInLine: MAX_IN_LINE, waitMs: shareWaitMs }),
    }
  }

  const out = outBy(maxConnectionsPerOrigin)
  const request = (request: EgressRequest) => requestBy(out, request)

  return {
    request,
    stream: request => streamBy(out, request),
    fetch: (url, init) => fetchThrough(request, url, init),
    judge: url => judge(url, { rules, lookup }),
    requireReachable: url => requireReachable(url, { rules, lookup }),
    pool({ connections }) {
      const out = outBy(connections)
      return {
        request: request => requestBy(out, request),
        async close() {
          await out.dispatcher.close()
          pools.delete(out.dispatcher)
        },
      }
    },
    async close() {
      const stopping = new EgressError('aborted', 'The service is shutting down.')
      await Promise.all(Array.from(pools, pool => pool.destroy(stopping)))
    },
  }
}

function requestBy(out: Out, request: EgressRequest): Promise<EgressAnswer> {
  return new Promise((resolve, reject) =>
    follow(out, request, {
      receive(head, options) {
        const { events } = request
        if (events !== undefined && isEventStream(head.headers))
          return watchEvents(options, events, error => {
            if (error === null) resolve({ ...head, body: '' })
            else reject(error)
          })
        return collectBody(options, (error, body) => {
          if (error === null) resolve({ ...head, body })
          else reject(error)
        })
      },
      failed: reject,
    }),
  )
}

function streamBy(out: Out, request: EgressRequest): Promise<EgressStream> {
  return new Promise((resolve, reject) =>
    follow(out, request, {
      receive(head, options) {
        const { body, receiver } = streamBody(options)
        resolve({ ...head, body })
        return receiver
      },
      failed: reject,
    }),
  )
}
