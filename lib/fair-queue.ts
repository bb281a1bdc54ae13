interface FairQueueOptions {
  /** The maximum number of items, over all groups. */
  max: number
  /** The maximum number of items of one group. */
  maxEach: number
}

/**
 * A bounded queue that serves its groups round-robin, so that a busy group delays only itself. When the queue is full,
 * a new item of a smaller group displaces the last item of the largest group.
 */
export class FairQueue<T> {
  readonly #options: FairQueueOptions
  /** The non-empty groups, in the order in which they are served. */
  readonly #groups = new Map<string, T[]>()
  #size = 0

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  /** Adds an item. Returns the item that found no place: none, the last one of the largest group, or the new one. */
  push(group: string, item: T): T | undefined {
    const { max, maxEach } = this.#options
    const own = this.#groups.get(group) ?? []
    if (own.length >= maxEach) return item
    const displaced = this.#size >= max ? this.#displace(own.length) : undefined
    if (this.#size >= max) return item
    if (own.push(item) === 1) this.#groups.set(group, own)
    this.#size++
    return displaced
  }

  /** Removes and returns up to `count` items, one of each group in turn. */
  take(count: number): T[] {
    const taken: T[] = []
    // A group that is set again moves to the end, where the iteration reaches it again.
    for (const [group, items] of this.#groups) {
      if (taken.length === count) break
      const first = items.shift()
      if (first !== undefined) taken.push(first)
      this.#groups.delete(group)
      if (items.length > 0) this.#groups.set(group, items)
    }
    this.#size -= taken.length
    return taken
  }

  /** Removes an item, if it is still queued. */
  delete(group: string, item: T): void {
    const items = this.#groups.get(group)
    const at = items?.indexOf(item) ?? -1
    if (items === undefined || at < 0) return
    items.splice(at, 1)
    if (items.length === 0) this.#groups.delete(group)
    this.#size--
  }

  get size(): number {
    return this.#size
  }

  /** Removes the last item of the largest group; undefined if that would only swap two groups of equal size. */
  #displace(ownLength: number): T | undefined {
    // Each group has exactly one item.
    if (this.#groups.size === this.#size) return undefined
    let largest: T[] = []
    for (const items of this.#groups.values()) if (items.length > largest.length) largest = items
    if (largest.length <= ownLength + 1) return undefined
    this.#size--
    return largest.pop()
  }
}
