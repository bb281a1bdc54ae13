import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import t, { type Test } from 'tap'
import { createUnreadAnswers } from '../../lib/unread-answers/unread-answers.ts'
import connections from '../../plugins/connections/plugin.ts'
import { answerClientError, earlyAnswers } from '../../plugins/connections/server-options.ts'
import { build } from '../fixtures/build.ts'
import { bare } from '../fixtures/fixture.ts'
import { type RawClient, rawClient } from '../fixtures/raw-client.ts'
import { until } from '../fixtures/until.ts'

const MB = 1024 * 1024
/** What is read behind an answer here, and so long that no test waits for it. */
const LINGER = { ms: 600_000, bytes: 2 * MB, smallBody: 64 * 1024 }

/** A server whose route refuses a request by its headers, and another that reads its body. */
async function serve(t: Test, linger: Partial<typeof LINGER> = {}) {
  const app = bare(t, {
    clientErrorHandler: answerClientError,
    ...({ http: { ServerResponse: earlyAnswers({ ...LINGER, ...linger }) } } as object),
  })
  await app.register(connections, {
    max: 100,
    unread: createUnreadAnswers({ log: app.log }),
    onDrain() {},
  })
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MB }, (_request, body, done) => done(null, body))
  let begun = 0
  app.post('/taken', async ({ body }) => {
    begun++
    return `took ${(body as Buffer).length} bytes`
  })
  app.post('/refused', {
    onRequest: async (_request, reply) => reply.code(401).send('no credential'),
    handler: async () => 'never reached',
  })
  const sockets: Socket[] = []
  app.server.on('connection', socket => sockets.push(socket))
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { begun: () => begun, sockets, port: (app.server.address() as AddressInfo).port }
}

function head(path: string, ...headers: string[]): string {
  return [`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Type: text/plain', ...headers, '', ''].join('\r\n')
}

/** Sends until the connection is closed or that much was sent; answers how much. */
async function flood({ socket }: RawClient, bytes: number): Promise<number> {
  let sent = 0
  const chunk = Buffer.alloc(64 * 1024, 'x')
  while (sent < bytes && !socket.destroyed) {
    sent += chunk.length
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {})
  }
  return sent
}

t.test('an upload that is rejected by its headers is not read, and its connection is closed', async t => {
  const { sockets, port } = await serve(t, { ms: 300 })
  const client = await rawClient(t, port, head('/refused', 'Content-Length: 99999999999'))
  const answered = client.until(/no credential/)
  await flood(client, 1024 * MB)
  t.match(await answered, /^HTTP\/1\.1 401 [\s\S]*connection: close[\s\S]*no credential/i)
  await client.closed()
  const read = sockets[0]?.bytesRead ?? 0
  t.ok(read < LINGER.bytes + MB, `${read} bytes were read`)
})

t.test('a client that sends its whole body before it reads gets the response', async t => {
  const { port } = await serve(t)
  for (const [path, status] of [
    ['/refused', 401],
    ['/taken', 413],
  ] as const)
    for (const framing of [`Content-Length: ${1.5 * MB}`, 'Transfer-Encoding: chunked']) {
      const client = await rawClient(t, port)
      client.socket.pause()
      client.socket.write(head(path, framing))
      if (framing.startsWith('Transfer')) client.socket.write(`${(1.5 * MB).toString(16)}\r\n`)
      await flood(client, 1.5 * MB)
      if (framing.startsWith('Transfer')) client.socket.write('\r\n0\r\n\r\n')
      client.socket.resume()
      t.match(
        await client.closed(),
        new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*connection: close`, 'i'),
        `${path} ${framing}`,
      )
    }
})

t.test('fetch reads the 413 of a body that is too large', async t => {
  const { port } = await serve(t, { ms: 1_000 })
  const send = (body: Buffer | ReadableStream) =>
    fetch(`http://127.0.0.1:${port}/taken`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body,
      ...({ duplex: 'half' } as object),
    })
  const chunks = () =>
    new ReadableStream({
      start(controller) {
        for (let i = 0; i < 16; i++) controller.enqueue(Buffer.alloc(MB))
        controller.close()
      },
    })
  for (let i = 0; i < 2; i++) {
    for (const body of [Buffer.alloc(1.1 * MB), Buffer.alloc(16 * MB), chunks()]) {
      const response = await send(body)
      t.equal(response.status, 413)
      t.match(await response.text(), /too large/)
    }
  }
  t.equal(await (await send(Buffer.alloc(MB))).text(), `took ${MB} bytes`)
})

t.test('a small body after a rejection keeps the connection for the next request', async t => {
  const { sockets, port } = await serve(t)
  const client = await rawClient(t, port, `${head('/refused', 'Content-Length: 4')}body`)
  t.match(await client.until(/no credential/), /connection: keep-alive/i)
  client.socket.write(`${head('/taken', 'Content-Length: 4')}body`)
  t.match(await client.until(/took/), /took 4 bytes/)
  t.equal(sockets.length, 1)
})

t.test('a client that waits for 100 Continue gets a rejection without it', async t => {
  const { port } = await serve(t)
  const expect = ['Content-Length: 4', 'Expect: 100-continue']
  const refused = await rawClient(t, port, head('/refused', ...expect))
  t.match(await refused.until(/no credential/), /^HTTP\/1\.1 401 [\s\S]*connection: close/i)
  refused.socket.end()
  await refused.closed()

  const taken = await rawClient(t, port, head('/taken', ...expect))
  t.match(await taken.until(/\r\n\r\n/), /^HTTP\/1\.1 100 Continue\r\n\r\n$/)
  taken.socket.write('body')
  t.match(await taken.until(/took/), /HTTP\/1\.1 200 [\s\S]*took 4 bytes/)

  const large = await rawClient(t, port, head('/taken', `Content-Length: ${2 * MB}`, 'Expect: 100-continue'))
  t.match(await large.until(/too large/), /^HTTP\/1\.1 413 /)
})

t.test('no request starts after the last response of a connection', async t => {
  const { begun, port } = await serve(t)
  const body = 'x'.repeat(LINGER.smallBody + 1)
  const refused = `${head('/refused', `Content-Length: ${body.length}`)}${body}`
  const client = await rawClient(t, port, `${refused}${head('/taken', 'Content-Length: 4')}body`)
  const answers = await client.closed()
  t.match(answers, /no credential/)
  t.equal(begun(), 0)
})

t.test('a client that sends much data that is not HTTP can read the error', async t => {
  const { sockets, port } = await serve(t)
  const client = await rawClient(t, port)
  client.socket.pause()
  await flood(client, 1.5 * MB)
  client.socket.end()
  client.socket.resume()
  t.match(await client.closed(), /^HTTP\/1\.1 400 [\s\S]*not a well-formed HTTP/)
  await until(() => sockets[0]?.destroyed === true)
})

t.test('every rejection that leaves a body unread closes its connection', async t => {
  const { app, directory } = await build(t)
  const { key } = await (await (await directory.org()).member('owner')).key()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const host = `Host: 127.0.0.1:${port}`
  const length = 'Content-Length: 99999999'
  for (const [line, headers, status] of [
    ['POST /mcp', [host], 401],
    ['POST /mcp', ['Host: evil.example'], 403],
    ['POST /nowhere', [host], 404],
    ['PUT /mcp', [host], 405],
    ['POST /mcp', [host, `x-api-key: ${key}`], 413],
    ['POST /connectors/org', [host, `x-api-key: ${key}`, 'Content-Type: text/csv'], 415],
    ['GET /health', [host], 200],
    ['POST /%', [host], 400],
  ] as const) {
    const client = await rawClient(t, port, [`${line} HTTP/1.1`, ...headers, length, '', 'x'].join('\r\n'))
    const answer = await client.closed()
    t.match(answer, new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*connection: close`, 'i'), `${line} ${status}`)
  }
})
