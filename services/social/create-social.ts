import type { Egress } from '../../lib/egress/egress.ts'
import type { NetworkName } from '../../schemas/tools/social.ts'
import type { NotConfigured } from '../definitions/define-tool.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { isMetered } from './network.ts'
import type { SocialReader } from './social-reader.ts'
import type { SocialSettings } from './social-settings.ts'

/** The social networks, as far as they are configured. */
export interface Social {
  /** The networks that serve posts and profiles. */
  readonly offered: readonly NetworkName[]
  /** The networks that can be searched. */
  readonly searched: readonly NetworkName[]
  /** The networks with lists of trends. */
  readonly trending: readonly NetworkName[]
  /** Whether an offered network is metered, so that the tools that read it have a price. */
  readonly isPriced: boolean
  /** With which credentials a call acts, as a clause, and what an operator can set to serve more. */
  readonly actsAs: string
  readonly notConfigured: readonly NotConfigured[]
  /** Loads the networks at the first call. */
  reader(): Promise<SocialReader>
}

interface SocialOptions extends Pick<Infrastructure, 'clock'> {
  egress: Pick<Egress, 'request'>
  settings: { readonly social: SocialSettings; readonly build: { readonly version: string } }
}

/** Creates the social networks. Their code is loaded with the first call of a tool. */
export function createSocial({ egress, clock, settings }: SocialOptions): Social {
  const { social, build } = settings
  const { bluesky, reddit, xBearerToken, mastodonToken } = social
  const offered: NetworkName[] = ['hackernews', 'bluesky', 'mastodon']
  if (reddit !== undefined) offered.push('reddit')
  if (xBearerToken !== undefined) offered.push('x')
  const notConfigured: readonly NotConfigured[] = [
    { what: 'Search on Bluesky', tools: [], variables: 'BLUESKY_HANDLE and BLUESKY_APP_PASSWORD', set: bluesky },
    { what: 'Full-text search on Mastodon', tools: [], variables: 'MASTODON_TOKEN', set: mastodonToken },
    { what: 'Reddit', tools: [], variables: 'REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET', set: reddit },
    { what: 'X', tools: [], variables: 'X_BEARER_TOKEN', set: xBearerToken },
  ].flatMap(({ set, ...missing }) => (set === undefined ? [missing] : []))
  const searched = offered.filter(name => name !== 'bluesky' || bluesky !== undefined)
  let loading: Promise<SocialReader> | undefined

  async function load(): Promise<SocialReader> {
    const { createSocialReader } = await import('./social-reader.ts')
    return createSocialReader({ egress, clock, social, version: build.version, offered })
  }

  return {
    offered,
    searched,
    trending: offered.filter(name => name !== 'x'),
    isPriced: offered.some(isMetered),
    actsAs: [
      `it reads ${offered.join(', ')} and needs no account of yours`,
      ...notConfigured.map(({ what, variables }) => `${what} needs ${variables}`),
    ].join('. '),
    notConfigured,
    reader() {
      loading ??= load()
      return loading
    },
  }
}
