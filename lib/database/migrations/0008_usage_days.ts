import { type Kysely, sql } from 'kysely'

/**
 * Usage by day (UTC), one row for each combination of who called what with which account; and how far an organization's
 * usage is rolled up: days before `rolled_before` are read from usage_days, the others from usage. Days before
 * `settled_before` were rolled up once more for what came late.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table usage_days (
    org_id text not null references organizations (id),
    day date not null,
    user_id text not null,
    key_id text,
    agent_id text,
    connector text not null,
    tool text not null,
    account_id text,
    calls bigint not null check (calls > 0),
    errors bigint not null check (errors between 0 and calls),
    duration_ms bigint not null check (duration_ms >= 0),
    cost_micros bigint not null check (cost_micros >= 0),
    unique nulls not distinct (org_id, day, user_id, key_id, agent_id, tool, account_id),
    foreign key (org_id, user_id) references memberships (org_id, user_id),
    foreign key (org_id, agent_id) references agents (org_id, id)
  )`,
  'create index usage_days_swept on usage_days (day)',
  `create table usage_rolled (
    org_id text primary key references organizations (id),
    rolled_before date not null,
    rolled_at timestamptz not null,
    settled_before date check (settled_before <= rolled_before)
  )`,
]
