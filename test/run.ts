import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { QUEUE_FILE, type Queue, TIMES_FILE } from './groups/queue.ts'
import { runPostgres } from './run-postgres.ts'

// `npm test`: all files in a few processes, or the named files in a process each, on a PostgreSQL server of its own
// where this machine has one. `--embedded` runs the files that check the embedded database on it, and with `--all` every
// file. `--coverage` counts what the tests reach. All other options go to tap.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const APART = ['test/{browser,contract,groups,measured,slow}/**', '**/node_modules/**']
/** How long each file took in earlier runs, in milliseconds. The longest start first, so that none is left at the end. */
const TIMES = join(ROOT, '.tap', TIMES_FILE)
/** A file that cannot share its process starts a line with this, and gives the reason. */
const OWN_PROCESS = /^\/\/ Own process: (.+)$/m
/** A file that `--embedded` runs starts a line with this, and says what it checks of the embedded database. */
const OF_EMBEDDED = /^\/\/ Embedded database: .+$/m

const args = process.argv.slice(2)
const own = ['--coverage', '--embedded', '--all']
const isEmbedded = args.includes('--embedded')
const options = args.filter(arg => arg.startsWith('-') && !own.includes(arg))
const named = args.filter(arg => !arg.startsWith('-'))
// They take the place of those in package.json.
const loaded = ['tap-domains.ts', 'compile-cache.ts'].map(name => `--node-arg=--import=./test/${name}`)
const coverage = args.includes('--coverage') ? [] : ['--disable-coverage']

const environment = { ...process.env }
if (isEmbedded) delete environment.TEST_DATABASE_URL
const needsServer = environment.TEST_DATABASE_URL === undefined && !isEmbedded
const server = needsServer ? await runPostgres() : undefined
if (server !== undefined) Object.assign(environment, { TEST_DATABASE_URL: server.url, TEST_SAMPLE: '1' })
const directory = mkdtempSync(join(tmpdir(), 'connector-gateway-run-'))
try {
  process.exitCode = named.length > 0 ? await runTap(named) : await runGroups()
} finally {
  rmSync(directory, { recursive: true, force: true })
  await server?.stop()
}

async function runGroups(): Promise<number> {
  const known: Record<string, number> = existsSync(TIMES) ? JSON.parse(readFileSync(TIMES, 'utf8')) : {}
  const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')
  const all = globSync('test/**/*.test.ts', { cwd: ROOT, exclude: APART })
  const paths = isEmbedded && !args.includes('--all') ? all.filter(path => OF_EMBEDDED.test(textOf(path))) : all
  // A file that is new is as long as its text suggests.
  const expected = (path: string) => known[path] ?? statSync(join(ROOT, path)).size / 10
  const files = paths
    .sort((a, b) => expected(b) - expected(a))
    .map(path => ({ path, ownProcess: OWN_PROCESS.exec(textOf(path))?.[1] ?? null }))
  writeFileSync(join(directory, QUEUE_FILE), JSON.stringify({ files, patienceMs: 20_000 } satisfies Queue))
  environment.TEST_QUEUE = directory
  // Each file has a limit of its own.
  const code = await runTap(['--timeout=0', ...globSync('test/groups/*.test.ts', { cwd: ROOT })])
  const measured = globSync(`*.${TIMES_FILE}`, { cwd: directory }).map(name =>
    JSON.parse(readFileSync(join(directory, name), 'utf8')),
  )
  mkdirSync(join(ROOT, '.tap'), { recursive: true })
  writeFileSync(TIMES, JSON.stringify(Object.assign(known, ...measured), null, 1))
  return code
}

/** Runs tap, and returns its exit code. */
async function runTap(files: readonly string[]): Promise<number> {
  const tap = join(ROOT, 'node_modules/tap/dist/esm/run.mjs')
  const child = spawn(process.execPath, [tap, 'run', ...loaded, ...coverage, ...options, ...files], {
    cwd: ROOT,
    env: environment,
    stdio: 'inherit',
  })
  const [code, signal] = await once(child, 'exit')
  if (signal !== null) console.error(`The tests were ended by ${signal}.`)
  return code ?? 1
}
