import type { Config } from '../../schemas/config.ts'
import { isAllowed } from '../egress/allow-list.ts'
import { type EgressSettings, isLoopback } from './network.ts'
import { mustBe } from './variable.ts'

/** The settings of the web tools. */
export interface WebSettings {
  /** Whether a site's robots.txt applies to pages that are read. */
  readonly honorsRobots: boolean
  /** The configured search providers. */
  readonly search: SearchSettings
}

/** What the search providers need. The members are not enumerable, so that printed settings do not show the keys. */
interface SearchSettings {
  readonly brave?: string
  readonly tavily?: string
  readonly exa?: string
  /** The URL of a SearXNG instance, without a slash at its end. */
  readonly searxng?: string
}

/** Parses the settings of the web tools. Throws a ConfigurationError. */
export function parseWeb(config: Config, egress: () => EgressSettings): WebSettings {
  const { BRAVE_API_KEY: brave, TAVILY_API_KEY: tavily, EXA_API_KEY: exa, SEARXNG_URL: url } = config
  const given = { brave, tavily, exa, searxng: url === undefined ? undefined : parseSearxng(url, egress) }
  const search = {}
  for (const [name, value] of Object.entries(given))
    if (value !== undefined) Object.defineProperty(search, name, { get: () => value })
  return { honorsRobots: config.WEB_ROBOTS_TXT === 'honor', search }
}

function parseSearxng(text: string, egress: () => EgressSettings): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw mustBe('SEARXNG_URL')
  const { hostname, protocol } = url
  if (protocol === 'http:' && !(egress().loopback && isLoopback(hostname)) && !isAllowed(egress().allow, hostname))
    throw mustBe('SEARXNG_URL')
  return url.href.replace(/\/+$/, '')
}
