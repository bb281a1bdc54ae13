import t from 'tap'
import { cpuMs } from './fixtures/elapsed.ts'
import { bytesInUse } from './fixtures/heap.ts'
import { remoteJourney } from './fixtures/remote-journey.ts'
import { sample } from './fixtures/sample.ts'
import { HIDDEN, isClear, isClearError } from './upstreams/clear-error.ts'
import { ANSWER_MODES, type HostileMode, hostileServer, LIST_MODES, WAITING_MODES } from './upstreams/hostile-server.ts'
import { legacyServer } from './upstreams/legacy-server.ts'

const MEBIBYTE = 1024 * 1024
/** Far below every deadline, so that a test shows that a call ended by itself. */
const AT_ONCE_MS = 15_000

const { team } = await remoteJourney(t)

const slugOf = (mode: HostileMode) => `h-${[...ANSWER_MODES, ...LIST_MODES].indexOf(mode as never)}`

interface Error422 {
  error: string
  message: string
}

t.test('a faulty answer yields one clear error, and the snapshot stays', async t => {
  const { owner, member } = await team()
  const before = await bytesInUse()

  for (const mode of sample(
    ANSWER_MODES.filter(mode => !WAITING_MODES.includes(mode)),
    2,
  ))
    await t.test(mode, async t => {
      const server = await hostileServer(t)
      const slug = slugOf(mode)
      const { remote } = await owner.register(slug, server.url)
      const startedAt = performance.now()

      server.mode = mode
      isClearError(t, await member.call(`org__${slug}__look`), 'the call')
      t.equal(server.asked('tools/call'), 1, 'the call was sent once')

      const { status, body } = await owner.refresh(slug)
      t.equal(status, 422)
      t.equal((body as unknown as Error422).error, 'snapshot_failed')
      isClear(t, (body as unknown as Error422).message, 'the refresh')
      t.ok(performance.now() - startedAt < AT_ONCE_MS, 'both ended quickly')

      t.equal((await member.read(slug)).remote.full_schema_hash, remote.full_schema_hash)
      t.same(
        (await member.tools(slug)).map(({ name }) => name),
        [`org__${slug}__look`],
      )
      t.ok(
        server.requests.every(({ url }) => url === '/mcp'),
        'no redirect was followed',
      )
      await owner.http('DELETE', `/connectors/org/${slug}`)
    })

  t.ok((await bytesInUse()) - before < 32 * MEBIBYTE, 'the faulty data does not stay in memory')
})

t.test('a faulty list loses its faulty tools, or the old snapshot stays', async t => {
  const { owner, member } = await team()
  const before = await bytesInUse()
  const refused: HostileMode[] = ['endless cursor', 'repeated cursor', 'invalid cursor', 'no list at all']

  for (const mode of sample(
    LIST_MODES.filter(mode => mode !== 'an empty list'),
    2,
  ))
    await t.test(mode, async t => {
      const server = await hostileServer(t)
      const slug = slugOf(mode)
      await owner.register(slug, server.url)
      server.mode = mode
      const startedAt = performance.now()
      const { status, body } = await owner.refreshAndAccept(slug)
      t.ok(performance.now() - startedAt < AT_ONCE_MS, 'it ended quickly')
      if (status !== 200 || refused.includes(mode)) {
        t.equal(status, 422)
        isClear(t, (body as unknown as Error422).message, 'the refresh')
      }

      const { remote } = await owner.read(slug)
      for (const { reason, original_name } of remote.set_aside ?? []) {
        isClear(t, reason, `the reason for ${original_name.slice(0, 40)}`)
        t.notMatch(original_name, HIDDEN)
      }
      const tools = await member.tools(slug)
      t.equal(new Set(tools.map(({ name }) => name)).size, tools.length, 'names are unique')
      for (const { name, title, description } of tools) {
        if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) t.fail(`${name} is not a wire name`)
        if (HIDDEN.test(`${title ?? ''}${description}`.replaceAll('\n', ''))) t.fail(`${name} has hidden characters`)
      }
      const look = remote.tools.find(tool => tool.original_name === 'look')?.name ?? ''
      t.match(await member.call(look), { content: [{ text: 'fine' }] }, 'the valid tool works')
      t.ok(
        server.requests.every(({ url }) => url === '/mcp'),
        'nothing was fetched from another host',
      )
      t.equal(({} as Record<string, unknown>).polluted, undefined)
      await owner.http('DELETE', `/connectors/org/${slug}`)
    })

  t.ok((await bytesInUse()) - before < 32 * MEBIBYTE, 'the faulty data does not stay in memory')
})

t.test('an upstream’s risky changes are served only after an admin has accepted them', async t => {
  const { owner, member } = await team()
  const server = await hostileServer(t, 'rug pull')
  const { remote: pinned } = await owner.register('rug', server.url)
  t.match(await member.tools('rug'), [{ description: /^Looks\.\n/, inputSchema: { required: undefined } }])
  t.match(await member.call('org__rug__look'), { content: [{ text: 'fine' }] })
  const { status, body } = await owner.refresh('rug')
  t.equal(status, 200)
  t.match(body, {
    changes: { added: [], removed: [], renamed: [], changed: [{ name: 'org__rug__look', risky: true }] },
  })
  t.equal((await owner.read('rug')).remote.full_schema_hash, pinned.full_schema_hash)
  t.match(await member.tools('rug'), [{ description: /^Looks\.\n/ }])
  const accept = (body as { full_schema_hash?: string }).full_schema_hash
  t.match(await owner.http('POST', '/connectors/org/rug/refresh', { accept }), { status: 200, body: { applied: true } })
  const { remote } = await owner.read('rug')
  t.not(remote.full_schema_hash, pinned.full_schema_hash)
  t.match(await member.tools('rug'), [{ inputSchema: { required: ['password'] } }])
})

t.test('tools with the same sanitized name are both callable', async t => {
  const { owner, member } = await team()
  const server = await hostileServer(t, 'name collisions')
  const { remote } = await owner.register('names', server.url)
  t.ok(remote.tools.length > 5)
  for (const { name, original_name } of remote.tools) {
    await member.call(name)
    const { params } = JSON.parse(server.requests.at(-1)?.body ?? '{}')
    t.equal(params.name, original_name)
  }
})

t.test('hostile patterns and schemas are validated quickly', async t => {
  const { owner, member } = await team()
  const server = await hostileServer(t, 'ReDoS')
  await owner.register('slow', server.url)
  const published = new Set((await member.tools('slow')).map(({ name }) => name))
  const text = `${'a'.repeat(40)}!`
  const took = await cpuMs(async () => {
    for (const [name, args] of [
      ['org__slow__slow_pattern', { text }],
      ['org__slow__slow_names', { [text]: 1 }],
      ['org__slow__unique', { list: Array.from({ length: 3000 }, (_, n) => ({ a: n })) }],
    ] as const)
      if (published.has(name)) await member.call(name, args)
  })
  t.ok(published.size > 1, 'some tools with a pattern are published')
  t.ok(took < 3000, `${took} ms`)
})

t.test('a result cannot pollute prototypes', async t => {
  const { owner, member } = await team()
  const server = await hostileServer(t)
  await owner.register('proto', server.url)
  server.mode = '__proto__ in results'
  const result = await member.call('org__proto__look')
  t.equal(({} as Record<string, unknown>).polluted, undefined)
  t.notMatch(JSON.stringify(result), '__proto__')
})

t.test('a session that dies immediately is reopened at most once per call', async t => {
  const { owner, member } = await team()
  const server = await hostileServer(t)
  await owner.register('sessions', server.url)
  server.mode = 'sessions that die at once'
  isClearError(t, await member.call('org__sessions__look'), 'the call')
  t.ok(server.asked('initialize') <= 2)
  t.ok(server.asked('tools/call') <= 2)
})

t.test('hanging calls to one upstream neither accumulate nor delay another', async t => {
  const { owner, member } = await team()
  const hanging = await hostileServer(t)
  const good = await legacyServer(t, { sessions: false, answers: 'json' })
  await owner.register('hanging', hanging.url)
  await owner.register('good', good.url)
  const text = async () => {
    const startedAt = performance.now()
    t.match(await member.call('org__good__text', { text: 'x' }), { content: [{ type: 'text' }] })
    return performance.now() - startedAt
  }
  for (let n = 0; n < 20; n++) await text()
  const before = median(await times(text))

  hanging.mode = 'never answers'
  const hung = Array.from({ length: 200 }, () => member.call('org__hanging__look'))
  const during = median(await times(text))
  t.ok(during < before * 4 + 20, `${during.toFixed(1)} ms with hanging calls, ${before.toFixed(1)} ms without`)
  t.ok(hanging.asked('tools/call') < 200, 'some calls were not sent')
  hanging.mode = undefined
  hanging.cut()
  for (const result of await Promise.all(hung)) {
    if (result.isError === true) isClearError(t, result, 'a hung call')
  }
})

async function times(work: () => Promise<number>): Promise<number[]> {
  const taken: number[] = []
  for (let n = 0; n < 40; n++) taken.push(await work())
  return taken
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
