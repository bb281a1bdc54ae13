import t from 'tap'
import { remoteJourney } from '../fixtures/remote-journey.ts'
import { legacyOracle, modernOracle } from '../upstreams/oracle.ts'
import { passesThrough } from '../upstreams/passes-through.ts'
import { filesystem, memory } from '../upstreams/real-servers.ts'

const { team } = await remoteJourney(t)

t.test('server-memory behind mcp-proxy returns the same through the gateway as directly', async t => {
  const { url, apiKey } = await memory(t)
  const { owner, member } = await team()
  const keyless = await owner.register('keyless', url)
  t.match(keyless, { status: 'disconnected' }, 'the bridge requires its key')
  await owner.register('memory', url, { mode: 'header', name: 'x-api-key', value: apiKey })
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['wrote the first program'] }]
  t.match(await member.call('org__memory__create_entities', { entities }), { structuredContent: { entities } })
  await passesThrough(t, {
    owner,
    slug: 'memory',
    oracle: await modernOracle(t, url, { headers: { 'x-api-key': apiKey } }),
    calls: [
      { name: 'read_graph', arguments: {} },
      { name: 'search_nodes', arguments: { query: 'program' } },
      { name: 'add_observations', arguments: { observations: [{ entityName: 'nobody', contents: ['x'] }] } },
    ],
  })
})

t.test('server-filesystem behind supergateway returns the same through the gateway as directly', async t => {
  const { url, root } = await filesystem(t)
  const { owner, member } = await team()
  await owner.register('files', url)
  await member.call('org__files__write_file', { path: `${root}/c.txt`, content: 'written through' })
  await passesThrough(t, {
    owner,
    slug: 'files',
    oracle: await legacyOracle(t, url),
    calls: [
      { name: 'list_directory', arguments: { path: root } },
      { name: 'read_text_file', arguments: { path: `${root}/c.txt` } },
      { name: 'read_text_file', arguments: { path: '/etc/passwd' } },
    ],
  })
})
