import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { type ErrorCode, GatewayError } from '../../lib/errors/errors.ts'
import { toGatewayError } from '../../lib/errors/to-gateway-error.ts'
import { describeFaults, ownRules } from '../../lib/schema-faults/describe-faults.ts'
import { endpointNotFound } from './not-found.ts'
import { type RouteGroup, renderError } from './render.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The error code of the response; null if it has none. */
    errorCode: ErrorCode | null
  }
  interface FastifyContextConfig {
    /** The route's group, which selects its error envelope. Default: 'general'. */
    group?: RouteGroup
  }
  interface FastifySchema {
    /** The route's summary in docs/openapi.json. @fastify/swagger declares it too, but is not in every build. */
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

/** Sends an error in the envelope of the route's group. Logs the cause of a 5xx. */
export function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = wasCutOff(thrown, request)
    ? bodyCutOff(thrown)
    : (invalidPart(thrown, request) ?? toGatewayError(thrown))
  request.errorCode = error.code
  const { status, headers, body } = renderError(error, request.routeOptions?.config.group ?? 'general')
  if (status >= 500 && error.cause !== undefined) request.log.error({ id: request.id, err: error.cause }, error.message)
  reply.code(status).headers(headers).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

const NOUNS = { whole: 'The body', member: 'field' }

/** The error for a part of a request that does not match its schema, which names each invalid field. */
function invalidPart(thrown: unknown, request: FastifyRequest): GatewayError | undefined {
  if (!isValidationError(thrown)) return undefined
  const { routeOptions, body, query, params } = request
  const part = thrown.validationContext
  const schema = part === undefined ? undefined : routeOptions.schema?.[part as 'body']
  const value = { body, querystring: query, params }[part as 'body']
  const pointer = thrown.validation?.[0]?.instancePath ?? ''
  const message = describeFaults({ schema, value, rules: ownRules(), first: () => ({ pointer }), nouns: NOUNS })
  return new GatewayError('invalid_request', message, { cause: thrown })
}

function isValidationError(thrown: unknown): thrown is FastifyError {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'FST_ERR_VALIDATION'
}

/** Whether the client disconnected within its body. Without this check, the socket error would look like a failed dependency. */
function wasCutOff(thrown: unknown, request: FastifyRequest): boolean {
  return thrown instanceof Error && thrown === request.raw.errored
}

function bodyCutOff(cause: unknown): GatewayError {
  return new GatewayError('unparsable_body', 'The body ended early. Send it again.', { cause })
}

export default fp(errorEnvelope, { name: 'error-envelope', fastify: '5.x' })
