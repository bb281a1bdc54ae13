import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { sendAbout } from './about.ts'

async function mcpMethods(app: FastifyInstance) {
  app.route({
    method: app.supportedMethods.filter(method => method !== 'POST'),
    url: '/mcp',
    config: { group: 'mcp', cors: true },
    // Runs before the body is read.
    onRequest: function refuseMethod(request, reply) {
      methodNotAllowed(request, reply)
      const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html') === true
      if (isPage) sendAbout(request, reply)
      else reply.send()
    },
    handler: neverReached,
  })
}

async function mcpGet(app: FastifyInstance) {
  app.route({
    // An array keeps it out of docs/openapi.json and the 404, which name only routes with a single method.
    method: ['GET'],
    url: '/mcp',
    constraints: { credential: true },
    config: { group: 'mcp', audience: 'mcp', cors: true },
    onRequest: function refuseGet(request, reply) {
      methodNotAllowed(request, reply).send()
    },
    handler: neverReached,
  })
}

function methodNotAllowed(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.outcome = 'method_not_allowed'
  // Must not be cached, because GET depends on the credential.
  return reply.code(405).header('allow', 'POST').header('cache-control', 'no-store')
}

function neverReached(): never {
  throw new Error('The hook before this handler has answered.')
}

/** The 405 of every other method on /mcp. It needs no credential. */
export const mcpMethodRoutes = fp(mcpMethods, {
  name: 'routes/mcp-methods',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['request-log', 'origin'],
})

/**
 * The 405 of GET /mcp with a credential, after the checks of POST /mcp. Clients try GET after a POST that failed and show
 * only its answer, so a rejected credential must be rejected here too.
 */
export const mcpGetRoutes = fp(mcpGet, {
  name: 'routes/mcp-get',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'request-log', 'identity', 'org-resolution', 'standing', 'rate-limit'],
})
