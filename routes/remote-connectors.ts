import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { endpointNotFound } from '../plugins/error-envelope/not-found.ts'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import { RefreshedRemoteConnector, RegisterRemoteRequest, RemoteConnectorRead } from '../schemas/remote.ts'
import { isAdmin } from '../services/identity/caller.ts'
import type { OperatorCommands } from '../services/operator/operator-commands.ts'
import type { RemoteConnector, RemoteConnectors } from '../services/remote-connectors/remote-connectors.ts'
import { requireAdmin, UnknownRemote } from '../services/remote-connectors/require-remote.ts'
import { toRemoteRead } from '../services/remote-connectors/to-remote-entry.ts'

interface RemoteConnectorRoutesOptions {
  remotes: Pick<RemoteConnectors, 'find' | 'register' | 'refresh' | 'remove'>
  commands: OperatorCommands
}

/** Any length: an unknown slug gets 404. */
const SlugPath = Type.Object({ slug: Type.String() })
type SlugPath = Static<typeof SlugPath>
const JSON_TYPE = 'application/json; charset=utf-8'

async function remoteConnectorRoutes(app: FastifyInstance, { remotes, commands }: RemoteConnectorRoutesOptions) {
  app.route<{ Body: RegisterRemoteRequest }>({
    method: 'POST',
    url: '/connectors/org',
    onRequest: rejectMembers,
    config: { group: 'connectors' },
    schema: {
      summary: 'Register an MCP server for the organization; admins only.',
      body: RegisterRemoteRequest,
      response: { 201: RemoteConnectorRead },
    },
    handler: async function registerRemote(request, reply) {
      const remote = await remotes.register(callerOf(request), request.body, request.origin)
      reply.code(201).header('content-type', JSON_TYPE)
      return entryJson(request, remote, commands)
    },
  })

  app.route<{ Params: SlugPath }>({
    method: 'GET',
    url: '/connectors/org/:slug',
    config: { group: 'connectors' },
    schema: {
      summary: 'Get one remote connector with its pinned tools; admins also see the rejected ones.',
      params: SlugPath,
      response: { 200: RemoteConnectorRead },
    },
    handler: async function readRemote(request, reply) {
      const { orgId, userId } = callerOf(request)
      const remote = await remotes.find(orgId, request.params.slug, userId)
      if (remote === undefined) throw endpointNotFound()
      reply.header('content-type', JSON_TYPE)
      return entryJson(request, remote, commands)
    },
  })

  app.register(withoutBody, { remotes, commands })
}

/** The routes that take no body. */
async function withoutBody(scope: FastifyInstance, { remotes, commands }: RemoteConnectorRoutesOptions) {
  // A body that clients send is read and ignored.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, function ignoreBody(_request, _body, done) {
    done(null)
  })

  scope.route<{ Params: SlugPath }>({
    method: 'POST',
    url: '/connectors/org/:slug/refresh',
    onRequest: rejectMembers,
    config: { group: 'connectors' },
    schema: {
      summary: 'Refresh the pinned tools of a remote connector and get the changes; admins only, once per 30 s.',
      params: SlugPath,
      response: { 200: RefreshedRemoteConnector },
    },
    handler: async function refreshRemote(request, reply) {
      const { remote, changes } = await notFoundIfUnknown(remotes.refresh(callerOf(request), request.params.slug))
      reply.header('content-type', JSON_TYPE)
      return entryJson(request, remote, commands, { changes })
    },
  })

  scope.route<{ Params: SlugPath }>({
    method: 'DELETE',
    url: '/connectors/org/:slug',
    onRequest: rejectMembers,
    config: { group: 'connectors' },
    schema: {
      summary: 'Remove a remote connector with its snapshots and credential permanently; admins only.',
      params: SlugPath,
      response: { 204: Type.Null() },
    },
    handler: async function removeRemote(request, reply) {
      await notFoundIfUnknown(remotes.remove(callerOf(request), request.params.slug))
      return reply.code(204).send()
    },
  })
}

/** Runs before the body is validated and the slug is looked up, so that members without the right learn nothing. */
function rejectMembers(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  requireAdmin(callerOf(request))
  done()
}

/** The entry as JSON. A serializer of the schema would walk through every schema of every tool. */
function entryJson(
  request: FastifyRequest,
  remote: RemoteConnector,
  commands: OperatorCommands,
  more: object = {},
): string {
  const admin = isAdmin(callerOf(request))
  return JSON.stringify({ ...toRemoteRead(remote, { origin: request.origin, admin, commands }), ...more })
}

/** Turns an unknown slug into the 404 of an unknown path. */
async function notFoundIfUnknown<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof UnknownRemote ? endpointNotFound() : error
  }
}

export default fp(remoteConnectorRoutes, {
  name: 'routes/remote-connectors',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'json-bodies', 'origin', 'identity', 'org-resolution', 'standing', 'rate-limit'],
})
