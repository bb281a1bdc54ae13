import t from 'tap'
import { slack } from '../../tools/connectors/slack/connector.ts'
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
              text: 'It crashed',
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
          text: 'It crashed',
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
    args: { channel: 'C0123456789', text: 'Hello', thread_ts: '1712345678.123456' },
    request: {
      method: 'POST',
      path: '/api/chat.postMessage',
      headers: { 'content-type': 'application/json' },
      body: { channel: 'C0123456789', text: 'Hello', thread_ts: '1712345678.123456' },
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
