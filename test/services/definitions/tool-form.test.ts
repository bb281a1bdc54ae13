import { Type } from '@sinclair/typebox'
import t from 'tap'
import { clearable, clearing, converted, list, named, optional, text } from '../../../services/definitions/arguments.ts'
import { FileNameArgument, fileArgument } from '../../../services/definitions/file-argument.ts'
import { done, httpTool, pick } from '../../../services/definitions/http-tool.ts'
import { joined } from '../../../services/definitions/template.ts'
import { adds, keptFields, overwrites, reads, type ToolParts, tool } from '../../../services/definitions/tool.ts'
import fc from '../../fixtures/property.ts'
import { connectorOf, engine, failureOf, recordingUpstream } from '../connectors/connector-engine-fixture.ts'

const about = { title: 'A title', description: 'Does something.' }
const id = text('The ID.', 20)
const body = text('The text.', 100)

t.test('the short form is lowered to the same tool as the long form', async t => {
  const tags = list(text('', 10), 'Tags.', 5)
  const short = tool('update_item: PATCH /items/{id}', {
    ...about,
    scopes: ['items'],
    path: { id },
    query: { notify: optional(Type.Boolean()), tags: { $join: tags, separator: ';' } },
    headers: { 'x-version': '2' },
    json: {
      item: { timeZone: optional(text('A zone.', 40)), note: converted('base64', optional(body)), kind: 'plain' },
      owner: clearing({ id: named('owner_id', clearable(id)) }),
      '...': named('fields', optional(Type.Record(Type.String(), Type.Unknown()))),
      all: [named('first', optional(id)), 1, null],
    },
    at: '/item',
    keep: 'id owner { id name } note|base64-to-text',
  })
  const long = httpTool({
    operation: 'update_item',
    ...about,
    annotations: overwrites,
    scopes: ['items'],
    input: {
      id,
      notify: Type.Optional(Type.Boolean()),
      tags,
      time_zone: optional(text('A zone.', 40)),
      note: optional(body),
      owner_id: clearable(id),
      fields: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      first: optional(id),
    },
    request: {
      method: 'PATCH',
      path: '/items/{id}',
      query: { notify: '{notify}', tags: joined('tags', ';') },
      headers: { 'x-version': '2' },
      body: {
        json: {
          item: { timeZone: '{time_zone}', note: { $convert: 'base64', value: '{note}' }, kind: 'plain' },
          owner: { $clearing: { id: '{owner_id}' } },
          '...': '{fields}',
          all: ['{first}', 1, null],
        },
      },
    },
    result: pick('/item', ['id', 'owner.id', 'owner.name', 'note|base64-to-text']),
  })
  t.same(short, long)
})

t.test('a file is declared where it is sent', async t => {
  const content = fileArgument({ what: 'The file' })
  const name = named('file_name', FileNameArgument)
  const attach = tool('attach: POST /files', { ...about, multipart: { file: { $file: { content, name } } } })
  t.same(attach.request.body, { multipart: { file: { $file: { content: '{content}', name: '{file_name}' } } } })
  t.same(Object.keys(attach.input.properties), ['content', 'file_name'])
  t.same(tool('put: POST /files', { ...about, raw: content }).request.body, { raw: '{content}' })
  t.same(tool('add: POST /files', { ...about, json: { content } }).request.body, { json: { content: '{content}' } })
  const encoded = { json: { content: converted('base64', content) } }
  t.throws(() => tool('add: POST /files', { ...about, ...encoded }), { message: /where it cannot send a file/ })
})

t.test('what is not written follows from the method and the pages', async t => {
  t.same(tool('get_item: GET /items', { ...about, keep: '' }).annotations, reads)
  t.same(tool('add_item: POST /items', { ...about, json: { body } }).annotations, adds)
  t.same(
    tool('drop_item: DELETE /items/{id}', { ...about, path: { id }, returns: done('Gone.') }).annotations,
    overwrites,
  )
  const pagination = { style: 'offset', items: '/items' } as const
  const paged = tool('list_items: GET /items', {
    ...about,
    query: { max: named('limit', Type.Integer({ default: 5 })), start: named('cursor', optional(id)) },
    pagination,
    keep: 'id',
  })
  t.same(paged.result, pick('/items', ['id']))
})

t.test(
  'a PUT or PATCH without a required change needs one of its arguments, other tools only if they say so',
  async t => {
    const change = { ...about, path: { id }, json: { title: optional(body), due: optional(body) } }
    t.same(tool('update_item: PATCH /items/{id}', change).needsOneOf, ['title', 'due'])
    t.same(tool('add_item: POST /items/{id}', change).needsOneOf, undefined)
    t.same(tool('edit_item: POST /items/{id}', { ...change, needsOneOf: ['title'] }).needsOneOf, ['title'])
    t.same(tool('put_item: PUT /items/{id}', { ...change, query: { body } }).needsOneOf, undefined)
    t.throws(() => tool('edit_item: POST /items/{id}', { ...change, needsOneOf: ['name'] }), /has no name/)
  },
)

t.test('an argument may need another one, which the tool must have', async t => {
  const event = { ...about, json: { repeats: optional(body), zone: optional(body) } }
  t.same(tool('add_item: POST /items', { ...event, needs: { repeats: 'zone' } }).needs, { repeats: 'zone' })
  t.throws(() => tool('add_item: POST /items', { ...event, needs: { repeats: 'clock' } }), /but has no clock/)
})

t.test('a call that would change nothing is refused before a request, and null is a change', async t => {
  const upstream = await recordingUpstream(t)
  const update = tool('update_item: PATCH /items/{id}', {
    ...about,
    path: { id },
    json: { title: optional(body), due: clearable(body) },
    returns: done('Changed.'),
  })
  const connector = connectorOf(upstream.origin, update)
  const { run } = engine(t)
  const failure = await failureOf(run(connector, { id: '1' }))
  t.match(failure, { code: 'invalid_request', message: /Give at least one of these arguments: title or due\.$/ })
  t.equal(upstream.received.length, 0)
  await run(connector, { id: '1', due: null })
  t.same(JSON.parse(String(upstream.received[0]?.body)), { due: null })
})

t.test('heads, arguments and fields that cannot be read are rejected with their reason', async t => {
  const refused = (head: string, parts: Partial<ToolParts>, message: RegExp) =>
    t.throws(() => tool(head, { ...about, ...parts }), message)
  refused('get_item GET /items', {}, /"operation: METHOD \/path", not as "get_item GET/)
  refused('get_item: HEAD /items', {}, /"operation: METHOD/)
  refused('get_item: GET items', {}, /"operation: METHOD/)
  refused('add_item: POST /items', { json: { id, other: { id: body } } }, /The argument id is declared twice/)
  refused('add_item: POST /items', { json: id }, /needs a name: use named/)
  refused('add_item: POST /items', { json: { id }, form: { body } }, /several bodies/)
  refused('get_item: GET /items', { keep: '{ id }' }, /needs a field before/)
  refused('get_item: GET /items', { keep: 'id }' }, /was not opened/)
  refused('get_item: GET /items', { keep: 'user { id' }, /is not closed/)
  refused('get_item: GET /items', { keep: 'user.' }, /invalid field/)
})

t.test('kept fields mean the same in braces and with dots', async t => {
  interface Tree {
    readonly [name: string]: Tree
  }
  const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,5}(\|html-to-markdown)?$/)
  const { tree } = fc.letrec<{ tree: Tree }>(tie => ({
    tree: fc.dictionary(name, fc.oneof({ maxDepth: 4 }, fc.constant({}), tie('tree')), {
      maxKeys: 4,
    }) as fc.Arbitrary<Tree>,
  }))
  const braces = (fields: Tree): string =>
    Object.entries(fields)
      .map(([field, deeper]) => (Object.keys(deeper).length === 0 ? field : `${field} {\n${braces(deeper)}}`))
      .join('  ')
  const dots = (fields: Tree): string[] =>
    Object.entries(fields).flatMap(([field, deeper]) =>
      Object.keys(deeper).length === 0 ? [field] : dots(deeper).map(path => `${field}.${path}`),
    )
  fc.assert(fc.property(tree, fields => t.same(keptFields(braces(fields)), dots(fields))))
})
