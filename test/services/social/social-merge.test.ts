import t from 'tap'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { NetworkName, Post } from '../../../schemas/tools/social.ts'
import type { Network } from '../../../services/social/network.ts'
import { isPagedPosition, readProviderPage } from '../../../services/social/paged.ts'
import { type ReaderCall, readerOf } from '../../../services/social/social-reader.ts'
import fc from '../../fixtures/property.ts'
import { rejectionOf } from '../../fixtures/rejection.ts'

const call: ReaderCall = { orgId: 'org_1', signal: AbortSignal.timeout(60_000), charge() {} }
const fresh = { limit: 10, cursor: undefined }

function post(network: NetworkName, second: number, index: number): Post {
  return {
    id: `${network}:${index}`,
    network,
    url: null,
    author: null,
    text: `Post ${index}`,
    lang: null,
    created_at: new Date(second * 1_000).toISOString(),
    metrics: { likes: null, reposts: null, replies: null, quotes: null, score: null },
    media: null,
    link: null,
    reply_to: null,
    thread_root: null,
    sensitive: null,
  }
}

interface Fake {
  name: NetworkName
  /** The times of its posts, in seconds. */
  times: readonly number[]
  /** How it pages: after any post, or only between its own pages of a size. */
  pages: 'after any post' | number
  /** In which of its requests it fails. */
  fails: ReadonlySet<number>
}

const unsupported = () => Promise.reject(new Error('not part of this test'))

/** A network in memory. `appear` adds a newer post in front, as time passes. */
function fakeNetwork({ name, times, pages, fails }: Fake) {
  const posts = times.toSorted((a, b) => b - a).map((second, i) => post(name, second, i))
  let requests = 0
  const network: Network = {
    name,
    async search(_query, { position, limit }) {
      if (fails.has(requests++)) throw new GatewayError('upstream_unavailable', `${name} has a problem.`)
      if (pages === 'after any post') {
        const from = position === null ? 0 : posts.findIndex(({ id }) => id === position) + 1
        const page = posts.slice(from, from + limit)
        const after = ({ id }: Post) => (posts.at(-1)?.id === id ? null : id)
        return {
          posts: page.map(post => ({ post, after: after(post) })),
          next: page.length === 0 ? null : after(page.at(-1) as Post),
        }
      }
      return readProviderPage(position, async cursor => {
        const from = Number(cursor ?? 0)
        const to = from + pages
        return { posts: posts.slice(from, to), cursor: to < posts.length ? String(to) : null }
      })
    },
    list: unsupported,
    getPost: unsupported,
    getProfile: unsupported,
    trending: unsupported,
    isPosition: position => isPagedPosition(position, /^\d+$/) || /^\w+:\d+$/.test(position),
  }
  return { network, posts }
}

const fake = (name: NetworkName) =>
  fc.record({
    name: fc.constant(name),
    times: fc.array(fc.integer({ min: 1_700_000_000, max: 1_700_000_040 }), { maxLength: 25 }),
    pages: fc.oneof(fc.constant('after any post' as const), fc.integer({ min: 1, max: 12 })),
    fails: fc.array(fc.nat(8), { maxLength: 3 }).map(requests => new Set(requests)),
  })

t.test('pages over several networks neither repeat nor leave out a post, whatever fails meanwhile', async t => {
  const networks = fc.tuple(fake('hackernews'), fake('bluesky'), fake('mastodon'))
  const limits = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 })
  const property = fc.asyncProperty(networks, fc.constantFrom('top', 'latest'), limits, async (fakes, sort, limits) => {
    const opened = fakes.map(fakeNetwork)
    const reader = readerOf(new Map(opened.map(({ network }) => [network.name, network])))
    const names = fakes.map(({ name }) => name)
    const seen: Post[] = []
    let cursor: string | undefined
    for (let page = 0; page < 500; page++) {
      const limit = limits[page % limits.length] ?? 1
      // All networks fail at once: the caller sends the same cursor again.
      const found = await reader.search(names, { query: 'x', sort }, { limit, cursor }, call).catch(error => {
        if (error instanceof GatewayError && error.code === 'upstream_unavailable') return undefined
        throw error
      })
      if (found === undefined) continue
      if (found.posts.length > limit) throw new Error('more posts than asked for')
      seen.push(...found.posts)
      if (found.nextCursor === null) {
        const ids = seen.map(({ id }) => id)
        t.same(ids.toSorted(), opened.flatMap(({ posts }) => posts.map(({ id }) => id)).toSorted())
        const failed = fakes.some(({ fails }) => fails.size > 0)
        const times = seen.map(({ created_at }) => created_at ?? '')
        if (sort === 'latest' && !failed) t.same(times, times.toSorted().reverse(), 'newest first over all pages')
        return
      }
      cursor = found.nextCursor
    }
    throw new Error('the pages do not end')
  })
  await fc.assert(property, { numRuns: 300 })
})

t.test('a post that appears in front of a page is not the reason to repeat another', async t => {
  const { network, posts } = fakeNetwork({ name: 'bluesky', times: [9, 8, 7, 6, 5], pages: 4, fails: new Set() })
  const reader = readerOf(new Map([['bluesky', network]]))
  const first = await reader.search(['bluesky'], { query: 'x', sort: 'latest' }, { limit: 2, cursor: undefined }, call)
  posts.unshift(post('bluesky', 10, 99))
  const rest = await reader.search(
    ['bluesky'],
    { query: 'x', sort: 'latest' },
    { limit: 9, cursor: first.nextCursor ?? undefined },
    call,
  )
  t.same(
    [...first.posts, ...rest.posts].map(({ id }) => id),
    ['bluesky:0', 'bluesky:1', 'bluesky:2'],
  )
})

t.test('top takes the networks in turn', async t => {
  const fakes = (['hackernews', 'bluesky'] as const).map(name =>
    fakeNetwork({ name, times: [3, 2, 1], pages: 'after any post', fails: new Set() }),
  )
  const reader = readerOf(new Map(fakes.map(({ network }) => [network.name, network])))
  const { posts } = await reader.search(['hackernews', 'bluesky'], { query: 'x', sort: 'top' }, fresh, call)
  t.same(
    posts.map(({ network }) => network),
    ['hackernews', 'bluesky', 'hackernews', 'bluesky', 'hackernews', 'bluesky'],
  )
})

t.test('a network that fails is in the notes, and the next page asks it again', async t => {
  const fakes = [
    fakeNetwork({ name: 'hackernews', times: [1], pages: 'after any post', fails: new Set() }),
    fakeNetwork({ name: 'mastodon', times: [2], pages: 'after any post', fails: new Set([0]) }),
  ]
  const reader = readerOf(new Map(fakes.map(({ network }) => [network.name, network])))
  const query = { query: 'x', sort: 'latest' } as const
  const one = await reader.search(['hackernews', 'mastodon'], query, fresh, call)
  t.match(one, {
    posts: [{ id: 'hackernews:0' }],
    notes: [{ network: 'mastodon', code: 'upstream_unavailable', message: 'mastodon has a problem.' }],
  })
  const cursor = one.nextCursor ?? ''
  const two = await reader.search(['hackernews', 'mastodon'], query, { limit: 10, cursor }, call)
  t.match(two, { posts: [{ id: 'mastodon:0' }], nextCursor: null, notes: [] })
})

t.test('a call fails if all of its networks fail', async t => {
  const fakes = (['hackernews', 'mastodon'] as const).map(name =>
    fakeNetwork({ name, times: [1], pages: 1, fails: new Set([0]) }),
  )
  const reader = readerOf(new Map(fakes.map(({ network }) => [network.name, network])))
  const query = { query: 'x', sort: 'top' } as const
  const error = await rejectionOf(reader.search(['hackernews', 'mastodon'], query, fresh, call), GatewayError)
  t.match(error, { code: 'upstream_unavailable', message: 'hackernews has a problem. mastodon has a problem.' })
})

t.test('a cursor works only with its own arguments, and only as it was written', async t => {
  const { network } = fakeNetwork({ name: 'bluesky', times: [3, 2, 1], pages: 2, fails: new Set() })
  const { network: other } = fakeNetwork({ name: 'mastodon', times: [], pages: 2, fails: new Set() })
  const reader = readerOf(
    new Map([
      ['bluesky', network],
      ['mastodon', other],
    ]),
  )
  const ask = (cursor: string, query = 'x', names: NetworkName[] = ['bluesky']) =>
    rejectionOf(reader.search(names, { query, sort: 'top' }, { limit: 1, cursor }, call), GatewayError)
  const { nextCursor } = await reader.search(['bluesky'], { query: 'x', sort: 'top' }, { ...fresh, limit: 1 }, call)
  const cursor = nextCursor ?? ''
  const refused = { code: 'invalid_request', message: /^cursor does not belong to these arguments/ }
  t.match(await ask(cursor, 'y'), refused)
  t.match(await ask(cursor, 'x', ['bluesky', 'mastodon']), refused)
  const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  const forged = (positions: unknown, version = parts[0]) =>
    Buffer.from(JSON.stringify([version, parts[1], positions])).toString('base64url')
  for (const positions of [{}, [], null, 7, { bluesky: 7 }, { bluesky: '' }, { bluesky: 'x'.repeat(2_000) }])
    t.match(await ask(forged(positions)), refused)
  for (const positions of [{ mastodon: null }, { bluesky: '1..\n' }, { bluesky: '0..&limit=1' }, { constructor: null }])
    t.match(await ask(forged(positions)), refused)
  t.match(await ask(forged(parts[2], 2)), refused)
  for (const text of ['', '%', 'bnVsbA', Buffer.from('{').toString('base64url')]) t.match(await ask(text), refused)
})

t.test('texts in lists are cut, and marked where they end', async t => {
  const { network, posts } = fakeNetwork({ name: 'bluesky', times: [1], pages: 'after any post', fails: new Set() })
  posts[0] = { ...post('bluesky', 1, 0), text: '\u{1f600}'.repeat(2_000) }
  const reader = readerOf(new Map([['bluesky', network]]))
  const { posts: found } = await reader.search(['bluesky'], { query: 'x', sort: 'top' }, fresh, call)
  const text = found[0]?.text ?? ''
  t.ok(text.length <= 1_000 && text.endsWith('…') && text.isWellFormed(), text.slice(-4))
})
