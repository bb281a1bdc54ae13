import { isSpecType } from '@modelcontextprotocol/client'
import { ListResourcesResultSchema, ReadResourceResultSchema } from '@modelcontextprotocol/sdk/types.js'
import t from 'tap'
import type { RpcMessage } from '../../../schemas/tools/mcp.ts'
import { dispatch } from '../../../services/mcp/dispatch.ts'
import type { Headers } from '../../../services/mcp/headers.ts'
import type { CallerOffers, McpDeps, OfferResult } from '../../../services/mcp/mcp-types.ts'
import { mcpFixture, modern, request, signature } from '../../fixtures/mcp-fixture.ts'

const uri = 'cgw+org://wiki/a%3A1'
const resource = { uri, name: 'One' }
const found: OfferResult = { result: { contents: [{ uri, text: 'x' }] }, ttlMs: 5_000, outcome: 'ok' }
const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

/** The answers to a caller who is offered resources but no prompts. */
function fixture(answer: OfferResult = found) {
  const asked: unknown[] = []
  const offers: CallerOffers = {
    capabilities: async () => ({ resources: {} }),
    list: kind => (kind === 'resources' ? JSON.stringify([resource]) : '[]'),
    readResource(read) {
      asked.push(read)
      return answer
    },
    getPrompt: () => Promise.reject(new TypeError('There are no prompts')),
  }
  const deps: McpDeps = { ...mcpFixture().deps, offers }
  async function ask(headers: Headers, message: RpcMessage) {
    const { status, body, outcome } = await dispatch(headers, message, deps)
    if (typeof body !== 'string') throw new TypeError('The answer is no JSON')
    const { result, error } = JSON.parse(body)
    return { status, outcome, result, error }
  }
  return {
    asked,
    legacy: (method: string, params = {}) => ask({}, request(method, params)),
    modern(method: string, params = {}, headers: Record<string, string> = {}) {
      const asked = modern(method, params, { traceparent: trace })
      return ask({ ...asked.headers, ...headers }, asked.message)
    },
  }
}

t.test('both generations announce resources, and only to this caller in shared caches', async t => {
  const { legacy, modern } = fixture()
  const initialized = await legacy('initialize', { protocolVersion: '2025-11-25' })
  t.strictSame(initialized.result.capabilities, { tools: {}, resources: {} })
  const { result } = await modern('server/discover')
  t.strictSame([result.capabilities, result.cacheScope], [{ tools: {}, resources: {} }, 'private'])
})

t.test(
  'lists and contents have caching hints and a signature in the modern generation, and no others before',
  async t => {
    const { legacy, modern } = fixture()
    const old = await legacy('resources/list')
    t.strictSame(old.result, { resources: [resource] })
    t.ok(ListResourcesResultSchema.safeParse(old.result).success)
    const listed = (await modern('resources/list')).result
    const hints = { resultType: 'complete', cacheScope: 'private', _meta: signature }
    t.strictSame(listed, { ...hints, resources: [resource], ttlMs: 60_000 })
    t.ok(isSpecType.ListResourcesResult(listed))

    const before = (await legacy('resources/read', { uri })).result
    t.strictSame(before, { contents: [{ uri, text: 'x' }] })
    t.ok(ReadResourceResultSchema.safeParse(before).success)
    const read = (await modern('resources/read', { uri })).result
    t.strictSame(read, { ...hints, contents: [{ uri, text: 'x' }], ttlMs: 5_000 })
    t.ok(isSpecType.ReadResourceResult(read))
  },
)

t.test('methods of what is not announced do not exist', async t => {
  const { legacy, modern } = fixture()
  for (const [method, params] of [
    ['prompts/list', {}],
    ['prompts/get', { name: 'x' }],
    ['resources/subscribe', { uri }],
    ['completion/complete', {}],
  ] as const) {
    t.match(await legacy(method, params), { status: 200, error: { code: -32_601 } }, method)
    t.match(await modern(method, params), { status: 404, error: { code: -32_601 } }, method)
  }
})

t.test('a read needs a uri, which a modern request repeats in Mcp-Name', async t => {
  const { legacy, modern, asked } = fixture()
  for (const params of [{}, { uri: 5 }]) {
    const message = 'Invalid params: resources/read needs a uri, the string that resources/list shows.'
    t.match(await legacy('resources/read', params), { status: 200, error: { code: -32_602, message } })
    t.match(await modern('resources/read', params), { error: { code: -32_602, message } })
  }
  const other = { 'mcp-name': 'cgw+org://wiki/other' }
  t.match(await modern('resources/read', { uri }, other), { status: 400, error: { code: -32_020 } })
  t.same(asked, [])
  await modern('resources/read', { uri })
  t.match(asked, [{ uri, trace: { traceparent: trace } }])
})

t.test('a refusal is a JSON-RPC error with the code of the generation', async t => {
  const unknown = fixture({ refused: 'unknown', message: 'Resource not found', data: { uri }, outcome: 'not_found' })
  const error = { message: 'Resource not found', data: { uri } }
  t.strictSame((await unknown.legacy('resources/read', { uri })).error, { code: -32_002, ...error })
  t.strictSame((await unknown.modern('resources/read', { uri })).error, { code: -32_602, ...error })
  const failed = fixture({ refused: 'failed', message: 'It is down.', outcome: 'upstream_unavailable' })
  for (const ask of [failed.legacy, failed.modern])
    t.match(await ask('resources/read', { uri }), {
      outcome: 'upstream_unavailable',
      error: { code: -32_603, message: 'It is down.' },
    })
})
