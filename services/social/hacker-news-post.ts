import type { Post, Profile } from '../../schemas/social.ts'
import { plainText } from './plain-text.ts'
import { countOf, type Json, NO_METRICS, nameOf, stringOf, timeOf, timeOfSeconds, urlOf } from './values.ts'

/** A hit of the search. */
export function postOfHit(hit: Json): Post {
  return toPost({
    id: hit.objectID,
    author: hit.author,
    title: hit.title,
    text: hit.story_text ?? hit.comment_text,
    createdAt: timeOf(hit.created_at),
    score: hit.points,
    replies: hit.num_comments,
    link: hit.url,
    parent: hit.parent_id,
    // The story of a story is itself.
    root: hit.parent_id === undefined || hit.parent_id === null ? null : hit.story_id,
  })
}

/** A node of the tree that the search answers. The author and the text of a deleted one are null. */
export function postOfItem(item: Json): Post {
  return toPost({
    id: item.id,
    author: item.author,
    title: item.title,
    text: item.text,
    createdAt: timeOf(item.created_at),
    score: item.points,
    replies: undefined,
    link: item.url,
    parent: item.parent_id,
    root: item.parent_id === null ? null : item.story_id,
    deleted: item.author === null && item.text === null && item.title === null,
  })
}

/** An item of the official API. */
export function postOfStored(item: Json): Post {
  return toPost({
    id: item.id,
    author: item.by,
    title: item.title,
    text: item.text,
    createdAt: timeOfSeconds(item.time),
    score: item.score,
    replies: item.descendants,
    link: item.url,
    parent: item.parent,
    root: null,
    deleted: item.deleted === true,
  })
}

/** A user of the official API. Its karma is the score. */
export function profileOfUser(user: Json): Profile {
  const handle = stringOf(user.id) ?? ''
  return {
    id: `hackernews:${handle}`,
    network: 'hackernews',
    handle,
    name: null,
    bio: plainText(user.about) || null,
    url: `https://news.ycombinator.com/user?id=${handle}`,
    counts: {
      followers: null,
      following: null,
      posts: Array.isArray(user.submitted) ? user.submitted.length : null,
      score: countOf(user.karma, Number.MIN_SAFE_INTEGER),
    },
    created_at: timeOfSeconds(user.created),
    verified: null,
  }
}

interface Parts {
  id: unknown
  author: unknown
  title: unknown
  text: unknown
  createdAt: string | null
  score: unknown
  replies: unknown
  link: unknown
  parent: unknown
  root: unknown
  deleted?: boolean
}

function toPost(parts: Parts): Post {
  const id = String(parts.id)
  const author = nameOf(parts.author)
  const body = [nameOf(parts.title), plainText(parts.text)].filter(Boolean).join('\n\n')
  return {
    id: `hackernews:${id}`,
    network: 'hackernews',
    url: `https://news.ycombinator.com/item?id=${id}`,
    author:
      author === null
        ? null
        : { handle: author, name: null, url: `https://news.ycombinator.com/user?id=${encodeURIComponent(author)}` },
    text: body,
    lang: null,
    created_at: parts.createdAt,
    metrics: { ...NO_METRICS, score: countOf(parts.score, -1_000), replies: countOf(parts.replies) },
    media: [],
    link: urlOf(parts.link),
    reply_to: idOf(parts.parent),
    thread_root: idOf(parts.root),
    sensitive: null,
    ...(parts.deleted === true && { deleted: true }),
  }
}

function idOf(value: unknown): string | null {
  return Number.isSafeInteger(value) ? `hackernews:${value}` : null
}
