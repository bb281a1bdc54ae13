import { type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { FastifyInstance } from 'fastify'
import { NestedError, RateLimitError, TransportError } from '../schemas/errors.ts'

const ANY_ERROR = Type.Union([
  RateLimitError,
  NestedError,
  TransportError,
  Type.Object({ error: Type.String(), message: Type.String() }),
  Type.Object({ error: Type.String(), code: Type.String() }),
  Type.Object({ jsonrpc: Type.Literal('2.0'), error: Type.Object({ code: Type.Integer(), message: Type.String() }) }),
])

/**
 * Fails every answer that is not what its route's schema says, with a 599 that no test expects: answers made of
 * stored bytes skip Fastify's serializer, which would have checked them.
 */
export function checkAnswers(app: FastifyInstance): void {
  app.addHook('onSend', function holdAgainstSchema(request, reply, payload, done) {
    const text =
      typeof payload === 'string' || (Buffer.isBuffer(payload) && !reply.hasHeader('content-encoding'))
        ? `${payload}`
        : ''
    if (text === '') return done(null, payload)
    const schema = schemaOf(request.routeOptions.schema?.response, reply.statusCode)
    const value: unknown = JSON.parse(text)
    if (schema === undefined || Value.Check(schema, value)) return done(null, payload)
    const first = Value.Errors(schema, value).First()
    reply.code(599)
    done(
      null,
      `${request.method} ${request.url} ${reply.statusCode}: ${first?.path} ${first?.message} in ${text.slice(0, 2000)}`,
    )
  })
}

function schemaOf(response: unknown, status: number): TSchema | undefined {
  if (status >= 400) return ANY_ERROR
  return (response as Record<number, TSchema> | undefined)?.[status]
}
