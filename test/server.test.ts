import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { testDatabaseUrl, testPostgres } from './fixtures/database.ts'
import { freePort } from './fixtures/free-port.ts'
import { oauth1Server } from './fixtures/oauth1-server.ts'
import { until } from './fixtures/until.ts'

// Embedded database: the server opens and locks its directory.

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

/** Returns an environment with only these settings. The port of the dashboard must be free, so most tests have none. */
const environment = (settings: Record<string, string>) => ({
  PATH: process.env.PATH ?? '',
  DASHBOARD: 'off',
  ...settings,
})

/** Runs an entry point without optimized machine code of PostgreSQL, because it ends before the optimization pays off. */
function node(t: Test, settings: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, ['--liftoff-only', ...args], { cwd: root, env: environment(settings) })
  t.teardown(() => void child.kill('SIGKILL'))
  return child
}

/** Resolves with the first match in a process's output. Rejects if the process exits first. */
function printed(child: ChildProcess, stream: 'stdout' | 'stderr', pattern: RegExp): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    child[stream]?.on('data', chunk => {
      output += chunk
      const [match] = pattern.exec(output) ?? []
      if (match !== undefined) resolve(match)
    })
    child.once('exit', () => reject(new Error(`The process exited with the output ${output}`)))
  })
}

/** Starts server.ts and resolves with its URL once it listens. */
async function start(t: Test, settings: Record<string, string>) {
  const child = node(t, { PORT: '0', ...settings }, 'server.ts')
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  const line = await printed(child, 'stdout', /listening at http:\/\/[\d.:]+/)
  return { child, url: line.slice(line.indexOf('http')), output: () => output }
}

/** A test double of Trello, and the settings of a gateway that uses it. */
async function trelloDouble(t: Test) {
  const trello = await oauth1Server(t, { now: Date.now })
  const { consumer, origin } = trello
  const settings = {
    EGRESS_ALLOW_LOOPBACK: 'true',
    OAUTH_CLIENTS: JSON.stringify({ trello: { client_id: consumer.key, client_secret: consumer.secret } }),
    CONNECTOR_OVERRIDES: JSON.stringify({
      trello: {
        base_url: origin,
        request_token_url: `${origin}/request`,
        authorization_url: `${origin}/authorize`,
        access_token_url: `${origin}/access`,
      },
    }),
  }
  return { trello, settings }
}

async function call(url: string, key: string, name: string, args: object) {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })
  return JSON.stringify(await response.json())
}

async function stop(child: ChildProcess) {
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  return code
}

t.test('the first start prints a working key, and memories survive a restart', async t => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'cgw-'))
  t.teardown(() => rmSync(DATA_DIR, { recursive: true }))
  const { trello, settings } = await trelloDouble(t)
  const first = await start(t, { DATA_DIR, ...settings })
  const key = /cgw_dev_\w+/.exec(first.output())?.[0] ?? ''
  t.match(await call(first.url, key, 'memory__remember', { memory: 'The server was here.' }), 'The server was here.')

  const command = (line: string) => node(t, { DATA_DIR }, 'cli.ts', ...line.split(' '), '--json')
  async function answer(line: string) {
    const child = command(line)
    const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    if (code !== 0) throw Object.assign(new Error(errors), { code, output })
    return JSON.parse(output)
  }
  // The message says how to create another key.
  const [again = '', org = '', user = ''] = /key create --org (\w+) --user (\w+)/.exec(first.output()) ?? []

  await t.test('the command line reaches the database through the running gateway', async t => {
    const made = await answer(again)
    t.not(made.key, key)
    t.match(await call(first.url, made.key, 'memory__search_memory', { query: 'server' }), 'The server was here.')
    await t.rejects(answer('key revoke key_0'), { code: 1, output: '', message: 'There is no key key_0.\n' })
  })

  await t.test('an account is connected from the command line while the gateway runs', async t => {
    const owner = `--org ${org} --user ${user} --connector trello`
    const connecting = command(`account connect ${owner} --alias boards`)
    const [told, url] = [text(connecting.stdout), await printed(connecting, 'stderr', /http\S+authorize\S+/)]
    const page = await fetch(await trello.visit(url))
    t.match(await page.text(), 'The account is connected')
    const account = JSON.parse(await told)
    t.match(account, { id: /^acc_/, connector: 'trello', alias: 'boards', identity: 'Ada (@ada)', status: 'connected' })

    // Ctrl-C ends the command with one line and without a change.
    const given = command(`account connect ${owner}`)
    const errors = text(given.stderr)
    await printed(given, 'stderr', /http\S+authorize\S+/)
    given.kill('SIGINT')
    const [code] = await once(given, 'exit')
    t.equal(code, 1)
    t.match(await errors, /\nInterrupted. Nothing was connected.\n$/)
    const { accounts } = await answer(`account list --org ${org}`)
    t.match(accounts, [{ id: account.id, auth_kind: 'oauth1a' }])
    t.equal(accounts.length, 1)
  })

  t.equal(await stop(first.child), 0)
  t.match(first.output(), /\nStopped\.\n$/, 'a stop ends with one line')
  const log = first
    .output()
    .split('\n')
    .filter(line => line.startsWith('{"level"'))
  t.ok(
    log.some(line => line.includes('"msg":"request"')),
    'requests were logged',
  )
  t.notMatch(log.join(), key, 'the log does not contain the key')

  const second = await start(t, { DATA_DIR, ...settings })
  await until(() => second.output().includes('1 organization, 2 keys · sign-in not configured'))
  t.notMatch(second.output(), 'cgw_dev_', 'only the first start creates a key')
  t.match(await call(second.url, key, 'memory__search_memory', { query: 'server' }), 'The server was here.')
  t.equal(await stop(second.child), 0)
})

t.test('the first start ends with a link that signs the owner in to the dashboard, once', async t => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'cgw-'))
  t.teardown(() => rmSync(DATA_DIR, { recursive: true }))
  const DASHBOARD_PORT = String(await freePort())
  const origin = `http://127.0.0.1:${DASHBOARD_PORT}`
  const { child, output } = await start(t, { DATA_DIR, DASHBOARD: 'on', DASHBOARD_PORT })
  await until(() => /works once.+\n.+#cgw_signin_\w+\n\n$/.test(output()))
  const token = /#(cgw_signin_\w+)/.exec(output())?.[1] ?? ''
  t.match(output(), `${origin}/sign-in#${token}`)

  const built = existsSync(join(root, 'dist/dashboard/index.html'))
  const shell = await fetch(`${origin}/sign-in`)
  t.equal(shell.status, built ? 200 : 503)
  t.equal(output().includes('is not built. Run: npm run build:dashboard'), !built)
  const use = () =>
    fetch(`${origin}/auth/link`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    })
  t.match(await (await use()).json(), { token: String })
  t.equal((await use()).status, 400)
  t.equal(await stop(child), 0)
})

t.test('the next command in the log of a production start runs as printed', async t => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'cgw-'))
  t.teardown(() => rmSync(DATA_DIR, { recursive: true }))
  const ring = () => `k1:${randomBytes(32).toString('base64')}`
  const shell = testDatabaseUrl === undefined ? {} : { DATABASE_URL: await testPostgres(t, testDatabaseUrl) }
  const child = node(
    t,
    {
      PORT: '0',
      GATEWAY_ENV: 'staging',
      PUBLIC_ORIGINS: 'https://gateway.example',
      DATA_DIR,
      ...shell,
      API_KEY_PEPPERS: ring(),
      VAULT_KEYS: ring(),
    },
    'server.ts',
  )
  const { next } = JSON.parse(await printed(child, 'stdout', /\{.*"next":.*\}/))
  const line = `${next['Create an organization']} --json`
  const { stdout } = await run('/bin/sh', ['-c', line], { cwd: root, env: { PATH: process.env.PATH, ...shell } })
  t.match(JSON.parse(stdout), { id: /^org_/ })
  t.equal(await stop(child), 0)
})

t.test('a taken port of the dashboard ends the start with one line that names its variable', async t => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const DASHBOARD_PORT = String((server.address() as AddressInfo).port)
  const started = run(process.execPath, ['server.ts'], {
    cwd: root,
    env: environment({ PORT: '0', DATA_DIR: t.testdir(), DASHBOARD: 'on', DASHBOARD_PORT }),
  })
  const stderr = new RegExp(
    `^Port ${DASHBOARD_PORT} of 127\\.0\\.0\\.1 is in use\\. .* set DASHBOARD_PORT to another one\\.\\n$`,
  )
  await t.rejects(started, { code: 1, stderr })
})

// The tests of loadConfig check the valid values of each variable.
t.test('a failed start prints one line that names the variable, and exits with 1', async t => {
  const started = run(process.execPath, ['server.ts'], { cwd: root, env: environment({ PORT: 'http' }) })
  await t.rejects(started, { code: 1, stdout: '', stderr: /^PORT must be .*\n$/ })
})

t.test('a start that does not reach its database says only why, not that another database is unused', async t => {
  const directory = t.testdir({ db: { PG_VERSION: '17' } })
  const DATABASE_URL = `postgres://127.0.0.1:${await freePort()}/gateway`
  const started = run(process.execPath, ['server.ts'], {
    cwd: root,
    env: environment({ DATABASE_URL, DATA_DIR: directory }),
  })
  await t.rejects(started, { code: 1, stdout: '', stderr: /^DATABASE_URL: connect ECONNREFUSED .*\n$/ })
})
