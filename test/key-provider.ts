import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

interface KeyProvider {
  readonly origin: string
  /** The user of each key. */
  readonly people: Map<string, { id: number; login: string }>
  /** The sites that every key sees at `/sites`. */
  readonly sites: { id: string; url: string }[]
  /** Refuses connections from now on. */
  stop(): Promise<void>
}

/**
 * A provider on loopback, closed with the test. `/user` returns the user of the received key or token, and `/sites` the
 * sites.
 */
export async function keyProvider(t: Test): Promise<KeyProvider> {
  const people = new Map<string, { id: number; login: string }>()
  const sites: KeyProvider['sites'] = []
  const server = createServer((request, response) => {
    const person = people.get(request.headers.authorization?.replace(/^Bearer /, '') ?? '')
    response.writeHead(person === undefined ? 401 : 200, { 'content-type': 'application/json' })
    const found = request.url === '/sites' ? sites : person
    response.end(JSON.stringify(person === undefined ? { message: 'Bad credentials' } : found))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  t.teardown(stop)
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, people, sites, stop }
}
