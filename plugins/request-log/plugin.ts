import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { traceOf } from './trace-context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The tool that a `tools/call` has called; null where none of its name was found. */
    tool: string | null
    /** How the request ended where its status does not tell: the outcome of a tool, the code of an error. */
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
    reply.raw.once('close', () => {
      if (!request.logged) writeRequestLine(request, reply, 'disconnected')
    })
    done()
  })

  app.addHook('onResponse', function logRequest(request, reply, done) {
    writeRequestLine(request, reply, request.outcome ?? (reply.statusCode < 400 ? 'ok' : 'error'))
    done()
  })
}

/** Writes the one line of a request. */
export function writeRequestLine(request: FastifyRequest, reply: FastifyReply, outcome: string): void {
  // Null where the plugins that set them are not registered: public routes are logged without a caller.
  const { identity } = request
  request.logged = true
  const key = identity?.via === 'api-key' ? identity : undefined
  const user = identity?.via === 'api-key' ? undefined : identity
  request.log.info(
    {
      id: request.id,
      method: request.method,
      route: request.routeOptions?.url ?? null,
      status: outcome === 'disconnected' ? null : reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      via: identity?.via,
      user: identity?.userId,
      key: key?.keyId,
      agent: key?.agent?.id,
      client: user?.clientId.slice(0, MAX_CLIENT_ID) || undefined,
      org: request.caller?.orgId,
      tool: request.tool ?? undefined,
      outcome,
      trace: traceOf(request.headers.traceparent, request.mcpMessage),
    },
    'request',
  )
}

export default fp(requestLog, { name: 'request-log', fastify: '5.x' })
