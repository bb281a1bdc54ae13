import { type Kysely, sql } from 'kysely'

/** What called a tool: the name of the client, or its OAuth client ID. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table usage add column client text`.execute(db)
}
