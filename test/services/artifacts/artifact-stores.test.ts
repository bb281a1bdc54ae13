import { randomBytes, randomUUID } from 'node:crypto'
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import type { ArtifactStore, StoredFile } from '../../../services/artifacts/artifact-store.ts'
import { createDiskStore } from '../../../services/artifacts/disk-store.ts'
import { createS3Store } from '../../../services/artifacts/s3-store.ts'
import { loadConfig } from '../../../services/settings/load.ts'
import { startS3 } from '../../fixtures/s3-double.ts'

const MIB = 1024 ** 2

async function s3(t: Test, options: { pageSize?: number } = {}) {
  const double = await startS3({ directory: join(t.testdir(), 's3'), ...options })
  t.teardown(double.close)
  return { double, store: createS3Store(double.settings) }
}

const STORES: Record<string, (t: Test) => Promise<ArtifactStore>> = {
  disk: async t => createDiskStore(join(t.testdir(), 'artifacts')),
  S3: async t => (await s3(t)).store,
}

function newName(): string {
  return `art_${randomUUID().replaceAll('-', '')}`
}

async function filesIn(store: ArtifactStore): Promise<StoredFile[]> {
  const files: StoredFile[] = []
  for await (const file of store.list()) files.push(file)
  return files
}

async function namesIn(store: ArtifactStore): Promise<string[]> {
  return (await filesIn(store)).map(({ name }) => name).toSorted()
}

function contentOf(bytes: Buffer): Readable {
  return Readable.from([bytes.subarray(0, 10), bytes.subarray(10)].filter(part => part.length > 0))
}

async function* failing(bytes: number): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < bytes; sent += MIB) yield randomBytes(Math.min(MIB, bytes))
  throw new Error('the provider hung up')
}

for (const [kind, open] of Object.entries(STORES)) {
  t.test(`${kind}: a stored file is read whole and in ranges, listed, and removed`, async t => {
    const store = await open(t)
    t.same(await namesIn(store), [])
    t.equal(await store.removePartial(Date.now()), 0)
    for (const size of [0, 1, 100_000, 20 * MIB + 7]) {
      const name = newName()
      t.equal(await store.has(name), false)
      t.equal(await store.read(name), undefined)
      const bytes = randomBytes(size)
      await store.write(name, contentOf(bytes))
      t.equal(await store.has(name), true)
      t.ok((await buffer((await store.read(name)) ?? Readable.from([]))).equals(bytes), `${size} bytes`)
      for (const [start, end] of [
        [0, 0],
        [5, 700],
        [size - 1, size - 1],
        [0, size - 1],
      ] as const) {
        if (start < 0 || end < start || end >= size) continue
        const part = await buffer((await store.read(name, { start, end })) ?? Readable.from([]))
        t.ok(part.equals(bytes.subarray(start, end + 1)), `${start}-${end}`)
      }
      const [listed] = await filesIn(store)
      t.equal(listed?.name, name)
      t.ok(Math.abs(Date.now() - (listed?.modifiedAt ?? 0)) < 60_000)
      await store.remove([name, newName()])
      t.equal(await store.has(name), false)
      t.same(await namesIn(store), [])
    }
  })

  t.test(`${kind}: a stream that fails or is aborted leaves nothing, and its own error`, async t => {
    const store = await open(t)
    for (const size of [1_000, 20 * MIB]) {
      await t.rejects(store.write(newName(), failing(size)), { message: 'the provider hung up' })
      t.same(await namesIn(store), [])
    }
    const controller = new AbortController()
    const stalled = new Readable({ read() {} })
    stalled.on('error', () => {})
    stalled.push(randomBytes(9 * MIB))
    const waiting = store.write(newName(), stalled, controller.signal)
    setImmediate(() => {
      controller.abort(new Error('given up'))
      stalled.destroy(controller.signal.reason)
    })
    await t.rejects(waiting, { message: 'given up' })
    t.same(await namesIn(store), [])
    t.equal(await store.removePartial(Date.now() + 1), 0, 'not even a part')
  })
}

t.test('disk: what interrupted writes left is removed when it is old, and nothing else', async t => {
  const directory = t.testdir()
  const store = createDiskStore(directory)
  const old = [`${newName()}.part`, `${newName()}.part`]
  const kept = [newName(), `${newName()}.part`, 'README', 'other.part']
  for (const name of [...old, ...kept]) writeFileSync(join(directory, name), 'half')
  for (const name of [...old, 'README', 'other.part']) utimesSync(join(directory, name), 0, 0)
  t.equal(await store.removePartial(Date.now() - 60_000), 2)
  t.same(await namesIn(store), kept.slice(0, 1))
  t.equal(await store.removePartial(Date.now() - 60_000), 0)
})

t.test('S3: the parts of interrupted uploads are removed when they are old', async t => {
  const { double, store } = await s3(t)
  const { error } = double
  double.state.fail = method => (method === 'DELETE' ? error(500, 'InternalError') : undefined)
  await t.rejects(store.write(newName(), failing(10 * MIB)), { message: 'the provider hung up' })
  double.state.fail = undefined
  t.equal(double.partialUploads(), 1, 'as after a crash')
  t.equal(await store.removePartial(Date.now() - 60_000), 0)
  double.age(120_000)
  t.equal(await store.removePartial(Date.now() - 60_000), 1)
  t.equal(double.partialUploads(), 0)
  t.equal(double.stored(), 0)
})

t.test('S3: objects are listed over several pages, under the prefix, without foreign ones', async t => {
  const { double, store } = await s3(t, { pageSize: 3 })
  const names = Array.from({ length: 8 }, newName)
  for (const name of names) await store.write(name, Readable.from(['x']))
  for (const key of [`gateway/README`, `gateway/sub/${newName()}`, newName()]) double.put(key, 'not ours')
  t.same(await namesIn(store), names.toSorted())
  await store.remove(names)
  t.equal(double.keys().length, 3)
})

t.test('S3: a failure says what an operator checks, and shows no secret', async t => {
  const { double, store } = await s3(t)
  const { settings, error, state } = double
  const name = newName()
  await store.write(name, Readable.from(['x']))
  const refused = { code: 'internal_error', message: /cannot store files now.*ARTIFACTS_S3_BUCKET/ }
  const secret = settings.credentials.secretAccessKey
  const others = {
    'another key': createS3Store({ ...settings, credentials: { accessKeyId: 'AKIDOTHER', secretAccessKey: secret } }),
    'another bucket': createS3Store({ ...settings, bucket: 'missing' }),
    'no server': createS3Store({ ...settings, endpoint: 'http://127.0.0.1:1' }),
  }
  for (const [what, other] of Object.entries(others)) {
    const failure = await other.write(newName(), Readable.from(['x'])).then(
      () => undefined,
      (error: Error) => error,
    )
    t.match(failure, refused, what)
    t.notMatch(JSON.stringify(failure, Object.getOwnPropertyNames(failure ?? {})), secret)
    await t.rejects(other.read(name), refused, `${what}: not the same as a missing file`)
    await t.rejects(filesIn(other), refused, what)
  }
  let failures = 2
  state.fail = () => (failures-- > 0 ? error(503, 'SlowDown') : undefined)
  t.equal(await text((await store.read(name)) ?? Readable.from([])), 'x', 'a busy server is asked again')
})

t.test('S3: a download that is abandoned ends its connection', async t => {
  const { double, store } = await s3(t)
  const name = newName()
  await store.write(name, Readable.from([randomBytes(30 * MIB)]))
  const body = await store.read(name)
  await new Promise(resolve => body?.once('data', resolve))
  const before = await double.connections()
  body?.on('error', () => {})
  body?.destroy()
  // The test's own timeout ends what never closes.
  while ((await double.connections()) >= before) await new Promise(resolve => setImmediate(resolve))
  t.equal((await buffer((await store.read(name)) ?? Readable.from([]))).length, 30 * MIB)
})

t.test('S3: the access key of the environment is used', async t => {
  const { double } = await s3(t)
  const { bucket, region, endpoint, prefix, credentials } = double.settings
  const secret = randomBytes(32).toString('base64')
  const { artifactsS3 } = loadConfig({
    GATEWAY_ENV: 'staging',
    PUBLIC_ORIGINS: 'https://gateway.example',
    API_KEY_PEPPERS: `p1:${secret}`,
    VAULT_KEYS: `v1:${secret}`,
    ARTIFACTS_S3_BUCKET: bucket,
    ARTIFACTS_S3_REGION: region,
    ARTIFACTS_S3_ENDPOINT: endpoint,
    ARTIFACTS_S3_PREFIX: prefix,
    ARTIFACTS_S3_ACCESS_KEY_ID: credentials.accessKeyId,
    ARTIFACTS_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  })
  if (artifactsS3 === undefined) throw new TypeError('no bucket')
  const store = createS3Store(artifactsS3)
  const name = newName()
  await store.write(name, Readable.from(['x']))
  t.equal(await store.has(name), true)
})

t.test('S3: without configured credentials, those of AWS’s default chain are used', async t => {
  const { double } = await s3(t)
  const { credentials, ...settings } = double.settings
  const before = { ...process.env }
  t.teardown(() => {
    process.env = before
  })
  process.env.AWS_ACCESS_KEY_ID = credentials.accessKeyId
  process.env.AWS_SECRET_ACCESS_KEY = credentials.secretAccessKey
  const store = createS3Store({ ...settings, credentials: undefined })
  const name = newName()
  await store.write(name, Readable.from(['x']))
  t.equal(await store.has(name), true)
})
