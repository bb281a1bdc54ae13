import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import fp from 'fastify-plugin'
import { type ErrorCode, GatewayError } from '../../lib/errors/errors.ts'
import { toGatewayError } from '../../lib/errors/to-gateway-error.ts'
import { describeFaults, ownRules } from '../../lib/schema-faults/describe-faults.ts'
import { errorPage, isOpenedByBrowser, PAGE_HEADERS } from './error-page.ts'
import { type RouteGroup, renderError } from './render-error.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The endpoints that are served, such as `GET /members`, in the order of their paths. */
    readonly endpoints: readonly string[]
  }
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

  const routes: { url: string; method: string }[] = []
  const endpoints: string[] = []
  app.decorate('endpoints', endpoints)
  app.addHook('onRoute', function noteEndpoint({ method, url }) {
    if (isEndpoint(method, url)) routes.push({ method, url })
  })
  app.addHook('onReady', async function listEndpoints() {
    routes.sort((a, b) => (a.url < b.url ? -1 : Number(a.url > b.url)))
    endpoints.push(...routes.map(({ method, url }) => `${method} ${url}`))
  })

  app.setErrorHandler(function renderThrown(thrown, request, reply) {
    sendError(thrown, request, reply)
  })
  app.setNotFoundHandler(function refuseUnknownPath(request, reply) {
    sendError(endpointNotFound(request), request, reply)
  })
}

/** Whether a route serves something: not a HEAD beside a GET, a refusal of several methods, or a page under any path. */
function isEndpoint(method: HTTPMethods | HTTPMethods[], url: string): method is HTTPMethods {
  return typeof method === 'string' && method !== 'HEAD' && !url.includes('*')
}

/** The 404 for unknown paths, and for IDs that do not exist, are not offered, or belong to another tenant. */
export function endpointNotFound({ server }: { server: Pick<FastifyInstance, 'endpoints'> }): GatewayError {
  return new GatewayError('endpoint_not_found', `Endpoint not found. Use one of: ${server.endpoints.join(', ')}.`)
}

/** Sends an error in the envelope of the route's group, or as a page to a browser. Logs the cause of a 5xx. */
export function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = wasCutOff(thrown, request)
    ? bodyCutOff(thrown)
    : (invalidPart(thrown, request) ?? toGatewayError(thrown))
  request.errorCode = error.code
  const { status, headers, body } = renderError(error, request.routeOptions?.config.group ?? 'general')
  if (status >= 500 && error.cause !== undefined) request.log.error({ id: request.id, err: error.cause }, error.message)
  reply.code(status).headers(headers)
  if (isOpenedByBrowser(request)) reply.headers(PAGE_HEADERS).send(errorPage(status, error.message))
  else reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
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
