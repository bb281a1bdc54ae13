import t from 'tap'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { explainRemoteTool } from '../../../services/remote-connectors/calls/explain-remote-tool.ts'
import type { RemoteConnector } from '../../../services/remote-connectors/remote-connectors.ts'
import { remoteStatus } from '../../../services/remote-connectors/to-remote-entry.ts'
import { toToolEntry } from '../../../services/remote-connectors/to-tool-entry.ts'
import { managedRemote } from '../../../tools/manage/remotes.ts'
import { testDatabase } from '../../fixtures/database.ts'
import { largeTools, storeSnapshots } from '../../fixtures/full-surface.ts'
import { commands } from '../../fixtures/operator-commands.ts'
import { asked, remoteFixture, upstreamTool } from '../../fixtures/registration-fixture.ts'
import { rejectionOf } from '../../fixtures/rejection.ts'
import { pinned } from '../../fixtures/remote-tool-fixture.ts'

const database = await testDatabase(t)

const ORIGIN = 'http://localhost'
const MEBIBYTE = 1024 * 1024
const COOLDOWN_MS = 30_000

/** The maximum number of tools of four registrations, without descriptions. */
const small = (count: number) => Array.from({ length: count }, (_, i) => pinned(`tool_${String(i).padStart(3, '0')}`))
const offered = (count: number) => Array.from({ length: count }, (_, i) => upstreamTool(`tool_${i}`))

const failureOf = (promise: Promise<unknown>) => rejectionOf(promise, GatewayError)

/** The number of listed tools by slug; `none` without a snapshot. */
function listedOf(remotes: readonly RemoteConnector[]): Record<string, number | 'none'> {
  const count = ({ snapshot, leftOut = 0 }: RemoteConnector) => snapshot && snapshot.tools.length - leftOut
  return Object.fromEntries(remotes.map(remote => [remote.registration.slug, count(remote) ?? 'none']))
}

t.test('a registration whose tools exceed 2,000 is stored without a snapshot, with the reason', async t => {
  const { remotes, directory, hand, upstream } = remoteFixture(t, database)
  const [ada] = await directory.members('owner')
  await storeSnapshots(hand, ada, { a: small(500), b: small(500), c: small(500), d: small(498) })
  upstream.answer = async () => offered(3)
  const remote = await remotes.register(ada.caller, asked, ORIGIN)
  t.same(listedOf(await remotes.list(ada.orgId)), { a: 500, b: 500, c: 500, d: 498, wiki: 'none' })

  const why = /^The tools of The wiki \(3 tools, 0\.0 MiB\) do not fit .* 2,000 tools and 8 MiB .* refresh The wiki\.$/
  const {
    description,
    next_step,
    remote: fields,
  } = managedRemote(remote, { caller: ada.caller, origin: ORIGIN }, commands)
  t.match(next_step, why, 'the answer to who registers')
  t.match(description, /Its tools are not available\. The tools of The wiki \(3 tools/, 'the entry')
  t.match(fields, { tool_count: null, snapshot_fetched_at: null, full_schema_hash: null })
  t.equal(remoteStatus(remote), 'disconnected')
  const explained = explainRemoteTool(await remotes.list(ada.orgId), 'org__wiki__tool_1', commands)
  t.match(explained, { reason: 'surface_full', explanation: why }, 'the explanation')

  upstream.answer = async () => offered(2)
  t.equal((await remotes.refresh(ada.caller, 'wiki')).remote.snapshot?.tools.length, 2)
  const served = await remotes.find(ada.orgId, 'wiki')
  t.equal(served?.registration.snapshotRefusal, null, 'the reason goes with the first snapshot')
  t.same(listedOf(served ? [served] : []), { wiki: 2 }, 'a list of exactly 2,000 tools is whole')
})

t.test('tools of more than 8 MiB together do not fit, however few they are', async t => {
  const { remotes, directory, hand, upstream } = remoteFixture(t, database)
  const [ada] = await directory.members('owner')
  const tools = largeTools(60, 32 * 1024)
  await storeSnapshots(hand, ada, { a: tools, b: tools, c: tools, d: tools })
  t.same(listedOf(await remotes.list(ada.orgId)), { a: 60, b: 60, c: 60, d: 60 })
  const large = (count: number) => largeTools(count, 32 * 1024).map(({ name, inputSchema }) => ({ name, inputSchema }))
  upstream.answer = async () => large(20)
  await remotes.register(ada.caller, asked, ORIGIN)
  t.equal((await remotes.find(ada.orgId, 'wiki'))?.snapshot, undefined)
  upstream.answer = async () => large(15)
  await remotes.refresh(ada.caller, 'wiki')
  t.equal((await remotes.find(ada.orgId, 'wiki'))?.snapshot?.tools.length, 15)
})

t.test('a refresh that exceeds the limit is rejected, and the old snapshot stays', async t => {
  const { remotes, directory, hand, upstream, clock, accepted } = remoteFixture(t, database)
  const [ada] = await directory.members('owner')
  await storeSnapshots(hand, ada, { a: small(500), b: small(500), c: small(500), d: small(400) })
  upstream.answer = async () => offered(100)
  const { snapshot } = await remotes.register(ada.caller, asked, ORIGIN)
  upstream.answer = async () => offered(101)
  const refused = await failureOf(remotes.refresh(ada.caller, 'wiki'))
  t.match(refused, { code: 'snapshot_failed', message: /^The tools of The wiki \(101 tools, .*Remove another server/ })
  t.same((await remotes.find(ada.orgId, 'wiki'))?.snapshot, snapshot)

  await remotes.setHidden(ada.orgId, 'd', true, 'operator')
  clock.advance(COOLDOWN_MS)
  t.equal((await accepted(ada.caller, 'wiki')).remote.snapshot?.tools.length, 101, 'hiding makes room')
  t.match(await failureOf(remotes.setHidden(ada.orgId, 'd', false, 'operator')), {
    code: 'invalid_request',
    message: /^The tools of D \(400 tools, .* do not fit .* Then show D\.$/,
  })
  t.equal((await remotes.find(ada.orgId, 'd'))?.registration.hidden, true)
  await remotes.remove(ada.caller, 'a')
  await remotes.setHidden(ada.orgId, 'd', false, 'operator')
  t.same(listedOf(await remotes.list(ada.orgId)), { b: 500, c: 500, d: 400, wiki: 101 }, 'so does removing')
})

t.test('concurrent snapshots cannot exceed the limit together', async t => {
  const { remotes, directory, hand, upstream } = remoteFixture(t, database)
  const [ada] = await directory.members('owner')
  await storeSnapshots(hand, ada, { a: small(500), b: small(500), c: small(500), d: small(300), e: small(0) })
  const slugs = ['one', 'two', 'three', 'four']
  upstream.answer = async () => offered(80)
  const { hash } = await remotes.refresh(ada.caller, 'e', { preview: true })
  let waiting = 0
  const all = Promise.withResolvers<void>()
  upstream.answer = async () => {
    waiting++
    if (waiting === slugs.length) all.resolve()
    await all.promise
    return offered(80)
  }
  const registered = slugs.map(slug => remotes.register(ada.caller, { ...asked, slug }, ORIGIN))
  await Promise.allSettled([...registered, remotes.refresh(ada.caller, 'e', { accept: hash })])
  const listed = Object.values(listedOf(await remotes.list(ada.orgId)))
  const sum = listed.reduce<number>((sum, count) => sum + (count === 'none' ? 0 : count), 0)
  t.equal(sum, 1_960, 'two of five have found room')
})

t.test('above the limit, the oldest registrations are listed first, and their tools by name', async t => {
  const { remotes, directory, hand, upstream, clock, accepted } = remoteFixture(t, database)
  const [ada] = await directory.members('owner')
  await storeSnapshots(hand, ada, { z: small(500), y: small(500), c: small(900), b: small(500), a: small(10) })
  const listed = { z: 500, y: 500, c: 900, b: 100, a: 0 }
  t.same(listedOf(await remotes.list(ada.orgId)), listed)
  t.equal((await remotes.find(ada.orgId, 'b'))?.leftOut, 400, 'read by itself too')
  const said = async (name: string) => explainRemoteTool(await remotes.list(ada.orgId), name, commands)
  t.match(await said('org__b__tool_099'), { entry: { name: 'org__b__tool_099' } })
  const full = {
    reason: 'surface_full',
    explanation: /^The last 400 tools of B are not listed: .* 2,000 tools and 8 MiB/,
  }
  t.match(await said('org__b__tool_100'), full)
  const [b] = (await remotes.list(ada.orgId)).filter(({ registration }) => registration.slug === 'b')
  t.match(b && managedRemote(b, { caller: ada.caller, origin: ORIGIN }, commands), {
    description: /The last 400 tools of B are not listed/,
    next_step: full.explanation,
    remote: { tool_count: 500 },
  })

  upstream.answer = async () => offered(500)
  t.match(await failureOf(remotes.refresh(ada.caller, 'b')), { code: 'snapshot_failed' })
  clock.advance(COOLDOWN_MS)
  upstream.answer = async () => offered(200)
  await accepted(ada.caller, 'b')
  t.same(listedOf(await remotes.list(ada.orgId)), { ...listed, b: 100 }, 'a snapshot that makes it smaller is taken')
  await remotes.setHidden(ada.orgId, 'c', true, 'operator')
  t.same(listedOf(await remotes.list(ada.orgId)), { z: 500, y: 500, c: 900, b: 200, a: 10 }, 'and hiding makes room')
})

t.test('the list contains at most 8 MiB of large tools', async t => {
  const { remotes, directory, hand } = remoteFixture(t, database)
  const [ada] = await directory.members('owner')
  const tools = largeTools(60, 32 * 1024)
  await storeSnapshots(hand, ada, { a: tools, b: tools, c: tools, d: tools, e: tools, f: [pinned('tiny')] })
  const all = await remotes.list(ada.orgId)
  t.match(listedOf(all), { a: 60, b: 60, c: 60, d: 60, f: 0 })
  const entries = all.flatMap(({ registration, snapshot, leftOut = 0 }) =>
    (snapshot?.tools.slice(0, snapshot.tools.length - leftOut) ?? []).map(tool => toToolEntry(registration, tool)),
  )
  const sizes = entries.map(entry => Buffer.byteLength(JSON.stringify(entry)))
  const bytes = sizes.reduce((sum, size) => sum + size)
  t.ok(bytes <= 8 * MEBIBYTE, `${bytes} bytes`)
  t.ok(bytes + (sizes[0] ?? 0) > 8 * MEBIBYTE, 'another tool does not fit')
})
