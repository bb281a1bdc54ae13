import type { AddressInfo } from 'node:net'
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { isLoopback } from '../../lib/configuration/network.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { isRepeated } from '../../lib/http/headers.ts'
import type { PublicHosts } from '../../lib/http/public-hosts.ts'

export interface OriginOptions {
  /** The origins of this service. They learn the port once it listens. */
  hosts: PublicHosts
  /** Browser origins that can read the responses of POST /mcp and the metadata document. */
  corsOrigins: readonly string[]
  /** Whether a proxy's forwarded headers are used. If not, a request with such headers logs one warning. */
  trustsProxy: boolean
  /** Whether to send Strict-Transport-Security (RFC 6797). */
  hsts: boolean
  /** The origin of the gateway, if this listener is another one. */
  gatewayOrigin?: () => string
  /** The variable that has the origins, for the message about a foreign host. Default: PUBLIC_ORIGINS. */
  variable?: 'PUBLIC_ORIGINS' | 'DASHBOARD_URL'
  /** The origin to redirect to from another name of this machine. Default: no redirect. */
  home?: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The called public origin. */
    origin: string
    /** The origin of the gateway, the base of the URLs in responses: clients and other servers reach it there. */
    gatewayOrigin: string
  }
  interface FastifyContextConfig {
    /** Whether the route accepts any Host: balancers call probes by address. */
    anyHost?: boolean
    /** Whether browsers of CORS_ORIGINS can read this route's responses. */
    cors?: boolean
  }
}

async function origin(app: FastifyInstance, options: OriginOptions) {
  const { hosts, variable = 'PUBLIC_ORIGINS' } = options
  let warned = options.trustsProxy

  app.decorateRequest('origin', '')
  app.decorateRequest('gatewayOrigin', '')
  app.addHook('onListen', async function learnPort() {
    hosts.listenOn((app.server.address() as AddressInfo).port)
  })

  app.addHook('onRequest', function validateOrigin(request, reply, done) {
    reply.header('x-content-type-options', 'nosniff')
    if (options.hsts) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
    warnOfUntrustedProxy(request)

    const called = hosts.originOf(request.host)
    request.origin = called ?? ''
    request.gatewayOrigin = options.gatewayOrigin?.() ?? request.origin
    if (request.routeOptions.config.anyHost === true) return done()
    const isTwice = isRepeated('host', request.raw.rawHeaders)
    const home = called === undefined && !isTwice ? atHome(request) : undefined
    if (home !== undefined) {
      reply.redirect(home, 307)
      return
    }
    if (called === undefined || isTwice)
      return done(new GatewayError('host_not_allowed', `This host is not served here. Check the URL, or ${variable}.`))
    const from = request.headers.origin
    if (from !== undefined && !hosts.isOwn(from) && !options.corsOrigins.includes(from))
      return done(
        new GatewayError(
          'origin_not_allowed',
          'Pages of this origin may not call this gateway. Ask the operator of the gateway to add the origin to CORS_ORIGINS.',
        ),
      )
    done()
  })

  if (options.corsOrigins.length > 0) {
    await app.register(cors, {
      delegator: (request, callback) =>
        callback(null, {
          origin: request.routeOptions.config.cors === true ? [...options.corsOrigins] : false,
          methods: ['GET', 'POST'],
          exposedHeaders: [
            'WWW-Authenticate',
            'Retry-After',
            'RateLimit-Limit',
            'RateLimit-Remaining',
            'RateLimit-Reset',
          ],
          strictPreflight: false,
        }),
    })
  }

  /** The URL at `home` of what is read at another loopback name with the same port, such as localhost. */
  function atHome({ method, host, url }: FastifyRequest): string | undefined {
    if (options.home === undefined || !['GET', 'HEAD'].includes(method) || !url.startsWith('/')) return undefined
    const called = URL.parse(`http://${host}`)
    if (called === null || !isLoopback(called.hostname) || called.port !== new URL(options.home).port) return undefined
    return options.home + url
  }

  function warnOfUntrustedProxy(request: FastifyRequest): void {
    if (warned || request.headers['x-forwarded-for'] === undefined) return
    warned = true
    request.log.warn('Requests have X-Forwarded-For, but TRUST_PROXY is not set: forwarded headers are ignored.')
  }
}

export default fp(origin, { name: 'origin', fastify: '5.x', dependencies: ['error-envelope'] })
