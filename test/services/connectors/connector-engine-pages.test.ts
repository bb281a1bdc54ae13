import { type TProperties, Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { readCursor, writeCursor } from '../../../services/connectors/engine/pagination.ts'
import { log, pick } from '../../../services/definitions/http-tool.ts'
import type { Pagination, RequestTemplate } from '../../../services/definitions/http-tool-types.ts'
import { logPage } from '../../../tools/connectors/shared-arguments.ts'
import fc from '../../fixtures/property.ts'
import {
  connectorOf,
  engine,
  failureOf,
  type ReceivedRequest,
  type Reply,
  recordingUpstream,
  secret,
  tool,
} from './connector-engine-fixture.ts'

interface Item {
  id: string
}

interface Style {
  pagination: Pagination
  query: RequestTemplate['query']
  /** Whether the provider has a page size of its own, which no argument sets. */
  unlimited?: true
  /** Returns the answer of a provider with this style of pagination. */
  serve(items: readonly Item[], query: URLSearchParams, path: string): Reply
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
  'cursor only, without empty lists': {
    pagination: { style: 'cursor', items: '/nodes', next: '/next', omitsEmpty: true },
    query: { first: '{limit}', after: '{cursor}' },
    serve(items, query) {
      const from = numberOf(query, 'after')
      const to = from + numberOf(query, 'first')
      const nodes = items.slice(from, to)
      return { body: { ...(nodes.length > 0 && { nodes }), ...(to < items.length && { next: String(to) }) } }
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
  'page without a limit': {
    pagination: { style: 'page', items: '/photos' },
    query: { page: '{cursor}' },
    unlimited: true,
    serve(items, query) {
      const from = (numberOf(query, 'page') - 1) * 4
      return { body: { photos: items.slice(from, from + 4) } }
    },
  },
  'page with a flag': {
    pagination: { style: 'page', items: '/photos', more: '/more' },
    query: { per_page: '{limit}', page: '{cursor}' },
    serve(items, query) {
      // A full page may be the last one, and a page before it may not be full.
      const from = (numberOf(query, 'page') - 1) * 4
      return { body: { photos: items.slice(from, from + 4), more: from + 4 < items.length } }
    },
  },
  'page with the number of pages as text, and pages that are not full': {
    pagination: { style: 'page', items: '/photos', pages: '/pages' },
    query: { per_page: '{limit}', page: '{cursor}' },
    serve(items, query) {
      const size = Math.max(1, numberOf(query, 'per_page') - 1)
      const from = (numberOf(query, 'page') - 1) * size
      return { body: { photos: items.slice(from, from + size), pages: String(Math.ceil(items.length / size)) } }
    },
  },
  'offset with a flag for the last page': {
    pagination: { style: 'offset', items: '/values', last: '/isLast' },
    query: { maxResults: '{limit}', startAt: '{cursor}' },
    serve(items, query) {
      const from = numberOf(query, 'startAt')
      const to = from + Math.max(1, numberOf(query, 'limit') - 1)
      return { body: { values: items.slice(from, to), isLast: to >= items.length } }
    },
  },
  'the URL of the next page': {
    pagination: { style: 'next-url', items: '/value', next: '/@odata.nextLink', parameters: ['$skip', 'state'] },
    query: { $top: '{limit}', $skip: '{cursor.$skip}', state: '{cursor.state}' },
    serve(items, query) {
      const from = numberOf(query, '$skip')
      if (from > 0 && query.get('state') !== `s&${from}`) return { status: 400, body: {} }
      const to = from + numberOf(query, '$top')
      const next = `https://graph.example/items?$top=9&$skip=${to}&state=${encodeURIComponent(`s&${to}`)}`
      return { body: { value: items.slice(from, to), ...(to < items.length && { '@odata.nextLink': next }) } }
    },
  },
  'the next page at another path': {
    pagination: {
      style: 'next-url',
      items: '/records',
      next: '/nextRecordsUrl',
      last: '/done',
      nextPath: '/more/{cursor}',
    },
    query: { limit: '{limit}', q: 'all' },
    serve(items, query, path) {
      const [, next] = /^\/more\/01g%2F-(\d+)$/.exec(path) ?? []
      if (next === undefined ? query.get('q') !== 'all' : query.size > 0) return { status: 400, body: {} }
      const from = Number(next ?? 0)
      const to = from + 5
      return {
        body: {
          records: items.slice(from, to),
          done: to >= items.length,
          ...(to < items.length && { nextRecordsUrl: `/services/data/more/01g%2F-${to}` }),
        },
      }
    },
  },
  'a link that says whether it has results': {
    pagination: { style: 'link', items: '', parameter: 'cursor' },
    query: { per_page: '{limit}', cursor: '{cursor}' },
    serve(items, query) {
      const from = numberOf(query, 'cursor')
      const to = from + numberOf(query, 'per_page')
      const link = `<https://x.example/?cursor=${to}>; rel="next"; results="${to < items.length}"`
      return { headers: { link }, body: items.slice(from, to) }
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

function listing({ pagination, query, unlimited }: Style) {
  const { limit, cursor } = arguments_
  return tool(
    { ...(!unlimited && limit && { limit }), ...(cursor && { cursor }) },
    {
      request: { method: 'GET', path: '/items', ...(query && { query }) },
      pagination,
      result: pick(pagination.items, ['id']),
    },
  )
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
          upstream.reply = ({ url }: ReceivedRequest) => {
            const { searchParams, pathname } = new URL(url, upstream.origin)
            return style.serve(items, searchParams, pathname)
          }
          const seen: unknown[] = []
          let cursor: unknown
          for (let page = 0; page < 60; page++) {
            const limit = limits[page % limits.length]
            const { structuredContent = {} } = await run(connector, {
              ...(limit !== undefined && !style.unlimited && { limit }),
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
    forged({ v: 1, t: 'sample__try_it', p: { a: 'b' } }),
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

/** A tool that reads a log, and all pages of one, with what they say about themselves. */
async function logReader(t: Test) {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t, { deadlineMs: 60_000 })
  const reads = connectorOf(upstream.origin, tool(logPage, { request: { method: 'GET', path: '/log' }, result: log() }))
  const key = secret()
  const page = async (args: Record<string, unknown>) => {
    const [first] = (await run(reads, args, { credential: { v: 1, kind: 'api_key', key } })).content
    return first?.type === 'text' ? first.text : ''
  }
  const pages = async (body: string | Buffer, from?: string) => {
    upstream.reply = () => ({ body })
    const found: { text: string; note: string }[] = []
    let args: Record<string, unknown> = from === undefined ? {} : { from }
    for (;;) {
      const shown = await page(args)
      const [noted = '', note = ''] =
        /^\[((?:Bytes|Nothing).*)\]\n\n|\n\n\[((?:Bytes|Nothing).*)\]$/.exec(shown)?.filter(Boolean) ?? []
      found.push({ text: shown.replace(noted, ''), note })
      const cursor = /cursor "([^"]+)"/.exec(note)?.[1]
      if (cursor === undefined) return found
      args = { cursor }
    }
  }
  return { upstream, key, page, pages }
}

t.test('a log is read from its end or its start, and its pages are the whole log in whole lines', async t => {
  const { upstream, page, pages } = await logReader(t)
  t.same(await pages('short\nlog'), [{ text: 'short\nlog', note: '' }])
  t.same(await pages(''), [{ text: 'The log is empty.', note: '' }])
  const lines = Array.from({ length: 9000 }, (_, line) => `${line}: Grüße, 世界\n`)
  const whole = `${lines.join('')}failed`
  const size = Buffer.byteLength(whole)
  const backward = await pages(whole)
  t.equal(
    backward
      .map(({ text }) => text)
      .toReversed()
      .join(''),
    whole,
  )
  t.ok(backward[0]?.text.endsWith('\nfailed'))
  t.match(backward[0]?.note, new RegExp(`^Bytes \\d+ to ${size} of ${size}\\. For what comes before: cursor "`))
  t.match(backward.at(-1)?.note, /^Bytes 1 to \d+.*This is the beginning of the log\.$/)
  for (const { text } of backward) t.match(text, /^\d+: Gr/)
  const forward = await pages(whole, 'start')
  t.equal(forward.map(({ text }) => text).join(''), whole)
  t.match(forward[0]?.note, /^Bytes 1 to \d+\. For what comes after: cursor "/)
  t.match(forward.at(-1)?.note, /This is the end of the log\.$/)
  t.ok([...backward, ...forward].every(({ text }) => Buffer.byteLength(text) <= 100_000))

  const long = Buffer.concat([Buffer.alloc(9_000_000, 'one line of many\n'), Buffer.from('failed')])
  upstream.reply = () => ({ body: long })
  t.match(await page({}), /^\[Bytes \d+ to 9000006 of 9000006\..*failed$/s, 'a log may be larger than other answers')
  const asked = upstream.received.length
  await t.rejects(page({ cursor: 'bm9uZQ' }), { code: 'invalid_request', message: /does not belong to sample__try_it/ })
  t.equal(upstream.received.length, asked)
})

t.test('no page of a log shows a part of a secret, wherever the pages meet', async t => {
  const { key, pages } = await logReader(t)
  for (const from of ['end', 'start'])
    for (const [line, end] of [
      ['.', ''],
      ['a line\n', '\n'],
    ] as const)
      for (const at of [99_980, 99_990, 100_000, 200_000]) {
        const before = line.repeat((300_000 - at) / line.length)
        const whole = `${before}${end}${key}${end}${line.repeat(at / line.length)}`
        const texts = (await pages(whole, from)).map(({ text }) => text)
        if (from === 'end') texts.reverse()
        t.ok(texts.length > 2)
        t.ok(texts.every(text => !text.includes(key.slice(0, 9)) && !text.includes(key.slice(-9))))
        if (end !== '') t.equal(texts.join(''), whole.replace(key, '[redacted]'))
      }
  // No border is between two secrets.
  for (const from of ['end', 'start'])
    for (const { text } of await pages(`.${key.repeat(12_000)}`, from))
      for (let at = 0; at + 9 <= key.length; at++) t.notOk(text.includes(key.slice(at, at + 9)), `${from}, ${at}`)
})
