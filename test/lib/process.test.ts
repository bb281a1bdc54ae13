import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { ConfigurationError } from '../../lib/configuration/variable.ts'
import { createScrubber } from '../../lib/logging/scrub.ts'
import { explainFailure, runProcess } from '../../lib/process/run-process.ts'
import { configuredSecrets } from '../../services/settings/settings.ts'
import { testSettings } from '../fixtures/settings.ts'

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
      configuredSecrets,
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
      configuredSecrets,
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
    'DATABASE_URL: permission denied for table api_keys. Grant its role what docs/deployment.md lists under "Rights".',
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
      configuredSecrets,
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

/** The first Node.js of this machine that is too old; undefined if there is none. */
function olderNode(): string | undefined {
  const paths = (process.env.PATH ?? '').split(delimiter).map(folder => join(folder, 'node'))
  return paths.find(path => {
    if (!existsSync(path)) return false
    const [, major] = /^v(\d+)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' })) ?? []
    return Number(major) < 22
  })
}

t.test('on an older Node.js, an entry point of the build prints one sentence', async t => {
  const older = olderNode()
  if (older === undefined) return void t.pass('skipped: no Node.js below 22 is on the PATH')
  const code = (path: string) =>
    stripTypeScriptTypes(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')).replaceAll(".ts'", ".js'")
  for (const name of ['server', 'cli']) {
    const built = t.testdir({
      'package.json': '{"type":"module"}',
      [`${name}.js`]: code(`${name}.ts`),
      [`run-${name}.js`]: "import about from './package.json' with { kind: syntax that it lacks }",
      lib: { process: { 'require-node.js': code('lib/process/require-node.ts') } },
    })
    const failed = await run(older, [join(built, `${name}.js`)]).catch(error => error)
    t.match(failed, { code: 1, stderr: /^This needs Node\.js [\d.]+ or newer, and is running on \d[^\n]*\n$/ }, name)
  }
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
    const imported = readFileSync(root(file), 'utf8').match(/^(?:import|export) .*$/gm)
    t.same(imported, ["import './lib/process/require-node.ts'"], `${file} has no other static import`)
    const message = `This needs Node.js ${required} or newer, and is running on 20.20.2.`
    t.ok((await on('20.20.2', file)).startsWith(message), file)
  }
  t.match(await on('22.18.9', 'server.ts'), 'is running on 22.18.9')
  for (const version of [required, `${required}.0`, '23.0.0'])
    t.match(await on(version, 'server.ts'), /^API_KEY_PEPPERS /, version)
})
