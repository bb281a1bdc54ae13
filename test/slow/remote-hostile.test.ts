import t from 'tap'
import { bytesInUse } from '../fixtures/heap.ts'
import { remoteJourney } from '../fixtures/remote-journey.ts'
import { isClear, isClearError } from '../upstreams/clear-error.ts'
import { type HostileMode, hostileServer, WAITING_MODES } from '../upstreams/hostile-server.ts'

const { team, clock } = await remoteJourney(t)

const MEBIBYTE = 1024 * 1024
/** The deadline of a remote tool's call, then a margin for a busy machine. */
const DEADLINE_MS = 50_000
const SLACK_MS = 5_000

t.test('a slow upstream delays a call at most until the deadline and keeps its snapshot', async t => {
  const { owner, member } = await team()
  const servers = await Promise.all(WAITING_MODES.map(() => hostileServer(t)))
  const hashes: (string | null)[] = []
  for (const [n, { url }] of servers.entries())
    hashes.push((await owner.register(`h-${n}`, url)).remote.full_schema_hash)
  for (const [n, server] of servers.entries()) server.mode = WAITING_MODES[n]

  await Promise.all(
    WAITING_MODES.map(async (mode, n) => {
      const startedAt = performance.now()
      const took = () => performance.now() - startedAt
      await Promise.all([
        member.call(`org__h-${n}__look`).then(result => {
          t.ok(took() < DEADLINE_MS + SLACK_MS, `${mode}: the call took ${took()} ms`)
          isClearError(t, result, `${mode}: the call`)
        }),
        owner.refresh(`h-${n}`).then(({ status, body }) => {
          t.ok(took() < DEADLINE_MS + SLACK_MS, `${mode}: the refresh took ${took()} ms`)
          t.equal(status, 422, mode)
          isClear(t, body.message, `${mode}: the refresh`)
        }),
      ])
      t.equal((await member.read(`h-${n}`)).remote.full_schema_hash, hashes[n], mode)
    }),
  )
})

const FLOODS: readonly HostileMode[] = [
  'gzip bomb',
  'endless body',
  'one endless event',
  'endless stream of events',
  'nested 10,000 deep',
  'a million elements',
  '12 MiB of text',
  'an error that gives orders',
]

t.test('100 floods of each kind leak no memory', async t => {
  const { owner, member } = await team()
  for (const [n, mode] of FLOODS.entries()) {
    const server = await hostileServer(t)
    await owner.register(`f-${n}`, server.url)
    server.mode = mode
    await member.call(`org__f-${n}__look`)
    const before = await bytesInUse()
    for (let calls = 0; calls < 100; calls++) {
      clock.advance(60_000) // past the time that the breaker stays open
      await member.call(`org__f-${n}__look`)
    }
    t.equal(server.asked('tools/call'), 101, `${mode}: the upstream received every call`)
    const grown = (await bytesInUse()) - before
    t.ok(grown < 8 * MEBIBYTE, `${mode}: ${(grown / MEBIBYTE).toFixed(1)} MiB`)
  }
})
