import { type Kysely, sql } from 'kysely'

/** The resources and prompts of an upstream, pinned with its tools; null in earlier snapshots, until the next refresh. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table remote_snapshots add column offers jsonb`.execute(db)
}
