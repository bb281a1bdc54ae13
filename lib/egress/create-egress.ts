import { lookup as dnsLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import type { AllowList } from './allow-list.ts'
import { collectBody, streamBody } from './bodies.ts'
import { createConcurrencyLimiter } from './concurrency-limiter.ts'
import { type Egress, type EgressAnswer, EgressError, type EgressRequest, type EgressStream } from './egress.ts'
import { isEventStream, watchEvents } from './events.ts'
import { followRedirects, type Route } from './follow-redirects.ts'
import { nameOf } from './host.ts'
import { type AddressRules, createAddressRules, type Destination } from './private-addresses.ts'
import {
  type Lookup,
  notPublic,
  refusalOfName,
  refused,
  requireReachable,
  validateDestination,
} from './validate-destination.ts'

export interface EgressOptions {
  /** EGRESS_ALLOW: private hosts and networks that may be reached, also without TLS. */
  allow: AllowList
  /** EGRESS_ALLOW_LOOPBACK: whether this machine may be reached, also without TLS. */
  allowLoopback: boolean
  /** Resolves names; `dns.lookup` when absent. */
  lookup?: Lookup
  /** The maximum number of connections to one origin; 128 when absent. Further requests wait within their deadline. */
  maxConnectionsPerOrigin?: number
  /** The maximum number of requests in flight per EgressRequest.concurrencyKey and origin; 32 when absent. */
  maxConcurrentPerKey?: number
  /** How long further requests wait in the queue, at most their own deadline; 5 s when absent. */
  queueWaitMs?: number
  /** The time limit for a connection; 10 s when absent. */
  connectTimeoutMs?: number
}

/** The maximum length of the queue per concurrency key and origin. */
const MAX_QUEUED = 128

/** The maximum number of header bytes of one answer, and of trailer bytes. */
const MAX_HEADER_BYTES = 16_384

/** Creates the gateway's only outbound HTTP client, based on undici. */
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
  // All pools share one connector, and with it the cached TLS sessions.
  const connect = createConnector({ rules, lookup, timeoutMs: connectTimeoutMs })
  const pools = new Set<Agent>()

  function routeWith(connections: number): Route & { dispatcher: Agent } {
    const dispatcher = new Agent({
      connect,
      connections,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Each exchange has its own deadline for everything.
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

  const route = routeWith(maxConnectionsPerOrigin)
  const request = (request: EgressRequest) => requestOn(route, request)

  return {
    request,
    stream: request => streamOn(route, request),
    fetch: (url, init) => fetchThrough(request, url, init),
    validateDestination: url => validateDestination(url, { rules, lookup }),
    requireReachable: url => requireReachable(url, { rules, lookup }),
    pool({ connections }) {
      const route = routeWith(connections)
      return {
        request: request => requestOn(route, request),
        async close() {
          await route.dispatcher.close()
          pools.delete(route.dispatcher)
        },
      }
    },
    async close() {
      const stopping = new EgressError('aborted', 'The gateway is shutting down.')
      await Promise.all(Array.from(pools, pool => pool.destroy(stopping)))
    },
  }
}

function requestOn(route: Route, request: EgressRequest): Promise<EgressAnswer> {
  return new Promise((resolve, reject) =>
    followRedirects(route, request, {
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

function streamOn(route: Route, request: EgressRequest): Promise<EgressStream> {
  return new Promise((resolve, reject) =>
    followRedirects(route, request, {
      receive(head, options) {
        const { body, receiver } = streamBody(options)
        resolve({ ...head, body })
        return receiver
      },
      failed: reject,
    }),
  )
}

/** Statuses whose Response must have a null body. */
const BODILESS = new Set([204, 205, 304])

/** Sends a WHATWG fetch as an egress request and reads the whole body. Throws EgressErrors. */
async function fetchThrough(
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
  // A Response accepts statuses up to 599.
  if (status > 599) throw new EgressError('unreachable', `${new URL(url).host} answered with the status ${status}.`)
  return new Response(BODILESS.has(status) ? null : answer.body, { status, headers: answer.headers })
}

function sendable(body: NonNullable<RequestInit['body']>): NonNullable<EgressRequest['body']> {
  if (typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData) return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('Through egress, fetch sends strings, forms and bytes')
}

interface ConnectorOptions {
  rules: AddressRules
  lookup: Lookup
  /** The time limit for a connection, TLS handshake included. */
  timeoutMs: number
}

/**
 * Connects only to allowed addresses. One refused address refuses the whole name, because which address is used is
 * chance. The address of the open connection is checked again.
 */
export function createConnector({ rules, lookup, timeoutMs }: ConnectorOptions): buildConnector.connector {
  const connectors = new Map<string, buildConnector.connector>()

  // One connector per kind of destination, because the lookup of a connector does not know the protocol.
  function connectorFor(destination: Destination): buildConnector.connector {
    const key = `${destination.named}${destination.plain}`
    const known = connectors.get(key)
    if (known !== undefined) return known
    const made = buildConnector({
      lookup: checkedLookup(destination),
      timeout: timeoutMs,
      // Only HTTP/1.1: all limits are tested with it.
      allowH2: false,
    })
    connectors.set(key, made)
    return made
  }

  function checkedLookup(destination: Destination): LookupFunction {
    return (hostname, options, callback) =>
      lookup(hostname, { ...options, all: true }, (error, addresses) => {
        const [first] = addresses ?? []
        if (error !== null || first === undefined) return callback(notPublic(hostname), '', 0)
        for (const { address } of addresses) {
          const refusal = refusalOfName(hostname, address, { rules, destination })
          if (refusal !== undefined) return callback(refusal, '', 0)
        }
        if (options.all === true) callback(null, addresses)
        else callback(null, first.address, first.family)
      })
  }

  return function connect(options, callback) {
    const destination = { named: rules.names(nameOf(options.hostname)), plain: options.protocol === 'http:' }
    connectorFor(destination)(options, (error, socket) => {
      if (error !== null) return callback(error, null)
      const refusal = rules.refusal(socket.remoteAddress ?? '', destination)
      if (refusal === undefined) return callback(null, socket)
      socket.on('error', () => {})
      socket.destroy()
      callback(refused(options.hostname, `was reached at an address that ${refusal}`), null)
    })
  }
}
