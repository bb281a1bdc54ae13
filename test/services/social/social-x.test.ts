import t, { type Test } from 'tap'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { createX } from '../../../services/social/x.ts'
import { rejectionOf } from '../../fixtures/rejection.ts'
import { type DoubleAnswer, type DoubleRequest, networkDouble, socialDouble } from '../../fixtures/social-double.ts'

type Answer = (request: DoubleRequest) => DoubleAnswer

const none: Answer = () => ({ body: { meta: { result_count: 0 } } })
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const FIELDS = { 'tweet.fields': /^[a-z_,]+$/, 'user.fields': /^[a-z_,]+$/, expansions: /^author_id$/ }

/** The endpoints of the description at https://api.x.com/2/openapi.json that the gateway uses. */
async function x(t: Test, answers: Record<string, Answer>) {
  const headers = { authorization: /^Bearer bearer-token$/ }
  const { search = none, tweet = none, user = none, tweets = none } = answers
  const double = await socialDouble(t, {
    'GET /2/tweets/search/recent': {
      query: {
        ...FIELDS,
        query: /^.{1,512}$/,
        max_results: /^([1-9]\d|100)$/,
        sort_order: /^(recency|relevancy)$/,
        start_time: TIME,
        end_time: TIME,
        next_token: /^[0-9a-z]+$/,
      },
      required: ['query'],
      headers,
      answer: search,
    },
    'GET /2/tweets/*': { query: FIELDS, headers, answer: tweet },
    'GET /2/users/by/username/*': { query: { 'user.fields': FIELDS['user.fields'] }, headers, answer: user },
    'GET /2/users/*/tweets': {
      query: {
        'tweet.fields': FIELDS['tweet.fields'],
        exclude: /^retweets$/,
        max_results: /^([5-9]|[1-9]\d|100)$/,
        pagination_token: /^[0-9a-z]+$/,
      },
      headers,
      answer: tweets,
    },
  })
  const { send, call, clock, notes, spent } = networkDouble(t, 'X')
  const network = createX({ send, clock, origin: double.origin, bearerToken: 'bearer-token' })
  return { network, call, clock, notes, spent, requests: double.requests }
}

const ADA = { id: '7', username: 'ada', name: 'Ada', verified: true, public_metrics: { followers_count: 5 } }
const tweet = (id: number, more: object = {}) => ({
  id: String(id),
  text: `Post ${id}`,
  author_id: '7',
  conversation_id: String(id),
  created_at: '2026-11-23T10:00:00.000Z',
  lang: 'en',
  public_metrics: { like_count: 3, retweet_count: 0, reply_count: 0 },
  possibly_sensitive: false,
  ...more,
})
const FIRST = { position: null, limit: 20 }

t.test('a post has the common shape, and each post and author of an answer is charged', async t => {
  const more = {
    entities: { urls: [{ expanded_url: 'https://x.com/a/status/1' }, { expanded_url: 'https://example.com/' }] },
    attachments: { media_keys: ['3_1'] },
  }
  const { network, call, spent, requests } = await x(t, {
    search: () => ({
      body: {
        data: [tweet(1, more), tweet(2)],
        includes: { users: [ADA] },
        meta: { result_count: 2, next_token: 'b26' },
      },
    }),
  })
  const { posts, next } = await network.search(
    { query: 'a OR b', sort: 'top', author: 'ada', language: 'en' },
    { position: null, limit: 1 },
    call,
  )
  t.equal(spent.micros, 2 * 5_000 + 10_000)
  t.equal(next, '0..b26')
  t.ok(posts.every(({ after }) => network.isPosition(after ?? '')))
  const sent = new URL(requests[0]?.url ?? '', 'http://x').searchParams
  t.same(
    [sent.get('query'), sent.get('max_results'), sent.get('sort_order')],
    ['(a OR b) -is:retweet from:ada lang:en', '10', 'relevancy'],
  )
  t.same(posts[0]?.post, {
    id: 'x:1',
    network: 'x',
    url: 'https://x.com/ada/status/1',
    author: { handle: 'ada', name: 'Ada', url: 'https://x.com/ada' },
    text: 'Post 1',
    lang: 'en',
    created_at: '2026-11-23T10:00:00.000Z',
    metrics: { likes: 3, reposts: 0, replies: 0, quotes: null, score: null },
    media: null,
    link: 'https://example.com/',
    reply_to: null,
    thread_root: null,
    sensitive: false,
  })
  t.same(posts[1]?.post.media, [])
})

t.test('a search keeps to the seven days that X has, and says so', async t => {
  const { network, call, clock, notes, requests } = await x(t, {})
  await network.search({ query: 'x', sort: 'latest', since: 0, until: clock.now() }, FIRST, call)
  await network.search(
    { query: 'x', sort: 'latest', since: clock.now() - 60_000, until: clock.now() - 30_000 },
    FIRST,
    call,
  )
  const sent = requests.map(({ url }) => new URL(url, 'http://x').searchParams)
  t.same(
    sent.map(params => [params.get('start_time'), params.get('end_time')]),
    [
      ['2026-11-16T12:01:00Z', null],
      ['2026-11-23T11:59:00Z', '2026-11-23T11:59:30Z'],
    ],
  )
  t.match(notes, [{ code: 'ignored', message: /seven days/ }])
})

t.test('an account is looked up once for all pages of its posts', async t => {
  const { network, call, spent, requests } = await x(t, {
    user: ({ path: [name] }) =>
      name === 'ada' ? { body: { data: ADA } } : { body: { errors: [{ title: 'Not Found Error' }] } },
    tweets: ({ query }) => ({
      body:
        query.pagination_token === undefined
          ? { data: [tweet(3), tweet(2)], meta: { next_token: 'b' } }
          : { data: [tweet(1)], meta: {} },
    }),
  })
  const list = { by: 'handle', of: 'ada' } as const
  const one = await network.list(list, { position: null, limit: 1 }, call)
  t.equal(spent.micros, 10_000 + 2 * 5_000)
  t.match(one.posts[0]?.post.author, { handle: 'ada' })
  const inside = await network.list(list, { position: one.posts[0]?.after ?? '', limit: 1 }, call)
  t.same(
    inside.posts.map(({ post }) => post.id),
    ['x:2'],
  )
  const two = await network.list(list, { position: one.next, limit: 5 }, call)
  t.same([two.posts.map(({ post }) => post.id), two.next], [['x:1'], null])
  t.equal(requests.filter(({ url }) => url.includes('username')).length, 1)
  t.match(await rejectionOf(network.list({ by: 'handle', of: 'bob' }, FIRST, call), GatewayError), {
    code: 'not_found',
  })
  t.match(await rejectionOf(network.list({ by: 'tag', of: 'x' }, FIRST, call), GatewayError), {
    code: 'invalid_request',
  })
})

t.test('replies are read only if they are asked for; a deleted post is not found and costs nothing', async t => {
  const reply = (id: number, to: number) =>
    tweet(id, { conversation_id: '1', referenced_tweets: [{ type: 'replied_to', id: String(to) }] })
  const { network, call, spent, requests } = await x(t, {
    tweet: ({ path: [id] }) =>
      id === '1'
        ? {
            body: {
              data: tweet(1, { note_tweet: { text: 'The whole text' }, public_metrics: { reply_count: 2 } }),
              includes: { users: [ADA] },
            },
          }
        : {
            body: {
              errors: [{ title: 'Not Found Error', type: 'https://api.twitter.com/2/problems/resource-not-found' }],
            },
          },
    search: () => ({ body: { data: [reply(3, 2), reply(2, 1), reply(4, 9)], includes: { users: [ADA] }, meta: {} } }),
  })
  t.match(await network.getPost('1', { replies: 0, depth: 5 }, call), {
    post: { text: 'The whole text' },
    replies: [],
    truncated: true,
  })
  t.same([spent.micros, requests.length], [15_000, 1])
  const thread = await network.getPost('1', { replies: 20, depth: 5 }, call)
  t.same(
    thread.replies.map(({ id, depth, parent }) => [id, depth, parent]),
    [
      ['x:2', 1, 'x:1'],
      ['x:3', 2, 'x:2'],
    ],
  )
  t.equal(thread.truncated, true, 'the post has two replies, and one was found')
  spent.micros = 0
  t.match(await rejectionOf(network.getPost('5', { replies: 9, depth: 5 }, call), GatewayError), { code: 'not_found' })
  t.equal(spent.micros, 0)
})

t.test('a profile costs one user; limits and a rejected token are errors that say what to do', async t => {
  const answers: DoubleAnswer[] = [
    { body: { data: ADA } },
    { status: 429, headers: { 'x-rate-limit-reset': String(Date.parse('2026-11-23T12:00:30Z') / 1_000) } },
    { status: 401 },
    { status: 403 },
  ]
  const { network, call, spent } = await x(t, { user: () => answers.shift() ?? {} })
  t.match(await network.getProfile('ada', call), {
    id: 'x:7',
    verified: true,
    counts: { followers: 5, following: null },
  })
  t.equal(spent.micros, 10_000)
  const profile = () => rejectionOf(network.getProfile('ada', call), GatewayError)
  t.match(await profile(), { code: 'upstream_rate_limited', retryAfter: 30 })
  for (let i = 0; i < 2; i++) t.match(await profile(), { code: 'upstream_rejected', message: /X_BEARER_TOKEN/ })
})
