import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import fp from 'fastify-plugin'
import { type Envelope, type ErrorCode, errorRow, GatewayError, nested } from '../../lib/errors/errors.ts'
import { toGatewayError } from '../../lib/errors/to-gateway-error.ts'
import { escaped } from '../../lib/html/write-tag.ts'
import { describeFaults, ownRules } from '../../lib/schema-faults/describe-faults.ts'

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

/** Whether a browser opened the URL: only browsers name HTML in `Accept`. The requests of pages and of clients do not. */
function isOpenedByBrowser({ method, headers }: { method: string; headers: IncomingHttpHeaders }): boolean {
  return (method === 'GET' || method === 'HEAD') && /\btext\/html\b/i.test(headers.accept ?? '')
}

/** The headers of `errorPage`. It must not be kept: its URL also has an answer in JSON. */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/** An error as a page with nothing but its words. */
function errorPage(status: number, message: string): string {
  const title = `${status} ${STATUS_CODES[status] ?? 'Error'}`
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<h1>${title}</h1>
<p>${escaped(message)}</p>
</html>
`
}

/**
 * The group of a route, which decides its error envelope (see docs/api.md): connector routes are flat with the code first,
 * account and billing routes flat with the message first, POST /mcp has JSON-RPC transport errors, all others are nested.
 */
export type RouteGroup = 'general' | 'connectors' | 'account' | 'billing' | 'mcp'

/** An error as status, headers and body. */
interface RenderedError {
  status: number
  headers: Record<string, string>
  body: object
}

const GROUP_ENVELOPES: Record<RouteGroup, Exclude<Envelope, 'by-group' | 'tool'>> = {
  general: 'nested',
  mcp: 'nested',
  connectors: 'flat-code-first',
  account: 'flat-message-first',
  billing: 'flat-message-first',
}

/**
 * Renders an error of the table in the envelope of a group of routes (see docs/api.md). A 5xx is nested in every group.
 */
export function renderError(error: GatewayError, group: RouteGroup): RenderedError {
  const row = errorRow(error.code)
  const headers: Record<string, string> = {}
  if (error.retryAfter !== undefined) headers['retry-after'] = String(error.retryAfter)

  if (group === 'mcp' && row.rpc !== undefined)
    return { status: row.status, headers, body: rpcError(row.rpc, error.message) }

  const special = group === 'billing' ? row.billing : undefined
  const envelope = special?.envelope ?? (row.envelope === 'by-group' ? GROUP_ENVELOPES[group] : row.envelope)
  return {
    status: special?.status ?? row.status,
    headers,
    body: { ...envelopeBody(envelope, error, wireCode(row.wire ?? error.code, envelope)), ...error.details },
  }
}

/** The codes that account and billing routes do not write in upper snake case. */
const UNCHANGED = new Set(['no_active_org', 'key_spend_limit_exceeded'])

/** The names of codes on account and billing routes that differ in more than their case. */
const ACCOUNT_CODES: Readonly<Record<string, string>> = {
  admin_required: 'FORBIDDEN',
  jwt_session_required: 'SESSION_REQUIRED',
}

function wireCode(code: string, envelope: Envelope): string {
  if (envelope !== 'flat-message-first' || UNCHANGED.has(code)) return code
  return ACCOUNT_CODES[code] ?? code.toUpperCase()
}

function envelopeBody(envelope: Envelope, error: GatewayError, code: string): object {
  switch (envelope) {
    case 'flat-code-first':
      return { error: code, message: error.message, ...retryAfter(error) }
    case 'flat-message-first':
      return { error: error.message, code }
    case 'oauth':
      return { error: code, error_description: error.message }
    case 'rate-limit':
      return { ...nested(error, code), retry_after: error.retryAfter ?? 0 }
    default:
      return nested(error, code)
  }
}

function retryAfter(error: GatewayError): object {
  return error.retryAfter === undefined ? {} : { retry_after: error.retryAfter }
}

/** The transport error of POST /mcp. It has no ID because none was read. */
function rpcError(code: number, message: string): object {
  return { jsonrpc: '2.0', error: { code, message }, id: null }
}
