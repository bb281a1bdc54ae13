import { type Kysely, sql } from 'kysely'

/** Sessions of the dashboard, and what begins one: one-time links, and sign-ins at the issuer. A deleted row ends its session at once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table dashboard_sessions (
    id text primary key,
    user_id text not null references users (id),
    cookie_hash text not null unique,
    token_hash text not null,
    user_agent text not null,
    issuer text,
    subject text,
    issuer_session text,
    verified_email text,
    created_at timestamptz not null,
    used_at timestamptz not null,
    expires_at timestamptz not null,
    check (num_nonnulls(issuer, subject) in (0, 2))
  )`,
  'create index dashboard_sessions_by_user on dashboard_sessions (user_id)',
  'create index dashboard_sessions_by_subject on dashboard_sessions (subject, issuer) where subject is not null',
  'create index dashboard_sessions_swept on dashboard_sessions (expires_at)',
  `create table sign_in_links (
    token_hash text primary key,
    user_id text not null references users (id),
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz
  )`,
  'create index sign_in_links_swept on sign_in_links (expires_at)',
  `create table pending_sign_ins (
    id text primary key,
    browser_hash text not null,
    sealed text not null,
    key_id text not null,
    expires_at timestamptz not null
  )`,
  'create index pending_sign_ins_swept on pending_sign_ins (expires_at)',
]
