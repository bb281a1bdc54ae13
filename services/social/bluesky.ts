import { GatewayError } from '../../lib/errors/errors.ts'
import type { Author, Media, Post, Profile, Thread, Trend } from '../../schemas/tools/social.ts'
import type { Infrastructure } from '../infrastructure.ts'
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
} from './answer-fields.ts'
import type { Network, PageAt, PostPage, SocialCall } from './network.ts'
import { createSharedToken, type NetworkRequest, type SendRequest } from './network-requests.ts'
import { isPagedPosition, notSupported, readProviderPage } from './paged.ts'
import { flattenReplies } from './thread.ts'

/** How many posts a request asks for. Constant, so that pages keep their borders. */
const PAGE = 50
const ANCESTORS = 40
/** The depth that the server accepts. */
const MAX_DEPTH = 1_000

/** The lifetime of an access token is two hours. */
const TOKEN_LASTS_MS = 110 * 60_000
const SETTINGS = 'BLUESKY_HANDLE and BLUESKY_APP_PASSWORD'

/** The credential of an account: an app password, which the account can revoke. */
interface BlueskyAccount {
  readonly handle: string
  readonly appPassword: string
}

interface BlueskyOptions extends Pick<Infrastructure, 'clock'> {
  send: SendRequest
  /** The server for everybody: https://public.api.bsky.app */
  origin: string
  /** The server of accounts: https://bsky.social */
  accounts: string
  /** Without an account, there is no search. */
  account: BlueskyAccount | undefined
}

/**
 * Bluesky. Without a credential: profiles, feeds, threads and trends of the public AppView. With an app password: search
 * through the account's server, because the public AppView rejects searches, at times all and always with a cursor.
 * Sources, read on 2026-11-23: lexicons/app/bsky of https://github.com/bluesky-social/atproto (2026-08-20);
 * https://github.com/bluesky-social/bsky-docs/issues/296 and atproto/issues/3583 on the public search.
 */
export function createBluesky({ send, clock, origin, accounts, account }: BlueskyOptions): Network {
  const tokenOf = account && createSharedToken(clock, call => signIn(account, call))

  async function signIn({ handle, appPassword }: BlueskyAccount, call: SocialCall) {
    const { status, json } = await send(
      `${accounts}/xrpc/com.atproto.server.createSession`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ identifier: handle, password: appPassword }),
        accepts: [400, 401],
      },
      call,
    )
    const token = stringOf(objectOf(json).accessJwt)
    if (status === 200 && token !== null) return { token, lastsMs: TOKEN_LASTS_MS }
    throw new GatewayError(
      'upstream_rejected',
      `Bluesky rejected the account of this gateway. Ask the operator to check ${SETTINGS}.`,
    )
  }

  async function query(method: string, question: NetworkRequest, call: SocialCall): Promise<Json> {
    const { status, json } = await send(`${origin}/xrpc/${method}`, { ...question, accepts: [400] }, call)
    if (status === 200) return objectOf(json)
    const { error } = objectOf(json)
    // The servers answer 400 for what does not exist.
    if (error === 'NotFound' || error === 'InvalidRequest' || error === 'UnknownFeed')
      throw new GatewayError('not_found', 'Bluesky has no such post, profile or feed. It may be deleted.')
    throw new GatewayError('upstream_rejected', 'Bluesky rejected the request (status 400). Check the arguments.')
  }

  /** Sends a query as the account. An expired token is replaced once. */
  async function queryAsAccount(method: string, question: NetworkRequest, call: SocialCall): Promise<Json> {
    if (tokenOf === undefined)
      throw notSupported('Bluesky requires an account for searches, and this gateway has none.')
    let token = await tokenOf(call)
    for (let attempt = 0; ; attempt++) {
      const { status, json } = await send(
        `${accounts}/xrpc/${method}`,
        {
          ...question,
          credential: { headers: { authorization: `Bearer ${token}` }, settings: SETTINGS },
          accepts: attempt === 0 ? [400, 401] : [400],
        },
        call,
      )
      if (status === 200) return objectOf(json)
      const expired = status === 401 || objectOf(json).error === 'ExpiredToken'
      if (!expired || attempt > 0)
        throw new GatewayError('upstream_rejected', 'Bluesky rejected the request (status 400). Check the arguments.')
      token = await tokenOf(call, token)
    }
  }

  function feedOf(method: string, params: NetworkRequest['query'], { position }: PageAt, call: SocialCall) {
    return readProviderPage(position, async cursor => {
      const json = await query(method, { query: { ...params, limit: PAGE, cursor: cursor ?? undefined } }, call)
      // A repost is the post of somebody else.
      const own = objectsOf(json.feed).filter(
        ({ reason }) => objectOf(reason).$type !== 'app.bsky.feed.defs#reasonRepost',
      )
      return { posts: own.map(({ post }) => postOfView(objectOf(post))), cursor: stringOf(json.cursor) }
    })
  }

  return {
    name: 'bluesky',

    search({ query: q, sort, since, until, author, language }, { position }, call): Promise<PostPage> {
      const time = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())
      return readProviderPage(position, async cursor => {
        const json = await queryAsAccount(
          'app.bsky.feed.searchPosts',
          {
            query: {
              q,
              sort,
              since: time(since),
              until: time(until),
              author,
              lang: language,
              limit: PAGE,
              cursor: cursor ?? undefined,
            },
          },
          call,
        )
        return { posts: objectsOf(json.posts).map(postOfView), cursor: stringOf(json.cursor) }
      })
    },

    async list({ by, of }, page, call) {
      if (by === 'handle') return feedOf('app.bsky.feed.getAuthorFeed', { actor: of }, page, call)
      const feed = by === 'feed' ? FEED.exec(of) : null
      if (feed === null)
        throw notSupported(
          `Bluesky lists the posts of a handle or of a feed. Send as feed: an at:// URI of an app.bsky.feed.generator, or the URL of a feed.`,
        )
      const [, ofUri, ofUrl, key] = feed
      const actor = ofUri ?? ofUrl
      return feedOf('app.bsky.feed.getFeed', { feed: `at://${actor}/app.bsky.feed.generator/${key}` }, page, call)
    },

    async getPost(uri, options, call): Promise<Thread> {
      const { thread } = await query(
        'app.bsky.feed.getPostThread',
        { query: { uri, depth: Math.min(options.depth, MAX_DEPTH), parentHeight: ANCESTORS } },
        call,
      )
      const root = objectOf(thread)
      const post = postOfThread(root)
      if (post === undefined || post.deleted === true)
        throw new GatewayError(
          'not_found',
          'Bluesky has no such post. It may be deleted, or its author blocks readers.',
        )
      const ancestors: Post[] = []
      let above = root.parent
      while (above !== undefined && ancestors.length < ANCESTORS) {
        const ancestor = postOfThread(objectOf(above))
        if (ancestor === undefined) break
        ancestors.unshift(ancestor)
        above = objectOf(above).parent
      }
      const { replies, truncated } = flattenReplies(
        root,
        post.id,
        { post: postOfThread, replies: node => objectsOf(node.replies) },
        options,
      )
      const all = (post.metrics.replies ?? 0) <= objectsOf(root.replies).length
      const first = ancestors[0] ?? post
      return { post, ancestors, replies, truncated: truncated || !all || first.reply_to !== null }
    },

    async getProfile(actor, call): Promise<Profile> {
      return profileOfView(await query('app.bsky.actor.getProfile', { query: { actor } }, call))
    },

    async trending(limit, call): Promise<Trend[]> {
      const { trends } = await query('app.bsky.unspecced.getTrends', { query: { limit: Math.min(limit, 25) } }, call)
      return objectsOf(trends).flatMap(({ displayName, link, postCount }) => {
        const name = nameOf(displayName)
        if (name === null) return []
        // The link is a path of the app.
        const url = typeof link === 'string' && link.startsWith('/') ? urlOf(`https://bsky.app${link}`) : urlOf(link)
        return [{ network: 'bluesky', kind: 'topic', name, url, posts: countOf(postCount), id: null }]
      })
    },

    isPosition: position => isPagedPosition(position, /^[0-9A-Za-z:._~%+/=-]{1,1000}$/),
  }
}

/** A feed as an at:// URI or as a URL of the app. */
const FEED =
  /^(?:at:\/\/([0-9A-Za-z.:_-]{1,256})\/app\.bsky\.feed\.generator\/|https:\/\/bsky\.app\/profile\/([0-9A-Za-z.:_-]{1,256})\/feed\/)([0-9A-Za-z._~:-]{1,512})$/

/** Labels by which Bluesky hides media until the reader agrees. */
const SENSITIVE = new Set(['porn', 'sexual', 'nudity', 'graphic-media', 'gore'])

/** A post as `app.bsky.feed.defs#postView`. */
function postOfView(view: Json): Post {
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
function postOfThread(node: Json): Post | undefined {
  if (node.notFound === true) return deletedPost(stringOf(node.uri) ?? '')
  return node.post === undefined ? undefined : postOfView(objectOf(node.post))
}

/** A profile as `app.bsky.actor.defs#profileViewDetailed`. */
function profileOfView(view: Json): Profile {
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
