import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** What happens, row by row, in the table of docs/operations.md. */
function rows(): string[] {
  const [, section = ''] = /\n## When something fails\n([\s\S]*?)\n## /.exec(read('docs/operations.md')) ?? []
  const cells = section.split('\n').flatMap(line => /^\| (.+?) \|/.exec(line)?.[1] ?? [])
  return cells.slice(1).map(cell => cell.replaceAll('`', ''))
}

/** The titles of a folder's tests; of those at the top of their file where asked. */
function titles(folder: string, name: RegExp, depth: '' | '.*'): string[] {
  const test = new RegExp(`^${depth}\\bt\\.test\\(\\s*(?:'([^'\\n]+)'|"([^"\\n]+)")`, 'gm')
  return readdirSync(new URL(folder, root))
    .filter(file => name.test(file))
    .flatMap(file => [...read(`${folder}${file}`).matchAll(test)].map(match => match[1] ?? match[2] ?? ''))
}

/** A test is of a row when it bears its name, alone or with what it guarantees behind a colon. */
const isOf = (row: string, title: string) => title === row || title.startsWith(`${row}: `)

t.test('every row of the degradation table has a test that bears its name', async t => {
  const folders = ['test/slow/', 'test/plugins/', 'test/services/', 'test/lib/']
  const all = folders.flatMap(folder => titles(folder, /\.test\.ts$/, '.*'))
  t.ok(rows().length > 10)
  for (const row of rows()) {
    t.ok(
      all.some(title => isOf(row, title)),
      row,
    )
  }
})

t.test('every test of a fault is a row of the degradation table', async t => {
  const faults = titles('test/slow/', /^faults-.*\.test\.ts$/, '')
  t.ok(faults.length > 10)
  for (const title of faults) {
    t.ok(
      rows().some(row => isOf(row, title)),
      title,
    )
  }
})
