// Starts dist/ the way the image does: on its production dependencies alone, as production, on an embedded database.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const home = mkdtempSync(join(tmpdir(), 'gateway-smoke-'))
const about = JSON.parse(readFileSync('package.json', 'utf8'))
const secret = () => `smoke:${randomBytes(32).toString('base64')}`

try {
  for (const part of ['dist', 'package.json', 'package-lock.json']) cpSync(part, join(home, part), { recursive: true })
  run('npm', ['ci', '--omit=dev', '--ignore-scripts'])
  // The image removes files that nothing should load.
  const [, removed = ''] =
    /npm cache clean --force \\\n {2}&& (.+?[^\\])\n/s.exec(readFileSync('Dockerfile', 'utf8')) ?? []
  check(removed.startsWith('find node_modules '), 'what the image removes')
  run('sh', ['-c', removed])

  const PORT = String(await freePort())
  const base = `http://127.0.0.1:${PORT}`
  const dashboard = `http://127.0.0.1:${await freePort()}`
  const env = { GATEWAY_ENV: 'production', PORT, DATA_DIR: join(home, 'data'), GATEWAY_COMMIT: 'smoke' }
  const secrets = { API_KEY_PEPPERS: secret(), VAULT_KEYS: secret() }
  const complete = { ...env, ...secrets, PUBLIC_ORIGINS: base, DASHBOARD_URL: dashboard }

  const refused = spawnSync(process.execPath, ['dist/server.js'], { cwd: home, env, encoding: 'utf8', timeout: 30_000 })
  check(
    refused.status === 1 &&
      /^(?:(?:PUBLIC_ORIGINS|API_KEY_PEPPERS|VAULT_KEYS) must be set .+\n){3}$/.test(refused.stderr),
    'a start without PUBLIC_ORIGINS and secrets',
  )

  const began = performance.now()
  const server = spawn(process.execPath, ['--max-semi-space-size=4', 'dist/server.js'], {
    cwd: home,
    env: complete,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const exit = once(server, 'exit')
  try {
    const health = await answers(`${base}/health`, server)
    check(health.status === 200, 'GET /health')
    console.log(`dist answered after ${Math.round(performance.now() - began)} ms`)
    const version = await (await fetch(`${base}/version`)).json()
    check(version.version === about.version && version.commit === 'smoke', 'GET /version')
    const refusedCall = await fetch(`${base}/mcp`, { method: 'POST' })
    check(refusedCall.status === 401, 'POST /mcp without a credential')
    const page = await fetch(dashboard)
    const [script = ''] = /\/assets\/[\w-]+\.js/.exec(await page.text()) ?? []
    const asset = await fetch(dashboard + script)
    check(page.status === 200 && asset.headers.get('content-type')?.startsWith('text/javascript'), 'the dashboard')
    server.kill('SIGTERM')
    const killer = setTimeout(() => server.kill('SIGKILL'), 35_000)
    const [code, signal] = await exit
    clearTimeout(killer)
    check(code === 0, `the exit after SIGTERM (${code ?? signal})`)
  } finally {
    server.kill('SIGKILL')
  }
  console.log('dist starts, answers and stops')
} finally {
  rmSync(home, { recursive: true, force: true })
}

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: home, stdio: 'inherit' })
  check(status === 0, `${command} ${args.join(' ')}`)
}

function check(right, what) {
  if (!right) throw new Error(`dist fails: ${what}`)
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

async function answers(url, server) {
  // A busy machine needs more than half a minute for a first start on the embedded database.
  for (const until = performance.now() + 180_000; performance.now() < until; await wait(50)) {
    check(server.exitCode === null, `the process ended with ${server.exitCode}`)
    const response = await fetch(url).catch(() => undefined)
    if (response !== undefined) return response
  }
  throw new Error(`dist fails: ${url} does not answer`)
}
