import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { ConfigurationError } from '../../lib/configuration/variable.ts'
import { createScrubber } from '../../lib/logging/scrub.ts'
import { explainFailure, runProcess } from '../../lib/process/run-process.ts'
import { testSettings } from '../settings.ts'

const run = promisify(execFile)

t.test('warnings and uncaught errors of the process go through the log', async t => {
  const secret = randomBytes(24).toString('hex')
  const module = (path: string) => fileURLToPath(new URL(`../../lib/${path}`, import.meta.url))
  const events = {
    "process.emitWarning(new Error('postgres://a:' + secret + '@h'))": { code: 0, level: 40 },
    "setTimeout(() => { throw new Error('postgres://a:' + secret + '@h') })": { code: 1, level: 60 },
    "void Promise.reject(new Error('postgres://a:' + secret + '@h'))": { code: 1, level: 60 },
  }
  for (const [event, { code, level }] of Object.entries(events)) {
    const script = `
      import { createLogger } from '${module('logging/logger.ts')}'
      import { logProcessEvents } from '${module('process/process-events.ts')}'
      const secret = process.env.SECRET
      logProcessEvents(createLogger({ level: 'info' }), process)
      ${event}`
    const child = await new Promise<{ exit: unknown; stdout: string; stderr: string }>(resolve =>
      execFile(
        process.execPath,
        ['--input-type=module', '-e', script],
        { env: { SECRET: secret } },
        (error, stdout, stderr) => resolve({ exit: error === null ? 0 : error.code, stdout, stderr }),
      ),
    )
    t.equal(child.exit, code, event)
    t.equal(child.stderr, '')
    t.match(JSON.parse(child.stdout), { level, err: { message: 'postgres://[redacted]@h' } })
    t.notMatch(child.stdout, secret)
  }
})

t.test(
  'what a process fails with is explained on stderr, without the secrets of its settings or of their reading',
  async t => {
    const secret = randomBytes(24).toString('hex')
    const redisUrl = `redis://:${secret}@cache`
    const printed = t.capture(process.stderr, 'write', () => true)
    const lines = () => printed().map(({ args }) => String(args[0]))

    const ran = runProcess(
      () => testSettings({ redisUrl }),
      async () => {
        throw new ConfigurationError('REDIS_URL', `must not hold ${secret}`)
      },
    )
    t.equal(await ran, false)
    t.same(lines(), ['REDIS_URL must not hold [redacted].\n'], 'known by its value')

    const unread = runProcess(
      () => {
        throw new ConfigurationError('REDIS_URL', `is no URL: ${redisUrl}`)
      },
      async () => {
        t.fail('there is nothing to run with')
      },
    )
    t.equal(await unread, false)
    t.same(lines(), ['REDIS_URL is no URL: redis://[redacted]@cache.\n'], 'known by its form')
  },
)

t.test('a missing database right is explained in one line that says where the rights are listed', t => {
  const denied = Object.assign(new Error('permission denied for table api_keys'), { code: '42501' })
  t.equal(
    createScrubber().text(explainFailure(denied)),
    'DATABASE_URL: permission denied for table api_keys. Grant its role what docs/operations.md lists under "Rights".',
  )
  t.end()
})

t.test('a process that succeeds returns true and prints nothing', async t => {
  const printed = t.capture(process.stderr, 'write', () => true)
  const settings = testSettings()
  const told: unknown[] = []
  t.equal(
    await runProcess(
      () => settings,
      async given => {
        told.push(given)
      },
    ),
    true,
  )
  t.same(printed(), [])
  t.equal(told[0], settings)
})

t.test('a stop writes one line: for people what it waits for, for machines a line of the log', async t => {
  const events = fileURLToPath(new URL('../../lib/process/process-events.ts', import.meta.url))
  async function stop(inFlight: number, drainDelayMs: number, announces = true): Promise<string> {
    const script = `
      import { shutDownOnSignal } from '${events}'
      const write = (...args) => process.stdout.write(args.map(arg => JSON.stringify(arg)).join(' '))
      shutDownOnSignal({
        log: { info: write, warn: write, error: write, flush() {} },
        readiness: { drain: () => ${inFlight} },
        drainDelayMs: ${drainDelayMs},
        stopServing: async () => {},
        close: async () => {},
        ${announces ? 'announce: write,' : ''}
      })
      setInterval(() => {}, 1_000)
      process.kill(process.pid, 'SIGTERM')`
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script])
    return stdout
  }
  t.equal(await stop(0, 0), '"Stopped."')
  const end = '; at most 30 seconds. A second signal stops at once."'
  t.equal(await stop(1, 0), `"Stopping: waiting for 1 request in flight${end}`)
  t.equal(await stop(2, 100), `"Stopping: serving for 0.1 more seconds, waiting for 2 requests in flight${end}`)
  t.equal(await stop(2, 0, false), '{"signal":"SIGTERM","in_flight":2} "shutting down"')
})

t.test('an entry point says which Node.js it needs before it imports anything that fails on an older one', async t => {
  const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
  const { engines } = JSON.parse(readFileSync(root('package.json'), 'utf8'))
  const on = (version: string, file: string) => {
    const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
    const env = { ...process.env, API_KEY_PEPPERS: 'none' }
    return run(process.execPath, ['--import', `data:text/javascript,${older}`, root(file)], { env }).then(
      () => '',
      ({ stderr }: { stderr: string }) => stderr,
    )
  }
  const [, required = ''] = /^>=(.+)$/.exec(engines.node) ?? []
  for (const file of ['server.ts', 'cli.ts']) {
    t.match(readFileSync(root(file), 'utf8'), /^(#!.*\n)?import '.\/lib\/process\/require-node.ts'\n/, file)
    const message = `This needs Node.js ${required} or newer, and is running on 20.20.2.`
    t.ok((await on('20.20.2', file)).startsWith(message), file)
  }
  t.match(await on('22.18.9', 'server.ts'), 'is running on 22.18.9')
  for (const version of [required, `${required}.0`, '23.0.0'])
    t.match(await on(version, 'server.ts'), /^API_KEY_PEPPERS /, version)
})
