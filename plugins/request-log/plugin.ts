import {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import fp from 'fastify-plugin'
import type { GatewayLogger } from '../../lib/logging/logger.ts'
import { requestIds } from './request-ids.ts'
import { traceOf } from './trace-context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The tool that a `tools/call` has called; null where none of its name was found. */
    tool: string | null
    /** How the request ended where neither its status nor the code of an error tells. */
    outcome: string | null
    /** Whether the line of the request is written. */
    logged: boolean
  }
}

/** A client id can be a URL. */
const MAX_CLIENT_ID = 128

async function requestLog(app: FastifyInstance) {
  app.decorateRequest('tool', null)
  app.decorateRequest('outcome', null)
  app.decorateRequest('logged', false)

  app.addHook('onRequest', function nameRequest(request, reply, done) {
    reply.header('x-request-id', request.id)
    // A client that goes away is told of by nothing else: onResponse needs an answer, onRequestAbort an unread body.
    reply.raw.once('close', () => writeRequestLine(request, reply, 'disconnected'))
    done()
  })

  app.addHook('onResponse', function logRequest(request, reply, done) {
    writeRequestLine(request, reply)
    done()
  })
}

/** Writes the one line of a request, at the first that tells of its end: what comes later adds nothing. */
export function writeRequestLine(request: FastifyRequest, reply: FastifyReply, how = howItEnded(request, reply)): void {
  if (request.logged) return
  request.logged = true
  // Null where the plugins that set them are not registered: public routes are logged without a caller.
  const { identity } = request
  const key = identity?.via === 'api-key' ? identity : undefined
  const user = identity?.via === 'api-key' ? undefined : identity
  infoLine(
    request.log,
    {
      id: request.id,
      method: request.method,
      route: request.routeOptions?.url ?? null,
      status: how === 'disconnected' ? null : reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      via: identity?.via,
      user: identity?.userId,
      key: key?.keyId,
      agent: key?.agent?.id,
      client: user?.clientId.slice(0, MAX_CLIENT_ID) || undefined,
      org: request.caller?.orgId,
      tool: request.tool ?? undefined,
      outcome: how,
      trace: traceOf(request.headers.traceparent, request.mcpMessage),
    },
    'request',
  )
}

/** Writes the line in the fastest way that the logger has. */
function infoLine(
  log: FastifyBaseLogger & Partial<Pick<GatewayLogger, 'infoLine'>>,
  fields: object,
  message: string,
): void {
  if (log.infoLine === undefined) log.info(fields, message)
  else log.infoLine(fields, message)
}

function howItEnded({ errorCode, outcome }: FastifyRequest, { statusCode }: FastifyReply): string {
  return errorCode ?? outcome ?? (statusCode < 400 ? 'ok' : 'error')
}

/** The options with which Fastify leaves its log to this plugin. */
export function loggedHere(logger: FastifyBaseLogger) {
  return {
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger a request cost more than authenticating it; lines carry the id themselves.
    childLoggerFactory: (parent: FastifyBaseLogger) => parent,
    genReqId: requestIds(),
  }
}

/** Names, answers and logs what Fastify refuses before any hook runs (bad percent-encoding); for `frameworkErrors`. */
export function loggedRefusal(answer: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => void) {
  return function answerRefusal(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
    reply.header('x-request-id', request.id)
    answer(error, request, reply)
    writeRequestLine(request, reply)
  }
}

export default fp(requestLog, { name: 'request-log', fastify: '5.x', dependencies: ['error-envelope'] })
