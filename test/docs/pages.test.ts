import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const pages = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map(name => `docs/${name}`),
].filter(path => path.endsWith('.md'))

/** The anchors of a page, as GitHub makes them of its headings. */
function anchors(path: string): string[] {
  const headings = read(path)
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .matchAll(/^#+ (.+)$/gm)
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

t.test('every link in the docs leads to a file and a heading that exist', async t => {
  const broken = pages.flatMap(page =>
    [...read(page).matchAll(/\]\(([^)\s]*)\)/g)].flatMap(([, link = '']) => {
      if (/^https?:/.test(link)) return []
      const [file = '', anchor] = link.split('#')
      const target = file === '' ? page : join(dirname(page), file)
      const found = existsSync(join(ROOT, target)) && (anchor === undefined || anchors(target).includes(anchor))
      return found ? [] : [`${page}: ${link}`]
    }),
  )
  t.same(broken, [])
})

t.test('every file that the docs name exists, or is part of a worked example', async t => {
  const missing = pages.flatMap(page =>
    [...read(page).matchAll(/`([a-z]+\/[\w./-]+\.(?:ts|cjs|json|md))`/g)]
      .map(([, path = '']) => path)
      .filter(path => !existsSync(join(ROOT, path)) && !isExample(page, path))
      .map(path => `${page}: ${path}`),
  )
  t.same(missing, [])
})

/** Whether a page shows the file whole: its name ends the paragraph above a block. */
function isExample(page: string, path: string): boolean {
  return read(page)
    .split('\n```ts\n')
    .slice(0, -1)
    .some(above => above.split('\n\n').at(-1)?.includes(`\`${path}\``))
}

t.test('every npm script that the docs name exists', async t => {
  const { scripts } = JSON.parse(read('package.json'))
  const named = pages.flatMap(page =>
    [...read(page).matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, name = '']) => name),
  )
  t.ok(named.length > 0)
  t.same(
    named.filter(name => !Object.hasOwn(scripts, name)),
    [],
  )
})

t.test('the README fits on one screen', async t => {
  t.ok(read('README.md').split('\n').length <= 61)
})

t.test('each record has a context, a decision and a consequence', async t => {
  for (const area of readdirSync(join(ROOT, 'docs/decisions'))) {
    const [, ...records] = read(`docs/decisions/${area}`).split(/^## /m)
    t.ok(records.length > 0, area)
    for (const record of records)
      for (const part of ['Context', 'Decision', 'Consequence'])
        t.ok(record.includes(`\n- ${part}: `), `${area}: ${record.split('\n')[0]}: ${part}`)
  }
})

t.test('the records of an area fit on a few screens, and the index names each area', async t => {
  const areas = readdirSync(join(ROOT, 'docs/decisions'))
  const index = [...read('docs/decisions.md').matchAll(/\]\(decisions\/([\w-]+\.md)\)/g)].map(([, name]) => name)
  t.same(index.toSorted(), areas.toSorted())
  t.same(
    areas.filter(name => read(`docs/decisions/${name}`).split('\n').length > 300),
    [],
  )
})
