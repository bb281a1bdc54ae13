import { type Kysely, sql } from 'kysely'

/** Generations of media. Each belongs to a hold, and is charged when its files are stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table generations (
    org_id text not null,
    id text primary key,
    user_id text not null,
    key_id text,
    agent_id text,
    idempotency_digest text,
    hold_id text not null unique,
    model text not null,
    state text not null check (state in ('created', 'submitting', 'running', 'done', 'failed')),
    request text,
    operation text,
    result text,
    estimate_micros bigint not null check (estimate_micros > 0),
    cost_micros bigint check (cost_micros >= 0),
    lease_until timestamptz,
    cancel_requested boolean not null default false,
    created_at timestamptz not null default now(),
    finished_at timestamptz,
    unique (org_id, id),
    foreign key (org_id, user_id) references memberships (org_id, user_id),
    check ((state in ('done', 'failed')) = (finished_at is not null)),
    check ((state in ('done', 'failed')) = (result is not null)),
    check ((state = 'done') = (cost_micros is not null)),
    check (state <> 'running' or operation is not null)
  )`,
  'create unique index generations_once on generations (org_id, idempotency_digest) where idempotency_digest is not null',
  'create index generations_by_user on generations (org_id, user_id)',
  'create index generations_swept on generations (created_at)',
]
