import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import { pino } from 'pino'
import { migrate } from '../../lib/database/migrate.ts'
import { createPool } from '../../lib/database/postgres.ts'
import type { Database } from '../../lib/database/tables.ts'
import { createIdSource } from '../../lib/id-source.ts'
import { MOST_MICROS } from '../../schemas/billing/money.ts'
import { createDatabase } from './bench-database.ts'

/** An organization with a full wallet, and one of its keys with a cap that no benchmark reaches. */
export interface Payer {
  orgId: string
  userId: string
  keyId: string
}

/** A migrated database with one connection per client. */
export interface HoldDatabase {
  pool: pg.Pool
  db: Kysely<Database>
  addPayer(): Promise<Payer>
  /** Returns the version and the commit setting of the server. */
  settings(): Promise<{ version: string; synchronousCommit: string }>
  /** Throws if the held amount of a wallet differs from the sum of its pending holds. */
  check(): Promise<void>
  remove(): Promise<void>
}

const log = pino({ level: 'silent' })
const newId = createIdSource({ now: Date.now })

export async function openHoldDatabase(server: string, connections: number): Promise<HoldDatabase> {
  const { url, drop } = await createDatabase(server)
  const pool = createPool({ url, log, max: connections, queryTimeoutMs: 10_000, connectTimeoutMs: 10_000 })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  await migrate(db, log)

  return {
    pool,
    db,
    async addPayer() {
      const payer = { orgId: newId('org'), userId: newId('usr'), keyId: newId('key') }
      const { orgId, userId, keyId } = payer
      await sql`insert into organizations (id, name, created_at) values (${orgId}, 'Bench', now())`.execute(db)
      await sql`insert into users (id, created_at) values (${userId}, now())`.execute(db)
      await sql`insert into memberships (org_id, user_id, role, created_at)
        values (${orgId}, ${userId}, 'owner', now())`.execute(db)
      await sql`insert into api_keys
        (org_id, id, user_id, name, hash, pepper_id, prefix, last4, created_at, monthly_cap_micros)
        values (${orgId}, ${keyId}, ${userId}, 'Bench', ${keyId}, '', '', '', now(), ${MOST_MICROS})`.execute(db)
      await sql`select gateway_credit(${orgId}, ${newId('txn')}, ${MOST_MICROS}, 'bench')`.execute(db)
      return payer
    },
    async settings() {
      const { rows } = await sql<{ version: string; synchronousCommit: string }>`
        select current_setting('server_version') as version,
          current_setting('synchronous_commit') as "synchronousCommit"`.execute(db)
      const [settings] = rows
      if (settings === undefined) throw new Error('The server returned no settings.')
      return settings
    },
    async check() {
      const { rows } = await sql`
        select w.org_id from wallets as w join holds as h on h.org_id = w.org_id group by w.org_id
          having w.held_micros <> coalesce(sum(h.amount_micros) filter (where h.state = 'pending'), 0)`.execute(db)
      if (rows.length > 0)
        throw new Error(`The held amounts of ${rows.length} wallets differ from the sums of their pending holds.`)
    },
    async remove() {
      await db.destroy()
      await drop()
    },
  }
}
