import type { AnyTool } from '../../services/definitions/define-tool.ts'
import type { Web } from '../../services/web/create-web.ts'
import { extractPage } from './extract.ts'
import { fetchPage } from './fetch.ts'
import { mapSite } from './map.ts'
import { searchWeb } from './search.ts'

/** Creates the tools of the web family. Searching needs a configured provider. */
export function webTools(web: Web): AnyTool[] {
  const [first, ...others] = web.searchProviders
  return [
    fetchPage(web),
    extractPage(web),
    mapSite(web),
    ...(first === undefined ? [] : [searchWeb([first, ...others])]),
  ]
}
