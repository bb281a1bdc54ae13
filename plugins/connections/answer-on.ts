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
