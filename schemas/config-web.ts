import { Type } from '@sinclair/typebox'
import { StringEnum } from './string-enum.ts'

/** A key of a search provider, as a header carries it. */
function SearchKey(provider: string) {
  return Type.Optional(
    Type.String({ pattern: '^[!-~]{8,500}$', description: `an API key of ${provider}, without spaces` }),
  )
}

/** The variables of the web tools. */
export const WEB_VARIABLES = {
  WEB_ROBOTS_TXT: StringEnum(['honor', 'ignore'], { default: 'honor', description: 'honor or ignore' }),
  BRAVE_API_KEY: SearchKey('Brave Search'),
  TAVILY_API_KEY: SearchKey('Tavily'),
  EXA_API_KEY: SearchKey('Exa'),
  SEARXNG_URL: Type.Optional(
    Type.String({
      description:
        'the URL of a SearXNG instance, without a query; https except for hosts in EGRESS_ALLOW and for loopback with EGRESS_ALLOW_LOOPBACK',
    }),
  ),
}
