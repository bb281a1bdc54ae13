import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { answerOn, answersBehind } from '../http/connection-answers.ts'

/** The property of an answer that holds how many of its bytes other answers share. */
const SHARED = Symbol('bytes that other answers share')
type WithShared = ServerResponse & { [SHARED]?: number }

/** Marks bytes of an answer that other answers share, such as those of a stored list: keeping them costs nothing more. */
export function shareBytes(answer: WithShared, bytes: number): void {
  answer[SHARED] = bytes
}

/**
 * Bytes of answers that are kept in memory for the reader of a connection. A write keeps its whole buffer until the
 * kernel has taken the last byte of it, and `writableLength` counts it in the same way.
 */
export function keptBytes(socket: Socket): number {
  let bytes = 0
  if (socket.writableLength > 0) bytes = Math.max(0, socket.writableLength - sharedBytes(answerOn(socket)))
  // One that has its socket is the one that is sent.
  for (const answer of answersBehind(socket))
    if (answer.socket === null) bytes += Math.max(0, answer.writableLength - sharedBytes(answer))
  return bytes
}

function sharedBytes(answer: WithShared | undefined): number {
  return answer?.[SHARED] ?? 0
}

/**
 * Bytes that the kernel has taken from a connection. Node counts a write as written when it begins, so what libuv still
 * has of it is subtracted: a long answer is one write, and its reader must be seen to read it.
 */
export function takenBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { bytesWritten: number; writeQueueSize: number } | null }
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten
}
