import { hash } from 'node:crypto'
import { GatewayError } from '../../lib/errors/errors.ts'
import { isJsonObject } from '../../lib/http/json.ts'
import type { NetworkName, Post } from '../../schemas/tools/social.ts'
import type { PostPage } from './network.ts'

/** The version of the format. A cursor lives as long as a conversation, so that an old version is simply refused. */
const VERSION = 1

/** The maximum length of a cursor. */
export const CURSOR_LENGTH = 8_000
const POSITION_LENGTH = 1_100

/** The position of each network that has more: null at its beginning. */
export type Positions = ReadonlyMap<NetworkName, string | null>

/** Writes positions as an opaque text that only works with the same question. */
export function writeCursor(question: unknown, positions: Positions): string {
  return Buffer.from(JSON.stringify([VERSION, digestOf(question), Object.fromEntries(positions)])).toString('base64url')
}

/**
 * Reads a cursor. `valid` checks the position of a network that the question names. Throws invalid_request for a cursor
 * of another question, and for one that `writeCursor` cannot have written.
 */
export function readCursor(
  question: unknown,
  cursor: string,
  valid: (network: string, position: string) => boolean,
): Positions {
  const [version, digest, stored] = partsOf(cursor)
  const positions = isJsonObject(stored) ? Object.entries(stored) : []
  const isValid = ([network, position]: [string, unknown]) =>
    position === null
      ? valid(network, '')
      : typeof position === 'string' &&
        position !== '' &&
        position.length <= POSITION_LENGTH &&
        valid(network, position)
  if (version !== VERSION || digest !== digestOf(question) || positions.length === 0 || !positions.every(isValid))
    throw new GatewayError(
      'invalid_request',
      'cursor does not belong to these arguments. Send next_cursor of the previous page with the same arguments, or omit cursor for the first page.',
    )
  return new Map(positions as [NetworkName, string | null][])
}

function digestOf(question: unknown): string {
  return hash('sha256', JSON.stringify(question)).slice(0, 16)
}

function partsOf(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) && parts.length === 3 ? parts : []
  } catch {
    return []
  }
}

/** A page of one network, or why it has none. */
export type NetworkPage = { readonly page: PostPage } | { readonly failure: GatewayError }

/** The posts of a merged page, and where each network continues. */
interface MergedPage {
  readonly posts: Post[]
  readonly positions: Positions
}

/**
 * Merges a page of each network. `latest` takes the newest post first, and ends where a network has more posts that were
 * not read, because they may be newer than the rest. `top` takes the networks in turn. A network whose page failed keeps
 * its position. Each network's own order is kept, so that no post is repeated or left out.
 */
export function mergePages(
  pages: ReadonlyMap<NetworkName, NetworkPage>,
  before: Positions,
  { sort, limit }: { sort: 'top' | 'latest'; limit: number },
): MergedPage {
  const positions = new Map(before)
  const posts: Post[] = []
  const queues: Queue[] = []
  for (const [network, result] of pages) if ('page' in result) queues.push({ network, page: result.page, used: 0 })

  for (;;) {
    const live = queues.filter(({ page, used }) => used < page.posts.length)
    const next = sort === 'latest' ? newest(live) : leastUsed(live)
    if (next === undefined || posts.length === limit) break
    if (sort === 'latest' && queues.some(queue => !live.includes(queue) && queue.page.next !== null)) break
    posts.push(postAt(next) as Post)
    next.used++
  }

  for (const { network, page, used } of queues) {
    const position =
      used === page.posts.length ? page.next : used === 0 ? before.get(network) : page.posts[used - 1]?.after
    // Only a network that has not started has no position and yet more posts.
    if (position === null && used === page.posts.length) positions.delete(network)
    else positions.set(network, position ?? null)
  }
  return { posts, positions }
}

interface Queue {
  readonly network: NetworkName
  readonly page: PostPage
  used: number
}

function postAt({ page, used }: Queue): Post | undefined {
  return page.posts[used]?.post
}

/** The queue whose next post is the newest. A post without a time comes first, because its place is unknown. */
function newest(queues: readonly Queue[]): Queue | undefined {
  return queues.reduce<Queue | undefined>(
    (best, queue) => (best === undefined || timeOf(queue) > timeOf(best) ? queue : best),
    undefined,
  )
}

function timeOf(queue: Queue): string {
  return postAt(queue)?.created_at ?? '￿'
}

function leastUsed(queues: readonly Queue[]): Queue | undefined {
  return queues.reduce<Queue | undefined>(
    (best, queue) => (best === undefined || queue.used < best.used ? queue : best),
    undefined,
  )
}
