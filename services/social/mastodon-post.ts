import type { Author, Media, Post, Profile } from '../../schemas/social.ts'
import { plainText } from './plain-text.ts'
import { countOf, type Json, nameOf, objectOf, objectsOf, stringOf, textOf, timeOf, urlOf } from './values.ts'

/** The server that answered. */
export interface Home {
  readonly origin: string
  readonly host: string
}

const MEDIA: Readonly<Record<string, Media['type']>> = {
  image: 'image',
  gifv: 'video',
  video: 'video',
  audio: 'audio',
}

/** A post as the server of `home` answers it. Posts of other servers have an ID of this server. */
export function postOfStatus(answered: Json, home: Home): Post {
  const boosted = objectOf(answered.reblog)
  const status = boosted.id === undefined ? answered : boosted
  const card = objectOf(status.card)
  const quoted = objectOf(objectOf(status.quote).quoted_status)
  const warning = nameOf(status.spoiler_text)
  const text = plainText(status.content)
  return {
    id: `mastodon:${home.host}/${stringOf(status.id) ?? ''}`,
    network: 'mastodon',
    url: urlOf(status.url) ?? urlOf(status.uri),
    author: authorOf(objectOf(status.account), home),
    text: warning === null ? text : `${warning}\n\n${text}`,
    lang: stringOf(status.language),
    created_at: timeOf(status.created_at),
    metrics: {
      likes: countOf(status.favourites_count),
      reposts: countOf(status.reblogs_count),
      replies: countOf(status.replies_count),
      quotes: countOf(status.quotes_count),
      score: null,
    },
    media: objectsOf(status.media_attachments).flatMap(({ type, url, description }) => {
      const address = urlOf(url)
      return address === null
        ? []
        : [{ type: MEDIA[String(type)] ?? 'other', url: address, alt: textOf(description) || null }]
    }),
    link: urlOf(card.url) ?? urlOf(quoted.url),
    reply_to: idOf(status.in_reply_to_id, home),
    // A server returns only the ID of the post above.
    thread_root: null,
    sensitive: typeof status.sensitive === 'boolean' ? status.sensitive : null,
  }
}

/** An account as the server of `home` answers it. */
export function profileOfAccount(account: Json, home: Home): Profile {
  const handle = handleOf(account, home)
  return {
    id: `mastodon:${handle}`,
    network: 'mastodon',
    handle,
    name: nameOf(account.display_name),
    bio: plainText(account.note) || null,
    url: urlOf(account.url),
    counts: {
      followers: countOf(account.followers_count),
      following: countOf(account.following_count),
      posts: countOf(account.statuses_count),
      score: null,
    },
    created_at: timeOf(account.created_at),
    verified: null,
  }
}

function authorOf(account: Json, home: Home): Author | null {
  if (stringOf(account.acct) === null) return null
  return { handle: handleOf(account, home), name: nameOf(account.display_name), url: urlOf(account.url) }
}

/** The handle with its host, which a server leaves out for its own accounts. */
function handleOf({ acct }: Json, { host }: Home): string {
  const handle = nameOf(acct) ?? ''
  return handle.includes('@') ? handle : `${handle}@${host}`
}

function idOf(id: unknown, { host }: Home): string | null {
  return typeof id === 'string' && id !== '' ? `mastodon:${host}/${id}` : null
}
