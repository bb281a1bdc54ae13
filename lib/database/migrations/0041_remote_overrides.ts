import { type Kysely, sql } from 'kysely'

/**
 * What admins set for single tools of a registered server, and the pinned tools whose hints an admin has confirmed.
 * `overrides` is the JSON of StoredOverride[] as text: jsonb would reorder the keys of fixed arguments.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table remote_connectors add column overrides text',
  'alter table remote_connectors add column confirmed jsonb',
]
