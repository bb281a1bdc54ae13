import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDERS = ['lib', 'plugins', 'routes', 'schemas', 'services', 'test', 'tools']
const FILES = ['app.ts', 'biome.json', 'package.json', 'tsconfig.json']

/** A block of the page: a whole file, or a change to one. */
interface Example {
  readonly path: string
  readonly isChange: boolean
  readonly text: string
}

/** The blocks of docs/development.md in their order. The paragraph above a block names its file. */
function readExamples(): Example[] {
  const migrations = readdirSync(join(ROOT, 'lib/database/migrations')).filter(name => name.endsWith('.ts'))
  const next = String(migrations.length + 1).padStart(4, '0')
  const page = readFileSync(join(ROOT, 'docs/development.md'), 'utf8').replaceAll('NNNN', next)
  return [...page.matchAll(/\n((?:.+\n)+)\n```(ts|diff)\n([\s\S]*?)```\n/g)].map(
    ([, paragraph = '', language, text = '']) => {
      const path = [...paragraph.matchAll(/`([\w./-]+\.ts)`/g)].at(-1)?.[1]
      if (path === undefined) throw new Error(`No file is named above:\n${text}`)
      return { path, isChange: language === 'diff', text }
    },
  )
}

/** A copy of the sources, gone with the test. */
function copySources(t: Test): string {
  const root = mkdtempSync(join(tmpdir(), 'connector-gateway-docs-'))
  t.teardown(() => rmSync(root, { recursive: true, force: true }))
  for (const name of [...FOLDERS, ...FILES]) cpSync(join(ROOT, name), join(root, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  return root
}

function apply(root: string, { path, isChange, text }: Example): void {
  const file = join(root, path)
  if (isChange === existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, isChange ? changed(readFileSync(file, 'utf8'), path, text) : text)
  } else throw new Error(`${path} ${isChange ? 'does not exist' : 'exists already'}`)
}

/** A file with a change made to it. Each of its parts, separated by `…`, must fit at exactly one place. */
function changed(source: string, path: string, diff: string): string {
  return diff.split(/^…\n/m).reduce((text, part) => {
    const lines = part.split('\n').slice(0, -1)
    const side = (mark: string) => lines.filter(line => !line.startsWith(mark)).map(line => `${line.slice(1)}\n`)
    const before = side('+').join('')
    const [head, tail, ...others] = `\n${text}`.split(`\n${before}`)
    if (head === undefined || tail === undefined || others.length > 0)
      throw new Error(`This part does not fit at one place of ${path}:\n${part}`)
    return `${head}\n${side('-').join('')}${tail}`.slice(1)
  }, source)
}

/** Runs a program in the copy without tap's loaders, which tap adds to every child; what it prints is shown if it fails. */
function run(t: Test, root: string, guarantee: string, args: readonly string[]): void {
  const command = ['-u', 'NODE_OPTIONS', '-u', 'NODE_V8_COVERAGE', process.execPath, ...args]
  const { status, stdout, stderr } = spawnSync('env', command, { cwd: root, encoding: 'utf8' })
  t.equal(status, 0, guarantee, status === 0 ? {} : { output: stdout + stderr })
}

t.test('the examples of docs/development.md', async t => {
  const examples = readExamples()
  const root = copySources(t)
  await t.test('each fits the sources', async t => {
    for (const example of examples) apply(root, example)
    t.ok(examples.length > 10)
  })
  const paths = [...new Set(examples.map(({ path }) => path))]
  const added = examples.filter(({ isChange }) => !isChange).map(({ path }) => path)
  const tests = added.filter(path => path.endsWith('.test.ts'))

  await t.test('all of them are formatted and pass the linter', async t => {
    const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome')
    run(t, root, 'biome', [biome, 'check', '--vcs-enabled=false', '--error-on-warnings', ...paths])
  })

  await t.test('all of them together have no type error', async t => {
    const config = { extends: './tsconfig.json', include: ['test/*.d.ts'], files: paths }
    writeFileSync(join(root, 'tsconfig.docs.json'), JSON.stringify(config))
    run(t, root, 'tsc', [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.docs.json'])
  })

  await t.test('their own tests pass', async t => {
    writeFileSync(join(root, 'all.test.ts'), tests.map(path => `import './${path}'\n`).join(''))
    run(t, root, tests.join(', '), ['all.test.ts'])
  })
})
