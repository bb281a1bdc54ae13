import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Test } from 'tap'
import { openDatabase } from '../../lib/database/open-database.ts'
import type { Database } from '../../lib/database/tables.ts'
import { PATIENT, silent, testPostgres } from '../fixtures/database.ts'

/** A database that a role without superuser rights owns and has migrated, as in production. */
export async function ownedDatabase(t: Test, server: string): Promise<Kysely<Database>> {
  const role = `cgw_owner_${randomUUID().slice(0, 8)}`
  const password = randomUUID()
  const admin = await openDatabase({
    dataDir: '',
    log: silent,
    postgres: { ...PATIENT, url: server, maxConnections: 1 },
  })
  t.teardown(async () => {
    await sql.raw(`drop role if exists ${role}`).execute(admin.db)
    await admin.close()
  })
  await sql.raw(`create role ${role} login nosuperuser password '${password}'`).execute(admin.db)
  const url = new URL(await testPostgres(t, server, 'empty'))
  await sql.raw(`alter database ${url.pathname.slice(1)} owner to ${role}`).execute(admin.db)
  Object.assign(url, { username: role, password })
  const database = await openDatabase({ dataDir: '', log: silent, postgres: { ...PATIENT, url: url.href } })
  t.teardown(() => database.close())
  await database.migrate()
  return database.db
}
