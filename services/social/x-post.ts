import type { Author, Post, Profile } from '../../schemas/social.ts'
import { countOf, type Json, nameOf, objectOf, objectsOf, stringOf, textOf, timeOf, urlOf } from './values.ts'

/** A post of API v2, and the user who wrote it. */
export function postOfTweet(tweet: Json, user: Json | undefined): Post {
  const id = stringOf(tweet.id) ?? ''
  const metrics = objectOf(tweet.public_metrics)
  const author = authorOf(user)
  const replied = objectsOf(tweet.referenced_tweets).find(({ type }) => type === 'replied_to')
  const root = stringOf(tweet.conversation_id)
  return {
    id: `x:${id}`,
    network: 'x',
    url: `https://x.com/${author?.handle ?? 'i'}/status/${id}`,
    author,
    // A long post has its whole text in the note.
    text: textOf(objectOf(tweet.note_tweet).text ?? tweet.text),
    lang: tweet.lang === 'und' ? null : stringOf(tweet.lang),
    created_at: timeOf(tweet.created_at),
    metrics: {
      likes: countOf(metrics.like_count),
      reposts: countOf(metrics.retweet_count),
      replies: countOf(metrics.reply_count),
      quotes: countOf(metrics.quote_count),
      score: null,
    },
    // Media have a price of their own, so that only their absence is known.
    media: objectOf(tweet.attachments).media_keys === undefined ? [] : null,
    link: linkOf(tweet),
    reply_to: replied === undefined ? null : `x:${replied.id}`,
    thread_root: root === null || root === id ? null : `x:${root}`,
    sensitive: typeof tweet.possibly_sensitive === 'boolean' ? tweet.possibly_sensitive : null,
  }
}

/** A user of API v2. */
export function profileOfUser(user: Json): Profile {
  const metrics = objectOf(user.public_metrics)
  const handle = stringOf(user.username) ?? ''
  return {
    id: `x:${stringOf(user.id) ?? ''}`,
    network: 'x',
    handle,
    name: nameOf(user.name),
    bio: textOf(user.description) || null,
    url: `https://x.com/${handle}`,
    counts: {
      followers: countOf(metrics.followers_count),
      following: countOf(metrics.following_count),
      posts: countOf(metrics.tweet_count),
      score: null,
    },
    created_at: timeOf(user.created_at),
    verified: typeof user.verified === 'boolean' ? user.verified : null,
  }
}

function authorOf(user: Json | undefined): Author | null {
  const handle = nameOf(user?.username)
  return handle === null ? null : { handle, name: nameOf(user?.name), url: `https://x.com/${handle}` }
}

/** The first link that leads out of X. */
function linkOf(tweet: Json): string | null {
  const urls = objectsOf(objectOf(tweet.entities).urls).map(({ expanded_url }) => urlOf(expanded_url))
  return urls.find(url => url !== null && !/^https:\/\/(?:x|twitter)\.com\//.test(url)) ?? null
}
