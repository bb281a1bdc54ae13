import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Returns the answer that a connection waits for or receives; undefined between requests and while headers arrive. Uses
 * an internal property of Node, because a table of our own would cost every request.
 */
export function answerOn(socket: Socket): ServerResponse | undefined {
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined
}

/** Makes an answer the last one of its connection, with `Connection: close`, unless it has started. */
export function takesLastAnswer(answer: ServerResponse | undefined): void {
  if (answer?.headersSent === false) answer.shouldKeepAlive = false
}

/** The property of a socket that holds its pending pipelined answers. A WeakMap costs more per request. */
const BEHIND = Symbol('answers behind the one that is sent')
type WithAnswers = Socket & { [BEHIND]?: Set<ServerResponse> }

/** Returns the answers of pipelined requests, which wait for the answer before them. */
export function answersBehind(socket: WithAnswers): Iterable<ServerResponse> {
  return socket[BEHIND] ?? []
}

/** Returns the number of pending pipelined answers of a connection. */
export function countAnswersBehind(socket: WithAnswers): number {
  return socket[BEHIND]?.size ?? 0
}

/** Adds the answer of a pipelined request, until it is closed. */
export function addAnswerBehind(socket: WithAnswers, answer: ServerResponse): void {
  socket[BEHIND] ??= new Set()
  const behind = socket[BEHIND].add(answer)
  answer.once('close', () => behind.delete(answer))
}
