import type { Post, Reply } from '../../schemas/tools/social.ts'
import type { ThreadOptions } from './network.ts'

/** A node of a tree of replies as a network answers it. */
interface ReplyTree<Node> {
  /** Undefined for a node that cannot be shown. */
  post(node: Node): Post | undefined
  replies(node: Node): readonly Node[]
}

interface FlatReplies {
  readonly replies: Reply[]
  /** Whether a reply was left out. */
  readonly truncated: boolean
}

/**
 * Lists the replies below a post, each after the post that it answers, up to a number and a depth. Each post appears once,
 * so that a cycle ends. Does not recurse: a thread can be deeper than the stack.
 */
export function flattenReplies<Node>(
  root: Node,
  rootId: string,
  tree: ReplyTree<Node>,
  { replies: limit, depth: maxDepth }: ThreadOptions,
): FlatReplies {
  const replies: Reply[] = []
  const seen = new Set([rootId])
  let truncated = false
  const open = childrenOf(root, rootId, 1)

  function childrenOf(node: Node, parent: string, depth: number) {
    return tree
      .replies(node)
      .map(child => ({ node: child, parent, depth }))
      .reverse()
  }

  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, parent, depth } = next
    const post = tree.post(node)
    if (post !== undefined && seen.has(post.id)) continue
    if (post === undefined || depth > maxDepth || replies.length === limit) {
      truncated = true
      // Nothing more fits, whatever follows.
      if (replies.length === limit) break
      continue
    }
    seen.add(post.id)
    replies.push({ ...post, depth, parent })
    for (const child of childrenOf(node, post.id, depth + 1)) open.push(child)
  }
  return { replies, truncated }
}
