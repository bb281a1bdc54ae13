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
export function createLineQueue(maxBytes: number): LineQueue {
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
