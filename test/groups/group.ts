import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import t from 'tap'
import { leftBehind, traces } from './leaks.ts'
import { QUEUE_FILE, type Queue, TIMES_FILE } from './queue.ts'
import { tests } from './tests-by-file.ts'

// One process of `npm test`. It takes test files from the queue that it shares with the other groups, and imports one
// after another, because starting a process and its first app takes longer than most files.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TAP_OF_FILE = new URL('tap-of-file.ts', import.meta.url).href

/** A file that hangs fails by its name, and the group goes on. A busy machine needs minutes for the longest. */
const LIMIT_MS = 900_000

const directory = process.env.TEST_QUEUE
if (directory === undefined) throw new Error('A group runs only as a part of `npm test`. To run one file: node FILE')

// The files share a process, but not tap's root test: each gets a test that is named after it.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const isFile = specifier === 'tap' && context.parentURL !== undefined && tests.has(context.parentURL)
    if (!isFile) return nextResolve(specifier, context)
    return { url: `${TAP_OF_FILE}?of=${encodeURIComponent(context.parentURL ?? '')}`, shortCircuit: true }
  },
})

const { files, patienceMs }: Queue = JSON.parse(readFileSync(join(directory, QUEUE_FILE), 'utf8'))
// With its first test, tap listens for signals, which no file must be blamed for.
await t.test('a group starts', async () => {})
const times: Record<string, number> = {}
let isLeaky = false
for (const [index, file] of files.entries()) {
  if (!claim(join(directory, String(index)))) continue
  const begun = performance.now()
  const usedBefore = process.cpuUsage()
  if (file.ownProcess === null) await runHere(file.path)
  else
    await t.spawn(process.execPath, [...process.execArgv, resolve(ROOT, file.path)], { timeout: LIMIT_MS }, file.path)
  times[file.path] = Math.round(performance.now() - begun)
  // tap prints the tests of a group when it ends.
  const used = process.cpuUsage(usedBefore)
  process.stderr.write(`${file.path} ${times[file.path]} ms, CPU ${Math.round((used.user + used.system) / 1_000)} ms\n`)
}
writeFileSync(join(directory, `${process.pid}.${TIMES_FILE}`), JSON.stringify(times))
// What a file left open would keep the group running.
if (isLeaky) {
  t.end()
  process.stdout.write('', () => process.exit())
}

async function runHere(path: string): Promise<void> {
  const { href } = pathToFileURL(resolve(ROOT, path))
  const before = traces()
  await t.test(path, { timeout: LIMIT_MS }, async test => {
    tests.set(href, test)
    await import(href)
  })
  const left = await leftBehind(before, patienceMs)
  // It fails here, not in a later file that happens to meet it.
  if (left.length === 0) return
  t.fail(`${path} leaves something behind: ${left.join(', ')}`)
  isLeaky = true
}

/** Whether this group got the file; another one has it otherwise. */
function claim(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx'))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
