import { Type } from '@sinclair/typebox'
import type { Egress } from '../../../lib/egress/egress.ts'
import { askProvider } from './ask-provider.ts'
import { lacking, type SearchProvider } from './provider.ts'

const TAVILY_URL = 'https://api.tavily.com/search'

const Answer = Type.Object({
  results: Type.Array(
    Type.Object({
      title: Type.String(),
      url: Type.String(),
      content: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      score: Type.Optional(Type.Number()),
      published_date: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  ),
})

/** Tavily (https://docs.tavily.com/documentation/api-reference/endpoint/search). $8 per 1,000 basic searches. */
export function createTavily(egress: Pick<Egress, 'request'>, key: string, endpoint = TAVILY_URL): SearchProvider {
  return {
    name: 'tavily',
    priceMicros: 8_000,
    async search(search, by) {
      const { query, limit, freshness, country, includeDomains, excludeDomains } = search
      const name = country === undefined ? undefined : nameOf(country)
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
        request: {
          method: 'POST',
          url: endpoint,
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          credential: { origin: new URL(endpoint).origin, headers: { authorization: `Bearer ${key}` } },
          body: JSON.stringify(body),
        },
        answer: Answer,
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

const NAMES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

/** Tavily takes the English name of a country in lower case. Undefined for an unknown code. */
function nameOf(country: string): string | undefined {
  return NAMES.of(country)?.toLowerCase()
}
