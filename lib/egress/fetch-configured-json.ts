import { parse } from 'secure-json-parse'

interface FetchOptions {
  /** The time limit for the whole exchange. */
  deadlineMs: number
  /** The maximum number of decoded body bytes. */
  maxBytes: number
}

/** An unusable answer: wrong status, too large, or not JSON. */
export class BadAnswer extends Error {
  override readonly name = 'BadAnswer'
  /** The HTTP status; 200 if the body was the problem. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * Sends a request to a URL that the operator configured, which may be on a private network. Never follows a redirect, and
 * never returns more than `maxBytes` of the body. Throws a BadAnswer above that, or the connection's error.
 */
export async function fetchConfigured(
  url: string,
  init: { method?: string; headers?: Record<string, string>; body?: string },
  { deadlineMs, maxBytes }: FetchOptions,
): Promise<Response> {
  const answer = await send(url, init, deadlineMs)
  const { status, headers } = answer
  const text = await readBounded(answer, maxBytes)
  return new Response(status === 204 ? null : text, { status, headers })
}

/** Fetches JSON from a URL that the operator configured. Throws a BadAnswer, or the connection's error. */
export async function fetchConfiguredJson(url: string, { deadlineMs, maxBytes }: FetchOptions): Promise<unknown> {
  const answer = await send(url, { headers: { accept: 'application/json' } }, deadlineMs)
  if (!answer.ok) {
    // An unread body would keep its connection open.
    await answer.body?.cancel()
    throw new BadAnswer(answer.status, `${url} answered ${answer.status}`)
  }
  const text = await readBounded(answer, maxBytes)
  try {
    return parse(text)
  } catch {
    throw new BadAnswer(answer.status, `The response of ${url} is not JSON`)
  }
}

function send(url: string, init: RequestInit, deadlineMs: number): Promise<Response> {
  return fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(deadlineMs) })
}

async function readBounded(answer: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes)
      throw new BadAnswer(answer.status, `The answer of ${answer.url} is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
