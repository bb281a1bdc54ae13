import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { endpointNotFound } from '../../plugins/error-envelope/not-found.ts'
import { hasCredential } from '../../plugins/identity/credential.ts'
import type { PageFile, PageFiles } from '../../services/dashboard/page-files.ts'
import { isTheGateways } from './gateway-paths.ts'

interface PageRoutesOptions {
  pages: PageFiles
  /** The URL that MCP clients connect to. */
  gatewayUrl(): string
}

const NOT_BUILT = 'The page of the dashboard is not built. Run: npm run build:dashboard\n'
/** These paths are no pages: an unknown one is an error, not the shell. */
const NO_PAGES = /^\/(?:api|auth(?!\/callback$)|assets|icons|oauth)(?:\/|$)/

/**
 * Serves the files of the page, and the shell for every other path: the page itself finds what to show. No GET here has an
 * effect.
 */
async function pageRoutes(app: FastifyInstance, { pages, gatewayUrl }: PageRoutesOptions) {
  app.route({
    method: 'GET',
    url: '/*',
    handler: function sendPage(request: FastifyRequest, reply: FastifyReply) {
      // No page sends a credential of the gateway.
      if (hasCredential(request)) throw isTheGateways(gatewayUrl())
      // Read as text: `//` and `//host` are paths here, and parts of a URL to a parser of references.
      const [path = '/'] = request.url.split('?')
      const accepts = String(request.headers['accept-encoding'] ?? '')
      const file = pages.find(path, accepts)
      if (file !== undefined) return send(reply, file)
      if (NO_PAGES.test(path)) throw endpointNotFound()
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

export default fp(pageRoutes, {
  name: 'routes/dashboard/page',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'origin', 'dashboard-guard'],
})
