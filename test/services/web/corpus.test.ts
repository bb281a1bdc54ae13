import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { serveSite, webFixture } from '../../fixtures/web-fixture.ts'
import { mean, plainText, wordF1 } from './word-f1.ts'

// The pages of corpus/ were written for this test, each with the text that a reader wants of it. `measure-wcxb.ts`
// measures real pages.

const CORPUS = join(import.meta.dirname, 'corpus')
/** The least mean F1 by the first word of a page's name. */
const FLOORS: Readonly<Record<string, number>> = { article: 0.9, documentation: 0.93, forum: 0.6 }
const FLOOR_OVER_ALL = 0.78
/** Below this, a page lost most of its text or none of what surrounds it. */
const FLOOR_OF_A_PAGE = 0.6

const read = (name: string) => readFileSync(join(CORPUS, name))

t.test('the main content of pages of each type is found, in any encoding, with and without frames', async t => {
  const names = readdirSync(CORPUS).flatMap(file => (file.endsWith('.html') ? [file.slice(0, -'.html'.length)] : []))
  t.ok(names.length >= 12)
  // Without a charset: the pages name theirs.
  const routes = names.map(name => [`/${name}`, { type: 'text/html', body: read(`${name}.html`) }] as const)
  const { origin } = await serveSite(t, Object.fromEntries(routes))
  const { result } = await webFixture(t)
  const byType = new Map<string, number[]>()
  for (const name of names) {
    const { markdown } = await result('fetch', { url: `${origin}/${name}`, max_chars: 50_000 })
    const f1 = wordF1(plainText(markdown), read(`${name}.txt`).toString())
    t.ok(f1 >= FLOOR_OF_A_PAGE, `${name}: ${f1.toFixed(3)}`)
    const type = name.split('-')[0] ?? ''
    byType.set(type, [...(byType.get(type) ?? []), f1])
  }
  for (const [type, floor] of Object.entries(FLOORS)) {
    const f1 = mean(byType.get(type) ?? [])
    t.ok(f1 >= floor, `${type}: ${f1.toFixed(3)} of ${floor}`)
  }
  t.ok(mean([...byType.values()].flat()) >= FLOOR_OVER_ALL)
})

t.test('the frames of a page are among its links', async t => {
  const { origin } = await serveSite(t, { '/': { type: 'text/html', body: read('frames.html') } })
  const { result } = await webFixture(t)
  const { links } = await result('fetch', { url: origin, links: true })
  t.match(links, [
    { url: `${origin}/menu.html`, text: 'menu' },
    { url: `${origin}/main.html`, text: 'main' },
  ])
})
