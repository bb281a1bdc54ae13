import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import fp from 'fastify-plugin'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import { Member, MemberChange } from '../schemas/member.ts'
import { PageQuery, pageOf, pageRequest } from '../schemas/page.ts'
import type { ActiveOrganizations } from '../services/identity/active-organization.ts'
import type { Members } from '../services/organizations/members.ts'
import { requireAdminSession, requireOrganization, requireSession } from './access.ts'

interface MemberRoutesOptions {
  members: Pick<Members, 'page' | 'find' | 'setRole' | 'remove'>
  activeOrganizations: Pick<ActiveOrganizations, 'forget'>
}

/** Any text: an unknown ID gets 404. */
const MemberPath = Type.Object({ userId: Type.String() })
type Path = { Params: Static<typeof MemberPath> }

const config = { group: 'account' } as const

const memberRoutes: FastifyPluginAsyncTypebox<MemberRoutesOptions> = async (app, options) => {
  const { members, activeOrganizations } = options

  app.route({
    method: 'GET',
    url: '/members',
    config,
    onRequest: requireOrganization,
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

  app.route<Path & { Body: MemberChange }>({
    method: 'PATCH',
    url: '/members/:userId',
    config,
    onRequest: requireAdminSession,
    schema: {
      summary: 'Change the role of a member. Only an owner makes or changes an owner; the last one stays.',
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

  app.route<Path>({
    method: 'DELETE',
    url: '/members/:userId',
    config,
    onRequest: requireSession,
    schema: {
      summary: 'Remove a member, or leave the organization. Only an owner removes an owner; the last one stays.',
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

export default fp(memberRoutes, {
  name: 'routes/members',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'json-bodies', 'origin', 'identity', 'org-resolution', 'standing', 'rate-limit'],
})
