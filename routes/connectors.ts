import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { endpointNotFound } from '../plugins/error-envelope/plugin.ts'
import { identityOf } from '../plugins/identity/plugin.ts'
import { ignoreBodies } from '../plugins/json-bodies/plugin.ts'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import { ConnectorAccount, ConnectorEntry, ConnectorIndex } from '../schemas/connectors/connector.ts'
import { AccountChangeRequest } from '../schemas/organizations/account.ts'
import type { Accounts } from '../services/accounts/accounts.ts'
import type { CatalogEntries } from '../services/connectors/catalog-entries.ts'
import { rejectAgent } from '../services/identity/identity.ts'
import { defineRoutes } from './define-routes.ts'

interface ConnectorRoutesOptions {
  entries: CatalogEntries
  accounts: Pick<Accounts, 'update' | 'remove' | 'removeOnly'>
}

/** Any length: an unknown ID gets 404. */
const PathId = Type.String()
const ConnectorPath = Type.Object({ id: PathId })
const AccountPath = Type.Object({ id: PathId, accountId: PathId })
const AGENT_CANNOT_SHARE = 'An agent cannot change who uses an account. Ask the owner of the agent to do it.'
const JSON_TYPE = 'application/json; charset=utf-8'

function connectorRoutes(app: FastifyInstance, options: ConnectorRoutesOptions): void {
  addChangeRoute(app, options)
  app.register(withoutBody, options)
}

/** The routes that take no body. */
async function withoutBody(scope: FastifyInstance, options: ConnectorRoutesOptions) {
  ignoreBodies(scope)

  addReadRoutes(scope, options)
  addRemovalRoutes(scope, options)
}

function addReadRoutes(app: FastifyInstance, { entries }: ConnectorRoutesOptions): void {
  app.route({
    method: 'GET',
    url: '/connectors',
    config: { group: 'connectors' },
    schema: {
      summary:
        'List all offered connectors, each with the accounts that the caller sees, and the organization’s remote connectors.',
      response: { 200: ConnectorIndex },
    },
    // Stored bytes, which skip the serializer. Cached ones are sent without a promise.
    handler: function listConnectors(request, reply) {
      const index = entries.index(callerOf(request), request.gatewayOrigin)
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
        'Get one connector, or a remote connector by its slug. Includes withdrawn connectors on which the caller has accounts.',
      params: ConnectorPath,
      response: { 200: ConnectorEntry },
    },
    handler: async function readConnector(request, reply) {
      const entry = await entries.find(callerOf(request), request.params.id, request.gatewayOrigin)
      if (entry === undefined) throw endpointNotFound(request)
      reply.header('content-type', JSON_TYPE)
      return entry
    },
  })
}

/** Throws endpoint_not_found for a connector that the caller may not address. */
async function requireServed(entries: CatalogEntries, request: FastifyRequest, id: string): Promise<void> {
  if (!(await entries.serves(callerOf(request), id))) throw endpointNotFound(request)
}

function addChangeRoute(app: FastifyInstance, { entries, accounts }: ConnectorRoutesOptions): void {
  app.route<{ Params: Static<typeof AccountPath>; Body: AccountChangeRequest }>({
    method: 'PATCH',
    url: '/connectors/:id/accounts/:accountId',
    config: { group: 'connectors', tool: 'manage__accounts_share' },
    schema: {
      summary:
        'Rename one account, share it with the organization, or make it private to the member who connected it. Those who may remove the account may change it.',
      params: AccountPath,
      body: AccountChangeRequest,
      response: { 200: ConnectorAccount },
    },
    handler: async function changeAccount(request) {
      const caller = callerOf(request)
      const { id, accountId } = request.params
      await requireServed(entries, request, id)
      if (request.body.scope !== undefined) rejectAgent(identityOf(request), AGENT_CANNOT_SHARE)
      return entries.accountEntry(caller, await accounts.update(caller, accountId, request.body, id))
    },
  })
}

function addRemovalRoutes(app: FastifyInstance, { entries, accounts }: ConnectorRoutesOptions): void {
  app.route<{ Params: Static<typeof ConnectorPath> }>({
    method: 'DELETE',
    url: '/connectors/:id',
    config: { group: 'connectors', tool: 'manage__accounts_remove' },
    schema: {
      summary: 'Remove the caller’s only private account of a connector, if there is one; never a shared account.',
      params: ConnectorPath,
      response: { 204: Type.Null() },
    },
    handler: async function disconnect(request, reply) {
      const caller = callerOf(request)
      await requireServed(entries, request, request.params.id)
      await accounts.removeOnly(caller, request.params.id)
      return reply.code(204).send()
    },
  })

  app.route<{ Params: Static<typeof AccountPath> }>({
    method: 'DELETE',
    url: '/connectors/:id/accounts/:accountId',
    config: { group: 'connectors', tool: 'manage__accounts_remove' },
    schema: {
      summary: 'Remove one account: a private one of the caller, or a shared one that they created or administer.',
      params: AccountPath,
      response: { 204: Type.Null() },
    },
    handler: async function removeAccount(request, reply) {
      const caller = callerOf(request)
      const { id, accountId } = request.params
      await requireServed(entries, request, id)
      await accounts.remove(caller, accountId, id)
      return reply.code(204).send()
    },
  })
}

export default defineRoutes<ConnectorRoutesOptions>('connectors', { organization: connectorRoutes })
