import { Type } from '@sinclair/typebox'
import type { Egress } from '../../../lib/egress/egress.ts'
import { askProvider } from './ask-provider.ts'
import { lacking, type SearchProvider, withSites } from './provider.ts'

const Answer = Type.Object({
  results: Type.Array(
    Type.Object({
      title: Type.String(),
      url: Type.String(),
      content: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      publishedDate: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      score: Type.Optional(Type.Number()),
    }),
  ),
})

const MAX_PAGES = 10

/** A SearXNG instance of the operator (https://docs.searxng.org/dev/search_api.html). Costs nothing. */
export function createSearxng(egress: Pick<Egress, 'request'>, base: string): SearchProvider {
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
        answer: Answer,
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
