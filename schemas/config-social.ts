import { Type } from '@sinclair/typebox'

/** A credential for a provider, as a header carries it. */
function Secret(description: string) {
  return Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{8,1000}$', description }))
}

/** The variables of the social networks. */
export const SOCIAL_VARIABLES = {
  MASTODON_INSTANCES: Type.String({
    default: 'mastodon.social',
    description: 'a comma-separated list of at most 20 host names of Mastodon servers, such as mastodon.social',
  }),
  MASTODON_TOKEN: Secret('the token of a user of the first of MASTODON_INSTANCES, for an app with the scope read'),
  BLUESKY_HANDLE: Type.Optional(
    Type.String({
      pattern: '^[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)+$',
      description: 'the handle of a Bluesky account, such as name.bsky.social',
    }),
  ),
  BLUESKY_APP_PASSWORD: Secret('an app password of that account'),
  REDDIT_CLIENT_ID: Secret('the client ID of an OAuth app of Reddit'),
  REDDIT_CLIENT_SECRET: Secret('the secret of that app'),
  X_BEARER_TOKEN: Secret('the app-only access token of an app of X'),
}
