import { type EgressAnswer, EgressError, type EgressRequest } from './egress.ts'

/** Statuses whose Response may have no body, not even an empty one. */
const BODILESS = new Set([204, 205, 304])

/** One WHATWG fetch as an egress request; the answer's body has been read whole. Throws EgressErrors. */
export async function fetchThrough(
  request: (request: EgressRequest) => Promise<EgressAnswer>,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const headers = Object.fromEntries(new Headers(init.headers))
  const { body, signal } = init
  if (body instanceof URLSearchParams) headers['content-type'] ??= 'application/x-www-form-urlencoded;charset=UTF-8'
  const answer = await request({
    method: init.method ?? 'GET',
    url,
    headers,
    ...(body === null || body === undefined ? {} : { body: sendable(body) }),
    ...(signal ? { signal } : {}),
  })
  const { status } = answer
  // The range that a Response can have; HTTP knows no others.
  if (status > 599) throw new EgressError('unreachable', `${new URL(url).host} answered with the status ${status}.`)
  return new Response(BODILESS.has(status) ? null : answer.body, { status, headers: answer.headers })
}

function sendable(body: NonNullable<RequestInit['body']>): NonNullable<EgressRequest['body']> {
  if (typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData) return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('Through egress, fetch sends strings, forms and bytes')
}
