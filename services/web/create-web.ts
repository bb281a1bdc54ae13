import type { Kysely } from 'kysely'
import type { Settings } from '../../lib/configuration/settings.ts'
import type { Database } from '../../lib/database/tables.ts'
import { createByteBudget } from '../../lib/egress/byte-budget.ts'
import type { Egress } from '../../lib/egress/egress.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Clock } from '../../schemas/time.ts'
import type { NotConfigured } from '../definitions/define-tool.ts'
import { createConverter } from './converter.ts'
import { createSiteMapper } from './map-site.ts'
import { createPageSource } from './page-source.ts'
import { createPageReader } from './read-pages.ts'
import { createRobots } from './robots.ts'
import { createSearch } from './search/create-search.ts'
import type { SearchProviderName } from './search/provider.ts'
import { createStoredPages } from './stored-pages.ts'

export interface WebOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  egress: Egress
  settings: Pick<Settings, 'build' | 'web'>
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
  const { db, clock, ids, egress, settings, endpoints = {} } = options
  const { deadlineMs = 15_000, maxHeldBytes = 256 * 1024 ** 2 } = options
  const userAgent = `${AGENT}/${settings.build.version}`
  const budget = createByteBudget({
    ...{ max: maxHeldBytes, maxEach: maxHeldBytes / 4 },
    tooMuch: 'Too many large pages are being read',
  })
  const source = createPageSource({ egress, budget, userAgent, deadlineMs })
  const converter = createConverter()
  const robotsFiles = createRobots({ source, converter, clock, agent: AGENT })
  const robots = settings.web.honorsRobots ? robotsFiles : undefined
  const pages = createStoredPages({ db, ids, clock })
  const searchProviders = createSearch({ egress, clock, settings: settings.web.search, endpoints })
  return {
    ...createPageReader({ source, converter, robots, pages, clock }),
    mapSite: createSiteMapper({ source, converter, robots, robotsFiles }),
    /** The configured search providers, the one that serves by default first. */
    searchProviders,
    notConfigured: searchProviders.length === 0 ? [SEARCH] : [],
    close: converter.close,
  }
}
