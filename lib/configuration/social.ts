import type { Config } from '../../schemas/config.ts'
import { computeAll } from './faults.ts'
import { ConfigurationError, mustBe, splitList } from './variable.ts'

/** Where the networks are. Only tests use other addresses. */
const SOCIAL_ADDRESSES = {
  hackerNewsSearch: 'https://hn.algolia.com/api/v1',
  hackerNewsItems: 'https://hacker-news.firebaseio.com/v0',
  bluesky: 'https://public.api.bsky.app',
  blueskyAccounts: 'https://bsky.social',
  reddit: 'https://oauth.reddit.com',
  redditAccounts: 'https://www.reddit.com',
  x: 'https://api.x.com',
} as const

/** The social networks that the gateway reads. Secrets are behind getters, which print as nothing. */
export interface SocialSettings {
  readonly addresses: Readonly<Record<keyof typeof SOCIAL_ADDRESSES, string>>
  /** The origins of the servers; the first one answers searches, hashtags, feeds and trends. */
  readonly mastodonInstances: readonly [string, ...string[]]
  /** A user's token of the first server. Undefined: no full-text search. */
  readonly mastodonToken: string | undefined
  /** The account that searches Bluesky. */
  readonly bluesky: { readonly handle: string; readonly appPassword: string } | undefined
  readonly reddit: { readonly clientId: string; readonly clientSecret: string } | undefined
  readonly xBearerToken: string | undefined
}

const HOST = /^(?=.{1,253}$)[0-9a-z](?:[0-9a-z-]*[0-9a-z])?(?:\.[0-9a-z](?:[0-9a-z-]*[0-9a-z])?)+(?::[0-9]{1,5})?$/

/** Throws InvalidConfiguration with all variables that are wrong or missing. */
export function parseSocial(config: Config): SocialSettings {
  const { instances, bluesky, reddit } = computeAll({
    instances: () => instancesOf(config.MASTODON_INSTANCES),
    bluesky: () => together(config, 'BLUESKY_HANDLE', 'BLUESKY_APP_PASSWORD'),
    reddit: () => together(config, 'REDDIT_CLIENT_ID', 'REDDIT_CLIENT_SECRET'),
  })
  const { MASTODON_TOKEN: mastodonToken, X_BEARER_TOKEN: xBearerToken } = config
  return Object.defineProperties(
    {
      addresses: SOCIAL_ADDRESSES,
      mastodonInstances: instances,
      bluesky: bluesky && withSecret({ handle: bluesky[0] }, 'appPassword', bluesky[1]),
      reddit: reddit && withSecret({ clientId: reddit[0] }, 'clientSecret', reddit[1]),
    } as Partial<SocialSettings>,
    { mastodonToken: { get: () => mastodonToken }, xBearerToken: { get: () => xBearerToken } },
  ) as SocialSettings
}

function instancesOf(list: string): [string, ...string[]] {
  const hosts = [...new Set(splitList(list.toLowerCase()))]
  const [first, ...others] = hosts.map(host => `https://${host}`)
  if (
    first === undefined ||
    hosts.length > 20 ||
    !hosts.every(host => HOST.test(host) && URL.canParse(`https://${host}`))
  )
    throw mustBe('MASTODON_INSTANCES')
  return [first, ...others]
}

function together(config: Config, name: keyof Config, secret: keyof Config): [string, string] | undefined {
  const [named, secretive] = [config[name], config[secret]]
  if (named === undefined && secretive === undefined) return undefined
  if (named === undefined) throw new ConfigurationError(name, `must be set together with ${secret}`)
  if (secretive === undefined) throw new ConfigurationError(secret, `must be set together with ${name}`)
  return [String(named), String(secretive)]
}

function withSecret<T extends object, N extends string>(shown: T, name: N, secret: string): T & Record<N, string> {
  return Object.defineProperty(shown, name, { get: () => secret }) as T & Record<N, string>
}
