import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { mintApiKey } from '../../services/identity/key-format.ts'
import { build } from '../fixtures/build.ts'
import { collectGarbage } from '../fixtures/heap.ts'

/** The time limit of a key lookup, in milliseconds. */
const DEADLINE = 1_500

/** Returns a random unknown key. */
const unknown = () => mintApiKey('development')

/** Returns a key with a wrong checksum, which the gateway rejects without a lookup. */
const mistyped = () => unknown().replace(/.$/, last => (last === '0' ? '1' : '0'))

/** The address of the flood's i-th request, one of twenty. */
const address = (i: number) => `192.0.2.${i % 20}`

/** Counts the queries for keys from now on. */
function countLookups(t: Test): () => number {
  let count = 0
  const listener = (event: unknown) => {
    if (/from "api_keys"/.test((event as { sql: string }).sql)) count++
  }
  subscribe('connector-gateway:query', listener)
  t.teardown(() => unsubscribe('connector-gateway:query', listener))
  return () => count
}

/** Runs `work` for each index below `count`, `width` at a time. */
async function flood(count: number, width: number, work: (i: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

/** Returns the used bytes of the heap after a garbage collection. */
async function heapInUse(): Promise<number> {
  await collectGarbage()
  return process.memoryUsage().heapUsed
}

t.test('100,000 random keys do not grow the heap and do not block callers with a valid key', async t => {
  const { services, directory } = await build(t)
  const { apiKeys } = services.identity
  const member = await (await directory.org()).member()
  const good = await Promise.all(Array.from({ length: 20 }, async () => (await member.key()).key))

  await t.test('50,000 keys with a wrong checksum cause no lookup', async t => {
    const lookups = countLookups(t)
    for (let i = 0; i < 50_000; i++)
      if ((await apiKeys.verify(mistyped(), address(i))) !== undefined) t.fail('an unknown key was accepted')
    t.equal(lookups(), 0)
    t.equal(apiKeys.cacheSize, 0, 'nothing is cached for them')
  })

  await t.test('50,000 unknown keys use bounded memory, while valid keys are accepted on their first use', async t => {
    const lookups = countLookups(t)
    const waits: number[] = []
    const half = () =>
      flood(25_000, 1_000, async i => {
        if (i % 2_500 === 2_000) {
          const started = performance.now()
          const owner = await apiKeys.verify(good.pop() ?? '', '198.51.100.1')
          waits.push(performance.now() - started)
          if (owner?.userId !== member.userId) t.fail('a valid key was rejected')
        } else if ((await apiKeys.verify(unknown(), address(i))) !== undefined) t.fail('an unknown key was accepted')
      })

    await half()
    const before = await heapInUse()
    await half()
    const grown = ((await heapInUse()) - before) / 1024 / 1024

    t.equal(waits.length, 20)
    t.ok(Math.max(...waits) < DEADLINE, `the longest wait was ${Math.round(Math.max(...waits))} ms`)
    t.ok(apiKeys.cacheSize <= 10_020, `${apiKeys.cacheSize} entries`)
    t.ok(grown < 8, `${grown.toFixed(1)} MB more heap`)
    t.ok(lookups() > 0 && lookups() <= 2_500, `${lookups()} queries, because lookups are batched`)
  })
})

interface Answer {
  /** The status, with the code of an error. */
  text: string
  retryAfter: string | undefined
  ms: number
}

/** Starts listening. Returns a function that sends a ping with a key; the agent sets the local address. */
async function listen(app: FastifyInstance) {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return (key: string, agent?: Agent): Promise<Answer> => {
    const started = performance.now()
    return new Promise((resolve, reject) => {
      const headers = {
        'x-api-key': key,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      }
      const sent = request(
        { host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers, agent },
        async response => {
          const { error } = (await json(response)) as { error?: { code: string } }
          resolve({
            text: `${response.statusCode} ${error?.code ?? 'result'}`,
            retryAfter: response.headers['retry-after'],
            ms: performance.now() - started,
          })
        },
      )
      sent.on('error', reject)
      sent.end('{"jsonrpc":"2.0","id":1,"method":"ping"}')
    })
  }
}

t.test('during a flood of random keys over HTTP, each gets 401 invalid_api_key and valid keys get 200', async t => {
  const { app, services, directory } = await build(t)
  const member = await (await directory.org()).member()
  const good = await Promise.all(Array.from({ length: 10 }, async () => (await member.key()).key))
  const ping = await listen(app)

  const refused = new Map<string, number>()
  const waits: number[] = []
  await flood(4_000, 64, async i => {
    if (i % 400 === 200) {
      const { text, ms } = await ping(good.pop() ?? '')
      t.equal(text, '200 result')
      waits.push(ms)
      return
    }
    const { text } = await ping(i % 2 === 0 ? unknown() : mistyped())
    refused.set(text, (refused.get(text) ?? 0) + 1)
  })

  t.strictSame([...refused], [['401 invalid_api_key', 3_990]])
  t.ok(Math.max(...waits) < DEADLINE, `the longest wait was ${Math.round(Math.max(...waits))} ms`)
  t.ok(services.identity.apiKeys.cacheSize <= 2_010)
})

t.test(
  'a flood on 500 connections from one address blocks neither other addresses nor known keys of the same address',
  async t => {
    const { app, services, directory, clock } = await build(t)
    const member = await (await directory.org()).member()
    const keys = await Promise.all(Array.from({ length: 14 }, async () => (await member.key()).key))
    const ping = await listen(app)
    const from = (localAddress: string) => {
      const agent = new Agent({ keepAlive: true, maxFreeSockets: 500, localAddress })
      t.teardown(() => agent.destroy())
      return agent
    }
    // All addresses of 127.0.0.0/8 belong to this machine.
    const [flooding, sameAddress, otherAddress] = [from('127.0.0.2'), from('127.0.0.2'), from('127.0.0.3')]
    const [near = '', far = '', ...unseen] = keys
    t.equal((await ping(near, sameAddress)).text, '200 result')
    t.equal((await ping(far, otherAddress)).text, '200 result')
    // Connects first: Node accepts one connection per turn of the event loop, which would delay the measured requests.
    await flood(500, 500, async () => void (await ping(unknown(), flooding)))

    const refused = new Map<string, number>()
    let over = false
    const flooded = flood(500, 500, async () => {
      while (!over) {
        const { text, retryAfter } = await ping(unknown(), flooding)
        const answer = retryAfter === undefined ? text : `${text}, retry after ${retryAfter}`
        refused.set(answer, (refused.get(answer) ?? 0) + 1)
      }
    })

    const waits: number[] = []
    const good = async (key: string, agent: Agent) => {
      const { text, ms } = await ping(key, agent)
      t.equal(text, '200 result')
      waits.push(ms)
    }
    for (const key of unseen) {
      await good(key, otherAddress)
      // Makes both cached keys due for a recheck.
      clock.advance(10_000)
      await Promise.all([good(near, sameAddress), good(far, otherAddress)])
      await delay(100)
    }
    over = true
    await flooded

    t.comment(`${[...refused].join('; ')}; the longest wait was ${Math.round(Math.max(...waits))} ms`)
    t.ok(Math.max(...waits) < DEADLINE, `the longest wait was ${Math.round(Math.max(...waits))} ms`)
    t.strictSame([...refused.keys()].sort(), ['401 invalid_api_key', '503 overloaded, retry after 1'])
    t.ok(services.identity.apiKeys.cacheSize <= 10_014)
  },
)
