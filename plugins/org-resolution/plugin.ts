import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { ActiveOrganizations } from '../../services/identity/active-organization.ts'
import {
  type ActiveOrganization,
  type Caller,
  callerOfKey,
  callerOfUser,
  noActiveOrg,
} from '../../services/identity/caller.ts'
import { isSignedIn, type UserIdentity } from '../../services/identity/identity.ts'
import { identityOf } from '../identity/plugin.ts'

interface OrgResolutionOptions {
  /** The active organization of a user, cached if possible. */
  activeOrganizations: Pick<ActiveOrganizations, 'cached' | 'of'>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The calling member; null outside the authenticated scope, and for a user without an active organization. */
    caller: Caller | null
    /** Whether the user's chosen organization has removed them. */
    membershipRevoked: boolean
  }
  interface FastifyContextConfig {
    /** Whether a request can change the active organization of its user. */
    changesOrganization?: boolean
  }
}

async function orgResolution(app: FastifyInstance, { activeOrganizations }: OrgResolutionOptions) {
  app.decorateRequest('caller', null)
  app.decorateRequest('membershipRevoked', false)

  app.addHook('onRequest', function resolveOrg(request, _reply, done) {
    const identity = identityOf(request)
    if (!isSignedIn(identity)) {
      request.caller = callerOfKey(identity)
      done()
      return
    }
    const known = activeOrganizations.cached(identity)
    if (known !== undefined) {
      act(request, identity, known)
      done()
      return
    }
    activeOrganizations.of(identity).then(active => {
      act(request, identity, active)
      done()
    }, done)
  })

  app.addHook('onRoute', function resolveAfterBody(route) {
    if (readsBody(route)) route.preValidation = [resolveAgain, ...[route.preValidation ?? []].flat()]
  })

  /** A body can arrive slowly. A member who loses their role meanwhile must not spend the organization's money. */
  async function resolveAgain(request: FastifyRequest): Promise<void> {
    const identity = identityOf(request)
    if (!isSignedIn(identity)) return
    const active = activeOrganizations.cached(identity) ?? (await activeOrganizations.of(identity))
    const { caller } = request
    const [orgId, role] = active.state === 'member' ? [active.orgId, active.role] : []
    if (orgId !== caller?.orgId || role !== caller?.role)
      throw new GatewayError(
        'forbidden',
        'Your membership, role or active organization changed while the request was sent. Send it again.',
      )
  }
}

/** Whether a route of members reads a body, also the ignored one of a DELETE. The tools of POST /mcp check roles after it. */
function readsBody({ config, method }: RouteOptions): boolean {
  const { group, membership } = config ?? {}
  if (group === undefined || group === 'mcp' || membership === 'optional') return false
  return method !== 'GET'
}

function act(request: FastifyRequest, identity: UserIdentity, active: ActiveOrganization): void {
  request.caller = active.state === 'member' ? callerOfUser(identity, active) : null
  request.membershipRevoked = active.state === 'revoked'
}

/** The calling member. Throws no_active_org if the user has no active organization. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw noActiveOrg()
  return request.caller
}

export default fp(orgResolution, { name: 'org-resolution', fastify: '5.x', dependencies: ['identity'] })
