import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { GatewayError } from '../lib/errors/errors.ts'
import { endpointNotFound } from '../plugins/error-envelope/plugin.ts'
import { identityOf } from '../plugins/identity/plugin.ts'
import { ignoreBodies } from '../plugins/json-bodies/plugin.ts'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import {
  RemoteAuthorization,
  RemoteAuthorizationRequest,
  RemoteCallbackRequest,
  RemoteKeyRequest,
} from '../schemas/remotes/auth.ts'
import { ConfirmRequest, RefreshRequest } from '../schemas/remotes/refresh.ts'
import {
  RefreshedRemoteConnector,
  RegisterRemoteRequest,
  RemoteConnectorRead,
  StoredRemoteCredential,
  UpdateRemoteRequest,
} from '../schemas/remotes/remote.ts'
import { isAdmin } from '../services/identity/caller.ts'
import { rejectAgent } from '../services/identity/identity.ts'
import type { Infrastructure } from '../services/infrastructure.ts'
import { isRedirectUri, redirectUris } from '../services/remote-connectors/oauth/client-metadata.ts'
import type {
  RemoteConnector,
  RemoteConnectors,
  WaitingSnapshot,
} from '../services/remote-connectors/remote-connectors.ts'
import { UnknownRemote } from '../services/remote-connectors/require-remote.ts'
import { toRemoteRead } from '../services/remote-connectors/to-remote-entry.ts'
import { defineRoutes } from './define-routes.ts'

const config = { group: 'connectors' } as const

/** Any length: an unknown slug gets 404. */
const SlugPath = Type.Object({ slug: Type.String() })
type SlugPath = Static<typeof SlugPath>

interface EntryOptions extends Pick<Infrastructure, 'commands'> {
  pending?: WaitingSnapshot | undefined
  /** Fields beside those of the entry. */
  more?: object
}

/** The answer with the entry as JSON. A serializer of the schema would walk through every schema of every tool. */
function remoteEntry(
  request: FastifyRequest,
  reply: FastifyReply,
  remote: RemoteConnector,
  { commands, pending, more }: EntryOptions,
): string {
  const admin = isAdmin(callerOf(request))
  reply.header('content-type', 'application/json; charset=utf-8')
  return JSON.stringify({
    ...toRemoteRead(remote, { origin: request.gatewayOrigin, admin, pending, commands }),
    ...more,
  })
}

/** Turns an unknown slug into the 404 of an unknown path. */
async function notFoundIfUnknown<T>(request: FastifyRequest, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof UnknownRemote ? endpointNotFound(request) : error
  }
}

interface RemoteConnectorRoutesOptions extends Pick<Infrastructure, 'commands'> {
  remotes: Pick<RemoteConnectors, 'find' | 'register' | 'update' | 'refresh' | 'pending' | 'confirm' | 'remove'>
}

const RefreshQuery = Type.Object(
  { preview: Type.Optional(Type.Literal('1', { description: 'Fetch the tools without serving them.' })) },
  { additionalProperties: false },
)
type RefreshQuery = Static<typeof RefreshQuery>

function addRegisterRoute(app: FastifyInstance, { remotes, commands }: RemoteConnectorRoutesOptions): void {
  app.route<{ Body: RegisterRemoteRequest }>({
    method: 'POST',
    url: '/connectors/org',
    config: { ...config, tool: 'manage__remote_add' },
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
}

function addReadRoute(app: FastifyInstance, { remotes, commands }: RemoteConnectorRoutesOptions): void {
  app.route<{ Params: SlugPath }>({
    method: 'GET',
    url: '/connectors/org/:slug',
    config,
    schema: {
      summary: 'Get one remote connector with its pinned tools; admins also see the rejected ones.',
      params: SlugPath,
      response: { 200: RemoteConnectorRead },
    },
    handler: async function readRemote(request, reply) {
      const { orgId, userId } = callerOf(request)
      const remote = await remotes.find(orgId, request.params.slug, userId)
      if (remote === undefined) throw endpointNotFound(request)
      const pending = isAdmin(callerOf(request)) ? await remotes.pending(remote) : undefined
      return remoteEntry(request, reply, remote, { commands, pending })
    },
  })
}

function addChangeRoutes(app: FastifyInstance, { remotes, commands }: RemoteConnectorRoutesOptions): void {
  app.route<{ Params: SlugPath; Body: UpdateRemoteRequest }>({
    method: 'PATCH',
    url: '/connectors/org/:slug',
    config: { ...config, tool: 'manage__remote_update' },
    schema: {
      summary: 'Change the name, URL, authentication or refresh mode of a remote connector; admins only.',
      params: SlugPath,
      body: UpdateRemoteRequest,
      response: { 200: RemoteConnectorRead },
    },
    handler: async function updateRemote(request, reply) {
      const { slug } = request.params
      // Replaces the credential, and where each member has their own, that of its owner and all others.
      if (request.body.auth !== undefined) rejectAgent(identityOf(request))
      const remote = await notFoundIfUnknown(
        request,
        remotes.update(callerOf(request), slug, request.body, request.gatewayOrigin),
      )
      return remoteEntry(request, reply, remote, { commands, pending: await remotes.pending(remote) })
    },
  })

  app.route<{ Params: SlugPath; Querystring: RefreshQuery; Body: RefreshRequest }>({
    method: 'POST',
    url: '/connectors/org/:slug/refresh',
    preValidation: takeNoBodyAsEmpty,
    config: { ...config, tool: 'manage__remote_refresh' },
    schema: {
      summary:
        'Refresh the pinned tools of a remote connector, preview a refresh, or accept a previewed one; admins only. ' +
        'Risky changes wait until they are accepted.',
      params: SlugPath,
      querystring: RefreshQuery,
      body: RefreshRequest,
      response: { 200: RefreshedRemoteConnector },
    },
    handler: async function refreshRemote(request, reply) {
      const { slug } = request.params
      const how = refreshOf(request.query, request.body)
      const { remote, changes, applied, hash } = await notFoundIfUnknown(
        request,
        remotes.refresh(callerOf(request), slug, how),
      )
      const pending = await remotes.pending(remote)
      const more = { changes, applied, full_schema_hash: hash }
      return remoteEntry(request, reply, remote, { commands, pending, more })
    },
  })

  app.route<{ Params: SlugPath; Body: ConfirmRequest }>({
    method: 'POST',
    url: '/connectors/org/:slug/confirm',
    config: { ...config, tool: 'manage__remote_update' },
    schema: {
      summary: 'Confirm the hints of the pinned tools of a remote connector; admins only.',
      params: SlugPath,
      body: ConfirmRequest,
      response: { 200: RemoteConnectorRead },
    },
    handler: async function confirmRemote(request, reply) {
      const { params, body } = request
      const remote = await notFoundIfUnknown(request, remotes.confirm(callerOf(request), params.slug, body.hash))
      return remoteEntry(request, reply, remote, { commands, pending: await remotes.pending(remote) })
    },
  })
}

/** The route ignores bodies, so it has a scope of its own. */
async function addRemoveRoute(scope: FastifyInstance, { remotes }: RemoteConnectorRoutesOptions) {
  ignoreBodies(scope)

  scope.route<{ Params: SlugPath }>({
    method: 'DELETE',
    url: '/connectors/org/:slug',
    config: { ...config, tool: 'manage__remote_remove' },
    schema: {
      summary: 'Remove a remote connector with its snapshots and credential permanently; admins only.',
      params: SlugPath,
      response: { 204: Type.Null() },
    },
    handler: async function removeRemote(request, reply) {
      await notFoundIfUnknown(request, remotes.remove(callerOf(request), request.params.slug))
      return reply.code(204).send()
    },
  })
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

export const remoteConnectorRoutes = defineRoutes<RemoteConnectorRoutesOptions>('remote-connectors', {
  organization: addReadRoute,
  admin(app, options) {
    addRegisterRoute(app, options)
    addChangeRoutes(app, options)
    app.register(addRemoveRoute, options)
  },
})

interface RemoteCredentialRoutesOptions extends Pick<Infrastructure, 'commands'> {
  remotes: Pick<RemoteConnectors, 'beginAuthorization' | 'finishAuthorization' | 'connectWithKey' | 'disconnect'>
  settings: { readonly dashboardUrl: string | undefined }
}

/**
 * Connects a remote connector: per member the caller's own credential, otherwise the organization's, which only admins may
 * give.
 */
function addCredentialRoutes(app: FastifyInstance, options: RemoteCredentialRoutesOptions): void {
  const { remotes, commands, settings } = options
  const { dashboardUrl } = settings

  app.route<{ Params: SlugPath; Body: RemoteKeyRequest }>({
    method: 'POST',
    url: '/connectors/org/:slug/credential',
    config: { ...config, tool: 'manage__remote_update' },
    schema: {
      summary:
        'Store a token or header value for a remote connector: the caller’s own or, as an admin, the organization’s.',
      params: SlugPath,
      body: RemoteKeyRequest,
      response: { 200: StoredRemoteCredential },
    },
    handler: async function storeCredential(request, reply) {
      const { params, body } = request
      const stored = remotes.connectWithKey(callerOf(request), params.slug, body.key)
      const { unchecked, ...remote } = await notFoundIfUnknown(request, stored)
      return remoteEntry(request, reply, remote, { commands, more: { unchecked } })
    },
  })

  app.route<{ Params: SlugPath; Body: RemoteAuthorizationRequest }>({
    method: 'POST',
    url: '/connectors/org/:slug/credential/authorization',
    config: { ...config, tool: 'manage__remote_update' },
    schema: {
      summary: 'Begin a sign-in at the authorization server of a remote connector, valid for ten minutes.',
      params: SlugPath,
      body: RemoteAuthorizationRequest,
      response: { 200: RemoteAuthorization },
    },
    handler: async function beginAuthorization(request) {
      const { redirect_uri: redirectUri } = request.body
      if (!isRedirectUri(redirectUri, dashboardUrl)) throw foreignRedirect(dashboardUrl)
      const begun = remotes.beginAuthorization({ caller: callerOf(request), slug: request.params.slug, redirectUri })
      const { authorizationUrl, state } = await notFoundIfUnknown(request, begun)
      return { authorization_url: authorizationUrl, state }
    },
  })

  app.route<{ Body: RemoteCallbackRequest }>({
    method: 'POST',
    url: '/connectors/org/callback',
    config: { ...config, tool: 'manage__remote_update' },
    schema: {
      summary: 'Finish a sign-in at a remote connector with the query of the URL that the browser was sent to.',
      body: RemoteCallbackRequest,
      response: { 200: RemoteConnectorRead },
    },
    handler: async function finishAuthorization(request, reply) {
      const callback = new URLSearchParams(request.body.search)
      const remote = await remotes.finishAuthorization({ caller: callerOf(request), callback })
      return remoteEntry(request, reply, remote, { commands })
    },
  })

  app.register(addRemoveCredentialRoute, options)
}

async function addRemoveCredentialRoute(scope: FastifyInstance, { remotes }: RemoteCredentialRoutesOptions) {
  ignoreBodies(scope)

  scope.route<{ Params: SlugPath }>({
    method: 'DELETE',
    url: '/connectors/org/:slug/credential',
    config: { ...config, tool: 'manage__remote_update' },
    schema: {
      summary: 'Remove the caller’s own credential of a remote connector, if there is one, and revoke its grant.',
      params: SlugPath,
      response: { 204: Type.Null() },
    },
    handler: async function removeCredential(request, reply) {
      await notFoundIfUnknown(request, remotes.disconnect(callerOf(request), request.params.slug))
      return reply.code(204).send()
    },
  })
}

function foreignRedirect(dashboardUrl: string | undefined): GatewayError {
  const own = redirectUris(dashboardUrl).join(' or ')
  return new GatewayError('invalid_request', `This redirect_uri does not belong to the gateway. Use ${own}.`)
}

export const remoteCredentialRoutes = defineRoutes<RemoteCredentialRoutesOptions>('remote-credentials', {
  person: addCredentialRoutes,
})
