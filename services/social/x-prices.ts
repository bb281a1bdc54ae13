/** What X charges for each resource of an answer, in micro-dollars: https://docs.x.com/x-api/getting-started/pricing, 2026-11-23. */
export const X_PRICES = { post: 5_000, user: 10_000 } as const

/** The smallest pages that X returns. A caller pays for a whole page even if they want less. */
export const X_MINIMUM = { search: 10, list: 5 } as const

/** The most that posts with their authors cost. */
function withAuthors(posts: number): number {
  return posts * (X_PRICES.post + X_PRICES.user)
}

/** The most that a call costs, by what it reads of X. */
export const xEstimates = {
  search: (limit: number) => withAuthors(Math.max(limit, X_MINIMUM.search)),
  list: (limit: number) => X_PRICES.user + Math.max(limit, X_MINIMUM.list) * X_PRICES.post,
  post: (replies: number) =>
    withAuthors(1) + (replies === 0 ? 0 : withAuthors(Math.min(Math.max(replies, X_MINIMUM.search), 100))),
  profile: () => X_PRICES.user,
}
