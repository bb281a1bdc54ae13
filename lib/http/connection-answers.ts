import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The answer that a connection is waiting for or being sent; undefined between requests, and while headers come in.
 * Node keeps it there for itself and has no public name for it; a table of our own would cost every request.
 */
export function answerOn(socket: Socket): ServerResponse | undefined {
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined
}

/** Makes an answer the last of its connection, with `Connection: close`, unless it has begun. */
export function takesLastAnswer(answer: ServerResponse | undefined): void {
  if (answer?.headersSent === false) answer.shouldKeepAlive = false
}

/** The property of a socket that holds the answers behind the one that is sent. A WeakMap costs more per request. */
const BEHIND = Symbol('answers behind the one that is sent')
type WithAnswers = Socket & { [BEHIND]?: Set<ServerResponse> }

/** The answers of pipelined requests, which wait until the one before them was sent. */
export function answersBehind(socket: WithAnswers): Iterable<ServerResponse> {
  return socket[BEHIND] ?? []
}

/** How many answers of pipelined requests are pending on a connection. */
export function countAnswersBehind(socket: WithAnswers): number {
  return socket[BEHIND]?.size ?? 0
}

/** Adds the answer of a pipelined request, until it is closed. */
export function addAnswerBehind(socket: WithAnswers, answer: ServerResponse): void {
  socket[BEHIND] ??= new Set()
  const behind = socket[BEHIND].add(answer)
  answer.once('close', () => behind.delete(answer))
}
