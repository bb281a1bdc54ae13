import { Type } from '@sinclair/typebox'
import type { InjectOptions, RouteOptions } from 'fastify'
import { sql } from 'kysely'
import t from 'tap'
import { toGatewayError } from '../lib/errors/to-gateway-error.ts'
import { defineConnector } from '../services/definitions/define-connector.ts'
import { httpTool, pick } from '../services/definitions/http-tool.ts'
import { adds } from '../services/definitions/tool.ts'
import { keyOnly, sampleConnector } from './fixtures/account-fixture.ts'
import { build } from './fixtures/build.ts'
import { newsHeard } from './fixtures/database.ts'
import { signedIn, verifyJwt } from './fixtures/journey-fixture.ts'
import fc from './fixtures/property.ts'

/** Texts that PostgreSQL cannot store: with U+0000 or a lone surrogate. */
const UNSTORABLE = ['\u0000', 'a\u0000b', '\ud800', 'a\udc00b']

interface Schema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  pattern?: string
  minLength?: number
  minimum?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
}

/** Returns a value that the schema accepts. */
function valid(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf?.[0] !== undefined) return valid(schema.anyOf[0])
  if (schema.type === 'object')
    return Object.fromEntries((schema.required ?? []).map(name => [name, valid(schema.properties?.[name] ?? {})]))
  if (schema.type === 'array') return []
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  const words = 'words'.padEnd(schema.minLength ?? 0, 's')
  // fast-check makes no texts for patterns with a lookahead, which ordinary words match.
  if (schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(words)) return words
  return fc.sample(fc.stringMatching(new RegExp(schema.pattern)), 1)[0]
}

/** Returns valid values with unstorable text in one place, for every place. */
function unstorable(schema: Schema): unknown[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(unstorable)
  if (schema.type === 'array') return unstorable(schema.items ?? {}).map(item => [item])
  if (schema.type === 'string') return UNSTORABLE.map(text => text.padEnd(schema.minLength ?? 0, '1'))
  if (schema.type !== 'object') return []
  const whole = valid(schema) as object
  const places = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    unstorable(property).map(value => ({ ...whole, [name]: value })),
  )
  return [...places, ...UNSTORABLE.map(name => ({ ...whole, [name]: name }))]
}

const shop = defineConnector({
  ...sampleConnector('shop', keyOnly),
  // Nothing listens there.
  baseUrl: 'http://127.0.0.1:9',
  tools: [
    httpTool({
      operation: 'add_order',
      title: 'Add an order',
      description: 'Adds an order.',
      annotations: adds,
      input: { item: Type.String(), tags: Type.Optional(Type.Array(Type.String())) },
      request: { method: 'POST', path: '/orders/{item}', body: { json: { item: '{item}', tags: '{tags}' } } },
      result: pick('', ['id']),
    }),
  ],
})

const routes: RouteOptions[] = []
const { app, services, directory } = await build(t, {
  connectors: [shop],
  verifyJwt,
  instrument: app => app.addHook('onRoute', route => void routes.push(route)),
})
const [owner] = await directory.members('owner')
const account = await services.connecting.add({
  caller: owner.caller,
  connector: 'shop',
  scope: 'private',
  alias: 'work',
  credential: { kind: 'api_key', key: 'k'.repeat(20) },
  identity: 'work',
  probe: false,
})
await newsHeard(services.database)

const headers = { ...signedIn(owner), accept: 'application/json, text/event-stream' }

/** Throws if an answer reports a failure of the gateway. */
async function answers(request: InjectOptions) {
  const answer = await app.inject({ ...request, headers: { ...headers, ...request.headers } })
  const { statusCode, body } = answer
  if (statusCode >= 500 || body.includes('internal_error'))
    throw new Error(`${statusCode} ${body} to ${JSON.stringify(request)}`)
  return answer
}

const served = (t: typeof routes) => t.filter(({ method }) => typeof method === 'string')

t.test('an account ID that cannot be stored names no account', async t => {
  for (const id of ['%00', 'acc_%00', `acc_${'0'.repeat(31)}%00`, 'a'.repeat(5_000), '']) {
    const { statusCode, body } = await answers({ method: 'DELETE', url: `/connectors/shop/accounts/${id}` })
    t.equal(statusCode, 404)
    t.match(JSON.parse(body), { error: 'account_not_found' })
  }
})

t.test('no text in an argument makes a tool fail', async t => {
  const call = (name: string, args: unknown, meta?: object) =>
    answers({
      method: 'POST',
      url: '/mcp',
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta: meta } },
    })
  const list = await answers({
    method: 'POST',
    url: '/mcp',
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  })
  const { tools } = list.json().result as { tools: { name: string; inputSchema: Schema }[] }
  t.ok(tools.some(({ name }) => name === 'shop__add_order'))
  for (const { name, inputSchema } of tools) {
    for (const args of unstorable(inputSchema)) {
      await call(name, args)
      await call(name, args, { 'connector-gateway/idempotency-key': `${name} ${JSON.stringify(args)}`.slice(0, 255) })
    }
    for (const text of UNSTORABLE) await call(name, valid(inputSchema), { 'connector-gateway/idempotency-key': text })
  }
  for (const text of UNSTORABLE) t.match((await call(text, {})).body, 'not found')
})

t.test('no text in a path, a query or a header makes a route fail', async t => {
  const values: Record<string, string> = { id: 'shop', accountId: account.id, slug: 'none', file: 'none.svg' }
  const fill = (url: string, hostile?: string, at = '') =>
    url.replace(/:(\w+)/g, (_, name) => (name === at ? (hostile ?? '') : (values[name] ?? 'none')))
  let count = 0
  for (const { method, url } of served(routes)) {
    const requests: InjectOptions[] = []
    for (const [, name = ''] of url.matchAll(/:(\w+)/g))
      for (const text of ['%00', 'a%00b', '%ED%A0%80', '%EF%BF%BD'])
        requests.push({ url: fill(url, text, name) }, { url: fill(url, `${values[name] ?? ''}${text}`, name) })
    for (const name of ['ready', 'org', 'expires', 'key', 'signature'])
      for (const text of ['%00', '%ED%A0%80'])
        requests.push({ url: `${fill(url, 'none', 'accountId')}?${name}=${text}` })
    for (const name of [
      'accept',
      'content-type',
      'idempotency-key',
      'mcp-protocol-version',
      'traceparent',
      'x-api-key',
    ])
      for (const text of UNSTORABLE) requests.push({ url: fill(url, 'none', 'accountId'), headers: { [name]: text } })
    for (const request of requests) {
      await answers({ ...request, method: method as 'GET' })
      count++
    }
  }
  t.ok(count > 500, `${count} requests`)
})

t.test('no text in a body makes a route fail', async t => {
  const bodies = served(routes).filter(({ schema, url }) => schema?.body !== undefined && url !== '/mcp')
  t.ok(bodies.length > 0)
  for (const { method, url, schema } of bodies)
    for (const payload of unstorable(schema?.body as Schema))
      await answers({ method: method as 'POST', url, payload: payload as object })
})

t.test('a text that the database rejects is a malformed request, not a failure of the gateway', async t => {
  const { db } = services.database
  const queries = [
    sql`select ${'\u0000'}::text`,
    sql`select ${'"\\u0000"'}::jsonb`,
    sql`select ${'"\\ud800"'}::jsonb`,
    sql`select ${'"\\udc00"'}::jsonb`,
  ]
  for (const query of queries) {
    const error = await query.execute(db).then(
      () => undefined,
      (error: unknown) => error,
    )
    t.equal(toGatewayError(error).code, 'invalid_request')
  }
  const broken = await sql`select ${'{'}::jsonb`.execute(db).catch((error: unknown) => error)
  t.equal(toGatewayError(broken).code, 'internal_error', 'invalid JSON from the gateway itself')
})
