import t, { type Test } from 'tap'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { createReddit } from '../../../services/social/reddit.ts'
import { rejectionOf } from '../../fixtures/rejection.ts'
import { type DoubleAnswer, type DoubleRequest, networkDouble, socialDouble } from '../../fixtures/social-double.ts'

type Answer = (request: DoubleRequest) => DoubleAnswer

const listing = (children: object[], after: string | null = null) => ({ kind: 'Listing', data: { after, children } })
const none: Answer = () => ({ body: listing([]) })
const AGENT = /^server:connector-gateway:1\.2\.3$/

/** The endpoints of https://www.reddit.com/dev/api that the gateway uses. */
async function reddit(t: Test, answers: Record<string, Answer>) {
  const headers = { authorization: /^Bearer token-\d$/, 'user-agent': AGENT }
  const page = { raw_json: /^1$/, limit: /^([1-9]\d?|100)$/, after: /^t[13]_\w+$/ }
  let tokens = 0
  const issue = () => ({ body: { access_token: `token-${++tokens}`, token_type: 'bearer', expires_in: 3_600 } })
  const { token = issue, search = none, overview = none, feed = none } = answers
  const { comments = none, info = none, about = none } = answers
  const double = await socialDouble(t, {
    'POST /api/v1/access_token': {
      headers: {
        authorization: new RegExp(`^Basic ${Buffer.from('client-id:client-secret').toString('base64')}$`),
        'content-type': /^application\/x-www-form-urlencoded$/,
        'user-agent': AGENT,
      },
      answer: request => {
        t.equal(request.body, 'grant_type=client_credentials')
        return token(request)
      },
    },
    'GET /search': {
      query: { ...page, q: /^.+$/, sort: /^(new|relevance)$/, t: /^(hour|day|week|month|year|all)$/, type: /^link$/ },
      required: ['q'],
      headers,
      answer: search,
    },
    'GET /user/*/overview': { query: { ...page, sort: /^new$/ }, headers, answer: overview },
    'GET /user/*/about': { query: { raw_json: /^1$/ }, headers, answer: about },
    'GET /api/info': { query: { raw_json: /^1$/, id: /^t1_\w+$/ }, required: ['id'], headers, answer: info },
    'GET /comments/*': {
      query: { raw_json: /^1$/, limit: /^\d+$/, depth: /^\d+$/, comment: /^\w+$/, context: /^8$/ },
      headers,
      answer: comments,
    },
    'GET /r/*/*': { query: page, headers, answer: feed },
  })
  const { send, call, clock, notes } = networkDouble(t, 'Reddit')
  const app = { clientId: 'client-id', clientSecret: 'client-secret' }
  const { origin } = double
  return {
    network: createReddit({ send, clock, origin, accounts: origin, app, version: '1.2.3' }),
    call,
    clock,
    notes,
    requests: double.requests,
  }
}

const story = (id: string, more: object = {}) => ({
  kind: 't3',
  data: {
    id,
    name: `t3_${id}`,
    title: `Story ${id}`,
    selftext: 'a < b',
    author: 'ada',
    created_utc: 1_793_491_200,
    score: 0,
    num_comments: 2,
    permalink: `/r/rust/comments/${id}/story/`,
    url: 'https://example.com/page',
    is_self: false,
    over_18: false,
    ...more,
  },
})
const comment = (id: string, parent: string, replies: object[] = [], more: object = {}) => ({
  kind: 't1',
  data: {
    id,
    name: `t1_${id}`,
    body: `Comment ${id}`,
    author: 'bob',
    created_utc: 1_793_491_300,
    score: -2,
    parent_id: parent,
    link_id: 't3_s',
    permalink: `/r/rust/comments/s/story/${id}/`,
    replies: replies.length === 0 ? '' : listing(replies),
    ...more,
  },
})
const FIRST = { position: null, limit: 20 }

t.test('a post has the common shape; a removed one is marked', async t => {
  const removed = story('b', { selftext: '[removed]', author: '[deleted]' })
  const { network, call } = await reddit(t, {
    search: () => ({ body: listing([story('a'), removed, { kind: 't5', data: {} }], 't3_b') }),
  })
  const { posts, next } = await network.search({ query: 'x', sort: 'top' }, FIRST, call)
  t.equal(next, 't3_b')
  t.same(posts[0], {
    post: {
      id: 'reddit:t3_a',
      network: 'reddit',
      url: 'https://www.reddit.com/r/rust/comments/a/story/',
      author: { handle: 'ada', name: null, url: 'https://www.reddit.com/user/ada' },
      text: 'Story a\n\na < b',
      lang: null,
      created_at: '2026-11-01T00:00:00.000Z',
      metrics: { likes: null, reposts: null, replies: 2, quotes: null, score: 0 },
      media: [],
      link: 'https://example.com/page',
      reply_to: null,
      thread_root: null,
      sensitive: false,
    },
    after: 't3_a',
  })
  t.match(posts[1]?.post, { deleted: true, author: null, text: 'Story b' })
})

t.test('one token serves all calls until it expires or is rejected', async t => {
  let rejects = 0
  const { network, call, clock, requests } = await reddit(t, {
    feed: () => (rejects-- > 0 ? { status: 401, body: { message: 'Unauthorized' } } : { body: listing([]) }),
  })
  const list = () => network.list({ by: 'feed', of: 'r/rust/new' }, FIRST, call)
  const issued = () => requests.filter(({ method }) => method === 'POST').length
  await Promise.all([list(), list()])
  t.equal(issued(), 1)
  rejects = 1
  await list()
  t.equal(issued(), 2)
  clock.advance(3_600_000)
  await list()
  t.equal(issued(), 3)
  rejects = 2
  t.match(await rejectionOf(list(), GatewayError), {
    code: 'upstream_rejected',
    message: /REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET/,
  })
})

t.test('an app that Reddit rejects is an error that names the settings', async t => {
  for (const token of [() => ({ status: 401, body: {} }), () => ({ body: { error: 'invalid_grant' } })]) {
    const { network, call, requests } = await reddit(t, { token })
    const search = () => rejectionOf(network.search({ query: 'x', sort: 'top' }, FIRST, call), GatewayError)
    for (let i = 0; i < 2; i++) t.match(await search(), { code: 'upstream_rejected', message: /REDDIT_CLIENT_SECRET/ })
    t.equal(requests.length, 1)
  }
})

t.test('times select the period, and posts outside of them are left out', async t => {
  const { network, call, clock, notes, requests } = await reddit(t, {
    search: () => ({
      body: listing([story('a', { created_utc: 1_795_000_000 }), story('b', { created_utc: 1 })], 't3_b'),
    }),
  })
  const since = clock.now() - 40 * 86_400_000
  const query = { query: 'x', sort: 'latest', since, author: 'ada', language: 'en' } as const
  const { posts, next } = await network.search(query, FIRST, call)
  t.same([posts.map(({ post }) => post.id), next], [['reddit:t3_a'], 't3_b'])
  const sent = new URL(requests.at(-1)?.url ?? '', 'http://x').searchParams
  t.same([sent.get('t'), sent.get('q'), sent.get('sort')], ['year', 'x author:ada', 'new'])
  t.match(notes, [{ code: 'ignored' }])
  t.match(await network.search({ ...query, until: 1 }, { ...FIRST, position: 't3_b' }, call), { posts: [], next: null })
})

t.test('a thread has comments to a depth, and says when more exist', async t => {
  const tree = [comment('c1', 't3_s', [comment('c2', 't1_c1', [{ kind: 'more', data: {} }])]), comment('c3', 't3_s')]
  const { network, call } = await reddit(t, {
    comments: ({ path: [id], query }) =>
      id !== 's'
        ? { status: 404, body: {} }
        : { body: [listing([story('s')]), listing(query.comment === undefined ? tree : tree.slice(0, 1))] },
    info: () => ({ body: listing([comment('c2', 't1_c1')]) }),
  })
  const whole = await network.getPost('t3_s', { replies: 50, depth: 10 }, call)
  t.same(
    whole.replies.map(({ id, depth, parent, metrics }) => [id, depth, parent, metrics.score]),
    [
      ['reddit:t1_c1', 1, 'reddit:t3_s', -2],
      ['reddit:t1_c2', 2, 'reddit:t1_c1', -2],
      ['reddit:t1_c3', 1, 'reddit:t3_s', -2],
    ],
  )
  t.equal(whole.truncated, true)
  const below = await network.getPost('t1_c2', { replies: 50, depth: 10 }, call)
  t.match(
    [below.post.id, below.ancestors.map(({ id }) => id), below.truncated],
    ['reddit:t1_c2', ['reddit:t3_s', 'reddit:t1_c1'], true],
  )
  t.match(await rejectionOf(network.getPost('t3_no', { replies: 1, depth: 1 }, call), GatewayError), {
    code: 'not_found',
  })
})

t.test('profiles, trends, unknown feeds and limits', async t => {
  const { network, call } = await reddit(t, {
    about: ({ path: [name] }) =>
      name === 'ada' ? { body: { kind: 't2', data: { name, total_karma: 5 } } } : { status: 404 },
    feed: ({ path }) => ({ body: path.join() === 'popular,hot' ? listing([story('a'), story('b')]) : listing([]) }),
    overview: () => ({ status: 429, headers: { 'x-ratelimit-reset': '41.5' } }),
  })
  t.match(await network.getProfile('ada', call), { id: 'reddit:ada', counts: { score: 5, posts: null } })
  t.match(await rejectionOf(network.getProfile('bob', call), GatewayError), { code: 'not_found' })
  t.match(await network.trending(1, call), [{ kind: 'post', name: 'Story a', id: 'reddit:t3_a' }])
  for (const feed of ['r/../me', 'rust/best', ''])
    t.match(await rejectionOf(network.list({ by: 'feed', of: feed }, FIRST, call), GatewayError), {
      code: 'invalid_request',
    })
  const limited = await rejectionOf(network.list({ by: 'handle', of: 'ada' }, FIRST, call), GatewayError)
  t.match(limited, { code: 'upstream_rate_limited', retryAfter: 42 })
})
