import { randomBytes } from 'node:crypto'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { startS3 } from '../../fixtures/s3-double.ts'

// Own process: it checks what a process loads.

const loaded: string[] = []
registerHooks({
  resolve(specifier, context, next) {
    loaded.push(specifier)
    return next(specifier, context)
  },
})

const sdk = () => loaded.filter(specifier => specifier.startsWith('@aws-sdk/'))

/** An app whose files are in a bucket, and a member of it. */
async function fixture(t: Test, process: 'with a bucket' | 'without one' = 'with a bucket') {
  const { build } = await import('../../fixtures/build.ts')
  const root = t.testdir()
  const s3 = await startS3({ directory: join(root, 's3') })
  t.teardown(s3.close)
  const settings = {
    dataDir: join(root, 'data'),
    artifactsS3: process === 'without one' ? undefined : s3.settings,
  }
  const { app, services, clock, directory } = await build(t, { settings })
  const [{ orgId, userId }] = await directory.members('member')
  const { artifacts } = services
  const store = async (content: Buffer | string | Readable) => {
    const body = content instanceof Readable ? content : Readable.from([Buffer.from(content)])
    const artifact = await artifacts.create({ orgId, userId, name: 'report.txt', body })
    const { pathname, search } = new URL(artifacts.urlOf(artifact, 'http://localhost'))
    return { ...artifact, path: pathname + search }
  }
  return { s3, app, services, clock, store }
}

t.test('a process without a bucket does not load the SDK, and one with a bucket only for the first file', async t => {
  const plain = await fixture(t, 'without one')
  const stored = await plain.store('text')
  t.equal((await plain.app.inject(stored.path)).body, 'text')
  await plain.services.jobs.runDue()
  const { store } = await fixture(t)
  t.ok(loaded.includes('kysely'))
  t.same(sdk(), [])
  await store('text')
  t.ok(sdk().includes('@aws-sdk/client-s3'))
})

t.test(
  'files of a bucket are served by the gateway: whole, in ranges, on conditions, and not after they are gone',
  async t => {
    const { s3, app, store } = await fixture(t)
    const bytes = randomBytes(20_000_000)
    const { path } = await store(bytes)
    t.same(s3.keys().length, 1)
    const whole = await app.inject(path)
    t.equal(whole.statusCode, 200)
    t.ok(whole.rawPayload.equals(bytes))
    const part = await app.inject({ url: path, headers: { range: 'bytes=9000000-9000099' } })
    t.match([part.statusCode, part.headers['content-range']], [206, 'bytes 9000000-9000099/20000000'])
    t.ok(part.rawPayload.equals(bytes.subarray(9_000_000, 9_000_100)))
    const before = s3.log.length
    const etag = String(whole.headers.etag)
    for (const [headers, status] of [
      [{ range: 'bytes=20000000-' }, 416],
      [{ 'if-none-match': etag }, 304],
      [{ 'if-match': '"other"' }, 412],
    ] as const)
      t.equal((await app.inject({ url: path, headers })).statusCode, status)
    t.equal((await app.inject(`${path}0`)).statusCode, 404)
    t.equal(s3.log.length, before, 'S3 is not asked')
    const head = await app.inject({ method: 'HEAD', url: path })
    t.same([head.statusCode, head.headers['content-length'], head.body], [200, '20000000', ''])
    t.match(s3.log.at(-1), /^HEAD gateway\/art_/)
    t.equal((await app.inject((await store('')).path)).body, '', 'an empty file too')

    for (const failing of [true, false]) {
      s3.state.fail = () => (failing ? s3.error(403, 'AccessDenied') : s3.error(404, 'NoSuchKey'))
      for (const method of ['GET', 'HEAD'] as const) {
        const { statusCode, body } = await app.inject({ method, url: path })
        t.equal(statusCode, failing ? 500 : 404)
        t.notMatch(body, /gateway\/art_|AccessDenied/)
      }
    }
  },
)

t.test('a client that disconnects ends the transfer from S3', async t => {
  const { s3, app, store } = await fixture(t)
  const { path } = await store(randomBytes(40_000_000))
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const idle = await s3.connections()
  const response = await fetch(`${origin}${path}`)
  await response.body?.cancel()
  // The test's own timeout ends what never closes.
  while ((await s3.connections()) >= idle) await new Promise(resolve => setImmediate(resolve))
  t.pass()
})

t.test('expired files, objects without a row and old parts are removed from the bucket', async t => {
  const { s3, services, clock, store } = await fixture(t)
  await services.jobs.runDue()
  await store('text')
  s3.put(`gateway/art_${'a'.repeat(32)}`, 'its row was never written')
  s3.put('gateway/README', 'not ours')
  s3.state.fail = method => (method === 'DELETE' ? s3.error(500, 'InternalError') : undefined)
  const failing = (async function* () {
    yield randomBytes(10_000_000)
    throw new Error('the provider hung up')
  })()
  await t.rejects(store(Readable.from(failing)))
  s3.state.fail = undefined
  t.equal(s3.partialUploads(), 1)
  await services.jobs.runDue()
  t.equal(s3.keys().length, 3, 'recent ones may still be written')
  clock.advance(25 * 3_600_000)
  await services.jobs.runDue()
  t.same(s3.keys(), ['gateway/README'])
  t.equal(s3.partialUploads(), 0)
})

t.test('a failing bucket is a clear error, and nothing is left', async t => {
  const { s3, store } = await fixture(t)
  s3.state.fail = () => s3.error(403, 'AccessDenied')
  await t.rejects(store('text'), {
    code: 'internal_error',
    message: /^This gateway cannot store files now.*ARTIFACTS_S3/,
  })
  s3.state.fail = undefined
  t.same(s3.keys(), [])
  t.ok(await store('text'))
})
