import { fileURLToPath } from 'node:url'
import t from 'tap'
import { entryWriter } from '../../services/connectors/to-catalog-entry.ts'
import { connectorTools } from '../../services/definitions/connector-tool.ts'
import { CONNECTORS } from '../../tools/connectors/catalog.ts'

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
    t.matchSnapshot(JSON.stringify({ entry: JSON.parse(entry), tools }, null, 2), connector.id)
  }
})
