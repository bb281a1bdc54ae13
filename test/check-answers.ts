import { gunzipSync } from 'node:zlib'
import { type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RouteGroup } from '../plugins/error-envelope/render.ts'
import { NestedError, RateLimitError, TransportError } from '../schemas/errors.ts'

const closed = { additionalProperties: false }
const CodeFirst = Type.Object(
  { error: Type.String(), message: Type.String(), retry_after: Type.Optional(Type.Integer()) },
  closed,
)
const MessageFirst = Type.Object({ error: Type.String(), code: Type.String() }, closed)

/** The error envelopes that each group of routes may use (docs/api.md). */
const ENVELOPES: Record<RouteGroup, TSchema[]> = {
  general: [NestedError],
  connectors: [NestedError, CodeFirst],
  account: [NestedError, MessageFirst, CodeFirst],
  billing: [NestedError, MessageFirst],
  mcp: [NestedError, TransportError],
}

/**
 * Replaces an answer that does not match its route's schema with a 599, which no test expects. Answers from stored bytes
 * skip Fastify's serializer, which would check them.
 */
export function checkAnswers(app: FastifyInstance): void {
  app.addHook('onSend', function checkAgainstSchema(request, reply, payload, done) {
    const text = textOf(payload, reply.getHeader('content-encoding') === 'gzip')
    if (text === '' || !`${reply.getHeader('content-type')}`.startsWith('application/json')) return done(null, payload)
    const schema = schemaOf(request, reply.statusCode)
    const value: unknown = JSON.parse(text)
    if (Value.Check(schema, value)) return done(null, payload)
    const first = Value.Errors(schema, value).First()
    const what = `${request.method} ${request.url} ${reply.statusCode}: ${first?.path} ${first?.message}`
    reply.code(599)
    done(null, `${what} in ${text.slice(0, 2000)}`)
  })
}

function textOf(payload: unknown, gzip: boolean): string {
  if (typeof payload === 'string') return payload
  if (!Buffer.isBuffer(payload)) return ''
  return `${gzip ? gunzipSync(payload) : payload}`
}

function schemaOf(request: FastifyRequest, status: number): TSchema {
  const { config, schema } = request.routeOptions
  const own = (schema?.response as Record<number, TSchema> | undefined)?.[status]
  if (own !== undefined) return own
  if (status < 400) throw new Error(`${request.method} ${request.url} has no schema for ${status}.`)
  if (status === 429) return config.group === 'connectors' ? Type.Union([RateLimitError, CodeFirst]) : RateLimitError
  return Type.Union(ENVELOPES[config.group ?? 'general'])
}
