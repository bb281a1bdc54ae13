import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyHttpOptions, FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { createUnreadAnswers, unreadChannel } from '../../lib/unread-answers/unread-answers.ts'
import connections, { type ConnectionsOptions } from '../../plugins/connections/plugin.ts'
import { answerClientError, SERVER_LIMITS } from '../../plugins/connections/server-options.ts'
import type { Clock } from '../../schemas/primitives/time.ts'
import { build } from '../fixtures/build.ts'
import { bare, testClock } from '../fixtures/fixture.ts'
import { rawClient } from '../fixtures/raw-client.ts'
import { until } from '../fixtures/until.ts'

type Options = FastifyHttpOptions<Server>
type Limits = Partial<ConnectionsOptions> & { clock?: Clock }

const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
/** More than the buffers of two kernels hold. */
const LARGE = 20_000_000

/** The plugin alone on a server that listens, with routes to be slow on. */
async function serve(t: Test, limits: Limits = {}, options: Options = {}) {
  const { clock = performance, ...connectionLimits } = limits
  const { http, ...rest } = options
  const all: Options = {
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    http: { ...SERVER_LIMITS.http, ...http },
    ...rest,
  }
  const app = bare(t, all)
  const unread = createUnreadAnswers({ log: app.log, clock })
  const draining: (() => number)[] = []
  await app.register(connections, {
    max: 100,
    unread,
    onDrain: listener => draining.push(listener),
    ...connectionLimits,
  })
  const held: (() => void)[] = []
  app.get('/', async () => 'here')
  app.post('/', async () => 'taken')
  app.get('/large', async () => Buffer.alloc(LARGE))
  app.get('/endless', (_request, reply) => reply.send(Readable.from(chunks())))
  app.get('/held', () => new Promise(resolve => held.push(() => resolve('at last'))))
  await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    app,
    port: (app.server.address() as AddressInfo).port,
    drain() {
      return draining.reduce((sum, listener) => sum + listener(), 0)
    },
    /** Resolves once a request is held; answers how to let all of them go. */
    async holding() {
      while (held.length === 0) await once(app.server, 'request')
      return () => {
        for (const release of held) release()
      }
    },
  }
}

function* chunks() {
  for (;;) yield Buffer.alloc(64 * 1024)
}

/** Resolves after the next sweep over the connections of this process. */
async function nextSweep(): Promise<void> {
  await new Promise<void>(resolve => {
    subscribe(unreadChannel.name, function swept() {
      unsubscribe(unreadChannel.name, swept)
      resolve()
    })
  })
}

/** A client that reads a number of bytes only on request. */
async function patientReader(t: Test, app: FastifyInstance, port: number, path: string) {
  const accepted = once(app.server, 'connection')
  const { socket } = await rawClient(t, port)
  const [server] = (await accepted) as [Socket]
  socket.removeAllListeners('data').pause().write(GET(path))
  await until(() => server.writableLength > 0)
  return {
    server,
    async read(bytes: number) {
      for (let left = bytes; left > 0 && !socket.destroyed; await nextTurn()) left -= socket.read()?.length ?? 0
    },
  }
}

function judge(t: Test, answer: string, status: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  t.ok(head.startsWith(`HTTP/1.1 ${status}\r\n`), `${status}: ${head}`)
  t.match(head, /connection: close/i)
  t.match(head, /content-type: application\/json/i)
  t.match(head, new RegExp(`content-length: ${body.length}`, 'i'))
  t.match(JSON.parse(body), { error: { type: 'invalid_request_error', code: 'invalid_request', message: /\.$/ } })
}

t.test('a malformed request is answered in the nested envelope, and its connection is closed', async t => {
  const { app } = await build(t)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const answer = async (bytes: string) => (await rawClient(t, port, bytes)).closed()

  judge(t, await answer('\x16\x03\x01\x02\x00\x01'), '400 Bad Request')
  judge(t, await answer('GET / HTTP/1.1\r\nHost: x\r\nContent-Length: a\r\n\r\n'), '400 Bad Request')
  judge(
    t,
    await answer(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(16_384)}\r\n\r\n`),
    '431 Request Header Fields Too Large',
  )
  t.equal((await app.inject('/health')).statusCode, 200)
})

t.test('a body whose framing is broken or bloated is answered in the nested envelope', async t => {
  const { port } = await serve(t)
  const chunked = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n'
  const answer = async (bytes: string) => (await rawClient(t, port, bytes)).closed()
  judge(t, await answer(`${chunked}x\r\n`), '400 Bad Request')
  judge(t, await answer(`${chunked}1;${'x'.repeat(17_000)}\r\nx\r\n`), '413 Payload Too Large')
})

t.test('a client that is too slow to send its headers or body gets 408', async t => {
  const http = { headersTimeout: 150, connectionsCheckingInterval: 50 }
  const { port } = await serve(t, {}, { http, requestTimeout: 300 })
  const slow = await Promise.all([
    rawClient(t, port),
    rawClient(t, port, 'GET / HTTP/1.1\r\nHost'),
    rawClient(t, port, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nhalf'),
  ])
  for (const client of slow) judge(t, await client.closed(), '408 Request Timeout')
})

t.test('a client that disconnects or sends garbage after its request affects no other client', async t => {
  const { port, holding } = await serve(t)
  const other = await rawClient(t, port, GET('/held'))
  const release = await holding()
  const halves = [GET('/held'), 'GET / HTT', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf']
  const resets = await Promise.all(halves.map(bytes => rawClient(t, port, bytes)))
  await delay(20)
  for (const { socket } of resets) socket.resetAndDestroy()
  const rubbish = await rawClient(t, port, GET('/large'))
  await rubbish.until(/200 OK/)
  rubbish.socket.write('rubbish\r\n\r\n')
  t.notMatch((await rubbish.closed()).slice(-1_000), 'invalid', 'nothing is written into an answer that has begun')
  release()
  t.match(await other.until(/at last/), 'at last')
})

t.test(
  'connections above the limit are closed with one warning; a closed connection makes room for another',
  async t => {
    const lines: string[] = []
    const logger = { level: 'warn', stream: { write: (line: string) => void lines.push(line) } }
    const { port } = await serve(t, { max: 2 }, { logger })
    const [first] = [await rawClient(t, port, GET('/')), await rawClient(t, port, GET('/'))]
    await first.until(/here/)
    for (let i = 0; i < 3; i++) t.equal(await (await rawClient(t, port, GET('/'))).closed(), '')
    t.match(
      lines.map(line => JSON.parse(line)),
      [{ max: 2, msg: /connection limit reached/ }],
    )
    t.equal(lines.length, 1)

    first.socket.destroy()
    let next = ''
    while (!next.includes('here')) next = await (await rawClient(t, port, GET('/'))).until(/here/)
    t.match(next, 'here')
  },
)

/** More than the kernel lets go of before it takes anything again: a third of its largest send buffer. */
const READ = 4_000_000

for (const path of ['/endless', '/large'])
  t.test(`a client that goes on reading ${path} keeps its connection, and one that reads a little is cut`, async t => {
    const clock = testClock()
    const { app, port } = await serve(t, { unreadMs: 1_000, sweepMs: 10, clock })
    const steady = await patientReader(t, app, port, path)
    const dripping = await patientReader(t, app, port, path)
    await nextSweep()
    for (let i = 0; i < 3; i++) {
      await steady.read(READ)
      if (!dripping.server.destroyed) await dripping.read(1_000)
      await nextSweep()
      t.notOk(steady.server.destroyed, `it has read ${(i + 1) * READ} bytes`)
      clock.advance(600)
      await nextSweep()
    }
    t.ok(dripping.server.destroyed, 'it has read 3,000 bytes in 1,800 ms')
    t.notOk(steady.server.destroyed)
  })

t.test('a client that does not read its response is cut; one that reads slowly, or waits for it, is not', async t => {
  const { port, holding } = await serve(t, { unreadMs: 1_500, sweepMs: 50 })
  const waiting = await rawClient(t, port, GET('/held'))
  const release = await holding()
  const deaf = await rawClient(t, port, GET('/large'))
  deaf.socket.pause()
  const slow = await rawClient(t, port, GET('/large').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
  slow.socket.pause()
  await delay(150)
  slow.socket.resume()
  t.ok((await slow.closed()).length > LARGE)

  await delay(2_000)
  deaf.socket.resume()
  t.ok((await deaf.closed()).length < LARGE, 'the rest is gone')
  release()
  t.match(await waiting.until(/at last/), 'at last')
})

t.test('a few pipelined requests are answered in order; too many are cut', async t => {
  const { app, port, holding } = await serve(t)
  let begun = 0
  app.server.on('request', () => begun++)
  const few = await rawClient(t, port, GET('/held') + GET('/').repeat(16))
  const release = await holding()
  release()
  const answers = await few.until(/at last(?:[\s\S]*?here){16}/)
  t.equal(answers.match(/HTTP\/1.1 200/g)?.length, 17)
  few.socket.write(GET('/').repeat(17))
  t.equal((await few.until(/(?:here[\s\S]*?){33}/)).match(/here/g)?.length, 33, 'and again')

  const before = begun
  const pile = await rawClient(t, port, GET('/held') + GET('/').repeat(1_000))
  t.notMatch(await pile.closed(), 'HTTP/1.1')
  t.ok(begun - before > 17, `${begun - before} were read`)
  t.equal((await (await rawClient(t, port, GET('/'))).until(/here/)).includes('200'), true, 'others are served')
})

t.test('while draining, each response is the last of its connection, and new connections are still served', async t => {
  const { port, holding, drain } = await serve(t)
  const [idle, before] = [await rawClient(t, port, GET('/')), await rawClient(t, port, GET('/held'))]
  t.match(await idle.until(/here/), /connection: keep-alive/i)
  const release = await holding()
  t.equal(drain(), 1, 'the requests in flight')
  release()
  t.match(await before.closed(), /connection: close[\s\S]*at last/i, 'one that was under way')
  idle.socket.write(GET('/'))
  t.match(await idle.closed(), /connection: close[\s\S]*here/i, 'the next on a kept-alive connection')
  t.match(await (await rawClient(t, port, GET('/'))).closed(), /connection: close[\s\S]*here/i, 'a new one')
})

t.test('closing waits for complete responses, but not for clients that send nothing', async t => {
  const { app, port, holding } = await serve(t, {}, { requestTimeout: 60_000, http: { headersTimeout: 50_000 } })
  const [idle, silent, half, upload, large, held] = [
    await rawClient(t, port, GET('/')),
    await rawClient(t, port),
    await rawClient(t, port, 'GET / HT'),
    await rawClient(
      t,
      port,
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nhalf',
    ),
    await rawClient(t, port, GET('/large')),
    await rawClient(t, port, GET('/held')),
  ]
  large.socket.pause()
  await idle.until(/here/)
  const release = await holding()

  const started = performance.now()
  const closing = app.close()
  await delay(200)
  await t.rejects(fetch(`http://127.0.0.1:${port}/`), 'nobody new is let in')
  half.socket.write('TP/1.1\r\nHost: x\r\n\r\n')
  t.match(await half.closed(), /connection: close[\s\S]*here/i, 'what was on its way is served')
  t.notOk(held.socket.closed)
  large.socket.resume()
  t.ok((await large.closed()).length > LARGE)
  t.match(await idle.closed(), 'here')
  for (const client of [silent, upload]) t.equal(await client.closed(), '')
  release()
  t.match(await held.closed(), 'at last')
  await closing
  const took = performance.now() - started
  t.ok(took > 1_900 && took < 6_000, `closed in ${Math.round(took)} ms`)
})

t.test('an app that never listened closes', async t => {
  const { app } = await build(t)
  await t.resolves(app.close())
})

t.test('requests without Host or with an unknown Expect count as pipelined requests, too', async t => {
  const { port } = await serve(t)
  for (const [request, status] of [
    ['GET / HTTP/1.1\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n', 417],
  ] as const) {
    const one = await rawClient(t, port, request)
    t.match(await one.until(/\r\n\r\n/), new RegExp(`^HTTP/1\\.1 ${status} `))
    const pile = await rawClient(t, port, GET('/held') + request.repeat(1_000))
    t.equal(await pile.closed(), '', 'a pile of them is cut')
  }
})
