import { Type } from '@sinclair/typebox'
import { GatewayError } from '../../lib/errors/errors.ts'
import { NextCursor } from '../../schemas/page.ts'
import { Note, Post } from '../../schemas/social.ts'
import { StringEnum } from '../../schemas/string-enum.ts'
import { RequestTime } from '../../schemas/time.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import type { Social } from '../../services/social/create-social.ts'
import { isMetered } from '../../services/social/network.ts'
import { bareHandle, isHandle } from '../../services/social/references.ts'
import { xEstimates } from '../../services/social/x-prices.ts'
import { cursorArgument, handleArgument, limitArgument, Notice, pageOfPosts, READS, readerCall } from './arguments.ts'

const LIMIT = 20

/** `social__search_posts`: finds posts of several networks. */
export function searchPosts(social: Social): AnyTool {
  const usual = social.searched.filter(network => !isMetered(network))
  return defineTool({
    name: 'social__search_posts',
    title: 'Search social posts',
    description:
      `Search public posts on ${social.searched.join(', ')}. One next_cursor continues all networks; a network that ` +
      'failed is in notes, and the next page asks it again. Returns shortened texts: social__get_post has the whole text ' +
      'and the replies.' +
      (social.isPriced
        ? ' X is searched only if networks names it: it covers the last 7 days and costs $0.015 a post, for at least 10 posts.'
        : ''),
    annotations: READS,
    actsAs: social.actsAs,
    input: Type.Object(
      {
        query: Type.String({ minLength: 1, maxLength: 400, description: 'The words to find.' }),
        networks: Type.Optional(
          Type.Array(StringEnum(social.searched), {
            minItems: 1,
            maxItems: social.searched.length,
            uniqueItems: true,
            description: `Where to search; default ${usual.join(', ')}.`,
          }),
        ),
        sort: Type.Optional(
          StringEnum(['top', 'latest'], {
            default: 'top',
            description: 'top: the best of each network in turn (default). latest: the newest of all networks first.',
          }),
        ),
        since: Type.Optional(RequestTime),
        until: Type.Optional(RequestTime),
        author: handleArgument('Only posts of this handle. Name its network in networks, too.'),
        language: Type.Optional(
          Type.String({ pattern: '^[a-z]{2,3}$', description: 'Only posts in this language, such as en.' }),
        ),
        limit: limitArgument(50, LIMIT),
        cursor: cursorArgument,
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      notice: Notice,
      posts: Type.Array(Post),
      next_cursor: NextCursor,
      notes: Type.Array(Note, { description: 'What a network did not do.' }),
    }),
    price: social.isPriced
      ? {
          freeCalls: true,
          estimate: ({ networks = usual, limit = LIMIT }) =>
            networks.some(isMetered) ? xEstimates.search(Math.ceil(limit / networks.length)) : 0,
        }
      : undefined,

    async run({ networks = usual, limit = LIMIT, cursor, author, since, until, ...query }, context) {
      const call = readerCall(context, social)
      const handle = author === undefined ? undefined : bareHandle(author)
      if (handle !== undefined && !networks.every(network => isHandle(network, handle)))
        throw new GatewayError(
          'invalid_request',
          `author is not a handle of each of ${networks.join(', ')}. Send the network of the author in networks.`,
        )
      const reader = await social.reader()
      const found = await reader.search(
        networks,
        {
          sort: 'top',
          ...query,
          ...(handle !== undefined && { author: handle }),
          ...(since !== undefined && { since: Date.parse(since) }),
          ...(until !== undefined && { until: Date.parse(until) }),
        },
        { limit, cursor },
        call,
      )
      return structured(pageOfPosts(found))
    },
  })
}
