import { Type } from '@sinclair/typebox'
import { Thread } from '../../schemas/social.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import type { Social } from '../../services/social/create-social.ts'
import { isMetered } from '../../services/social/network.ts'
import { postReference } from '../../services/social/references.ts'
import { xEstimates } from '../../services/social/x-prices.ts'
import { exactlyOne, FOREIGN, Notice, READS, readerCall, urlArgument } from './arguments.ts'

const REPLIES = 50
const DEPTH = 10

/** `social__get_post`: a post with its thread. */
export function getPost(social: Social): AnyTool {
  /** Replies that cost money must be asked for. */
  function repliesOf(network: string, replies: number | undefined): number {
    return replies ?? (isMetered(network) ? 0 : REPLIES)
  }

  return defineTool({
    name: 'social__get_post',
    title: 'Get a social post',
    description:
      'Read a public post with the posts that it answers and its replies, by its URL or by the id that a social tool ' +
      `answered. Reads ${social.offered.join(', ')}; for Mastodon, also servers that are not configured.` +
      (social.isPriced
        ? ' A post of X costs $0.015, each reply as much; replies of X are read only if replies is sent.'
        : ''),
    annotations: READS,
    actsAs: social.actsAs,
    input: Type.Object(
      {
        url: urlArgument('The URL of the post. Send either url or id.'),
        id: Type.Optional(
          Type.String({ minLength: 3, maxLength: 1_000, description: 'The ID of the post, such as hackernews:8863.' }),
        ),
        replies: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 200,
            default: REPLIES,
            description: `The maximum number of replies; default ${REPLIES}.`,
          }),
        ),
        depth: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 50,
            default: DEPTH,
            description: `How many levels of replies to return; default ${DEPTH}.`,
          }),
        ),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({ notice: Notice, ...Thread.properties }),
    refuse: exactlyOne('url', 'id'),
    price: social.isPriced
      ? {
          freeCalls: true,
          estimate({ replies, ...which }) {
            const { network } = postReference(which)
            return isMetered(network) ? xEstimates.post(repliesOf(network, replies)) : 0
          },
        }
      : undefined,

    async run({ replies, depth = DEPTH, ...which }, context) {
      const reference = postReference(which)
      const call = readerCall(context, social)
      const options = { replies: repliesOf(reference.network, replies), depth }
      const thread = await (await social.reader()).getPost(reference, options, call)
      return structured({ notice: FOREIGN, ...thread })
    },
  })
}
