import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { ActiveOrganizations } from '../../services/identity/active-organization.ts'
import type { DashboardSessions } from '../../services/identity/dashboard-sessions.ts'
import { isSignedIn } from '../../services/identity/identity.ts'
import { identityOf } from '../identity/plugin.ts'
import { setSessionCookie, TOKEN_HEADER, tokenOf } from '../session-cookie/plugin.ts'

interface OutdatedPageOptions {
  activeOrganizations: Pick<ActiveOrganizations, 'cached' | 'of'>
  dashboardSessions: Pick<DashboardSessions, 'renew'>
}

/**
 * Keeps the pages of the dashboard and the organization that their user acts in together. A page names the user and the
 * organization that it shows, and is refused when they are others now: the user has changed the organization or signed in
 * as somebody else in another tab. A change of the organization also replaces the secrets of the session.
 */
async function outdatedPage(app: FastifyInstance, options: OutdatedPageOptions) {
  const { activeOrganizations, dashboardSessions } = options

  app.addHook('onRequest', function requireCurrentPage(request, _reply, done) {
    const { 'x-dashboard-user': user, 'x-dashboard-organization': organization } = request.headers
    const isCurrent =
      (user === undefined || user === identityOf(request).userId) &&
      (organization === undefined || organization === request.caller?.orgId)
    if (isCurrent) return done()
    done(
      new GatewayError(
        'page_outdated',
        'This page shows a different organization or user than your current one. Nothing was changed. Reload the page.',
      ),
    )
  })

  app.addHook('onSend', async function renewSession(request, reply) {
    if (request.routeOptions.config.changesOrganization !== true || reply.statusCode >= 400) return
    const [identity, token] = [identityOf(request), tokenOf(request)]
    if (!isSignedIn(identity) || token === undefined) return
    const active = activeOrganizations.cached(identity) ?? (await activeOrganizations.of(identity))
    const now = active.state === 'member' ? active.orgId : undefined
    if (now === request.caller?.orgId) return
    const renewed = await dashboardSessions.renew({ id: request.sessionId, token })
    if (renewed === undefined) return
    setSessionCookie(reply, renewed.cookie)
    reply.header(TOKEN_HEADER, renewed.token)
  })
}

export default fp(outdatedPage, {
  name: 'outdated-page',
  fastify: '5.x',
  dependencies: ['error-envelope', 'identity', 'org-resolution'],
})
