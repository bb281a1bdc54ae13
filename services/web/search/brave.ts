import { Type } from '@sinclair/typebox'
import type { Egress } from '../../../lib/egress/egress.ts'
import { askProvider } from './ask-provider.ts'
import { lacking, type SearchProvider, type SearchQuery, withSites } from './provider.ts'

const BRAVE_URL = 'https://api.search.brave.com/res/v1/web/search'

const Answer = Type.Object({
  query: Type.Optional(Type.Object({ more_results_available: Type.Optional(Type.Boolean()) })),
  web: Type.Optional(
    Type.Object({
      results: Type.Array(
        Type.Object({
          title: Type.String(),
          url: Type.String(),
          description: Type.Optional(Type.String()),
          page_age: Type.Optional(Type.Union([Type.String(), Type.Null()])),
        }),
      ),
    }),
  ),
})

/** The maximum length of `q`, and the number of pages. */
const MAX_QUERY = 400
const MAX_PAGES = 10
const FRESHNESS = { day: 'pd', week: 'pw', month: 'pm', year: 'py' } as const

/** Brave Search (https://api-dashboard.search.brave.com/app/documentation). $5 per 1,000 searches. */
export function createBrave(egress: Pick<Egress, 'request'>, key: string, endpoint = BRAVE_URL): SearchProvider {
  return {
    name: 'brave',
    priceMicros: 5_000,
    async search(query, by) {
      const sites = withSites(query)
      const fits = sites.length <= MAX_QUERY
      const url = new URL(endpoint)
      for (const [name, value] of Object.entries(parameters(query, fits ? sites : query.query)))
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
        answer: Answer,
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

function parameters({ limit, page, country, language, freshness }: SearchQuery, q: string) {
  return {
    q,
    count: String(limit),
    offset: String(page - 1),
    country,
    search_lang: language,
    freshness: typeof freshness === 'object' ? `${freshness.from}to${freshness.to}` : freshness && FRESHNESS[freshness],
    // Otherwise the texts have markup.
    text_decorations: 'false',
    result_filter: 'web',
  }
}
