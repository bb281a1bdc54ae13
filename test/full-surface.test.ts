import t from 'tap'
import { acrossOrgs } from '../lib/database/tenant.ts'
import { largeTools, storeSnapshots } from './fixtures/full-surface.ts'
import { remoteJourney } from './fixtures/remote-journey.ts'
import { pinned } from './fixtures/remote-tool-fixture.ts'
import { legacyServer } from './upstreams/legacy-server.ts'

const MEBIBYTE = 1024 * 1024

t.test('a server that does not fit into the tool list is registered, and its refresh answers 422', async t => {
  const server = await legacyServer(t)
  const { services, owner, member } = await remoteJourney(t)
  const tools = Array.from({ length: 2_000 }, (_, i) => pinned(`tool_${i}`))
  const hand = acrossOrgs(services.database.db)
  await storeSnapshots(hand, owner.who, { full: tools })
  const { status, body } = await owner.http('POST', '/connectors/org', {
    slug: 'wiki',
    name: 'The wiki',
    upstream_url: server.url,
    auth: { mode: 'none' },
  })
  t.match({ status, body }, { status: 201, body: { status: 'disconnected', remote: { tool_count: null, tools: [] } } })
  t.match(body.description, /Its tools are not available\. The tools of The wiki \(\d+ tools, .* do not fit/)
  t.same(await owner.http('GET', '/connectors/org/wiki'), { status: 200, body })
  const refreshed = await owner.refresh('wiki')
  t.match(refreshed, { status: 422, body: { error: 'snapshot_failed' } })
  const explained = await member.call('manage__explain_tool', { name: 'org__wiki__text' })
  t.match(explained.structuredContent, { callable: false, reason: 'surface_full', explanation: /do not fit/ })

  await owner.http('DELETE', '/connectors/org/full')
  t.match(await owner.http('GET', '/connectors/org/wiki'), { status: 200, body: { remote: { tool_count: null } } })
})

t.test(
  'above the limit, the list has the tools that fit, the others are not found, and the log says so once',
  async t => {
    const { services, owner, member } = await remoteJourney(t)
    const warned: unknown[][] = []
    Object.assign(services.log, { warn: (...args: unknown[]) => void warned.push(args) })
    const tools = largeTools(60, 60 * 1024)
    await storeSnapshots(acrossOrgs(services.database.db), owner.who, { a: tools, b: tools, c: tools, d: tools })
    const { tools: listed } = (await member.rpc('tools/list', {})) as { tools: { name: string }[] }
    const remote = listed.filter(({ name }) => name.startsWith('org__'))
    t.ok(remote.length > 130 && remote.length < 140, `${remote.length} tools of 60 KiB`)
    t.ok(Buffer.byteLength(JSON.stringify(remote)) <= 8 * MEBIBYTE + remote.length + 1)
    t.equal(remote[0]?.name, 'org__a__tool_0000')
    t.equal(remote.at(-1)?.name, `org__c__tool_00${remote.length - 121}`)
    const called = await member.call('org__d__tool_0000', {})
    t.match(called, { isError: true, content: [{ text: 'Tool org__d__tool_0000 not found' }] })
    const explained = await member.call('manage__explain_tool', { name: 'org__d__tool_0000' })
    t.match(explained.structuredContent, {
      callable: false,
      reason: 'surface_full',
      explanation: /60 tools of D are not/,
    })
    t.match(await owner.http('GET', '/connectors/org/d'), {
      body: { description: /The last 60 tools of D are not listed/, remote: { tool_count: 60 } },
    })
    await services.remotes.setHidden(owner.who.orgId, 'd', true, 'operator')
    await member.rpc('tools/list', {})
    t.match(warned, [
      [{ org: owner.who.orgId, leftOut: 240 - remote.length }, /the tool list of an organization is full/],
    ])
    t.equal(warned.length, 1)
  },
)
