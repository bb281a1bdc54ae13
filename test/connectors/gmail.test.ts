import t from 'tap'
import { gmail } from '../../tools/connectors/gmail/connector.ts'
import { exchange, given } from './exchange.ts'

const send = (
  operation: string,
  args: Record<string, unknown>,
  answer: Parameters<typeof exchange>[2]['answer'] = {},
) => exchange(gmail, {}, { operation, args, answer })
const base64 = (text: string) => Buffer.from(text).toString('base64url')
const message = {
  id: 'm1',
  threadId: 't1',
  labelIds: ['INBOX', 'UNREAD'],
  snippet: 'Shall we',
  payload: {
    mimeType: 'text/plain',
    headers: [
      { name: 'Message-ID', value: '<a@x.test>' },
      { name: 'From', value: 'Ada <ada@example.com>' },
      { name: 'Subject', value: 'Offsite' },
      { name: 'DKIM-Signature', value: 'v=1' },
    ],
    body: { size: 9, data: base64('Shall we?') },
  },
}
const read = {
  id: 'm1',
  threadId: 't1',
  labelIds: ['INBOX', 'UNREAD'],
  payload: { from: 'Ada <ada@example.com>', subject: 'Offsite', message_id: '<a@x.test>', text: 'Shall we?' },
}

t.test('a thread that was read is answered with what reading it returned', async t => {
  const thread = await send('get_thread', { thread_id: 't1' }, { body: { id: 't1', messages: [message] } })
  t.match(thread.sent, { path: '/gmail/v1/users/me/threads/t1', query: { format: 'full' } })
  t.same(given(thread.result), { id: 't1', messages: [read] })
  t.same(given((await send('get_message', { message_id: 'm1' }, { body: message })).result), read)

  const { from, message_id, subject } = read.payload
  const args = { thread_id: 't1', to: [from], subject: `Re: ${subject}`, body: 'Yes.', in_reply_to: message_id }
  for (const [operation, sent] of Object.entries({ reply: 'messages/send', draft_reply: 'drafts' })) {
    const answer = await send(operation, args, { body: { id: 'm2', threadId: 't1', labelIds: ['SENT'] } })
    t.equal(answer.sent.path, `/gmail/v1/users/me/${sent}`)
    const body = answer.sent.body as { message?: unknown }
    const { raw, threadId, ...others } = (body.message ?? body) as { raw: string; threadId: string }
    t.same([threadId, others], ['t1', {}])
    const [head] = Buffer.from(raw, 'base64url').toString().split('MIME-Version')
    t.equal(
      head,
      'To: =?UTF-8?B?QWRh?= <ada@example.com>\r\nSubject: Re: Offsite\r\nIn-Reply-To: <a@x.test>\r\nReferences: <a@x.test>\r\n',
    )
  }
})

t.test('an invalid address is rejected before anything is sent', async t => {
  const args = { to: ['ada@example.com, eve'], subject: 'Hi', body: 'Hi' }
  await t.rejects(send('send_email', args), { code: 'invalid_request', message: /is not an email address/ })
})

t.test('threads are searched page by page, and labeled, archived and trashed', async t => {
  const page = { threads: [{ id: 't1', snippet: 'Shall we', historyId: '9' }], nextPageToken: 'n' }
  const first = await send('search_threads', { query: 'is:unread', limit: 1 }, { body: page })
  t.match(first.sent.query, { q: 'is:unread', maxResults: '1' })
  t.match(given(first.result), { items: [{ id: 't1', snippet: 'Shall we' }], next_cursor: String })
  // Gmail leaves the list out where nothing was found.
  t.same(given((await send('search_threads', { query: 'x' }, { body: { resultSizeEstimate: 0 } })).result), {
    items: [],
  })
  const path = '/gmail/v1/users/me/threads/t1'
  const labeled = { body: { id: 't1', messages: [] } }
  const label = await send('label_thread', { thread_id: 't1', add: ['STARRED'], remove: ['UNREAD'] }, labeled)
  t.match(label.sent, { path: `${path}/modify`, body: { addLabelIds: ['STARRED'], removeLabelIds: ['UNREAD'] } })
  const archive = await send('archive_thread', { thread_id: 't1' }, labeled)
  t.match(archive.sent, { path: `${path}/modify`, body: { removeLabelIds: ['INBOX'] } })
  t.equal((await send('trash_thread', { thread_id: 't1' }, labeled)).sent.path, `${path}/trash`)
  t.equal((await send('restore_thread', { thread_id: 't1' }, labeled)).sent.path, `${path}/untrash`)
})

t.test('a text attachment is decoded', async t => {
  const args = { message_id: 'm1', attachment_id: 'ANGjdJ8' }
  const { sent, result } = await send('read_text_attachment', args, { body: { size: 4, data: base64('a;b\n') } })
  t.equal(sent.path, '/gmail/v1/users/me/messages/m1/attachments/ANGjdJ8')
  t.same(given(result), { size: 4, data: 'a;b\n' })
})
