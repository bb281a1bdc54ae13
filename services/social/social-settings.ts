import { Type } from '@sinclair/typebox'
import { computeAll } from '../../lib/configuration/faults.ts'
import { type Reading, settingOf } from '../../lib/configuration/setting.ts'
import { mustBe, mustBeSetWith, splitList, type Variable, variable } from '../../lib/configuration/variable.ts'

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

/** Declares a credential for a provider, as a header carries it. */
function credential(name: string, description: string, doc: string): Variable<string | undefined> {
  return variable(name, Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{8,1000}$', description })), { doc })
}

const MASTODON_INSTANCES = variable(
  'MASTODON_INSTANCES',
  Type.String({
    default: 'mastodon.social',
    description: 'a comma-separated list of at most 20 host names of Mastodon servers, such as mastodon.social',
  }),
  {
    doc: '[social networks](#social-networks): host names of Mastodon servers; the first one answers searches, hashtags, feeds and trends',
  },
)

const MASTODON_TOKEN = credential(
  'MASTODON_TOKEN',
  'the token of a user of the first of MASTODON_INSTANCES, for an app with the scope read',
  'the token of a user of that server, for full-text search',
)

const BLUESKY_HANDLE = variable(
  'BLUESKY_HANDLE',
  Type.Optional(
    Type.String({
      pattern: '^[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)+$',
      description: 'the handle of a Bluesky account, such as name.bsky.social',
    }),
  ),
  { doc: 'the account that searches Bluesky' },
)

const BLUESKY_APP_PASSWORD = credential(
  'BLUESKY_APP_PASSWORD',
  'an app password of that account',
  'an app password of that account',
)

const REDDIT_CLIENT_ID = credential(
  'REDDIT_CLIENT_ID',
  'the client ID of an OAuth app of Reddit',
  'the client ID of an OAuth app of Reddit, to read Reddit',
)

const REDDIT_CLIENT_SECRET = credential('REDDIT_CLIENT_SECRET', 'the secret of that app', 'the secret of that app')

const X_BEARER_TOKEN = credential(
  'X_BEARER_TOKEN',
  'the app-only access token of an app of X',
  'App-only bearer token for the X API. Reading X is billed by X.',
)

/** The social networks that the gateway reads, and its credentials for them. */
export const social = settingOf(
  [
    MASTODON_INSTANCES,
    MASTODON_TOKEN,
    BLUESKY_HANDLE,
    BLUESKY_APP_PASSWORD,
    REDDIT_CLIENT_ID,
    REDDIT_CLIENT_SECRET,
    X_BEARER_TOKEN,
  ],
  parseSocial,
  {
    secrets: ({ mastodonToken, bluesky, reddit, xBearerToken }) =>
      [mastodonToken, bluesky?.appPassword, reddit?.clientSecret, xBearerToken].filter(secret => secret !== undefined),
  },
)

/** Throws InvalidConfiguration with all variables that are wrong or missing. */
function parseSocial(reading: Reading): SocialSettings {
  const { read } = reading
  const { instances, bluesky, reddit } = computeAll({
    instances: () => instancesOf(read(MASTODON_INSTANCES)),
    bluesky: () => together(reading, BLUESKY_HANDLE, BLUESKY_APP_PASSWORD),
    reddit: () => together(reading, REDDIT_CLIENT_ID, REDDIT_CLIENT_SECRET),
  })
  const [mastodonToken, xBearerToken] = [read(MASTODON_TOKEN), read(X_BEARER_TOKEN)]
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
    throw mustBe(MASTODON_INSTANCES)
  return [first, ...others]
}

function together(
  { read }: Reading,
  name: Variable<string | undefined>,
  secret: Variable<string | undefined>,
): [string, string] | undefined {
  const [named, secretive] = [read(name), read(secret)]
  if (named === undefined && secretive === undefined) return undefined
  if (named === undefined) throw mustBeSetWith(name, secret)
  if (secretive === undefined) throw mustBeSetWith(secret, name)
  return [named, secretive]
}

function withSecret<T extends object, N extends string>(shown: T, name: N, secret: string): T & Record<N, string> {
  return Object.defineProperty(shown, name, { get: () => secret }) as T & Record<N, string>
}
