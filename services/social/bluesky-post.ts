import type { Author, Media, Post, Profile } from '../../schemas/social.ts'
import {
  countOf,
  type Json,
  NO_METRICS,
  nameOf,
  objectOf,
  objectsOf,
  stringOf,
  textOf,
  timeOf,
  urlOf,
} from './values.ts'

/** Labels by which Bluesky hides media until the reader agrees. */
const SENSITIVE = new Set(['porn', 'sexual', 'nudity', 'graphic-media', 'gore'])

/** A post as `app.bsky.feed.defs#postView`. */
export function postOfView(view: Json): Post {
  const record = objectOf(view.record)
  const reply = objectOf(record.reply)
  const embed = objectOf(view.embed)
  const uri = stringOf(view.uri) ?? ''
  return {
    id: `bluesky:${uri}`,
    network: 'bluesky',
    url: webUrl(uri, stringOf(objectOf(view.author).handle)),
    author: authorOf(objectOf(view.author)),
    text: textOf(record.text),
    lang: Array.isArray(record.langs) ? stringOf(record.langs[0]) : null,
    created_at: timeOf(record.createdAt) ?? timeOf(view.indexedAt),
    metrics: {
      likes: countOf(view.likeCount),
      reposts: countOf(view.repostCount),
      replies: countOf(view.replyCount),
      quotes: countOf(view.quoteCount),
      score: null,
    },
    media: mediaOf(embed),
    link: linkOf(embed),
    reply_to: idOf(objectOf(reply.parent).uri),
    thread_root: idOf(objectOf(reply.root).uri),
    sensitive: Array.isArray(view.labels) ? objectsOf(view.labels).some(({ val }) => SENSITIVE.has(String(val))) : null,
  }
}

/** A node of a thread: a post, or what is left of a deleted one; undefined for a blocked one. */
export function postOfThread(node: Json): Post | undefined {
  if (node.notFound === true) return deletedPost(stringOf(node.uri) ?? '')
  return node.post === undefined ? undefined : postOfView(objectOf(node.post))
}

/** A profile as `app.bsky.actor.defs#profileViewDetailed`. */
export function profileOfView(view: Json): Profile {
  const handle = stringOf(view.handle) ?? ''
  return {
    id: `bluesky:${stringOf(view.did) ?? ''}`,
    network: 'bluesky',
    handle,
    name: nameOf(view.displayName),
    bio: textOf(view.description) || null,
    url: `https://bsky.app/profile/${handle}`,
    counts: {
      followers: countOf(view.followersCount),
      following: countOf(view.followsCount),
      posts: countOf(view.postsCount),
      score: null,
    },
    created_at: timeOf(view.createdAt),
    verified: view.verification === undefined ? null : objectOf(view.verification).verifiedStatus === 'valid',
  }
}

function deletedPost(uri: string): Post {
  return {
    id: `bluesky:${uri}`,
    network: 'bluesky',
    url: webUrl(uri, null),
    author: null,
    text: '',
    lang: null,
    created_at: null,
    metrics: NO_METRICS,
    media: null,
    link: null,
    reply_to: null,
    thread_root: null,
    sensitive: null,
    deleted: true,
  }
}

function authorOf(author: Json): Author | null {
  const handle = stringOf(author.handle)
  if (handle === null) return null
  return { handle, name: nameOf(author.displayName), url: `https://bsky.app/profile/${handle}` }
}

function idOf(uri: unknown): string | null {
  return typeof uri === 'string' ? `bluesky:${uri}` : null
}

function webUrl(uri: string, handle: string | null): string | null {
  const [, did, key] = /^at:\/\/([^/]+)\/app\.bsky\.feed\.post\/([^/]+)$/.exec(uri) ?? []
  return did === undefined ? null : `https://bsky.app/profile/${handle ?? did}/post/${key}`
}

/** The media of an embed, also of one that quotes a post with media of its own. */
function mediaOf(embed: Json): Media[] {
  const media = embed.media === undefined ? embed : objectOf(embed.media)
  const images = [...objectsOf(media.images), ...objectsOf(media.items)].map(image => ({
    type: 'image' as const,
    url: urlOf(image.fullsize),
    alt: textOf(image.alt) || null,
  }))
  const video = { type: 'video' as const, url: urlOf(media.playlist), alt: textOf(media.alt) || null }
  return [...images, video].flatMap(({ url, ...rest }) => (url === null ? [] : [{ ...rest, url }]))
}

/** The page that a post shows as a card, or the post that it quotes. */
function linkOf(embed: Json): string | null {
  const external = objectOf(objectOf(embed.media).external ?? embed.external)
  if (external.uri !== undefined) return urlOf(external.uri)
  const record = objectOf(embed.record)
  const quoted = embed.media === undefined ? record : objectOf(record.record)
  return webUrl(stringOf(quoted.uri) ?? '', stringOf(objectOf(quoted.author).handle))
}
