import { isDeepStrictEqual } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { ListToolsResultSchema, type Tool } from '@modelcontextprotocol/sdk/types.js'
import t from 'tap'
import type { Era } from '../../plugins/mcp/era.ts'
import { createToolList } from '../../plugins/mcp/tool-list.ts'
import { anyText } from '../any-text.ts'
import { cpuMs } from '../elapsed.ts'
import fc from '../property.ts'

const serverInfo = { name: 'connector-gateway', version: '1.2.3' }
const ERAS: Era[] = ['legacy', 'modern']

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
const ids = fc.oneof(anyText(), fc.string(), fc.maxSafeInteger())

t.test('the gzip form of a list is the plain form, for any id, in both eras', async t => {
  const list = createToolList(toolsJson.slice(0, 20), { serverInfo })
  fc.assert(
    fc.property(fc.constantFrom(...ERAS), ids, (era, id) => {
      const gzip = list.gzip(era, id)
      return gzip !== undefined && gunzipSync(gzip).equals(Buffer.concat(list.plain(era, id)))
    }),
  )
  t.pass()
})

t.test('a list is the message of its era with every tool in the order given, for any id', async t => {
  const shown = tools.slice(0, 3)
  const list = createToolList(toolsJson.slice(0, 3), { serverInfo })
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
  for (const era of ERAS) {
    fc.assert(
      fc.property(ids, id => {
        const message = JSON.parse(Buffer.concat(list.plain(era, id)).toString())
        // -0 is no other id than 0, in JSON as in an answer's search for its request.
        return isDeepStrictEqual(message, { jsonrpc: '2.0', result: results[era], id: id === 0 ? 0 : id })
      }),
    )
    t.ok(ListToolsResultSchema.safeParse(JSON.parse(Buffer.concat(list.plain(era, 1)).toString()).result).success)
  }
})

t.test('an id over 1 KB takes the plain way', async t => {
  const list = createToolList(toolsJson, { serverInfo })
  t.ok(list.gzip('legacy', 'x'.repeat(1000)))
  t.equal(list.gzip('legacy', 'x'.repeat(1025)), undefined)
  t.equal(list.gzip('legacy', 'ü'.repeat(513)), undefined, 'in bytes')
})

t.test('a list too short to gain is not deflated', async t => {
  t.equal(createToolList([], { serverInfo }).gzip('legacy', 1), undefined)
})

t.test('the size of a list covers what it comes to hold', async t => {
  const list = createToolList(toolsJson, { serverInfo })
  const held = ERAS.reduce(
    (sum, era) => sum + (list.gzip(era, 1)?.length ?? 0),
    Buffer.concat(list.plain('legacy', 1)).length,
  )
  t.ok(held <= list.size, `${held} of ${list.size}`)
})

t.test('500 tools deflate to little more than a gzip of the whole', async t => {
  const list = createToolList(toolsJson, { serverInfo })
  const gzip = list.gzip('modern', 1)?.length ?? Number.POSITIVE_INFINITY
  t.ok(gzip < gzipSync(Buffer.concat(list.plain('modern', 1))).length * 1.1, `${gzip} bytes`)
})

t.test('building a list of 500 tools holds the loop for less than 10 ms a step', async t => {
  // The best of several runs: what the work costs, not what else the machine was doing.
  let [built, deflated] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let run = 0; run < 8; run++) {
    let list = createToolList([], { serverInfo })
    const building = await cpuMs(() => {
      list = createToolList(toolsJson, { serverInfo })
    })
    built = Math.min(built, building)
    deflated = Math.min(deflated, await cpuMs(() => list.gzip('modern', 1)))
  }
  t.comment(`built in ${built.toFixed(2)} ms, deflated in ${deflated.toFixed(2)} ms`)
  t.ok(built < 10)
  t.ok(deflated < 10)
})
