import { createByteBudget } from '../../lib/egress/byte-budget.ts'
import type { NotConfigured } from '../definitions/define-tool.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { Converter } from './converter.ts'
import { createSiteMapper } from './map-site.ts'
import { createPageSource } from './page-source.ts'
import { createPageReader } from './read-pages.ts'
import { createRobots } from './robots.ts'
import type { SearchProviderName } from './search/provider.ts'
import { createSearchProviders } from './search/providers.ts'
import { createStoredPages } from './stored-pages.ts'
import type { WebSettings } from './web-settings.ts'

export interface WebOptions extends Pick<Infrastructure, 'db' | 'clock' | 'ids' | 'egress'> {
  converter: Converter
  settings: { readonly build: { readonly version: string }; readonly web: WebSettings }
  /** The time limit for a page with its redirects, in milliseconds; 15 s if absent. */
  deadlineMs?: number
  /** The maximum number of bytes of pages in memory; 256 MiB if absent. An organization gets a quarter of it. */
  maxHeldBytes?: number
  /** Where the search providers are, if not at their own address: test doubles. */
  endpoints?: Partial<Record<SearchProviderName, string>>
}

/** The name in a robots.txt and in the User-Agent. */
const AGENT = 'connector-gateway'

const SEARCH: NotConfigured = {
  what: 'Web search',
  tools: ['web__search'],
  variables: 'BRAVE_API_KEY, TAVILY_API_KEY, EXA_API_KEY or SEARXNG_URL',
}

/** The services of the web tools. Their processes and libraries start with the first call. */
export type Web = ReturnType<typeof createWeb>

export function createWeb(options: WebOptions) {
  const { db, clock, ids, egress, converter, settings, endpoints = {} } = options
  const { deadlineMs = 15_000, maxHeldBytes = 256 * 1024 ** 2 } = options
  const userAgent = `${AGENT}/${settings.build.version}`
  const budget = createByteBudget({
    max: maxHeldBytes,
    maxEach: maxHeldBytes / 4,
    tooMuch: 'Too many large pages are being read',
  })
  const source = createPageSource({ egress, budget, userAgent, deadlineMs })
  const robotsFiles = createRobots({ source, converter, clock, agent: AGENT })
  const robots = settings.web.honorsRobots ? robotsFiles : undefined
  const pages = createStoredPages({ db, ids, clock })
  const searchProviders = createSearchProviders({ egress, clock, settings: settings.web.search, endpoints })
  return {
    ...createPageReader({ source, converter, robots, pages, clock }),
    mapSite: createSiteMapper({ source, converter, robots, robotsFiles }),
    /** The configured search providers, the one that serves by default first. */
    searchProviders,
    notConfigured: searchProviders.length === 0 ? [SEARCH] : [],
  }
}
