import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { variablesOf } from '../../lib/configuration/setting.ts'
import type { Variable } from '../../lib/configuration/variable.ts'
import { SETTINGS } from '../../services/settings/settings.ts'

const PAGE = fileURLToPath(new URL('../../docs/configuration.md', import.meta.url))
const TABLE = /<!-- settings:begin -->[\s\S]*<!-- settings:end -->/

function row({ name, schema, doc, unset }: Variable): string {
  const byDefault = schema.default === undefined ? 'none' : `\`${schema.default}\``
  return `| \`${name}\` | ${unset ?? byDefault} | ${doc} |`
}

t.test('docs/configuration.md lists all settings of the table, as the table describes them', async t => {
  const rows = variablesOf(SETTINGS).map(row)
  const table = [
    '<!-- settings:begin -->',
    '| variable | default | |',
    '|---|---|---|',
    ...rows,
    '<!-- settings:end -->',
  ]
  const current = readFileSync(PAGE, 'utf8')
  t.match(current, TABLE)
  const page = current.replace(TABLE, () => table.join('\n'))
  if (process.env.TAP_SNAPSHOT === '1') writeFileSync(PAGE, page)
  else t.equal(current, page, 'run TAP_SNAPSHOT=1 node test/docs/configuration.test.ts')
})

t.test('each variable is declared once, and its documentation fits a row', async t => {
  const variables = variablesOf(SETTINGS)
  t.equal(new Set(variables.map(({ name }) => name)).size, variables.length)
  for (const { name, doc, unset = '' } of variables) t.notMatch(`${doc}${unset}`, /[\n|]/, name)
})
