import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../../lib/errors/errors.ts'

/**
 * What the dashboard's pages may load and do: only files of their own origin, no inline code, no frame around them, and no
 * string that becomes HTML or code (Trusted Types).
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route of the dashboard also accepts changes that none of its pages sends: it has its own credential. */
    fromAnywhere?: boolean
  }
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/**
 * Lets only pages of the dashboard's own origin change something: a page of another origin, also one on another port of
 * the same host, whose requests have the cookie too, cannot forge `Origin`.
 */
async function dashboardGuard(app: FastifyInstance) {
  app.addHook('onRequest', function guardPages(request, reply, done) {
    reply.header('content-security-policy', POLICY)
    reply.header('referrer-policy', 'no-referrer')
    reply.header('cross-origin-opener-policy', 'same-origin')
    reply.header('cross-origin-resource-policy', 'same-origin')
    reply.header('permissions-policy', 'camera=(), microphone=(), geolocation=()')
    if (READS.has(request.method) || request.routeOptions.config.fromAnywhere === true) return done()
    const { origin, 'sec-fetch-site': site } = request.headers
    if (origin !== request.origin || (site !== undefined && site !== 'same-origin'))
      return done(
        new GatewayError('origin_not_allowed', 'Only pages of the dashboard itself may do this. Open the dashboard.'),
      )
    done()
  })
}

export default fp(dashboardGuard, { name: 'dashboard-guard', fastify: '5.x', dependencies: ['origin'] })
