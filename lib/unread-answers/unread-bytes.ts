import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../../schemas/primitives/time.ts'
import { answerOn, answersBehind, countAnswersBehind } from '../http/connection-answers.ts'

/** A reader who reads this many bytes within the time that unread bytes may wait is active. */
const ACTIVE_READER_BYTES = 256 * 1024

/** What unread bytes are counted by: the credential of a large answer; the connection itself if it has only small ones. */
type Holder = string | Socket

/** A connection with unread bytes. */
export interface UnreadConnection {
  readonly socket: Socket
  holder: Holder
  bytes: number
  /** When its reader was last active. */
  activeAt: number
  /** How many bytes the kernel had taken from it by then. */
  takenBefore: number
}

/** Tracks which bytes wait for which reader. The sums are never too small; `recount` makes them exact. */
export interface UnreadBytes {
  total(): number
  heldBy(holder: Holder): number
  /** Adds an answer before it is written. */
  add(socket: Socket, holder: Holder, bytes: number): void
  /** Recounts these connections, and those that had unread bytes before. */
  recount(sockets?: Iterable<Socket>): void
  all(): Iterable<UnreadConnection>
  /** Returns the candidate with unread bytes whose reader has been inactive for the longest time. */
  longestWaiting(isCandidate: (connection: UnreadConnection) => boolean): UnreadConnection | undefined
  /** Returns the holder of the most bytes. */
  largestHolder(): Holder | undefined
  remove(connection: UnreadConnection): void
  forget(socket: Socket): void
}

export function createUnreadBytes(clock: Clock): UnreadBytes {
  const connections = new Map<Socket, UnreadConnection>()
  // Bytes read since the last recount are still included: most answers are read at once, and tracking that would cost
  // each answer a listener.
  let total = 0
  let bytesByHolder = new Map<Holder, number>()

  function update(socket: Socket): void {
    const bytes = keptBytes(socket)
    const isRead = !(socket.writableLength > 0) // injected requests have a socket without a length
    const connection = connections.get(socket)
    if (bytes === 0 && isRead) connections.delete(socket)
    else if (connection === undefined) track(socket, socket, bytes)
    else {
      connection.bytes = bytes
      const taken = takenBytes(socket)
      // A streamed file always has unread bytes, so a reader who reads enough is active, but not one who reads slowly.
      const isActive = isRead || taken - connection.takenBefore >= ACTIVE_READER_BYTES
      if (isActive) Object.assign(connection, { activeAt: clock.now(), takenBefore: taken })
    }
  }

  function track(socket: Socket, holder: Holder, bytes: number): void {
    connections.set(socket, { socket, holder, bytes, activeAt: clock.now(), takenBefore: takenBytes(socket) })
  }

  function count(holder: Holder, bytes: number): void {
    total += bytes
    bytesByHolder.set(holder, heldBy(holder) + bytes)
  }

  function heldBy(holder: Holder): number {
    return bytesByHolder.get(holder) ?? 0
  }

  return {
    total: () => total,
    heldBy,
    add(socket, holder, bytes) {
      const connection = connections.get(socket)
      if (connection === undefined) track(socket, holder, bytes)
      else Object.assign(connection, { holder, bytes: connection.bytes + bytes })
      count(holder, bytes)
    },
    recount(sockets = []) {
      for (const socket of sockets) if (socket.writableLength > 0 || countAnswersBehind(socket) > 0) update(socket)
      for (const socket of [...connections.keys()]) update(socket)
      total = 0
      bytesByHolder = new Map()
      for (const { holder, bytes } of connections.values()) count(holder, bytes)
    },
    all: () => connections.values(),
    /** Returns the candidate with unread bytes whose reader has been inactive for the longest time. */
    longestWaiting(isCandidate) {
      let longest: UnreadConnection | undefined
      for (const connection of connections.values()) {
        if (connection.bytes === 0 || !isCandidate(connection)) continue
        if (longest === undefined || connection.activeAt < longest.activeAt) longest = connection
      }
      return longest
    },
    largestHolder() {
      let largest: Holder | undefined
      for (const [holder, bytes] of bytesByHolder)
        if (largest === undefined || bytes > heldBy(largest)) largest = holder
      return largest
    },
    remove(connection) {
      connections.delete(connection.socket)
      count(connection.holder, -connection.bytes)
    },
    forget(socket) {
      connections.delete(socket)
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
