import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { RpcMessage } from '../../schemas/mcp.ts'
import { judgeTransport as judge } from './judge.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The JSON-RPC message of the body; null outside the scope that registers this plugin. */
    mcpMessage: RpcMessage | null
  }
}

/** decisions.md, Probes and transport, sizes. */
const BODY_LIMIT = 4 * 1024 * 1024

async function transportValidation(app: FastifyInstance) {
  app.decorateRequest('mcpMessage', null)

  // Any type is read as text: a wrong one has its place in the order of the checks, which Fastify's parsers would skip.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_LIMIT }, function takeText(_request, body, done) {
    done(null, body)
  })

  app.addHook('preValidation', function judgeTransport(request, _reply, done) {
    // Without a body Fastify calls no parser.
    const judged = judge(request.headers, typeof request.body === 'string' ? request.body : '')
    if (judged instanceof Error) return done(judged)
    request.mcpMessage = judged
    done()
  })
}

/** The message that the transport let through; throws outside the scope of this plugin. */
export function mcpMessageOf(request: FastifyRequest): RpcMessage {
  if (request.mcpMessage === null) throw new Error('No message was read: transport-validation is not registered here.')
  return request.mcpMessage
}

export default fp(transportValidation, {
  name: 'transport-validation',
  fastify: '5.x',
  dependencies: ['error-envelope'],
})
