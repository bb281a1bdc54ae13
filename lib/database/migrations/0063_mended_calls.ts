import { type Kysely, sql } from 'kysely'

/** Whether a call got mended arguments: a number that was sent as a string, and the like. Null for calls before this. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table usage add column mended boolean`.execute(db)
}
