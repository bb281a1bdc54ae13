import { GatewayError } from '../../lib/errors/errors.ts'
import type { Post, Profile, Thread, Trend } from '../../schemas/tools/social.ts'
import {
  countOf,
  type Json,
  NO_METRICS,
  nameOf,
  objectOf,
  objectsOf,
  plainText,
  stringOf,
  timeOf,
  timeOfSeconds,
  urlOf,
} from './answer-fields.ts'
import type { ListQuery, Network, PageAt, PostPage, SearchQuery, SocialCall, ThreadOptions } from './network.ts'
import type { SendRequest } from './network-requests.ts'
import { isPagedPosition, notSupported, readProviderPage } from './paged.ts'
import { flattenReplies } from './thread.ts'

/** How many hits a request asks for. Constant, so that pages keep their borders. */
const HITS = 50
/** How many items of a ranking are read at the same time. */
const PARALLEL = 10
/** How many ancestors of a comment are read, one request each. */
const ANCESTORS = 20

const FEEDS = ['top', 'new', 'best', 'ask', 'show', 'job'] as const

const TAGS = '(story,comment,poll,job)'

interface HackerNewsOptions {
  send: SendRequest
  /** Where the search is: https://hn.algolia.com/api/v1 */
  search: string
  /** Where the items and rankings are: https://hacker-news.firebaseio.com/v0 */
  items: string
}

/**
 * Hacker News, without any credential: Algolia's search (GET /search, /search_by_date, /items/:id with the whole tree of
 * replies; 10,000 requests an hour) and the official API for rankings and users.
 * Sources, read on 2026-11-23: https://hn.algolia.com/api, https://github.com/HackerNews/API
 */
export function createHackerNews({ send, search, items }: HackerNewsOptions): Network {
  async function hits(
    sort: SearchQuery['sort'],
    query: Readonly<Record<string, string | undefined>>,
    { position }: PageAt,
    call: SocialCall,
  ): Promise<PostPage> {
    return readProviderPage(position, async cursor => {
      const [page = '0', before] = (cursor ?? '0').split('-')
      const numericFilters = [query.numericFilters, before && `created_at_i<${before}`].filter(Boolean).join(',')
      const { json } = await send(
        `${search}/${sort === 'latest' ? 'search_by_date' : 'search'}`,
        { query: { ...query, numericFilters: numericFilters || undefined, hitsPerPage: HITS, page } },
        call,
      )
      const { hits, nbPages } = objectOf(json)
      return sort === 'latest' ? latestPage(objectsOf(hits)) : rankedPage(objectsOf(hits), Number(page), nbPages)
    })
  }

  async function item(id: string, call: SocialCall): Promise<Json | undefined> {
    const { json } = await send(`${items}/item/${id}.json`, {}, call)
    return json === null ? undefined : objectOf(json)
  }

  async function ranked(feed: string, call: SocialCall): Promise<readonly string[]> {
    const { json } = await send(`${items}/${feed}stories.json`, {}, call)
    return Array.isArray(json) ? json.filter(Number.isSafeInteger).map(String) : []
  }

  async function postsOf(ids: readonly string[], call: SocialCall): Promise<Post[]> {
    const posts: Post[] = []
    for (let i = 0; i < ids.length; i += PARALLEL) {
      const found = await Promise.all(ids.slice(i, i + PARALLEL).map(id => item(id, call)))
      for (const stored of found) if (stored !== undefined && !isGone(stored)) posts.push(postOfStored(stored))
    }
    return posts
  }

  async function feedPage(feed: string, { position, limit }: PageAt, call: SocialCall): Promise<PostPage> {
    const ids = await ranked(feed, call)
    const [, offset = '0', last = ''] = FEED_POSITION.exec(position ?? '') ?? []
    // The list moves meanwhile: the page continues after the last item, wherever it is now.
    const at = ids.indexOf(last)
    const from = at === -1 ? Number(offset) : at + 1
    const chosen = ids.slice(from, from + limit)
    const after = (index: number) => (index === ids.length - 1 ? null : `${index + 1}:${ids[index]}`)
    const posts = await postsOf(chosen, call)
    const indexOf = (post: Post) => ids.indexOf(post.id.slice('hackernews:'.length))
    return {
      posts: posts.map(post => ({ post, after: after(indexOf(post)) })),
      next: chosen.length === 0 ? null : after(from + chosen.length - 1),
    }
  }

  async function ancestorsOf(parent: unknown, call: SocialCall): Promise<{ ancestors: Post[]; whole: boolean }> {
    const ancestors: Post[] = []
    let id = parent
    while (Number.isSafeInteger(id) && ancestors.length < ANCESTORS) {
      const stored = await item(String(id), call)
      if (stored === undefined) break
      ancestors.unshift(postOfStored(stored))
      id = stored.parent
    }
    return { ancestors, whole: !Number.isSafeInteger(id) }
  }

  return {
    name: 'hackernews',

    search({ query, sort, since, until, author, language }, page, call) {
      if (language !== undefined) call.note('ignored', 'Hacker News does not record the language of a post.')
      const seconds = (time: number) => Math.floor(time / 1_000)
      const numericFilters = [
        since !== undefined && `created_at_i>=${seconds(since)}`,
        until !== undefined && `created_at_i<${seconds(until)}`,
      ]
        .filter(Boolean)
        .join(',')
      const tags = author === undefined ? TAGS : `${TAGS},author_${author}`
      return hits(sort, { query, tags, numericFilters }, page, call)
    },

    list({ by, of }: ListQuery, page, call) {
      if (by === 'handle') return hits('latest', { tags: `${TAGS},author_${of}` }, page, call)
      const feed = FEEDS.find(name => name === of)
      if (by === 'tag' || feed === undefined)
        throw notSupported(
          `Hacker News has no ${by === 'tag' ? 'tags' : 'such feed'}. Send as feed: ${FEEDS.join(', ')}.`,
        )
      return feedPage(feed, page, call)
    },

    async getPost(reference, options: ThreadOptions, call): Promise<Thread> {
      const { json } = await send(`${search}/items/${reference}`, {}, call)
      const tree = objectOf(json)
      const post = postOfItem(tree)
      const [{ ancestors, whole }, stored] = await Promise.all([
        ancestorsOf(tree.parent_id, call),
        tree.parent_id === null ? item(reference, call) : undefined,
      ])
      const { replies, truncated } = flattenReplies(
        tree,
        post.id,
        { post: postOfItem, replies: node => objectsOf(node.children) },
        options,
      )
      // The tree has no number of replies; the official API has it for stories.
      const counted = stored === undefined ? post : { ...post, metrics: postOfStored(stored).metrics }
      return { post: counted, ancestors, replies, truncated: truncated || !whole }
    },

    async getProfile(handle, call): Promise<Profile> {
      const { json } = await send(`${items}/user/${handle}.json`, {}, call)
      if (json === null) throw new GatewayError('not_found', 'Hacker News has no such user. Names are case-sensitive.')
      return profileOfUser(objectOf(json))
    },

    async trending(limit, call): Promise<Trend[]> {
      const posts = await postsOf((await ranked('top', call)).slice(0, limit), call)
      return posts.map(({ id, text, url }) => ({
        network: 'hackernews',
        kind: 'post',
        name: text.split('\n', 1)[0] ?? '',
        url,
        posts: null,
        id,
      }))
    },

    isPosition: position => FEED_POSITION.test(position) || isPagedPosition(position, /^\d{1,3}(?:-\d{1,12})?$/),
  }
}

const FEED_POSITION = /^(\d{1,4}):(\d{1,12})$/

function isGone({ deleted, dead }: Json): boolean {
  return deleted === true || dead === true
}

/**
 * A page by time. The cursor of the next page is a time, because a page number would shift with each new post. Posts of
 * the last second are left to the next page unless the page has nothing else: some of them may be missing.
 */
function latestPage(hits: readonly Json[]): { posts: Post[]; cursor: string | null; again: string } {
  const secondOf = (hit: Json | undefined) => Number(hit?.created_at_i)
  const again = hits.length === 0 ? '' : `0-${secondOf(hits[0]) + 1}`
  const last = secondOf(hits.at(-1))
  const whole = hits.length < HITS ? hits : hits.filter(hit => secondOf(hit) > last)
  if (whole.length === 0) return { posts: hits.map(postOfHit), cursor: hits.length === 0 ? null : `0-${last}`, again }
  return { posts: whole.map(postOfHit), cursor: hits.length < HITS ? null : `0-${last + 1}`, again }
}

function rankedPage(hits: readonly Json[], page: number, pages: unknown): { posts: Post[]; cursor: string | null } {
  return { posts: hits.map(postOfHit), cursor: page + 1 < Number(pages) ? String(page + 1) : null }
}

/** A hit of the search. */
function postOfHit(hit: Json): Post {
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
function postOfItem(item: Json): Post {
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
function postOfStored(item: Json): Post {
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
function profileOfUser(user: Json): Profile {
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
