import t from 'tap'
import { googleDrive } from '../../tools/connectors/google-drive/connector.ts'
import { ARTIFACT, exchange, given } from './exchange.ts'

// Written from https://developers.google.com/workspace/drive/api, because its description has neither uploads nor what
// the contents of files look like.

const send = (
  operation: string,
  args: Record<string, unknown>,
  answer: Parameters<typeof exchange>[2]['answer'] = {},
) => exchange(googleDrive, {}, { operation, args, answer })

t.test('a file is uploaded as it is, with its own type', async t => {
  const body = { id: 'f1', name: 'notes.md', mimeType: 'text/markdown' }
  const { sent, result } = await send('upload_content', { file_id: 'f1', content: '{"a": 1}' }, { body })
  t.equal(`${sent.method} ${sent.path}`, 'PATCH /upload/drive/v3/files/f1')
  t.match(sent.query, { uploadType: 'media', supportsAllDrives: 'true', fields: /^id,name,mimeType,/ })
  t.equal(sent.body, '{"a": 1}')
  t.same(given(result), body)
})

t.test(
  'the media type of an upload is the given one, that of the content, that of the file, or that of its name',
  async t => {
    const google = (kind: string) => `application/vnd.google-apps.${kind}`
    const markdown = 'text/markdown; charset=utf-8'
    const rows: [file: string, mimeType: string, args: Record<string, string>, sent: string][] = [
      ['notes.md', 'text/markdown', { content: '# a' }, markdown],
      ['notes', 'text/markdown', { content: '# a' }, markdown],
      // Earlier uploads may have made it a plain text.
      ['notes.md', 'text/plain', { content: '# a' }, markdown],
      ['page.HTML', 'application/octet-stream', { content: '<p>a' }, 'text/html; charset=utf-8'],
      ['a.csv', 'text/csv', { content: 'a,b' }, 'text/csv; charset=utf-8'],
      ['a.json', 'application/json', { content: '{}' }, 'application/json'],
      ['a', 'text/plain', { content: 'a' }, 'text/plain; charset=utf-8'],
      ['a.txt', 'text/plain', { content: 'a', media_type: 'text/csv' }, 'text/csv; charset=utf-8'],
      ['Plan', google('document'), { content: '# a' }, markdown],
      ['Sums', google('spreadsheet'), { content: 'a,b' }, 'text/csv; charset=utf-8'],
      ['Plan', google('document'), { content: '<p>a', media_type: 'text/html' }, 'text/html; charset=utf-8'],
      ['other.pdf', 'application/pdf', { content: ARTIFACT.id }, 'text/markdown'],
    ]
    for (const [name, mimeType, args, expected] of rows) {
      const { sent } = await send('upload_content', { file_id: 'f1', ...args }, { body: { id: 'f1', name, mimeType } })
      t.equal(sent.headers?.['content-type'], expected, `${name}, ${mimeType}, ${JSON.stringify(args)}`)
    }
  },
)

t.test('lists ask for the fields that results keep, and for items of shared drives', async t => {
  const file = { id: 'f1', name: 'Plan', owners: [{ displayName: 'Ada', emailAddress: 'ada@example.com', kind: 'x' }] }
  const page = { files: [file], nextPageToken: 'next', incompleteSearch: false }
  const first = await send('list_folder', { limit: 1 }, { body: page })
  t.match(first.sent.query, {
    q: "'root' in parents and trashed = false",
    fields: /^nextPageToken,files\(id,name,.*,owners\(displayName,emailAddress\),lastModifyingUser\(displayName\)\)$/,
    includeItemsFromAllDrives: 'true',
    supportsAllDrives: 'true',
    pageSize: '1',
  })
  const { items, next_cursor: cursor } = given(first.result) as { items: unknown[]; next_cursor: string }
  t.same(items, [{ ...file, owners: [{ displayName: 'Ada', emailAddress: 'ada@example.com' }] }])
  const second = await send('list_folder', { limit: 1, cursor }, { body: { files: [] } })
  t.equal(second.sent.query?.pageToken, 'next')
  t.same(given(second.result), { items: [] })
  t.equal(
    (await send('list_comments', { file_id: 'f1' }, { body: { comments: [] } })).sent.query?.fields,
    'nextPageToken,comments(id,content,resolved,createdTime,modifiedTime,author(displayName,me),' +
      'quotedFileContent(value),replies(id,content,action,createdTime,author(displayName)))',
  )
})

t.test('documents are read as text, and files are downloaded as artifacts', async t => {
  const markdown = { headers: { 'content-type': 'text/markdown' }, body: '# Plan\n\nShip it.' }
  const read = await send('read_document', { file_id: 'd1', format: 'text/markdown' }, markdown)
  t.equal(`${read.sent.path}?mimeType=${read.sent.query?.mimeType}`, '/drive/v3/files/d1/export?mimeType=text/markdown')
  t.equal(given(read.result), '# Plan\n\nShip it.')
  const text = await send('read_text_file', { file_id: 'f1' }, markdown)
  t.match(text.sent, { path: '/drive/v3/files/f1', query: { alt: 'media' } })
  t.equal(given(text.result), '# Plan\n\nShip it.')
  const download = await send('download_file', { file_id: 'f1', file_name: 'plan.md' }, markdown)
  t.match(download.sent, { path: '/drive/v3/files/f1', query: { alt: 'media' } })
  t.match(given(download.result), { name: 'plan.md', artifact: 'art_1' })
})

t.test('a file moves between folders, and goes to the trash and back', async t => {
  const moved = await send(
    'move_file',
    { file_id: 'f1', from_folder_id: 'a', to_folder_id: 'b' },
    { body: { id: 'f1' } },
  )
  t.match(moved.sent, { method: 'PATCH', query: { addParents: 'b', removeParents: 'a' } })
  t.equal(moved.sent.body, undefined)
  for (const [operation, trashed] of Object.entries({ trash_file: true, restore_file: false }))
    t.same((await send(operation, { file_id: 'f1' }, { body: { id: 'f1', trashed } })).sent.body, { trashed })
})

t.test('Drive’s errors say which tool to use instead, and which scope is missing', async t => {
  const refuse = async (reason: string, operation: string, args: Record<string, unknown>) => {
    const error = { code: 403, message: 'No.', errors: [{ domain: 'global', reason, message: 'No.' }] }
    return (await send(operation, args, { status: 403, body: { error } })).error
  }
  const read = { file_id: 'f1', format: 'text/markdown' }
  t.match(await refuse('fileNotExportable', 'read_document', read), {
    code: 'upstream_rejected',
    message: /read_text_file or download_file/,
  })
  t.match(await refuse('fileNotDownloadable', 'read_text_file', { file_id: 'f1' }), { message: /read_document/ })
  t.match(await refuse('insufficientPermissions', 'get_file', { file_id: 'f1' }), { code: 'scope_missing' })
  t.match(await refuse('sharingRateLimitExceeded', 'list_permissions', { file_id: 'f1' }), {
    code: 'upstream_rate_limited',
  })
})
