import { fileURLToPath } from 'node:url'
import t from 'tap'
import { entryWriter } from '../../services/connectors/catalog-entries.ts'
import { connectorTools } from '../../services/definitions/connector-tool.ts'
import { CONNECTORS } from '../../tools/connectors/catalog.ts'
import { brokenRules } from '../fixtures/provider-rules.ts'
import { entryLines } from './entry-lines.ts'

// Own process: tap names a snapshot after the file of the process.

t.snapshotFile = fileURLToPath(new URL('../snapshots/connectors.test.cjs', import.meta.url))

t.test('every connector and each of its tools equal their reviewed snapshots', async t => {
  const runner = { run: () => Promise.reject(new Error('nothing is called')) }
  const caller = { orgId: 'org_1', userId: 'usr_1', role: 'member' } as const
  for (const connector of CONNECTORS) {
    const write = entryWriter(connector, { origin: 'http://localhost', iconPath: '/icons/hash.svg', offered: true })
    const entry = write({
      caller,
      accounts: [],
      credentialSource: { active: 'platform', org_clients_enabled: true },
    })
    const tools = connectorTools(connector, runner).map(({ entry }) => entry)
    for (const { name, inputSchema } of tools) t.same(brokenRules(inputSchema), [], name)
    const lines = entryLines(JSON.parse(entry), tools)
    for (const text of descriptionsIn(tools)) if (!lines.includes(text)) t.fail(`a text is not shown: ${text}`)
    t.matchSnapshot(lines, connector.id)
  }
})

/** All descriptions in a value. */
function descriptionsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'description' && typeof member === 'string' ? [member] : descriptionsIn(member),
  )
}
