import { type Kysely, sql } from 'kysely'

/** What a failed call said, without arguments and credentials. Null for calls that succeeded, and for calls of earlier versions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table usage add column message text`.execute(db)
}
