import { GatewayError } from '../../lib/errors/errors.ts'
import type { Author, Media, Post, Profile, Thread, Trend } from '../../schemas/tools/social.ts'
import {
  countOf,
  type Json,
  nameOf,
  objectOf,
  objectsOf,
  plainText,
  stringOf,
  textOf,
  timeOf,
  urlOf,
} from './answer-fields.ts'
import type { ListQuery, Network, PageAt, PostPage, SearchQuery, SocialCall } from './network.ts'
import type { NetworkRequest, SendRequest } from './network-requests.ts'
import { notSupported } from './paged.ts'
import { flattenReplies } from './thread.ts'

/** The maximum of a timeline and of a search. */
const PAGE = 40
const MAX_TAGS = 20

const FEEDS: Readonly<Record<string, { path: string; local?: boolean }>> = {
  local: { path: 'timelines/public', local: true },
  public: { path: 'timelines/public' },
}

interface MastodonOptions {
  send: SendRequest
  /** The origins of the configured servers. The first one answers searches, hashtags, feeds and trends. */
  instances: readonly [string, ...string[]]
  /** A user's token of the first server, for full-text search; undefined: searches find one hashtag. */
  token: string | undefined
}

/**
 * Mastodon. A server shows what it knows: posts, threads, accounts, hashtags and trends without a credential (each may be
 * switched off, then it answers 401), full-text search and threads without limits to a user's token. IDs are times, so
 * that a page can begin after any post (max_id). 300 requests in 5 minutes.
 * Source, read on 2026-11-23: https://github.com/mastodon/documentation (2026-07-02), content/en/methods and entities
 */
export function createMastodon({ send, instances, token }: MastodonOptions): Network {
  const [first] = instances
  const home = homeOf(first)

  /** A server by its host: a configured one, or any that egress may reach over TLS. */
  function originOf(host: string): string {
    return instances.find(origin => homeOf(origin).host === host) ?? `https://${host}`
  }

  async function get(
    origin: string,
    path: string,
    query: NonNullable<NetworkRequest['query']>,
    call: SocialCall,
  ): Promise<unknown> {
    const { json } = await send(
      `${origin}/api/${path}`,
      {
        query,
        // The reset is a time (ISO 8601), not a number of seconds; Retry-After is not sent.
        waitOf: headers => secondsUntilReset(headers),
        ...(token !== undefined &&
          origin === first && {
            credential: { headers: { authorization: `Bearer ${token}` }, settings: 'MASTODON_TOKEN' },
          }),
      },
      call,
    )
    return json
  }

  async function accountOf(handle: string, call: SocialCall): Promise<{ origin: string; account: Json }> {
    const [name = '', host = home.host] = handle.split('@')
    const origin = originOf(host)
    return { origin, account: objectOf(await get(origin, 'v1/accounts/lookup', { acct: name }, call)) }
  }

  async function timeline(
    origin: string,
    path: string,
    query: NonNullable<NetworkRequest['query']>,
    { position, limit }: PageAt,
    call: SocialCall,
    keeps: (status: Json) => boolean = () => true,
  ): Promise<PostPage> {
    const size = Math.min(limit, PAGE)
    const [, maxId] = POSITION.exec(position ?? '') ?? []
    const json = await get(origin, path, { ...query, limit: size, max_id: maxId ?? query.max_id }, call)
    const all = objectsOf(Array.isArray(json) ? json : objectOf(json).statuses)
    const last = stringOf(all.at(-1)?.id)
    // Servers leave out hidden posts, so only an empty page is the last one.
    const next = last === null || last === maxId ? null : `m${last}`
    const kept = all.filter(status => stringOf(status.id) !== null && isPublic(status) && keeps(status))
    return {
      posts: kept.map(status => ({ post: postOfStatus(status, homeOf(origin)), after: `m${status.id}` })),
      next,
    }
  }

  /** Without a token, a search is the timeline of a hashtag, or an account's posts with that hashtag. */
  async function searchTag(query: SearchQuery, page: PageAt, call: SocialCall): Promise<PostPage> {
    const tag = TAG.exec(query.query.trim())?.[1]
    if (tag === undefined)
      throw notSupported(
        'Without a token, Mastodon only finds one hashtag. Send one word, or ask the operator to set MASTODON_TOKEN.',
      )
    const bounds = {
      since_id: query.since === undefined ? undefined : idAt(query.since),
      max_id: query.until === undefined ? undefined : idAt(query.until),
    }
    const keeps = ({ language }: Json) => query.language === undefined || language === query.language
    if (query.author === undefined)
      return timeline(first, `v1/timelines/tag/${encodeURIComponent(tag)}`, bounds, page, call, keeps)
    const { origin, account } = await accountOf(query.author, call)
    const own = { ...bounds, tagged: tag, exclude_reblogs: true }
    return timeline(origin, `v1/accounts/${accountIdOf(account)}/statuses`, own, page, call, keeps)
  }

  return {
    name: 'mastodon',

    search(query, page, call) {
      if (query.sort === 'top') call.note('ignored', 'Mastodon cannot sort by relevance: its newest posts come first.')
      if (token === undefined) return searchTag(query, page, call)
      const { author, language, since, until } = query
      if (/\bin:/i.test(query.query))
        throw new GatewayError('invalid_request', 'The search covers public posts only. Remove “in:” from the query.')
      // Without it, the search also covers what only the user of the token may see.
      const q = [query.query, author && `from:${author}`, language && `language:${language}`, 'in:public']
        .filter(Boolean)
        .join(' ')
      return timeline(
        first,
        'v2/search',
        {
          q,
          type: 'statuses',
          min_id: since === undefined ? undefined : idAt(since),
          max_id: until === undefined ? undefined : idAt(until),
        },
        page,
        call,
      )
    },

    async list({ by, of }: ListQuery, page, call) {
      if (by === 'tag') {
        const tag = TAG.exec(of)?.[1]
        if (tag === undefined)
          throw new GatewayError(
            'invalid_request',
            'A Mastodon hashtag contains only letters, digits and _. Correct the tag.',
          )
        return timeline(first, `v1/timelines/tag/${encodeURIComponent(tag)}`, {}, page, call)
      }
      if (by === 'handle') {
        const { origin, account } = await accountOf(of, call)
        return timeline(origin, `v1/accounts/${accountIdOf(account)}/statuses`, { exclude_reblogs: true }, page, call)
      }
      const feed = Object.hasOwn(FEEDS, of) ? FEEDS[of] : undefined
      if (feed === undefined) throw notSupported('Mastodon has no such feed. Send as feed: local, public.')
      return timeline(first, `v1/${feed.path}`, { local: feed.local }, page, call)
    },

    async getPost(reference, options, call): Promise<Thread> {
      const slash = reference.lastIndexOf('/')
      const origin = originOf(reference.slice(0, slash))
      const path = `v1/statuses/${reference.slice(slash + 1)}`
      const [status, context] = await Promise.all([
        get(origin, path, {}, call),
        get(origin, `${path}/context`, {}, call).then(objectOf),
      ])
      if (!isPublic(objectOf(status)))
        throw new GatewayError('not_found', 'There is no public post with this ID. Check the ID.')
      const server = homeOf(origin)
      const post = postOfStatus(objectOf(status), server)
      const descendants = objectsOf(context.descendants).filter(isPublic)
      const byParent = Map.groupBy(descendants, ({ in_reply_to_id }) => in_reply_to_id)
      const repliesTo = ({ id }: Json) => byParent.get(id) ?? []
      // Only what is returned is converted: any server can be named, and answer more than it should.
      const { replies, truncated } = flattenReplies(
        objectOf(status),
        post.id,
        { post: node => postOfStatus(node, server), replies: repliesTo },
        options,
      )
      const allAbove = objectsOf(context.ancestors).filter(isPublic)
      const above = allAbove.slice(-MAX_ANCESTORS)
      const ancestors: Post[] = above.map(ancestor => postOfStatus(ancestor, server))
      // A server answers at most 60 descendants and 40 ancestors without a token.
      const missing = (post.metrics.replies ?? 0) > repliesTo(objectOf(status)).length
      const cut = allAbove.length > above.length || (ancestors[0] ?? post).reply_to !== null
      return { post, ancestors, replies, truncated: truncated || missing || cut }
    },

    async getProfile(handle, call): Promise<Profile> {
      const { origin, account } = await accountOf(handle, call)
      return profileOfAccount(account, homeOf(origin))
    },

    async trending(limit, call): Promise<Trend[]> {
      const tags = await get(first, 'v1/trends/tags', { limit: Math.min(limit, MAX_TAGS) }, call)
      return objectsOf(tags).flatMap(({ name, url, history }) => {
        const tag = nameOf(name)
        if (tag === null) return []
        const uses = objectsOf(history).map(day => countOf(Number(day.uses)))
        const posts = uses.length === 0 ? null : uses.reduce<number>((sum, count) => sum + (count ?? 0), 0)
        return [{ network: 'mastodon', kind: 'tag', name: `#${tag}`, url: urlOf(url), posts, id: null }]
      })
    },

    isPosition: position => POSITION.test(position),
  }
}

const MAX_ANCESTORS = 40
const POSITION = /^m(\d{1,32})$/
const TAG = /^#?([\p{L}\p{N}_]{1,100})$/u

/** A token also shows what only its user may see: their direct messages, and posts for followers. */
function isPublic(status: Json): boolean {
  const shown = [status, objectOf(status.reblog)].filter(({ id }) => id !== undefined)
  return shown.every(({ visibility }) => visibility === 'public' || visibility === 'unlisted')
}

function homeOf(origin: string): Home {
  return { origin, host: new URL(origin).host }
}

/** The smallest ID of a post from this time on: IDs begin with the milliseconds. */
function idAt(time: number): string {
  return String(BigInt(time) << 16n)
}

function accountIdOf({ id }: Json): string {
  if (typeof id === 'string' && /^\d{1,32}$/.test(id)) return id
  throw new GatewayError('upstream_unavailable', 'Mastodon answered with an account without an ID. Retry later.')
}

function secondsUntilReset(headers: Readonly<Record<string, string>>): number | undefined {
  const reset = Date.parse(headers['x-ratelimit-reset'] ?? '')
  const now = Date.parse(headers.date ?? '')
  return Number.isNaN(reset) || Number.isNaN(now) ? undefined : (reset - now) / 1_000
}

/** The server that answered. */
interface Home {
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
function postOfStatus(answered: Json, home: Home): Post {
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
    reply_to: postIdOf(status.in_reply_to_id, home),
    // A server returns only the ID of the post above.
    thread_root: null,
    sensitive: typeof status.sensitive === 'boolean' ? status.sensitive : null,
  }
}

/** An account as the server of `home` answers it. */
function profileOfAccount(account: Json, home: Home): Profile {
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

function postIdOf(id: unknown, { host }: Home): string | null {
  return typeof id === 'string' && id !== '' ? `mastodon:${host}/${id}` : null
}
