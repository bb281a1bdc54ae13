import { type Kysely, sql } from 'kysely'

/** The oldest PostgreSQL that our SQL is written for and tested on. */
const OLDEST = 15

/** The server is older than our SQL. */
export class ServerTooOld extends Error {
  override readonly name = 'ServerTooOld'
}

/** Throws a ServerTooOld that names both versions when the server is too old for our SQL. */
export async function refuseOldServer<DB>(db: Kysely<DB>): Promise<void> {
  const { rows } = await sql<{ number: number; name: string }>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as name
  `.execute(db)
  const [server] = rows
  if (server === undefined || server.number >= OLDEST * 10_000) return
  throw new ServerTooOld(`The database must be PostgreSQL ${OLDEST} or newer, and this server is ${server.name}.`)
}
