import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { endpointNotFound } from './not-found.ts'
import { renderError, toGatewayError } from './render.ts'
import type { Surface } from './surface.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which envelope this route's errors wear; 'general' when unset. */
    surface?: Surface
  }
}

async function errorEnvelope(app: FastifyInstance) {
  app.setErrorHandler(function renderThrown(thrown, request, reply) {
    sendError(thrown, request, reply)
  })
  app.setNotFoundHandler(function refuseUnknownPath(request, reply) {
    sendError(endpointNotFound(), request, reply)
  })
}

/** Answers with what was thrown, in the envelope of the route's surface; logs what is our own fault. */
export function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = toGatewayError(thrown)
  const { status, headers, body } = renderError(error, request.routeOptions?.config.surface ?? 'general')
  if (status >= 500 && error.cause !== undefined) request.log.error({ id: request.id, err: error.cause }, error.message)
  reply.code(status).headers(headers).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

/** What Fastify refuses before any hook runs (bad percent-encoding, long parameters); for `frameworkErrors`. */
export function renderFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  sendError(error, request, reply)
}

export default fp(errorEnvelope, { name: 'error-envelope', fastify: '5.x' })
