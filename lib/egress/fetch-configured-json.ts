import { parse } from 'secure-json-parse'

export interface FetchOptions {
  /** How long the whole exchange may take. */
  deadlineMs: number
  /** Bytes of the decoded body at most: a compressed one counts by what it unpacks to. */
  maxBytes: number
}

/** An answer that was no use: its status, its size or its body. */
export class BadAnswer extends Error {
  override readonly name = 'BadAnswer'
  /** The HTTP status; 200 where the body was at fault. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * The JSON at a URL that the operator has configured, which may be on a private network. Never follows a redirect.
 * Throws a BadAnswer, or what the connection failed with.
 */
export async function fetchConfiguredJson(url: string, { deadlineMs, maxBytes }: FetchOptions): Promise<unknown> {
  const answer = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(deadlineMs),
  })
  if (!answer.ok) {
    // A body that nobody reads keeps its connection.
    await answer.body?.cancel()
    throw new BadAnswer(answer.status, `${url} answered ${answer.status}`)
  }
  const text = await readBounded(answer, maxBytes)
  try {
    return parse(text)
  } catch {
    throw new BadAnswer(answer.status, `${url} answered what is not JSON`)
  }
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
