import { Type } from '@sinclair/typebox'
import { Profile } from '../../schemas/social.ts'
import { StringEnum } from '../../schemas/string-enum.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import type { Social } from '../../services/social/create-social.ts'
import { isMetered } from '../../services/social/network.ts'
import { profileReference } from '../../services/social/references.ts'
import { xEstimates } from '../../services/social/x-prices.ts'
import { exactlyOne, FOREIGN, handleArgument, Notice, READS, readerCall, urlArgument } from './arguments.ts'

/** `social__get_profile`: who a handle is. */
export function getProfile(social: Social): AnyTool {
  return defineTool({
    name: 'social__get_profile',
    title: 'Get a social profile',
    description:
      'Read a public profile: its name, description and counts, by the URL of the profile, or by network and handle.' +
      (social.isPriced ? ' A profile of X costs $0.01.' : ''),
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
