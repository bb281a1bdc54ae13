import { type Kysely, sql } from 'kysely'

/**
 * Rotation: a key keeps its ID, cap and spending when its secret is replaced, and the replaced secret can stay valid for a
 * while. Claims: a key or a secret that a member asked a tool for, and that is created only when they open the link.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table api_keys
    add column previous_hash text unique,
    add column previous_pepper_id text,
    add column previous_last4 text,
    add column previous_expires_at timestamptz,
    add check (num_nonnulls(previous_hash, previous_pepper_id, previous_last4, previous_expires_at) in (0, 4))`,
  `create table key_claims (
    org_id text not null references organizations (id),
    id text primary key,
    user_id text not null,
    token_hash text not null unique,
    request jsonb not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz,
    unique (org_id, id),
    foreign key (org_id, user_id) references memberships (org_id, user_id)
  )`,
  'create index key_claims_swept on key_claims (expires_at)',
  'create index key_claims_by_user on key_claims (org_id, user_id)',
]
