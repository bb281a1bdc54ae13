import type { Logger } from '../../schemas/gateway/log.ts'

/** Schedules work after a delay. Returns a function that cancels it. */
export type Schedule = (work: () => void, milliseconds: number) => () => void

interface WriteBehindOptions<T> {
  /** The name of the items in the log. */
  name: string
  /** Writes a batch or rejects. */
  write: (items: readonly T[]) => Promise<void>
  log: Pick<Logger, 'warn'>
  schedule?: Schedule | undefined
}

/** A bounded queue in front of a slower writer. Adding is cheap and never fails. */
interface WriteBehind<T> {
  add(item: T): void
  /** Writes the queued items. Stops at the first batch that fails. */
  flush(): Promise<void>
  /** Makes a last attempt to write the queued items. Drops the rest and logs its number. */
  close(): Promise<void>
}

/** The maximum number of items per statement. */
const BATCH = 200
/** How long an item waits for others to share its statement. */
const LINGER_MS = 500
/** The maximum number of queued items during a database outage. Above it, the oldest are dropped. */
const CAPACITY = 20_000
const MAX_BACK_OFF_MS = 30_000

export function createWriteBehind<T>(options: WriteBehindOptions<T>): WriteBehind<T> {
  const { name, write, log, schedule = unreferenced } = options
  let waiting: T[] = []
  let dropped = 0
  let failures = 0
  let closed = false
  let writing: Promise<void> | undefined
  let cancelTimer: (() => void) | undefined

  function startTimer(milliseconds: number): void {
    cancelTimer ??= schedule(() => {
      cancelTimer = undefined
      void flush()
    }, milliseconds)
  }

  function stopTimer(): void {
    cancelTimer?.()
    cancelTimer = undefined
  }

  /** Writes until the queue is empty or a batch fails. Never rejects. */
  async function writeAll(): Promise<void> {
    stopTimer()
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH)
      waiting = waiting.slice(BATCH)
      try {
        await write(batch)
        failures = 0
      } catch (error) {
        waiting = [...batch, ...waiting]
        failures++
        log.warn({ err: error, waiting: waiting.length }, `cannot write ${name}; retrying later`)
        break
      }
    }
    logDropped()
    // In the same turn as the last check of the queue: an item that is added later starts a new writer.
    writing = undefined
    if (!closed && waiting.length > 0) startTimer(backOff())
  }

  async function flush(): Promise<void> {
    if (writing === undefined && waiting.length > 0) writing = writeAll()
    await writing
  }

  function backOff(): number {
    return failures === 0 ? LINGER_MS : Math.min(MAX_BACK_OFF_MS, LINGER_MS * 2 ** Math.min(failures, 10))
  }

  function logDropped(): void {
    if (dropped === 0) return
    log.warn({ dropped }, `dropped ${name}: the queue was full while the database was unavailable`)
    dropped = 0
  }

  return {
    add(item) {
      if (closed) return
      waiting.push(item)
      if (waiting.length > CAPACITY) {
        // A batch at a time, because shifting one item costs as much as copying the array.
        dropped += BATCH
        waiting = waiting.slice(BATCH)
      }
      // A running write takes it too: a promise per item that waits for it would cost more than the item.
      if (writing !== undefined) return
      if (waiting.length >= BATCH && failures === 0) void flush()
      else startTimer(backOff())
    },
    flush,
    async close() {
      closed = true
      // The running write may fail, or may have started before the last item was added.
      await writing
      await flush()
      stopTimer()
      dropped += waiting.length
      waiting = []
      logDropped()
    },
  }
}

/** Schedules with a timer that does not keep the process alive. */
function unreferenced(work: () => void, milliseconds: number): () => void {
  const timer = setTimeout(work, milliseconds).unref()
  return () => clearTimeout(timer)
}
