import { type Kysely, sql } from 'kysely'

/** Pages that the web tools have read, kept for a few minutes so that a second part needs no second request. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table web_pages (
    org_id text not null references organizations (id),
    id text not null,
    url text not null,
    view text not null,
    page text not null,
    bytes integer not null,
    fetched_at timestamptz not null,
    expires_at timestamptz not null,
    primary key (org_id, id)
  )`,
  'create index web_pages_newest on web_pages (org_id, fetched_at)',
  'create index web_pages_swept on web_pages (expires_at)',
]
