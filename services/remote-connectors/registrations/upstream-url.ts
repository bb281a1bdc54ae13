import { type Egress, EgressError } from '../../../lib/egress/egress.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { isSecretName, NAME_ENDINGS } from '../../../lib/logging/scrub-patterns.ts'

/** The canonical form of what an upstream is registered under; throws invalid_upstream_url with a sentence. */
export type ToUpstreamUrl = (text: string) => Promise<string>

/** Characters of a URL at most. */
const MAX_URL = 2048

const SECRET_ENDING = new RegExp(`(?:${NAME_ENDINGS}|^key)$`, 'i')

export function createToUpstreamUrl({ egress }: { egress: Pick<Egress, 'validateDestination'> }): ToUpstreamUrl {
  return async function toUpstreamUrl(text) {
    // What a registration may not be is told before a name is looked up.
    const url = URL.parse(text)
    if (url !== null) requireRegistrable(url)
    try {
      return (await egress.validateDestination(text)).href
    } catch (error) {
      throw error instanceof EgressError ? invalid(error.message) : error
    }
  }
}

function requireRegistrable({ href, searchParams }: URL): void {
  if (href.includes('#')) throw invalid('It has a fragment (#…), which is never sent: leave it out.')
  if (href.length > MAX_URL) throw invalid(`It is longer than ${MAX_URL} characters.`)
  for (const name of searchParams.keys())
    if (isSecretName(name) || SECRET_ENDING.test(name))
      throw invalid('Its query has a secret by its name, and every member sees the URL: use mode bearer or header.')
}

function invalid(why: string): GatewayError {
  return new GatewayError('invalid_upstream_url', `This URL cannot be registered. ${why}`)
}
