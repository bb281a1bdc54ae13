import type { Logger } from '../../schemas/log.ts'

/** Runs something after some milliseconds; answers how to call it off. */
export type Schedule = (work: () => void, milliseconds: number) => () => void

interface WriteBehindOptions<T> {
  /** What is written, as the log calls it. */
  name: string
  /** Writes a batch or rejects. */
  write: (items: readonly T[]) => Promise<void>
  log: Pick<Logger, 'warn'>
  schedule?: Schedule | undefined
}

/** A bounded queue in front of a slower writer: adding costs nothing and never fails. */
interface WriteBehind<T> {
  add(item: T): void
  /** Writes what waits now; stops at the first batch that fails. */
  flush(): Promise<void>
  /** Writes what waits, once; what cannot be written is given up and counted in the log. */
  close(): Promise<void>
}

/** Items of one statement. */
const BATCH = 200
/** How long an item waits for company. */
const LINGER_MS = 500
/** Items that wait at most, while the database is down; beyond it the oldest go. */
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

  /** Writes until nothing waits or a batch fails; never rejects. */
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
        log.warn({ err: error, waiting: waiting.length }, `${name} could not be written and is kept for later`)
        break
      }
    }
    tellDropped()
    // In the same turn as the last look at what waits: what is added from here on finds no writer and starts one.
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

  function tellDropped(): void {
    if (dropped === 0) return
    log.warn({ dropped }, `${name} was lost: more came than could be kept while the database was away`)
    dropped = 0
  }

  return {
    add(item) {
      if (closed) return
      waiting.push(item)
      if (waiting.length > CAPACITY) {
        // A batch at a time, because shifting a long array costs its length.
        dropped += BATCH
        waiting = waiting.slice(BATCH)
      }
      if (waiting.length >= BATCH && failures === 0) void flush()
      else startTimer(backOff())
    },
    flush,
    async close() {
      closed = true
      // What is under way may have failed, or have begun before the last item came.
      await writing
      await flush()
      stopTimer()
      dropped += waiting.length
      waiting = []
      tellDropped()
    },
  }
}

/** A timer that keeps no process alive. */
function unreferenced(work: () => void, milliseconds: number): () => void {
  const timer = setTimeout(work, milliseconds).unref()
  return () => clearTimeout(timer)
}
