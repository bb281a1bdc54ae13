import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

/** An environment with these settings and none of the machine's. */
const environment = (settings: Record<string, string>) => ({ PATH: process.env.PATH ?? '', ...settings })

/** Starts server.ts and resolves with its URL once it listens. */
async function start(t: Test, settings: Record<string, string>) {
  const child = spawn(process.execPath, ['server.ts'], { cwd: root, env: environment({ PORT: '0', ...settings }) })
  t.teardown(() => void child.kill('SIGKILL'))
  let output = ''
  const listening = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', chunk => {
      output += chunk
      const url = /listening at (http:\/\/[\d.:]+)/.exec(output)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.once('exit', () => reject(new Error(output)))
  })
  return { child, url: await listening, output: () => output }
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

t.test('a first start prints a key that works, and what was remembered outlives the process', async t => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'cgw-'))
  t.teardown(() => rmSync(DATA_DIR, { recursive: true }))
  const first = await start(t, { DATA_DIR })
  const key = /cgw_dev_\w+/.exec(first.output())?.[0] ?? ''
  t.match(await call(first.url, key, 'memory__remember', { memory: 'The server was here.' }), 'The server was here.')

  await t.test('the command line reaches the database through the running gateway', async t => {
    const cli = (...args: string[]) =>
      run(process.execPath, ['cli.ts', ...args, '--json'], { cwd: root, env: environment({ DATA_DIR }) })
    const org = JSON.parse((await cli('org', 'create', '--name', 'Second')).stdout)
    const user = JSON.parse(
      (await cli('user', 'create', '--org', org.id, '--email', 'ada@example.test', '--role', 'owner')).stdout,
    )
    const made = JSON.parse((await cli('key', 'create', '--org', org.id, '--user', user.id)).stdout)
    t.match(await call(first.url, made.key, 'memory__search_memory', { query: 'server' }), 'No memory has these words')
    await t.rejects(cli('key', 'revoke', 'key_0'), { code: 1, stdout: '', stderr: 'There is no key key_0.\n' })
  })

  t.equal(await stop(first.child), 0)
  const log = first
    .output()
    .split('\n')
    .filter(line => line.startsWith('{"level"'))
  t.ok(
    log.some(line => line.includes('"msg":"request"')),
    'requests were logged',
  )
  t.notMatch(log.join(), key, 'and no line holds the key')

  const second = await start(t, { DATA_DIR })
  t.notMatch(second.output(), 'cgw_dev_', 'only the first start makes a key')
  t.match(await call(second.url, key, 'memory__search_memory', { query: 'server' }), 'The server was here.')
  t.equal(await stop(second.child), 0)
})

t.test('a start that cannot be is one line that names the variable, and exit 1', async t => {
  for (const [settings, line] of [
    [{ PORT: 'http' }, /^PORT must be .*\n$/],
    [{ GATEWAY_ENV: 'production' }, /^PUBLIC_ORIGINS must be set outside development.*\n$/],
    [{ HOST: '0.0.0.0' }, /^HOST must be a loopback address in development.*\n$/],
  ] as const) {
    const started = run(process.execPath, ['server.ts'], { cwd: root, env: environment({ ...settings }) })
    await t.rejects(started, { code: 1, stdout: '', stderr: line })
  }
})
