import { type Kysely, sql } from 'kysely'

/** The records of the local issuer of development, by the digest of their ID. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table issuer_records (
    kind text not null,
    id_hash text not null,
    payload jsonb not null,
    grant_id text,
    expires_at timestamptz not null,
    primary key (kind, id_hash)
  )`,
  'create index issuer_records_by_grant on issuer_records (grant_id) where grant_id is not null',
  'create index issuer_records_swept on issuer_records (expires_at)',
]
