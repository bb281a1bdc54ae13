import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { endpointNotFound } from '../plugins/error-envelope/not-found.ts'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import { ConnectorEntry, ConnectorIndex } from '../schemas/connector-index.ts'
import type { Accounts } from '../services/accounts/accounts.ts'
import type { CatalogEntries } from '../services/connectors/catalog-entries.ts'
import type { Caller } from '../services/identity/caller.ts'

interface ConnectorRoutesOptions {
  entries: CatalogEntries
  accounts: Pick<Accounts, 'remove' | 'removeOnly'>
}

/** Any length: an unknown ID gets 404. */
const PathId = Type.String()
const ConnectorPath = Type.Object({ id: PathId })
const AccountPath = Type.Object({ id: PathId, accountId: PathId })
const JSON_TYPE = 'application/json; charset=utf-8'

async function connectorRoutes(app: FastifyInstance, { entries, accounts }: ConnectorRoutesOptions) {
  // None of these routes takes a body; what clients send with a DELETE all the same is read and left alone.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, function ignoreBody(_request, _body, done) {
    done(null)
  })

  async function requireServed(caller: Caller, id: string): Promise<void> {
    if (!(await entries.serves(caller, id))) throw endpointNotFound()
  }

  app.route({
    method: 'GET',
    url: '/connectors',
    config: { group: 'connectors' },
    schema: {
      summary:
        'Every connector that can be connected here, each with the accounts the caller sees, and the organization’s remote ones.',
      response: { 200: ConnectorIndex },
    },
    // Stored bytes, which skip the serializer; sent without a promise while they are at hand.
    handler: function listConnectors(request, reply) {
      const index = entries.index(callerOf(request), request.origin)
      reply.header('content-type', JSON_TYPE)
      return Buffer.isBuffer(index) ? reply.send(index) : index
    },
  })

  app.route<{ Params: Static<typeof ConnectorPath> }>({
    method: 'GET',
    url: '/connectors/:id',
    config: { group: 'connectors' },
    schema: {
      summary:
        'One connector; also one that is no longer offered, while the caller has accounts on it, and a remote one by its slug.',
      params: ConnectorPath,
      response: { 200: ConnectorEntry },
    },
    handler: async function readConnector(request, reply) {
      const entry = await entries.find(callerOf(request), request.params.id, request.origin)
      if (entry === undefined) throw endpointNotFound()
      reply.header('content-type', JSON_TYPE)
      return entry
    },
  })

  app.route<{ Params: Static<typeof ConnectorPath> }>({
    method: 'DELETE',
    url: '/connectors/:id',
    config: { group: 'connectors' },
    schema: {
      summary: 'Removes the caller’s one private account of a connector, if there is one; never a shared one.',
      params: ConnectorPath,
      response: { 204: Type.Null() },
    },
    handler: async function disconnect(request, reply) {
      const caller = callerOf(request)
      await requireServed(caller, request.params.id)
      await accounts.removeOnly(caller, request.params.id)
      return reply.code(204).send()
    },
  })

  app.route<{ Params: Static<typeof AccountPath> }>({
    method: 'DELETE',
    url: '/connectors/:id/accounts/:accountId',
    config: { group: 'connectors' },
    schema: {
      summary: 'Removes one account: a private one of the caller, or a shared one he created or administers.',
      params: AccountPath,
      response: { 204: Type.Null() },
    },
    handler: async function removeAccount(request, reply) {
      const caller = callerOf(request)
      const { id, accountId } = request.params
      await requireServed(caller, id)
      await accounts.remove(caller, accountId, id)
      return reply.code(204).send()
    },
  })
}

export default fp(connectorRoutes, {
  name: 'routes/connectors',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'origin', 'identity', 'org-resolution', 'standing', 'rate-limit'],
})
