import { once } from 'node:events'
import { createServer } from 'node:net'

/** How many ports after the first one are tried. */
const MOST_TRIES = 50

/** The first free port of a host from the given one on. Returns the given one if none is free: listening names the error. */
export async function nextFreePort(host: string, port: number): Promise<number> {
  for (let candidate = port; candidate < port + MOST_TRIES; candidate++)
    if (await isFree(host, candidate)) return candidate
  return port
}

async function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen({ host, port, exclusive: true })
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
    return true
  } catch {
    return false
  }
}
