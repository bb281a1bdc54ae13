import type { InjectOptions } from 'fastify'

/** Sends a request without a network. */
export type Send = (request: InjectOptions) => Promise<{
  statusCode: number
  headers: Record<string, unknown>
  body: string
}>

/** An answer in a comparable form. */
export interface Answer {
  status: number
  body: string
  /** Status, body and headers, without what differs between any two answers. */
  text: string
}

const VOLATILE = /^(date|x-request-id|ratelimit-.*)$/

export async function answerTo(send: Send, request: InjectOptions): Promise<Answer> {
  const { statusCode: status, headers, body } = await send(request)
  const kept = Object.entries(headers).filter(([name]) => !VOLATILE.test(name))
  return { status, body, text: JSON.stringify([status, body, Object.fromEntries(kept.sort())]) }
}

/** Describes how two answers differ, apart from the identifiers of their requests; undefined if they do not. */
export function difference(
  [one, id]: readonly [Answer, string],
  [other, otherId]: readonly [Answer, string],
): string | undefined {
  const [here, there] = [withoutId(one, id), withoutId(other, otherId)]
  if (here === there) return undefined
  const at = Math.max(0, [...here].findIndex((character, i) => character !== there[i]) - 100)
  return `answers …${cut(here.slice(at))} instead of …${cut(there.slice(at))}`
}

function withoutId({ text }: Answer, id: string): string {
  return id === '' ? text : text.replaceAll(id, '<id>')
}

/** Shortens a text to 300 characters. */
export function cut(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
