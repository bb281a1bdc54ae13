import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../lib/errors/errors.ts'
import { endpointNotFound } from '../plugins/error-envelope/not-found.ts'
import { identityOf } from '../plugins/identity/plugin.ts'
import { ignoreBodies } from '../plugins/json-bodies/plugin.ts'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import { RefreshedRemoteConnector, RegisterRemoteRequest, RemoteConnectorRead } from '../schemas/remote.ts'
import { ConfirmRequest, RefreshRequest, UpdateRemoteRequest } from '../schemas/remote-requests.ts'
import { isAdmin } from '../services/identity/caller.ts'
import type { OperatorCommands } from '../services/operator/operator-commands.ts'
import type { RemoteConnectors } from '../services/remote-connectors/remote-connectors.ts'
import { requireAdmin, requirePerson } from '../services/remote-connectors/require-remote.ts'
import { notFoundIfUnknown, remoteEntry, SlugPath } from './remote-entry.ts'

interface RemoteConnectorRoutesOptions {
  remotes: Pick<RemoteConnectors, 'find' | 'register' | 'update' | 'refresh' | 'pending' | 'confirm' | 'remove'>
  commands: OperatorCommands
}

const RefreshQuery = Type.Object(
  { preview: Type.Optional(Type.Literal('1', { description: 'Fetch the tools and serve nothing.' })) },
  { additionalProperties: false },
)
type RefreshQuery = Static<typeof RefreshQuery>

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
      const remote = await remotes.register(callerOf(request), request.body, request.gatewayOrigin)
      reply.code(201)
      return remoteEntry(request, reply, remote, { commands })
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
      const pending = isAdmin(callerOf(request)) ? await remotes.pending(remote) : undefined
      return remoteEntry(request, reply, remote, { commands, pending })
    },
  })

  app.route<{ Params: SlugPath; Body: UpdateRemoteRequest }>({
    method: 'PATCH',
    url: '/connectors/org/:slug',
    onRequest: rejectMembers,
    config: { group: 'connectors' },
    schema: {
      summary: 'Change the name, URL, authentication or refresh mode of a remote connector; admins only.',
      params: SlugPath,
      body: UpdateRemoteRequest,
      response: { 200: RemoteConnectorRead },
    },
    handler: async function updateRemote(request, reply) {
      const { slug } = request.params
      // Replaces the credential, and where each member has their own, that of its owner and all others.
      if (request.body.auth !== undefined) requirePerson(identityOf(request))
      const remote = await notFoundIfUnknown(
        remotes.update(callerOf(request), slug, request.body, request.gatewayOrigin),
      )
      return remoteEntry(request, reply, remote, { commands, pending: await remotes.pending(remote) })
    },
  })

  app.route<{ Params: SlugPath; Querystring: RefreshQuery; Body: RefreshRequest }>({
    method: 'POST',
    url: '/connectors/org/:slug/refresh',
    onRequest: rejectMembers,
    preValidation: takeNoBodyAsEmpty,
    config: { group: 'connectors' },
    schema: {
      summary:
        'Refresh the pinned tools of a remote connector, preview that, or accept what a preview showed; admins only. ' +
        'Risky changes wait until they are accepted.',
      params: SlugPath,
      querystring: RefreshQuery,
      body: RefreshRequest,
      response: { 200: RefreshedRemoteConnector },
    },
    handler: async function refreshRemote(request, reply) {
      const { slug } = request.params
      const how = refreshOf(request.query, request.body)
      const { remote, changes, applied, hash } = await notFoundIfUnknown(remotes.refresh(callerOf(request), slug, how))
      const pending = await remotes.pending(remote)
      const more = { changes, applied, full_schema_hash: hash }
      return remoteEntry(request, reply, remote, { commands, pending, more })
    },
  })

  app.route<{ Params: SlugPath; Body: ConfirmRequest }>({
    method: 'POST',
    url: '/connectors/org/:slug/confirm',
    onRequest: rejectMembers,
    config: { group: 'connectors' },
    schema: {
      summary: 'Confirm the hints of the pinned tools of a remote connector; admins only.',
      params: SlugPath,
      body: ConfirmRequest,
      response: { 200: RemoteConnectorRead },
    },
    handler: async function confirmRemote(request, reply) {
      const { params, body } = request
      const remote = await notFoundIfUnknown(remotes.confirm(callerOf(request), params.slug, body.hash))
      return remoteEntry(request, reply, remote, { commands, pending: await remotes.pending(remote) })
    },
  })

  app.register(withoutBody, { remotes, commands })
}

/** The routes that take no body. */
async function withoutBody(scope: FastifyInstance, { remotes }: RemoteConnectorRoutesOptions) {
  ignoreBodies(scope)

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

/** Most refreshes have no body. */
function takeNoBodyAsEmpty(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  request.body ??= {}
  done()
}

function refreshOf({ preview }: RefreshQuery, { accept }: RefreshRequest) {
  if (accept === undefined) return { preview: preview === '1' }
  if (preview === undefined) return { accept }
  throw new GatewayError(
    'invalid_request',
    'Send either `preview=1`, which fetches the tools, or `accept`, which serves what a preview fetched.',
  )
}

export default fp(remoteConnectorRoutes, {
  name: 'routes/remote-connectors',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'json-bodies', 'origin', 'identity', 'org-resolution', 'standing', 'rate-limit'],
})
