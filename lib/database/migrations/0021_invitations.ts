import { type Kysely, sql } from 'kysely'

/**
 * Invitations to organizations. `email_key` is the form in which addresses are compared; at most one invitation per address
 * is neither accepted nor revoked. `invited_by` is null for the operator.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table invitations (
    org_id text not null references organizations (id),
    id text not null,
    email text not null,
    email_key text not null,
    role text not null check (role in ('owner', 'admin', 'member')),
    token_hash text not null unique,
    invited_by text,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    accepted_at timestamptz,
    accepted_by text,
    revoked_at timestamptz,
    primary key (org_id, id),
    foreign key (org_id, invited_by) references memberships (org_id, user_id),
    foreign key (org_id, accepted_by) references memberships (org_id, user_id),
    check ((accepted_at is null) = (accepted_by is null)),
    check (accepted_at is null or revoked_at is null)
  )`,
  `create unique index invitations_open on invitations (org_id, email_key)
    where accepted_at is null and revoked_at is null`,
  `create index invitations_by_time on invitations (org_id, created_at, id)
    where accepted_at is null and revoked_at is null`,
  'create index invitations_swept on invitations (expires_at)',
]
