import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { type ErrorCode, GatewayError } from '../../lib/errors/errors.ts'
import { toGatewayError } from '../../lib/errors/to-gateway-error.ts'
import { endpointNotFound } from './not-found.ts'
import { renderError } from './render.ts'
import type { RouteGroup } from './route-group.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the error that the request was answered with; null where it was answered with none. */
    errorCode: ErrorCode | null
  }
  interface FastifyContextConfig {
    /** Which envelope this route's errors wear; 'general' when unset. */
    group?: RouteGroup
  }
  interface FastifySchema {
    /** What the route is for, in docs/openapi.json; declared here for a build without @fastify/swagger, which says the same. */
    summary?: string
  }
}

async function errorEnvelope(app: FastifyInstance) {
  app.decorateRequest('errorCode', null)

  app.setErrorHandler(function renderThrown(thrown, request, reply) {
    sendError(thrown, request, reply)
  })
  app.setNotFoundHandler(function refuseUnknownPath(request, reply) {
    sendError(endpointNotFound(), request, reply)
  })
}

/** Answers with what was thrown, in the envelope of the route's group; logs what is our own fault. */
export function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = wasCutOff(thrown, request) ? bodyCutOff(thrown) : toGatewayError(thrown)
  request.errorCode = error.code
  const { status, headers, body } = renderError(error, request.routeOptions?.config.group ?? 'general')
  if (status >= 500 && error.cause !== undefined) request.log.error({ id: request.id, err: error.cause }, error.message)
  reply.code(status).headers(headers).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

/** Whether the client went away within its body: the same error of a socket would say that a dependency cannot be had. */
function wasCutOff(thrown: unknown, request: FastifyRequest): boolean {
  return thrown instanceof Error && thrown === request.raw.errored
}

function bodyCutOff(cause: unknown): GatewayError {
  return new GatewayError('unparsable_body', 'The body did not come to its end.', { cause })
}

export default fp(errorEnvelope, { name: 'error-envelope', fastify: '5.x' })
