import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'

/** What a server answers, by method and path. Anything else is missing. */
export type Answers = Record<string, { status?: number; body: object }>

/** A server on loopback that answers Stripe's SDK as a test says, and records the requests. */
export async function scriptedStripe(t: Test, answers: Answers) {
  const requests: { line: string; body: URLSearchParams; key: unknown }[] = []
  const missing = { error: { type: 'invalid_request_error', code: 'resource_missing' } }
  const server = createServer(async (request, response) => {
    const line = `${request.method} ${request.url?.split('?')[0]}`
    const body = new URLSearchParams(await text(request))
    requests.push({ line, body, key: request.headers['idempotency-key'] })
    const answer = answers[line] ?? { status: 404, body: missing }
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { requests, port: (server.address() as AddressInfo).port }
}
