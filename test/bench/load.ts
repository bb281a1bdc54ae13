import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** The number of requests, the duration, and the server's CPU time. */
export interface Measured {
  requests: number
  seconds: number
  /** The server's CPU time, user and system, in microseconds. */
  cpu: number
}

interface LoadOptions {
  port: number
  /** Returns the whole request, head and body, for a connection. */
  request(connection: number): Buffer
  connections: number
  milliseconds: number
  /** Requests per second over all connections; undefined for as many as the server answers. */
  rate?: number | undefined
  /** Returns the server's CPU time so far. */
  cpu(): Promise<number>
}

/**
 * Sends one request at a time on every connection. Uses sockets, because a load generator that parses every answer needs
 * more CPU time than the measured server, and two cores do not have that time. Throws if an answer is not a 200.
 */
export async function load({ port, request, connections, milliseconds, rate, cpu }: LoadOptions): Promise<Measured> {
  const lines = await Promise.all(Array.from({ length: connections }, (_, i) => openLine(port, request(i))))
  // The first request is not counted, because it includes the cost of the connection.
  await Promise.all(lines.map(line => line.send()))

  const before = await cpu()
  const started = performance.now()
  const until = started + milliseconds
  const interval = rate === undefined ? 0 : (connections * 1000) / rate
  const sent = await Promise.all(
    lines.map((line, i) => keepSending(line, { from: started + (interval * i) / connections, until, interval })),
  )
  const seconds = (performance.now() - started) / 1000
  const used = (await cpu()) - before

  for (const line of lines) line.close()
  return { requests: sent.reduce((sum, count) => sum + count, 0), seconds, cpu: used }
}

/** Sends at most one request per interval until the time is over. Returns the number of requests. */
async function keepSending(line: Line, times: { from: number; until: number; interval: number }): Promise<number> {
  for (let count = 0; ; count++) {
    const early = times.from + count * times.interval - performance.now()
    if (early > 0) await delay(early)
    if (performance.now() >= times.until) return count
    await line.send()
  }
}

interface Line {
  /** Sends the request and waits for the whole answer. */
  send(): Promise<void>
  close(): void
}

async function openLine(port: number, request: Buffer): Promise<Line> {
  const socket = await open(port)
  let answer = new Answer()
  let answered: { resolve(): void; reject(error: Error): void } | undefined

  socket.on('data', chunk => {
    try {
      if (!answer.take(chunk)) return
      answered?.resolve()
    } catch (error) {
      answered?.reject(error as Error)
    }
    answer = new Answer()
  })
  socket.on('close', () => answered?.reject(new Error('The server closed a connection.')))

  return {
    send: () =>
      new Promise((resolve, reject) => {
        answered = { resolve, reject }
        socket.write(request)
      }),
    close() {
      answered = undefined
      socket.destroy()
    },
  }
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.on('error', reject)
  })
}

/** Finds the end of one HTTP/1.1 answer by its Content-Length or its last chunk. */
class Answer {
  #head: Buffer = Buffer.alloc(0)
  /** The number of missing bytes; undefined before the head is complete and for a chunked answer. */
  #missing: number | undefined
  #chunked = false

  /** Adds a chunk. Returns whether the answer is complete. */
  take(chunk: Buffer): boolean {
    if (this.#chunked) return chunk.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
    if (this.#missing !== undefined) {
      this.#missing -= chunk.length
      return this.#missing === 0
    }
    this.#head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk])
    const end = this.#head.indexOf('\r\n\r\n')
    if (end === -1) return false

    const head = this.#head.toString('latin1', 0, end)
    if (!head.startsWith('HTTP/1.1 200')) throw new Error(`Not a 200: ${this.#head.toString()}`)
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
    if (length === undefined) {
      this.#chunked = true
      return this.#head.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
    }
    this.#missing = end + 4 + Number(length) - this.#head.length
    return this.#missing === 0
  }
}

const LAST_CHUNK = Buffer.from('0\r\n\r\n')
