import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import fp from 'fastify-plugin'
import { ProtectedResourceMetadata } from '../schemas/probes.ts'

export interface MetadataRoutesOptions {
  /** The authorization servers whose tokens POST /mcp takes; none while no issuer is configured. */
  authorizationServers: readonly string[]
}

const metadataRoutes: FastifyPluginAsyncTypebox<MetadataRoutesOptions> = async (app, { authorizationServers }) => {
  app.route({
    method: 'GET',
    url: '/.well-known/oauth-protected-resource/mcp',
    config: { cors: true },
    schema: {
      summary: 'Where a client signs in to call POST /mcp (RFC 9728).',
      response: { 200: ProtectedResourceMetadata },
    },
    handler: async function describeResource(request) {
      return {
        resource: `${request.origin}/mcp`,
        authorization_servers: [...authorizationServers],
        bearer_methods_supported: ['header' as const],
      }
    },
  })
}

export default fp(metadataRoutes, {
  name: 'routes/metadata',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'origin'],
})
