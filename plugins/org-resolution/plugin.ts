import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { UserIdentity } from '../identity/identity.ts'
import { identityOf } from '../identity/plugin.ts'
import { type ActiveOrganization, type Caller, callerOfKey, callerOfUser, noActiveOrg } from './caller.ts'

export interface OrgResolutionOptions {
  /** The organization a user acts in. */
  activeOrganization(user: UserIdentity): Promise<ActiveOrganization>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The calling member; null outside the authenticated scope, and for a user without an active organization. */
    caller: Caller | null
    /** Whether the user's chosen organization has removed him. */
    membershipRevoked: boolean
  }
}

async function orgResolution(app: FastifyInstance, { activeOrganization }: OrgResolutionOptions) {
  app.decorateRequest('caller', null)
  app.decorateRequest('membershipRevoked', false)

  app.addHook('onRequest', function resolveOrg(request, _reply, done) {
    const identity = identityOf(request)
    if (identity.via === 'api-key') {
      request.caller = callerOfKey(identity)
      done()
      return
    }
    activeOrganization(identity).then(active => {
      request.caller = active.state === 'member' ? callerOfUser(identity, active) : null
      request.membershipRevoked = active.state === 'revoked'
      done()
    }, done)
  })
}

/** The calling member; throws no_active_org for a user who has no active organization. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw noActiveOrg()
  return request.caller
}

export default fp(orgResolution, { name: 'org-resolution', fastify: '5.x', dependencies: ['identity'] })
