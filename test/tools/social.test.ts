import dns from 'node:dns'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import t, { type Test } from 'tap'
import type { SocialSettings } from '../../services/social/social-settings.ts'
import type { DoubleAnswer } from '../fixtures/social-double.ts'

// Own process: it checks what a process loads.

const loaded: string[] = []
registerHooks({
  resolve(specifier, context, next) {
    loaded.push(specifier)
    return next(specifier, context)
  },
})

const { loadConfig } = await import('../../services/settings/load.ts')
const { acrossOrgs } = await import('../../lib/database/tenant.ts')
const { build } = await import('../fixtures/build.ts')
const { callerOfApp } = await import('../fixtures/journey-fixture.ts')
const { moneyOf } = await import('../fixtures/metered-fixture.ts')
const { socialSettings } = await import('../fixtures/settings.ts')
const { socialDouble } = await import('../fixtures/social-double.ts')

const hit = (id: number) => ({
  objectID: String(id),
  author: 'ada',
  title: `Story ${id}`,
  created_at: '2026-11-01T00:00:00Z',
  created_at_i: 1_793_491_200,
})
const tweet = (id: number) => ({
  id: String(id),
  text: `Post ${id}`,
  author_id: '7',
  created_at: '2026-11-22T00:00:00Z',
})
const USER = { id: '7', username: 'ada', name: 'Ada' }
const any = { query: /^/, max_results: /^/, sort_order: /^/, 'tweet.fields': /^/, 'user.fields': /^/, expansions: /^/ }

/** The app with doubles of Hacker News and X, and what a member calls. */
async function start(t: Test, social: Partial<SocialSettings> = {}) {
  const answers = {
    x: (): DoubleAnswer => ({ body: { data: [tweet(1), tweet(2)], includes: { users: [USER] } } }),
    post: (): DoubleAnswer => ({ body: { data: tweet(1), includes: { users: [USER] } } }),
    posts: (): DoubleAnswer => ({ body: { data: [tweet(1)] } }),
  }
  const found = () => ({ body: { hits: [hit(1), hit(2), hit(3)], nbPages: 1 } })
  const double = await socialDouble(t, {
    'GET /search': { query: { query: /^/, tags: /^/, hitsPerPage: /^/, page: /^/ }, answer: found },
    'GET /search_by_date': { query: { tags: /^/, hitsPerPage: /^/, page: /^/ }, answer: found },
    'GET /items/*': {
      answer: () => ({ body: { ...hit(1), id: 1, type: 'story', parent_id: null, children: [] } }),
    },
    'GET /topstories.json': { answer: () => ({ body: [1] }) },
    'GET /item/*.json': { answer: () => ({ body: { id: 1, type: 'story', by: 'ada', time: 1_793_491_200 } }) },
    'GET /user/*.json': { answer: () => ({ body: { id: 'ada', created: 1_293_491_200, karma: 1 } }) },
    'GET /api/v1/timelines/tag/*': { query: { limit: /^/ }, answer: () => ({ body: [] }) },
    'GET /2/tweets/search/recent': { query: any, headers: { authorization: /^Bearer / }, answer: () => answers.x() },
    'GET /2/tweets/*': { query: any, headers: { authorization: /^Bearer / }, answer: () => answers.post() },
    'GET /2/users/by/username/*': {
      query: any,
      headers: { authorization: /^Bearer / },
      answer: () => ({ body: { data: USER } }),
    },
    'GET /2/users/*/tweets': {
      query: { ...any, exclude: /^/ },
      headers: { authorization: /^Bearer / },
      answer: () => answers.posts(),
    },
  })
  const built = await build(t, { settings: { social: socialSettings(social, double.origin) } })
  const [ada] = await built.directory.members('owner')
  const { key } = await ada.key()
  const { call } = callerOfApp(built, { 'x-api-key': key })
  const tools = async () => {
    const headers = {
      'x-api-key': key,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    }
    const payload = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const list = await built.app.inject({ method: 'POST', url: '/mcp', headers, payload })
    return new Map<string, { inputSchema: object; description: string }>(
      list.json().result.tools.map((tool: { name: string }) => [tool.name, tool]),
    )
  }
  return {
    ...built,
    call,
    tools,
    answers,
    requests: double.requests,
    money: () => moneyOf(built.services.database.db, ada.orgId),
  }
}

t.test('the networks are loaded with the first call of a tool', async t => {
  const { call } = await start(t)
  t.ok(loaded.includes('kysely'))
  t.notOk(loaded.includes('htmlparser2'))
  await call('social__search_posts', { query: 'x' })
  t.ok(loaded.includes('htmlparser2'))
})

t.test('without a setting, the tools name the networks that serve, and read them', async t => {
  const { call, tools } = await start(t)
  const listed = await tools()
  t.same(
    [...listed.keys()].filter(name => name.startsWith('social__')),
    ['social__get_post', 'social__get_profile', 'social__list_posts', 'social__search_posts', 'social__trending'],
  )
  const social = [...listed].filter(([name]) => name.startsWith('social__'))
  const text = JSON.stringify(social.map(([, { inputSchema, description }]) => [inputSchema, description]))
  t.match(listed.get('social__search_posts'), {
    inputSchema: { properties: { networks: { items: { enum: ['hackernews', 'mastodon'] } } } },
  })
  t.match(listed.get('social__list_posts'), {
    inputSchema: { properties: { network: { enum: ['hackernews', 'bluesky', 'mastodon'] } } },
  })
  t.notMatch(text, /"reddit"|costs \$/)
  const found = await call('social__search_posts', { query: 'two words' })
  t.match(found, {
    outcome: 'ok',
    data: {
      notice: /^Other people wrote/,
      posts: [{ id: 'hackernews:1', metrics: { likes: null } }, {}, {}],
      notes: [
        { network: 'mastodon', code: 'ignored' },
        { network: 'mastodon', code: 'invalid_request', message: /MASTODON_TOKEN/ },
      ],
    },
  })
  t.match(found.text, /^\{"notice":"Other people wrote/, 'also for clients that read only the text')
  t.match(await call('manage__explain_tool', { name: 'social__search_posts' }), {
    data: {
      callable: true,
      explanation: /Search on Bluesky needs BLUESKY_HANDLE and BLUESKY_APP_PASSWORD.+X needs X_BEARER_TOKEN/,
    },
  })
})

t.test('arguments that name no post, two, or a network that is not configured are rejected', async t => {
  const { call, requests } = await start(t)
  const wrong: [name: string, args: object, text: RegExp][] = [
    ['social__get_post', {}, /exactly one of url, id/],
    ['social__get_post', { url: 'https://x.com/a/status/1', id: 'x:1' }, /exactly one of url, id/],
    ['social__get_post', { id: 'x:1' }, /does not read x/],
    ['social__get_profile', { handle: 'ada' }, /not a profile/],
    ['social__list_posts', { network: 'hackernews', handle: 'a/b' }, /not a valid hackernews handle/],
    ['social__list_posts', { network: 'hackernews', handle: 'a', feed: 'top' }, /exactly one of handle, tag, feed/],
    ['social__list_posts', { network: 'reddit', feed: 'r/rust' }, /network/],
    ['social__search_posts', { query: 'x', networks: ['x'] }, /networks/],
    ['social__search_posts', { query: 'x', author: 'a@b.example', networks: ['hackernews'] }, /author is not a handle/],
    ['social__search_posts', { query: 'x', cursor: 'x' }, /cursor does not belong/],
  ]
  for (const [name, args, text] of wrong) {
    const called = await call(name, args)
    t.not(called.outcome, 'ok')
    t.match(called.text, text)
  }
  t.equal(requests.length, 0)
})

t.test('X is read only if it is named; the hold is released to what X returned', async t => {
  const { call, tools, answers, requests, money } = await start(t, { xBearerToken: 'bearer-token' })
  t.match((await tools()).get('social__search_posts')?.description, /X is searched only if it is in networks/)
  const { balance } = await money()
  const spent = async () => balance - (await money()).balance
  t.match(await call('social__search_posts', { query: 'x', networks: ['hackernews'] }), { outcome: 'ok' })
  t.same([await spent(), requests.some(({ url }) => url.includes('/2/'))], [0, false])

  t.match(await call('social__search_posts', { query: 'x', networks: ['hackernews', 'x'] }), {
    outcome: 'ok',
    data: { posts: [{ network: 'hackernews' }, { network: 'x' }, { network: 'hackernews' }, { network: 'x' }, {}] },
  })
  t.equal(await spent(), 2 * 5_000 + 10_000)
  t.match(await call('social__get_profile', { network: 'x', handle: 'ada' }), {
    outcome: 'ok',
    data: { profile: { id: 'x:7' } },
  })
  t.equal(await spent(), 30_000)

  answers.x = () => ({ status: 503 })
  t.match(await call('social__search_posts', { query: 'x', networks: ['x'] }), { outcome: 'upstream_unavailable' })
  t.match(await call('social__search_posts', { query: 'x', networks: ['hackernews', 'x'] }), {
    outcome: 'ok',
    data: { notes: [{ network: 'x', code: 'upstream_unavailable' }] },
  })
  t.same([await spent(), (await money()).held], [30_000, 0], 'a failure costs nothing')
})

t.test('what X returned before one of its answers failed is charged, and the error says so', async t => {
  const { call, answers, money } = await start(t, { xBearerToken: 'bearer-token' })
  const { balance } = await money()
  const spent = async () => balance - (await money()).balance
  const limited = (): DoubleAnswer => ({ status: 429 })
  answers.x = limited
  answers.posts = limited
  const failed = (cost: RegExp) => ({ outcome: 'upstream_rate_limited', text: cost })
  t.match(await call('social__get_post', { id: 'x:1', replies: 10 }), failed(/the call cost \$0\.015\./))
  t.equal(await spent(), 15_000)
  t.match(await call('social__list_posts', { network: 'x', handle: 'ada' }), failed(/the call cost \$0\.01\./))
  t.equal(await spent(), 25_000)
  answers.post = limited
  const free = await call('social__get_post', { id: 'x:1', replies: 10 })
  t.match(free, { outcome: 'upstream_rate_limited' })
  t.notMatch(free.text, /cost/)
  t.match(await money(), { balance: balance - 25_000, held: 0, captured: 2, released: 1 })
})

t.test('trends are free where X makes other calls cost something', async t => {
  const { call, money } = await start(t, { xBearerToken: 'bearer-token' })
  const { balance } = await money()
  t.match(await call('social__trending', { networks: ['hackernews'] }), { outcome: 'ok' })
  t.match(await money(), { balance, captured: 0, released: 0 })
})

t.test('a call that the wallet does not cover reads nothing of X', async t => {
  const { call, requests, services, money } = await start(t, { xBearerToken: 'bearer-token' })
  const { db } = services.database
  await acrossOrgs(db).updateTable('wallets').set({ balance_micros: 100_000 }).execute()
  t.match(await call('social__search_posts', { query: 'x', networks: ['x'], limit: 50 }), {
    outcome: 'insufficient_balance',
  })
  t.match(await call('social__get_post', { id: 'x:1', replies: 200 }), { outcome: 'insufficient_balance' })
  t.same([requests.length, (await money()).held], [0, 0])
})

t.test('without a balance, calls that read nothing of X run and are free', async t => {
  const { call, requests, services, money } = await start(t, { xBearerToken: 'bearer-token' })
  const { db } = services.database
  await acrossOrgs(db).updateTable('wallets').set({ balance_micros: -1 }).execute()
  t.match(await call('social__search_posts', { query: 'x' }), { outcome: 'ok' })
  t.match(await call('social__search_posts', { query: 'x', networks: ['hackernews'] }), { outcome: 'ok' })
  for (const [name, args] of [
    ['social__get_post', { id: 'hackernews:1' }],
    ['social__get_profile', { network: 'hackernews', handle: 'ada' }],
    ['social__list_posts', { network: 'hackernews', handle: 'ada' }],
  ] as const)
    t.equal((await call(name, args)).outcome, 'ok', name)
  const read = requests.length
  for (const [name, args] of [
    ['social__search_posts', { query: 'x', networks: ['hackernews', 'x'] }],
    ['social__get_post', { id: 'x:1' }],
    ['social__get_profile', { network: 'x', handle: 'ada' }],
    ['social__list_posts', { network: 'x', handle: 'ada' }],
  ] as const)
    t.equal((await call(name, args)).outcome, 'payment_required', name)
  t.match(await call('manage__explain_tool', { name: 'social__search_posts' }), {
    data: { callable: true, explanation: /Only its free calls run now: / },
  })
  t.same([requests.length - read, (await money()).held], [0, 0])
})

t.test('a test reaches no network: its gateway asks no name server', async t => {
  const asked: string[] = []
  const { lookup } = dns
  Object.assign(dns, {
    lookup(...args: Parameters<typeof lookup>) {
      asked.push(args[0])
      return lookup(...args)
    },
  })
  syncBuiltinESMExports()
  t.teardown(() => {
    Object.assign(dns, { lookup })
    syncBuiltinESMExports()
  })
  const { social } = loadConfig({ DATA_DIR: t.testdir() })
  const built = await build(t, { settings: { social } })
  const [ada] = await built.directory.members('owner')
  const { call } = callerOfApp(built, { 'x-api-key': (await ada.key()).key })

  t.match(await call('social__get_profile', { network: 'bluesky', handle: 'bsky.app' }), {
    outcome: 'upstream_unavailable',
    text: /public\.api\.bsky\.app does not resolve/,
  })
  t.match(await call('web__fetch', { url: 'https://example.com/' }), { text: /example\.com does not resolve/ })
  t.notOk(asked.some(name => /example|bsky/.test(name)))
})
