import { type Static, Type } from '@sinclair/typebox'
import { identityOf } from '../plugins/identity/plugin.ts'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import {
  CreatedInvitation,
  Invitation,
  InvitationToken,
  JoinedOrganization,
  NewInvitation,
} from '../schemas/organizations/invitation.ts'
import { PageQuery, pageOf, pageRequest } from '../schemas/primitives/page.ts'
import type { Idempotency } from '../services/idempotency/idempotency.ts'
import type { ActiveOrganizations } from '../services/identity/active-organization.ts'
import type { AcceptInvitation } from '../services/organizations/accept-invitation.ts'
import type { Invitations } from '../services/organizations/invitations.ts'
import { defineRoutes, type RouteScope } from './define-routes.ts'
import { oncePerKey } from './idempotency-key.ts'

interface InvitationRoutesOptions {
  invitations: Invitations
  acceptInvitation: AcceptInvitation
  activeOrganizations: Pick<ActiveOrganizations, 'forget'>
  once: Idempotency['once']
  /** The origin of the dashboard; undefined if there is none. */
  dashboardUrl: string | undefined
}

const InvitationPath = Type.Object({ id: Type.String() })

const config = { group: 'account' } as const

function addAdminRoutes(app: RouteScope, { invitations, once, dashboardUrl }: InvitationRoutesOptions): void {
  app.route({
    method: 'GET',
    url: '/invitations',
    config,
    schema: {
      summary: 'List the invitations that were neither accepted nor revoked, newest first.',
      querystring: Type.Object(PageQuery, { additionalProperties: false }),
      response: { 200: pageOf('invitations', Invitation) },
    },
    handler: async function listInvitations(request) {
      const { rows, nextCursor } = await invitations.page(callerOf(request).orgId, pageRequest(request.query))
      return { invitations: rows.map(entryOf), next_cursor: nextCursor }
    },
  })

  app.route<{ Body: NewInvitation }>({
    method: 'POST',
    url: '/invitations',
    config,
    schema: {
      summary:
        'Invite an email address. The invitation is valid for 7 days and replaces an earlier one. No email is sent.',
      body: NewInvitation,
      response: { 201: CreatedInvitation },
    },
    handler: oncePerKey<{ Body: NewInvitation }>(once, async function createInvitation(request) {
      const by = callerOf(request)
      const { token, ...created } = await invitations.create({ orgId: by.orgId, ...request.body, by })
      const body = { ...entryOf(created), next_step: nextStep(created.email, dashboardUrl) }
      const shownOnce = dashboardUrl === undefined ? { token } : { link: `${dashboardUrl}/invitations#${token}` }
      return { status: 201, body, shownOnce }
    }),
  })

  app.route<{ Params: Static<typeof InvitationPath> }>({
    method: 'DELETE',
    url: '/invitations/:id',
    config,
    schema: {
      summary: 'Revoke an invitation.',
      params: InvitationPath,
      response: { 204: Type.Null() },
    },
    handler: async function revokeInvitation(request, reply) {
      const by = callerOf(request)
      await invitations.revoke({ orgId: by.orgId, id: request.params.id, by })
      return reply.code(204).send()
    },
  })
}

function addAcceptRoute(app: RouteScope, { acceptInvitation, activeOrganizations }: InvitationRoutesOptions): void {
  app.route<{ Body: InvitationToken }>({
    method: 'POST',
    url: '/invitations/accept',
    config: { ...config, membership: 'optional', changesOrganization: true },
    schema: {
      summary: 'Join an organization with an invitation for the verified email of the session.',
      body: InvitationToken,
      response: { 200: JoinedOrganization },
    },
    // A repetition needs no Idempotency-Key: it gets the same answer from the service.
    handler: async function acceptInvitationOfUser(request) {
      const identity = identityOf(request)
      const { orgId, name, role } = await acceptInvitation({
        token: request.body.token,
        userId: identity.userId,
        verifiedEmail: identity.via === 'session' ? identity.verifiedEmail : undefined,
      })
      activeOrganizations.forget(identity.userId)
      return { organization: { id: orgId, name }, role }
    },
  })
}

type Listed = Awaited<ReturnType<Invitations['page']>>['rows'][number]

function entryOf({ id, email, role, status, invitedBy, createdAt, expiresAt }: Listed): Invitation {
  return {
    id,
    email,
    role,
    status,
    invited_by: invitedBy,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  }
}

function nextStep(email: string, dashboardUrl: string | undefined): string {
  const how =
    dashboardUrl === undefined
      ? 'send the token yourself. The invited person signs in with this verified email and sends it to POST /invitations/accept'
      : 'send the link yourself. The invited person opens it and signs in with this verified email'
  return `No email is sent to ${email}: ${how}. It works once, for 7 days.`
}

export default defineRoutes<InvitationRoutesOptions>('invitations', {
  adminSession: addAdminRoutes,
  userSession: addAcceptRoute,
})
