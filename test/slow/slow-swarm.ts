import { connect, type Socket } from 'node:net'
import { callOf } from './gateway-process.ts'

/** Bytes of an answer: more than the 3.9 MB that the kernel takes off the gateway's hands for who does not read. */
const ANSWER_BYTES = 5_000_000

/**
 * A process of slow clients, so that what they cost is not measured with what they do to others: a third of them sends
 * its headers by the byte, a third its body, a third reads its answer by the kilobyte. One that is cut comes again.
 * Most readers get a short 429: only so many long answers may wait for the readers of a key.
 * Arguments: port, how many, keys. Says `ready` to its parent once each has begun, the readers to read, and `cut` for
 * each that was cut.
 */
const [port = '', count = '', ...keys] = process.argv.slice(2)
let begun = 0

/** The kinds of client: what each sends at once, and what it sends a byte of a second. */
const KINDS = 3

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
        return false // reads no more than this kilobyte
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

// The readers first: to make their answers takes the gateway seconds, and the others are cut in 15 s.
const all = Array.from({ length: Number(count) }, (_, i) => i)
for (const i of all.filter(isReader)) open(i)
process.on('disconnect', () => process.exit(0))
