import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t, { type Test } from 'tap'
import { mintApiKey } from '../../plugins/identity/key-format.ts'
import { build } from '../build.ts'

/** Milliseconds that a look-up of a key may take (decisions.md, key cache). */
const DEADLINE = 1_500

/** A random key that nobody has. */
const unknown = () => mintApiKey('development')

/** The same with a character of its checksum changed: told from a key without a look-up. */
const mistyped = () => unknown().replace(/.$/, last => (last === '0' ? '1' : '0'))

/** Counts the queries for keys from here on. */
function countLookups(t: Test): () => number {
  let count = 0
  const listener = (event: unknown) => {
    if (/from "api_keys"/.test((event as { sql: string }).sql)) count++
  }
  subscribe('connector-gateway:query', listener)
  t.teardown(() => unsubscribe('connector-gateway:query', listener))
  return () => count
}

/** Does something with each of `count` items, `width` at a time. */
async function flood(count: number, width: number, work: (i: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

/** Bytes of the heap that are in use once what is garbage is gone. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

t.test('100,000 random keys do not grow the process, nor keep out who has a good one', async t => {
  const { services, directory } = await build(t)
  const { apiKeys } = services.identity
  const member = await (await directory.org()).member()
  const good = await Promise.all(Array.from({ length: 20 }, async () => (await member.key()).key))

  await t.test('no look-up for 50,000 with a bad checksum', async t => {
    const lookups = countLookups(t)
    for (let i = 0; i < 50_000; i++) if ((await apiKeys.verify(mistyped())) !== undefined) t.fail('let in')
    t.equal(lookups(), 0)
    t.equal(apiKeys.cacheSize, 0, 'and nothing kept of them')
  })

  await t.test('50,000 with a good one leave a bounded trace, while keys never seen before get in', async t => {
    const lookups = countLookups(t)
    const waits: number[] = []
    const half = () =>
      flood(25_000, 1_000, async i => {
        if (i % 2_500 === 2_000) {
          const started = performance.now()
          const owner = await apiKeys.verify(good.pop() ?? '')
          waits.push(performance.now() - started)
          if (owner?.userId !== member.userId) t.fail('a good key was refused')
        } else if ((await apiKeys.verify(unknown())) !== undefined) t.fail('let in')
      })

    await half()
    const before = heapInUse()
    await half()
    const grown = (heapInUse() - before) / 1024 / 1024

    t.equal(waits.length, 20)
    t.ok(Math.max(...waits) < DEADLINE, `the longest wait was ${Math.round(Math.max(...waits))} ms`)
    t.ok(apiKeys.cacheSize <= 10_020, `${apiKeys.cacheSize} entries`)
    t.ok(grown < 8, `${grown.toFixed(1)} MB more heap`)
    t.ok(lookups() > 0 && lookups() <= 2_500, `${lookups()} queries: they travel in batches`)
  })
})

t.test('a flood of random keys over HTTP is answered 401 invalid_api_key throughout, and a good key 200', async t => {
  const { app, services, directory } = await build(t)
  const member = await (await directory.org()).member()
  const good = await Promise.all(Array.from({ length: 10 }, async () => (await member.key()).key))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/mcp`
  const ping = async (key: string) => {
    const started = performance.now()
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'x-api-key': key,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    })
    const { error } = (await response.json()) as { error?: { code: string } }
    return { answer: `${response.status} ${error?.code ?? 'result'}`, ms: performance.now() - started }
  }

  const refused = new Map<string, number>()
  const waits: number[] = []
  await flood(4_000, 64, async i => {
    if (i % 400 === 200) {
      const { answer, ms } = await ping(good.pop() ?? '')
      t.equal(answer, '200 result')
      waits.push(ms)
      return
    }
    const { answer } = await ping(i % 2 === 0 ? unknown() : mistyped())
    refused.set(answer, (refused.get(answer) ?? 0) + 1)
  })

  t.strictSame([...refused], [['401 invalid_api_key', 3_990]])
  t.ok(Math.max(...waits) < DEADLINE, `the longest wait was ${Math.round(Math.max(...waits))} ms`)
  t.ok(services.identity.apiKeys.cacheSize <= 2_010)
})
