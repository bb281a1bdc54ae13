import t from 'tap'
import { faultProxy } from '../fixtures/fault-proxy.ts'
import { remoteJourney } from '../fixtures/remote-journey.ts'
import { legacyServer } from '../upstreams/legacy-server.ts'

const SECOND = 1_000

/** Returns the code and message of a call's error; `ok` for a result. */
function outcomeOf({ isError, content }: Record<string, unknown>) {
  if (isError !== true) return { code: 'ok', message: '' }
  const [{ text = '' } = {}] = content as { text?: string }[]
  return (JSON.parse(text) as { error: { code: string; message: string } }).error
}

t.test('a registered MCP server is down: its tools say so, and the pinned tools stay', async t => {
  const server = await legacyServer(t)
  const proxy = await faultProxy(t, server.url)
  const { owner, member, clock } = await remoteJourney(t)
  const other = await legacyServer(t)
  const { status, remote } = await owner.register('wiki', proxy.url)
  await owner.register('other', other.url)
  t.equal(status, 'connected')
  const call = async (name: string) => outcomeOf(await member.call(name, { text: 'x' }))
  t.same(await call('org__wiki__text'), { code: 'ok', message: '' })

  await proxy.down()
  for (let calls = 0; calls < 4; calls++)
    t.match(await call('org__wiki__text'), { code: 'upstream_unavailable', message: /The wiki is unreachable/ })
  t.match(await owner.refresh('wiki'), { status: 422, body: { error: 'snapshot_failed' } })
  t.match(await call('org__wiki__text'), {
    code: 'upstream_unavailable',
    message: /does not call it for now\. Wait \d+ s/,
  })
  t.match(await call('org__other__text'), { code: 'ok' })
  const { status: after, remote: kept } = await owner.read('wiki')
  t.same([after, kept.full_schema_hash], ['connected', remote.full_schema_hash])
  t.equal((await member.tools('wiki')).length, remote.tool_count)

  await proxy.heal()
  clock.advance(15 * SECOND)
  t.match(await call('org__wiki__text'), { code: 'ok' })
  t.match(await owner.refresh('wiki'), { status: 200 })
})

t.test('a registered MCP server is slow or frozen: its tools wait at most 50 s', async t => {
  const server = await legacyServer(t)
  const proxy = await faultProxy(t, server.url)
  const { owner, member } = await remoteJourney(t)
  const { remote } = await owner.register('wiki', proxy.url)
  const call = async () => outcomeOf(await member.call('org__wiki__text', { text: 'x' }))
  proxy.latency(1_000)
  t.match(await call(), { code: 'ok' }, 'slow')
  proxy.blackhole()
  const started = performance.now()
  const [refused, refreshed] = await Promise.all([call(), owner.refresh('wiki')])
  t.ok(performance.now() - started < 52 * SECOND)
  t.match(refused, { code: 'timeout', message: /The call may have been executed/ })
  t.match(refreshed, { status: 422, body: { error: 'snapshot_failed' } })
  t.equal((await owner.read('wiki')).remote.full_schema_hash, remote.full_schema_hash)
  await proxy.heal()
  proxy.reset()
  t.match(await call(), { code: 'ok' })
})
