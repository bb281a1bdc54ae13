import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import type { Test } from 'tap'
import { type DirectoryLock, lockDirectory } from '../lib/database/directory-lock.ts'
import { embeddedEngine, startPGlite } from '../lib/database/embedded.ts'
import { MIGRATIONS } from '../lib/database/migrate.ts'
import { type OpenDatabase, openDatabase, openOn } from '../lib/database/open-database.ts'
import { embeddedDatabase } from './embedded-databases.ts'
import { databaseUrl, onServer, postgresDatabase } from './postgres-databases.ts'
import { TenantGuard } from './tenant-guard.ts'

/** A logger that discards everything. */
export const silent = pino({ level: 'silent' })

/** The PostgreSQL server of the tests; undefined: the embedded database. */
export const testDatabaseUrl: string | undefined = process.env.TEST_DATABASE_URL

/**
 * A migrated database for one test, closed and removed with it. A query without its organization throws. Uses
 * TEST_DATABASE_URL if set, otherwise memory.
 */
export async function testDatabase(t: Test): Promise<OpenDatabase> {
  return testDatabaseUrl === undefined ? embeddedCopy(t) : postgresCopy(t, testDatabaseUrl)
}

/**
 * Resolves when all earlier changes have been delivered: a later event would keep what a test reads out of the caches.
 * Notifications keep the order of their commits, so the test sends one of its own last.
 */
export async function newsHeard({ db, events }: Pick<OpenDatabase, 'db' | 'events'>): Promise<void> {
  const last = randomUUID()
  await new Promise<void>((resolve, reject) => {
    const stop = events.on('surface', ({ orgId }) => {
      if (orgId !== last) return
      stop()
      resolve()
    })
    const payload = JSON.stringify({ topic: 'surface', org_id: last })
    sql`select pg_notify('gateway_events', ${payload})`.execute(db).catch(reject)
  })
}

/** A data directory with a migrated embedded database, removed with the test. Creating a fresh one takes seconds. */
export async function testDataDir(t: Test): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'connector-gateway-data-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  const loadDataDir = new Blob([await ensureSnapshot()])
  await (await startPGlite({ dataDir: join(directory, 'db'), loadDataDir })).close()
  return directory
}

/** The URL of a PostgreSQL database for one test, migrated or empty, for tests that open it themselves. */
export async function testPostgres(t: Test, server: string, from?: 'empty'): Promise<string> {
  if (from === undefined) {
    const { url, giveBack } = await postgresDatabase(server, () => ensureTemplate(server))
    t.teardown(giveBack)
    return url
  }
  const name = `cgw_test_${process.pid}_${randomUUID().slice(0, 8)}`
  await onServer(server, client => client.query(`create database ${name} template template0`))
  t.teardown(() => onServer(server, client => client.query(`drop database if exists ${name} with (force)`)))
  return databaseUrl(server, name)
}

async function postgresCopy(t: Test, server: string): Promise<OpenDatabase> {
  const url = await testPostgres(t, server)
  const database = await openDatabase({ ...options, postgres: { ...PATIENT, url, maxConnections: 5 } })
  t.teardown(() => database.close())
  return database
}

async function embeddedCopy(t: Test): Promise<OpenDatabase> {
  const pglite = await embeddedDatabase(async () => new Blob([await ensureSnapshot()]))
  const database = await openOn(embeddedEngine(pglite), silent, options.plugins)
  t.teardown(() => database.close())
  return database
}

const options = { dataDir: '', log: silent, plugins: [new TenantGuard()] }

/** Tests of the limits open their own databases. Other tests must not fail because a busy machine delays a query. */
const PATIENT = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 }

/** Halves the size of the snapshot, and of a copy. */
const LEAN = [
  `alter system set shared_buffers = '4MB'`,
  'update pg_database set datistemplate = false',
  'drop database template0',
  'drop database template1',
  'checkpoint',
]

/** The fingerprint of the copies: they are recreated when a migration, the settings above or PGlite change. */
function checksum(): string {
  const hash = createHash('sha256').update(LEAN.join())
  for (const name of Object.keys(MIGRATIONS)) {
    hash.update(readFileSync(new URL(`../lib/database/migrations/${name}.ts`, import.meta.url)))
  }
  hash.update(readFileSync(new URL('../node_modules/@electric-sql/pglite/package.json', import.meta.url)))
  return hash.digest('hex').slice(0, 16)
}

/** The migrated template. The first process that needs it creates it while the others wait. */
async function ensureTemplate(server: string): Promise<string> {
  const name = `cgw_template_${checksum()}`
  await onServer(server, async client => {
    const exists = async () => (await client.query('select from pg_database where datname = $1', [name])).rowCount === 1
    if (await exists()) return
    await client.query(`select pg_advisory_lock(hashtext('${name}'))`)
    if (await exists()) return
    // A template exists completely or not at all: a killed run leaves only a draft.
    const draft = `${name}_draft`
    await client.query(`drop database if exists ${draft} with (force)`)
    await client.query(`create database ${draft} template template0`)
    const database = await openDatabase({ ...options, postgres: { url: databaseUrl(server, draft) } })
    await database.migrate()
    await database.close()
    await client.query(`alter database ${draft} rename to ${name}`)
  })
  return name
}

/** The migrated snapshot. The first process that needs it creates it while the others wait. */
async function ensureSnapshot(): Promise<Buffer<ArrayBuffer>> {
  const file = join(tmpdir(), 'connector-gateway-test', `${checksum()}.tar`)
  while (!existsSync(file)) {
    const lock = await tryLock(`${file}.lock`)
    if (lock === undefined) {
      await delay(100)
      continue
    }
    try {
      if (!existsSync(file)) await makeSnapshot(file)
    } finally {
      lock.release()
    }
  }
  return readFileSync(file)
}

async function tryLock(file: string): Promise<DirectoryLock | undefined> {
  try {
    return await lockDirectory(file, { waitMs: 0 })
  } catch (error) {
    if (error instanceof Error && error.message.includes('in use by process')) return undefined
    throw error
  }
}

async function makeSnapshot(file: string): Promise<void> {
  const pglite = await startPGlite()
  const database = await openOn(embeddedEngine(pglite), silent)
  await database.migrate()
  for (const statement of LEAN) await pglite.exec(statement)
  const dump = await pglite.dumpDataDir('none')
  await database.close()
  const draft = `${file}.${randomUUID()}`
  writeFileSync(draft, Buffer.from(await dump.arrayBuffer()))
  renameSync(draft, file)
}
