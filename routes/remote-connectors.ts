import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify'
import fp from 'fastify-plugin'
import { endpointNotFound } from '../plugins/error-envelope/not-found.ts'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import { RefreshedRemoteConnector, RegisterRemoteRequest, RemoteConnectorRead, SLUG_RULE } from '../schemas/remote.ts'
import { isAdmin } from '../services/identity/caller.ts'
import type { RemoteConnector, RemoteConnectors } from '../services/remote-connectors/remote-connectors.ts'
import { requireAdmin, UnknownRemote } from '../services/remote-connectors/require-remote.ts'
import { toRemoteRead } from '../services/remote-connectors/to-remote-entry.ts'

interface RemoteConnectorRoutesOptions {
  remotes: Pick<RemoteConnectors, 'find' | 'register' | 'refresh' | 'remove'>
}

/** Any length: an unknown slug gets 404. */
const SlugPath = Type.Object({ slug: Type.String() })
type SlugPath = Static<typeof SlugPath>
const JSON_TYPE = 'application/json; charset=utf-8'

async function remoteConnectorRoutes(app: FastifyInstance, { remotes }: RemoteConnectorRoutesOptions) {
  // Before the body is judged and the slug is looked up: who may not write learns of neither.
  function refuseMembers(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
    requireAdmin(callerOf(request))
    done()
  }

  /** The single read as JSON: a serializer made of the schema would go through every schema of every tool. */
  function written(request: FastifyRequest, remote: RemoteConnector, more: object = {}): string {
    const admin = isAdmin(callerOf(request))
    return JSON.stringify({ ...toRemoteRead(remote, { origin: request.origin, admin }), ...more })
  }

  app.route<{ Body: RegisterRemoteRequest }>({
    method: 'POST',
    url: '/connectors/org',
    onRequest: refuseMembers,
    config: { group: 'connectors' },
    schema: {
      summary: 'Registers an upstream MCP server for the organization; for admins.',
      body: RegisterRemoteRequest,
      response: { 201: RemoteConnectorRead },
    },
    schemaErrorFormatter: describeFault,
    handler: async function registerRemote(request, reply) {
      const remote = await remotes.register(callerOf(request), request.body, request.origin)
      reply.code(201).header('content-type', JSON_TYPE)
      return written(request, remote)
    },
  })

  app.route<{ Params: SlugPath }>({
    method: 'GET',
    url: '/connectors/org/:slug',
    config: { group: 'connectors' },
    schema: {
      summary: 'One remote connector with its tools as they are pinned; for admins also what was set aside.',
      params: SlugPath,
      response: { 200: RemoteConnectorRead },
    },
    handler: async function readRemote(request, reply) {
      const remote = await remotes.find(callerOf(request).orgId, request.params.slug)
      if (remote === undefined) throw endpointNotFound()
      reply.header('content-type', JSON_TYPE)
      return written(request, remote)
    },
  })

  app.register(async function withoutBody(scope) {
    // What clients send all the same is read and left alone.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, function ignoreBody(_request, _body, done) {
      done(null)
    })

    scope.route<{ Params: SlugPath }>({
      method: 'POST',
      url: '/connectors/org/:slug/refresh',
      onRequest: refuseMembers,
      config: { group: 'connectors' },
      schema: {
        summary: 'Pins the tools of a remote connector anew and tells what changed; for admins, once in 30 s.',
        params: SlugPath,
        response: { 200: RefreshedRemoteConnector },
      },
      handler: async function refreshRemote(request, reply) {
        const { remote, changes } = await ofPath(remotes.refresh(callerOf(request), request.params.slug))
        reply.header('content-type', JSON_TYPE)
        return written(request, remote, { changes })
      },
    })

    scope.route<{ Params: SlugPath }>({
      method: 'DELETE',
      url: '/connectors/org/:slug',
      onRequest: refuseMembers,
      config: { group: 'connectors' },
      schema: {
        summary: 'Removes a remote connector with its snapshots and its credential, for good; for admins.',
        params: SlugPath,
        response: { 204: Type.Null() },
      },
      handler: async function removeRemote(request, reply) {
        await ofPath(remotes.remove(callerOf(request), request.params.slug))
        return reply.code(204).send()
      },
    })
  })
}

/** What is asked of the slug in a path: an unknown one is a path where nothing is served. */
async function ofPath<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof UnknownRemote ? endpointNotFound() : error
  }
}

/** What a body lacks; of an `auth` the validator would list what it lacks of every mode. */
function describeFault([fault]: FastifySchemaValidationError[], part: string): Error {
  const { instancePath = '', message = 'is not what this endpoint takes' } = fault ?? {}
  if (instancePath === '/slug') return new Error(`${part}/slug ${SLUG_RULE}`)
  if (!instancePath.startsWith('/auth')) return new Error(`${part}${instancePath} ${message}`)
  return new Error(
    'auth is one of {"mode":"none"}, {"mode":"bearer","token":"…"}, {"mode":"header","name":"…","value":"…"} and ' +
      '{"mode":"oauth"}, the last with client_id, client_secret and scopes where they are known; nothing else stands in it.',
  )
}

export default fp(remoteConnectorRoutes, {
  name: 'routes/remote-connectors',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'json-bodies', 'origin', 'identity', 'org-resolution', 'standing', 'rate-limit'],
})
