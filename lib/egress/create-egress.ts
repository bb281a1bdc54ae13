import { lookup as dnsLookup } from 'node:dns'
import { Agent } from 'undici'
import { createAddressRules } from './address-rules.ts'
import type { AllowList } from './allow-list.ts'
import { collectBody, streamBody } from './bodies.ts'
import { createConcurrencyLimiter } from './concurrency-limiter.ts'
import { createConnector, type Lookup } from './connect.ts'
import { type Egress, type EgressAnswer, EgressError, type EgressRequest, type EgressStream } from './egress.ts'
import { isEventStream, watchEvents } from './events.ts'
import { follow, type Out } from './follow.ts'
import { requireReachable, validateDestination } from './validate-destination.ts'

export interface EgressOptions {
  /** EGRESS_ALLOW: what may be reached on private networks, and without TLS. */
  allow: AllowList
  /** EGRESS_ALLOW_LOOPBACK: this machine may be reached, and without TLS. */
  allowLoopback: boolean
  /** How names are resolved; the system's way when absent. */
  lookup?: Lookup
  /** Connections to one origin at most, 128 when absent; more requests wait for one within their deadline. */
  maxConnectionsPerOrigin?: number
  /** The maximum number of requests in flight per EgressRequest.concurrencyKey and origin; 32 when absent. */
  maxConcurrentPerKey?: number
  /** How long further requests wait in the queue, at most their own deadline; 5 s when absent. */
  queueWaitMs?: number
  /** How long a connection may take to be made; 10 s when absent. */
  connectTimeoutMs?: number
}

/** The maximum length of the queue per concurrency key and origin. */
const MAX_QUEUED = 128

/** Header bytes of one answer at most, and of its trailers. */
const MAX_HEADER_BYTES = 16_384

/** The one way out on undici. */
export function createEgress({
  allow,
  allowLoopback,
  lookup = dnsLookup,
  maxConnectionsPerOrigin = 128,
  maxConcurrentPerKey = 32,
  queueWaitMs = 5_000,
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
      limiter: createConcurrencyLimiter({
        maxConcurrent: maxConcurrentPerKey,
        maxQueued: MAX_QUEUED,
        waitMs: queueWaitMs,
      }),
    }
  }

  const out = outBy(maxConnectionsPerOrigin)
  const request = (request: EgressRequest) => requestBy(out, request)

  return {
    request,
    stream: request => streamBy(out, request),
    fetch: (url, init) => fetchThrough(request, url, init),
    validateDestination: url => validateDestination(url, { rules, lookup }),
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

/** Statuses whose Response may have no body, not even an empty one. */
const BODILESS = new Set([204, 205, 304])

/** One WHATWG fetch as an egress request; the answer's body has been read whole. Throws EgressErrors. */
export async function fetchThrough(
  request: (request: EgressRequest) => Promise<EgressAnswer>,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const headers = Object.fromEntries(new Headers(init.headers))
  const { body, signal } = init
  if (body instanceof URLSearchParams) headers['content-type'] ??= 'application/x-www-form-urlencoded;charset=UTF-8'
  const answer = await request({
    method: init.method ?? 'GET',
    url,
    headers,
    ...(body === null || body === undefined ? {} : { body: sendable(body) }),
    ...(signal ? { signal } : {}),
  })
  const { status } = answer
  // The range that a Response can have; HTTP knows no others.
  if (status > 599) throw new EgressError('unreachable', `${new URL(url).host} answered with the status ${status}.`)
  return new Response(BODILESS.has(status) ? null : answer.body, { status, headers: answer.headers })
}

function sendable(body: NonNullable<RequestInit['body']>): NonNullable<EgressRequest['body']> {
  if (typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData) return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('Through egress, fetch sends strings, forms and bytes')
}
