import t, { type Test } from 'tap'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { createMastodon } from '../../../services/social/mastodon.ts'
import { rejectionOf } from '../../fixtures/rejection.ts'
import { type DoubleAnswer, type DoubleRequest, networkDouble, socialDouble } from '../../fixtures/social-double.ts'

type Answer = (request: DoubleRequest) => DoubleAnswer

const none: Answer = () => ({ body: [] })
const ID = /^\d+$/
const LIMIT = { limit: /^([1-9]|[123]\d|40)$/, max_id: ID }

/** The endpoints of https://github.com/mastodon/documentation that the gateway uses. */
async function mastodon(t: Test, answers: Record<string, Answer>, token?: string) {
  const headers = token === undefined ? {} : { headers: { authorization: new RegExp(`^Bearer ${token}$`) } }
  const { search = none, tag = none, feed = none, lookup = none, statuses = none } = answers
  const { status = none, context = none, trends = none } = answers
  const bool = /^(true|false)$/
  const double = await socialDouble(t, {
    'GET /api/v2/search': {
      query: { ...LIMIT, q: /^.+$/, type: /^statuses$/, min_id: ID },
      required: ['q'],
      ...headers,
      answer: search,
    },
    'GET /api/v1/timelines/tag/*': { query: { ...LIMIT, since_id: ID }, ...headers, answer: tag },
    'GET /api/v1/timelines/public': { query: { ...LIMIT, local: bool }, ...headers, answer: feed },
    'GET /api/v1/accounts/lookup': { query: { acct: /^[\w.-]+$/ }, required: ['acct'], ...headers, answer: lookup },
    'GET /api/v1/accounts/*/statuses': {
      query: { ...LIMIT, since_id: ID, exclude_reblogs: bool, tagged: /^\w+$/ },
      ...headers,
      answer: statuses,
    },
    'GET /api/v1/statuses/*': { ...headers, answer: status },
    'GET /api/v1/statuses/*/context': { ...headers, answer: context },
    'GET /api/v1/trends/tags': { query: { limit: /^([1-9]|1\d|20)$/ }, ...headers, answer: trends },
  })
  const { send, call, notes } = networkDouble(t, 'Mastodon')
  const network = createMastodon({ send, instances: [double.origin], token })
  return { network, call, notes, requests: double.requests, host: new URL(double.origin).host }
}

const status = (id: number, more: object = {}) => ({
  id: String(id),
  created_at: '2026-11-01T00:00:00.000Z',
  visibility: 'public',
  in_reply_to_id: null,
  sensitive: false,
  spoiler_text: '',
  language: 'en',
  url: `https://remote.example/@ada/${id}`,
  uri: `https://remote.example/users/ada/statuses/${id}`,
  replies_count: 0,
  reblogs_count: 2,
  favourites_count: 3,
  content: `<p>Post ${id}</p>`,
  account: { id: '1', acct: 'ada@remote.example', display_name: 'Ada', url: 'https://remote.example/@ada' },
  media_attachments: [],
  card: null,
  ...more,
})
const FIRST = { position: null, limit: 20 }

t.test('a status has the common shape, with its text without HTML', async t => {
  const content =
    '<p>See <a href="https://example.com/page"><span class="invisible">https://</span><span>example.com/page</span></a><br>Yes &amp; no</p><script>x</script><p>Two</p>'
  const { network, call, host } = await mastodon(t, {
    tag: ({ path: [tag] }) => {
      t.equal(tag, 'café')
      const media = [{ type: 'gifv', url: 'https://files.example/1.mp4', description: 'A cat' }]
      return { body: [status(9, { content, spoiler_text: 'Cats', media_attachments: media, in_reply_to_id: '8' })] }
    },
  })
  const { posts } = await network.list({ by: 'tag', of: 'café' }, FIRST, call)
  t.same(posts[0]?.post, {
    id: `mastodon:${host}/9`,
    network: 'mastodon',
    url: 'https://remote.example/@ada/9',
    author: { handle: 'ada@remote.example', name: 'Ada', url: 'https://remote.example/@ada' },
    text: 'Cats\n\nSee https://example.com/page\nYes & no\n\nTwo',
    lang: 'en',
    created_at: '2026-11-01T00:00:00.000Z',
    metrics: { likes: 3, reposts: 2, replies: 0, quotes: null, score: null },
    media: [{ type: 'video', url: 'https://files.example/1.mp4', alt: 'A cat' }],
    link: null,
    reply_to: `mastodon:${host}/8`,
    thread_root: null,
    sensitive: false,
  })
})

t.test('without a token, a search is a hashtag, with times as IDs', async t => {
  const all = Array.from({ length: 90 }, (_, i) => status(1_000 - i, { language: i % 3 === 0 ? 'de' : 'en' }))
  const { network, call, notes, requests } = await mastodon(t, {
    tag: ({ query }) => ({
      body: all.filter(({ id }) => Number(id) < Number(query.max_id ?? 1e18)).slice(0, Number(query.limit)),
    }),
  })
  const seen: string[] = []
  let position: string | null = null
  do {
    const page = await network.search({ query: ' #rust ', sort: 'top', language: 'en' }, { position, limit: 50 }, call)
    // Half of a page is used, as when several networks are merged.
    const used: typeof page.posts = page.posts.slice(0, 13)
    seen.push(...used.map(({ post }) => post.id.split('/')[1] ?? ''))
    position = used.length === page.posts.length ? page.next : (used.at(-1)?.after ?? null)
    t.ok(position === null || network.isPosition(position))
  } while (position !== null)
  t.same(
    seen,
    all.filter(({ language }) => language === 'en').map(({ id }) => id),
  )
  t.match(notes[0], { code: 'ignored' })
  await network.search({ query: 'rust', sort: 'latest', since: 1_000, until: 2_000 }, FIRST, call)
  const last = new URL(requests.at(-1)?.url ?? '', 'http://x').searchParams
  t.same([last.get('since_id'), last.get('max_id')], ['65536000', '131072000'])
  const error = await rejectionOf(network.search({ query: 'two words', sort: 'top' }, FIRST, call), GatewayError)
  t.match(error, { code: 'invalid_request', message: /MASTODON_TOKEN/ })
})

t.test('with a token, a search has the full text, and goes with the token only to its server', async t => {
  const other = await mastodon(t, { status: () => ({ body: status(5) }), context: () => ({ body: {} }) })
  const { network, call, requests } = await mastodon(
    t,
    {
      search: () => ({ body: { accounts: [], statuses: [status(7)], hashtags: [] } }),
      lookup: () => ({ body: { id: '4' } }),
    },
    'secret-token',
  )
  const query = {
    query: 'two words',
    sort: 'latest',
    author: 'ada@remote.example',
    language: 'en',
    since: 1,
    until: 2,
  } as const
  t.match(await network.search(query, FIRST, call), { posts: [{ after: 'm7' }], next: 'm7' })
  t.equal(
    new URL(requests[0]?.url ?? '', 'http://x').searchParams.get('q'),
    'two words from:ada@remote.example language:en in:public',
  )
  // The double rejects a request with a token.
  const { send } = networkDouble(t, 'Mastodon')
  const two = createMastodon({ send, instances: [`http://127.0.0.1:9`, `http://${other.host}`], token: 'secret-token' })
  t.match(await two.getPost(`${other.host}/5`, { replies: 1, depth: 1 }, call), {
    post: { id: `mastodon:${other.host}/5` },
  })
})

t.test('a thread is a flat list of the server; a cycle and a missing parent end it', async t => {
  const descendants = [
    status(11, { in_reply_to_id: '10' }),
    status(12, { in_reply_to_id: '11' }),
    status(13, { in_reply_to_id: '14' }),
    status(14, { in_reply_to_id: '13' }),
    status(10, { in_reply_to_id: '12' }),
    status(15, { in_reply_to_id: '10' }),
  ]
  const { network, call, host } = await mastodon(t, {
    status: ({ path: [id] }) =>
      id === '10' ? { body: status(10, { replies_count: 2, in_reply_to_id: '9' }) } : { status: 404 },
    context: ({ path: [id] }) => (id === '10' ? { body: { ancestors: [status(9)], descendants } } : { status: 404 }),
  })
  const thread = await network.getPost(`${host}/10`, { replies: 50, depth: 10 }, call)
  t.match(thread, { ancestors: [{ id: `mastodon:${host}/9` }], truncated: false })
  t.same(
    thread.replies.map(({ id, depth, parent }) => [id.split('/')[1], depth, parent.split('/')[1]]),
    [
      ['11', 1, '10'],
      ['12', 2, '11'],
      ['15', 1, '10'],
    ],
  )
  const longer = { ancestors: Array.from({ length: 60 }, (_, index) => status(100 + index)), descendants }
  const { network: hostile, host: other } = await mastodon(t, {
    status: () => ({ body: status(10) }),
    context: () => ({ body: longer }),
  })
  const bounded = await hostile.getPost(`${other}/10`, { replies: 1, depth: 10 }, call)
  t.equal(bounded.ancestors.length, 40, 'the nearest posts above')
  t.match(bounded.ancestors.at(-1), { id: `mastodon:${other}/159` })
  t.equal(bounded.replies.length, 1)
  t.equal(bounded.truncated, true)
  const missing = await rejectionOf(network.getPost(`${host}/77`, { replies: 1, depth: 1 }, call), GatewayError)
  t.match(missing, { code: 'not_found' })
})

t.test('accounts, feeds and trends', async t => {
  const { network, call, host } = await mastodon(t, {
    lookup: ({ query }) =>
      query.acct === 'ada'
        ? {
            body: {
              id: '4',
              acct: 'ada',
              display_name: 'Ada',
              note: '<p>Hi</p>',
              followers_count: 0,
              url: 'https://x.example/@ada',
            },
          }
        : { status: 404, body: { error: 'Record not found' } },
    statuses: ({ path: [id] }) => ({ body: id === '4' ? [status(3), status(2, { reblog: status(1) })] : [] }),
    feed: ({ query }) => ({ body: query.local === 'true' ? [status(3)] : [] }),
    trends: () => ({
      body: [{ name: 'rust', url: 'https://x.example/tags/rust', history: [{ uses: '2' }, { uses: '3' }] }],
    }),
  })
  t.match(await network.getProfile('ada', call), {
    id: `mastodon:ada@${host}`,
    bio: 'Hi',
    counts: { followers: 0, posts: null },
  })
  t.match(await rejectionOf(network.getProfile('bob', call), GatewayError), { code: 'not_found' })
  t.match(await network.list({ by: 'handle', of: `ada@${host}` }, FIRST, call), { posts: [{}, {}], next: 'm2' })
  t.match(await network.list({ by: 'feed', of: 'local' }, FIRST, call), { posts: [{}] })
  t.match(await rejectionOf(network.list({ by: 'feed', of: 'toString' }, FIRST, call), GatewayError), {
    code: 'invalid_request',
  })
  t.match(await network.trending(30, call), [{ kind: 'tag', name: '#rust', posts: 5 }])
})

t.test('a server that shows nothing to strangers, or limits requests, is an error that says so', async t => {
  const answers: DoubleAnswer[] = [
    { status: 401, body: { error: 'This API requires an authenticated user' } },
    {
      status: 429,
      headers: { date: 'Mon, 23 Nov 2026 12:00:00 GMT', 'x-ratelimit-reset': '2026-11-23T12:02:00.000000Z' },
      body: { error: 'Too many requests' },
    },
  ]
  const { network, call } = await mastodon(t, { feed: () => answers.shift() ?? {} })
  const list = () => rejectionOf(network.list({ by: 'feed', of: 'public' }, FIRST, call), GatewayError)
  t.match(await list(), { code: 'upstream_rejected', message: /without a credential/ })
  t.match(await list(), { code: 'upstream_rate_limited', retryAfter: 120 })
})

t.test('what only the user of the token may see is never returned', async t => {
  const hidden = ['direct', 'private', undefined].map((visibility, i) => status(i + 1, { visibility }))
  const boost = status(4, { reblog: status(5, { visibility: 'private' }) })
  const { network, call } = await mastodon(
    t,
    {
      search: () => ({ body: { statuses: [...hidden, boost, status(6, { visibility: 'unlisted' })] } }),
      status: ({ path: [id] }) => ({ body: status(Number(id), id === '1' ? { visibility: 'direct' } : {}) }),
      context: () => ({
        body: {
          ancestors: [status(7, { visibility: 'private' })],
          descendants: [status(8, { in_reply_to_id: '6', visibility: 'direct' }), status(9, { in_reply_to_id: '6' })],
        },
      }),
    },
    'token',
  )
  const query = { query: 'password', sort: 'latest' } as const
  const { posts } = await network.search(query, FIRST, call)
  t.same(
    posts.map(({ after }) => after),
    ['m6'],
  )
  await t.rejects(async () => network.search({ ...query, query: 'password in:library' }, FIRST, call), {
    code: 'invalid_request',
  })
  const host = posts[0]?.post.id.replace(/^mastodon:|\/.*$/g, '')
  const options = { replies: 10, depth: 5 }
  await t.rejects(network.getPost(`${host}/1`, options, call), { code: 'not_found' })
  const { ancestors, replies } = await network.getPost(`${host}/6`, options, call)
  t.same([ancestors, replies.map(({ text }) => text)], [[], ['Post 9']])
  await t.rejects(async () => network.list({ by: 'tag', of: '../..' }, FIRST, call), { code: 'invalid_request' })
})
