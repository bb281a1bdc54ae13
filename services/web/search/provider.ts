import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type Egress, EgressError, type EgressRequest } from '../../../lib/egress/egress.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { retryAfter } from '../../../lib/http/headers.ts'
import { parseUpstream } from '../../../lib/http/json.ts'
import type { RequestedBy } from '../requested-by.ts'

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

interface Question<Answer extends TSchema> extends RequestedBy {
  egress: Pick<Egress, 'request'>
  /** The name that people know. */
  brand: string
  /** The setting of its key or URL. */
  setting: string
  request: Pick<EgressRequest, 'method' | 'url' | 'headers' | 'body' | 'credential'>
  /** What the answer must have. */
  answer: Answer
  /** The statuses that mean that the plan or the credits are used up. */
  quota: readonly number[]
  /** What an operator does about 403, if that is not about the key. */
  forbidden?: string
}

/** A search takes longer than this only if the provider has a fault. */
const DEADLINE_MS = 15_000
const MAX_BYTES = 4 * 1024 ** 2

/**
 * Sends a search to a provider and checks its answer. An error never quotes the provider, which may repeat the key or the
 * URL: throws provider_key, provider_quota, upstream_rejected or upstream_unavailable.
 */
export async function askProvider<Answer extends TSchema>(question: Question<Answer>): Promise<Static<Answer>> {
  const { egress, brand, request, answer: schema, orgId, signal } = question
  const limits = { deadlineMs: DEADLINE_MS, maxBytes: MAX_BYTES, concurrencyKey: orgId }
  const answer = await egress
    .request({ ...request, ...limits, ...(signal !== undefined && { signal }) })
    .catch(error => {
      if (!(error instanceof EgressError)) throw error
      throw new GatewayError('upstream_unavailable', `${brand} cannot be reached now. Retry later.`, { cause: error })
    })
  const { status, headers, body } = answer
  if (status !== 200) throw refusal(status, headers['retry-after'], question)
  const json = parseUpstream(body)
  if (!Value.Check(schema, json))
    throw new GatewayError(
      'upstream_unavailable',
      `${brand} sent an answer that is not a list of results. Retry later.`,
    )
  return json
}

function refusal(
  status: number,
  wait: string | undefined,
  { brand, setting, quota, forbidden }: Pick<Question<TSchema>, 'brand' | 'setting' | 'quota' | 'forbidden'>,
): GatewayError {
  if (status === 403 && forbidden !== undefined)
    return new GatewayError('provider_key', `${brand} refused the search. ${forbidden}`)
  if (status === 401 || status === 403)
    return new GatewayError(
      'provider_key',
      `${brand} does not accept this gateway's key. Ask the operator to check ${setting}.`,
    )
  if (status === 429) {
    const seconds = retryAfter(wait, Date.now())
    return new GatewayError('provider_quota', `${brand} limits the searches of this gateway for now. Retry later.`, {
      details: { ...(seconds !== undefined && { retry_after: seconds }) },
    })
  }
  if (quota.includes(status))
    return new GatewayError(
      'provider_quota',
      `The quota of this gateway's plan at ${brand} is used up. Ask the operator to raise it.`,
    )
  if (status >= 400 && status < 500)
    return new GatewayError(
      'upstream_rejected',
      `${brand} rejected the search (status ${status}). Change the query or its filters.`,
    )
  return new GatewayError('upstream_unavailable', `${brand} failed (status ${status}). Retry later.`)
}
