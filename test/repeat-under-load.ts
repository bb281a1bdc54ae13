import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Repeats the suites while two CPU-bound processes run: `npm run test:load`, or `npm run test:load -- 2` for two rounds.

const SUITES = [
  ['test', '--', '--reporter=tap'],
  ['run', '-s', 'test:conformance'],
]
/** Ends when its parent has exited, even if the parent was killed. */
const BURNER = 'const parent = process.ppid; while (process.ppid === parent) for (let i = 0; i < 1e8; i++);'
const BURNERS = 2
/** A test file, or a requirement set of the conformance runner. */
const PASSED = /^ {4}ok \d+ - test\/|^conformance: .*(?<! NOT) as expected$/gm
/** A failed test file or requirement set, and the tests and scenarios in it. */
const FAILED = /^ {4}(?: {4})?not ok \d+ - .*|^ {2}✗ .*|^conformance: .* NOT as expected$/gm

/** Process groups, so that nothing outlives this process. */
const groups = new Set<number>()
process.on('exit', () => {
  for (const group of groups) process.kill(-group)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

function start(command: string, args: string[], output: 'ignore' | number) {
  const child = spawn(command, args, { detached: true, stdio: ['ignore', output, output] })
  const { pid } = child
  if (pid === undefined) throw new Error(`Cannot start ${command}`)
  groups.add(pid)
  child.on('exit', () => groups.delete(pid))
  return child
}

/** Runs a suite, writes its output to a file, and prints one line. Returns whether everything passed. */
async function passes(name: string, args: string[], file: string): Promise<boolean> {
  const begun = performance.now()
  const [code] = await once(start('npm', args, openSync(file, 'w')), 'exit')
  const seconds = Math.round((performance.now() - begun) / 1_000)
  const output = readFileSync(file, 'utf8')
  const passed: string[] = output.match(PASSED) ?? []
  const failed: string[] = output.match(FAILED) ?? []
  const result =
    code === 0 ? 'passed' : `FAILED (exit code ${code}, see ${file}): ${failed.map(f => f.trim()).join('; ')}`
  console.log(`${name}: ${passed.length} passed, ${failed.length} failed, ${seconds} s, ${result}`)
  return code === 0
}

const rounds = Number(process.argv[2] ?? 5)
const directory = mkdtempSync(join(tmpdir(), 'connector-gateway-load-'))
for (let n = 0; n < BURNERS; n++) start(process.execPath, ['-e', BURNER], 'ignore')
for (let round = 1; round <= rounds; round++)
  for (const args of SUITES) {
    const suite = args.includes('test') ? 'test' : 'conformance'
    if (!(await passes(`round ${round}, ${suite}`, args, join(directory, `${round}-${suite}.log`))))
      process.exitCode = 1
  }
process.exit()
