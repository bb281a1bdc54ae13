import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

/** A way to a server that can be frozen or cut. */
export interface TcpProxy {
  /** The server's url through the proxy. */
  url: string
  /** From now on nothing passes, on old connections and on new ones; nothing is closed either. */
  freeze(): void
  /** New connections pass again; those that were frozen stay so. */
  thaw(): void
  /** Resets every connection and refuses new ones. */
  cut(): Promise<void>
}

/** Stands between a client and the server of a url, until the end of the test. */
export async function tcpProxy(t: Test, target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let frozen = false

  const server = createServer(client => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    if (frozen) return
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))

  async function cut(): Promise<void> {
    for (const socket of sockets) socket.resetAndDestroy()
    await new Promise<void>(resolve => server.close(() => resolve()))
  }
  t.teardown(cut)

  const url = new URL(target)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    freeze() {
      frozen = true
      for (const socket of sockets) {
        socket.unpipe()
        socket.pause()
      }
    },
    thaw() {
      frozen = false
    },
    cut,
  }
}
