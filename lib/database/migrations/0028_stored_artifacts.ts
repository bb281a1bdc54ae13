import { type Kysely, sql } from 'kysely'

/**
 * Each attempt to store an artifact has a name of its own, because an upload can be repeated; null in rows of earlier
 * versions, whose files have the artifact's ID.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table artifacts add column stored_as text`.execute(db)
  await sql`create index artifacts_stored_as on artifacts (stored_as) where stored_as is not null`.execute(db)
}
