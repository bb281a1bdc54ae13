import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../lib/errors/errors.ts'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import { AgentEntry, NewSignInRequest } from '../schemas/agent.ts'
import type { Idempotency } from '../services/idempotency/idempotency.ts'
import type { SignIn } from '../services/identity/identity.ts'
import type { SubjectOf } from '../services/identity/jwt.ts'
import type { MemberAgents } from '../services/organizations/member-agents.ts'
import { toAgentEntry } from '../services/organizations/to-agent-entry.ts'
import { requireAdminSession, requireSession } from './access.ts'
import { oncePerKey } from './once-per-key.ts'

interface AgentSignInRoutesOptions {
  memberAgents: Pick<MemberAgents, 'find' | 'link' | 'unlink'>
  subjectOf: SubjectOf
  once: Idempotency['once']
}

/** Any text: an unknown ID gets 404. */
const AgentPath = Type.Object({ id: Type.String() })
const SignInPath = Type.Object({ id: Type.String(), signInId: Type.String() })
const config = { group: 'account' } as const

async function agentSignInRoutes(app: FastifyInstance, { memberAgents, subjectOf, once }: AgentSignInRoutesOptions) {
  type Link = { Params: Static<typeof AgentPath>; Body: NewSignInRequest }
  app.route<Link>({
    method: 'POST',
    url: '/agents/:id/sign-ins',
    onRequest: requireAdminSession,
    config,
    schema: {
      summary: 'Let an agent sign in with its own tokens, by one of them.',
      params: AgentPath,
      body: NewSignInRequest,
      response: { 201: AgentEntry },
    },
    handler: oncePerKey<Link>(once, async function linkSignIn(request) {
      const caller = callerOf(request)
      const { id } = await memberAgents.find(caller, request.params.id)
      const agent = await memberAgents.link(caller, id, await signInOf(request.body.token))
      return { status: 201, body: toAgentEntry(agent) }
    }),
  })

  app.route<{ Params: Static<typeof SignInPath> }>({
    method: 'DELETE',
    url: '/agents/:id/sign-ins/:signInId',
    onRequest: requireSession,
    config,
    schema: {
      summary: 'Stop accepting tokens of a linked issuer and subject as the agent’s.',
      params: SignInPath,
      response: { 204: Type.Null() },
    },
    handler: async function unlinkSignIn(request, reply) {
      const { id, signInId } = request.params
      await memberAgents.unlink(callerOf(request), id, signInId)
      return reply.code(204).send()
    },
  })

  /** The sign-in of a token in a body. Its faults are the request's, not those of the caller's own credential. */
  async function signInOf(token: string): Promise<SignIn> {
    try {
      return await subjectOf(token)
    } catch (error) {
      if (error instanceof GatewayError && error.code === 'invalid_jwt')
        throw new GatewayError(
          'invalid_request',
          `\`token\` is not accepted. Send a current JWT of the agent itself. The reason: ${error.message}`,
        )
      throw error
    }
  }
}

export default fp(agentSignInRoutes, {
  name: 'routes/agent-sign-ins',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'json-bodies', 'origin', 'identity', 'org-resolution', 'standing', 'rate-limit'],
})
