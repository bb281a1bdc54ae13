import { randomBytes } from 'node:crypto'
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
import type { RpcMessage } from '../../schemas/tools/mcp.ts'
import { type Identity, isSignedIn, keyIdOf } from '../../services/identity/identity.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The tool of a `tools/call`; null if the name is unknown. */
    tool: string | null
    /** The outcome of the request, if neither its status nor an error code shows it. */
    outcome: string | null
    /** Whether the request was logged. */
    logged: boolean
  }
}

/** A client ID can be a URL. */
const MAX_CLIENT_ID = 128

async function requestLog(app: FastifyInstance) {
  app.decorateRequest('tool', null)
  app.decorateRequest('outcome', null)
  app.decorateRequest('logged', false)

  app.addHook('onRequest', function nameRequest(request, reply, done) {
    reply.header('x-request-id', request.id)
    // Only this event reports every disconnect: onResponse needs a response, onRequestAbort an unread body.
    reply.raw.once('close', () => writeRequestLine(request, reply, 'disconnected'))
    done()
  })

  app.addHook('onResponse', function logRequest(request, reply, done) {
    writeRequestLine(request, reply)
    done()
  })
}

/** Logs a request once, at the first event of its end. Later calls do nothing. */
export function writeRequestLine(request: FastifyRequest, reply: FastifyReply, how = howItEnded(request, reply)): void {
  if (request.logged) return
  request.logged = true
  // Null on public routes, where the plugins that set the caller are not registered.
  const { identity } = request
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
      ...credentialFields(identity),
      org: request.caller?.orgId,
      tool: request.tool ?? undefined,
      outcome: how,
      trace: traceOf(request.headers.traceparent, request.mcpMessage),
    },
    'request',
  )
}

/** The key, agent and OAuth client of a request. */
function credentialFields(identity: Identity | null | undefined) {
  if (!identity) return {}
  if (isSignedIn(identity)) return { client: identity.clientId.slice(0, MAX_CLIENT_ID) || undefined }
  return { key: keyIdOf(identity) ?? undefined, agent: identity.agent?.id }
}

/** Uses the fast path of the logger, if it has one. */
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

/** The Fastify options that leave the request log to this plugin. */
export function loggedHere(logger: FastifyBaseLogger) {
  return {
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger per request cost more than authentication. Each line has the request ID instead.
    childLoggerFactory: (parent: FastifyBaseLogger) => parent,
    genReqId: requestIds(),
  }
}

/** Answers and logs a request that Fastify rejects before any hook runs (bad percent-encoding); for `frameworkErrors`. */
export function loggedRefusal(answer: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => void) {
  return function answerRefusal(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
    reply.header('x-request-id', request.id)
    answer(error, request, reply)
    writeRequestLine(request, reply)
  }
}

/** Creates request IDs: a random part per process and a counter. */
function requestIds(): () => string {
  const process = randomBytes(6).toString('base64url')
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** The trace context of a request (W3C Trace Context): from the `_meta` of its message, else from its header. */
export function traceOf(header: unknown, message: RpcMessage | null | undefined): string | undefined {
  const inMeta = message && 'params' in message ? message.params?._meta?.traceparent : undefined
  const trace = inMeta ?? header
  return typeof trace === 'string' && trace.length === 55 && TRACEPARENT.test(trace) ? trace : undefined
}

export default fp(requestLog, { name: 'request-log', fastify: '5.x', dependencies: ['error-envelope'] })
