import { Type } from '@sinclair/typebox'
import type { Egress } from '../../../lib/egress/egress.ts'
import type { Clock } from '../../../schemas/primitives/time.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import type { WebSettings } from '../web-settings.ts'
import {
  askProvider,
  lacking,
  type SearchProvider,
  type SearchProviderName,
  type SearchQuery,
  withSites,
} from './provider.ts'

interface SearchOptions extends Pick<Infrastructure, 'clock'> {
  egress: Pick<Egress, 'request'>
  settings: WebSettings['search']
  /** Where the providers are, if not at their own address: test doubles. */
  endpoints?: Partial<Record<SearchProviderName, string>>
}

/** The configured search providers, the one that serves by default first. */
export function createSearchProviders({
  egress,
  clock,
  settings,
  endpoints = {},
}: SearchOptions): readonly SearchProvider[] {
  const { brave, tavily, exa, searxng } = settings
  return [
    ...(brave === undefined ? [] : [createBrave(egress, brave, endpoints.brave)]),
    ...(tavily === undefined ? [] : [createTavily(egress, tavily, endpoints.tavily)]),
    ...(exa === undefined ? [] : [createExa(egress, exa, clock, endpoints.exa)]),
    ...(searxng === undefined ? [] : [createSearxng(egress, searxng)]),
  ]
}

/** A text that providers leave out or send as null. */
const OptionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]))
/** The number of pages that Brave Search and SearXNG return of a search. */
const MAX_PAGES = 10

const BRAVE_URL = 'https://api.search.brave.com/res/v1/web/search'

const BraveAnswer = Type.Object({
  query: Type.Optional(Type.Object({ more_results_available: Type.Optional(Type.Boolean()) })),
  web: Type.Optional(
    Type.Object({
      results: Type.Array(
        Type.Object({
          title: Type.String(),
          url: Type.String(),
          description: Type.Optional(Type.String()),
          page_age: OptionalText,
        }),
      ),
    }),
  ),
})

/** The maximum length of `q`. */
const BRAVE_MAX_QUERY = 400
const BRAVE_FRESHNESS = { day: 'pd', week: 'pw', month: 'pm', year: 'py' } as const

/** Brave Search (https://api-dashboard.search.brave.com/app/documentation). $5 per 1,000 searches. */
function createBrave(egress: Pick<Egress, 'request'>, key: string, endpoint = BRAVE_URL): SearchProvider {
  return {
    name: 'brave',
    priceMicros: 5_000,
    async search(query, by) {
      const sites = withSites(query)
      const fits = sites.length <= BRAVE_MAX_QUERY
      const url = new URL(endpoint)
      for (const [name, value] of Object.entries(braveParameters(query, fits ? sites : query.query)))
        if (value !== undefined) url.searchParams.set(name, value)
      const { web, query: about } = await askProvider({
        ...by,
        egress,
        brand: 'Brave Search',
        setting: 'BRAVE_API_KEY',
        request: {
          method: 'GET',
          url,
          headers: { accept: 'application/json' },
          credential: { origin: url.origin, headers: { 'x-subscription-token': key } },
        },
        answer: BraveAnswer,
        quota: [402],
      })
      const results = (web?.results ?? []).map(({ title, url, description = '', page_age }) => ({
        title,
        url,
        snippet: description,
        published: page_age ?? undefined,
      }))
      const hasMore = about?.more_results_available === true && query.page < MAX_PAGES
      return { results, hasMore, ignored: lacking(query, fits ? [] : ['include_domains', 'exclude_domains']) }
    },
  }
}

function braveParameters({ limit, page, country, language, freshness }: SearchQuery, q: string) {
  return {
    q,
    count: String(limit),
    offset: String(page - 1),
    country,
    search_lang: language,
    freshness:
      typeof freshness === 'object' ? `${freshness.from}to${freshness.to}` : freshness && BRAVE_FRESHNESS[freshness],
    // Otherwise the texts have markup.
    text_decorations: 'false',
    result_filter: 'web',
  }
}

const TAVILY_URL = 'https://api.tavily.com/search'

const TavilyAnswer = Type.Object({
  results: Type.Array(
    Type.Object({
      title: Type.String(),
      url: Type.String(),
      content: OptionalText,
      score: Type.Optional(Type.Number()),
      published_date: OptionalText,
    }),
  ),
})

/** Tavily (https://docs.tavily.com/documentation/api-reference/endpoint/search). $8 per 1,000 basic searches. */
function createTavily(egress: Pick<Egress, 'request'>, key: string, endpoint = TAVILY_URL): SearchProvider {
  return {
    name: 'tavily',
    priceMicros: 8_000,
    async search(search, by) {
      const { query, limit, freshness, country, includeDomains, excludeDomains } = search
      const name = country === undefined ? undefined : countryName(country)
      const body = {
        query,
        max_results: limit,
        search_depth: 'basic',
        topic: 'general',
        ...(typeof freshness === 'string' && { time_range: freshness }),
        ...(typeof freshness === 'object' && { start_date: freshness.from, end_date: freshness.to }),
        ...(name !== undefined && { country: name }),
        ...(includeDomains !== undefined && { include_domains: includeDomains }),
        ...(excludeDomains !== undefined && { exclude_domains: excludeDomains }),
      }
      const { results } = await askProvider({
        ...by,
        egress,
        brand: 'Tavily',
        setting: 'TAVILY_API_KEY',
        request: postJson(endpoint, { authorization: `Bearer ${key}` }, body),
        answer: TavilyAnswer,
        quota: [402, 432, 433],
      })
      return {
        results: results.map(({ title, url, content, score, published_date }) => ({
          title,
          url,
          snippet: content ?? '',
          score,
          published: published_date ?? undefined,
        })),
        hasMore: false,
        ignored: lacking(search, name === undefined ? ['country', 'language', 'page'] : ['language', 'page']),
      }
    },
  }
}

const COUNTRY_NAMES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

/** Tavily takes the English name of a country in lower case. Undefined for an unknown code. */
function countryName(country: string): string | undefined {
  return COUNTRY_NAMES.of(country)?.toLowerCase()
}

const EXA_URL = 'https://api.exa.ai/search'

const ExaAnswer = Type.Object({
  results: Type.Array(
    Type.Object({
      title: OptionalText,
      url: Type.String(),
      publishedDate: OptionalText,
      score: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
      highlights: Type.Optional(Type.Array(Type.String())),
    }),
  ),
  costDollars: Type.Optional(Type.Object({ total: Type.Number({ minimum: 0 }) })),
})

const DAY_MS = 86_400_000
const DAYS = { day: 1, week: 7, month: 31, year: 366 } as const

/** Exa (https://docs.exa.ai/reference/search). About $7 per 1,000 searches; each answer says what it cost. */
function createExa(egress: Pick<Egress, 'request'>, key: string, clock: Clock, endpoint = EXA_URL): SearchProvider {
  return {
    name: 'exa',
    priceMicros: 7_000,
    async search(search, by) {
      const { query, limit, country, includeDomains, excludeDomains } = search
      const body = {
        query,
        type: 'auto',
        numResults: limit,
        contents: { highlights: true },
        ...exaDates(search, clock),
        ...(country !== undefined && { userLocation: country }),
        ...(includeDomains !== undefined && { includeDomains }),
        ...(excludeDomains !== undefined && { excludeDomains }),
      }
      const { results, costDollars } = await askProvider({
        ...by,
        egress,
        brand: 'Exa',
        setting: 'EXA_API_KEY',
        request: postJson(endpoint, { 'x-api-key': key }, body),
        answer: ExaAnswer,
        quota: [402],
      })
      return {
        results: results.map(({ title, url, publishedDate, score, highlights = [] }) => ({
          title: title ?? url,
          url,
          snippet: highlights.join(' … '),
          published: publishedDate ?? undefined,
          score: score ?? undefined,
        })),
        hasMore: false,
        ignored: lacking(search, ['language', 'page']),
        costMicros: costDollars === undefined ? undefined : Math.round(costDollars.total * 1e6),
      }
    },
  }
}

function exaDates({ freshness }: SearchQuery, clock: Clock) {
  if (freshness === undefined) return {}
  if (typeof freshness === 'string')
    return { startPublishedDate: new Date(clock.now() - DAYS[freshness] * DAY_MS).toISOString() }
  return { startPublishedDate: `${freshness.from}T00:00:00.000Z`, endPublishedDate: `${freshness.to}T23:59:59.999Z` }
}

const SearxngAnswer = Type.Object({
  results: Type.Array(
    Type.Object({
      title: Type.String(),
      url: Type.String(),
      content: OptionalText,
      publishedDate: OptionalText,
      score: Type.Optional(Type.Number()),
    }),
  ),
})

/** A SearXNG instance of the operator (https://docs.searxng.org/dev/search_api.html). Costs nothing. */
function createSearxng(egress: Pick<Egress, 'request'>, base: string): SearchProvider {
  return {
    name: 'searxng',
    priceMicros: 0,
    async search(search, by) {
      const { freshness, language, country, page, limit } = search
      // It has no time range of a week, and no dates.
      const range = typeof freshness === 'string' && freshness !== 'week' ? freshness : undefined
      const url = new URL(`${base}/search`)
      url.searchParams.set('q', withSites(search))
      url.searchParams.set('format', 'json')
      url.searchParams.set('pageno', String(page))
      if (range !== undefined) url.searchParams.set('time_range', range)
      if (language !== undefined)
        url.searchParams.set('language', country === undefined ? language : `${language}-${country}`)
      const { results } = await askProvider({
        ...by,
        egress,
        brand: 'SearXNG',
        setting: 'SEARXNG_URL',
        request: { method: 'GET', url, headers: { accept: 'application/json' } },
        answer: SearxngAnswer,
        quota: [],
        forbidden: 'Ask the operator to add "json" to search.formats in the settings.yml of SEARXNG_URL.',
      })
      return {
        results: results.slice(0, limit).map(({ title, url, content, publishedDate, score }) => ({
          title,
          url,
          snippet: content ?? '',
          published: publishedDate ?? undefined,
          score,
        })),
        hasMore: results.length > 0 && page < MAX_PAGES,
        ignored: lacking(search, [
          ...(range === undefined ? (['freshness'] as const) : []),
          ...(language === undefined ? (['country'] as const) : []),
        ]),
      }
    },
  }
}

/** A request with a JSON body and the key in a header. */
function postJson(url: string, headers: Readonly<Record<string, string>>, body: object) {
  return {
    method: 'POST' as const,
    url,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    credential: { origin: new URL(url).origin, headers },
    body: JSON.stringify(body),
  }
}
