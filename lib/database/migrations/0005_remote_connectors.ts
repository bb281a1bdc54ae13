import { type Kysely, sql } from 'kysely'

/**
 * Upstream MCP servers that organizations have registered, and what was pinned of them. The credential of one is a
 * shared account that names it, so that tokens are kept and renewed as those of every other connector.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of tables) await sql.raw(statement).execute(db)
  for (const table of ['remote_connectors', 'remote_snapshots'])
    await onEachChange(db, table, 'bump', 'gateway_bump_surface()')
}

const tables = [
  `create table remote_connectors (
    org_id text not null references organizations (id),
    id text primary key,
    slug text not null,
    name text not null,
    upstream_url text not null,
    auth_mode text not null check (auth_mode in ('none', 'bearer', 'header', 'oauth')),
    header_name text,
    oauth jsonb,
    hidden boolean not null default false,
    created_by text not null,
    created_at timestamptz not null,
    refreshed_at timestamptz,
    snapshot_id text,
    unique (org_id, id),
    unique (org_id, slug),
    foreign key (org_id, created_by) references memberships (org_id, user_id),
    check ((auth_mode = 'header') = (header_name is not null)),
    check ((auth_mode = 'oauth') = (oauth is not null))
  )`,
  'create index remote_connectors_by_creator on remote_connectors (org_id, created_by)',
  `create table remote_snapshots (
    org_id text not null,
    id text primary key,
    remote_id text not null,
    fetched_at timestamptz not null,
    hash text not null,
    tools jsonb not null,
    set_aside jsonb not null,
    unique (org_id, id),
    foreign key (org_id, remote_id) references remote_connectors (org_id, id) on delete cascade
  )`,
  'create index remote_snapshots_of on remote_snapshots (org_id, remote_id, fetched_at)',
  'create index remote_snapshots_swept on remote_snapshots (fetched_at)',
  'alter table accounts add column remote_id text',
  `alter table accounts add constraint accounts_remote
    foreign key (org_id, remote_id) references remote_connectors (org_id, id) on delete cascade`,
  'alter table oauth_clients add column remote_id text',
  `alter table oauth_clients add constraint oauth_clients_remote
    foreign key (org_id, remote_id) references remote_connectors (org_id, id) on delete cascade`,
  'create index oauth_clients_of_remote on oauth_clients (org_id, remote_id) where remote_id is not null',
  'create unique index accounts_of_remote on accounts (org_id, remote_id) where remote_id is not null',
]

/** A row never moves to another organization, so the new rows of an update name all that are concerned. */
async function onEachChange(db: Kysely<unknown>, table: string, name: string, call: string): Promise<void> {
  for (const [event, rows] of [
    ['insert', 'new'],
    ['update', 'new'],
    ['delete', 'old'],
  ]) {
    await sql
      .raw(
        `create trigger ${table}_${name}_${event} after ${event} on ${table}
        referencing ${rows} table as changed for each statement execute function ${call}`,
      )
      .execute(db)
  }
  await sql
    .raw(
      `create or replace trigger ${table}_truncated after truncate on ${table}
      for each statement execute function gateway_truncated()`,
    )
    .execute(db)
}
