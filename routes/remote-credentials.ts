import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../lib/errors/errors.ts'
import { identityOf } from '../plugins/identity/plugin.ts'
import { ignoreBodies } from '../plugins/json-bodies/plugin.ts'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import { RemoteConnectorRead } from '../schemas/remote.ts'
import {
  RemoteAuthorization,
  RemoteAuthorizationRequest,
  RemoteCallbackRequest,
  RemoteKeyRequest,
} from '../schemas/remote-auth.ts'
import type { OperatorCommands } from '../services/operator/operator-commands.ts'
import { isRedirectUri, redirectUris } from '../services/remote-connectors/oauth/client-metadata.ts'
import type { RemoteConnectors } from '../services/remote-connectors/remote-connectors.ts'
import { requirePerson } from '../services/remote-connectors/require-remote.ts'
import { notFoundIfUnknown, remoteEntry, SlugPath } from './remote-entry.ts'

interface RemoteCredentialRoutesOptions {
  remotes: Pick<RemoteConnectors, 'beginAuthorization' | 'finishAuthorization' | 'connectWithKey' | 'disconnect'>
  commands: OperatorCommands
  settings: { readonly dashboardUrl: string | undefined }
}

const config = { group: 'connectors' } as const

/**
 * Connects a remote connector: per member the caller's own credential, otherwise the organization's, which only admins may
 * give.
 */
async function remoteCredentialRoutes(app: FastifyInstance, options: RemoteCredentialRoutesOptions) {
  const { remotes, commands, settings } = options
  const { dashboardUrl } = settings

  app.route<{ Params: SlugPath; Body: RemoteKeyRequest }>({
    method: 'POST',
    url: '/connectors/org/:slug/credential',
    onRequest: rejectAgents,
    config,
    schema: {
      summary:
        'Store a token or header value for a remote connector: the caller’s own or, by an admin, the organization’s.',
      params: SlugPath,
      body: RemoteKeyRequest,
      response: { 200: RemoteConnectorRead },
    },
    handler: async function storeCredential(request, reply) {
      const { params, body } = request
      const remote = await notFoundIfUnknown(remotes.connectWithKey(callerOf(request), params.slug, body.key))
      return remoteEntry(request, reply, remote, { commands })
    },
  })

  app.route<{ Params: SlugPath; Body: RemoteAuthorizationRequest }>({
    method: 'POST',
    url: '/connectors/org/:slug/credential/authorization',
    onRequest: rejectAgents,
    config,
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
      const { authorizationUrl, state } = await notFoundIfUnknown(begun)
      return { authorization_url: authorizationUrl, state }
    },
  })

  app.route<{ Body: RemoteCallbackRequest }>({
    method: 'POST',
    url: '/connectors/org/callback',
    onRequest: rejectAgents,
    config,
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

  app.register(withoutBody, options)
}

async function withoutBody(scope: FastifyInstance, { remotes }: RemoteCredentialRoutesOptions) {
  ignoreBodies(scope)

  scope.route<{ Params: SlugPath }>({
    method: 'DELETE',
    url: '/connectors/org/:slug/credential',
    onRequest: rejectAgents,
    config,
    schema: {
      summary: 'Remove the caller’s own credential of a remote connector, if there is one, and revoke its grant.',
      params: SlugPath,
      response: { 204: Type.Null() },
    },
    handler: async function removeCredential(request, reply) {
      await notFoundIfUnknown(remotes.disconnect(callerOf(request), request.params.slug))
      return reply.code(204).send()
    },
  })
}

/** Runs before the body is read. */
function rejectAgents(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  callerOf(request) // throws no_active_org first
  requirePerson(identityOf(request))
  done()
}

function foreignRedirect(dashboardUrl: string | undefined): GatewayError {
  const own = redirectUris(dashboardUrl).join(' or ')
  return new GatewayError('invalid_request', `This redirect_uri does not belong to the gateway. Use ${own}.`)
}

export default fp(remoteCredentialRoutes, {
  name: 'routes/remote-credentials',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'json-bodies', 'origin', 'identity', 'org-resolution', 'standing', 'rate-limit'],
})
