import { json } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { confluence } from '../../tools/connectors/confluence/connector.ts'
import { failureOf } from '../services/connectors/connector-engine-fixture.ts'
import { callsTo } from './calls.ts'
import { operationOf } from './descriptions.ts'
import { checkRow, exchange, given, type Row } from './exchange.ts'

// For version 1, which the description lacks. Written on 2026-11-25 from the groups search, users, content, content labels
// and content attachments of https://developer.atlassian.com/cloud/confluence/rest/v1/, not compared with an account.

const CLOUD = '11223344-a1b2-4b33-8c44-def123456789'
const SITE = { cloud_id: CLOUD, site: 'https://example.atlassian.net' }
const V1 = `/ex/confluence/${CLOUD}/wiki/rest/api`
const WORDS = 'type IN (page, blogpost) AND text ~ "release checklist"'
const found = {
  content: { id: '7', type: 'page', status: 'current', title: 'Plan', space: { key: 'DOCS', name: 'Docs' } },
  title: 'Plan',
  excerpt: 'The plan',
  url: '/spaces/DOCS/pages/7/Plan',
  lastModified: '2026-01-02T03:04:05.000Z',
  resultGlobalContainer: { title: 'Docs' },
}
const ada = { accountId: '5b10a', displayName: 'Ada Lovelace', email: 'ada@example.com', accountType: 'atlassian' }
const label = { prefix: 'global', name: 'runbook', id: '9' }

const ROWS: Row[] = [
  [
    'search',
    { query: 'release checklist' },
    `GET ${V1}/search`,
    { query: { cql: WORDS, excerpt: 'indexed', limit: '25' } },
    { results: [{ ...found, score: 1 }], _links: {} },
    { items: [found] },
  ],
  [
    'search',
    { query: 'release checklist', space: 'DOCS', limit: 5 },
    `GET ${V1}/search`,
    { query: { cql: `${WORDS} AND space = "DOCS"`, excerpt: 'indexed', limit: '5' } },
    { results: [], _links: {} },
    { items: [] },
  ],
  [
    'search_cql',
    { cql: 'label = "runbook"' },
    `GET ${V1}/search`,
    { query: { cql: 'label = "runbook"', excerpt: 'indexed', limit: '25' } },
    { results: [found], _links: {} },
    { items: [found] },
  ],
  [
    'search_people',
    { name: 'ada' },
    `GET ${V1}/search/user`,
    { query: { cql: 'user.fullname ~ "ada"', limit: '25', start: '0' } },
    { results: [{ user: ada, title: 'Ada Lovelace' }] },
    { items: [{ user: ada }] },
  ],
  [
    'get_myself',
    {},
    `GET ${V1}/user/current`,
    {},
    { ...ada, type: 'known' },
    { accountId: ada.accountId, displayName: ada.displayName, email: ada.email },
  ],
  [
    'archive_page',
    { page_id: '36' },
    `POST ${V1}/content/archive`,
    { body: { pages: [{ id: 36 }] } },
    { id: '1180606', links: { status: '/rest/api/longtask/1180606' } },
    'Confluence is archiving the page 36.',
  ],
  [
    'add_labels',
    { page_id: '7', labels: ['runbook', 'ops'] },
    `POST ${V1}/content/7/label`,
    {
      body: [
        { prefix: 'global', name: 'runbook' },
        { prefix: 'global', name: 'ops' },
      ],
    },
    { results: [{ ...label, label: 'runbook' }], size: 1 },
    { items: [{ id: '9', name: 'runbook', prefix: 'global' }] },
  ],
  [
    'remove_label',
    { page_id: '7', label: 'a/b' },
    `DELETE ${V1}/content/7/label`,
    { query: { name: 'a/b' } },
    undefined,
    'The label a/b was removed.',
  ],
  [
    'add_attachment',
    { page_id: '7', content: 'four', file_name: 'a.txt', comment: 'New' },
    `POST ${V1}/content/7/child/attachment`,
    { headers: { 'x-atlassian-token': 'nocheck' }, body: { file: { name: 'a.txt', text: 'four' }, comment: 'New' } },
    { results: [{ id: 'att8', title: 'a.txt', extensions: { mediaType: 'text/plain', fileSize: 4, fileId: 'x' } }] },
    { items: [{ id: 'att8', title: 'a.txt', extensions: { mediaType: 'text/plain', fileSize: 4 } }] },
  ],
  [
    'download_attachment',
    { page_id: '7', attachment_id: 'att8', file_name: 'a.txt' },
    `GET ${V1}/content/7/child/attachment/att8/download`,
    {},
    'four',
    {
      artifact: 'art_1',
      name: 'a.txt',
      media_type: 'text/plain',
      bytes: 4,
      url: 'http://gateway.test/artifacts/art_1',
      expires_at: '1970-01-01T00:00:00.000Z',
    },
  ],
]

t.test('every tool of Confluence that its description lacks has an exchange', async t => {
  const covered = new Set(ROWS.map(([operation]) => operation))
  t.same(
    confluence.tools
      .filter(tool => operationOf(confluence, tool) === undefined && !covered.has(tool.operation))
      .map(({ operation }) => operation),
    [],
  )
})

for (const row of ROWS)
  t.test(`confluence__${row[0]} sends and returns what is documented: ${JSON.stringify(row[1])}`, async t => {
    await checkRow(t, confluence, SITE, row)
  })

t.test('a search continues with the cursor of the next address, and a quote cannot change it', async t => {
  const body = { results: [found], _links: { next: '/rest/api/search?cql=x&limit=25&cursor=abc' } }
  const first = await exchange(confluence, SITE, { operation: 'search', args: { query: 'a' }, answer: { body } })
  const { next_cursor: cursor } = given(first.result) as { next_cursor: string }
  const args = { query: 'a', cursor }
  const last = { body: { results: [found], _links: {} } }
  const second = await exchange(confluence, SITE, { operation: 'search', args, answer: last })
  t.match(second.sent.query, { cursor: 'abc', cql: /text ~ "a"$/ })
  t.notOk('next_cursor' in (given(second.result) as object))
  const { query } = confluence.tools.find(({ operation }) => operation === 'search')?.input.properties ?? {}
  t.notMatch('a" OR type = "comment', new RegExp(query?.pattern ?? ''))
})

t.test('Confluence’s errors become sentences', async t => {
  const refuse = (status: number, body: unknown) =>
    exchange(confluence, SITE, { operation: 'get_page', args: { page_id: '7' }, answer: { status, body } })
  const gone = await refuse(404, { errors: [{ status: 404, code: 'NOT_FOUND', title: 'Not Found', detail: null }] })
  t.match(gone.error, { code: 'upstream_rejected', message: /Not Found.*cannot see it/ })
  const scope = await refuse(401, { code: 401, message: 'Unauthorized; scope does not match' })
  t.match(scope.error, { code: 'scope_missing' })
})

interface Page {
  id: string
  spaceId: string
  parentId: string
  title: string
  storage: string
  adf: string
  version: { number: number }
}

/** One space on loopback that keeps pages, and rejects a change that does not name the next version. */
async function confluenceDouble(t: Test) {
  const pages = new Map<string, Page>()
  const { call } = await callsTo(t, confluence, async (request, response) => {
    const { method = '', url = '' } = request
    const { pathname, searchParams } = new URL(url, 'http://confluence.test')
    const body = method === 'GET' ? {} : ((await json(request)) as Record<string, never>)
    const [status, answer] = answerTo(`${method} ${pathname.replace('/wiki/api/v2', '')}`, searchParams, body)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  function answerTo(line: string, query: URLSearchParams, sent: Record<string, never>): [number, unknown] {
    if (line === 'GET /spaces')
      return [200, { results: query.get('keys') === 'DOCS' ? [{ id: '1', key: 'DOCS' }] : [] }]
    const id = line === 'POST /pages' ? '7' : (line.split('/')[2] ?? '')
    const known = pages.get(id)
    if (line.startsWith('GET') && known !== undefined) {
      const value = { atlas_doc_format: { value: known.adf }, storage: { value: known.storage } }
      return [200, { ...known, body: value }]
    }
    const { body, version, ...rest } = sent as unknown as Page & { body: { representation: string; value: string } }
    if (version?.number !== (known === undefined ? undefined : known.version.number + 1))
      return [409, { errors: [{ status: 409, code: 'CONFLICT', title: 'Version must be incremented' }] }]
    const inAdf = body.representation === 'atlas_doc_format'
    const page = {
      ...known,
      ...rest,
      id,
      version: version ?? { number: 1 },
      ...(inAdf ? { adf: body.value, storage: '<p>as stored</p>' } : { storage: body.value }),
    } as Page
    pages.set(id, page)
    return [200, page]
  }
  return { pages, call }
}

t.test('a page is created by the key of its space, changed without its version, and read as Markdown', async t => {
  const { pages, call } = await confluenceDouble(t)
  await call('create_page', { space: 'DOCS', title: 'Plan', parent_id: '3', markdown: 'One **line**.' })
  t.match(pages.get('7'), { spaceId: '1', parentId: '3', version: { number: 1 } })
  await call('update_page', { page_id: '7', markdown: '# Two\n\n- a', message: 'Better' })
  t.match(pages.get('7'), { title: 'Plan', version: { number: 2, message: 'Better' } })
  const { structuredContent } = await call('get_page', { page_id: '7' })
  t.match(structuredContent, { title: 'Plan', body: { atlas_doc_format: { value: '# Two\n\n- a' } } })
  t.match(await failureOf(call('create_page', { space: 'NONE', title: 'x', markdown: 'y' })), {
    message: /Nothing was done before it/,
  })
})

t.test('what is appended comes after the stored text, and a moved page keeps its text', async t => {
  const { pages, call } = await confluenceDouble(t)
  await call('create_page', { space: 'DOCS', title: 'Plan', markdown: 'x' })
  await call('append_to_page', { page_id: '7', markdown: 'a\\\nb' })
  t.match(pages.get('7'), { storage: '<p>as stored</p><p>a<br />\nb</p>\n', version: { number: 2 } })
  await call('move_page', { page_id: '7', parent_id: '5' })
  t.match(pages.get('7'), { title: 'Plan', parentId: '5', storage: /^<p>as stored<.p><p>a/, version: { number: 3 } })
})

t.test('a page with what Markdown lacks is replaced only on demand, and says what it has', async t => {
  const paragraph = { type: 'paragraph', content: [{ type: 'text', text: 'a', marks: [{ type: 'annotation' }] }] }
  const value = JSON.stringify({ type: 'doc', version: 1, content: [{ type: 'extension' }, paragraph] })
  const body = { id: '7', title: 'Plan', version: { number: 2 }, body: { atlas_doc_format: { value } } }
  const send = (operation: string, args: object) =>
    exchange(confluence, SITE, { operation, args: { page_id: '7', ...args }, answer: { body } })
  t.match(given((await send('get_page', {})).result), {
    warning:
      'Missing in the Markdown: comments on parts of the text and macros. Replacing the text with this Markdown would remove them.',
  })
  const refused = await send('update_page', { markdown: 'New' })
  t.match(refused.error, { code: 'invalid_request', message: /macros, .*append_to_page.*replace_all: true/ })
  t.equal(refused.sent.method, 'GET')
  t.equal((await send('update_page', { markdown: 'New', replace_all: true })).sent.method, 'PUT')
})
