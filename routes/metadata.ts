import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import fp from 'fastify-plugin'
import type { JWK } from 'jose'
import { ClientMetadataDocument, PublicKeys } from '../schemas/oauth-client.ts'
import { ProtectedResourceMetadata } from '../schemas/probes.ts'
import { CLIENT_METADATA_PATH, clientMetadata } from '../services/remote-connectors/oauth/client-metadata.ts'

/** How long authorization servers can cache the client metadata. */
const CLIENT_METADATA_SECONDS = 3_600

/** How long servers can cache the keys, which are published two days before they sign. */
const PUBLIC_KEYS_SECONDS = 300

interface MetadataRoutesOptions {
  /** The authorization servers whose tokens POST /mcp accepts; empty if no issuer is configured. */
  authorizationServers: readonly string[]
  /** The scopes that clients request there; empty to leave it to the authorization server. */
  scopes: readonly string[]
  /** The keys that sign who calls an organization's own servers. */
  assertionKeys(): Promise<readonly JWK[]>
  /** The dashboard, where people sign in too; undefined without one. */
  dashboardUrl?: string | undefined
}

const metadataRoutes: FastifyPluginAsyncTypebox<MetadataRoutesOptions> = async (app, options) => {
  const { authorizationServers, scopes, dashboardUrl, assertionKeys } = options
  app.route({
    method: 'GET',
    url: '/.well-known/oauth-protected-resource/mcp',
    config: { cors: true },
    schema: {
      summary: 'Get where to sign in to call POST /mcp (RFC 9728).',
      response: { 200: ProtectedResourceMetadata },
    },
    handler: async function describeResource(request) {
      return {
        resource: `${request.origin}/mcp`,
        authorization_servers: [...authorizationServers],
        ...(scopes.length > 0 && { scopes_supported: [...scopes] }),
        bearer_methods_supported: ['header' as const],
      }
    },
  })

  app.route({
    method: 'GET',
    url: '/.well-known/jwks.json',
    schema: {
      summary: 'Get the keys that sign who calls an organization’s own MCP servers (RFC 7517).',
      response: { 200: PublicKeys },
    },
    handler: async function listAssertionKeys(_request, reply) {
      reply.header('cache-control', `public, max-age=${PUBLIC_KEYS_SECONDS}`)
      return { keys: [...(await assertionKeys())] as PublicKeys['keys'] }
    },
  })

  app.route({
    method: 'GET',
    url: CLIENT_METADATA_PATH,
    schema: {
      summary:
        'Get the metadata of this gateway as an OAuth client of registered MCP servers; its URL is its client_id.',
      response: { 200: ClientMetadataDocument },
    },
    handler: async function describeClient(request, reply) {
      reply.header('cache-control', `public, max-age=${CLIENT_METADATA_SECONDS}`)
      return { client_id: request.origin + CLIENT_METADATA_PATH, ...clientMetadata(dashboardUrl) }
    },
  })
}

export default fp(metadataRoutes, {
  name: 'routes/metadata',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'origin'],
})
