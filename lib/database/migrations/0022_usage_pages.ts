import { type Kysely, sql } from 'kysely'

/** Indexes for the pages of calls and audit rows that a member sees: their own, newest first; and for the last call of a key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['usage', 'audit'])
    await sql.raw(`create index ${table}_by_member on ${table} (org_id, user_id, at desc, id desc)`).execute(db)
  await sql.raw('create index usage_by_key on usage (org_id, key_id, at desc) where key_id is not null').execute(db)
}
