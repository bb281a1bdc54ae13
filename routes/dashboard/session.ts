import { type Static, Type } from '@sinclair/typebox'
import { GatewayError } from '../../lib/errors/errors.ts'
import { identityOf } from '../../plugins/identity/plugin.ts'
import { clearSessionCookie } from '../../plugins/session-cookie/plugin.ts'
import {
  CreatedOrganization,
  NewOrganization,
  SessionList,
  SessionView,
  SignedOut,
  SignOut,
} from '../../schemas/organizations/dashboard.ts'
import type { IssuerSignIn } from '../../services/dashboard/issuer-sign-in.ts'
import type { ActiveOrganizations } from '../../services/identity/active-organization.ts'
import { isAdmin } from '../../services/identity/caller.ts'
import type { DashboardSessions } from '../../services/identity/dashboard-sessions.ts'
import type { Organizations } from '../../services/organizations/organizations.ts'
import type { Profiles } from '../../services/organizations/profiles.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { defineRoutes, type RouteScope } from '../define-routes.ts'

interface SessionRoutesOptions {
  dashboardSessions: DashboardSessions
  profiles: Profiles
  issuerSignIn: Pick<IssuerSignIn, 'logoutUrl'> | undefined
  organizations: Pick<Organizations, 'found'>
  activeOrganizations: Pick<ActiveOrganizations, 'choose'>
  settings: Pick<Settings, 'organizationsByUsers'>
  /** The URL that MCP clients connect to. */
  gatewayUrl(): string
}

const SessionParams = Type.Object({ id: Type.String({ maxLength: 100 }) }, { additionalProperties: false })
const config = { group: 'account', membership: 'optional' } as const

/** Who is signed in to the dashboard and what they may do, and the browsers in which they are signed in. */
function sessionRoutes(app: RouteScope, options: SessionRoutesOptions): void {
  const { dashboardSessions, profiles, issuerSignIn, gatewayUrl } = options
  const { organizationsByUsers } = options.settings

  app.route({
    method: 'GET',
    url: '/session',
    config,
    schema: { summary: 'Show who is signed in, and what they may do.', response: { 200: SessionView } },
    handler: async function readSession(request): Promise<SessionView> {
      const { userId } = identityOf(request)
      const { caller } = request
      const member = caller === null ? undefined : await profiles.of(caller)
      const { user } = member ?? (await profiles.ofUser(userId))
      const admin = caller !== null && isAdmin(caller)
      return {
        user,
        organization: member?.organization ?? null,
        role: caller?.role ?? null,
        organizations: (await profiles.organizationsOf(userId)).map(({ orgId, name, role }) => ({
          id: orgId,
          name,
          role,
        })),
        may: {
          manage_members: admin,
          manage_money: admin,
          manage_all_keys: admin,
          manage_all_agents: admin,
          manage_connectors: admin,
          create_organizations: organizationsByUsers,
        },
        gateway_url: gatewayUrl(),
      }
    },
  })

  app.route<{ Body: NewOrganization }>({
    method: 'POST',
    url: '/organizations',
    config: { ...config, changesOrganization: true },
    schema: {
      summary: 'Create an organization and make it active.',
      body: NewOrganization,
      response: { 201: CreatedOrganization },
    },
    handler: async function createOrganization(request, reply) {
      if (!organizationsByUsers)
        throw new GatewayError(
          'admin_required',
          'Only the operator of this gateway can create organizations. Ask an admin of your organization to invite you.',
        )
      const { userId } = identityOf(request)
      const name = request.body.name.trim()
      const { id } = await options.organizations.found({ name, founder: userId })
      await options.activeOrganizations.choose({ userId, clientId: '' }, id)
      return reply.code(201).send({ id, name })
    },
  })

  app.route({
    method: 'GET',
    url: '/sessions',
    config,
    schema: { summary: 'List the browsers in which the user is signed in.', response: { 200: SessionList } },
    handler: async function listSessions(request) {
      const sessions = await dashboardSessions.list(identityOf(request).userId)
      return {
        sessions: sessions.map(({ id, userAgent, createdAt, usedAt }) => ({
          id,
          user_agent: userAgent,
          created_at: createdAt.toISOString(),
          last_used_at: usedAt.toISOString(),
          current: id === request.sessionId,
        })),
      }
    },
  })

  app.route<{ Params: Static<typeof SessionParams> }>({
    method: 'DELETE',
    url: '/sessions/:id',
    config,
    schema: { summary: 'Sign another browser out.', params: SessionParams, response: { 204: Type.Null() } },
    handler: async function endSession(request, reply) {
      const ended = await dashboardSessions.end(identityOf(request).userId, request.params.id)
      if (!ended) throw new GatewayError('not_found', 'You have no such session. It may already have ended.')
      return reply.code(204).send()
    },
  })

  app.route<{ Body: SignOut }>({
    method: 'POST',
    url: '/sign-out',
    config,
    schema: { summary: 'Sign out here, or everywhere.', body: SignOut, response: { 200: SignedOut } },
    handler: async function signOut(request, reply) {
      const { userId } = identityOf(request)
      if (request.body.everywhere === true) await dashboardSessions.endAll(userId)
      else await dashboardSessions.end(userId, request.sessionId)
      clearSessionCookie(reply)
      return { location: request.signedInAtIssuer ? ((await issuerSignIn?.logoutUrl()) ?? null) : null }
    },
  })
}

export default defineRoutes<SessionRoutesOptions>('dashboard/session', { anyone: sessionRoutes })
