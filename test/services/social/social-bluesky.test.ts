import t, { type Test } from 'tap'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { createBluesky } from '../../../services/social/bluesky.ts'
import { rejectionOf } from '../../fixtures/rejection.ts'
import { type DoubleAnswer, type DoubleRequest, networkDouble, socialDouble } from '../../fixtures/social-double.ts'

type Answer = (request: DoubleRequest) => DoubleAnswer

const empty: Answer = () => ({ body: {} })
const AT = /^at:\/\/[\w:.]+\/app\.bsky\.feed\.(post|generator)\/\w+$/
const ACTOR = /^[\w:.-]+$/

/** The endpoints of the lexicons app.bsky and com.atproto that the gateway uses. */
async function bluesky(t: Test, answers: Record<string, Answer>, account?: { handle: string; appPassword: string }) {
  const paged = { limit: /^50$/, cursor: /^.+$/ }
  const { session = empty, search = empty, author = empty, feed = empty } = answers
  const { thread = empty, profile = empty, trends = empty } = answers
  const double = await socialDouble(t, {
    'POST /xrpc/com.atproto.server.createSession': {
      headers: { 'content-type': /^application\/json$/ },
      answer: session,
    },
    'GET /xrpc/app.bsky.feed.searchPosts': {
      query: {
        ...paged,
        q: /^.+$/,
        sort: /^(top|latest)$/,
        since: /^\d{4}-.+Z$/,
        until: /^\d{4}-.+Z$/,
        author: ACTOR,
        lang: /^[a-z]+$/,
      },
      required: ['q'],
      headers: { authorization: /^Bearer token-\d$/ },
      answer: search,
    },
    'GET /xrpc/app.bsky.feed.getAuthorFeed': { query: { ...paged, actor: ACTOR }, required: ['actor'], answer: author },
    'GET /xrpc/app.bsky.feed.getFeed': { query: { ...paged, feed: AT }, required: ['feed'], answer: feed },
    'GET /xrpc/app.bsky.feed.getPostThread': {
      query: { uri: AT, depth: /^([0-9]{1,3}|1000)$/, parentHeight: /^40$/ },
      required: ['uri'],
      answer: thread,
    },
    'GET /xrpc/app.bsky.actor.getProfile': { query: { actor: ACTOR }, required: ['actor'], answer: profile },
    'GET /xrpc/app.bsky.unspecced.getTrends': { query: { limit: /^([1-9]|1\d|2[0-5])$/ }, answer: trends },
  })
  const { send, call, clock, notes } = networkDouble(t, 'Bluesky')
  const network = createBluesky({ send, clock, origin: double.origin, accounts: double.origin, account })
  return { network, call, clock, notes, requests: double.requests }
}

const ACCOUNT = { handle: 'gateway.example', appPassword: 'aaaa-bbbb-cccc-dddd' }
const uri = (key: string) => `at://did:plc:ada/app.bsky.feed.post/${key}`
const view = (key: string, more: object = {}, record: object = {}) => ({
  uri: uri(key),
  cid: 'bafy',
  author: { did: 'did:plc:ada', handle: 'ada.example', displayName: 'Ada' },
  record: {
    $type: 'app.bsky.feed.post',
    text: `Post ${key}`,
    createdAt: '2026-11-01T00:00:00Z',
    langs: ['en'],
    ...record,
  },
  indexedAt: '2026-11-01T00:00:05Z',
  replyCount: 0,
  likeCount: 3,
  labels: [],
  ...more,
})
const FIRST = { position: null, limit: 20 }

t.test('a post has the common shape; counts that are missing are null', async t => {
  const embed = {
    $type: 'app.bsky.embed.recordWithMedia#view',
    record: { record: { uri: uri('quoted'), author: { handle: 'bob.example' } } },
    media: {
      $type: 'app.bsky.embed.images#view',
      images: [{ thumb: 'x', fullsize: 'https://cdn.example/1', alt: 'A cat' }],
    },
  }
  const reply = { root: { uri: uri('root'), cid: 'x' }, parent: { uri: uri('parent'), cid: 'x' } }
  const { network, call } = await bluesky(t, {
    author: () => ({
      body: {
        feed: [
          { post: view('one', { embed, labels: [{ val: 'porn' }] }, { reply }) },
          { post: view('two'), reason: { $type: 'app.bsky.feed.defs#reasonRepost' } },
          { post: view('three', { embed: { external: { uri: 'javascript:alert(1)' } } }, { text: 'a\u202eb\u0000' }) },
        ],
      },
    }),
  })
  const { posts, next } = await network.list({ by: 'handle', of: 'ada.example' }, FIRST, call)
  t.equal(next, null)
  t.equal(posts.length, 2, 'a repost is not a post of this account')
  t.same(posts[0]?.post, {
    id: `bluesky:${uri('one')}`,
    network: 'bluesky',
    url: 'https://bsky.app/profile/ada.example/post/one',
    author: { handle: 'ada.example', name: 'Ada', url: 'https://bsky.app/profile/ada.example' },
    text: 'Post one',
    lang: 'en',
    created_at: '2026-11-01T00:00:00.000Z',
    metrics: { likes: 3, reposts: null, replies: 0, quotes: null, score: null },
    media: [{ type: 'image', url: 'https://cdn.example/1', alt: 'A cat' }],
    link: 'https://bsky.app/profile/bob.example/post/quoted',
    reply_to: `bluesky:${uri('parent')}`,
    thread_root: `bluesky:${uri('root')}`,
    sensitive: true,
  })
  t.match(posts[1]?.post, { link: null, text: 'ab' })
})

t.test('search signs in once for concurrent calls, and again when the token has expired', async t => {
  let sessions = 0
  let valid = 'token-1'
  const { network, call, clock, requests } = await bluesky(
    t,
    {
      session: ({ body }) => {
        t.same(JSON.parse(body), { identifier: ACCOUNT.handle, password: ACCOUNT.appPassword })
        return { body: { accessJwt: `token-${++sessions}`, refreshJwt: 'r', handle: 'x', did: 'y' } }
      },
      search: ({ headers, query }) =>
        headers.authorization === `Bearer ${valid}`
          ? {
              body: {
                posts: query.cursor === '50' ? [view('c')] : [view('a'), view('b')],
                ...(!query.cursor && { cursor: '50' }),
              },
            }
          : { status: 400, body: { error: 'ExpiredToken', message: 'Token has expired' } },
    },
    ACCOUNT,
  )
  const query = { query: 'x', sort: 'latest', since: 0, until: 1, author: 'ada.example', language: 'en' } as const
  const [one] = await Promise.all([network.search(query, FIRST, call), network.search(query, FIRST, call)])
  t.equal(sessions, 1)
  t.ok(network.isPosition(one.next ?? '') && network.isPosition(one.posts[0]?.after ?? ''))
  const two = await network.search(query, { position: one.next, limit: 20 }, call)
  t.match([two.posts[0]?.post.id, two.next], [`bluesky:${uri('c')}`, null])
  const between = await network.search(query, { position: one.posts[0]?.after ?? null, limit: 20 }, call)
  t.match(between.posts, [{ post: { id: `bluesky:${uri('b')}` } }])

  valid = 'token-2'
  await network.search(query, FIRST, call)
  t.equal(sessions, 2, 'a rejected token is replaced')
  clock.advance(111 * 60_000)
  valid = 'token-3'
  const before = requests.length
  await network.search(query, FIRST, call)
  t.same([sessions, requests.length - before], [3, 2], 'an old token is replaced before it is sent')
})

t.test('a rejected account is not tried again at once, and the error names the settings', async t => {
  let sessions = 0
  const { network, call, clock } = await bluesky(
    t,
    { session: () => ({ status: ++sessions && 401, body: { error: 'AuthenticationRequired' } }) },
    ACCOUNT,
  )
  const search = () => rejectionOf(network.search({ query: 'x', sort: 'top' }, FIRST, call), GatewayError)
  const rejected = { code: 'upstream_rejected', message: /BLUESKY_HANDLE and BLUESKY_APP_PASSWORD/ }
  for (let i = 0; i < 3; i++) t.match(await search(), rejected)
  t.equal(sessions, 1)
  clock.advance(61_000)
  t.match(await search(), rejected)
  t.equal(sessions, 2)
  const { network: open, call: other } = await bluesky(t, {})
  const error = await rejectionOf(open.search({ query: 'x', sort: 'top' }, FIRST, other), GatewayError)
  t.match(error, { code: 'invalid_request' })
})

t.test('a thread has deleted posts, and says when blocked or missing posts are left out', async t => {
  const thread = {
    post: view('c', { replyCount: 3 }, { reply: { root: { uri: uri('a') }, parent: { uri: uri('b') } } }),
    parent: { uri: uri('b'), notFound: true, parent: { post: view('a') } },
    replies: [
      { post: view('d'), replies: [{ post: view('e'), replies: [] }] },
      { uri: uri('f'), notFound: true },
      { uri: uri('g'), blocked: true, author: { did: 'did:plc:x' } },
    ],
  }
  const { network, call } = await bluesky(t, {
    thread: ({ query }) =>
      query.uri === uri('c')
        ? { body: { thread } }
        : query.uri === uri('gone')
          ? { body: { thread: { uri: uri('gone'), notFound: true } } }
          : { status: 400, body: { error: 'NotFound', message: 'Post not found' } },
  })
  const found = await network.getPost(uri('c'), { replies: 50, depth: 6 }, call)
  t.match(found, { post: { id: `bluesky:${uri('c')}` }, truncated: true })
  t.match(found.ancestors, [{ id: `bluesky:${uri('a')}` }, { id: `bluesky:${uri('b')}`, deleted: true, author: null }])
  t.match(
    found.replies.map(({ id, depth, deleted }) => [id.slice(-1), depth, deleted === true]),
    [
      ['d', 1, false],
      ['e', 2, false],
      ['f', 1, true],
    ],
  )
  for (const key of ['gone', 'never'])
    t.match(await rejectionOf(network.getPost(uri(key), { replies: 1, depth: 1 }, call), GatewayError), {
      code: 'not_found',
    })
})

t.test('feeds, profiles and trends', async t => {
  const { network, call, requests } = await bluesky(t, {
    feed: () => ({ body: { feed: [{ post: view('one') }], cursor: 'next page' } }),
    profile: ({ query }) =>
      query.actor === 'ada.example'
        ? {
            body: {
              did: 'did:plc:ada',
              handle: 'ada.example',
              followersCount: 5,
              verification: { verifiedStatus: 'valid' },
            },
          }
        : { status: 400, body: { error: 'InvalidRequest', message: 'Profile not found' } },
    trends: () => ({
      body: {
        trends: [{ topic: 'rust', displayName: 'Rust', link: '/profile/trending.bsky.app/feed/1', postCount: 80 }, {}],
      },
    }),
  })
  for (const feed of [
    'https://bsky.app/profile/ada.example/feed/cats',
    'at://did:plc:ada/app.bsky.feed.generator/cats',
  ])
    t.match(
      await network.list({ by: 'feed', of: feed }, FIRST, call),
      { next: null },
      'a cursor with a space is not used',
    )
  t.match(
    new URL(requests[0]?.url ?? '', 'http://x').searchParams.get('feed'),
    'at://ada.example/app.bsky.feed.generator/cats',
  )
  for (const wrong of [{ by: 'feed', of: 'cats' } as const, { by: 'tag', of: 'cats' } as const])
    t.match(await rejectionOf(network.list(wrong, FIRST, call), GatewayError), { code: 'invalid_request' })
  t.match(await network.getProfile('ada.example', call), {
    id: 'bluesky:did:plc:ada',
    counts: { followers: 5, following: null },
    verified: true,
  })
  t.match(await rejectionOf(network.getProfile('no.example', call), GatewayError), { code: 'not_found' })
  t.same(await network.trending(30, call), [
    {
      network: 'bluesky',
      kind: 'topic',
      name: 'Rust',
      url: 'https://bsky.app/profile/trending.bsky.app/feed/1',
      posts: 80,
      id: null,
    },
  ])
})
