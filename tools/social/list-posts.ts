import { Type } from '@sinclair/typebox'
import { GatewayError } from '../../lib/errors/errors.ts'
import { NextCursor } from '../../schemas/page.ts'
import { Note, Post } from '../../schemas/social.ts'
import { StringEnum } from '../../schemas/string-enum.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import type { Social } from '../../services/social/create-social.ts'
import { isMetered, type ListQuery } from '../../services/social/network.ts'
import { bareHandle, isHandle } from '../../services/social/references.ts'
import { xEstimates } from '../../services/social/x-prices.ts'
import {
  cursorArgument,
  exactlyOne,
  handleArgument,
  limitArgument,
  Notice,
  pageOfPosts,
  READS,
  readerCall,
} from './arguments.ts'

const LIMIT = 20

/** `social__list_posts`: the posts of an account, a hashtag or a feed. */
export function listPosts(social: Social): AnyTool {
  return defineTool({
    name: 'social__list_posts',
    title: 'List social posts',
    description:
      'List the posts of an account, of a hashtag (Mastodon) or of a feed. Feeds: hackernews top, new, best, ask, show, ' +
      'job; bluesky the URL or at:// URI of a feed; mastodon local, public' +
      (social.offered.includes('reddit') ? '; reddit a subreddit, such as r/rust or r/rust/new' : '') +
      '. Returns shortened texts: social__get_post has the whole text.' +
      (social.isPriced ? ' On X, an account costs $0.01 and each of its posts $0.005, for at least 5 posts.' : ''),
    annotations: READS,
    actsAs: social.actsAs,
    input: Type.Object(
      {
        network: StringEnum(social.offered),
        handle: handleArgument('The account whose posts to list. Send one of handle, tag, feed.'),
        tag: Type.Optional(Type.String({ pattern: '^#?[^\\s#/?]{1,100}$', description: 'A hashtag.' })),
        feed: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, description: 'A feed of the network.' })),
        limit: limitArgument(50, LIMIT),
        cursor: cursorArgument,
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      notice: Notice,
      posts: Type.Array(Post),
      next_cursor: NextCursor,
      notes: Type.Array(Note),
    }),
    refuse: exactlyOne('handle', 'tag', 'feed'),
    price: social.isPriced
      ? {
          freeCalls: true,
          estimate: ({ network, limit = LIMIT }) => (isMetered(network) ? xEstimates.list(limit) : 0),
        }
      : undefined,

    async run({ network, limit = LIMIT, cursor, ...which }, context) {
      const call = readerCall(context, social)
      const list = listOf(which)
      if (list.by === 'handle' && !isHandle(network, list.of))
        throw new GatewayError(
          'invalid_request',
          `This is not a handle of ${network}. Send it as the network shows it.`,
        )
      const page = await (await social.reader()).list(network, list, { limit, cursor }, call)
      return structured(pageOfPosts(page))
    },
  })
}

function listOf({ handle, tag, feed }: { handle?: string; tag?: string; feed?: string }): ListQuery {
  if (handle !== undefined) return { by: 'handle', of: bareHandle(handle) }
  return tag !== undefined ? { by: 'tag', of: tag.replace(/^#/, '') } : { by: 'feed', of: feed ?? '' }
}
