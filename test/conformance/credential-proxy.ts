import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CredentialProxy {
  /** Where the proxy listens, as an origin. */
  readonly origin: string
  /** Begins to pass requests on, with this API key added; everything else stays as it was sent, Host and Origin too. */
  passTo(target: { port: number; key: string }): void
  close(): void
}

/** A loopback proxy for a client that sends no credential. */
export async function credentialProxy(): Promise<CredentialProxy> {
  let target = { port: 0, key: '' }
  const server = createServer((incoming, answer) => {
    const { method, url, rawHeaders } = incoming
    const outgoing = request(
      { host: '127.0.0.1', port: target.port, method, path: url, headers: [...rawHeaders, 'x-api-key', target.key] },
      received => {
        answer.writeHead(received.statusCode ?? 502, received.rawHeaders)
        received.pipe(answer)
      },
    )
    outgoing.on('error', error => answer.writeHead(502).end(error.message))
    answer.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))

  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passTo(next) {
      target = next
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
