import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { chromium, type Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { newKey } from '../fixtures/sample-connectors.ts'
import { contention, stopwatch } from './cpu-time.ts'
import { chromiumPath } from './page-fixture.ts'

const root = join(import.meta.dirname, '../..')
/** The budget of the whole story, in seconds on an idle machine. */
const BUDGET_S = 90
/** How much longer a first start may take with the dashboard, including the build of its page. */
const DASHBOARD_START_S = 4
/** What npm says if neither the registry nor its cache has the packages. */
const NO_REGISTRY =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTCACHED|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/

const skip = whyNot()

function whyNot(): string | false {
  if (chromiumPath === undefined) return 'no Chromium: install the package chromium'
  try {
    execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, stdio: 'ignore' })
    return false
  } catch {
    return 'no git, or not a repository: clone it'
  }
}

/** The environment of a user who has just cloned the repository: nothing of this test run, and no Node.js of its own. */
function userEnvironment(settings: Record<string, string> = {}): NodeJS.ProcessEnv {
  const ofThisRun = /^(npm_(?!config_)|npm_config_(local_prefix|node_options)|NODE_|TAP|_TAP|TEST_)/
  const own = Object.entries(process.env).filter(([name]) => !ofThisRun.test(name))
  const path = (process.env.PATH ?? '').split(':').filter(part => !part.includes('node_modules'))
  return { ...Object.fromEntries(own), PATH: path.join(':'), ...settings }
}

/** Runs npm in the clone. Rejects with all of its output if it fails. */
async function npm(args: readonly string[], cwd: string): Promise<void> {
  const child = spawn('npm', args, { cwd, env: userEnvironment() })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      output += chunk
    })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}: ${output}`)
}

/** A provider that knows one key, and finds one issue. */
async function provider(t: Test) {
  const key = newKey('ghp_')
  const server = createServer((request, response) => {
    const known = request.headers.authorization === `Bearer ${key}`
    const found = request.url?.startsWith('/search/issues') === true
    const issue = { number: 7, title: 'The engine repeats itself', state: 'open' }
    const body = found ? { total_count: 1, items: [issue] } : { id: 7, login: 'ada' }
    response.writeHead(known ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(known ? body : { message: 'Bad credentials' }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { key, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

interface Started {
  /** What the start printed. */
  output: string
  /** Seconds until the gateway answered. */
  seconds: number
  stop(): Promise<void>
}

/** `npm start` in the clone, until it has printed its last line. */
async function npmStart(t: Test, cwd: string, settings: Record<string, string>): Promise<Started> {
  const began = performance.now()
  const dataDir = mkdtempSync(join(tmpdir(), 'fresh-data-'))
  // A group of its own, because npm passes no signals on to what it starts.
  const child = spawn('npm', ['start'], {
    cwd,
    env: userEnvironment({ PORT: '0', DATA_DIR: dataDir, ...settings }),
    detached: true,
  })
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    process.kill(-(child.pid ?? 0), 'SIGTERM')
    await once(child, 'exit')
  }
  t.teardown(async () => {
    await stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const last = settings.DASHBOARD === 'off' ? /cgw_dev_\w+[\s\S]*\n/ : /\/sign-in#[\w-]+[\s\S]*\n/
  const output = await printed(child, last)
  return { output, seconds: (performance.now() - began) / 1_000, stop }
}

/** What a process has printed when it matches. Rejects if it ends before. */
function printed(child: ChildProcess, pattern: RegExp): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', chunk => {
        output += chunk
        if (pattern.test(output)) resolve(output)
      })
    child.once('exit', code => reject(new Error(`npm start ended with ${code}: ${output}`)))
  })
}

/** Signs in with the printed link, connects the account and creates a key, using only the page. Returns the key. */
async function setUpInBrowser(page: Page, link: string, providerKey: string): Promise<string> {
  await page.goto(link)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Choose a connector' }).click()
  await page
    .getByRole('link', { name: /GitHub/ })
    .first()
    .click()
  await page.getByRole('link', { name: /^Connect GitHub/ }).click()
  await page.getByText('Paste a key').click()
  await page.getByLabel('Key', { exact: true }).fill(providerKey)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText('Connected as ada.').waitFor()
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('button', { name: 'Create key' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Official client')
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  const secret = page.getByRole('dialog').getByText(/^cgw_dev_\w+$/)
  const key = (await secret.textContent()) ?? ''
  await page.getByRole('button', { name: 'Done' }).click()
  return key
}

/** Calls a tool as an official client does. Returns the text of its result. */
async function callTool(url: string, key: string): Promise<string> {
  const client = new Client({ name: 'fresh-clone', version: '1.0.0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { 'x-api-key': key } } }),
  )
  const result = await client.callTool({ name: 'github__search_issues', arguments: { query: 'is:open' } })
  await client.close()
  return JSON.stringify(result)
}

t.test('a fresh clone leads from npm ci to a call in the list of calls, within the budget', { skip }, async t => {
  const clone = mkdtempSync(join(tmpdir(), 'fresh-clone-'))
  t.teardown(() => rmSync(clone, { recursive: true, force: true }))
  const busy = contention()
  const whole = stopwatch()
  const parts: string[] = []
  async function part<T>(name: string, run: () => Promise<T>): Promise<T> {
    const watch = stopwatch()
    const result = await run()
    const { wall, cpu } = watch()
    parts.push(`${name} ${wall.toFixed(1)} s${cpu === undefined || cpu < 0.1 ? '' : ` (CPU ${cpu.toFixed(1)} s)`}`)
    return result
  }

  await part('git clone', async () => execFileSync('git', ['clone', '-q', root, clone]))
  try {
    await part('npm ci', () => npm(['ci'], clone))
  } catch (error) {
    if (!NO_REGISTRY.test(String(error))) throw error
    return void t.pass('npm reaches no registry, and its cache lacks packages', { skip: true })
  }

  const double = await provider(t)
  const settings = {
    EGRESS_ALLOW_LOOPBACK: 'true',
    CONNECTOR_OVERRIDES: JSON.stringify({ github: { base_url: double.origin } }),
  }
  const started = await part('npm start', () => npmStart(t, clone, settings))
  const link = /http:\S+\/sign-in#[\w-]+/.exec(started.output)?.[0] ?? ''
  const mcpUrl = /http:\S+\/mcp/.exec(started.output)?.[0] ?? ''
  const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] })
  t.teardown(() => browser.close())
  const page = await browser.newPage()
  const faults: string[] = []
  page.on('pageerror', error => faults.push(String(error)))
  page.on('console', message => message.type() === 'error' && faults.push(message.text()))

  const key = await part('sign in, connect, key', () => setUpInBrowser(page, link, double.key))
  const result = await part('call', () => callTool(mcpUrl, key))
  t.match(result, 'The engine repeats itself')
  await part('row', async () => {
    await page.getByRole('link', { name: 'Calls', exact: true }).click()
    await page.getByRole('row', { name: /github__search_issues.*OK/ }).waitFor()
  })
  await part('stop', async () => {
    await browser.close()
    await started.stop()
  })
  t.same(faults, [], 'the page has no error')

  const { wall, cpu } = whole()
  const load = Math.max(busy, contention())
  t.comment(
    `${parts.join(', ')}; together ${wall.toFixed(1)} s, CPU ${cpu?.toFixed(1)} s; contention ${load.toFixed(1)}`,
  )
  if (cpu !== undefined) t.ok(cpu <= BUDGET_S, `CPU ${cpu.toFixed(1)} s of ${BUDGET_S} s`)
  t.ok(
    wall <= BUDGET_S * load,
    `${wall.toFixed(1)} s of ${BUDGET_S} s, on a machine that is ${load.toFixed(1)} times slower`,
  )

  await t.test('the first start takes at most 4 s longer with the dashboard', async t => {
    // The better of two starts, if the first ones were disturbed. The page is not built, as in a fresh clone.
    let best = { on: started.seconds, off: Number.POSITIVE_INFINITY }
    let slower = load
    for (let round = 0; round < 2; round++) {
      if (round > 0) {
        if (best.on - best.off <= DASHBOARD_START_S) break
        rmSync(join(clone, 'dist'), { recursive: true, force: true })
        best = { ...best, on: Math.min(best.on, await secondsOf({ DASHBOARD: 'on' })) }
      }
      best = { ...best, off: Math.min(best.off, await secondsOf({ DASHBOARD: 'off' })) }
      slower = Math.max(slower, contention())
    }
    const text = `${best.off.toFixed(1)} s without, ${best.on.toFixed(1)} s with it; contention ${slower.toFixed(1)}`
    t.comment(text)
    t.ok(best.on - best.off <= DASHBOARD_START_S * slower, text)

    async function secondsOf(mode: Record<string, string>): Promise<number> {
      const again = await npmStart(t, clone, mode)
      await again.stop()
      return again.seconds
    }
  })
})
