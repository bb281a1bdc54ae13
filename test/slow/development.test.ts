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
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDERS = ['cli', 'docs', 'lib', 'plugins', 'routes', 'schemas', 'services', 'test', 'tools']
const FILES = [
  'app.ts',
  'biome.json',
  'cli.ts',
  'dashboard-app.ts',
  'kysely.config.ts',
  'package.json',
  'run-cli.ts',
  'run-server.ts',
  'server.ts',
  'tsconfig.json',
]
/** Tests of the project that cover every route, tool or setting. The first renews the snapshots that the second reads. */
const COVERING = [
  'test/app.test.ts',
  'test/docs/configuration.test.ts',
  'test/lib/configuration.test.ts',
  'test/tools/memory.test.ts',
]
const READING_SNAPSHOTS = ['test/docs/api.test.ts', 'test/import-rules.test.ts']

/** The end of a program's output, in characters, that a failure shows. */
const OUTPUT = 5000

/** A block of the page: a whole file, or a change to one. */
interface Example {
  readonly path: string
  readonly isChange: boolean
  readonly text: string
}

/** The blocks of docs/development.md in their order. The paragraph above a block names its file. */
function readExamples(): Example[] {
  const migrations = readdirSync(join(ROOT, 'lib/database/migrations')).filter(name => name.endsWith('.ts'))
  const text = readFileSync(join(ROOT, 'docs/development.md'), 'utf8')
  const tried = migrations.findIndex(name => text.includes(`/${name.replace(/^\d+/, 'NNNN')}`))
  const number = 1 + (tried === -1 ? migrations.length : tried)
  const page = text.replaceAll('NNNN', String(number).padStart(4, '0'))
  return [...page.matchAll(/\n((?:.+\n)+)\n```(ts|diff)\n([\s\S]*?)```\n/g)].map(
    ([, paragraph = '', language, text = '']) => {
      const path = [...paragraph.matchAll(/`([\w./-]+\.(?:ts|md))`/g)].at(-1)?.[1]
      if (path === undefined) throw new Error(`No file is named above:\n${text}`)
      return { path, isChange: language === 'diff', text }
    },
  )
}

/** A copy of the sources, gone with the test. */
function copySources(t: Test): string {
  const root = mkdtempSync(join(tmpdir(), 'connector-gateway-docs-'))
  t.teardown(() => rmSync(root, { recursive: true, force: true }))
  const filter = (source: string) => basename(source) !== 'node_modules'
  for (const name of [...FOLDERS, ...FILES]) cpSync(join(ROOT, name), join(root, name), { recursive: true, filter })
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  return root
}

/** Applies the examples of one file to the copy, except those that a reader has tried in the sources already. */
function apply(root: string, path: string, examples: readonly Example[]): void {
  const file = join(root, path)
  const source = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const tried = examples.findLastIndex(({ isChange, text }) => isChange && contains(source, text))
  const result = examples
    .slice(tried + 1)
    .reduce((before, { isChange, text }) => (isChange ? changed(path, before, text) : text), source)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, result)
}

/** Whether a file has all lines that a change adds. */
function contains(source: string, diff: string): boolean {
  const additions = [...diff.matchAll(/(?:^\+.*\n)+/gm)].map(([lines]) => lines.replaceAll(/^\+/gm, ''))
  return additions.every(lines => source.search(patternOf(lines)) !== -1)
}

/**
 * A file with a change made to it. A change names places instead of repeating the file, so that it survives other changes
 * nearby. Its first kept or removed line must fit exactly one place, and each further one fits the next place below.
 * Added lines go directly below the line above them; at the start or after a gap (`…`), directly above the line below.
 * White space does not count, and `…` in a line stands for text that stays as it is.
 */
function changed(path: string, source: string, diff: string): string {
  let [above, below, floating] = ['', source, '']
  let unchanged: string[] = []
  let isAfterGap = true
  for (const [whole, gap] of diff.matchAll(/^ *(…)\n|(?:^-.*\n)+|(?:^\+.*\n)+|^ .*\S.*\n/gm)) {
    const text = whole.replaceAll(/^[-+ ]/gm, '')
    if (gap !== undefined) isAfterGap = true
    else if (whole.startsWith('+')) {
      const added = text.replaceAll('…', () => unchanged.shift() ?? '…')
      if (isAfterGap) floating += added
      else above += added
    } else {
      const places = [...below.matchAll(patternOf(text))]
      const [place] = places
      if (place === undefined || (above === '' && places.length > 1))
        throw new Error(`${path}: ${places.length} places fit this line of docs/development.md:\n${text}`)
      above += below.slice(0, place.index) + floating + (whole.startsWith('-') ? '' : place[0])
      below = below.slice(place.index + place[0].length)
      unchanged = place.slice(1)
      isAfterGap = false
      floating = ''
    }
  }
  return above + below
}

/** Matches whole lines with any white space, and anything in place of each `…`. */
function patternOf(lines: string): RegExp {
  const tokens = lines.match(/…|\w+|[^\s\w]/g) ?? []
  const parts = tokens.map(token => (token === '…' ? '([\\s\\S]*?)' : RegExp.escape(token)))
  return new RegExp(`^[ \\t]*${parts.join('\\s*')}[ \\t]*\\n`, 'gm')
}

/** Runs a program in the copy without tap's loaders, which tap adds to every child; what it prints is shown if it fails. */
function run(t: Test, root: string, guarantee: string, args: readonly string[]): void {
  const environment = ['-u', 'NODE_OPTIONS', '-u', 'NODE_V8_COVERAGE', 'TAP_SNAPSHOT=1', 'TAP_BAIL=1']
  const command = [...environment, process.execPath, ...args]
  const { status, stdout, stderr } = spawnSync('env', command, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  t.equal(status, 0, guarantee, status === 0 ? {} : { output: (stdout + stderr).slice(-OUTPUT) })
}

t.test('the examples of docs/development.md', async t => {
  const examples = readExamples()
  const root = copySources(t)
  await t.test('each fits the sources', async t => {
    for (const [path, ofFile] of Map.groupBy(examples, ({ path }) => path)) apply(root, path, ofFile)
    t.ok(examples.length > 10)
  })
  const paths = [...new Set(examples.map(({ path }) => path))].filter(path => path.endsWith('.ts'))
  const added = examples.filter(({ isChange }) => !isChange).map(({ path }) => path)
  const tests = added.filter(path => path.endsWith('.test.ts'))

  await t.test('all of them pass the linter once they are formatted', async t => {
    const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome')
    run(t, root, 'biome', [biome, 'check', '--write', '--vcs-enabled=false', '--error-on-warnings', ...paths])
    for (const { path, isChange, text } of examples)
      if (!isChange && !examples.some(one => one.isChange && one.path === path))
        t.equal(readFileSync(join(root, path), 'utf8'), text, `${path} is formatted`)
  })

  await t.test('all of them together have no type error', async t => {
    const config = { extends: './tsconfig.json', include: ['test/*.d.ts', 'services/**/*.d.ts'], files: paths }
    writeFileSync(join(root, 'tsconfig.docs.json'), JSON.stringify(config))
    run(t, root, 'tsc', [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.docs.json'])
  })

  await t.test('their own tests pass, and the tests that cover every route, tool or setting', async t => {
    const runAll = (files: readonly string[]) => {
      writeFileSync(join(root, 'test/all.test.ts'), files.map(path => `import '../${path}'\n`).join(''))
      run(t, root, files.join(', '), ['test/all.test.ts'])
    }
    runAll([...COVERING, ...tests])
    runAll(READING_SNAPSHOTS)
  })
})

t.test('an example still fits after other changes nearby', async t => {
  const list = "import { a } from './a.ts'\n\nexport const all = [a(1), d(4)]\n"
  const longer = "import { a } from './a.ts'\nimport { d } from './d.ts'\n\nexport const all = [\n  a(1),\n  d(4),\n]\n"
  const diff =
    " import { a } from './a.ts'\n+import { b } from './b.ts'\n…\n-export const all = [a(1), …]\n+export const all = [a(1), b(2), …]\n"
  t.equal(
    changed('x.ts', list, diff),
    "import { a } from './a.ts'\nimport { b } from './b.ts'\n\nexport const all = [a(1), b(2), d(4)]\n",
  )
  t.notOk(contains(list, diff))
  t.ok(contains(changed('x.ts', list, diff), diff), 'a reader has tried it')
  t.match(changed('x.ts', longer, diff), "import { b } from './b.ts'\nimport { d } from './d.ts'\n")
  t.match(changed('x.ts', longer, diff), /\[a\(1\), b\(2\), d\(4\),\s*\]/)
  t.throws(() => changed('x.ts', list + list, diff), { message: /^x\.ts: 2 places fit this line/ })
  t.throws(() => changed('x.ts', '', diff), { message: /^x\.ts: 0 places fit this line/ })
})
