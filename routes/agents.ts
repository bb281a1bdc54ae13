import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import { AgentChangeRequest, AgentEntry, NewAgentRequest } from '../schemas/agent.ts'
import { PageQuery, pageOf, pageRequest } from '../schemas/page.ts'
import type { Idempotency } from '../services/idempotency/idempotency.ts'
import type { MemberAgents } from '../services/organizations/member-agents.ts'
import { toAgentEntry, toAgentUpdate } from '../services/organizations/to-agent-entry.ts'
import { requireOrganization, requireSession } from './access.ts'
import { oncePerKey } from './once-per-key.ts'

interface AgentRoutesOptions {
  memberAgents: MemberAgents
  once: Idempotency['once']
}

/** Any text: an unknown ID gets 404. */
const AgentPath = Type.Object({ id: Type.String() })
type AgentPath = Static<typeof AgentPath>
const AgentsQuery = Type.Object(PageQuery, { additionalProperties: false })
const config = { group: 'account' } as const

async function agentRoutes(app: FastifyInstance, options: AgentRoutesOptions) {
  addReadRoutes(app, options)
  addWriteRoutes(app, options)
}

function addReadRoutes(app: FastifyInstance, { memberAgents }: AgentRoutesOptions): void {
  app.route<{ Querystring: Static<typeof AgentsQuery> }>({
    method: 'GET',
    url: '/agents',
    onRequest: requireOrganization,
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
    onRequest: requireOrganization,
    config,
    schema: { summary: 'Get one agent.', params: AgentPath, response: { 200: AgentEntry } },
    handler: async function readAgent(request) {
      return toAgentEntry(await memberAgents.find(callerOf(request), request.params.id))
    },
  })
}

function addWriteRoutes(app: FastifyInstance, { memberAgents, once }: AgentRoutesOptions): void {
  app.route<{ Body: NewAgentRequest }>({
    method: 'POST',
    url: '/agents',
    onRequest: requireSession,
    config,
    schema: {
      summary: 'Create an agent that the caller owns, or as an admin for another member.',
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
    onRequest: requireSession,
    config,
    schema: {
      summary: 'Rename, suspend or resume an agent, or as an admin give it to another member.',
      params: AgentPath,
      body: AgentChangeRequest,
      response: { 200: AgentEntry },
    },
    handler: async function changeAgent(request) {
      const { params, body } = request
      return toAgentEntry(await memberAgents.update(callerOf(request), params.id, toAgentUpdate(body)))
    },
  })

  app.route<{ Params: AgentPath }>({
    method: 'DELETE',
    url: '/agents/:id',
    onRequest: requireSession,
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

export default fp(agentRoutes, {
  name: 'routes/agents',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'json-bodies', 'origin', 'identity', 'org-resolution', 'standing', 'rate-limit'],
})
