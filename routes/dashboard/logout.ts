import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Counters } from '../../lib/rate-counters/counters.ts'
import { endpointNotFound } from '../../plugins/error-envelope/not-found.ts'
import type { DashboardSessions } from '../../services/identity/dashboard-sessions.ts'
import type { VerifyLogoutToken } from '../../services/identity/logout-tokens.ts'

interface LogoutRoutesOptions {
  dashboardSessions: Pick<DashboardSessions, 'endAtIssuer'>
  /** Undefined if users do not sign in at an issuer. */
  verifyLogoutToken: VerifyLogoutToken | undefined
  issuerSignIn: object | undefined
  counters: Counters
}

/** How long the ID of a used token is remembered: longer than a token is accepted. */
const REMEMBERED_MS = 10 * 60_000
const MOST_BYTES = 16 * 1024

/** Ends sessions when their issuer says so (OpenID Connect Back-Channel Logout 1.0). The token is the credential. */
async function logoutRoutes(app: FastifyInstance, options: LogoutRoutesOptions) {
  const { dashboardSessions, verifyLogoutToken, issuerSignIn, counters } = options
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MOST_BYTES },
    function parseForm(_request, body, done) {
      done(null, Object.fromEntries(new URLSearchParams(String(body))))
    },
  )

  app.route<{ Body: { logout_token?: string } }>({
    method: 'POST',
    url: '/auth/backchannel-logout',
    config: { fromAnywhere: true },
    bodyLimit: MOST_BYTES,
    schema: {
      summary: 'End the sessions that the issuer ended.',
      body: Type.Object({ logout_token: Type.String({ minLength: 1 }) }),
      response: { 200: Type.Null() },
    },
    handler: async function endSessions(request, reply) {
      reply.header('cache-control', 'no-store')
      if (verifyLogoutToken === undefined || issuerSignIn === undefined) throw endpointNotFound()
      const ended = await verifyLogoutToken(request.body.logout_token ?? '')
      const { current } = await counters.increment(`logout:${ended.tokenId}`, REMEMBERED_MS)
      if (current > 1) throw new GatewayError('invalid_request', 'This logout token was used already.')
      const sessions = await dashboardSessions.endAtIssuer(ended)
      request.log.info({ id: request.id, sessions }, 'the issuer ended sessions of the dashboard')
      return reply.code(200).send()
    },
  })
}

export default fp(logoutRoutes, {
  name: 'routes/dashboard/logout',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'origin', 'dashboard-guard'],
})
