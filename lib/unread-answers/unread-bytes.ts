import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../../schemas/primitives/time.ts'
import { answerOn, answersBehind, countAnswersBehind } from '../http/connection-answers.ts'

/** How many bytes of a long answer a reader must read within the time that unread bytes may wait. */
const READS_BYTES = 256 * 1024

/** A credential that received answers. A single small answer is not attributed: its connection counts by itself. */
type Holder = string | Socket

/** Unread bytes of a connection. */
export interface Waiting {
  readonly socket: Socket
  holder: Holder
  bytes: number
  /** Since when its reader has not read a significant amount, and how many bytes they had read by then. */
  since: number
  taken: number
}

/** Tracks which bytes wait for which reader. The sums are never too small; `recount` makes them exact. */
export interface UnreadBytes {
  total(): number
  heldBy(holder: Holder): number
  /** Adds an answer before it is written. */
  add(socket: Socket, holder: Holder, bytes: number): void
  /** Recounts these connections, and those known to have unread bytes. */
  recount(sockets?: Iterable<Socket>): void
  all(): Iterable<Waiting>
  longestWaiting(among: (waiting: Waiting) => boolean): Waiting | undefined
  /** Returns the holder of the most bytes. */
  largest(): Holder | undefined
  remove(waiting: Waiting): void
  forget(socket: Socket): void
}

export function createUnreadBytes(clock: Clock): UnreadBytes {
  const known = new Map<Socket, Waiting>()
  // Bytes read since the last recount are still included: most answers are read at once, and tracking that would cost
  // each answer a listener.
  let total = 0
  let held = new Map<Holder, number>()

  function look(socket: Socket): void {
    const bytes = keptBytes(socket)
    const isRead = !(socket.writableLength > 0) // injected requests have a socket without a length
    const waiting = known.get(socket)
    if (bytes === 0 && isRead) known.delete(socket)
    else if (waiting === undefined) note(socket, socket, bytes)
    else {
      const taken = takenBytes(socket)
      waiting.bytes = bytes
      // A streamed file always has unread bytes. A reader who reads enough is active, a slow drip is not.
      if (isRead || taken - waiting.taken >= READS_BYTES) Object.assign(waiting, { since: clock.now(), taken })
    }
  }

  function note(socket: Socket, holder: Holder, bytes: number): void {
    known.set(socket, { socket, holder, bytes, since: clock.now(), taken: takenBytes(socket) })
  }

  function sum(holder: Holder, bytes: number): void {
    total += bytes
    held.set(holder, heldBy(holder) + bytes)
  }

  function heldBy(holder: Holder): number {
    return held.get(holder) ?? 0
  }

  return {
    total: () => total,
    heldBy,
    add(socket, holder, bytes) {
      const waiting = known.get(socket)
      if (waiting === undefined) note(socket, holder, bytes)
      else Object.assign(waiting, { holder, bytes: waiting.bytes + bytes })
      sum(holder, bytes)
    },
    recount(sockets = []) {
      for (const socket of sockets) if (socket.writableLength > 0 || countAnswersBehind(socket) > 0) look(socket)
      for (const socket of [...known.keys()]) look(socket)
      total = 0
      held = new Map()
      for (const { holder, bytes } of known.values()) sum(holder, bytes)
    },
    all: () => known.values(),
    longestWaiting(among) {
      let found: Waiting | undefined
      for (const waiting of known.values())
        if (waiting.bytes > 0 && among(waiting) && (found === undefined || waiting.since < found.since)) found = waiting
      return found
    },
    largest() {
      let found: Holder | undefined
      for (const [holder, bytes] of held) if (found === undefined || bytes > heldBy(found)) found = holder
      return found
    },
    remove(waiting) {
      known.delete(waiting.socket)
      sum(waiting.holder, -waiting.bytes)
    },
    forget(socket) {
      known.delete(socket)
    },
  }
}

/** The property of an answer with the number of its bytes that other answers share. */
const SHARED = Symbol('bytes that other answers share')
type WithShared = ServerResponse & { [SHARED]?: number }

/**
 * Marks bytes of an answer that other answers share, such as those of a stored list: keeping them costs nothing extra.
 */
export function shareBytes(answer: WithShared, bytes: number): void {
  answer[SHARED] = bytes
}

/**
 * Returns the bytes of answers in memory for the reader of a connection. A write keeps its whole buffer until the
 * kernel has taken the last byte, and `writableLength` counts it the same way.
 */
function keptBytes(socket: Socket): number {
  let bytes = 0
  if (socket.writableLength > 0) bytes = Math.max(0, socket.writableLength - sharedBytes(answerOn(socket)))
  // The answer with the socket is the one being sent.
  for (const answer of answersBehind(socket))
    if (answer.socket === null) bytes += Math.max(0, answer.writableLength - sharedBytes(answer))
  return bytes
}

function sharedBytes(answer: WithShared | undefined): number {
  return answer?.[SHARED] ?? 0
}

/**
 * Returns the bytes that the kernel has taken from a connection. Node counts a write as written when it starts, so
 * libuv's queued bytes are subtracted: a long answer is one write, and progress in reading it must be visible.
 */
function takenBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { bytesWritten: number; writeQueueSize: number } | null }
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten
}
