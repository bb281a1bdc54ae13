import type { Author, Media, Post, Profile } from '../../schemas/social.ts'
import { plainText } from './plain-text.ts'
import {
  countOf,
  type Json,
  NO_METRICS,
  nameOf,
  objectOf,
  objectsOf,
  stringOf,
  textOf,
  timeOfSeconds,
  urlOf,
} from './values.ts'

const SITE = 'https://www.reddit.com'
const GONE = new Set(['[deleted]', '[removed]'])

/** A post (t3) or a comment (t1). Their texts are Markdown. */
export function postOfThing({ data }: Json): Post {
  const thing = objectOf(data)
  const text = thing.body ?? thing.selftext
  const gone = GONE.has(String(text)) || typeof thing.removed_by_category === 'string'
  const link = thing.is_self === true ? null : urlOf(thing.url)
  return {
    id: `reddit:${stringOf(thing.name) ?? ''}`,
    network: 'reddit',
    url: typeof thing.permalink === 'string' ? urlOf(`${SITE}${thing.permalink}`) : null,
    author: authorOf(thing.author),
    text: [nameOf(thing.title), gone ? '' : textOf(text)].filter(Boolean).join('\n\n'),
    lang: null,
    created_at: timeOfSeconds(thing.created_utc),
    metrics: {
      ...NO_METRICS,
      score: thing.score_hidden === true ? null : countOf(thing.score, Number.MIN_SAFE_INTEGER),
      replies: countOf(thing.num_comments),
    },
    media: mediaOf(thing),
    link,
    reply_to: idOf(thing.parent_id),
    thread_root: idOf(thing.link_id),
    sensitive: typeof thing.over_18 === 'boolean' ? thing.over_18 : null,
    ...(gone && { deleted: true }),
  }
}

/** A user. Their karma is the score. */
export function profileOfUser(user: Json): Profile {
  const handle = stringOf(user.name) ?? ''
  return {
    id: `reddit:${handle}`,
    network: 'reddit',
    handle,
    name: nameOf(objectOf(user.subreddit).title),
    bio: plainText(objectOf(user.subreddit).public_description) || null,
    url: `${SITE}/user/${handle}`,
    counts: {
      followers: null,
      following: null,
      posts: null,
      score: countOf(user.total_karma, Number.MIN_SAFE_INTEGER),
    },
    created_at: timeOfSeconds(user.created_utc),
    // Reddit's `verified` is about the address for email.
    verified: null,
  }
}

function authorOf(name: unknown): Author | null {
  const handle = nameOf(name)
  return handle === null || GONE.has(handle) ? null : { handle, name: null, url: `${SITE}/user/${handle}` }
}

function idOf(fullname: unknown): string | null {
  return typeof fullname === 'string' ? `reddit:${fullname}` : null
}

/** The preview of an image post, or the images of a gallery. */
function mediaOf(thing: Json): Media[] {
  const video = urlOf(objectOf(objectOf(thing.media).reddit_video).fallback_url)
  if (video !== null) return [{ type: 'video', url: video, alt: null }]
  const gallery = Object.values(objectOf(thing.media_metadata)).map(item => objectOf(objectOf(item).s).u)
  const previews = objectsOf(objectOf(thing.preview).images).map(image => objectOf(image.source).url)
  return (gallery.length > 0 ? gallery : previews).flatMap(address => {
    const url = urlOf(address)
    return url === null ? [] : [{ type: 'image' as const, url, alt: null }]
  })
}
