import t from 'tap'
import { notion } from '../../tools/connectors/notion/connector.ts'
import { checkRow, exchange, given, type Row } from './exchange.ts'

// The tests have no description of Notion. Requests and answers follow the types of makenotion/notion-sdk-js v5.26.0
// (src/api-endpoints) in version 2026-03-11. Not tried with an account.

const PAGE = '195de922-1179-449f-ab80-75a27c979105'
const SOURCE = 'd9824bdc-8445-4327-be8b-5b47500af6ce'
const P = `/v1/pages/${PAGE}`
const plain = (text: string) => [
  { type: 'text', text: { content: text, link: null }, annotations: { bold: false }, plain_text: text, href: null },
]
const kept = (text: string) => [{ plain_text: text }]
const page = {
  object: 'page',
  id: PAGE,
  url: 'https://www.notion.so/Plan',
  in_trash: false,
  icon: { type: 'emoji', emoji: '📌' },
  cover: null,
  last_edited_time: '2026-01-02T03:04:00.000Z',
  parent: { type: 'data_source_id', data_source_id: SOURCE },
  properties: {
    Name: { id: 'title', type: 'title', title: plain('Plan') },
    Status: { id: 'a', type: 'status', status: { id: 'x', name: 'Done', color: 'green' } },
    Due: { id: 'b', type: 'date', date: { start: '2026-03-31', end: null, time_zone: null } },
    Points: { id: 'c', type: 'number', number: 3 },
    Owner: { id: 'd', type: 'people', people: [{ object: 'user', id: 'u1', name: 'Ada', avatar_url: null }] },
  },
}
const keptPage = {
  object: 'page',
  id: PAGE,
  url: page.url,
  in_trash: false,
  last_edited_time: page.last_edited_time,
  parent: page.parent,
  properties: {
    Name: { id: 'title', type: 'title', title: kept('Plan') },
    Status: { id: 'a', type: 'status', status: { name: 'Done' } },
    Due: { id: 'b', type: 'date', date: { start: '2026-03-31' } },
    Points: { id: 'c', type: 'number', number: 3 },
    Owner: { id: 'd', type: 'people', people: [{ id: 'u1', name: 'Ada' }] },
  },
}
const text = { object: 'page_markdown', id: PAGE, markdown: '# Plan\n', truncated: false, unknown_block_ids: [] }
const written = { id: PAGE, truncated: false, unknown_block_ids: [] }
const list = (...results: unknown[]) => ({ object: 'list', results, next_cursor: null, has_more: false })
const comment = { id: 'c1', discussion_id: 'd1', created_time: '2026-01-02T03:04:00.000Z' }
const commentAnswer = { ...comment, created_by: { object: 'user', id: 'u1' }, rich_text: plain('Seen.') }
const keptComment = { ...comment, created_by: { id: 'u1' }, rich_text: kept('Seen.') }

const ROWS: Row[] = [
  [
    'search',
    { query: 'plan', type: 'page', edited: 'descending', limit: 5 },
    'POST /v1/search',
    {
      body: {
        query: 'plan',
        filter: { property: 'object', value: 'page' },
        sort: { timestamp: 'last_edited_time', direction: 'descending' },
        page_size: 5,
      },
    },
    list({ object: 'data_source', id: SOURCE, title: plain('Tasks'), description: [] }),
    { items: [{ object: 'data_source', id: SOURCE, title: kept('Tasks') }] },
  ],
  ['search', {}, 'POST /v1/search', { body: { page_size: 25 } }, list(), { items: [] }],
  ['get_page', { page_id: PAGE }, `GET ${P}`, {}, page, keptPage],
  [
    'read_page',
    { page_id: PAGE },
    `GET ${P}/markdown`,
    {},
    text,
    { id: PAGE, markdown: '# Plan\n', truncated: false, unknown_block_ids: [] },
  ],
  [
    'create_page',
    {
      data_source_id: SOURCE,
      title: 'Plan',
      properties: { Status: { status: { name: 'Done' } }, Due: { date: null } },
      markdown: '## Why\n',
    },
    'POST /v1/pages',
    {
      body: {
        parent: { data_source_id: SOURCE },
        properties: {
          Status: { status: { name: 'Done' } },
          Due: { date: null },
          title: [{ text: { content: 'Plan' } }],
        },
        markdown: '## Why\n',
      },
    },
    page,
    keptPage,
  ],
  [
    'create_page',
    { parent_page_id: PAGE, title: 'Plan' },
    'POST /v1/pages',
    { body: { parent: { page_id: PAGE }, properties: { title: [{ text: { content: 'Plan' } }] } } },
    page,
    keptPage,
  ],
  [
    'update_page',
    { page_id: PAGE, properties: { Points: { number: 3 } } },
    `PATCH ${P}`,
    { body: { properties: { Points: { number: 3 } } } },
    page,
    keptPage,
  ],
  ['update_page', { page_id: PAGE, in_trash: true }, `PATCH ${P}`, { body: { in_trash: true } }, page, keptPage],
  [
    'append_text',
    { page_id: PAGE, markdown: 'More.' },
    `PATCH ${P}/markdown`,
    { body: { type: 'insert_content', insert_content: { content: 'More.', position: { type: 'end' } } } },
    text,
    written,
  ],
  [
    'edit_text',
    { page_id: PAGE, old_text: 'a', new_text: '' },
    `PATCH ${P}/markdown`,
    { body: { type: 'update_content', update_content: { content_updates: [{ old_str: 'a', new_str: '' }] } } },
    text,
    written,
  ],
  [
    'replace_text',
    { page_id: PAGE, markdown: 'New.' },
    `PATCH ${P}/markdown`,
    { body: { type: 'replace_content', replace_content: { new_str: 'New.' } } },
    text,
    written,
  ],
  [
    'get_database',
    { database_id: PAGE },
    `GET /v1/databases/${PAGE}`,
    {},
    { object: 'database', id: PAGE, title: plain('Tasks'), data_sources: [{ id: SOURCE, name: 'Tasks' }] },
    { id: PAGE, title: kept('Tasks'), data_sources: [{ id: SOURCE, name: 'Tasks' }] },
  ],
  [
    'get_data_source',
    { data_source_id: SOURCE },
    `GET /v1/data_sources/${SOURCE}`,
    {},
    {
      id: SOURCE,
      title: plain('Tasks'),
      properties: {
        Status: {
          id: 'a',
          name: 'Status',
          type: 'status',
          status: { options: [{ id: 'x', name: 'Done' }], groups: [] },
        },
      },
    },
    {
      id: SOURCE,
      title: kept('Tasks'),
      properties: { Status: { id: 'a', name: 'Status', type: 'status', status: { options: [{ name: 'Done' }] } } },
    },
  ],
  [
    'query_data_source',
    {
      data_source_id: SOURCE,
      filter: { property: 'Status', status: { equals: 'Done' } },
      sorts: [{ timestamp: 'created_time', direction: 'ascending' }],
    },
    `POST /v1/data_sources/${SOURCE}/query`,
    {
      body: {
        filter: { property: 'Status', status: { equals: 'Done' } },
        sorts: [{ timestamp: 'created_time', direction: 'ascending' }],
        page_size: 25,
      },
    },
    list(page),
    { items: [keptPage] },
  ],
  [
    'list_comments',
    { page_id: PAGE },
    'GET /v1/comments',
    { query: { block_id: PAGE, page_size: '25' } },
    list(commentAnswer),
    { items: [keptComment] },
  ],
  [
    'create_comment',
    { page_id: PAGE, markdown: 'Seen.' },
    'POST /v1/comments',
    { body: { parent: { page_id: PAGE }, markdown: 'Seen.' } },
    commentAnswer,
    keptComment,
  ],
  [
    'create_comment',
    { discussion_id: PAGE, markdown: 'Seen.' },
    'POST /v1/comments',
    { body: { discussion_id: PAGE, markdown: 'Seen.' } },
    commentAnswer,
    keptComment,
  ],
  [
    'list_users',
    {},
    'GET /v1/users',
    { query: { page_size: '25' } },
    list({
      object: 'user',
      id: 'u1',
      name: 'Ada',
      type: 'person',
      person: { email: 'ada@example.com' },
      avatar_url: null,
    }),
    { items: [{ id: 'u1', name: 'Ada', type: 'person', person: { email: 'ada@example.com' } }] },
  ],
]

t.test('every tool of Notion has an exchange', async t => {
  const covered = new Set(ROWS.map(([operation]) => operation))
  t.same(
    notion.tools.map(({ operation }) => operation).filter(operation => !covered.has(operation)),
    [],
  )
})

for (const [operation, args, line, request, ...answer] of ROWS)
  t.test(`notion__${operation} sends and returns what is documented: ${JSON.stringify(args).slice(0, 60)}`, async t => {
    const sent = { ...request, headers: { 'notion-version': '2026-03-11' } }
    await checkRow(t, notion, {}, [operation, args, line, sent, ...answer])
  })

t.test('a query continues with Notion’s cursor, and ends without one', async t => {
  const query = { operation: 'query_data_source', args: { data_source_id: SOURCE } }
  const more = { results: [page], next_cursor: PAGE, has_more: true }
  const first = await exchange(notion, {}, { ...query, answer: { body: more } })
  const { next_cursor: cursor } = given(first.result) as { next_cursor: string }
  const args = { ...query.args, cursor }
  const second = await exchange(notion, {}, { ...query, args, answer: { body: list() } })
  t.match(second.sent.body, { start_cursor: PAGE })
  t.notOk('next_cursor' in (given(second.result) as object))
})

t.test('a page with blocks that its Markdown only refers to is replaced only on demand', async t => {
  const body = { object: 'page_markdown', id: PAGE, markdown: 'a\n<unknown url="x" alt="bookmark"/>', truncated: false }
  const read = await exchange(notion, {}, { operation: 'read_page', args: { page_id: PAGE }, answer: { body } })
  t.match(given(read.result), {
    markdown: body.markdown,
    warning: /^Missing in the Markdown: blocks that Notion does not/,
  })
  const args = { page_id: PAGE, markdown: 'New.' }
  const refused = await exchange(notion, {}, { operation: 'replace_text', args, answer: { body } })
  t.equal(refused.sent.method, 'GET')
  t.match(refused.error, { code: 'invalid_request', message: /append_text or edit_text.*replace_all: true/ })
  const forced = { operation: 'replace_text', args: { ...args, replace_all: true }, answer: { body } }
  t.equal((await exchange(notion, {}, forced)).sent.method, 'PATCH')
})

t.test('a page that is not shared is explained', async t => {
  const body = { object: 'error', status: 404, code: 'object_not_found', message: 'Could not find page.' }
  const answer = { status: 404, body }
  const { error } = await exchange(notion, {}, { operation: 'get_page', args: { page_id: PAGE }, answer })
  t.match(error, { message: /Could not find page.*not shared/ })
})
