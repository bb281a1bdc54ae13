import t, { type Test } from 'tap'
import { slack } from '../../tools/connectors/slack/connector.ts'
import { accessTo, engine, failureOf, recordingUpstream } from '../services/connectors/connector-engine-fixture.ts'
import { type Exchange, exchange, given } from './exchange.ts'

// Corrections of Slack's description of 2020, from https://docs.slack.dev/reference/methods.

const person = {
  id: 'U0123456789',
  team_id: 'T0123456789',
  name: 'ada',
  real_name: 'Ada Lovelace',
  tz: 'Europe/London',
  profile: {
    display_name: 'ada',
    email: 'ada@example.com',
    title: 'Countess',
    image_24: 'https://x.test',
    status_text: 'Away',
  },
  is_bot: false,
  is_admin: true,
  deleted: false,
}
const kept = {
  id: 'U0123456789',
  name: 'ada',
  real_name: 'Ada Lovelace',
  profile: { display_name: 'ada', email: 'ada@example.com', title: 'Countess' },
  tz: 'Europe/London',
  is_bot: false,
  deleted: false,
}

const EXCHANGES: (Exchange & { token?: string })[] = [
  {
    operation: 'get_user',
    args: { user: 'U0123456789' },
    request: { method: 'GET', path: '/api/users.info', query: { user: 'U0123456789' } },
    answer: { body: { ok: true, user: person } },
    result: { ...kept, profile: { ...kept.profile, status_text: 'Away' }, is_admin: true },
  },
  {
    operation: 'find_user_by_email',
    args: { email: 'ada@example.com' },
    request: { method: 'GET', path: '/api/users.lookupByEmail', query: { email: 'ada@example.com' } },
    answer: { body: { ok: true, user: person } },
    result: kept,
  },
  {
    operation: 'search_messages',
    args: { query: 'in:#general crash', sort: 'timestamp' },
    token: 'user',
    request: {
      method: 'GET',
      path: '/api/search.messages',
      query: { query: 'in:#general crash', sort: 'timestamp', count: '20', page: '1' },
    },
    answer: {
      body: {
        ok: true,
        query: 'in:#general crash',
        messages: {
          total: 1,
          matches: [
            {
              iid: '1',
              team: 'T0123456789',
              ts: '1712345678.123456',
              text: 'It *crashed*',
              user: 'U0123456789',
              username: 'ada',
              channel: { id: 'C0123456789', name: 'general', is_private: false },
              permalink: 'https://example.slack.com/archives/C0123456789/p1712345678123456',
            },
          ],
        },
      },
    },
    result: {
      items: [
        {
          ts: '1712345678.123456',
          text: 'It **crashed**',
          user: 'U0123456789',
          username: 'ada',
          channel: { id: 'C0123456789', name: 'general' },
          permalink: 'https://example.slack.com/archives/C0123456789/p1712345678123456',
        },
      ],
    },
  },
  {
    operation: 'post_message',
    args: { channel: 'C0123456789', text: '**Hello** <@U0123456789>', thread_ts: '1712345678.123456' },
    request: {
      method: 'POST',
      path: '/api/chat.postMessage',
      headers: { 'content-type': 'application/json' },
      body: { channel: 'C0123456789', text: '*Hello* <@U0123456789>', thread_ts: '1712345678.123456' },
    },
    answer: {
      body: { ok: true, channel: 'C0123456789', ts: '1712345679.000100', message: { text: 'Hello', bot_id: 'B1' } },
    },
    result: { channel: 'C0123456789', ts: '1712345679.000100' },
  },
]

for (const one of EXCHANGES)
  t.test(`slack__${one.operation} sends and returns what is documented`, async t => {
    const { sent, token, result, error } = await exchange(slack, {}, one)
    const { headers, ...rest } = sent
    const { headers: wanted = {}, ...request } = one.request
    t.same(rest, request)
    t.match(headers, wanted)
    t.equal(token, one.token ?? 'own', 'the token of the app, or of the person')
    t.equal(error, undefined)
    t.same(given(result), one.result)
  })

t.test('an error under HTTP 200 is an error, and says what to do', async t => {
  const refuse = (error: string, more: Record<string, unknown> = {}) =>
    exchange(
      slack,
      {},
      {
        operation: 'read_channel',
        args: { channel: 'C0123456789' },
        answer: { headers: { 'retry-after': '7' }, body: { ok: false, error, ...more } },
      },
    )

  t.match((await refuse('not_in_channel')).error, {
    code: 'upstream_rejected',
    message: /not_in_channel.*join_channel/,
  })
  t.match((await refuse('missing_scope', { needed: 'groups:history' })).error, { code: 'scope_missing' })
  t.match((await refuse('ratelimited')).error, { code: 'upstream_rate_limited', retryAfter: 7 })
  t.match((await refuse('token_revoked')).error, { message: /token_revoked/ })
})

/** Runs a tool of several requests on a double of Slack, with an upload host of its own. */
async function double(t: Test, operation: string) {
  const [api, files] = [await recordingUpstream(t), await recordingUpstream(t)]
  const url = files.origin
  const hosts = { files: { url, credential: true }, uploads: { url, credential: false } }
  const tools = slack.tools.filter(tool => tool.operation === operation)
  const connector = { ...slack, baseUrl: `${api.origin}/api`, hosts, tools }
  const machine = engine(t)
  const run = (args: Record<string, unknown>) => machine.run(connector, args, accessTo(slack))
  const sent = () => [...api.received, ...files.received].map(({ method, url, body }) => `${method} ${url} ${body}`)
  return { ...machine, api, url, uploads: files, run, sent }
}

t.test('slack__send_direct_message opens the conversation and posts to it', async t => {
  const { api, run, sent } = await double(t, 'send_direct_message')
  api.reply = ({ url }) => ({
    body: url.endsWith('open')
      ? { ok: true, channel: { id: 'D0123456789' } }
      : { ok: true, channel: 'D0123456789', ts: '1712345678.123456' },
  })
  const { structuredContent } = await run({ user: 'U0123456789', text: 'It is *ready*' })
  t.same(structuredContent, { channel: 'D0123456789', ts: '1712345678.123456' })
  t.same(sent(), [
    'POST /api/conversations.open {"users":"U0123456789"}',
    'POST /api/chat.postMessage {"channel":"D0123456789","text":"It is _ready_"}',
  ])
  api.reply = () => ({ body: { ok: false, error: 'user_not_found' } })
  t.match(await failureOf(run({ user: 'U0123456789', text: 'x' })), { message: /user_not_found.*step 1 of 2 \(open\)/ })
})

t.test('slack__upload_file reserves a place, sends the bytes without the token, and shares the file', async t => {
  const { api, uploads, url, run, sent } = await double(t, 'upload_file')
  api.reply = request => ({
    body: request.url.endsWith('getUploadURLExternal')
      ? { ok: true, upload_url: `${url}/upload/v1/ABC`, file_id: 'F0123456789' }
      : { ok: true, files: [{ id: 'F0123456789', title: 'notes.md' }] },
  })
  uploads.reply = () => ({ body: 'OK - 5' })
  const args = { content: 'Grüße', file_name: 'notes.md', channel: 'C0123456789', comment: '**New**' }
  t.same((await run(args)).structuredContent, { items: [{ id: 'F0123456789', title: 'notes.md' }] })
  t.same(sent(), [
    'POST /api/files.getUploadURLExternal length=7&filename=notes.md',
    'POST /api/files.completeUploadExternal {"files":[{"id":"F0123456789"}],"channel_id":"C0123456789","initial_comment":"*New*"}',
    'POST /upload/v1/ABC Grüße',
  ])
  t.equal(uploads.received[0]?.headers.authorization, undefined)
  uploads.reply = () => ({ status: 500 })
  const failed = await failureOf(run(args))
  t.match(failed, { message: /step 2 of 3 \(send\)\. Done before it: reserve\.$/ })
})

t.test('slack__download_file reads the content of a file with the token, and keeps its name', async t => {
  const { api, uploads, url, run, sent, stored } = await double(t, 'download_file')
  const file = { id: 'F0123456789', name: 'plan.txt', url_private_download: `${url}/files-pri/T1-F1/download/plan.txt` }
  api.reply = () => ({ body: { ok: true, file } })
  uploads.reply = () => ({ body: 'What was planned.' })
  await run({ file: 'F0123456789' })
  t.same(sent(), ['GET /api/files.info?file=F0123456789 ', 'GET /files-pri/T1-F1/download/plan.txt '])
  t.same(stored, [{ name: 'plan.txt', bytes: Buffer.from('What was planned.') }])
  t.match(uploads.received[0]?.headers.authorization, /^Bearer /)
  api.reply = () => ({
    body: { ok: true, file: { id: 'F1', name: 'x', url_private_download: 'https://drive.example/x' } },
  })
  t.match(await failureOf(run({ file: 'F0123456789' })), { message: /outside its known hosts/ })
})
