import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../../lib/errors/errors.ts'

interface GatewayPathsOptions {
  /** The URL that MCP clients connect to. */
  gatewayUrl(): string
}

/** Paths that only clients of the gateway ask for. None of the dashboard's pages has them. */
const PATHS = ['/mcp', '/.well-known/*', '/artifacts/*', '/webhooks/*']

/** Answers what was meant for the gateway with 404 and its URL: clients may be configured with the wrong one. */
async function gatewayPaths(app: FastifyInstance, { gatewayUrl }: GatewayPathsOptions) {
  for (const url of PATHS)
    app.route({
      method: [...app.supportedMethods],
      url,
      // Clients send no Origin. They learn the right URL, and nothing else happens.
      config: { fromAnywhere: true },
      // Before the body is read.
      onRequest: function nameGateway() {
        throw isTheGateways(gatewayUrl())
      },
      handler: neverReached,
    })
}

/** The 404 for what was meant for the gateway. `mcpUrl` is the URL that MCP clients connect to. */
export function isTheGateways(mcpUrl: string): GatewayError {
  return new GatewayError(
    'endpoint_not_found',
    `This is the dashboard, for people. Connect MCP clients to ${mcpUrl}, and send API requests to ${new URL(mcpUrl).origin}.`,
  )
}

function neverReached(): never {
  throw new Error('The hook before this handler has answered.')
}

export default fp(gatewayPaths, {
  name: 'routes/dashboard/gateway-paths',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'origin', 'dashboard-guard'],
})
