import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { faultProxy } from './fixtures/fault-proxy.ts'
import { until } from './fixtures/until.ts'

/** Starts a server that prefixes each answer with its name. Returns its URL. */
async function echoServer(t: Test, name: string): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', chunk => socket.write(`${name}:${chunk}`))
  })
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function open(t: Test, url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  socket.on('error', () => {})
  return {
    /** Sends a text and reads `length` bytes. Returns them, the number of pieces, and the duration in milliseconds. */
    async ask(text: string, length: number) {
      const started = performance.now()
      const pieces: string[] = []
      const take = (chunk: Buffer) => pieces.push(chunk.toString())
      socket.on('data', take)
      socket.write(text)
      while (pieces.join('').length < length) await once(socket, 'data')
      socket.off('data', take)
      return { answer: pieces.join(''), pieces: pieces.length, ms: performance.now() - started }
    },
    ended: new Promise<string>(resolve => {
      socket.once('error', error => resolve((error as NodeJS.ErrnoException).code ?? ''))
      socket.once('end', () => resolve('end'))
    }),
    end: () => socket.end(),
  }
}

t.test('bytes and ends of connections pass both ways without a fault', async t => {
  const proxy = await faultProxy(t, await echoServer(t, 'a'))
  const client = await open(t, proxy.url)
  t.equal((await client.ask('one', 5)).answer, 'a:one')
  t.equal(proxy.connections, 1)
  client.end()
  t.equal(await client.ended, 'end')
  await until(() => proxy.connections === 0)
})

t.test('`down` resets and refuses connections until it is healed on the same port', async t => {
  const proxy = await faultProxy(t, await echoServer(t, 'a'))
  const client = await open(t, proxy.url)
  await client.ask('one', 5)
  await proxy.down()
  t.equal(await client.ended, 'ECONNRESET')
  await t.rejects(open(t, proxy.url), { code: 'ECONNREFUSED' })
  await proxy.heal()
  t.equal((await (await open(t, proxy.url)).ask('two', 5)).answer, 'a:two')
})

t.test('`reset` ends open connections and accepts new ones', async t => {
  const proxy = await faultProxy(t, await echoServer(t, 'a'))
  const client = await open(t, proxy.url)
  await client.ask('one', 5)
  proxy.reset()
  t.equal(await client.ended, 'ECONNRESET')
  t.equal((await (await open(t, proxy.url)).ask('two', 5)).answer, 'a:two')
})

t.test('a black hole passes and closes nothing, and its connections stay dead', async t => {
  const proxy = await faultProxy(t, await echoServer(t, 'a'))
  const old = await open(t, proxy.url)
  await old.ask('one', 5)
  proxy.blackhole()
  const young = await open(t, proxy.url)
  const silent = async (client: typeof old) =>
    (await Promise.race([client.ask('x', 1), client.ended, delay(100, 'silence')])) as unknown
  t.same(await Promise.all([silent(old), silent(young)]), ['silence', 'silence'])
  await proxy.heal()
  t.equal(await silent(old), 'silence')
  t.equal((await (await open(t, proxy.url)).ask('two', 5)).answer, 'a:two')
})

t.test('latency delays both directions, without changing bytes or their order', async t => {
  const proxy = await faultProxy(t, await echoServer(t, 'a'))
  const client = await open(t, proxy.url)
  proxy.latency(500)
  const { answer, ms } = await client.ask('one', 5)
  t.equal(answer, 'a:one')
  // A timer may fire a millisecond early.
  t.ok(ms >= 998, `${ms} ms`)
  await proxy.heal()
  t.ok((await client.ask('two', 5)).ms < 500)
})

t.test('slices arrive one by one, and complete', async t => {
  const proxy = await faultProxy(t, await echoServer(t, 'a'))
  const client = await open(t, proxy.url)
  proxy.slice(4, 10)
  // The server adds its name to each received piece.
  const { answer, pieces } = await client.ask('0123456789', 16)
  t.equal(answer.replaceAll('a:', ''), '0123456789')
  t.ok(pieces >= 4, `${pieces} pieces`)
})

t.test('a new target applies to new connections', async t => {
  const proxy = await faultProxy(t, await echoServer(t, 'a'))
  const old = await open(t, proxy.url)
  await old.ask('one', 5)
  proxy.retarget(await echoServer(t, 'b'))
  t.equal((await (await open(t, proxy.url)).ask('two', 5)).answer, 'b:two')
  t.equal((await old.ask('two', 5)).answer, 'a:two')
})
