import { readFileSync } from 'node:fs'
import t from 'tap'
import { BRIDGE_KEY, bridgeOptions } from '../upstreams/real-servers.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

t.test('the bridge of docs/remote-connectors.md is the one that a slow test runs', async t => {
  const page = read('../../docs/remote-connectors.md').replaceAll(/\\\n\s+/g, '')
  const { dependencies } = JSON.parse(read('../clients/package.json'))
  const command = [
    `${BRIDGE_KEY}=KEY npx -y`,
    `mcp-proxy@${dependencies['mcp-proxy']}`,
    ...bridgeOptions(3011),
    '--',
  ].join(' ')
  t.ok(page.includes(`${command} npx -y @modelcontextprotocol/server-memory\n`), command)
})
