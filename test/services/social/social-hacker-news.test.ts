import t, { type Test } from 'tap'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { createHackerNews } from '../../../services/social/hacker-news.ts'
import { rejectionOf } from '../../fixtures/rejection.ts'
import { type DoubleAnswer, type DoubleRequest, networkDouble, socialDouble } from '../../fixtures/social-double.ts'

type Answer = (request: DoubleRequest) => DoubleAnswer

const nothing: Answer = () => ({ body: { hits: [], nbPages: 0 } })

/** The endpoints of https://hn.algolia.com/api and https://github.com/HackerNews/API that the gateway uses. */
async function hackerNews(t: Test, answers: Record<string, Answer>) {
  const query = {
    query: /^.+$/,
    tags: /^\(story,comment,poll,job\)(,author_\w+)?$/,
    numericFilters: /^created_at_i(>=|<)\d+(,created_at_i<\d+)*$/,
    hitsPerPage: /^50$/,
    page: /^\d+$/,
  }
  const {
    search = nothing,
    latest = nothing,
    item = nothing,
    stored = nothing,
    stories = nothing,
    user = nothing,
  } = answers
  const double = await socialDouble(t, {
    'GET /api/v1/search': { query, required: ['query', 'tags'], answer: search },
    'GET /api/v1/search_by_date': { query, required: ['tags'], answer: latest },
    'GET /api/v1/items/*': { answer: item },
    'GET /v0/item/*.json': { answer: stored },
    'GET /v0/*stories.json': { answer: stories },
    'GET /v0/user/*.json': { answer: user },
  })
  const { send, call, notes } = networkDouble(t, 'Hacker News')
  const network = createHackerNews({ send, search: `${double.origin}/api/v1`, items: `${double.origin}/v0` })
  return { network, call, notes, requests: double.requests }
}

const hit = (id: number, second: number, more: object = {}) => ({
  objectID: String(id),
  author: 'ada',
  title: `Story ${id}`,
  created_at: new Date(second * 1_000).toISOString(),
  created_at_i: second,
  points: 7,
  num_comments: 3,
  story_id: id,
  ...more,
})

const FIRST = { position: null, limit: 20 }

t.test('a story and a comment have the common shape, and what is unknown is null', async t => {
  const comment = {
    objectID: '2',
    author: 'bob',
    title: null,
    comment_text:
      'I&#x27;d say <a href="https:&#x2F;&#x2F;example.com&#x2F;a-very-long-page" rel="nofollow">https:&#x2F;&#x2F;example.com&#x2F;a-ve...</a><p>No.',
    created_at: '2026-11-01T00:00:00Z',
    created_at_i: 1_793_491_200,
    points: null,
    parent_id: 1,
    story_id: 1,
  }
  const { network, call, notes } = await hackerNews(t, {
    search: () => ({ body: { hits: [hit(1, 1_793_491_200, { url: 'https://example.com/' }), comment], nbPages: 1 } }),
  })
  const { posts, next } = await network.search({ query: 'x', sort: 'top', language: 'en' }, FIRST, call)
  t.equal(next, null)
  t.match(notes, [{ code: 'ignored' }])
  t.same(
    posts.map(({ post }) => post),
    [
      {
        id: 'hackernews:1',
        network: 'hackernews',
        url: 'https://news.ycombinator.com/item?id=1',
        author: { handle: 'ada', name: null, url: 'https://news.ycombinator.com/user?id=ada' },
        text: 'Story 1',
        lang: null,
        created_at: '2026-11-01T00:00:00.000Z',
        metrics: { likes: null, reposts: null, replies: 3, quotes: null, score: 7 },
        media: [],
        link: 'https://example.com/',
        reply_to: null,
        thread_root: null,
        sensitive: null,
      },
      {
        id: 'hackernews:2',
        network: 'hackernews',
        url: 'https://news.ycombinator.com/item?id=2',
        author: { handle: 'bob', name: null, url: 'https://news.ycombinator.com/user?id=bob' },
        text: 'I’d say https://example.com/a-very-long-page\n\nNo.'.replace('’', "'"),
        lang: null,
        created_at: '2026-11-01T00:00:00.000Z',
        metrics: { likes: null, reposts: null, replies: null, quotes: null, score: null },
        media: [],
        link: null,
        reply_to: 'hackernews:1',
        thread_root: 'hackernews:1',
        sensitive: null,
      },
    ],
  )
})

t.test('pages by time have no gaps and no repetitions, also with many posts in one second', async t => {
  const all = Array.from({ length: 180 }, (_, i) => hit(1_000 - i, 5_000 - Math.floor(i / 7)))
  const { network, call } = await hackerNews(t, {
    latest({ query }) {
      const before = Math.min(
        ...[...String(query.numericFilters).matchAll(/created_at_i<(\d+)/g)].map(([, second]) => Number(second)),
        Number.POSITIVE_INFINITY,
      )
      return { body: { hits: all.filter(({ created_at_i }) => created_at_i < before).slice(0, 50), nbPages: 9 } }
    },
  })
  const seen: string[] = []
  let position: string | null = null
  do {
    const page = await network.search({ query: 'x', sort: 'latest' }, { position, limit: 20 }, call)
    const used: typeof page.posts = page.posts.slice(0, 20)
    seen.push(...used.map(({ post }) => post.id))
    position = used.length === page.posts.length ? page.next : (used.at(-1)?.after ?? null)
    t.ok(position === null || network.isPosition(position), String(position))
    if (seen.length === 20) all.unshift(hit(2_000, 6_000))
  } while (position !== null)
  const expected = all.map(({ objectID }) => `hackernews:${objectID}`).filter(id => id !== 'hackernews:2000')
  t.same(seen, expected)
})

t.test('times and an author become filters', async t => {
  const { network, call, requests } = await hackerNews(t, {})
  await network.search({ query: 'x', sort: 'top', since: 1_000, until: 9_999, author: 'pg' }, FIRST, call)
  await network.list({ by: 'handle', of: 'pg' }, FIRST, call)
  const [search, list] = requests.map(({ url }) => new URL(url, 'http://x').searchParams)
  t.equal(search?.get('numericFilters'), 'created_at_i>=1,created_at_i<9')
  t.equal(list?.get('tags'), '(story,comment,poll,job),author_pg')
})

t.test('a thread has its ancestors and its replies in order, within the limits', async t => {
  const node = (id: number, parent: number, children: object[] = []) => ({
    id,
    author: 'ada',
    title: null,
    text: `Reply ${id}`,
    created_at: '2026-11-01T00:00:00Z',
    points: null,
    parent_id: parent,
    story_id: 1,
    children,
  })
  const gone = { ...node(12, 10, [node(13, 12)]), author: null, text: null }
  const tree = node(10, 5, [node(11, 10, [node(14, 11)]), gone, node(11, 10)])
  const { network, call } = await hackerNews(t, {
    item: ({ path: [id] }) => (id === '10' ? { body: tree } : { status: 404, body: { error: 'Not Found' } }),
    stored: ({ path: [id] }) => ({
      body: {
        id: Number(id),
        by: 'bob',
        time: 1,
        ...(id === '5' ? { parent: 1, type: 'comment', text: 'x' } : { title: 'Story' }),
      },
    }),
  })
  const thread = await network.getPost('10', { replies: 50, depth: 10 }, call)
  t.same(
    thread.ancestors.map(({ id }) => id),
    ['hackernews:1', 'hackernews:5'],
  )
  t.same(
    thread.replies.map(({ id, depth, parent, deleted }) => [id, depth, parent, deleted === true]),
    [
      ['hackernews:11', 1, 'hackernews:10', false],
      ['hackernews:14', 2, 'hackernews:11', false],
      ['hackernews:12', 1, 'hackernews:10', true],
      ['hackernews:13', 2, 'hackernews:12', false],
    ],
    'each reply once',
  )
  t.equal(thread.truncated, false)
  t.match(await network.getPost('10', { replies: 2, depth: 10 }, call), { replies: { length: 2 }, truncated: true })
  t.match(await network.getPost('10', { replies: 9, depth: 1 }, call), { replies: { length: 2 }, truncated: true })
  const missing = await rejectionOf(network.getPost('77', { replies: 1, depth: 1 }, call), GatewayError)
  t.match(missing, { code: 'not_found' })
})

t.test('a thread of 3,000 levels and one of 5,000 replies answer in time', async t => {
  const node = (id: number, children: string) =>
    `{"id":${id},"author":"a","title":null,"text":"x","created_at":"2026-11-01T00:00:00Z","parent_id":null,"story_id":1,"children":[${children}]}`
  let deep = ''
  for (let id = 3_000; id > 0; id--) deep = node(id, deep)
  const wide = node(1, Array.from({ length: 5_000 }, (_, i) => node(i + 2, '')).join())
  const bodies = [deep, wide]
  const { network, call } = await hackerNews(t, {
    item: () => ({ body: bodies.shift() }),
    stored: () => ({ body: { id: 1, descendants: 9 } }),
  })
  for (const replies of [200, 200])
    t.match(await network.getPost('1', { replies, depth: 10_000 }, call), { replies: { length: 200 }, truncated: true })
})

t.test('a feed continues after its last item, also when the ranking moved', async t => {
  const ids = [10, 11, 12, 13, 14, 15]
  const { network, call } = await hackerNews(t, {
    stories: ({ path: [name] }) => ({ body: name === 'top' ? ids : [] }),
    stored: ({ path: [id] }) => ({
      body: id === '12' ? null : { id: Number(id), by: 'ada', title: `Story ${id}`, time: 1, score: 0 },
    }),
  })
  const list = { by: 'feed', of: 'top' } as const
  const one = await network.list(list, { position: null, limit: 3 }, call)
  t.same(
    one.posts.map(({ post }) => post.id),
    ['hackernews:10', 'hackernews:11'],
  )
  t.equal(one.posts[0]?.post.metrics.score, 0, 'a known 0 is 0')
  ids.unshift(9)
  const two = await network.list(list, { position: one.next, limit: 9 }, call)
  t.same([two.posts.map(({ post }) => post.id), two.next], [['hackernews:13', 'hackernews:14', 'hackernews:15'], null])
  t.match(await network.list({ by: 'feed', of: 'new' }, FIRST, call), { posts: [], next: null })
  t.match(await network.trending(2, call), [{ kind: 'post', name: 'Story 9', id: 'hackernews:9', posts: null }, {}])
  for (const wrong of [{ by: 'feed', of: 'constructor' } as const, { by: 'tag', of: 'x' } as const])
    t.match(
      await rejectionOf(
        Promise.try(() => network.list(wrong, FIRST, call)),
        GatewayError,
      ),
      { code: 'invalid_request' },
    )
})

t.test('a profile has its karma as score; an unknown user is not found', async t => {
  const { network, call } = await hackerNews(t, {
    user: ({ path: [id] }) => ({
      body:
        id === 'pg'
          ? { id: 'pg', created: 1_160_418_092, karma: 155_111, about: 'Bug&#x2F;fixer.', submitted: [1, 2] }
          : null,
    }),
  })
  t.match(await network.getProfile('pg', call), {
    id: 'hackernews:pg',
    bio: 'Bug/fixer.',
    counts: { followers: null, posts: 2, score: 155_111 },
    created_at: '2006-10-09T18:21:32.000Z',
  })
  t.match(await rejectionOf(network.getProfile('nobody', call), GatewayError), { code: 'not_found' })
})

t.test('each failure of a network has its code and says what to do', async t => {
  const answers: DoubleAnswer[] = [
    { status: 429, headers: { 'retry-after': '7' } },
    { status: 429 },
    { status: 401 },
    { status: 403 },
    { status: 400 },
    { status: 503 },
    { body: '<html>' },
    { body: '['.repeat(100_000) },
  ]
  const { network, call } = await hackerNews(t, { search: () => answers.shift() ?? {} })
  const codes: unknown[] = []
  while (answers.length > 0) {
    const error = await rejectionOf(network.search({ query: 'x', sort: 'top' }, FIRST, call), GatewayError)
    t.match(error.message, /^Hacker News /)
    codes.push([error.code, error.retryAfter])
  }
  t.same(codes, [
    ['upstream_rate_limited', 7],
    ['upstream_rate_limited', 60],
    ['upstream_rejected', undefined],
    ['upstream_rejected', undefined],
    ['upstream_rejected', undefined],
    ['upstream_unavailable', undefined],
    ['upstream_unavailable', undefined],
    ['upstream_unavailable', undefined],
  ])
})

t.test('a network that does not answer ends with the call', async t => {
  const { network, call } = await hackerNews(t, { search: () => ({ hangs: true }) })
  const stopped = { ...call, signal: AbortSignal.timeout(50) }
  const error = await rejectionOf(network.search({ query: 'x', sort: 'top' }, FIRST, stopped), GatewayError)
  t.match(error, { code: 'timeout' })
})
