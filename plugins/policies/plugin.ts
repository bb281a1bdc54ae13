import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Caller } from '../../services/identity/caller.ts'
import { type Identity, isSignedIn } from '../../services/identity/identity.ts'
import { type Denial, denialSentence } from '../../services/policies/policy.ts'
import { identityOf } from '../identity/plugin.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The tool that changes the same as the route. A policy that denies it denies the route to API keys and agents. */
    tool?: string
  }
}

interface PoliciesOptions {
  /** Why a program may not use a route that does what a tool does; undefined if it may. */
  denialOfRoute(tool: string | undefined, caller: Caller, identity: Identity): Promise<Denial | undefined>
}

/**
 * Binds API keys and agents by their policies also outside of POST /mcp: what they may not change with a tool, they may not change with a
 * route. A route that names no tool is denied to all that have a policy. Signed-in people keep their routes.
 */
async function policies(app: FastifyInstance, { denialOfRoute }: PoliciesOptions) {
  app.addHook('onRequest', async function rejectDenied(request) {
    const { caller, method } = request
    const { group, tool } = request.routeOptions.config
    const identity = identityOf(request)
    if (method === 'GET' || group === 'mcp' || caller === null || isSignedIn(identity)) return
    const denial = await denialOfRoute(tool, caller, identity)
    if (denial !== undefined) throw new GatewayError('denied_by_policy', denialSentence(denial))
  })
}

export default fp(policies, {
  name: 'policies',
  fastify: '5.x',
  dependencies: ['identity', 'org-resolution', 'rate-limit'],
})
