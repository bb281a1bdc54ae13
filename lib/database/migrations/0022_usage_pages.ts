import { type Kysely, sql } from 'kysely'

/** Indexes for the pages of calls and audit rows that a member sees: their own, newest first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['usage', 'audit'])
    await sql.raw(`create index ${table}_by_member on ${table} (org_id, user_id, at desc, id desc)`).execute(db)
}
