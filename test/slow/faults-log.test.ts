import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { testDataDir } from '../fixtures/database.ts'
import { createFifo } from '../fixtures/fifo.ts'
import { freePort } from '../fixtures/free-port.ts'
import { eventually, until } from '../fixtures/until.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Enough requests to fill a pipe or a socket with log lines. */
const MANY_REQUESTS = 3_000

/** Starts a gateway with this standard output. Outside development, it writes only its log there. */
async function start(t: Test, stdout: 'pipe' | number, command = 'exec node --liftoff-only server.ts') {
  const port = await freePort()
  const secret = () => randomBytes(32).toString('base64')
  const child = spawn('sh', ['-c', command], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      GATEWAY_ENV: 'staging',
      DASHBOARD: 'off',
      DRAIN_DELAY_SECONDS: '0',
      DATA_DIR: await testDataDir(t),
      PORT: String(port),
      PUBLIC_ORIGINS: `http://127.0.0.1:${port}`,
      API_KEY_PEPPERS: `p1:${secret()}`,
      VAULT_KEYS: `v1:${secret()}`,
    },
    stdio: ['ignore', stdout, 'pipe'],
  })
  if (typeof stdout === 'number') closeSync(stdout)
  t.teardown(() => void child.kill('SIGKILL'))
  let errors = ''
  child.stderr?.on('data', chunk => {
    errors += chunk
  })
  const health = (query = '') =>
    fetch(`http://127.0.0.1:${port}/health${query}`, { signal: AbortSignal.timeout(15_000) })
  const ready = async () => {
    const response = await health('?ready')
    const { checks } = (await response.json()) as { checks?: { log: string; lost_log_lines: number } }
    return { status: response.status, checks }
  }
  // A busy machine may take long. The time limit of the test file bounds the wait.
  const serves = () =>
    health().then(
      ({ ok }) => ok || child.exitCode !== null,
      () => child.exitCode !== null,
    )
  await until(serves)
  if (child.exitCode !== null) throw new Error(`The gateway ended with ${child.exitCode}: ${errors}`)

  return {
    child,
    errors: () => errors,
    ready,
    /** Sends this many requests, which the gateway logs. */
    async request(count: number) {
      let left = count
      const client = async () => {
        while (left-- > 0) await (await health()).arrayBuffer()
      }
      await Promise.all(Array.from({ length: 20 }, client))
    },
    /** Resolves when readiness reports this state of the log. */
    reports: (log: 'ok' | 'failing') =>
      eventually(async () => {
        const answer = await ready()
        if (answer.checks?.log !== log) throw new Error(JSON.stringify(answer))
        return answer
      }),
    /** Sends SIGTERM; resolves with the exit code, or with `never` after 15 s. */
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      const timeout = once(AbortSignal.timeout(15_000), 'abort').then(() => ['never'])
      const [code] = await Promise.race([exited, timeout])
      return code
    },
  }
}

/** Checks that a gateway with a failed log still serves, reports the failure and stops. */
async function staysUp(t: Test, gateway: Awaited<ReturnType<typeof start>>, reason: string) {
  t.match(await gateway.reports('failing'), {
    status: 200,
    checks: { database: 'ok', log: 'failing', lost_log_lines: Number },
  })
  await gateway.request(100)
  t.equal(
    gateway.errors().split(`The log cannot be written to standard output (${reason})`).length,
    2,
    'the failure is reported once',
  )
  t.equal(await gateway.stop(), 0)
  t.match(gateway.errors(), /\n\d+ log lines were lost since the start, \d+ of them at the exit\.\n$/)
}

t.test('the reader of the log is gone: while lines are pending in a pipe', async t => {
  const fifo = createFifo(t)
  const gateway = await start(t, fifo.openWriter())
  await gateway.request(MANY_REQUESTS)
  fifo.closeReader()
  await staysUp(t, gateway, 'EPIPE')
})

t.test('the reader of the log is gone: while lines are pending in a socket', async t => {
  const gateway = await start(t, 'pipe')
  await gateway.request(MANY_REQUESTS)
  gateway.child.stdout?.destroy()
  await staysUp(t, gateway, 'EPIPE')
})

t.test('the reader of the log is gone: and the reader of standard error too', async t => {
  const gateway = await start(t, 'pipe')
  gateway.child.stderr?.destroy()
  gateway.child.stdout?.destroy()
  t.match(await gateway.reports('failing'), { status: 200 })
  await gateway.request(100)
  t.equal(await gateway.stop(), 0)
})

t.test('the reader of the log is too slow: the gateway does not wait for it, not even when it exits', async t => {
  for (const stdout of ['pipe', createFifo(t).openWriter()] as const) {
    const gateway = await start(t, stdout)
    await gateway.request(MANY_REQUESTS)
    t.match(await gateway.ready(), { status: 200, checks: { log: 'ok', lost_log_lines: 0 } })
    t.equal(await gateway.stop(), 0)
    t.match(gateway.errors(), /^\d+ log lines were lost since the start, \d+ of them at the exit\.\n$/)
  }
})

const disk = mountSmallDisk(t, '1m')
t.test(
  'the disk of the log is full: the gateway serves, and logs every line when there is space',
  { skip: disk === undefined && 'needs the permission to mount a file system' },
  async t => {
    const { directory, fill } = disk as SmallDisk
    const path = join(directory, 'log')
    const gateway = await start(t, openSync(path, 'a'))
    const makeRoom = fill()
    const before = lines(path)
    await gateway.request(200)
    t.match(await gateway.reports('failing'), { status: 200, checks: { lost_log_lines: 0 } })
    t.match(gateway.errors(), 'The log cannot be written to standard output (ENOSPC)')

    makeRoom()
    t.match(await gateway.reports('ok'), { status: 200, checks: { lost_log_lines: 0 } })
    t.equal(await gateway.stop(), 0)
    t.match(gateway.errors(), 'The log is written again. 0 lines were lost since the start.')
    t.ok(lines(path) >= before + 200)
  },
)

t.test('the disk of the log is full: a process that can never log serves and stops', async t => {
  await staysUp(t, await start(t, openSync('/dev/full', 'w')), 'ENOSPC')
})

t.test(
  'the disk of the log is full: on the first start, stderr names the command that creates another key',
  async t => {
    const command = 'GATEWAY_ENV=development exec node --liftoff-only server.ts'
    const gateway = await start(t, openSync('/dev/full', 'w'), command)
    await until(() =>
      /was not shown\. Create another key: .*key create --org org_\w+ --user usr_/.test(gateway.errors()),
    )
    t.pass('stderr names the command')
  },
)

t.test('standard output is closed at the start: the gateway serves and stops', async t => {
  const gateway = await start(t, 'pipe', 'exec node --liftoff-only server.ts >&-')
  await gateway.request(100)
  // Node.js opens /dev/null in its place.
  t.match(await gateway.ready(), { status: 200, checks: { log: 'ok', lost_log_lines: 0 } })
  t.equal(await gateway.stop(), 0)
  t.equal(gateway.errors(), '')
})

t.test('standard output is closed at the start: a read-only standard output is reported', async t => {
  await staysUp(t, await start(t, 'pipe', 'exec node --liftoff-only server.ts 1</dev/null'), 'EBADF')
})

/** Parses the log, so that a torn line fails the test. */
function lines(path: string): number {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line)).length
}
