import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import type { Test } from 'tap'
import { type Upstream, upstream } from '../fixtures/egress-fixture.ts'

/** An HTTP server on loopback for a function from Request to Response, closed with the test. */
export async function fetchServer(
  t: Pick<Test, 'teardown'>,
  serve: (request: Request) => Promise<Response>,
): Promise<Upstream> {
  const server = await upstream(t, (request, response) => {
    // Calls the handler with the latest request.
    const body = server.requests.at(-1)?.body ?? ''
    return answer(request, response, body).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    const disconnected = new AbortController()
    response.once('close', () => disconnected.abort())
    const { method = 'GET', url = '/' } = request
    const answered = await serve(
      new Request(new URL(url, server.origin), {
        method,
        headers: headersOf(request),
        signal: disconnected.signal,
        ...(body !== '' && { body }),
      }),
    )
    response.writeHead(answered.status, Object.fromEntries(answered.headers))
    response.flushHeaders()
    if (answered.body === null) response.end()
    else await pipeline(Readable.fromWeb(answered.body as ReadableStream), response)
  }

  return server
}

function headersOf({ rawHeaders }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at < rawHeaders.length; at += 2) pairs.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? ''])
  return pairs
}
