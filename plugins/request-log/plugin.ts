import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyRequest {
    /** The tool a `tools/call` named, for the log. */
    tool: string | null
  }
}

async function requestLog(app: FastifyInstance) {
  app.decorateRequest('tool', null)

  app.addHook('onRequest', function nameRequest(request, reply, done) {
    reply.header('x-request-id', request.id)
    done()
  })

  app.addHook('onResponse', function logRequest(request, reply, done) {
    // Null where the plugins that set them are not registered: public routes are logged without a caller.
    const { identity } = request
    request.log.info(
      {
        id: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        user: identity?.userId,
        key: identity?.via === 'api-key' ? identity.keyId : undefined,
        org: request.caller?.orgId,
        tool: request.tool ?? undefined,
      },
      'request',
    )
    done()
  })
}

export default fp(requestLog, { name: 'request-log', fastify: '5.x' })
