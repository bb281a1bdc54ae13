import { GatewayError } from '../../lib/errors/errors.ts'
import type { Post, Profile, Thread, Trend } from '../../schemas/social.ts'
import type { Clock } from '../../schemas/time.ts'
import type { Ask, Question } from './ask.ts'
import { postOfThread, postOfView, profileOfView } from './bluesky-post.ts'
import type { Network, PageAt, PostPage, SocialCall } from './network.ts'
import { isPagedPosition, notSupported, readProviderPage } from './paged.ts'
import { createSharedToken } from './shared-token.ts'
import { flattenReplies } from './thread.ts'
import { countOf, type Json, nameOf, objectOf, objectsOf, stringOf, urlOf } from './values.ts'

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

interface BlueskyOptions {
  ask: Ask
  clock: Clock
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
export function createBluesky({ ask, clock, origin, accounts, account }: BlueskyOptions): Network {
  const tokenOf = account && createSharedToken(clock, call => signIn(account, call))

  async function signIn({ handle, appPassword }: BlueskyAccount, call: SocialCall) {
    const { status, json } = await ask(
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

  async function query(method: string, question: Question, call: SocialCall): Promise<Json> {
    const { status, json } = await ask(`${origin}/xrpc/${method}`, { ...question, accepts: [400] }, call)
    if (status === 200) return objectOf(json)
    const { error } = objectOf(json)
    // The servers answer 400 for what does not exist.
    if (error === 'NotFound' || error === 'InvalidRequest' || error === 'UnknownFeed')
      throw new GatewayError('not_found', 'Bluesky has no such post, profile or feed. It may be deleted.')
    throw new GatewayError('upstream_rejected', 'Bluesky rejected the request (status 400). Check the arguments.')
  }

  /** Sends a query as the account. An expired token is replaced once. */
  async function queryAsAccount(method: string, question: Question, call: SocialCall): Promise<Json> {
    if (tokenOf === undefined) throw notSupported('Bluesky offers search only to accounts, and this gateway has none.')
    let token = await tokenOf(call)
    for (let attempt = 0; ; attempt++) {
      const { status, json } = await ask(
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

  function feedOf(method: string, params: Question['query'], { position }: PageAt, call: SocialCall) {
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
