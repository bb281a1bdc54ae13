import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../lib/errors/errors.ts'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import { AgentChangeRequest, AgentEntry, NewAgentRequest, NewSignInRequest } from '../schemas/organizations/agent.ts'
import { PageQuery, pageOf, pageRequest } from '../schemas/primitives/page.ts'
import type { Idempotency } from '../services/idempotency/idempotency.ts'
import type { SignIn } from '../services/identity/identity.ts'
import type { SubjectOf } from '../services/identity/jwt.ts'
import { type MemberAgents, toAgentEntry, toAgentUpdate } from '../services/organizations/member-agents.ts'
import { type CheckPolicy, checkedPolicy } from '../services/policies/check-policy.ts'
import { defineRoutes } from './define-routes.ts'
import { oncePerKey } from './idempotency-key.ts'

interface AgentRoutesOptions {
  memberAgents: MemberAgents
  checkPolicy: CheckPolicy
  once: Idempotency['once']
}

/** Any text: an unknown ID gets 404. */
const AgentPath = Type.Object({ id: Type.String() })
type AgentPath = Static<typeof AgentPath>
const AgentsQuery = Type.Object(PageQuery, { additionalProperties: false })
const config = { group: 'account' } as const

function addReadRoutes(app: FastifyInstance, { memberAgents }: AgentRoutesOptions): void {
  app.route<{ Querystring: Static<typeof AgentsQuery> }>({
    method: 'GET',
    url: '/agents',
    config,
    schema: {
      summary: 'List the caller’s agents, newest first; admins see all agents of the organization.',
      querystring: AgentsQuery,
      response: { 200: pageOf('agents', AgentEntry) },
    },
    handler: async function listAgents(request) {
      const { rows, nextCursor } = await memberAgents.page(callerOf(request), pageRequest(request.query))
      return { agents: rows.map(toAgentEntry), next_cursor: nextCursor }
    },
  })

  app.route<{ Params: AgentPath }>({
    method: 'GET',
    url: '/agents/:id',
    config,
    schema: { summary: 'Get one agent.', params: AgentPath, response: { 200: AgentEntry } },
    handler: async function readAgent(request) {
      return toAgentEntry(await memberAgents.find(callerOf(request), request.params.id))
    },
  })
}

function addWriteRoutes(app: FastifyInstance, { memberAgents, checkPolicy, once }: AgentRoutesOptions): void {
  app.route<{ Body: NewAgentRequest }>({
    method: 'POST',
    url: '/agents',
    config,
    schema: {
      summary: 'Create an agent for the caller or, as an admin, for another member.',
      body: NewAgentRequest,
      response: { 201: AgentEntry },
    },
    handler: oncePerKey<{ Body: NewAgentRequest }>(once, async function createAgent(request) {
      const { name, owner } = request.body
      const agent = await memberAgents.create(callerOf(request), { name, ownerId: owner })
      return { status: 201, body: toAgentEntry(agent) }
    }),
  })

  app.route<{ Params: AgentPath; Body: AgentChangeRequest }>({
    method: 'PATCH',
    url: '/agents/:id',
    config,
    schema: {
      summary: 'Rename, suspend or resume an agent, set its policy or, as an admin, give it to another member.',
      params: AgentPath,
      body: AgentChangeRequest,
      response: { 200: AgentEntry },
    },
    handler: async function changeAgent(request) {
      const { params, body } = request
      const caller = callerOf(request)
      const policy = await checkedPolicy(checkPolicy, caller.orgId, body.policy)
      return toAgentEntry(await memberAgents.update(caller, params.id, { ...toAgentUpdate(body), ...policy }))
    },
  })

  app.route<{ Params: AgentPath }>({
    method: 'DELETE',
    url: '/agents/:id',
    config,
    schema: {
      summary: 'Retire an agent permanently. Its keys are revoked within 60 s.',
      params: AgentPath,
      response: { 204: Type.Null() },
    },
    handler: async function retireAgent(request, reply) {
      await memberAgents.retire(callerOf(request), request.params.id)
      return reply.code(204).send()
    },
  })
}

export const agentRoutes = defineRoutes<AgentRoutesOptions>('agents', {
  organization: addReadRoutes,
  session: addWriteRoutes,
})

interface AgentSignInRoutesOptions {
  memberAgents: Pick<MemberAgents, 'find' | 'link' | 'unlink'>
  subjectOf: SubjectOf
  once: Idempotency['once']
}

const SignInPath = Type.Object({ id: Type.String(), signInId: Type.String() })

function addLinkRoute(app: FastifyInstance, { memberAgents, subjectOf, once }: AgentSignInRoutesOptions): void {
  type Link = { Params: AgentPath; Body: NewSignInRequest }
  app.route<Link>({
    method: 'POST',
    url: '/agents/:id/sign-ins',
    config,
    schema: {
      summary: 'Let an agent sign in with its own tokens: link the issuer and subject of one of them.',
      params: AgentPath,
      body: NewSignInRequest,
      response: { 201: AgentEntry },
    },
    handler: oncePerKey<Link>(once, async function linkSignIn(request) {
      const caller = callerOf(request)
      const { id } = await memberAgents.find(caller, request.params.id)
      const agent = await memberAgents.link(caller, id, await signInOf(request.body.token, subjectOf))
      return { status: 201, body: toAgentEntry(agent) }
    }),
  })
}

function addUnlinkRoute(app: FastifyInstance, { memberAgents }: AgentSignInRoutesOptions): void {
  app.route<{ Params: Static<typeof SignInPath> }>({
    method: 'DELETE',
    url: '/agents/:id/sign-ins/:signInId',
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
}

/** The sign-in of a token in a body. Its faults are the request's, not those of the caller's own credential. */
async function signInOf(token: string, subjectOf: SubjectOf): Promise<SignIn> {
  try {
    return await subjectOf(token)
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_jwt')
      throw new GatewayError(
        'invalid_request',
        `\`token\` was rejected. Send a current JWT of the agent itself. The reason: ${error.message}`,
      )
    throw error
  }
}

export const agentSignInRoutes = defineRoutes<AgentSignInRoutesOptions>('agent-sign-ins', {
  adminSession: addLinkRoute,
  session: addUnlinkRoute,
})
