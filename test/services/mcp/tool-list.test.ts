import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { ListToolsResultSchema, type Tool } from '@modelcontextprotocol/sdk/types.js'
import t from 'tap'
import { createListCache } from '../../../services/mcp/list-bytes.ts'
import type { ProtocolGeneration } from '../../../services/mcp/protocol.ts'
import { createToolList } from '../../../services/mcp/tool-list.ts'
import { anyText } from '../../fixtures/any-text.ts'
import { cpuMs } from '../../fixtures/elapsed.ts'
import fc from '../../fixtures/property.ts'

const serverInfo = { name: 'connector-gateway', version: '1.2.3' }
const GENERATIONS: ProtocolGeneration[] = ['legacy', 'modern']

/** A tool of about 560 bytes, as the built-in ones are. */
function tool(i: number): Tool {
  return {
    name: `family${i % 20}__operation_${String(i).padStart(3, '0')}`,
    title: `Operation ${i}`,
    description: `Does what number ${i} of the tools does: searches, reads or writes what the caller may see of it.`,
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, description: `What to look for in ${i}, in plain words.` },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'How many at most.' },
      },
      required: ['query'],
      additionalProperties: false,
    },
    annotations: { title: `Operation ${i}`, readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  }
}

const tools = Array.from({ length: 500 }, (_, i) => tool(i))
const toolsJson = tools.map(tool => JSON.stringify(tool))
const freshList = (entriesJson: readonly string[]) =>
  createToolList(entriesJson, { serverInfo, lists: createListCache(), content: '' })
const ids = fc.oneof(anyText(), fc.string(), fc.maxSafeInteger())

t.test('the gzip form of a list equals the plain form, for any id, in both protocol generations', async t => {
  const list = freshList(toolsJson.slice(0, 20))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...GENERATIONS), ids, async (generation, id) => {
      const gzip = await list.gzip(generation, id)
      return (
        gzip !== undefined && gunzipSync(Buffer.concat(gzip)).equals(Buffer.concat(await list.plain(generation, id)))
      )
    }),
  )
  t.pass()
})

t.test('a list is a message of its protocol generation with all tools in order, for any id', async t => {
  const shown = tools.slice(0, 3)
  const list = freshList(toolsJson.slice(0, 3))
  const results = {
    legacy: { tools: shown },
    modern: {
      resultType: 'complete',
      ttlMs: 60_000,
      cacheScope: 'private',
      tools: shown,
      _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
    },
  }
  for (const generation of GENERATIONS) {
    await fc.assert(
      fc.asyncProperty(ids, async id => {
        const message = JSON.parse(Buffer.concat(await list.plain(generation, id)).toString())
        // -0 is no other id than 0, in JSON as in an answer's search for its request.
        return isDeepStrictEqual(message, { jsonrpc: '2.0', result: results[generation], id: id === 0 ? 0 : id })
      }),
    )
    t.ok(
      ListToolsResultSchema.safeParse(JSON.parse(Buffer.concat(await list.plain(generation, 1)).toString()).result)
        .success,
    )
  }
})

t.test('a list for an id over 1 KB is sent plain', async t => {
  const list = freshList(toolsJson)
  t.ok(list.gzip('legacy', 'x'.repeat(1000)))
  t.equal(list.gzip('legacy', 'x'.repeat(1025)), undefined)
  t.equal(list.gzip('legacy', 'ü'.repeat(513)), undefined, 'in bytes')
})

t.test('a short list is not deflated', async t => {
  t.equal(freshList([]).gzip('legacy', 1), undefined)
})

t.test(
  'a list is deflated off the event loop, once for all concurrent callers and both protocol generations',
  async t => {
    const lists = createListCache()
    const list = createToolList(toolsJson, { serverInfo, lists, content: 'x' })
    const first = list.gzip('legacy', 1)
    t.ok(first instanceof Promise, 'the first request waits')
    const bytes = await lists.bytesOf('x', toolsJson)
    const inFlight = bytes.deflated
    const second = list.gzip('modern', 2)
    t.equal(bytes.deflated, inFlight, 'nothing is deflated a second time')
    for (const [gzip, generation, id] of [
      [await first, 'legacy', 1],
      [await second, 'modern', 2],
    ] as const)
      t.ok(gzip && gunzipSync(Buffer.concat(gzip)).equals(Buffer.concat(await list.plain(generation, id))))
    for (const generation of GENERATIONS) t.ok(Array.isArray(list.gzip(generation, 3)), 'later requests do not wait')
  },
)

t.test('the first request builds the bytes of a list, and lists with equal content share them', async t => {
  const lists = createListCache()
  const entries = Object.assign([...toolsJson], { joined: 0 })
  entries.join = separator => {
    entries.joined++
    return toolsJson.join(separator)
  }
  const options = { serverInfo, lists, content: 'x' }
  const [one, other] = [createToolList(entries, options), createToolList(entries, { ...options })]
  t.equal(entries.joined, 0)
  t.equal((await one.plain('legacy', 1))[1], (await other.plain('modern', 2))[1])
  await other.gzip('legacy', 1)
  t.equal(entries.joined, 1)
})

t.test('the cache holds all forms of the largest list', async t => {
  const lists = createListCache()
  // Characters that do not deflate well, as many as an organization can list.
  const largest = Array.from({ length: 2_000 }, () => JSON.stringify(randomBytes(3_200).toString('base64')))
  const list = createToolList(largest, { serverInfo, lists, content: 'large' })
  const [, tools] = await list.plain('legacy', 1)
  t.ok(tools && tools.length > 8 * 1024 * 1024)
  await list.gzip('legacy', 1)
  const small = createToolList(toolsJson, { serverInfo, lists, content: 'small' })
  await small.gzip('legacy', 1)
  t.equal((await list.plain('modern', 1))[1], tools)
  for (const each of [list, small]) t.ok(Array.isArray(each.gzip('modern', 1)))
})

t.test('a small list does not wait for the compression of a large one', async t => {
  const lists = createListCache()
  const noise = Array.from({ length: 1_000 }, () => JSON.stringify(randomBytes(6_400).toString('base64')))
  const ended: string[] = []
  const asked = ['large', 'larger'].map(content => {
    const list = createToolList(noise, { serverInfo, lists, content })
    return Promise.resolve(list.gzip('legacy', 1)).then(() => ended.push(content))
  })
  const small = createToolList(toolsJson, { serverInfo, lists, content: 'small' })
  asked.push(Promise.resolve(small.gzip('legacy', 1)).then(() => ended.push('small')))
  await Promise.all(asked)
  // Large lists take turns: a small one that waited for them would be the last.
  t.not(ended.at(-1), 'small', ended.join())
})

t.test('the pieces of 500 tools are little larger than one gzip of the message', async t => {
  const list = freshList(toolsJson)
  const gzip = Buffer.concat((await list.gzip('modern', 1)) ?? []).length || Number.POSITIVE_INFINITY
  t.ok(gzip < gzipSync(Buffer.concat(await list.plain('modern', 1))).length * 1.1, `${gzip} bytes`)
})

t.test('a large list is built in steps, once for all concurrent callers', async t => {
  const long = Array.from({ length: 2_000 }, (_, i) => JSON.stringify({ name: `tool_${i}`, text: 'ü'.repeat(2_000) }))
  const list = freshList(long)
  const [plain, again, gzip] = [list.plain('legacy', 1), list.plain('legacy', 1), list.gzip('legacy', 1)]
  t.ok(plain instanceof Promise)
  const whole = Buffer.concat(await plain)
  t.equal((await plain)[1], (await again)[1])
  t.equal(JSON.parse(whole.toString()).result.tools.length, 2_000)
  t.ok(gunzipSync(Buffer.concat((await gzip) ?? [])).equals(whole))
  t.notOk(list.plain('legacy', 1) instanceof Promise)
})

t.test('building the bytes of 500 tools blocks the event loop for less than 10 ms', async t => {
  // The best of several runs: what the work costs, not what else the machine was doing.
  let built = Number.POSITIVE_INFINITY
  for (let run = 0; run < 8; run++) {
    const building = await cpuMs(() => {
      const list = freshList(toolsJson)
      void list.plain('modern', 1)
      void list.gzip('modern', 1)
    })
    built = Math.min(built, building)
  }
  t.comment(`built in ${built.toFixed(2)} ms`)
  t.ok(built < 10)
})
