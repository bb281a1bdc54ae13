import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import type { Test } from 'tap'
import { type DirectoryLock, lockDirectory } from '../lib/database/directory-lock.ts'
import { embeddedEngine, startPGlite } from '../lib/database/embedded.ts'
import { MIGRATIONS } from '../lib/database/migrate.ts'
import { type OpenDatabase, openDatabase, openOn } from '../lib/database/open-database.ts'
import { embeddedDatabase } from './embedded-databases.ts'
import { TenantGuard } from './tenant-guard.ts'

/** A log that says nothing. */
export const silent = pino({ level: 'silent' })

/** The PostgreSQL server that tests run on; the embedded database when undefined. */
export const testDatabaseUrl: string | undefined = process.env.TEST_DATABASE_URL

/**
 * A migrated database of the test's own, closed and gone with it, on which a query that forgets its organization
 * throws: on TEST_DATABASE_URL where that is set, in memory elsewhere.
 */
export async function testDatabase(t: Test): Promise<OpenDatabase> {
  return testDatabaseUrl === undefined ? embeddedCopy(t) : postgresCopy(t, testDatabaseUrl)
}

/**
 * Resolves when every change so far was told of: news that comes later would keep out of the caches what a test reads
 * meanwhile. Notifications are heard in the order of their commits, so one of the test's own comes last.
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

/** A data directory with a migrated embedded database in it, gone with the test: a fresh one takes seconds to make. */
export async function testDataDir(t: Test): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'connector-gateway-data-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  const loadDataDir = new Blob([await ensureSnapshot()])
  await (await startPGlite({ dataDir: join(directory, 'db'), loadDataDir })).close()
  return directory
}

/** The url of a PostgreSQL database of the test's own, migrated or empty, for tests that open it by themselves. */
export async function testPostgres(t: Test, server: string, from?: 'empty'): Promise<string> {
  const template = from === 'empty' ? 'template0' : await ensureTemplate(server)
  const name = `cgw_test_${process.pid}_${randomUUID().slice(0, 8)}`
  await onServer(server, client => client.query(`create database ${name} template ${template}`))
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

/** Tests of the limits open databases of their own. Others must not fail because a busy machine makes a query wait. */
const PATIENT = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 }

/** Makes the snapshot half as large, and a copy of it half as heavy. */
const LEAN = [
  `alter system set shared_buffers = '4MB'`,
  'update pg_database set datistemplate = false',
  'drop database template0',
  'drop database template1',
  'checkpoint',
]

/** What the copies are known by: they are made again whenever a migration, the above or PGlite changes. */
function checksum(): string {
  const hash = createHash('sha256').update(LEAN.join())
  for (const name of Object.keys(MIGRATIONS)) {
    hash.update(readFileSync(new URL(`../lib/database/migrations/${name}.ts`, import.meta.url)))
  }
  hash.update(readFileSync(new URL('../node_modules/@electric-sql/pglite/package.json', import.meta.url)))
  return hash.digest('hex').slice(0, 16)
}

/** The migrated template, made by the first process that needs it while the others wait. */
async function ensureTemplate(server: string): Promise<string> {
  const name = `cgw_template_${checksum()}`
  await onServer(server, async client => {
    const exists = async () => (await client.query('select from pg_database where datname = $1', [name])).rowCount === 1
    if (await exists()) return
    await client.query(`select pg_advisory_lock(hashtext('${name}'))`)
    if (await exists()) return
    // A template is there whole or not at all: a run that was killed leaves only the draft.
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

/** The migrated snapshot, made by the first process that needs it while the others wait. */
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

async function onServer(server: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
