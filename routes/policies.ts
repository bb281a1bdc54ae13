import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { identityOf } from '../plugins/identity/plugin.ts'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import { Role } from '../schemas/organizations/member.ts'
import { Policy, PolicyExplanation, PolicyQuestion } from '../schemas/organizations/policy.ts'
import type { SharedPolicies } from '../services/organizations/shared-policies.ts'
import type { CheckPolicy } from '../services/policies/check-policy.ts'
import type { ExplainPolicy } from '../services/tool-calls/explain-policy.ts'
import { defineRoutes } from './define-routes.ts'

interface PolicyRoutesOptions {
  sharedPolicies: SharedPolicies
  explainPolicy: ExplainPolicy
  checkPolicy: CheckPolicy
}

const RolePath = Type.Object({ role: Role })
type RolePath = Static<typeof RolePath>
const config = { group: 'account' } as const

function addReadRoutes(app: FastifyInstance, { sharedPolicies }: PolicyRoutesOptions): void {
  app.route({
    method: 'GET',
    url: '/policy',
    config,
    schema: {
      summary: 'Get the policy of the organization. Without one, its mode is all.',
      response: { 200: Policy },
    },
    handler: request => sharedPolicies.read(callerOf(request).orgId, { layer: 'organization' }),
  })

  app.route<{ Params: RolePath }>({
    method: 'GET',
    url: '/policy/roles/:role',
    config,
    schema: {
      summary: 'Get the policy of the members of a role. Without one, its mode is all.',
      params: RolePath,
      response: { 200: Policy },
    },
    handler: request => sharedPolicies.read(callerOf(request).orgId, { layer: 'role', subject: request.params.role }),
  })
}

function addChangeRoutes(app: FastifyInstance, { sharedPolicies, checkPolicy }: PolicyRoutesOptions): void {
  app.route<{ Body: Policy }>({
    method: 'PUT',
    url: '/policy',
    config,
    schema: {
      summary: 'Set the policy of the organization, which binds all its members, agents and keys.',
      body: Policy,
      response: { 200: Policy },
    },
    handler: async function setPolicy(request) {
      const caller = callerOf(request)
      const policy = await checkPolicy(caller.orgId, request.body)
      return sharedPolicies.set({ orgId: caller.orgId, by: caller }, { layer: 'organization' }, policy)
    },
  })

  app.route<{ Params: RolePath; Body: Policy }>({
    method: 'PUT',
    url: '/policy/roles/:role',
    config,
    schema: {
      summary: 'Set the policy of the members of a role, which also binds their agents and keys.',
      params: RolePath,
      body: Policy,
      response: { 200: Policy },
    },
    handler: async function setRolePolicy(request) {
      const caller = callerOf(request)
      const policy = await checkPolicy(caller.orgId, request.body)
      return sharedPolicies.set(
        { orgId: caller.orgId, by: caller },
        { layer: 'role', subject: request.params.role },
        policy,
      )
    },
  })
}

function addExplainRoute(app: FastifyInstance, { explainPolicy }: PolicyRoutesOptions): void {
  app.route<{ Body: PolicyQuestion }>({
    method: 'POST',
    url: '/policy/explain',
    config,
    schema: {
      summary: 'Explain which policy decides about a tool: for the caller, for one of their API keys or for an agent.',
      body: PolicyQuestion,
      response: { 200: PolicyExplanation },
    },
    handler: request => {
      const { key_id: keyId, agent_id: agentId, tool, arguments: args } = request.body
      return explainPolicy({ caller: callerOf(request), identity: identityOf(request) }, { keyId, agentId, tool, args })
    },
  })
}

export default defineRoutes<PolicyRoutesOptions>('policies', {
  organization: addReadRoutes,
  session: addExplainRoute,
  adminSession: addChangeRoutes,
})
