import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../schemas/primitives/string-enum.ts'
import { Note, Profile, Trend } from '../../schemas/tools/social.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import type { Social } from '../../services/social/create-social.ts'
import { isMetered } from '../../services/social/network.ts'
import { profileReference } from '../../services/social/references.ts'
import { xEstimates } from '../../services/social/x-prices.ts'
import {
  exactlyOne,
  FOREIGN,
  getPost,
  handleArgument,
  limitArgument,
  listPosts,
  Notice,
  READS,
  readerCall,
  searchPosts,
  urlArgument,
} from './posts.ts'

/** Creates the tools of the social family, for the networks that are configured. */
export function socialTools(social: Social): AnyTool[] {
  return [searchPosts(social), getPost(social), getProfile(social), listPosts(social), trending(social)]
}

/** `social__get_profile`: who a handle is. */
function getProfile(social: Social): AnyTool {
  return defineTool({
    name: 'social__get_profile',
    title: 'Get a social profile',
    description:
      'Read a public profile: its name, description and counts, by the URL of the profile, or by network and handle.' +
      (social.isPriced ? ' An X profile costs $0.01.' : ''),
    annotations: READS,
    actsAs: social.actsAs,
    input: Type.Object(
      {
        network: Type.Optional(StringEnum(social.offered, { description: 'The network of the handle.' })),
        handle: handleArgument('The handle, such as pg, bsky.app or name@mastodon.social. Send either handle or url.'),
        url: urlArgument('The URL of the profile.'),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({ notice: Notice, profile: Profile }),
    refuse: exactlyOne('handle', 'url'),
    price: social.isPriced
      ? {
          freeCalls: true,
          estimate: which => (isMetered(profileReference(which).network) ? xEstimates.profile() : 0),
        }
      : undefined,

    async run(which, context) {
      const reference = profileReference(which)
      const call = readerCall(context, social)
      const profile = await (await social.reader()).getProfile(reference, call)
      return structured({ notice: FOREIGN, profile })
    },
  })
}

const LIMIT = 10

/** `social__trending`: what many people read or write about now. */
function trending(social: Social): AnyTool {
  return defineTool({
    name: 'social__trending',
    title: 'Trending on social networks',
    description:
      `List what is trending on ${social.trending.join(', ')}: the front page of Hacker News, topics of Bluesky, hashtags ` +
      'of Mastodon with their posts of the last days. notes lists networks that failed.',
    annotations: READS,
    actsAs: social.actsAs,
    input: Type.Object(
      {
        networks: Type.Optional(
          Type.Array(StringEnum(social.trending), {
            minItems: 1,
            maxItems: social.trending.length,
            uniqueItems: true,
            description: 'Default: all.',
          }),
        ),
        limit: limitArgument(30, LIMIT),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({ notice: Notice, trends: Type.Array(Trend), notes: Type.Array(Note) }),

    async run({ networks = social.trending, limit = LIMIT }, context) {
      const call = readerCall(context, { isPriced: false })
      const found = await (await social.reader()).trending(networks, limit, call)
      return structured({ notice: FOREIGN, ...found })
    },
  })
}
