import { GatewayError } from '../../lib/errors/errors.ts'
import type { NetworkName } from '../../schemas/tools/social.ts'

/** A post or a profile, in the words of its network. */
export interface Reference {
  readonly network: NetworkName
  /** What follows `<network>:` in an ID. */
  readonly reference: string
}

const HANDLE = '[0-9A-Za-z_.-]{1,64}'
const HOST = '[0-9a-z](?:[0-9a-z.-]{0,251}[0-9a-z])?(?::[0-9]{1,5})?'
const AUTHORITY = '(?:did:[a-z]{1,20}:[0-9A-Za-z._:%-]{1,200}|[0-9A-Za-z][0-9A-Za-z.-]{0,252})'

/** The references that each network's IDs can have. */
const POSTS: Readonly<Record<NetworkName, RegExp>> = {
  hackernews: /^[1-9]\d{0,11}$/,
  bluesky: new RegExp(`^at://${AUTHORITY}/app\\.bsky\\.feed\\.post/[0-9A-Za-z._:~-]{1,512}$`),
  mastodon: new RegExp(`^${HOST}/[0-9]{1,32}$`),
  reddit: /^t[13]_[0-9a-z]{1,13}$/,
  x: /^[1-9]\d{0,19}$/,
}

const HANDLES: Readonly<Record<NetworkName, RegExp>> = {
  hackernews: /^[0-9A-Za-z_-]{1,32}$/,
  bluesky: new RegExp(`^${AUTHORITY}$`),
  mastodon: new RegExp(`^${HANDLE}(?:@${HOST})?$`),
  reddit: /^[0-9A-Za-z_-]{1,32}$/,
  x: /^[0-9A-Za-z_]{1,15}$/,
}

/** The hosts of networks that have only one. */
const HOSTS: Readonly<Record<string, NetworkName>> = {
  'news.ycombinator.com': 'hackernews',
  'bsky.app': 'bluesky',
  'reddit.com': 'reddit',
  'www.reddit.com': 'reddit',
  'old.reddit.com': 'reddit',
  'new.reddit.com': 'reddit',
  'redd.it': 'reddit',
  'x.com': 'x',
  'www.x.com': 'x',
  'twitter.com': 'x',
  'www.twitter.com': 'x',
  'mobile.twitter.com': 'x',
}

const FORMS =
  'Send an ID that a social tool returned, such as hackernews:8863 or bluesky:at://…, or the URL of a post on Hacker News, Bluesky, Mastodon, Reddit or X.'

/** Reads the ID or the URL of a post. Throws invalid_request. */
export function postReference({ id, url }: { id?: string | undefined; url?: string | undefined }): Reference {
  const reference = url === undefined ? postOfId(id ?? '') : postOfUrl(url)
  if (reference === undefined || !POSTS[reference.network].test(reference.reference))
    throw new GatewayError('invalid_request', `This is not the ${url === undefined ? 'ID' : 'URL'} of a post. ${FORMS}`)
  return reference
}

/** Reads the URL of a profile, or a handle of a network. Throws invalid_request. */
export function profileReference({
  network,
  handle,
  url,
}: {
  network?: NetworkName | undefined
  handle?: string | undefined
  url?: string | undefined
}): Reference {
  const reference = url === undefined ? handleReference(network, handle ?? '') : profileOfUrl(url)
  if (reference === undefined || !HANDLES[reference.network].test(reference.reference))
    throw new GatewayError(
      'invalid_request',
      'This is not a profile. Send network and handle, such as bluesky and bsky.app, or the URL of a profile.',
    )
  return reference
}

/** Whether a handle has the form of this network's handles. A leading @ or u/ is removed first: `bareHandle`. */
export function isHandle(network: NetworkName, handle: string): boolean {
  return HANDLES[network].test(handle)
}

/** A handle without the @ or u/ in front of it. */
export function bareHandle(handle: string): string {
  return handle.trim().replace(/^(?:@|\/?u\/)/, '')
}

function handleReference(network: NetworkName | undefined, handle: string): Reference | undefined {
  const bare = bareHandle(handle)
  // Only a handle of Mastodon names its host behind an @.
  const named = network ?? (bare.includes('@') ? 'mastodon' : undefined)
  return named === undefined ? undefined : { network: named, reference: bare }
}

function postOfId(id: string): Reference | undefined {
  if (id.startsWith('at://')) return { network: 'bluesky', reference: id }
  const colon = id.indexOf(':')
  const network = id.slice(0, colon)
  return Object.hasOwn(POSTS, network) ? { network: network as NetworkName, reference: id.slice(colon + 1) } : undefined
}

function postOfUrl(text: string): Reference | undefined {
  const url = webUrl(text)
  if (url === undefined) return undefined
  const network = HOSTS[url.hostname] ?? 'mastodon'
  const reference = POST_OF[network](url, url.pathname.split('/').filter(Boolean).map(decoded))
  return reference === undefined ? undefined : { network, reference }
}

function profileOfUrl(text: string): Reference | undefined {
  const url = webUrl(text)
  if (url === undefined) return undefined
  const network = HOSTS[url.hostname] ?? 'mastodon'
  const reference = PROFILE_OF[network](url, url.pathname.split('/').filter(Boolean).map(decoded))
  return reference === undefined ? undefined : { network, reference }
}

function webUrl(text: string): URL | undefined {
  const url = URL.parse(text.trim())
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url : undefined
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

type FromUrl = Readonly<Record<NetworkName, (url: URL, path: readonly string[]) => string | undefined>>

const POST_OF: FromUrl = {
  hackernews: (url, [page]) => (page === 'item' ? (url.searchParams.get('id') ?? undefined) : undefined),
  bluesky: (_url, [profile, actor, post, key]) =>
    profile === 'profile' && post === 'post' ? `at://${actor}/app.bsky.feed.post/${key}` : undefined,
  // /@user/1, /@user@host/1, /users/user/statuses/1, /web/statuses/1, /web/@user/1, /deck/@user/1
  mastodon({ host }, path) {
    const [first = '', second = '', third = '', fourth] = path
    if (first.startsWith('@')) return `${host}/${second}`
    if (first === 'users' && third === 'statuses') return `${host}/${fourth}`
    if (first === 'web' && second === 'statuses') return `${host}/${third}`
    return (first === 'web' || first === 'deck') && second.startsWith('@') ? `${host}/${third}` : undefined
  },
  // redd.it/1, /comments/1/…, /r/name/comments/1/slug/2, /user/name/comments/1/…
  reddit({ hostname }, path) {
    if (hostname === 'redd.it') return path[0] === undefined ? undefined : `t3_${path[0]}`
    const at = path.indexOf('comments')
    const [post, , comment] = at === -1 ? [] : path.slice(at + 1)
    return comment !== undefined ? `t1_${comment}` : post !== undefined ? `t3_${post}` : undefined
  },
  // /user/status/1, /i/web/status/1
  x(_url, path) {
    const at = path.findIndex(segment => segment === 'status' || segment === 'statuses')
    return at === -1 ? undefined : path[at + 1]
  },
}

const PROFILE_OF: FromUrl = {
  hackernews: (url, [page]) => (page === 'user' ? (url.searchParams.get('id') ?? undefined) : undefined),
  bluesky: (_url, [profile, actor]) => (profile === 'profile' ? actor : undefined),
  mastodon({ host }, [first = '', second = '']) {
    const handle = first === 'users' ? second : first.startsWith('@') ? first.slice(1) : ''
    return handle === '' ? undefined : handle.includes('@') ? handle : `${handle}@${host}`
  },
  reddit: (_url, [first, name]) => (first === 'user' || first === 'u' ? name : undefined),
  x: (_url, [handle, more]) => (more === undefined && handle !== 'i' ? handle : undefined),
}
