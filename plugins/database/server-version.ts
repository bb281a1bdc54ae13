import { type Kysely, sql } from 'kysely'
import { ConfigurationError } from '../configuration/configuration-error.ts'

/** The oldest PostgreSQL that our SQL is written for and tested on. */
const OLDEST = 15

/** Throws a ConfigurationError that names both versions when the server is too old for our SQL. */
export async function refuseOldServer<DB>(db: Kysely<DB>): Promise<void> {
  const { rows } = await sql<{ number: number; name: string }>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as name
  `.execute(db)
  const [server] = rows
  if (server === undefined || server.number >= OLDEST * 10_000) return
  throw new ConfigurationError(
    'DATABASE_URL',
    `must lead to PostgreSQL ${OLDEST} or newer, and this server is ${server.name}`,
  )
}
