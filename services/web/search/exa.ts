import { Type } from '@sinclair/typebox'
import type { Egress } from '../../../lib/egress/egress.ts'
import type { Clock } from '../../../schemas/time.ts'
import { askProvider } from './ask-provider.ts'
import { lacking, type SearchProvider, type SearchQuery } from './provider.ts'

const EXA_URL = 'https://api.exa.ai/search'

const Answer = Type.Object({
  results: Type.Array(
    Type.Object({
      title: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      url: Type.String(),
      publishedDate: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      score: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
      highlights: Type.Optional(Type.Array(Type.String())),
    }),
  ),
  costDollars: Type.Optional(Type.Object({ total: Type.Number({ minimum: 0 }) })),
})

const DAY_MS = 86_400_000
const DAYS = { day: 1, week: 7, month: 31, year: 366 } as const

/** Exa (https://docs.exa.ai/reference/search). About $7 per 1,000 searches; each answer says what it cost. */
export function createExa(
  egress: Pick<Egress, 'request'>,
  key: string,
  clock: Clock,
  endpoint = EXA_URL,
): SearchProvider {
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
        ...datesOf(search, clock),
        ...(country !== undefined && { userLocation: country }),
        ...(includeDomains !== undefined && { includeDomains }),
        ...(excludeDomains !== undefined && { excludeDomains }),
      }
      const { results, costDollars } = await askProvider({
        ...by,
        egress,
        brand: 'Exa',
        setting: 'EXA_API_KEY',
        request: {
          method: 'POST',
          url: endpoint,
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          credential: { origin: new URL(endpoint).origin, headers: { 'x-api-key': key } },
          body: JSON.stringify(body),
        },
        answer: Answer,
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

function datesOf({ freshness }: SearchQuery, clock: Clock) {
  if (freshness === undefined) return {}
  if (typeof freshness === 'string')
    return { startPublishedDate: new Date(clock.now() - DAYS[freshness] * DAY_MS).toISOString() }
  return { startPublishedDate: `${freshness.from}T00:00:00.000Z`, endPublishedDate: `${freshness.to}T23:59:59.999Z` }
}
