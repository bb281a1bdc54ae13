import { GatewayError } from '../../lib/errors/errors.ts'
import { numberOf } from '../../lib/http/headers.ts'
import type { Author, Media, Post, Profile, Thread, Trend } from '../../schemas/tools/social.ts'
import type { Infrastructure } from '../infrastructure.ts'
import {
  countOf,
  type Json,
  NO_METRICS,
  nameOf,
  objectOf,
  objectsOf,
  plainText,
  stringOf,
  textOf,
  timeOfSeconds,
  urlOf,
} from './answer-fields.ts'
import type { ListQuery, Network, PageAt, PostPage, SearchQuery, SocialCall } from './network.ts'
import { createSharedToken, type NetworkRequest, type SendRequest } from './network-requests.ts'
import { notSupported } from './paged.ts'
import { flattenReplies } from './thread.ts'

/** The maximum of a listing. */
const PAGE = 100
const MAX_DEPTH = 10
const SETTINGS = 'REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET'
const DEFAULT_LIFETIME_S = 3_600
/** A token is replaced this long before it ends. */
const MARGIN_S = 60

const FEED = /^(?:r\/)?([0-9A-Za-z_]{2,32})(?:\/(hot|new|top|rising))?$/
const HOUR_MS = 3_600_000

/** The periods that a search knows. */
const PERIODS = [
  ['hour', HOUR_MS],
  ['day', 24 * HOUR_MS],
  ['week', 7 * 24 * HOUR_MS],
  ['month', 31 * 24 * HOUR_MS],
  ['year', 366 * 24 * HOUR_MS],
] as const

interface RedditApp {
  readonly clientId: string
  readonly clientSecret: string
}

interface RedditOptions extends Pick<Infrastructure, 'clock'> {
  send: SendRequest
  /** Where the API is: https://oauth.reddit.com */
  origin: string
  /** Where tokens are: https://www.reddit.com */
  accounts: string
  app: RedditApp
  /** The version of this gateway: Reddit wants a User-Agent that names the program. */
  version: string
}

/**
 * Reddit, only with an OAuth app (client credentials), which Reddit approves. Listings continue after any post (`after`,
 * its fullname). 100 requests a minute; X-Ratelimit-Reset is the number of seconds.
 * Sources, read on 2026-11-23: https://www.reddit.com/dev/api, https://github.com/reddit-archive/reddit/wiki/OAuth2
 */
export function createReddit({ send, clock, origin, accounts, app, version }: RedditOptions): Network {
  const headers = { 'user-agent': `server:connector-gateway:${version}` }
  const waitOf = (answer: Readonly<Record<string, string>>) => numberOf(answer['x-ratelimit-reset'] ?? '')

  const tokenOf = createSharedToken(clock, async call => {
    const basic = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')
    const { json } = await send(
      `${accounts}/api/v1/access_token`,
      {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=client_credentials',
        credential: { headers: { authorization: `Basic ${basic}` }, settings: SETTINGS },
      },
      call,
    )
    const { access_token, expires_in } = objectOf(json)
    const token = stringOf(access_token)
    // Reddit answers 200 with an error for an unknown grant.
    if (token === null)
      throw new GatewayError('upstream_rejected', `Reddit issued no token. Ask the operator to check ${SETTINGS}.`)
    const seconds = typeof expires_in === 'number' ? expires_in : DEFAULT_LIFETIME_S
    return { token, lastsMs: Math.max(seconds - MARGIN_S, 0) * 1_000 }
  })

  async function get(path: string, query: NonNullable<NetworkRequest['query']>, call: SocialCall): Promise<unknown> {
    let token = await tokenOf(call)
    for (let attempt = 0; ; attempt++) {
      const credential = { headers: { authorization: `Bearer ${token}` }, settings: SETTINGS }
      // raw_json: without it, texts have `&lt;` for `<`.
      const question = { query: { ...query, raw_json: 1 }, headers, credential, waitOf }
      const { status, json } = await send(
        `${origin}${path}`,
        { ...question, ...(attempt === 0 && { accepts: [401] }) },
        call,
      )
      if (status !== 401) return json
      token = await tokenOf(call, token)
    }
  }

  async function listing(
    path: string,
    query: NonNullable<NetworkRequest['query']>,
    { position, limit }: PageAt,
    call: SocialCall,
    keeps: (post: Post) => boolean = () => true,
  ): Promise<PostPage> {
    const after = position ?? undefined
    const { data } = objectOf(await get(path, { ...query, limit: Math.min(limit, PAGE), after }, call))
    const next = stringOf(objectOf(data).after)
    const things = objectsOf(objectOf(data).children).filter(({ kind }) => kind === 't1' || kind === 't3')
    const posts = things.map(postOfThing).filter(keeps)
    return {
      posts: posts.map(post => ({ post, after: post.id.slice('reddit:'.length) })),
      next: next === position ? null : next,
    }
  }

  return {
    name: 'reddit',

    search({ query, sort, since, until, author, language }: SearchQuery, page, call) {
      if (language !== undefined) call.note('ignored', 'Reddit does not record the language of a post.')
      const age = since === undefined ? Number.POSITIVE_INFINITY : clock.now() - since
      const t = PERIODS.find(([, length]) => age <= length)?.[0] ?? 'all'
      const inTime = ({ created_at }: Post) => {
        const time = Date.parse(created_at ?? '')
        return !(time < (since ?? Number.NEGATIVE_INFINITY)) && !(time >= (until ?? Number.POSITIVE_INFINITY))
      }
      const q = author === undefined ? query : `${query} author:${author}`
      return listing(
        '/search',
        { q, sort: sort === 'latest' ? 'new' : 'relevance', t, type: 'link' },
        page,
        call,
        inTime,
      )
    },

    async list({ by, of }: ListQuery, page, call) {
      if (by === 'handle') return listing(`/user/${of}/overview`, { sort: 'new' }, page, call)
      const [, subreddit, order = 'hot'] = by === 'feed' ? (FEED.exec(of) ?? []) : []
      if (subreddit === undefined)
        throw notSupported(
          'Reddit has no tags and no such feed. Send as feed a subreddit, such as r/rust or r/rust/new.',
        )
      return listing(`/r/${subreddit}/${order}`, {}, page, call)
    },

    async getPost(reference, options, call): Promise<Thread> {
      const comment = reference.startsWith('t1_') ? reference.slice(3) : undefined
      const link = comment === undefined ? reference : await linkOf(reference, call)
      const json = await get(
        `/comments/${link.slice(3)}`,
        {
          // Reddit counts the post's ancestors and the post itself.
          limit: options.replies + 1,
          depth: Math.min(options.depth, MAX_DEPTH) + (comment === undefined ? 0 : MAX_DEPTH),
          ...(comment !== undefined && { comment, context: 8 }),
        },
        call,
      )
      const [links, comments] = objectsOf(json)
      const [story] = thingsOf(links)
      if (story === undefined) throw new GatewayError('not_found', 'Reddit has no such post. It may be deleted.')
      if (comment === undefined) {
        const post = postOfThing(story)
        const root = { kind: 'root', data: { replies: comments } }
        return { post, ancestors: [], ...flattenReplies<Json>(root, post.id, TREE, options) }
      }
      // The way down to the comment.
      const ancestors: Post[] = [postOfThing(story)]
      let [node] = thingsOf(comments)
      while (node !== undefined && objectOf(node.data).id !== comment && ancestors.length <= MAX_DEPTH) {
        ancestors.push(postOfThing(node))
        node = thingsOf(objectOf(node.data).replies)[0]
      }
      if (node === undefined) throw new GatewayError('not_found', 'Reddit has no such comment. It may be deleted.')
      const post = postOfThing(node)
      const { replies, truncated } = flattenReplies<Json>(node, post.id, TREE, options)
      const cut = ancestors[1] !== undefined && ancestors[1].reply_to !== ancestors[0]?.id
      return { post, ancestors, replies, truncated: truncated || cut }
    },

    async getProfile(handle, call): Promise<Profile> {
      return profileOfUser(objectOf(objectOf(await get(`/user/${handle}/about`, {}, call)).data))
    },

    async trending(limit, call): Promise<Trend[]> {
      const { posts } = await listing('/r/popular/hot', {}, { position: null, limit }, call)
      return posts.slice(0, limit).map(({ post: { id, text, url } }) => ({
        network: 'reddit',
        kind: 'post',
        name: text.split('\n', 1)[0] ?? '',
        url,
        posts: null,
        id,
      }))
    },

    isPosition: position => /^t[13]_[0-9a-z]{1,13}$/.test(position),
  }

  /** The post that a comment belongs to. */
  async function linkOf(fullname: string, call: SocialCall): Promise<string> {
    const [thing] = thingsOf(await get('/api/info', { id: fullname }, call))
    const link = stringOf(objectOf(thing?.data).link_id)
    if (link === null || !/^t3_[0-9a-z]{1,13}$/.test(link))
      throw new GatewayError('not_found', 'Reddit has no such comment. It may be deleted.')
    return link
  }
}

/** The things of a listing. */
function thingsOf(listing: unknown): readonly Json[] {
  return objectsOf(objectOf(objectOf(listing).data).children)
}

const TREE = {
  // `more` stands for comments that were left out.
  post: (thing: Json) => (thing.kind === 't1' ? postOfThing(thing) : undefined),
  replies: (thing: Json) => thingsOf(objectOf(thing.data).replies),
}

const SITE = 'https://www.reddit.com'
const GONE = new Set(['[deleted]', '[removed]'])

/** A post (t3) or a comment (t1). Their texts are Markdown. */
function postOfThing({ data }: Json): Post {
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
function profileOfUser(user: Json): Profile {
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
