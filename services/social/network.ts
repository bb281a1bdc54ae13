import type { NetworkName, Post, Profile, Thread, Trend } from '../../schemas/tools/social.ts'

/** What the requests of one tool call share. */
export interface SocialCall {
  /** The organization, whose requests to one network are limited. */
  readonly orgId: string
  readonly signal: AbortSignal
  /** Adds to the cost of the call, in micro-dollars. */
  charge(micros: number): void
  /** Tells the caller what a network ignored. */
  note(code: string, message: string): void
}

export interface SearchQuery {
  readonly query: string
  readonly sort: 'top' | 'latest'
  /** Times in milliseconds. */
  readonly since?: number
  readonly until?: number
  readonly author?: string
  readonly language?: string
}

/** Which posts a list has: those of an account, of a hashtag, or of a feed of the network. */
export type ListQuery = { readonly by: 'handle' | 'tag' | 'feed'; readonly of: string }

/** Where a page starts, and how many posts it needs. */
export interface PageAt {
  /** A position that the network made; null at the beginning. */
  readonly position: string | null
  readonly limit: number
}

/** A page of posts in the network's order. It may have more posts than asked for. */
export interface PostPage {
  readonly posts: readonly { readonly post: Post; readonly after: string | null }[]
  /** The position after the page; null at the end. A post's own `after` is the position after that post. */
  readonly next: string | null
}

export interface ThreadOptions {
  readonly replies: number
  readonly depth: number
}

/** Whether each post that a network answers costs money, so that a call must name it. */
export function isMetered(network: string): boolean {
  return network === 'x'
}

/** One social network. Its methods throw GatewayErrors. */
export interface Network {
  readonly name: NetworkName
  search(query: SearchQuery, page: PageAt, call: SocialCall): Promise<PostPage>
  list(list: ListQuery, page: PageAt, call: SocialCall): Promise<PostPage>
  /** A post by its reference: what follows `<network>:` in its ID. */
  getPost(reference: string, options: ThreadOptions, call: SocialCall): Promise<Thread>
  getProfile(handle: string, call: SocialCall): Promise<Profile>
  trending(limit: number, call: SocialCall): Promise<Trend[]>
  /** Whether a text has the form of this network's positions. */
  isPosition(position: string): boolean
}
