import { hash } from 'node:crypto'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Post } from '../../schemas/tools/social.ts'
import type { PostPage } from './network.ts'

/** A page as a provider answers it: its posts, and the provider's cursor of the next page. */
interface ProviderPage {
  readonly posts: readonly Post[]
  readonly cursor: string | null
  /** The cursor that answers this page again when newer posts exist, if it is not the one that was used. */
  readonly again?: string
}

/** How many posts of the page are done, a digest of the last of them, and the provider's cursor of the page. */
const POSITION = /^(\d{1,4})\.([0-9a-f]{8})?\.([\x21-\x7e]{0,1000})$/

/**
 * Reads a page of a provider whose cursors only point between its pages. A position inside of a page names the last post
 * that was used, so that posts which appeared before it are not repeated.
 */
export async function readProviderPage(
  position: string | null,
  read: (cursor: string | null) => Promise<ProviderPage>,
): Promise<PostPage> {
  const [, count = '0', mark, pageCursor = ''] = POSITION.exec(position ?? '0..') ?? []
  const { posts, cursor, again = pageCursor } = await read(pageCursor === '' ? null : pageCursor)
  const next = cursor === null || cursor === pageCursor || !isProviderCursor(cursor) ? null : `0..${cursor}`
  const used = mark === undefined ? -1 : posts.findIndex(({ id }) => markOf(id) === mark)
  const from = used === -1 ? Number(count) : used + 1
  return {
    posts: posts.slice(from).map((post, i) => ({
      post,
      after: from + i === posts.length - 1 ? next : `${from + i + 1}.${markOf(post.id)}.${again}`,
    })),
    next,
  }
}

/** Whether a text is a position of `readProviderPage`, with a cursor that matches the pattern. */
export function isPagedPosition(position: string, cursor: RegExp): boolean {
  const [, , , pageCursor] = POSITION.exec(position) ?? []
  return pageCursor !== undefined && (pageCursor === '' || cursor.test(pageCursor))
}

function isProviderCursor(cursor: string): boolean {
  return POSITION.test(`0..${cursor}`) && cursor !== ''
}

function markOf(id: string): string {
  return hash('sha256', id).slice(0, 8)
}

/** The error of an argument that a network does not have. */
export function notSupported(message: string): GatewayError {
  return new GatewayError('invalid_request', message)
}
