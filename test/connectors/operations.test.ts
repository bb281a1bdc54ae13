import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { CONNECTORS } from '../../tools/connectors/catalog.ts'
import { DESCRIPTIONS, operationOf } from './descriptions.ts'
import { indexOf, skipped } from './vendor-documents.ts'

t.test('operations.json has the operations of the descriptions that tools use', { skip: skipped }, async t => {
  const used = new Map<string, Set<string>>()
  for (const connector of CONNECTORS) {
    const file = DESCRIPTIONS[connector.id]?.file
    if (file === undefined) continue
    const operations = used.get(file) ?? new Set()
    used.set(file, operations)
    for (const tool of connector.tools) {
      const operation = operationOf(connector, tool)
      if (operation !== undefined) operations.add(operation)
    }
  }
  const index = [...used]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, operations]) => [file, { basePath: indexOf(file).basePath, operations: [...operations].sort() }])
  const text = `${JSON.stringify(Object.fromEntries(index), null, 2)}\n`
  const path = new URL('operations.json', import.meta.url)
  if (process.env.TAP_SNAPSHOT === '1') writeFileSync(path, text)
  t.equal(
    readFileSync(path, 'utf8'),
    text,
    'or write it again: TAP_SNAPSHOT=1 VENDOR_APIS=… node test/connectors/operations.test.ts',
  )
})
