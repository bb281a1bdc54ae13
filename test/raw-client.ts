import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Test } from 'tap'

/** A client that sends and reads raw bytes. */
export interface RawClient {
  readonly socket: Socket
  /** Resolves with the received text when it matches or the connection is closed. */
  until(pattern: RegExp): Promise<string>
  /** Resolves with the whole received text when the connection is closed, by an end or a reset. */
  closed(): Promise<string>
}

/** Connects to a port of this machine and sends bytes. The connection is closed with the test. */
export async function rawClient(t: Test, port: number, bytes = ''): Promise<RawClient> {
  const socket = connect({ port, host: '127.0.0.1' })
  t.teardown(() => void socket.destroy())
  let received = ''
  let moved = Promise.withResolvers<void>()
  const closed = new Promise<string>(resolve => socket.once('close', () => resolve(received)))
  socket.on('error', () => {}) // A reset also closes the connection.
  await once(socket, 'connect')
  socket.setEncoding('latin1').on('data', chunk => {
    received += chunk
    moved.resolve()
    moved = Promise.withResolvers()
  })
  socket.write(bytes)

  return {
    socket,
    async until(pattern) {
      while (!socket.closed && !pattern.test(received)) await Promise.race([moved.promise, closed])
      return received
    },
    closed: () => closed,
  }
}
