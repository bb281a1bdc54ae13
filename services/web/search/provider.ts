import type { RequestedBy } from '../contract.ts'

/** What to search for. */
export interface SearchQuery {
  query: string
  limit: number
  freshness?: 'day' | 'week' | 'month' | 'year' | { from: string; to: string } | undefined
  /** ISO 3166-1 alpha-2, in upper case. */
  country?: string | undefined
  /** ISO 639-1. */
  language?: string | undefined
  includeDomains?: readonly string[] | undefined
  excludeDomains?: readonly string[] | undefined
  page: number
}

/** An argument that not every provider has. */
type OptionalArgument = 'freshness' | 'country' | 'language' | 'include_domains' | 'exclude_domains' | 'page'

interface SearchResult {
  title: string
  url: string
  snippet: string
  published?: string | undefined
  score?: number | undefined
}

interface SearchAnswer {
  results: SearchResult[]
  /** Whether the provider has a further page. */
  hasMore: boolean
  /** The arguments that the provider lacks. */
  ignored: OptionalArgument[]
  /** What the provider charged, in micro-dollars, if it says so. */
  costMicros?: number | undefined
}

/** A search provider that an operator has configured. */
export interface SearchProvider {
  name: SearchProviderName
  /** The price of a search in micro-dollars. */
  priceMicros: number
  /** Throws the errors of the web tools. */
  search(query: SearchQuery, by: RequestedBy): Promise<SearchAnswer>
}

export type SearchProviderName = 'brave' | 'tavily' | 'exa' | 'searxng'

/** The given arguments that a provider lacks. */
export function lacking(query: SearchQuery, lacks: readonly OptionalArgument[]): OptionalArgument[] {
  const given: Record<OptionalArgument, boolean> = {
    freshness: query.freshness !== undefined,
    country: query.country !== undefined,
    language: query.language !== undefined,
    include_domains: (query.includeDomains ?? []).length > 0,
    exclude_domains: (query.excludeDomains ?? []).length > 0,
    page: query.page > 1,
  }
  return lacks.filter(name => given[name])
}

/** The query with the search operators that limit it to domains, for providers that have no argument for that. */
export function withSites({ query, includeDomains = [], excludeDomains = [] }: SearchQuery): string {
  const included = includeDomains.map(domain => `site:${domain}`).join(' OR ')
  const excluded = excludeDomains.map(domain => `-site:${domain}`)
  return [query, includeDomains.length > 1 ? `(${included})` : included, ...excluded]
    .filter(part => part !== '')
    .join(' ')
}
