import { type Static, Type } from '@sinclair/typebox'
import { orNull } from '../primitives/or-null.ts'
import { StringEnum } from '../primitives/string-enum.ts'

/** The social networks that the gateway can read. */
const NETWORKS = ['hackernews', 'bluesky', 'mastodon', 'reddit', 'x'] as const

export type NetworkName = (typeof NETWORKS)[number]

const Network = StringEnum(NETWORKS)
const Text = Type.String()
const Count = orNull(Type.Integer(), { description: 'null: unknown' })

const Author = Type.Object({ handle: Text, name: orNull(Text), url: orNull(Text) })

export type Author = Static<typeof Author>

const Media = Type.Object({ type: StringEnum(['image', 'video', 'audio', 'other']), url: Text, alt: orNull(Text) })

export type Media = Static<typeof Media>

const PostMembers = {
  id: Type.String({ description: '<network>:<ID>, for social__get_post' }),
  network: Network,
  url: orNull(Text),
  author: orNull(Author),
  text: Text,
  lang: orNull(Text),
  created_at: orNull(Text),
  metrics: Type.Object({ likes: Count, reposts: Count, replies: Count, quotes: Count, score: Count }),
  media: orNull(Type.Array(Media)),
  link: orNull(Type.String({ description: 'The page that the post links to.' })),
  reply_to: orNull(Type.String({ description: 'The ID of the post that this post replies to.' })),
  thread_root: orNull(Text),
  sensitive: orNull(Type.Boolean()),
  deleted: Type.Optional(Type.Boolean()),
}

/** A post of any network. What a network does not tell is null, never 0. */
export const Post = Type.Object(PostMembers)

export type Post = Static<typeof Post>

const Reply = Type.Object({
  ...PostMembers,
  depth: Type.Integer({ description: '1: a reply to the post itself' }),
  parent: Type.String({ description: 'The ID of the post that it replies to.' }),
})

export type Reply = Static<typeof Reply>

/** A post with what it answers and what answers it. */
export const Thread = Type.Object({
  post: Post,
  ancestors: Type.Array(Post, { description: 'From the first post of the thread to the parent of the post.' }),
  replies: Type.Array(Reply, { description: 'Each after the post that it replies to.' }),
  truncated: Type.Boolean({ description: 'Whether there are more ancestors or replies.' }),
})

export type Thread = Static<typeof Thread>

/** A profile of any network. */
export const Profile = Type.Object({
  id: Text,
  network: Network,
  handle: Text,
  name: orNull(Text),
  bio: orNull(Text),
  url: orNull(Text),
  counts: Type.Object({ followers: Count, following: Count, posts: Count, score: Count }),
  created_at: orNull(Text),
  verified: orNull(Type.Boolean()),
})

export type Profile = Static<typeof Profile>

/** What many people write about or read: a topic, a hashtag, or a post. */
export const Trend = Type.Object({
  network: Network,
  kind: StringEnum(['topic', 'tag', 'post']),
  name: Text,
  url: orNull(Text),
  posts: Count,
  id: orNull(Type.String({ description: 'The ID of a post, for social__get_post.' })),
})

export type Trend = Static<typeof Trend>

/** What one network did not do: its failure, or an argument that it ignored. */
export const Note = Type.Object({
  network: Network,
  code: Text,
  message: Text,
  retry_after: Type.Optional(Type.Integer()),
})

export type Note = Static<typeof Note>
