import { write, writeSync } from 'node:fs'
import type { LogHealth } from '../../schemas/gateway/log.ts'

/** The maximum number of bytes of lines that wait for a slow or absent reader. */
export const MAX_WAITING_BYTES = 16 * 1024 * 1024
/** How old a line can become before it is written. */
const FLUSH_AFTER_MS = 10
/** The delay before a write is retried: short if the reader is slow, long after an error. */
const SLOW_RETRY_MS = { first: 5, last: 100 }
const FAILED_RETRY_MS = 1_000
/** How long all synchronous flushes together may block, until a regular write succeeds. */
const SYNC_FLUSH_MS = 500
const SYNC_RETRY_MS = 1
const REPORT_LOSS_MS = 1_000

interface LogOutputOptions {
  fd: number
  /** Whether a write to `fd` fails with EAGAIN instead of waiting. If not, writes run in the thread pool. */
  nonBlocking: boolean
  /** Called when the log starts or stops failing, and once a second while lines are lost. */
  onHealth(health: LogHealth): void
}

/** A destination for log lines. It never throws, never waits for a reader, and its memory is bounded. */
export interface LogOutput {
  /** Takes text that ends with a line feed. */
  write(line: string): void
  /** Writes what waits without waiting for the next chunk. */
  flush(done?: () => void): void
  /** Writes what it can before the process ends. Blocks for at most half a second. */
  flushSync(): void
  health(): LogHealth
  /** Counts the lines that no write has taken yet. */
  waiting(): number
}

type Written = [error: NodeJS.ErrnoException | null, bytes: number]

/** Writes lines to a file descriptor, one write at a time. A failed write is tried again until it succeeds. */
export function createLogOutput({ fd, nonBlocking, onHealth }: LogOutputOptions): LogOutput {
  const queue = createLineQueue(MAX_WAITING_BYTES)
  let inFlight = false
  let failure: string | undefined
  let slowRetryMs = SLOW_RETRY_MS.first
  let syncFlushMs = SYNC_FLUSH_MS
  let flushTimer: NodeJS.Timeout | undefined
  let retryTimer: NodeJS.Timeout | undefined
  let reportTimer: NodeJS.Timeout | undefined
  let reportedFailing = false

  /** Starts the next write, unless one is in flight or waits to be tried again. */
  function advance(): void {
    while (!inFlight && retryTimer === undefined) {
      const chunk = queue.chunk(0)
      if (chunk === undefined) {
        if (queue.isOpen) flushTimer ??= setTimeout(flush, FLUSH_AFTER_MS).unref()
        return
      }
      if (nonBlocking) settle(...writeNow(chunk))
      else writeInThreadPool(chunk)
    }
  }

  function writeNow(chunk: Buffer): Written {
    try {
      return [null, writeSync(fd, chunk)]
    } catch (error) {
      return [error as NodeJS.ErrnoException, 0]
    }
  }

  function writeInThreadPool(chunk: Buffer): void {
    inFlight = true
    write(fd, chunk, (error, bytes) => {
      inFlight = false
      settle(error, bytes)
      advance()
    })
  }

  /** The first chunk that nothing writes now: an exit waits until the thread pool has finished its write. */
  function firstIdle(): number {
    return inFlight ? 1 : 0
  }

  function settle(...[error, bytes]: Written): void {
    if (error === null && bytes > 0) {
      queue.consume(0, bytes)
      failure = undefined
      slowRetryMs = SLOW_RETRY_MS.first
      syncFlushMs = SYNC_FLUSH_MS
    } else if (error === null || error.code === 'EAGAIN') {
      retryAfter(slowRetryMs)
      slowRetryMs = Math.min(slowRetryMs * 2, SLOW_RETRY_MS.last)
    } else {
      failure = error.code ?? error.message
      retryAfter(FAILED_RETRY_MS)
    }
    reportChange()
  }

  function retryAfter(ms: number): void {
    retryTimer = setTimeout(() => {
      retryTimer = undefined
      advance()
    }, ms).unref()
  }

  function health(): LogHealth {
    const reason = failure ?? (queue.full ? 'slow' : undefined)
    return { failing: reason !== undefined, lost: queue.lost, ...(reason !== undefined && { reason }) }
  }

  function reportChange(): void {
    if (reportedFailing !== (failure !== undefined || queue.full)) report()
  }

  function report(): void {
    clearTimeout(reportTimer)
    reportTimer = undefined
    const current = health()
    reportedFailing = current.failing
    onHealth(current)
  }

  function flush(done?: () => void): void {
    clearTimeout(flushTimer)
    flushTimer = undefined
    // Behind other chunks the open one grows to its full length first.
    if (queue.chunk(0) === undefined) queue.closeChunk()
    advance()
    done?.()
  }

  return {
    write(line) {
      if (queue.push(line)) {
        advance()
        reportChange()
      } else if (queue.full) reportTimer ??= setTimeout(report, REPORT_LOSS_MS).unref()
      else flushTimer ??= setTimeout(flush, FLUSH_AFTER_MS).unref()
    },
    flush,
    flushSync() {
      queue.closeChunk()
      const index = firstIdle()
      const until = performance.now() + syncFlushMs
      for (let chunk = queue.chunk(index); chunk !== undefined; chunk = queue.chunk(index)) {
        const [error, bytes] = writeNow(chunk)
        if (bytes > 0) queue.consume(index, bytes)
        else if (error?.code !== 'EAGAIN' || performance.now() > until) break
        else sleep(SYNC_RETRY_MS)
      }
      syncFlushMs = Math.max(0, until - performance.now())
    },
    health,
    waiting: () => queue.lines(firstIdle()),
  }
}

/** Blocks the thread. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** Lines are written in chunks of at least this many characters, unless a flush comes first. */
const CHUNK_LENGTH = 12_288

/** Log lines that wait to be written: chunks of encoded text, and the open chunk that still grows. */
interface LineQueue {
  /** Takes a line, or drops and counts it when the queue is full. Returns whether this completed a chunk. */
  push(line: string): boolean
  /** Completes the open chunk. */
  closeChunk(): void
  /** A completed chunk; the oldest is 0. */
  chunk(index: number): Buffer | undefined
  /** Removes bytes that were written from the beginning of a chunk. */
  consume(index: number, bytes: number): void
  /** Whether lines are dropped. The queue becomes full at `maxBytes` and takes lines again at half of that. */
  readonly full: boolean
  /** The number of dropped lines. */
  readonly lost: number
  /** Whether the open chunk holds lines. */
  readonly isOpen: boolean
  /** Counts the lines that wait, from a chunk on. */
  lines(from: number): number
}

/** Makes a queue that holds about `maxBytes`. After a gap it adds a line with the number of lines dropped there. */
function createLineQueue(maxBytes: number): LineQueue {
  // Encoded chunks have exactly their size in bytes and stay outside V8's heap.
  const chunks: Buffer[] = []
  let bytes = 0
  let open = ''
  let full = false
  let lost = 0
  let lostInGap = 0

  function push(line: string): boolean {
    if (full) {
      lost++
      lostInGap++
      return false
    }
    open += line
    if (open.length < CHUNK_LENGTH) return false
    closeChunk()
    return true
  }

  function closeChunk(): void {
    if (open === '') return
    const chunk = Buffer.from(open)
    open = ''
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= maxBytes) full = true
  }

  function consume(index: number, written: number): void {
    const rest = chunks[index]?.subarray(written)
    if (rest !== undefined && rest.length > 0) chunks[index] = rest
    else chunks.splice(index, 1)
    bytes -= written
    // Waits until half is written: every gap costs a line, so there should be few of them.
    if (full && bytes <= maxBytes / 2) endGap()
  }

  function endGap(): void {
    full = false
    if (lostInGap === 0) return
    const line = { level: 40, time: Date.now(), lost: lostInGap, msg: `${lostInGap} log lines were lost` }
    lostInGap = 0
    push(`${JSON.stringify(line)}\n`)
  }

  return {
    push,
    closeChunk,
    chunk: index => chunks[index],
    consume,
    get full() {
      return full
    },
    get lost() {
      return lost
    },
    get isOpen() {
      return open !== ''
    },
    lines: from => [...chunks.slice(from), Buffer.from(open)].reduce((sum, chunk) => sum + lineFeeds(chunk), 0),
  }
}

function lineFeeds(text: Buffer): number {
  let count = 0
  for (let at = text.indexOf(10); at !== -1; at = text.indexOf(10, at + 1)) count++
  return count
}
