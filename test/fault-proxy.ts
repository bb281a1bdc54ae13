import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'

/** A proxy to a server that can simulate every network fault. Changes apply to bytes that arrive later. */
export interface FaultProxy {
  /** The server's URL through the proxy; the port stays the same through every fault. */
  readonly url: string
  /** The number of open client connections. */
  readonly connections: number
  /** Refuses new connections and resets open ones. */
  down(): Promise<void>
  /** Resets open connections and accepts new ones. */
  reset(): void
  /** Passes nothing from now on, on old and new connections, and closes nothing either. */
  blackhole(): void
  /** Delays each byte by this many milliseconds, in both directions. */
  latency(milliseconds: number): void
  /** Delivers bytes in pieces of at most this size, with a pause after each. */
  slice(bytes: number, pauseMs: number): void
  /** Connects new connections to another server. */
  retarget(url: string): void
  /** Removes all faults. A connection that was in a black hole stays dead, as after a failover. */
  heal(): Promise<void>
}

/** Starts a proxy in front of the server of a URL (PostgreSQL, Redis, HTTP) until the end of the test. */
export async function faultProxy(t: Test, target: string): Promise<FaultProxy> {
  const links = new Set<Link>()
  const faults: Faults = { latencyMs: 0, sliceBytes: Number.POSITIVE_INFINITY, pauseMs: 0 }
  let upstream = addressOf(target)
  let swallowing = false

  const server = createServer({ allowHalfOpen: true }, client => {
    const link = new Link(client, connect({ ...upstream, allowHalfOpen: true }), faults)
    link.swallowing = swallowing
    links.add(link)
    client.once('close', () => links.delete(link))
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const reset = () => {
    for (const link of links) link.reset()
  }
  const down = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    reset()
    await closed
  }

  await listen(0)
  const { port } = server.address() as AddressInfo
  t.teardown(down)
  const url = new URL(target)
  url.host = `127.0.0.1:${port}`

  return {
    url: url.href,
    get connections() {
      return links.size
    },
    down,
    reset,
    blackhole() {
      swallowing = true
      for (const link of links) link.swallowing = true
    },
    latency(milliseconds) {
      faults.latencyMs = milliseconds
    },
    slice(bytes, pauseMs) {
      faults.sliceBytes = bytes
      faults.pauseMs = pauseMs
    },
    retarget(url) {
      upstream = addressOf(url)
    },
    async heal() {
      swallowing = false
      Object.assign(faults, { latencyMs: 0, sliceBytes: Number.POSITIVE_INFINITY, pauseMs: 0 })
      if (!server.listening) await listen(port)
    },
  }
}

interface Faults {
  latencyMs: number
  sliceBytes: number
  pauseMs: number
}

/** A client's connection, and the connection to the server it is forwarded to. */
class Link {
  swallowing = false
  readonly #client: Socket
  readonly #upstream: Socket

  constructor(client: Socket, upstream: Socket, faults: Faults) {
    this.#client = client
    this.#upstream = upstream
    this.#pass(client, upstream, faults)
    this.#pass(upstream, client, faults)
  }

  reset(): void {
    this.#client.resetAndDestroy()
    this.#upstream.resetAndDestroy()
  }

  #pass(from: Socket, to: Socket, faults: Faults): void {
    // Bytes keep their order: each waits for those before it, and for its own time.
    let line = Promise.resolve()
    const queue = (work: () => Promise<void> | void) => {
      const due = performance.now() + faults.latencyMs
      line = line.then(async () => {
        const early = due - performance.now()
        if (early > 0) await delay(early)
        if (!this.swallowing) await work()
      })
    }
    from.on('data', chunk => queue(() => this.#write(to, chunk, faults)))
    from.on('end', () => queue(() => void to.end()))
    from.on('error', () => {})
    from.on('close', () =>
      queue(() => {
        // Both sides have ended, or one was cut off: then the other is cut off too.
        if (!to.writableEnded) to.resetAndDestroy()
      }),
    )
  }

  async #write(to: Socket, chunk: Buffer, { sliceBytes, pauseMs }: Faults): Promise<void> {
    for (let start = 0; start < chunk.length && !this.swallowing && to.writable; start += sliceBytes) {
      to.write(chunk.subarray(start, start + sliceBytes))
      if (sliceBytes < Number.POSITIVE_INFINITY) await delay(pauseMs)
    }
  }
}

function addressOf(url: string): { host: string; port: number } {
  const { protocol, hostname, port } = new URL(url)
  return { host: hostname, port: Number(port || (protocol === 'https:' ? 443 : 80)) }
}
