import { type TProperties, Type } from '@sinclair/typebox'
import t from 'tap'
import { readCursor, writeCursor } from '../../services/connectors/engine/pagination.ts'
import { type Pagination, pick, type RequestTemplate } from '../../services/definitions/http-tool.ts'
import fc from '../property.ts'
import {
  connectorOf,
  engine,
  failureOf,
  type ReceivedRequest,
  type Reply,
  recordingUpstream,
  tool,
} from './connector-engine-fixture.ts'

interface Item {
  id: string
}

interface Style {
  pagination: Pagination
  query: RequestTemplate['query']
  /** Returns the answer of a provider with this style of pagination. */
  serve(items: readonly Item[], query: URLSearchParams): Reply
}

const arguments_: TProperties = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 3 })),
  cursor: Type.Optional(Type.String()),
}

function numberOf(query: URLSearchParams, name: string): number {
  return Number(query.get(name))
}

const STYLES: Record<string, Style> = {
  cursor: {
    pagination: { style: 'cursor', items: '/nodes', next: '/page/end', more: '/page/more' },
    query: { first: '{limit}', after: '{cursor}' },
    serve(items, query) {
      const from = query.get('after') === null ? 0 : Number(query.get('after')?.slice('after:'.length))
      const to = from + numberOf(query, 'first')
      return { body: { nodes: items.slice(from, to), page: { end: `after:${to}`, more: to < items.length } } }
    },
  },
  'cursor only': {
    pagination: { style: 'cursor', items: '/nodes', next: '/next' },
    query: { first: '{limit}', after: '{cursor}' },
    serve(items, query) {
      const from = numberOf(query, 'after')
      const to = from + numberOf(query, 'first')
      return { body: { nodes: items.slice(from, to), next: to < items.length ? String(to) : '' } }
    },
  },
  page: {
    pagination: { style: 'page', items: '' },
    query: { per_page: '{limit}', page: '{cursor}' },
    serve(items, query) {
      const size = numberOf(query, 'per_page')
      const from = (numberOf(query, 'page') - 1) * size
      return { body: items.slice(from, from + size) }
    },
  },
  'page from 0': {
    pagination: { style: 'page', items: '/data', first: 0 },
    query: { size: '{limit}', page: '{cursor}' },
    serve(items, query) {
      const size = numberOf(query, 'size')
      const from = numberOf(query, 'page') * size
      return { body: { data: items.slice(from, from + size) } }
    },
  },
  link: {
    pagination: { style: 'link', items: '' },
    query: { per_page: '{limit}', page: '{cursor}' },
    serve(items, query) {
      const size = numberOf(query, 'per_page')
      const page = Number(query.get('page') ?? '1')
      const link = `<https://elsewhere.example/x?page=1>; rel="first", <https://elsewhere.example/x?a=1&page=${page + 1}>; rel="next"`
      return {
        body: items.slice((page - 1) * size, page * size),
        ...(page * size < items.length && { headers: { link } }),
      }
    },
  },
  offset: {
    pagination: { style: 'offset', items: '/issues' },
    query: { maxResults: '{limit}', startAt: '{cursor}' },
    serve(items, query) {
      const from = numberOf(query, 'startAt')
      return { body: { issues: items.slice(from, from + numberOf(query, 'maxResults')) } }
    },
  },
  'offset of a total, with a smaller page than asked for': {
    pagination: { style: 'offset', items: '/issues', total: '/total' },
    query: { maxResults: '{limit}', startAt: '{cursor}' },
    serve(items, query) {
      const from = numberOf(query, 'startAt')
      const size = Math.min(numberOf(query, 'maxResults'), 2)
      return { body: { issues: items.slice(from, from + size), total: items.length } }
    },
  },
  'last-id': {
    pagination: { style: 'last-id', items: '/data', id: '/id', more: '/has_more' },
    query: { limit: '{limit}', starting_after: '{cursor}' },
    serve(items, query) {
      const after = query.get('starting_after')
      const from = after === null ? 0 : items.findIndex(({ id }) => id === after) + 1
      const to = from + numberOf(query, 'limit')
      return { body: { data: items.slice(from, to), has_more: to < items.length } }
    },
  },
  'last-id only': {
    pagination: { style: 'last-id', items: '', id: '/id' },
    query: { limit: '{limit}', before: '{cursor}' },
    serve(items, query) {
      const after = query.get('before')
      const from = after === null ? 0 : items.findIndex(({ id }) => id === after) + 1
      return { body: items.slice(from, from + numberOf(query, 'limit')) }
    },
  },
}

function listing({ pagination, query }: Style) {
  return tool(arguments_, {
    request: { method: 'GET', path: '/items', ...(query && { query }) },
    pagination,
    result: pick(pagination.items, ['id']),
  })
}

for (const [name, style] of Object.entries(STYLES))
  t.test(`paging by ${name} returns each item once, with any limits`, async t => {
    const upstream = await recordingUpstream(t)
    const { run } = engine(t)
    const connector = connectorOf(upstream.origin, listing(style))
    await fc.assert(
      fc.asyncProperty(
        fc.nat(23),
        fc.array(fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }), { minLength: 1 }),
        async (count, limits) => {
          const items = Array.from({ length: count }, (_, index) => ({ id: `item-${index}` }))
          upstream.reply = ({ url }: ReceivedRequest) => style.serve(items, new URL(url, upstream.origin).searchParams)
          const seen: unknown[] = []
          let cursor: unknown
          for (let page = 0; page < 60; page++) {
            const limit = limits[page % limits.length]
            const { structuredContent = {} } = await run(connector, {
              ...(limit !== undefined && { limit }),
              ...(cursor !== undefined && { cursor }),
            })
            seen.push(...(structuredContent.items as unknown[]))
            cursor = structuredContent.next_cursor
            if (cursor === undefined) break
          }
          if (cursor !== undefined) throw new Error('it goes on for ever')
          if (JSON.stringify(seen) !== JSON.stringify(items)) throw new Error(`saw ${JSON.stringify(seen)}`)
        },
      ),
      { numRuns: 25 },
    )
  })

t.test('the last page has no next_cursor, and an answer without the list is an error', async t => {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t)
  const connector = connectorOf(upstream.origin, listing(STYLES.cursor as Style))
  upstream.reply = () => ({ body: { nodes: [{ id: 'a', other: 1 }], page: { end: 'x', more: false } } })
  t.same((await run(connector)).structuredContent, { items: [{ id: 'a' }] })
  for (const body of [{ page: {} }, {}, [], { nodes: { id: 'a' } }]) {
    upstream.reply = () => ({ body })
    const { code, message } = await failureOf(run(connector))
    t.match([code, message], ['upstream_unavailable', 'unreadable body'], JSON.stringify(body))
  }
  for (const nodes of [[], null]) {
    upstream.reply = () => ({ body: { nodes } })
    t.same((await run(connector)).structuredContent, { items: [] }, 'an empty list is a list')
  }
})

t.test('a repeated cursor of the provider and a hostile link end the pagination', async t => {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t)
  const connector = connectorOf(upstream.origin, listing(STYLES['cursor only'] as Style))
  upstream.reply = () => ({ body: { nodes: [{ id: 'a' }], next: '5' } })
  const { structuredContent } = await run(connector)
  t.same((await run(connector, { cursor: structuredContent?.next_cursor })).structuredContent, { items: [{ id: 'a' }] })

  const linked = connectorOf(upstream.origin, listing(STYLES.link as Style))
  for (const link of ['<', '<http://[>; rel=next', 'rel=next', '<?x=1>; rel="next"', ';;;,,,']) {
    upstream.reply = () => ({ body: [{ id: 'a' }], headers: { link } })
    t.same((await run(linked)).structuredContent, { items: [{ id: 'a' }] }, link)
  }
})

t.test('a cursor that is damaged, or of another tool, version or style, is rejected without a request', async t => {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t)
  const connector = connectorOf(upstream.origin, listing(STYLES.page as Style))
  const good = writeCursor('sample__try_it', { at: 2, limit: 3 })
  const forged = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url')
  const bad = [
    'nonsense',
    `${good}A`,
    good.slice(1),
    writeCursor('sample__other', { at: 2 }),
    writeCursor('sample__try_it', { at: 'text' }),
    writeCursor('sample__try_it', { at: -1 }),
    forged({ v: 2, t: 'sample__try_it', p: 2 }),
    forged({ v: 1, t: 'sample__try_it', p: { a: 1 } }),
    forged({ v: 1, t: 'sample__try_it', p: 2, l: 0 }),
    forged({ v: 1, t: 'sample__try_it', p: 2, x: 1 }),
    forged(null),
    '',
  ]
  for (const cursor of bad) {
    const error = await failureOf(run(connector, { cursor }))
    t.equal(error.code, 'invalid_request', cursor)
    t.match(error.message, 'first page')
  }
  t.equal(upstream.received.length, 0)
  upstream.reply = () => ({ body: [] })
  await run(connector, { cursor: good, limit: 50 })
  t.equal(upstream.received[0]?.url, '/items?per_page=3&page=2')
})

t.test('a cursor encodes its position', async () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.maxSafeInteger()),
      fc.option(fc.integer({ min: 1 }), { nil: undefined }),
      (at, limit) => {
        const position = { at, ...(limit !== undefined && { limit }) }
        const read = readCursor('a__b', writeCursor('a__b', position))
        if (JSON.stringify(read) !== JSON.stringify(position)) throw new Error(JSON.stringify(read))
      },
    ),
  )
})
