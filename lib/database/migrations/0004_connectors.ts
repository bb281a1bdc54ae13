import { type Kysely, sql } from 'kysely'

/**
 * Connected accounts, their sealed credentials, organizations' own OAuth clients, authorizations under way, artifacts.
 * Credentials stand apart from accounts, so that a refreshed token bumps no tool surface.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of tables) await sql.raw(statement).execute(db)
  for (const table of ['accounts', 'oauth_clients']) await onEachChange(db, table, 'bump', 'gateway_bump_surface()')
  await onEachChange(db, 'account_credentials', 'notify', `gateway_notify('account_credential', 'account_id')`)
  await onEachChange(db, 'oauth_clients', 'notify', `gateway_notify('oauth_client', 'connector')`)
}

const tables = [
  `create table accounts (
    org_id text not null references organizations (id),
    id text primary key,
    connector text not null,
    user_id text not null,
    scope text not null check (scope in ('private', 'shared')),
    alias text not null,
    identity text not null,
    identity_key text not null,
    auth_kind text not null check (auth_kind in ('oauth2', 'oauth1a', 'api_key')),
    key_verified boolean,
    status text not null check (status in ('connected', 'needs_reauth')),
    settings jsonb not null,
    granted_scopes jsonb,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    unique (org_id, id),
    foreign key (org_id, user_id) references memberships (org_id, user_id)
  )`,
  `create unique index accounts_private_alias on accounts (org_id, connector, user_id, alias) where scope = 'private'`,
  `create unique index accounts_shared_alias on accounts (org_id, connector, alias) where scope = 'shared'`,
  'create index accounts_by_user on accounts (org_id, user_id)',
  `create table account_credentials (
    org_id text not null,
    account_id text primary key,
    sealed text not null,
    key_id text not null,
    version integer not null default 1,
    expires_at timestamptz,
    client_id text,
    client_source text check (client_source in ('platform', 'org')),
    refresh_owner text,
    refresh_until timestamptz,
    refresh_failures integer not null default 0,
    retry_at timestamptz,
    refused_at timestamptz,
    updated_at timestamptz not null,
    unique (org_id, account_id),
    foreign key (org_id, account_id) references accounts (org_id, id) on delete cascade,
    check ((refresh_owner is null) = (refresh_until is null))
  )`,
  'create index account_credentials_by_key on account_credentials (key_id)',
  `create table oauth_clients (
    org_id text not null references organizations (id),
    connector text not null,
    client_id text not null,
    sealed text not null,
    key_id text not null,
    set_by text,
    created_at timestamptz not null,
    rotated_at timestamptz,
    primary key (org_id, connector),
    foreign key (org_id, set_by) references memberships (org_id, user_id)
  )`,
  `create table connect_attempts (
    org_id text not null references organizations (id),
    id text not null,
    user_id text not null,
    connector text not null,
    sealed text not null,
    key_id text not null,
    expires_at timestamptz not null,
    primary key (org_id, id),
    foreign key (org_id, user_id) references memberships (org_id, user_id)
  )`,
  'create index connect_attempts_swept on connect_attempts (expires_at)',
  'create index connect_attempts_by_user on connect_attempts (org_id, user_id)',
  `create table artifacts (
    org_id text not null references organizations (id),
    id text primary key,
    user_id text not null,
    name text not null,
    media_type text not null,
    bytes bigint not null check (bytes >= 0),
    created_at timestamptz not null,
    expires_at timestamptz not null,
    unique (org_id, id),
    foreign key (org_id, user_id) references memberships (org_id, user_id)
  )`,
  'create index artifacts_expiring on artifacts (expires_at)',
  'create index artifacts_live on artifacts (org_id, expires_at) include (bytes)',
  'create index artifacts_by_user on artifacts (org_id, user_id)',
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
