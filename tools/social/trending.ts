import { Type } from '@sinclair/typebox'
import { Note, Trend } from '../../schemas/social.ts'
import { StringEnum } from '../../schemas/string-enum.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import type { Social } from '../../services/social/create-social.ts'
import { FOREIGN, limitArgument, Notice, READS, readerCall } from './arguments.ts'

const LIMIT = 10

/** `social__trending`: what many people read or write about now. */
export function trending(social: Social): AnyTool {
  return defineTool({
    name: 'social__trending',
    title: 'Trending on social networks',
    description:
      `List what is trending on ${social.trending.join(', ')}: the front page of Hacker News, topics of Bluesky, hashtags ` +
      'of Mastodon with their posts of the last days. A network that failed is in notes.',
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
