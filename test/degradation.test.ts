import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** The first cell of each row in the table of docs/runbook.md. */
function rows(): string[] {
  const [, section = ''] = /\n## When something fails\n([\s\S]*?)\n## /.exec(read('docs/runbook.md')) ?? []
  const cells = section.split('\n').flatMap(line => /^\| (.+?) \|/.exec(line)?.[1] ?? [])
  return cells.slice(1).map(cell => cell.replaceAll('`', ''))
}

/** The titles of the tests in a folder; with an empty `depth`, only of top-level tests. */
function titles(folder: string, name: RegExp, depth: '' | '.*'): string[] {
  const test = new RegExp(`^${depth}\\bt\\.test\\(\\s*(?:'([^'\\n]+)'|"([^"\\n]+)")`, 'gm')
  return readdirSync(new URL(folder, root))
    .filter(file => name.test(file))
    .flatMap(file => [...read(`${folder}${file}`).matchAll(test)].map(match => match[1] ?? match[2] ?? ''))
}

/** Whether a title is that of a row, with or without a guarantee after a colon. */
const isOf = (row: string, title: string) => title === row || title.startsWith(`${row}: `)

t.test('every row of the degradation table is the title of a test', async t => {
  const folders = ['test/slow/', 'test/plugins/', 'test/services/', 'test/lib/', 'test/tools/']
  const all = folders.flatMap(folder => titles(folder, /\.test\.ts$/, '.*'))
  t.ok(rows().length > 10)
  for (const row of rows()) {
    t.ok(
      all.some(title => isOf(row, title)),
      row,
    )
  }
})

t.test('every fault test is a row of the degradation table', async t => {
  const faults = titles('test/slow/', /^faults-.*\.test\.ts$/, '')
  t.ok(faults.length > 10)
  for (const title of faults) {
    t.ok(
      rows().some(row => isOf(row, title)),
      title,
    )
  }
})
