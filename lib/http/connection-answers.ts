import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Returns the answer that a connection waits for or receives; undefined between requests and while headers arrive. Uses
 * an internal property of Node, because a table of our own would cost every request.
 */
export function answerOn(socket: Socket): ServerResponse | undefined {
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined
}

/** The property of a request whose body may take longer than Node's time limit. */
const LONG_BODY = Symbol('long body')
type WithLongBody = IncomingMessage & { [LONG_BODY]?: true }

/** Exempts a request from Node's time limit for its body. Its route must have a limit of its own. */
export function allowLongBody(request: WithLongBody): void {
  request[LONG_BODY] = true
}

/** Whether the request that a connection receives is exempt from Node's time limit. */
export function hasLongBody(socket: Socket): boolean {
  return (answerOn(socket)?.req as WithLongBody | undefined)?.[LONG_BODY] === true
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
