import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createGzip, gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { EgressError } from '../../lib/egress/egress.ts'
import { egressOf, failureOf, upstream } from '../fixtures/egress-fixture.ts'
import { until } from '../fixtures/until.ts'

const SSE = { 'content-type': 'text/event-stream; charset=utf-8' }

/** A server whose answers the test can change at any time. */
async function fixture(t: Test) {
  let answer: (response: ServerResponse) => unknown = response => response.end()
  const server = await upstream(t, (_request, response) => answer(response))
  const egress = egressOf(t)
  return {
    server,
    answers(next: typeof answer) {
      answer = next
    },
    /** Sends a request and reads text until a chunk contains `end`. */
    async ask(end: string, options: { maxBytes?: number; deadlineMs?: number; signal?: AbortSignal } = {}) {
      let text = ''
      const answer = await egress.request({
        method: 'POST',
        url: server.origin,
        events(chunk) {
          text += chunk
          return text.includes(end)
        },
        ...options,
      })
      return { ...answer, text }
    },
  }
}

t.test('the text of an event stream is passed on as it arrives, until the reader has enough', async t => {
  const { answers, ask } = await fixture(t)
  const [é1, é2] = [...Buffer.from('é')].map(byte => Buffer.from([byte]))
  const cut = Promise.withResolvers<unknown>()
  answers(response => {
    cut.resolve(once(response, 'close'))
    response.writeHead(200, SSE).write(Buffer.concat([Buffer.from('data: caf'), é1 ?? Buffer.of()]))
    response.write(Buffer.concat([é2 ?? Buffer.of(), Buffer.from('\n\n')]))
    // It never ends.
  })
  t.match(await ask('\n\n'), { status: 200, body: '', text: 'data: café\n\n' })
  await cut.promise
})

t.test('a stream that ends by itself ends the answer, and its connection is reused', async t => {
  const { answers, ask, server } = await fixture(t)
  answers(response => response.writeHead(200, SSE).end('data: 1\n\n'))
  for (let n = 0; n < 10; n++) t.match(await ask('never'), { text: 'data: 1\n\n' })
  // A connection is free again a moment after its answer.
  t.ok(server.connections <= 2, `${server.connections} connections`)
  answers(response => response.writeHead(200, { ...SSE, 'content-encoding': 'gzip' }).end())
  t.match(await ask('never'), { text: '' })
})

t.test('a compressed stream is decompressed as it arrives, and an invalid one fails', async t => {
  const { answers, ask } = await fixture(t)
  const gzipped = { ...SSE, 'content-encoding': 'gzip' }
  answers(response => {
    const gzip = createGzip()
    gzip.pipe(response.writeHead(200, gzipped))
    gzip.write('data: 1\n\n')
    gzip.flush()
  })
  t.match(await ask('\n\n'), { text: 'data: 1\n\n' })
  answers(response => response.writeHead(200, gzipped).end(gzipSync('data: all\n\n')))
  t.match(await ask('never'), { text: 'data: all\n\n' })
  answers(response => response.writeHead(200, gzipped).end('data: not compressed\n\n'))
  t.match(await failureOf(ask('never')), { reason: 'unreachable', message: /cannot be decompressed/ })
})

t.test('a stream is limited by its decompressed size, its deadline and its caller', async t => {
  const { answers, ask } = await fixture(t)
  const flood = (response: ServerResponse) => {
    const timer = setInterval(() => response.write(`: ${'x'.repeat(1_000)}\n`), 1)
    response.once('close', () => clearInterval(timer))
  }
  answers(response => flood(response.writeHead(200, SSE)))
  t.match(await failureOf(ask('never', { maxBytes: 5_000 })), { reason: 'too_large', sent: true })
  t.match(await failureOf(ask('never', { deadlineMs: 1_000 })), { reason: 'timeout', sent: true })
  const leaving = new AbortController()
  answers(response => {
    response.writeHead(200, SSE).write(': here\n')
    leaving.abort()
  })
  t.match(await failureOf(ask('never', { signal: leaving.signal })), { reason: 'aborted', sent: true })
  answers(response => response.writeHead(200, { ...SSE, 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1e7))))
  t.match(await failureOf(ask('never', { maxBytes: 100_000 })), { reason: 'too_large' })
  answers(response => response.writeHead(200, SSE).write(': here\n', () => response.destroy()))
  t.match(await failureOf(ask('never')), { reason: 'unreachable' })
})

t.test('a stream that continues after its answer is read only for a moment', async t => {
  const { answers, ask } = await fixture(t)
  const cut = Promise.withResolvers<unknown>()
  answers(response => {
    cut.resolve(once(response, 'close'))
    response.writeHead(200, SSE).write('data: enough\n\n', () => response.write(Buffer.alloc(200_000)))
  })
  t.match(await ask('enough'), { status: 200 })
  await cut.promise
})

t.test('an answer of another type is read whole', async t => {
  const { answers, ask } = await fixture(t)
  for (const type of ['application/json', 'text/event-streams', 'text/plain; a=text/event-stream']) {
    answers(response => response.writeHead(200, { 'content-type': type }).end('whole'))
    t.match(await ask('never'), { body: 'whole', text: '' }, type)
  }
  answers(response => response.writeHead(200, { 'content-type': 'Text/Event-Stream' }).end('a'))
  t.match(await ask('never'), { body: '', text: 'a' })
})

t.test('a pool has its own connections and concurrency limits, with the same address rules', async t => {
  const waiting: ServerResponse[] = []
  const server = await upstream(t, (request, response) => {
    if (request.url === '/wait') waiting.push(response)
    else response.end('ok')
  })
  const egress = egressOf(t, { maxConcurrentPerKey: 1, queueWaitMs: 10 })
  const one = egress.pool({ connections: 1 })
  const other = egress.pool({ connections: 1 })
  const ask = (path: string) => ({ method: 'GET', url: `${server.origin}${path}`, concurrencyKey: 'calls' })

  const held = one.request(ask('/wait'))
  const untilThen = one.request({ method: 'GET', url: server.origin, deadlineMs: 60_000 })
  t.match(await failureOf(one.request(ask('/'))), { reason: 'overloaded', sent: false })
  t.match(await other.request(ask('/')), { body: 'ok' })
  t.match(await egress.request(ask('/')), { body: 'ok' })
  t.equal(server.connections, 3)
  t.match(await failureOf(one.request({ method: 'GET', url: 'http://10.0.0.1/' })), { reason: 'refused', sent: false })

  await t.test('and closing it lets requests in flight finish', async t => {
    const closed = one.close()
    await until(() => waiting.length === 1)
    waiting.pop()?.end('late')
    t.match(await held, { body: 'late' })
    t.match(await untilThen, { body: 'ok' })
    await closed
    t.match(await failureOf(one.request(ask('/'))), { reason: 'aborted', sent: false })
    t.match(await other.request(ask('/')), { body: 'ok' })
  })
  await t.test('and closing egress ends all of its pools', async t => {
    const cut = other.request(ask('/wait'))
    while (waiting.length === 0) await new Promise(setImmediate)
    await Promise.all([t.rejects(cut, EgressError), egress.close()])
  })
})
