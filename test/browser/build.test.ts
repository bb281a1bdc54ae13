import { execFile, execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import t from 'tap'

const BUILT = 'dist/dashboard'
const LARGEST_KB = 200

t.before(() => execFileSync(process.execPath, ['dashboard/build.ts', '--if-changed']))

t.test('the start page loads at most 200 KB of compressed script, and nothing inline', async t => {
  const html = readFileSync(`${BUILT}/index.html`, 'utf8')
  const scripts = Array.from(html.matchAll(/(?:src|href)="\/assets\/([\w-]+\.js)"/g), ([, name = '']) => name)
  t.ok(scripts.length > 0, 'the scripts were found')
  const names = importedBy([...scripts, ...readdirSync(`${BUILT}/assets`).filter(name => /^start-.*\.js$/.test(name))])
  const bytes = Array.from(names, name => statSync(`${BUILT}/assets/${name}.gz`).size)
  const kilobytes = bytes.reduce((sum, size) => sum + size, 0) / 1024
  t.ok(kilobytes <= LARGEST_KB, `${Math.round(kilobytes)} KB`)
  t.notMatch(html, /<script(?![^>]* src=)|<style|style="| on\w+="/)
})

t.test('each text file is compressed beforehand', async t => {
  const names = readdirSync(`${BUILT}/assets`)
  const texts = names.filter(name => /\.(js|css|svg)$/.test(name))
  t.ok(texts.length > 20, 'the files were found')
  for (const name of texts) for (const ending of ['.gz', '.br']) t.ok(names.includes(name + ending), name + ending)
})

t.test('two builds at once both succeed and leave a whole build', async t => {
  const build = () => promisify(execFile)(process.execPath, ['dashboard/build.ts'])
  await Promise.all([build(), build()])
  t.match(readFileSync(`${BUILT}/stamp`, 'utf8'), /^[\da-f]{64}$/)
  t.ok(readdirSync(`${BUILT}/assets`).length > 20)
  t.same(
    readdirSync('dist').filter(name => name.startsWith('dashboard.')),
    [],
    'nothing else is left',
  )
})

/** These scripts and those that they import. */
function importedBy(scripts: readonly string[]): Set<string> {
  const found = new Set<string>()
  const open = [...scripts]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue
    found.add(name)
    const text = readFileSync(`${BUILT}/assets/${name}`, 'utf8')
    for (const [, part = ''] of text.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g)) open.push(part)
  }
  return found
}
