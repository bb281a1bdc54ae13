import { GatewayError } from '../../lib/errors/errors.ts'
import { numberOf } from '../../lib/http/headers.ts'
import type { Author, Post, Profile, Thread } from '../../schemas/tools/social.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { countOf, type Json, nameOf, objectOf, objectsOf, stringOf, textOf, timeOf, urlOf } from './answer-fields.ts'
import type { Network, PageAt, PostPage, SocialCall } from './network.ts'
import type { NetworkRequest, SendRequest } from './network-requests.ts'
import { isPagedPosition, notSupported, readProviderPage } from './paged.ts'
import { flattenReplies } from './thread.ts'
import { X_MINIMUM, X_PRICES } from './x-prices.ts'

const PAGE = 100
const DAY_MS = 86_400_000
/** The recent search knows seven days. A minute less, because the request takes time. */
const SEARCHED_MS = 7 * DAY_MS - 60_000
/** X rejects an end_time of the last ten seconds. */
const NEWEST_MS = 15_000

const TWEET_FIELDS =
  'attachments,author_id,conversation_id,created_at,entities,lang,note_tweet,possibly_sensitive,public_metrics,referenced_tweets'
const USER_FIELDS = 'created_at,description,name,public_metrics,username,verified'

interface XOptions extends Pick<Infrastructure, 'clock'> {
  send: SendRequest
  /** Where the API is: https://api.x.com */
  origin: string
  bearerToken: string
}

/**
 * X, API v2 with an app's Bearer token. X charges for each post and each user in an answer, authors included, so that the
 * gateway asks for nothing else (media have a price too). Search knows the last seven days.
 * Sources, read on 2026-11-23: https://docs.x.com/x-api (search/recent, posts/:id, users/by/username, users/:id/tweets),
 * https://docs.x.com/x-api/getting-started/pricing
 */
export function createX({ send, clock, origin, bearerToken }: XOptions): Network {
  async function get(path: string, query: NonNullable<NetworkRequest['query']>, call: SocialCall): Promise<Json> {
    const { json } = await send(
      `${origin}/2/${path}`,
      {
        query,
        credential: { headers: { authorization: `Bearer ${bearerToken}` }, settings: 'X_BEARER_TOKEN' },
        // The time of the reset, in seconds.
        waitOf(headers) {
          const reset = numberOf(headers['x-rate-limit-reset'] ?? '')
          return reset === undefined ? undefined : reset - clock.now() / 1_000
        },
      },
      call,
    )
    const answer = objectOf(json)
    const posts = Array.isArray(answer.data)
      ? answer.data.length
      : typeof objectOf(answer.data).text === 'string'
        ? 1
        : 0
    const users = objectsOf(objectOf(answer.includes).users).length
    call.charge(posts * X_PRICES.post + users * X_PRICES.user)
    return answer
  }

  /** Posts with their authors. */
  async function withAuthors(path: string, query: NonNullable<NetworkRequest['query']>, call: SocialCall) {
    const answer = await get(
      path,
      { ...query, 'tweet.fields': TWEET_FIELDS, 'user.fields': USER_FIELDS, expansions: 'author_id' },
      call,
    )
    const users = new Map(objectsOf(objectOf(answer.includes).users).map(user => [user.id, user]))
    const tweets = Array.isArray(answer.data) ? objectsOf(answer.data) : objectsOf([answer.data])
    return {
      posts: tweets.map(tweet => postOfTweet(tweet, users.get(tweet.author_id))),
      cursor: stringOf(objectOf(answer.meta).next_token),
    }
  }

  async function userOf(handle: string, call: SocialCall): Promise<Json> {
    const { data } = await get(`users/by/username/${handle}`, { 'user.fields': USER_FIELDS }, call)
    if (data === undefined) throw new GatewayError('not_found', 'X has no such user. They may be suspended.')
    call.charge(X_PRICES.user)
    return objectOf(data)
  }

  function timesOf({ since, until }: { since?: number; until?: number }, call: SocialCall) {
    const now = clock.now()
    if (since !== undefined && since < now - SEARCHED_MS) call.note('ignored', 'X searches the last seven days only.')
    const start = since === undefined ? undefined : Math.max(since, now - SEARCHED_MS)
    // Whole seconds, in the form that X documents.
    const time = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`
    return {
      start_time: start === undefined ? undefined : time(start),
      end_time: until === undefined || until > now - NEWEST_MS ? undefined : time(until),
    }
  }

  return {
    name: 'x',

    search({ query, sort, author, language, ...times }, { position, limit }: PageAt, call): Promise<PostPage> {
      const q = [`(${query})`, '-is:retweet', author && `from:${author}`, language && `lang:${language}`]
      return readProviderPage(position, next_token =>
        withAuthors(
          'tweets/search/recent',
          {
            query: q.filter(Boolean).join(' '),
            max_results: Math.min(Math.max(limit, X_MINIMUM.search), PAGE),
            sort_order: sort === 'latest' ? 'recency' : 'relevancy',
            next_token: next_token ?? undefined,
            ...timesOf(times, call),
          },
          call,
        ),
      )
    },

    async list({ by, of }, { position, limit }, call) {
      if (by !== 'handle') throw notSupported('X lists the posts of a handle only. To find a hashtag, search for it.')
      return readProviderPage(position, async cursor => {
        // The position keeps the user's ID, which costs as much as two posts.
        const [known, token] = cursor?.split('-') ?? []
        const user = known === undefined ? await userOf(of, call) : { id: known, username: of }
        const answer = await get(
          `users/${user.id}/tweets`,
          {
            'tweet.fields': TWEET_FIELDS,
            exclude: 'retweets',
            max_results: Math.min(Math.max(limit, X_MINIMUM.list), PAGE),
            pagination_token: token || undefined,
          },
          call,
        )
        const next = stringOf(objectOf(answer.meta).next_token)
        return {
          posts: objectsOf(answer.data).map(tweet => postOfTweet(tweet, user)),
          cursor: next === null ? null : `${user.id}-${next}`,
          again: `${user.id}-${token ?? ''}`,
        }
      })
    },

    async getPost(id, options, call): Promise<Thread> {
      const { posts } = await withAuthors(`tweets/${id}`, {}, call)
      const [post] = posts
      // X answers 200 with errors for a deleted post.
      if (post === undefined) throw new GatewayError('not_found', 'X has no such post. It may be deleted or private.')
      if (options.replies === 0)
        return { post, ancestors: [], replies: [], truncated: post.metrics.replies !== 0 || post.reply_to !== null }
      const found = await withAuthors(
        'tweets/search/recent',
        {
          query: `conversation_id:${post.thread_root?.slice('x:'.length) ?? id}`,
          max_results: Math.min(Math.max(options.replies, X_MINIMUM.search), PAGE),
        },
        call,
      )
      const byParent = Map.groupBy(found.posts, ({ reply_to }) => reply_to)
      const tree = { post: (node: Post) => node, replies: (node: Post) => byParent.get(node.id) ?? [] }
      const { replies, truncated } = flattenReplies(post, post.id, tree, options)
      const missing = (post.metrics.replies ?? 0) > (byParent.get(post.id)?.length ?? 0)
      return { post, ancestors: [], replies, truncated: truncated || missing || post.reply_to !== null }
    },

    async getProfile(handle, call): Promise<Profile> {
      return profileOfUser(await userOf(handle, call))
    },

    async trending() {
      throw notSupported('The gateway does not read the trends of X.')
    },

    isPosition: position => isPagedPosition(position, /^(?:\d{1,20}-)?[0-9A-Za-z_]{0,200}$/),
  }
}

/** A post of API v2, and the user who wrote it. */
function postOfTweet(tweet: Json, user: Json | undefined): Post {
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
function profileOfUser(user: Json): Profile {
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
