import { type Kysely, sql } from 'kysely'

/** The keys that sign who calls an organization's own servers. Each is published before it signs, and for a while after. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table assertion_keys (
        id text primary key,
        public_jwk jsonb not null,
        sealed text not null,
        key_id text not null,
        signs_from timestamptz not null unique,
        signs_until timestamptz not null check (signs_until > signs_from),
        published_until timestamptz not null check (published_until > signs_until)
      )`,
    )
    .execute(db)
}
