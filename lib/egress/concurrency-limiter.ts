/** The turn of one request, which it leaves once: when it is over, or given up in the line. */
export interface Turn {
  /** There is room: the request goes out. */
  start(leave: () => void): void
  /** There was none for too long, or the line is full: nothing follows. */
  refuse(): void
}

/** Gives each share its turns, so that nobody takes all connections to an origin. */
export interface Shares {
  /** Takes a turn of a share: at once, or in line. Answers how to leave. */
  take(share: string, turn: Turn): () => void
}

export interface SharesOptions {
  /** Turns of one share at a time. */
  max: number
  /** Requests of one share that wait in line. */
  maxInLine: number
  /** How long each of them waits. */
  waitMs: number
}

/** What one share has under way; gone when that is nothing. */
interface Taken {
  turns: number
  line: Set<() => void>
}

export function createShares({ max, maxInLine, waitMs }: SharesOptions): Shares {
  const shares = new Map<string, Taken>()

  function end(share: string, taken: Taken): void {
    const [next] = taken.line
    // The next in line has the turn of the one that leaves.
    if (next !== undefined) next()
    else if (taken.turns > 1) taken.turns -= 1
    else shares.delete(share)
  }

  return {
    take(share, { start, refuse }) {
      let taken = shares.get(share)
      if (taken === undefined) {
        taken = { turns: 0, line: new Set() }
        shares.set(share, taken)
      }
      const { line } = taken
      let state: 'waiting' | 'out' | 'over' = 'waiting'
      let timer: NodeJS.Timeout | undefined

      function leave(): void {
        const before = state
        state = 'over'
        clearTimeout(timer)
        if (before === 'waiting') line.delete(go)
        else if (before === 'out' && taken !== undefined) end(share, taken)
      }
      function go(): void {
        clearTimeout(timer)
        line.delete(go)
        state = 'out'
        start(leave)
      }
      function refused(): void {
        leave()
        refuse()
      }

      if (taken.turns < max) {
        taken.turns += 1
        go()
      } else if (line.size >= maxInLine) {
        refused()
      } else {
        line.add(go)
        timer = setTimeout(refused, waitMs)
      }
      return leave
    },
  }
}
