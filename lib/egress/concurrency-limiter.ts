/** A request for one slot. The release function frees the slot, or leaves the queue; further calls do nothing. */
interface SlotRequest {
  /** Called when the request has a slot. */
  start(release: () => void): void
  /** Called when the queue is full or the wait took too long. The request gets no slot. */
  reject(): void
}

/** Limits how many pieces of work run at a time, separately for each key. */
export interface ConcurrencyLimiter {
  /** Takes a slot of the key, at once or after waiting in the queue. Returns the release function. */
  acquire(key: string, request: SlotRequest): () => void
}

interface ConcurrencyLimiterOptions {
  /** The number of slots of each key. */
  maxConcurrent: number
  /** The maximum length of each key's queue. */
  maxQueued: number
  /** The longest time a request waits in the queue. */
  waitMs: number
}

/** The slots of one key that are in use, and the requests that wait for one. */
interface Slots {
  used: number
  queue: Set<() => void>
}

export function createConcurrencyLimiter(options: ConcurrencyLimiterOptions): ConcurrencyLimiter {
  const { maxConcurrent, maxQueued, waitMs } = options
  const slotsByKey = new Map<string, Slots>()

  function free(key: string, slots: Slots): void {
    const [next] = slots.queue
    // The slot passes to the next request in the queue.
    if (next !== undefined) next()
    else if (slots.used > 1) slots.used -= 1
    else slotsByKey.delete(key)
  }

  function slotsOf(key: string): Slots {
    const known = slotsByKey.get(key)
    if (known !== undefined) return known
    const slots: Slots = { used: 0, queue: new Set() }
    slotsByKey.set(key, slots)
    return slots
  }

  return {
    acquire(key, request) {
      const slots = slotsOf(key)
      const { queue } = slots
      let state: 'queued' | 'running' | 'done' = 'queued'
      let timer: NodeJS.Timeout | undefined

      function release(): void {
        const before = state
        state = 'done'
        clearTimeout(timer)
        if (before === 'queued') queue.delete(start)
        else if (before === 'running') free(key, slots)
      }
      function start(): void {
        clearTimeout(timer)
        queue.delete(start)
        state = 'running'
        request.start(release)
      }
      function reject(): void {
        release()
        request.reject()
      }

      if (slots.used < maxConcurrent) {
        slots.used += 1
        start()
      } else if (queue.size >= maxQueued) {
        reject()
      } else {
        queue.add(start)
        timer = setTimeout(reject, waitMs)
      }
      return release
    },
  }
}
