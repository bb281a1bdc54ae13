import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { GatewayError } from '../../lib/errors/errors.ts'
import { MCP_PATHS } from '../../lib/http/public-hosts.ts'
import { endpointNotFound } from '../../plugins/error-envelope/plugin.ts'
import { hasCredential } from '../../plugins/identity/plugin.ts'
import type { PageFile, PageFiles } from '../../services/dashboard/page-files.ts'
import { definePublicRoutes } from '../define-routes.ts'

interface PageRoutesOptions {
  pages: PageFiles
  /** The URL that MCP clients connect to. */
  gatewayUrl(): string
}

const NOT_BUILT = 'The dashboard is not built. Run: npm run build:dashboard\n'
/** These paths are no pages: an unknown one is an error, not the shell. */
const NO_PAGES = /^\/(?:api|auth(?!\/callback$)|assets|icons|oauth)(?:\/|$)/

/**
 * Serves the files of the page, and the shell for every other path: the page itself finds what to show. No GET here has an
 * effect.
 */
async function servePage(app: FastifyInstance, { pages, gatewayUrl }: PageRoutesOptions) {
  app.route({
    method: 'GET',
    url: '/*',
    handler: function sendPage(request: FastifyRequest, reply: FastifyReply) {
      // No page sends a credential of the gateway.
      if (hasCredential(request)) throw isTheGateways(gatewayUrl())
      // Read as text: `//` and `//host` are paths here, and parts of a URL to a parser of references.
      const [path = '/'] = request.url.split('?')
      const accepts = request.headers['accept-encoding']
      const file = pages.find(path, accepts)
      if (file !== undefined) return send(reply, file)
      if (NO_PAGES.test(path)) throw endpointNotFound(request)
      const shell = pages.shell(accepts)
      if (shell !== undefined) return send(reply, shell)
      return reply.code(503).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(NOT_BUILT)
    },
  })
}

function send(reply: FastifyReply, { body, type, encoding, immutable }: PageFile) {
  reply.header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
  reply.header('vary', 'accept-encoding')
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  return reply.type(type).send(body)
}

export const pageRoutes = definePublicRoutes('dashboard/page', servePage, ['dashboard-guard'])

interface GatewayPathsOptions {
  /** The URL that MCP clients connect to. */
  gatewayUrl(): string
}

/** Paths that only clients of the gateway ask for. None of the dashboard's pages has them. */
const PATHS = [...MCP_PATHS, '/.well-known/*', '/artifacts/*', '/webhooks/*']

/** Answers what was meant for the gateway with 404 and its URL: clients may be configured with the wrong one. */
async function nameGatewayPaths(app: FastifyInstance, { gatewayUrl }: GatewayPathsOptions) {
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
function isTheGateways(mcpUrl: string): GatewayError {
  return new GatewayError(
    'endpoint_not_found',
    `This is the dashboard, for people. Connect MCP clients to ${mcpUrl}, and send API requests to ${new URL(mcpUrl).origin}.`,
  )
}

function neverReached(): never {
  throw new Error('The hook before this handler has answered.')
}

export const gatewayPaths = definePublicRoutes('dashboard/gateway-paths', nameGatewayPaths, ['dashboard-guard'])
