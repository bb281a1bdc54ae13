import { Type } from '@sinclair/typebox'
import { mayBeInTheClear } from '../../lib/configuration/network.ts'
import { egress } from '../../lib/configuration/network-settings.ts'
import { type Reading, settingOf } from '../../lib/configuration/setting.ts'
import { mustBe, type Variable, variable } from '../../lib/configuration/variable.ts'
import { StringEnum } from '../../schemas/primitives/string-enum.ts'

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

const WEB_ROBOTS_TXT = variable(
  'WEB_ROBOTS_TXT',
  StringEnum(['honor', 'ignore'], { default: 'honor', description: 'honor or ignore' }),
  {
    doc: "`honor`: the web tools read only what a site's robots.txt allows `connector-gateway`. `ignore`: they do not ask",
  },
)

/** Declares the key of a search provider, as a header carries it. */
function searchKey(name: string, provider: string): Variable<string | undefined> {
  const description = `an API key of ${provider}, without spaces`
  return variable(name, Type.Optional(Type.String({ pattern: '^[!-~]{8,500}$', description })), {
    doc: `the key of ${provider} for [\`web__search\`](#web-tools)`,
  })
}

const BRAVE_API_KEY = searchKey('BRAVE_API_KEY', 'Brave Search')
const TAVILY_API_KEY = searchKey('TAVILY_API_KEY', 'Tavily')
const EXA_API_KEY = searchKey('EXA_API_KEY', 'Exa')

const SEARXNG_URL = variable(
  'SEARXNG_URL',
  Type.Optional(
    Type.String({
      description:
        'the URL of a SearXNG instance, without a query; https except for hosts in EGRESS_ALLOW and for loopback with EGRESS_ALLOW_LOOPBACK',
    }),
  ),
  {
    doc: 'the URL of a SearXNG instance for `web__search`, without a query; https except for hosts in `EGRESS_ALLOW` and for loopback with `EGRESS_ALLOW_LOOPBACK`',
  },
)

/** What the web tools may read, and the search providers. */
export const web = settingOf([WEB_ROBOTS_TXT, BRAVE_API_KEY, TAVILY_API_KEY, EXA_API_KEY, SEARXNG_URL], parseWeb, {
  secrets: ({ search: { brave, tavily, exa } }) => [brave, tavily, exa].filter(key => key !== undefined),
})

function parseWeb(reading: Reading): WebSettings {
  const { read } = reading
  const given = {
    brave: read(BRAVE_API_KEY),
    tavily: read(TAVILY_API_KEY),
    exa: read(EXA_API_KEY),
    searxng: searxngOf(reading),
  }
  const search = {}
  for (const [name, value] of Object.entries(given))
    if (value !== undefined) Object.defineProperty(search, name, { get: () => value })
  return { honorsRobots: read(WEB_ROBOTS_TXT) === 'honor', search }
}

function searxngOf({ read }: Reading): string | undefined {
  const text = read(SEARXNG_URL)
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw mustBe(SEARXNG_URL)
  if (url.protocol === 'http:' && !mayBeInTheClear(url.hostname, read(egress))) throw mustBe(SEARXNG_URL)
  return url.href.replace(/\/+$/, '')
}
