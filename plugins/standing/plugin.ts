import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../../lib/errors/errors.ts'
import { refusal } from '../../services/identity/identity.ts'
import { identityOf } from '../identity/plugin.ts'

async function standing(app: FastifyInstance) {
  app.addHook('onRequest', function rejectStanding(request, _reply, done) {
    const refused = refusal(identityOf(request))
    if (refused !== undefined) return done(refused)
    if (request.membershipRevoked && request.routeOptions.config.group === 'account')
      return done(
        new GatewayError(
          'MEMBERSHIP_REVOKED',
          'You are no longer a member of this organization. Switch to another one.',
        ),
      )
    done()
  })
}

export default fp(standing, { name: 'standing', fastify: '5.x', dependencies: ['identity', 'org-resolution'] })
