export interface FairQueueOptions {
  /** How many may stand in line, all shares together. */
  max: number
  /** How many of one share may. */
  maxEach: number
}

/**
 * A bounded line that is served round-robin over shares: who brings more than others waits behind his own, and where
 * the line is full, the share that holds most of it gives way to one that holds less.
 */
export class FairQueue<T> {
  readonly #options: FairQueueOptions
  /** The shares in the order of their turns; one without an item is not kept. */
  readonly #shares = new Map<string, T[]>()
  #size = 0

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  /** Puts an item in line; answers the one that has no place then: none, the last of the longest share, or this one. */
  push(share: string, item: T): T | undefined {
    const { max, maxEach } = this.#options
    const own = this.#shares.get(share) ?? []
    if (own.length >= maxEach) return item
    const refused = this.#size >= max ? this.#giveWay(own.length) : undefined
    if (this.#size >= max) return item
    if (own.push(item) === 1) this.#shares.set(share, own)
    this.#size++
    return refused
  }

  /** Takes so many items at most, one of each share in turn. */
  take(count: number): T[] {
    const taken: T[] = []
    // A share that is set again stands last, and the iteration comes by it again.
    for (const [share, items] of this.#shares) {
      if (taken.length === count) break
      const first = items.shift()
      if (first !== undefined) taken.push(first)
      this.#shares.delete(share)
      if (items.length > 0) this.#shares.set(share, items)
    }
    this.#size -= taken.length
    return taken
  }

  /** Lets an item leave, where it still stands in line. */
  delete(share: string, item: T): void {
    const items = this.#shares.get(share)
    const at = items?.indexOf(item) ?? -1
    if (items === undefined || at < 0) return
    items.splice(at, 1)
    if (items.length === 0) this.#shares.delete(share)
    this.#size--
  }

  get size(): number {
    return this.#size
  }

  /** The last item of the longest share, taken out; undefined where that would only swap two shares of one length. */
  #giveWay(newcomer: number): T | undefined {
    // As many shares as places: each has one.
    if (this.#shares.size === this.#size) return undefined
    let longest: T[] = []
    for (const items of this.#shares.values()) if (items.length > longest.length) longest = items
    if (longest.length <= newcomer + 1) return undefined
    this.#size--
    return longest.pop()
  }
}
