import { type Kysely, sql } from 'kysely'

/** The tables of the walking skeleton; every tenant table carries its organization into its foreign keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...people, ...credentials, ...memories, ...records, ...jobs]) {
    await sql.raw(statement).execute(db)
  }
}

const people = [
  `create table organizations (
    id text primary key,
    name text not null,
    created_at timestamptz not null
  )`,
  `create table users (
    id text primary key,
    email text,
    created_at timestamptz not null
  )`,
  `create table user_subjects (
    issuer text not null,
    subject text not null,
    user_id text not null references users (id),
    created_at timestamptz not null,
    primary key (issuer, subject)
  )`,
  'create index user_subjects_by_user on user_subjects (user_id)',
  `create table memberships (
    org_id text not null references organizations (id),
    user_id text not null references users (id),
    role text not null check (role in ('owner', 'admin', 'member')),
    created_at timestamptz not null,
    revoked_at timestamptz,
    primary key (org_id, user_id)
  )`,
  'create index memberships_by_user on memberships (user_id)',
  `create table active_organizations (
    user_id text not null,
    client_id text not null,
    org_id text not null,
    chosen_at timestamptz not null,
    primary key (user_id, client_id),
    foreign key (org_id, user_id) references memberships (org_id, user_id)
  )`,
  'create index active_organizations_by_member on active_organizations (org_id, user_id)',
  `create table org_surface (
    org_id text primary key references organizations (id),
    version bigint not null check (version > 0)
  )`,
]

const credentials = [
  `create table agents (
    org_id text not null references organizations (id),
    id text primary key,
    owner_id text not null,
    name text not null,
    status text not null check (status in ('active', 'suspended', 'retired')),
    created_at timestamptz not null,
    unique (org_id, id),
    foreign key (org_id, owner_id) references memberships (org_id, user_id)
  )`,
  'create index agents_by_age on agents (org_id, created_at desc, id desc)',
  'create index agents_by_owner on agents (org_id, owner_id)',
  `create table api_keys (
    org_id text not null references organizations (id),
    id text primary key,
    user_id text not null,
    agent_id text,
    name text not null,
    hash text not null unique,
    pepper_id text not null,
    prefix text not null,
    last4 text not null,
    created_at timestamptz not null,
    expires_at timestamptz,
    revoked_at timestamptz,
    unique (org_id, id),
    foreign key (org_id, user_id) references memberships (org_id, user_id),
    foreign key (org_id, agent_id) references agents (org_id, id)
  )`,
  'create index api_keys_by_age on api_keys (org_id, created_at desc, id desc)',
  'create index api_keys_by_user on api_keys (org_id, user_id)',
  'create index api_keys_by_agent on api_keys (org_id, agent_id) where agent_id is not null',
  'create index api_keys_revoked on api_keys (revoked_at) where revoked_at is not null',
  'create index api_keys_expiring on api_keys (expires_at) where expires_at is not null',
  `create table capability_settings (
    org_id text not null references organizations (id),
    user_id text,
    capability text not null,
    enabled boolean not null,
    updated_at timestamptz not null,
    unique nulls not distinct (org_id, user_id, capability),
    foreign key (org_id, user_id) references memberships (org_id, user_id)
  )`,
]

const memories = [
  `create table memories (
    org_id text not null references organizations (id),
    id text not null,
    user_id text not null,
    scope text not null check (scope in ('private', 'shared')),
    memory text not null,
    search tsvector not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (org_id, id),
    foreign key (org_id, user_id) references memberships (org_id, user_id)
  )`,
  `create index memories_shared on memories (org_id, id desc) where scope = 'shared'`,
  'create index memories_by_user on memories (org_id, user_id, id desc)',
  'create index memories_search on memories using gin (search)',
]

// A key that is swept goes before the usage that names it: key_id has no foreign key.
const records = [
  `create table usage (
    org_id text not null references organizations (id),
    id text not null,
    at timestamptz not null,
    user_id text not null,
    key_id text,
    agent_id text,
    tool text not null,
    account_id text,
    outcome text not null,
    duration_ms integer not null check (duration_ms >= 0),
    cost_micros bigint not null check (cost_micros >= 0),
    primary key (org_id, id),
    foreign key (org_id, user_id) references memberships (org_id, user_id),
    foreign key (org_id, agent_id) references agents (org_id, id)
  )`,
  'create index usage_by_age on usage (org_id, at desc, id desc)',
  'create index usage_swept on usage (at)',
  `create table audit (
    org_id text not null references organizations (id),
    id text not null,
    at timestamptz not null,
    user_id text,
    action text not null,
    target text not null,
    detail jsonb not null,
    primary key (org_id, id),
    foreign key (org_id, user_id) references memberships (org_id, user_id)
  )`,
  'create index audit_by_age on audit (org_id, at desc, id desc)',
  'create index audit_swept on audit (at)',
  `create table idempotency (
    org_id text not null references organizations (id),
    holder text not null,
    tool text not null,
    key text not null,
    arguments_hash text not null,
    state text not null check (state in ('running', 'done')),
    lease_until timestamptz,
    result jsonb,
    created_at timestamptz not null,
    unique (org_id, holder, tool, key),
    check (state = 'done' or lease_until is not null)
  )`,
  'create index idempotency_swept on idempotency (created_at)',
]

const jobs = [
  `create table jobs (
    id text primary key,
    kind text not null,
    payload jsonb not null,
    run_at timestamptz not null,
    attempts integer not null default 0 check (attempts >= 0),
    lease_owner text,
    lease_until timestamptz,
    last_error text,
    dedupe text,
    created_at timestamptz not null,
    check ((lease_owner is null) = (lease_until is null))
  )`,
  'create index jobs_waiting on jobs (run_at) where lease_owner is null',
  'create index jobs_leased on jobs (lease_until) where lease_owner is not null',
  'create unique index jobs_deduped on jobs (dedupe) where dedupe is not null and lease_owner is null',
]
