import { type AddressInfo, createServer, type Socket } from 'node:net'
import { availableParallelism } from 'node:os'

/** The runner has started all clients of a set when no client has connected for this long. */
const QUIET_MS = 1_000

/**
 * Lets as many clients run at a time as there are cores: a client connects, waits for a byte, and keeps its slot until
 * its connection ends. The runner starts the clients of a set all at once. Without slots they starve the runner, whose
 * answers then take longer than the deadlines of the upstream client allow.
 */
export async function clientSlots(slots = availableParallelism()): Promise<{ port: number; close(): void }> {
  const waiting = new Set<Socket>()
  let free = slots
  let quiet: NodeJS.Timeout | undefined

  function grant(): void {
    for (const socket of waiting) {
      if (free === 0) return
      free -= 1
      waiting.delete(socket)
      socket.on('close', () => {
        free += 1
        grant()
      })
      socket.write('.')
    }
  }

  const server = createServer(socket => {
    waiting.add(socket)
    socket.on('close', () => waiting.delete(socket))
    // A client that was ended by the runner may reset its connection.
    socket.on('error', () => {})
    socket.resume()
    clearTimeout(quiet)
    quiet = setTimeout(grant, QUIET_MS)
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}
