import { connect, type Socket } from 'node:net'
import { callOf } from './gateway-process.ts'

/** Bytes of an answer: more than the 3.9 MB that the kernel buffers for a client that does not read. */
const ANSWER_BYTES = 5_000_000

/**
 * Slow clients in a separate process, so that their own CPU time does not count. One third sends its headers byte by byte,
 * one third its body, and one third reads its answer by the kilobyte. A client that is cut reconnects.
 * Most readers get a short 429, because a key has a limit of unread bytes.
 * Arguments: port, number of clients, keys. Sends `ready` to the parent when every client has begun (readers: to read), and
 * `cut` for each closed connection.
 */
const [port = '', count = '', ...keys] = process.argv.slice(2)
let begun = 0

/** The number of client kinds: slow headers, slow bodies, readers. */
const KINDS = 3

/** Returns what a client sends at once, and what it sends one byte per second. */
function kindOf(i: number): { first: string; rest: string } {
  const { headers, body } = callOf(keys[Math.floor(i / KINDS) % keys.length] ?? '', 'slow__fill', {
    bytes: ANSWER_BYTES,
  })
  const head = [
    'POST /mcp HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${body.length}`,
  ].join('\r\n')
  if (isReader(i)) return { first: `${head}\r\n\r\n${body}`, rest: '' }
  return i % KINDS === 1 ? { first: `${head}\r\n\r\n`, rest: body } : { first: '', rest: head }
}

function isReader(i: number): boolean {
  return i % KINDS === 2
}

function open(i: number): void {
  const { first, rest } = kindOf(i)
  let sent = 0
  let counted = false
  const begin = () => {
    if (counted) return
    counted = true
    begun++
    if (begun === all.filter(isReader).length) for (const i of all) if (!isReader(i)) open(i)
    if (begun === all.length) process.send?.('ready')
  }
  const socket: Socket = connect({
    port: Number(port),
    host: '127.0.0.1',
    onread: {
      buffer: Buffer.alloc(1024),
      callback() {
        begin()
        return false // Stops reading after this kilobyte.
      },
    },
  })
  const drip = setInterval(() => {
    socket.resume()
    if (sent < rest.length) socket.write(rest.charAt(sent++))
  }, 1_000)
  socket.on('connect', () => {
    socket.write(first)
    if (rest !== '') begin()
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    clearInterval(drip)
    process.send?.('cut')
    open(i)
  })
}

// The readers start first: their answers take the gateway seconds, and the other clients are cut after 15 s.
const all = Array.from({ length: Number(count) }, (_, i) => i)
for (const i of all.filter(isReader)) open(i)
process.on('disconnect', () => process.exit(0))
