import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { createUnreadAnswers, type UnreadEvent, unreadChannel } from '../../lib/unread-answers/unread-answers.ts'
import { shareBytes } from '../../lib/unread-answers/unread-bytes.ts'
import connections from '../../plugins/connections/plugin.ts'
import errorEnvelope from '../../plugins/error-envelope/plugin.ts'
import identity from '../../plugins/identity/plugin.ts'
import origin from '../../plugins/origin/plugin.ts'
import unreadAnswers from '../../plugins/unread-answers/plugin.ts'
import { build } from '../fixtures/build.ts'
import { bare, keyHolder, known, localhost, testClock } from '../fixtures/fixture.ts'
import { rawClient } from '../fixtures/raw-client.ts'
import { until } from '../fixtures/until.ts'

const MB = 1024 * 1024
/** More than the kernel buffers for a client that does not read. */
const ANSWER = 7 * MB
const BOUNDS = { perCredential: 16 * MB, perProcess: 30 * MB, largestAnswer: 1 * MB, patienceMs: 5_000 }

/** A server with large answers, for the callers `a` to `d`. */
async function serve(t: Test) {
  const lines: string[] = []
  const app = bare(t, { logger: { level: 'warn', stream: { write: (line: string) => void lines.push(line) } } })
  const clock = testClock()
  const unread = createUnreadAnswers({ log: app.log, clock, ...BOUNDS })
  await app.register(connections, { max: 100, unread, onDrain() {}, sweepMs: 5 })
  app.register(errorEnvelope)
  app.register(origin, localhost)
  const held: (() => void)[] = []
  app.register(async scope => {
    const keys = Object.fromEntries(['a', 'b', 'c', 'd'].map(key => [key, keyHolder({ meterKey: key })]))
    scope.register(identity, known({ keys }))
    scope.register(unreadAnswers, { unread })
    scope.get('/text', async () => 'ä'.repeat(ANSWER / 2))
    scope.get('/small', async () => 'small')
    scope.get('/medium', async () => Buffer.alloc(30_000))
    scope.get('/held', () => new Promise(resolve => held.push(() => resolve(Buffer.alloc(ANSWER)))))
    const list = Buffer.alloc(ANSWER)
    scope.get('/list', (_request, reply) => {
      reply.hijack()
      shareBytes(reply.raw, list.length)
      reply.raw.end(list)
    })
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const get = (key: string, path: string) =>
    rawClient(t, port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nx-api-key: ${key}\r\n\r\n`)
  let accepted: { writableLength: number }[] = []
  app.server.on('connection', socket => {
    accepted.push(socket)
    socket.once('close', () => {
      accepted = accepted.filter(one => one !== socket)
    })
  })
  const waitingSockets = () => accepted.filter(({ writableLength }) => writableLength > 0).length

  return {
    clock,
    unread,
    lines,
    held,
    get,
    /** A client that does not read its answer. Resolves when the answer is unread. */
    async deaf(key: string, path = '/text') {
      const before = waitingSockets()
      const client = await get(key, path)
      client.socket.pause()
      await until(() => waitingSockets() > before)
      return client
    },
    async status(key: string, path = '/small') {
      const client = await get(key, path)
      const answer = await client.until(/\r\n\r\n[\s\S]+/)
      client.socket.destroy()
      return Number(answer.slice(9, 12))
    },
  }
}

t.test(
  'callers do not read their answers: a credential gets 429 until they are read, and others are served',
  async t => {
    const { deaf, get, status, unread, lines } = await serve(t)
    const readers = [await deaf('a'), await deaf('a')]
    const heads = unread.bytes() - 2 * ANSWER
    t.ok(heads >= 0 && heads < 1_000, `${unread.bytes()} bytes: two answers, not counted in characters`)
    t.equal(await status('a'), 200, 'there is room for another one')
    readers.push(await get('a', '/text'))
    const refused = await readers[2]?.until(/\r\n\r\n[\s\S]+/)
    t.match(
      refused?.slice(0, 1_000),
      /^HTTP\/1\.1 429 [\s\S]*retry-after: 5[\s\S]*carried out[\s\S]*"code":"rate_limit_exceeded"/i,
    )
    t.equal(await status('b'), 200)
    t.equal(lines.length, 1, 'one warning')

    for (const { socket } of readers) socket.resume()
    await until(() => unread.bytes() === 0)
    t.equal(await status('a', '/text'), 200)
  },
)

t.test('of answers that are ready at the same time, those that do not fit are dropped', async t => {
  const { held, get, unread } = await serve(t)
  const clients = await Promise.all(Array.from({ length: 6 }, () => get('a', '/held')))
  for (const { socket } of clients) socket.pause()
  await until(() => held.length === clients.length)
  for (const release of held) release()
  await until(() => unread.bytes() > 0)
  t.ok(unread.bytes() <= BOUNDS.perCredential, `${unread.bytes()} bytes wait`)
  for (const { socket } of clients) socket.resume()
  const heads = await Promise.all(clients.map(client => client.until(/\r\n\r\n[\s\S]/)))
  t.same(heads.map(head => head.slice(9, 12)).sort(), ['200', '200', '429', '429', '429', '429'])
})

t.test(
  'in a full process, stale answers are dropped first, then those of the credential with the most bytes',
  async t => {
    const { deaf, status, unread, clock } = await serve(t)
    const [first, second] = [await deaf('a'), await deaf('a')]
    const others = [await deaf('b'), await deaf('b')]
    t.ok(unread.bytes() > BOUNDS.perProcess - ANSWER, 'the process is full')
    t.equal(await status('c'), 200, 'a small answer always fits')
    const third = await deaf('c')
    first.socket.resume()
    t.ok((await first.closed()).length < ANSWER, 'the one that waited longest of one of the largest holders was cut')
    t.ok(unread.bytes() <= BOUNDS.perProcess)
    clock.advance(BOUNDS.patienceMs)
    const fourth = await deaf('a')
    second.socket.resume()
    t.ok((await second.closed()).length < ANSWER)
    for (const { socket } of [...others, third, fourth]) t.notOk(socket.closed)
  },
)

t.test('a process that is full of equal holders refuses the credential that would hold the most', async t => {
  const { deaf, get, unread } = await serve(t)
  for (const key of ['a', 'b', 'c', 'd']) await deaf(key)
  const before = unread.bytes()
  const refused = await get('a', '/text')
  t.match(
    (await refused.until(/\r\n\r\n[\s\S]+/)).slice(0, 1_000),
    /^HTTP\/1\.1 503 [\s\S]*retry-after: 5[\s\S]*"code":"overloaded"/i,
  )
  t.equal(unread.bytes(), before)
})

t.test('bytes that answers share are not counted', async t => {
  const { deaf, unread, status } = await serve(t)
  for (let i = 0; i < 6; i++) await deaf('a', '/list')
  t.ok(unread.bytes() < 10_000, `${unread.bytes()} bytes`)
  t.equal(await status('a', '/text'), 200)
})

t.test('a closed connection is forgotten', async t => {
  const { deaf, unread } = await serve(t)
  const client = await deaf('a')
  client.socket.resetAndDestroy()
  await until(() => unread.bytes() === 0)
  t.equal(unread.bytes(), 0)
})

t.test('waiting bytes are reported on a diagnostics channel', async t => {
  const { deaf, unread } = await serve(t)
  const events: UnreadEvent[] = []
  const listener = (event: unknown) => void events.push(event as UnreadEvent)
  subscribe(unreadChannel.name, listener)
  t.teardown(() => unsubscribe(unreadChannel.name, listener))
  await deaf('a')
  await until(() => events.some(({ bytes }) => bytes > 0))
  t.same(events.at(-1), { bytes: unread.bytes(), connections: 1, cut: 0, refused: 0 })
})

t.test('readiness reports waiting bytes and stays ready', async t => {
  const { app, services } = await build(t)
  services.unread.bytes = () => 1_000_000_000
  const ready = await app.inject('/health?ready')
  t.equal(ready.statusCode, 200)
  t.match(ready.json(), { checks: { waiting_bytes: 1_000_000_000 } })
})

t.test('small answers behind an unread one count for their credential', async t => {
  const { get, status, unread } = await serve(t)
  const pile = (key: string) => `GET /medium HTTP/1.1\r\nHost: localhost\r\nx-api-key: ${key}\r\n\r\n`.repeat(16)
  for (let i = 0; i < 34; i++) {
    const client = await get('a', '/held')
    client.socket.write(pile('a'))
  }
  await until(() => unread.bytes() > 15 * MB)
  t.equal(await status('a'), 429)
  t.equal(await status('b'), 200)
})
