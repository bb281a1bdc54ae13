import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { clientsPage } from './clients-page.ts'

const PAGE = fileURLToPath(new URL('../../docs/clients.md', import.meta.url))

t.test('docs/clients.md is what the generator writes', async t => {
  const current = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : ''
  const page = clientsPage(current)
  if (process.env.TAP_SNAPSHOT === '1') writeFileSync(PAGE, page)
  else t.equal(current, page, 'run TAP_SNAPSHOT=1 node test/docs/clients.test.ts')
})

t.test('the page keeps the table of messages, which test/slow/clients.test.ts writes', async t => {
  const table = '<!-- messages:begin -->\n| a | $& |\n<!-- messages:end -->'
  t.ok(clientsPage(`# Old\n\n${table}\n`).endsWith(`\n\n${table}\n`))
  t.ok(clientsPage('').endsWith('<!-- messages:end -->\n'))
})
