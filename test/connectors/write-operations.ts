import { writeFileSync } from 'node:fs'
import { CONNECTORS } from '../../tools/connectors/catalog.ts'
import { DESCRIPTIONS, operationOf } from './descriptions.ts'
import { indexOf, skipped } from './vendor-documents.ts'

// Writes operations.json: the operations of the providers' API descriptions that tools use, for the tests that need only
// their names. Run it with VENDOR_APIS=FOLDER after a change of a connector or of a description.

if (skipped !== false) throw new Error(`${skipped}. Set it and run this again.`)
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
const path = new URL('operations.json', import.meta.url)
writeFileSync(path, `${JSON.stringify(Object.fromEntries(index), null, 2)}\n`)
