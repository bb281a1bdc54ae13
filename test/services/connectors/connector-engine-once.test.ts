import { createServer } from 'node:net'
import t, { type Test } from 'tap'
import { EgressError } from '../../../lib/egress/egress.ts'
import { egressFailure } from '../../../services/connectors/engine/answer/provider-error.ts'
import type { Credential } from '../../../services/credentials/credential.ts'
import { done, pick } from '../../../services/definitions/http-tool.ts'
import type { HttpTool } from '../../../services/definitions/http-tool-types.ts'
import { adds } from '../../../services/definitions/tool.ts'
import { createIdempotency } from '../../../services/idempotency/idempotency.ts'
import { testDatabase } from '../../fixtures/database.ts'
import { directoryOn } from '../../fixtures/directory.ts'
import { testClock } from '../../fixtures/fixture.ts'
import { RESULT_LIMITS } from '../../fixtures/settings.ts'
import {
  connectorOf,
  engine,
  failureOf,
  oauth2,
  probe,
  type Reply,
  recordingUpstream,
  secret,
  tool,
} from './connector-engine-fixture.ts'

const post = { method: 'POST', path: '/things' } as const
const writing = (more: Partial<HttpTool> = {}) => tool({}, { annotations: adds, request: post, ...more })
const reading = tool({}, { request: { ...post, method: 'GET' } })
const idempotency = { header: 'Idempotency-Key' }

/** An origin that closes each connection after it received a request. */
async function cutting(t: Test): Promise<string> {
  const server = createServer(socket => socket.on('error', () => {}).once('data', () => socket.destroy()))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

t.test('only a write with an unknown outcome is unsettled', async t => {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t, { deadlineMs: 1_000 })
  const patient = engine(t)
  const outcome = async (running: Promise<unknown>) => {
    const { code, unsettled, message } = await failureOf(running)
    t.equal(/check before you retry/.test(message), unsettled && !/the requested item/.test(message), message)
    return [code, unsettled]
  }
  const answered = async (reply: Reply | undefined, tool = writing()) => {
    upstream.reply = () => reply
    // Only calls without an answer need the short deadline.
    return outcome((reply === undefined ? run : patient.run)(connectorOf(upstream.origin, tool)))
  }
  t.same(await answered(undefined), ['timeout', true])
  for (const status of [408, 500, 502, 503]) t.same(await answered({ status }), ['upstream_unavailable', true])
  t.same(await answered({ body: 'no JSON' }), ['upstream_unavailable', true])
  t.same(await answered({ body: {} }, writing({ result: pick('/data', []) })), ['upstream_rejected', true])
  t.same(await answered({ body: `["${'x'.repeat(5_000_000)}"]` }), ['upstream_rejected', true])
  t.same(await outcome(patient.run(connectorOf(await cutting(t), writing()))), ['upstream_unavailable', true])
  const controller = new AbortController()
  upstream.reply = () => {
    setImmediate(() => controller.abort())
    return undefined
  }
  const given = patient.run(connectorOf(upstream.origin, writing()), {}, { signal: controller.signal })
  t.same(await outcome(given), ['timeout', true])

  for (const status of [302, 400, 403, 404, 422]) t.same(await answered({ status }), ['upstream_rejected', false])
  t.same(await answered({ status: 429 }), ['upstream_rate_limited', false])
  t.same(await answered({ status: 401 }), ['needs_reauth', false])
  for (const origin of ['http://127.0.0.1:9', 'http://10.0.0.1'])
    t.same(await outcome(patient.run(connectorOf(origin, writing()))), ['upstream_unavailable', false], 'never sent')
  const early = patient.run(connectorOf(upstream.origin, writing()), {}, { signal: AbortSignal.abort() })
  t.same(await outcome(early), ['timeout', false], 'aborted before it was sent')
  t.same(await answered(undefined, reading), ['timeout', false])
  t.same(await answered({ status: 500 }, reading), ['upstream_unavailable', false])
})

t.test('a call that exceeds its organization’s concurrency is not sent, and its error says when to retry', async t => {
  const connector = { name: 'Sample' }
  const error = egressFailure({ connector, writes: true }, new EgressError('overloaded', 'Not asked.', { sent: false }))
  const details = { retry_after: 5 }
  t.match(error, {
    code: 'upstream_rate_limited',
    unsettled: false,
    retryAfter: 5,
    details,
    message: /Your organization/,
  })
})

t.test(
  'a provider that accepts idempotency keys receives the call’s own key, and handles repetitions itself',
  async t => {
    const upstream = await recordingUpstream(t)
    const { run } = engine(t)
    const idempotencyDigest = secret()
    const keyOf = async (tool: HttpTool, more: object = { idempotency }, options = { idempotencyDigest }) => {
      upstream.reply = () => ({ body: {} })
      await run(connectorOf(upstream.origin, tool, more), {}, options)
      return upstream.received.at(-1)?.headers['idempotency-key']
    }
    t.equal(await keyOf(writing()), idempotencyDigest)
    t.equal(await keyOf(writing(), { idempotency: { ...idempotency, paths: ['/things'] } }), idempotencyDigest)
    t.equal(await keyOf(writing(), { idempotency: { ...idempotency, paths: ['/thing'] } }), undefined)
    t.equal(await keyOf(writing(), {}), undefined)
    t.equal(await keyOf(writing({ request: { ...post, method: 'DELETE' }, result: done('Gone.') })), undefined)
    t.equal(await keyOf(reading), undefined)
    upstream.reply = () => ({ body: {} })
    await run(connectorOf(upstream.origin, writing(), { idempotency }))
    t.notOk('idempotency-key' in (upstream.received.at(-1)?.headers ?? {}), 'a call without a key')

    upstream.reply = () => ({ status: 500 })
    const keyed = connectorOf(upstream.origin, writing(), { idempotency })
    const error = await failureOf(run(keyed, {}, { idempotencyDigest }))
    t.match(error, { code: 'upstream_unavailable', unsettled: false, message: /the same idempotency key/ })
    t.match(await failureOf(run(keyed)), { unsettled: true, message: /check before/ })
  },
)

t.test('under one idempotency key, a write arrives once, or with one key of the provider', async t => {
  const upstream = await recordingUpstream(t)
  const { db } = await testDatabase(t)
  const { run } = engine(t, { deadlineMs: 1_000 })
  const clock = testClock()
  const [{ caller }] = await directoryOn(db, clock).members('member')
  const { once } = createIdempotency({ db, clock, limits: RESULT_LIMITS })
  const codes: unknown[] = []
  const call = async (key: string, more: object, options: { idempotencyDigest?: string }) => {
    const connector = connectorOf(upstream.origin, writing(), more)
    const asked = { orgId: caller.orgId, holder: caller.userId, tool: 'sample__try_it', key, args: {} }
    await once(asked, () => run(connector, {}, options)).catch(({ code }) => codes.push(code))
  }
  upstream.reply = () => undefined
  for (let times = 0; times < 2; times++) await call('first', {}, {})
  t.same(codes.splice(0), ['timeout', 'idempotency_conflict'])
  t.equal(upstream.received.length, 1)
  const idempotencyDigest = secret()
  for (let times = 0; times < 2; times++) await call('second', { idempotency }, { idempotencyDigest })
  t.same(codes, ['timeout', 'timeout'])
  t.same(
    upstream.received.slice(1).map(({ headers }) => headers['idempotency-key']),
    [idempotencyDigest, idempotencyDigest],
  )
})

t.test('a 401 counts against the token that was sent, but not after a redirect without it', async t => {
  const upstream = await recordingUpstream(t)
  const elsewhere = await recordingUpstream(t)
  const { run, refused, shares } = engine(t)
  const auth = oauth2({ quirks: { userToken: '/user' }, userScopes: { search: 'Search.' } })
  const connector = connectorOf(upstream.origin, reading, { auth, identity: probe })
  const credential: Credential = { v: 1, kind: 'oauth2', accessToken: secret(), user: { accessToken: secret() } }
  upstream.reply = () => ({ status: 401 })
  t.equal((await failureOf(run(connector, {}, { credential }))).code, 'needs_reauth')
  const asUser = { ...connector, tools: [tool({}, { request: reading.request, as: 'user' })] }
  t.equal((await failureOf(run(asUser, {}, { credential }))).code, 'needs_reauth')
  t.same(refused, ['own', 'user'])

  elsewhere.reply = () => ({ status: 302, headers: { location: `${upstream.origin}/back` } })
  upstream.reply = ({ url, headers }) =>
    url === '/back' && headers.authorization === undefined
      ? { status: 401 }
      : { status: 302, headers: { location: `${elsewhere.origin}/away` } }
  t.equal((await failureOf(run(connector, {}, { credential }))).code, 'upstream_rejected')
  t.equal(refused.length, 2)
  t.same(new Set(shares), new Set(['org_1']), 'each request counts toward the concurrency of its organization')
})
