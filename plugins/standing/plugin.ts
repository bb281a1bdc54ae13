import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { membershipRevoked } from '../../services/identity/caller.ts'
import { refusal } from '../../services/identity/identity.ts'
import { identityOf } from '../identity/plugin.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether an account or billing route needs a membership; `optional` also serves users without one. Default: 'required'. */
    membership?: 'required' | 'optional'
  }
}

async function standing(app: FastifyInstance) {
  app.addHook('onRequest', function rejectStanding(request, _reply, done) {
    const refused = refusal(identityOf(request))
    if (refused !== undefined) return done(refused)
    const { group, membership } = request.routeOptions.config
    const ofMembers = (group === 'account' || group === 'billing') && membership !== 'optional'
    if (request.membershipRevoked && ofMembers) return done(membershipRevoked())
    done()
  })
}

export default fp(standing, { name: 'standing', fastify: '5.x', dependencies: ['identity', 'org-resolution'] })
