import { type Kysely, sql } from 'kysely'

/**
 * Tools that a registered server published later and that wait for an admin, and how a registration is refreshed.
 * `candidate` is the JSON of a Candidate; its content is a row of remote_snapshots.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table remote_connectors add column candidate jsonb',
  `alter table remote_connectors add column refresh_mode text not null default 'manual'
    check (refresh_mode in ('manual', 'harmless'))`,
  'alter table remote_connectors add column checked_at timestamptz',
  `create index remote_connectors_checked on remote_connectors (checked_at) where refresh_mode = 'harmless'`,
]
