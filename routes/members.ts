import { type Static, Type } from '@sinclair/typebox'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import { Member, MemberChange } from '../schemas/organizations/member.ts'
import { PageQuery, pageOf, pageRequest } from '../schemas/primitives/page.ts'
import type { ActiveOrganizations } from '../services/identity/active-organization.ts'
import type { Members } from '../services/organizations/members.ts'
import { defineRoutes, type RouteScope } from './define-routes.ts'

interface MemberRoutesOptions {
  members: Pick<Members, 'page' | 'find' | 'setRole' | 'remove'>
  activeOrganizations: Pick<ActiveOrganizations, 'forget'>
}

/** Any text: an unknown ID gets 404. */
const MemberPath = Type.Object({ userId: Type.String() })
type Path = { Params: Static<typeof MemberPath> }

const config = { group: 'account' } as const

function addReadRoute(app: RouteScope, { members }: MemberRoutesOptions): void {
  app.route({
    method: 'GET',
    url: '/members',
    config,
    schema: {
      summary: 'List the members of the organization, newest first.',
      querystring: Type.Object(PageQuery, { additionalProperties: false }),
      response: { 200: pageOf('members', Member) },
    },
    handler: async function listMembers(request) {
      const { rows, nextCursor } = await members.page(callerOf(request).orgId, pageRequest(request.query))
      return { members: rows.map(entryOf), next_cursor: nextCursor }
    },
  })
}

function addChangeRoute(app: RouteScope, { members, activeOrganizations }: MemberRoutesOptions): void {
  app.route<Path & { Body: MemberChange }>({
    method: 'PATCH',
    url: '/members/:userId',
    config,
    schema: {
      summary:
        'Change the role of a member. Only an owner can make or change an owner. The last owner cannot be changed.',
      params: MemberPath,
      body: MemberChange,
      response: { 200: Member },
    },
    handler: async function changeMember(request) {
      const by = callerOf(request)
      const { userId } = request.params
      await members.setRole({ orgId: by.orgId, userId, role: request.body.role, by })
      activeOrganizations.forget(userId)
      return entryOf(await members.find(by.orgId, userId))
    },
  })
}

function addRemovalRoute(app: RouteScope, { members, activeOrganizations }: MemberRoutesOptions): void {
  app.route<Path>({
    method: 'DELETE',
    url: '/members/:userId',
    config,
    schema: {
      summary:
        'Remove a member, or leave the organization. Only an owner can remove an owner. The last owner cannot be removed.',
      params: MemberPath,
      response: { 204: Type.Null() },
    },
    handler: async function removeMember(request, reply) {
      const by = callerOf(request)
      const { userId } = request.params
      await members.remove({ orgId: by.orgId, userId, by })
      activeOrganizations.forget(userId)
      return reply.code(204).send()
    },
  })
}

function entryOf({ userId, email, role, joinedAt }: Awaited<ReturnType<Members['find']>>): Member {
  return { user_id: userId, email, role, joined_at: joinedAt.toISOString() }
}

export default defineRoutes<MemberRoutesOptions>('members', {
  organization: addReadRoute,
  adminSession: addChangeRoute,
  session: addRemovalRoute,
})
