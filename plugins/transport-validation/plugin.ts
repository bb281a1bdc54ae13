import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { GatewayError } from '../../lib/errors/errors.ts'
import { listRepeated } from '../../lib/http/headers.ts'
import type { RpcMessage } from '../../schemas/tools/mcp.ts'
import { headerRefusal, validateTransport } from './validate-transport.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The JSON-RPC message of the body; null outside the scope that registers this plugin. */
    mcpMessage: RpcMessage | null
    /** Why no tool may get the arguments of the message; null if they are as the client sent them. */
    argumentsFault: string | null
    /** Why the transport rejects the headers; null if it accepts them. */
    headerRefusal: GatewayError | null
  }
}

const BODY_LIMIT = 4 * 1024 * 1024
const NO_BODY = Buffer.alloc(0)

async function transportValidation(app: FastifyInstance) {
  app.decorateRequest('mcpMessage', null)
  app.decorateRequest('argumentsFault', null)
  app.decorateRequest('headerRefusal', null)

  // Reads a body of any type, because the check for a batch comes before the check of its type.
  app.removeAllContentTypeParsers()
  // The common type has its own entry: Fastify parses the header again for every request that only the wildcard matches.
  app.addContentTypeParser(
    ['application/json', '*'],
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
    function takeBytes(_request, body, done) {
      done(null, body)
    },
  )

  app.addHook('onRequest', function readAnyBody(request, _reply, done) {
    listRepeated(request.raw)
    request.headerRefusal = headerRefusal(request.raw) ?? null
    // Fastify rejects a malformed Content-Type before it reads the body, but the check below reports a batch first.
    if (request.headerRefusal !== null) request.headers = { 'content-type': 'application/octet-stream' }
    done()
  })

  app.addHook('preValidation', function validateMessage(request, _reply, done) {
    // Without a body Fastify calls no parser.
    const body = Buffer.isBuffer(request.body) ? request.body : NO_BODY
    const received = validateTransport(request.headerRefusal, body)
    if (received instanceof Error) return done(received)
    request.mcpMessage = received.message
    request.argumentsFault = received.argumentsFault
    done()
  })
}

/** The validated message. Throws outside the scope of this plugin. */
export function mcpMessageOf(request: FastifyRequest): RpcMessage {
  if (request.mcpMessage === null) throw new Error('No message was read: transport-validation is not registered here.')
  return request.mcpMessage
}

export default fp(transportValidation, {
  name: 'transport-validation',
  fastify: '5.x',
  dependencies: ['error-envelope'],
})
