import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { parse } from 'secure-json-parse'
import { GatewayError } from '../../lib/errors/errors.ts'
import { declaresJson } from '../../lib/http/headers.ts'
import { decodeBody } from '../../lib/http/json.ts'

async function jsonBodies(app: FastifyInstance) {
  // Fastify's own parsers also accept text/plain, other charsets, and bytes that are not UTF-8.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, function parseJson(request, body, done) {
    // No DELETE has a body. Clients that send Content-Type with every request send an empty one.
    if (request.method === 'DELETE') return done(null)
    if (!declaresJson(request.raw))
      return done(
        new GatewayError(
          'unsupported_media_type',
          'Send one Content-Type: application/json, without a charset or with charset=utf-8.',
        ),
      )
    const read = readJson(body as Buffer)
    if (read instanceof GatewayError) done(read)
    else done(null, read.value)
  })
}

/** Makes a scope read and ignore the bodies that clients send to routes without one. */
export function ignoreBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, function ignoreBody(_request, _body, done) {
    done(null)
  })
}

function readJson(body: Buffer): { value: unknown } | GatewayError {
  if (body.length === 0) return new GatewayError('unparsable_body', 'The body is empty. Send a JSON object.')
  const text = decodeBody(body)
  if (text === undefined)
    return new GatewayError('unparsable_body', 'The body must be UTF-8 without a byte order mark.')
  try {
    return { value: parse(text) }
  } catch {
    return new GatewayError('unparsable_body', 'The body is not valid JSON. Send a JSON object.')
  }
}

export default fp(jsonBodies, { name: 'json-bodies', fastify: '5.x', dependencies: ['error-envelope'] })
