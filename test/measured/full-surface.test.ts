import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { createServices } from '../../services/create-services.ts'
import { loadConfig } from '../../services/settings/load.ts'
import { CATALOG } from '../../tools/catalog.ts'
import { silent, testDatabaseUrl, testDataDir, testPostgres } from '../fixtures/database.ts'
import { directory } from '../fixtures/directory.ts'
import { scrub } from '../fixtures/fixture.ts'
import { largeTools, storeSnapshots } from '../fixtures/full-surface.ts'
import { type GatewayProcess, startGateway } from '../slow/gateway-process.ts'
import { CALL, LIST, timeRequest } from '../slow/timed-request.ts'

const ROUNDS = 5
const ROUND_MS = 4_000
const OTHERS = 4

/** A gateway with one organization that has the largest possible surface, one without registered tools, and others. */
async function fixture(t: Test) {
  const database = testDatabaseUrl === undefined ? {} : { DATABASE_URL: await testPostgres(t, testDatabaseUrl) }
  const environment = {
    DATA_DIR: await testDataDir(t),
    ...database,
    RATE_LIMIT_MAX: '1000000',
    // startGateway reads the address from a line of this level.
    LOG_LEVEL: 'info',
  }
  const services = await createServices(loadConfig(environment), { ...CATALOG, log: silent, scrub })
  await services.database.migrate()
  const { org } = directory(services)
  const [owner, small, ...others] = await Promise.all(
    Array.from({ length: OTHERS + 2 }, async () => (await org()).member('owner')),
  )
  if (owner === undefined || small === undefined) throw new Error('no members')
  const tools = largeTools(500, Math.floor((8 * 1024 * 1024) / 2_000) - 10)
  await storeSnapshots(acrossOrgs(services.database.db), owner, { a: tools, b: tools, c: tools, d: tools })
  const keyOf = async (member: typeof owner) => (await member.key()).key
  const keys = {
    large: await keyOf(owner),
    small: await keyOf(small),
    others: await Promise.all(others.map(keyOf)),
  }
  await services.close()
  return { keys, start: () => startGateway(t, environment) }
}

/** Starts members of one organization, who list and call until stopped. Resolves with the first answer. */
async function members(t: Test, port: number, key: string) {
  const child = fork(fileURLToPath(new URL('../slow/surface-members.ts', import.meta.url)), [String(port), key])
  t.teardown(() => void child.kill('SIGKILL'))
  let answers = 0
  child.on('message', () => {
    answers++
  })
  await once(child, 'message')
  return {
    async stop() {
      child.disconnect()
      await once(child, 'exit')
      return answers
    },
  }
}

/** Measures lists and calls of the other organizations, in milliseconds. Each key sends one request at a time. */
async function latencies(port: number, keys: readonly string[]): Promise<number[]> {
  const agent = new Agent({ keepAlive: true })
  const measured: number[] = []
  const until = performance.now() + ROUND_MS
  await Promise.all(
    keys.map(async (key, i) => {
      while (performance.now() < until) {
        measured.push((await timeRequest({ agent, port, key, message: i % 2 === 0 ? LIST : CALL })).ms)
        await delay(5)
      }
    }),
  )
  agent.destroy()
  return measured
}

function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN
}

const joined = (values: readonly number[]) => values.map(value => value.toFixed(1)).join(', ')

t.test('the largest surface of one organization at most doubles the p99 of others', async t => {
  const { keys, start } = await fixture(t)
  const { port } = await start()
  await latencies(port, [...keys.others, keys.small])

  const p99Next: Record<'small' | 'large', number[]> = { small: [], large: [] }
  for (let round = 1; round <= ROUNDS; round++)
    for (const size of ['small', 'large'] as const) {
      const busy = await members(t, port, keys[size])
      p99Next[size].push(p99(await latencies(port, keys.others)))
      t.ok((await busy.stop()) > 10, `members of the ${size} organization got answers during the round`)
    }
  const ratio = Math.min(...p99Next.large) / Math.min(...p99Next.small)
  t.comment(`p99 in ms next to no registered tools: ${joined(p99Next.small)}; next to 8 MiB: ${joined(p99Next.large)}`)
  t.ok(ratio <= 2, `the best of ${ROUNDS} rounds: ${ratio.toFixed(2)} ×`)
})

t.test('the first requests for the largest list do not stall the process', async t => {
  const { keys, start } = await fixture(t)
  const stalls: Record<'call' | 'plain' | 'gzip', number[]> = { call: [], plain: [], gzip: [] }
  for (let round = 1; round <= 3; round++) {
    const gateway = await start()
    const { port } = gateway
    const agent = new Agent({ keepAlive: true })
    const [other = ''] = keys.others
    await latencies(port, keys.others)
    await health(gateway)
    for (const [name, asked] of Object.entries({
      call: { message: CALL },
      plain: { message: LIST, gzip: false },
      gzip: { message: LIST },
    })) {
      let done = false
      const answered = timeRequest({ agent, port, key: keys.large, ...asked }).finally(() => {
        done = true
      })
      let longest = 0
      while (!done) longest = Math.max(longest, await health(gateway))
      const { ms, bytes } = await answered
      t.comment(`round ${round}, ${name}: ${bytes} bytes in ${ms.toFixed(0)} ms`)
      stalls[name as keyof typeof stalls].push(longest)
    }
    await timeRequest({ agent, port, key: other, message: CALL })
    agent.destroy()
    await gateway.kill()
  }
  t.comment(
    `the longest /health, in ms: ${Object.entries(stalls)
      .map(([name, values]) => `${name} ${joined(values)}`)
      .join('; ')}`,
  )
  for (const [name, values] of Object.entries(stalls)) t.ok(Math.min(...values) < 250, `during the first ${name}`)
})

async function health({ url }: GatewayProcess): Promise<number> {
  const started = performance.now()
  await (await fetch(`${url}/health`)).arrayBuffer()
  await delay(2)
  return performance.now() - started
}
