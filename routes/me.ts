import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { GatewayError } from '../lib/errors/errors.ts'
import { identityOf } from '../plugins/identity/plugin.ts'
import { NestedError } from '../schemas/gateway/errors.ts'
import { Me, MeChange, NoActiveOrganization, RevokedMembership } from '../schemas/organizations/me.ts'
import type { ActiveOrganizations, Membership } from '../services/identity/active-organization.ts'
import { type Caller, membershipRevoked, noActiveOrg } from '../services/identity/caller.ts'
import { agentOf, type Identity, isSignedIn, keyIdOf } from '../services/identity/identity.ts'
import type { Profiles } from '../services/organizations/profiles.ts'
import type { Customers } from '../services/payments/customers/customers.ts'
import type { PlanOf, PlanStatus } from '../services/payments/plans/plan-status.ts'
import { defineRoutes, type RouteScope } from './define-routes.ts'

interface MeRoutesOptions {
  profiles: Profiles
  activeOrganizations: Pick<ActiveOrganizations, 'choose' | 'of'>
  planOf: PlanOf
  customers: Pick<Customers, 'standing'>
}

const config = { group: 'account', membership: 'optional' } as const

function addReadRoute(app: RouteScope, options: MeRoutesOptions): void {
  app.route({
    method: 'GET',
    url: '/me',
    config,
    schema: {
      summary: 'Show the caller, their organization and its standing.',
      response: { 200: Me, 400: NoActiveOrganization, 403: Type.Union([RevokedMembership, NestedError]) },
    },
    handler: async function readMe(request) {
      const identity = identityOf(request)
      if (request.caller !== null) return answer(options, request.caller, identity)
      throw unresolved(request, await options.profiles.organizationsOf(identity.userId))
    },
  })
}

function addChangeRoute(app: RouteScope, options: MeRoutesOptions): void {
  const { activeOrganizations } = options
  app.route<{ Body: MeChange }>({
    method: 'PATCH',
    url: '/me',
    config: { ...config, changesOrganization: true },
    schema: {
      summary: 'Choose the organization that the user’s sessions act in.',
      body: MeChange,
      response: { 200: Me },
    },
    handler: async function changeMe(request) {
      const identity = identityOf(request)
      const { userId } = identity
      const orgId = request.body.active_organization_id
      // The default choice, which OAuth clients without an own choice share.
      const user = { userId, clientId: '' }
      if (!(await activeOrganizations.choose(user, orgId))) throw notMember()
      const active = await activeOrganizations.of(user)
      if (active.state !== 'member') throw notMember()
      return answer(options, { userId, orgId: active.orgId, role: active.role }, identity)
    },
  })
}

async function answer(
  { profiles, planOf, customers }: MeRoutesOptions,
  caller: Caller,
  identity: Identity,
): Promise<Me> {
  const { userId, orgId, role } = caller
  const { organization, ...profile } = await profiles.of(caller)
  // A key or an agent acts in one organization and shows nothing of the others.
  const memberships = isSignedIn(identity) ? await profiles.organizationsOf(userId) : [{ orgId, role, ...organization }]
  return {
    ...profile,
    organization,
    role,
    organizations: entriesOf(memberships),
    plan: planEntry(await planOf(orgId)),
    payments: await customers.standing(orgId),
    api_key_id: keyIdOf(identity),
    agent_id: agentOf(identity)?.id ?? null,
  }
}

/** The error for a user without an active organization, with those that they can choose. */
function unresolved(request: FastifyRequest, memberships: readonly Membership[]): GatewayError {
  const { code, message } = request.membershipRevoked ? membershipRevoked() : noActiveOrg()
  return new GatewayError(code, message, { details: { organizations: entriesOf(memberships) } })
}

function entriesOf(memberships: readonly Membership[]): Me['organizations'] {
  return memberships.map(({ orgId, name, role }) => ({ id: orgId, name, role }))
}

function planEntry({ plan, payFrom, pastDue, periodEnd, endsAt }: PlanStatus): Me['plan'] {
  return {
    id: plan.id,
    pay_from: payFrom,
    past_due: pastDue,
    period_end: periodEnd?.toISOString() ?? null,
    ends_at: endsAt?.toISOString() ?? null,
  }
}

function notMember(): GatewayError {
  return new GatewayError('not_found', 'You are not a member of this organization. GET /me lists yours.')
}

export default defineRoutes<MeRoutesOptions>('me', { anyone: addReadRoute, userSession: addChangeRoute })
