import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { type OpenDatabase, openDatabase } from '../../lib/database/open-database.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import { createJobs } from '../../lib/jobs/jobs.ts'
import { createDiskStore } from '../../services/artifacts/disk-store.ts'
import { defineArtifactExpiry } from '../../services/artifacts/expiry.ts'
import { silent, testDatabaseUrl, testDataDir, testPostgres } from '../fixtures/database.ts'
import { directoryOn, testIds } from '../fixtures/directory.ts'
import { testClock } from '../fixtures/fixture.ts'
import { startS3 } from '../fixtures/s3-double.ts'
import { startGateway } from './gateway-process.ts'
import { download, largeContent, MIB } from './large-files.ts'

const SIZE = 1024 * MIB
const EXTRA_MIB = 100

/** A process with the artifact store and a member's database. `open` opens the database after the process ended. */
async function fixture(t: Test, storage: 'disk' | 'S3' = 'disk') {
  const url = testDatabaseUrl === undefined ? undefined : await testPostgres(t, testDatabaseUrl)
  const dataDir = url === undefined ? await testDataDir(t) : ''
  const directory = mkdtempSync(join(tmpdir(), 'connector-gateway-artifacts-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  const s3 = storage === 'S3' ? await startS3({ directory }) : undefined
  t.teardown(() => s3?.close())
  const open = () => openDatabase({ postgres: url === undefined ? undefined : { url }, dataDir, log: silent })
  const database = await open()
  const [{ orgId, userId }] = await directoryOn(database.db, testClock(Date.now())).members('member')
  await database.close()
  const server = await startGateway(
    t,
    {
      ...(url !== undefined && { DATABASE_URL: url }),
      DATA_DIR: dataDir,
      ARTIFACTS: directory,
      ...(s3 && { S3: JSON.stringify(s3.settings) }),
      ORG: orgId,
      MEMBER: userId,
    },
    'test/slow/artifact-server.ts',
  )
  return { server, directory, orgId, open }
}

/** A server that sends `size` bytes, then waits for `end`. */
async function sender(t: Test, size: number, end?: () => Promise<void>) {
  const { blocks, sha256 } = largeContent(size)
  async function* body() {
    yield* blocks()
    await end?.()
  }
  const server = createServer((_request, response) => void pipeline(Readable.from(body()), response).catch(() => {}))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sha256 }
}

async function json<T>(url: string): Promise<T> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

const skip = skipped()
for (const storage of ['disk', 'S3'] as const)
  t.test(
    `${storage}: storing and downloading a file of 1 GiB needs at most 100 MiB of extra memory`,
    { skip },
    async t => {
      const { server } = await fixture(t, storage)
      const store = async (from: string) =>
        json<{ bytes: number; url: string }>(`${server.url}/in?from=${encodeURIComponent(from)}`)
      const memory = (query = '') => json<{ now: number; peak: number }>(`${server.url}/memory${query}`)
      // Loads the code first, so that its memory does not count.
      const small = await store((await sender(t, 20 * MIB)).url)
      await download(small.url)
      const source = await sender(t, SIZE)
      const before = await memory('?reset')

      const started = performance.now()
      const stored = await store(source.url)
      const between = await memory('?reset')
      const storedAt = performance.now()
      t.equal(stored.bytes, SIZE)
      t.same(await download(stored.url), { bytes: SIZE, sha256: source.sha256() })
      const after = await memory()

      const mib = (bytes: number) => Math.round((bytes - before.now) / MIB)
      const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
      t.comment(
        `${storage}, 1 GiB: in ${seconds(storedAt - started)}, at most ${mib(between.peak)} MiB extra; ` +
          `out ${seconds(performance.now() - storedAt)}, at most ${mib(after.peak)} MiB extra ` +
          `(${Math.round(before.now / MIB)} MiB before)`,
      )
      t.ok(mib(between.peak) < EXTRA_MIB, `in: ${mib(between.peak)} MiB`)
      t.ok(mib(after.peak) < EXTRA_MIB, `out: ${mib(after.peak)} MiB`)
    },
  )

function skipped(): string | false {
  if (!existsSync('/proc/self/clear_refs')) return 'only Linux reports the peak memory of a process'
  // The embedded database frees hundreds of MiB after its start, which would hide the memory that a file needs.
  return testDatabaseUrl === undefined && 'TEST_DATABASE_URL is not set'
}

t.test('a process that is killed while it stores a file leaves only what the expiry job removes', async t => {
  const { server, directory, orgId, open } = await fixture(t)
  const half = 64 * MIB
  const { url } = await sender(t, half, () => new Promise(() => {}))
  const storing = fetch(`${server.url}/in?from=${encodeURIComponent(url)}`).catch(() => 'the process is gone')
  const size = () => Math.max(0, ...readdirSync(directory).map(name => statSync(join(directory, name)).size))
  while (size() < half) await delay(20)
  await server.kill()
  t.equal(await storing, 'the process is gone')
  t.match(readdirSync(directory), [/^art_[0-9a-f]{32}\.part$/])

  const database: OpenDatabase = await open()
  t.teardown(() => database.close())
  const { db } = database
  t.same(await forOrg(db, orgId).selectFrom('artifacts').selectAll().execute(), [])
  const clock = testClock(Date.now())
  const jobs = createJobs({ db, clock, ids: testIds(clock), log: silent, scrub: text => text, owner: 'test' })
  defineArtifactExpiry(jobs, { db, clock, store: createDiskStore(directory) })
  await jobs.runDue()
  t.equal(readdirSync(directory).length, 1, 'a recent partial file stays, because it may still be written')
  clock.advance(25 * 3_600_000)
  await jobs.runDue()
  t.same(readdirSync(directory), [])
})
