import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import type { AnyTool } from '../../services/definitions/define-tool.ts'
import { webFixture } from '../fixtures/web-fixture.ts'

const KEY = 'secret-key-of-a-test'

interface Answer {
  status?: number
  headers?: Record<string, string>
  body: unknown
}

/** What a provider accepts: other parameters, members or headers are an error of the test. */
interface Form {
  method: string
  path: string
  names: readonly string[]
  headers: readonly string[]
}

const COMMON = ['host', 'connection', 'accept', 'accept-encoding', 'user-agent']
const JSON_BODY = [...COMMON, 'content-type', 'content-length']
const FORMS: Record<string, Form> = {
  brave: {
    method: 'GET',
    path: '/res/v1/web/search',
    names: ['q', 'count', 'offset', 'country', 'search_lang', 'freshness', 'text_decorations', 'result_filter'],
    headers: [...COMMON, 'x-subscription-token'],
  },
  tavily: {
    method: 'POST',
    path: '/search',
    names: [
      'query',
      'max_results',
      'search_depth',
      'topic',
      'time_range',
      'start_date',
      'end_date',
      'country',
      'include_domains',
      'exclude_domains',
    ],
    headers: [...JSON_BODY, 'authorization'],
  },
  exa: {
    method: 'POST',
    path: '/search',
    names: [
      'query',
      'type',
      'numResults',
      'contents',
      'startPublishedDate',
      'endPublishedDate',
      'userLocation',
      'includeDomains',
      'excludeDomains',
    ],
    headers: [...JSON_BODY, 'x-api-key'],
  },
  searxng: {
    method: 'GET',
    path: '/searx/search',
    names: ['q', 'format', 'pageno', 'time_range', 'language'],
    headers: COMMON,
  },
}

/** A provider on this machine, which answers in turn and checks the form of every request. */
async function double(t: Test, name: string, ...answers: Answer[]) {
  const form = FORMS[name]
  if (form === undefined) throw new TypeError(name)
  // biome-ignore lint/suspicious/noExplicitAny: tests read single fields of it.
  const asked: any[] = []
  const faults: string[] = []
  const keys: unknown[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://double')
    const question = request.method === 'GET' ? Object.fromEntries(url.searchParams) : JSON.parse(await text(request))
    if (`${request.method} ${url.pathname}` !== `${form.method} ${form.path}`)
      faults.push(`${request.method} ${url.pathname}`)
    faults.push(...Object.keys(question).filter(name => !form.names.includes(name)))
    faults.push(...Object.keys(request.headers).filter(name => !form.headers.includes(name)))
    asked.push(question)
    keys.push(request.headers['x-subscription-token'] ?? request.headers['x-api-key'] ?? request.headers.authorization)
    const { status = 200, headers = {}, body } = answers.shift() ?? { status: 500, body: 'no more answers' }
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, endpoint: origin + form.path, asked, faults, keys }
}

const EVERYTHING = {
  query: 'lighthouse keepers',
  limit: 5,
  freshness: 'month',
  country: 'de',
  language: 'DE',
  include_domains: ['a.example', 'b.example'],
  exclude_domains: ['c.example'],
}
const BRAVE = {
  query: { more_results_available: true },
  web: {
    results: [
      {
        title: 'A <b>title</b>',
        url: 'https://a.example/x',
        description: 'Text\u200b',
        page_age: '2026-05-01T00:00:00',
      },
    ],
  },
}

t.test('Brave is asked in its form, and has further pages', async t => {
  const brave = await double(t, 'brave', { body: BRAVE }, { body: BRAVE }, { body: {} })
  const { result, costs, tools } = await webFixture(
    t,
    { search: { brave: KEY } },
    { endpoints: { brave: brave.endpoint } },
  )
  const found = await result('search', EVERYTHING)
  t.same(found, {
    provider: 'brave',
    results: [
      {
        title: 'A title',
        url: 'https://a.example/x',
        snippet: 'Text',
        published: '2026-05-01T00:00:00',
        site: 'a.example',
      },
    ],
    next_page: 2,
  })
  t.match(brave.asked[0], {
    q: 'lighthouse keepers (site:a.example OR site:b.example) -site:c.example',
    count: '5',
    offset: '0',
    country: 'DE',
    search_lang: 'de',
    freshness: 'pm',
  })
  const dates = {
    query: 'x'.repeat(390),
    page: 3,
    freshness: { from: '2026-01-01', to: '2026-02-01' },
    include_domains: ['a.example'],
  }
  t.match(await result('search', dates), { next_page: 4, ignored: ['include_domains'] })
  t.match(brave.asked[1], { q: dates.query, offset: '2', freshness: '2026-01-01to2026-02-01', count: '10' })
  t.same(await result('search', { query: 'nothing' }), { provider: 'brave', results: [] })
  t.same(brave.faults, [])
  t.same(brave.keys, [KEY, KEY, KEY])
  t.same(costs, [])
  t.equal(estimateOf(tools.get('web__search'), {}), 5_000)
})

t.test('a provider that lacks the arguments for domains names exactly the given ones as ignored', async t => {
  const domains = [{ include_domains: ['a.example'] }, { exclude_domains: ['b.example'] }]
  const brave = await double(t, 'brave', ...domains.map(() => ({ body: {} })))
  const { result } = await webFixture(t, { search: { brave: KEY } }, { endpoints: { brave: brave.endpoint } })
  // The query has no room for operators.
  for (const args of domains)
    t.same((await result('search', { query: 'x'.repeat(390), ...args })).ignored, Object.keys(args))
})

t.test('Tavily is asked in its form, without pages', async t => {
  const results = [{ title: 'T', url: 'https://t.example/', content: 'C', score: 0.5, raw_content: null }]
  const tavily = await double(
    t,
    'tavily',
    { body: { query: 'q', results, response_time: 1 } },
    { body: { results: [] } },
  )
  const { result, tools } = await webFixture(t, { search: { tavily: KEY } }, { endpoints: { tavily: tavily.endpoint } })
  t.same(await result('search', EVERYTHING), {
    provider: 'tavily',
    results: [{ title: 'T', url: 'https://t.example/', snippet: 'C', site: 't.example', score: 0.5 }],
    ignored: ['language'],
  })
  t.match(tavily.asked[0], {
    max_results: 5,
    time_range: 'month',
    country: 'germany',
    include_domains: ['a.example', 'b.example'],
  })
  const dates = { query: 'q', freshness: { from: '2026-01-01', to: '2026-02-01' }, country: 'XX', page: 2 }
  t.same((await result('search', dates)).ignored, ['country', 'page'])
  t.match(tavily.asked[1], { start_date: '2026-01-01', end_date: '2026-02-01' })
  t.same(tavily.faults, [])
  t.same(tavily.keys, [`Bearer ${KEY}`, `Bearer ${KEY}`])
  t.equal(estimateOf(tools.get('web__search'), {}), 8_000)
})

t.test('Exa is asked in its form, and charged at what its answer says', async t => {
  const results = [
    { id: 'e', title: null, url: 'https://e.example/', publishedDate: null, author: null, highlights: ['one', 'two'] },
  ]
  const exa = await double(
    t,
    'exa',
    { body: { requestId: 'r', results, costDollars: { total: 0.0123 } } },
    { body: { results: [] } },
  )
  const { result, costs, clock, tools } = await webFixture(
    t,
    { search: { exa: KEY } },
    { endpoints: { exa: exa.endpoint } },
  )
  t.same((await result('search', EVERYTHING)).results, [
    { title: 'https://e.example/', url: 'https://e.example/', snippet: 'one … two', site: 'e.example' },
  ])
  t.same(exa.asked[0], {
    query: 'lighthouse keepers',
    type: 'auto',
    numResults: 5,
    contents: { highlights: true },
    startPublishedDate: new Date(clock.now() - 31 * 86_400_000).toISOString(),
    userLocation: 'DE',
    includeDomains: ['a.example', 'b.example'],
    excludeDomains: ['c.example'],
  })
  t.same(costs, [12_300])
  await result('search', { query: 'q', freshness: { from: '2026-01-01', to: '2026-02-01' } })
  t.match(exa.asked[1], {
    startPublishedDate: '2026-01-01T00:00:00.000Z',
    endPublishedDate: '2026-02-01T23:59:59.999Z',
  })
  t.same(costs, [12_300])
  t.same(exa.faults, [])
  t.equal(estimateOf(tools.get('web__search'), {}), 7_000)
})

t.test('SearXNG is asked in its form, and is free', async t => {
  const many = Array.from({ length: 12 }, (_, i) => ({
    title: `T${i}`,
    url: `https://s.example/${i}`,
    content: 'C',
    engine: 'e',
  }))
  const searxng = await double(
    t,
    'searxng',
    { body: { results: [...many, { title: 'bad', url: 'nonsense' }], unresponsive_engines: [['x', 'timeout']] } },
    { body: { results: [] } },
  )
  const { result, failure, tools } = await webFixture(t, { search: { searxng: `${searxng.origin}/searx` } })
  const found = await result('search', EVERYTHING)
  t.equal(found.results.length, 5)
  t.equal(found.next_page, 2)
  t.match(searxng.asked[0], { format: 'json', pageno: '1', time_range: 'month', language: 'de-DE' })
  t.same(await result('search', { query: 'q', freshness: 'week', country: 'DE', page: 2 }), {
    provider: 'searxng',
    results: [],
    ignored: ['freshness', 'country'],
  })
  t.same(searxng.faults, [])
  t.equal(tools.get('web__search')?.price, undefined)
  const closed = await double(t, 'searxng', { status: 403, body: 'Forbidden' })
  const other = await webFixture(t, { search: { searxng: `${closed.origin}/searx` } })
  t.match(await other.failure('search', { query: 'q' }), { code: 'provider_key', message: /"json" to search\.formats/ })
  t.equal((await failure('search', { query: 'q' })).code, 'upstream_unavailable')
})

t.test(
  'the first configured provider serves, another one is named, and only configured ones are in the schema',
  async t => {
    const brave = await double(t, 'brave', { body: {} })
    const exa = await double(t, 'exa', { body: { results: [] } })
    const search = { exa: KEY, brave: KEY }
    const { result, tools, failure } = await webFixture(
      t,
      { search },
      { endpoints: { brave: brave.endpoint, exa: exa.endpoint } },
    )
    t.equal((await result('search', { query: 'q' })).provider, 'brave')
    t.equal((await result('search', { query: 'q', provider: 'exa' })).provider, 'exa')
    await t.rejects(failure('search', { query: 'q', provider: 'tavily' }), TypeError)
    t.same(tools.get('web__search')?.entry.inputSchema.properties?.provider, {
      type: 'string',
      enum: ['brave', 'exa'],
      default: 'brave',
      description: 'The search provider.',
    })
    t.equal(estimateOf(tools.get('web__search'), { provider: 'exa' }), 7_000)
    const none = await webFixture(t)
    t.same([...none.tools.keys()], ['web__fetch', 'web__extract', 'web__map'])
  },
)

t.test(
  'a search provider is down, rejects the key or is used up: each has a code, and nothing of it is shown',
  async t => {
    const leak = { error: `Bad key ${KEY} at https://provider.example/?key=${KEY}` }
    const cases: [name: string, answer: Answer, code: string][] = [
      ['brave', { status: 401, body: leak }, 'provider_key'],
      ['brave', { status: 422, body: leak }, 'upstream_rejected'],
      ['brave', { status: 429, headers: { 'retry-after': '3' }, body: leak }, 'provider_quota'],
      ['brave', { status: 402, body: leak }, 'provider_quota'],
      ['brave', { status: 500, body: leak }, 'upstream_unavailable'],
      ['brave', { status: 302, headers: { location: 'https://evil.example/' }, body: leak }, 'upstream_unavailable'],
      ['brave', { body: `<html>${KEY}` }, 'upstream_unavailable'],
      ['brave', { body: { web: { results: [{ title: 1 }] } } }, 'upstream_unavailable'],
      ['tavily', { status: 432, body: leak }, 'provider_quota'],
      ['tavily', { status: 433, body: leak }, 'provider_quota'],
      ['tavily', { status: 403, body: leak }, 'provider_key'],
      ['tavily', { status: 400, body: leak }, 'upstream_rejected'],
      ['exa', { status: 402, body: leak }, 'provider_quota'],
      ['exa', { status: 401, body: leak }, 'provider_key'],
      ['exa', { body: { results: [], costDollars: { total: -1 } } }, 'upstream_unavailable'],
    ]
    for (const [name, answer, code] of cases) {
      const provider = await double(t, name, answer)
      const { failure, costs } = await webFixture(
        t,
        { search: { [name]: KEY } },
        { endpoints: { [name]: provider.endpoint } },
      )
      const failed = await failure('search', { query: 'q' })
      t.equal(failed.code, code, `${name} ${answer.status}`)
      t.notMatch(JSON.stringify(failed), /secret-key|provider\.example|evil/)
      if (answer.headers?.['retry-after'] !== undefined) t.same(failed.details, { retry_after: 3 })
      t.same(costs, [])
    }
  },
)

/** What is held for a search. */
function estimateOf(tool: AnyTool | undefined, args: { provider?: string }): number | undefined {
  const price = tool?.price
  return price !== undefined && 'estimate' in price ? price.estimate(args) : undefined
}
