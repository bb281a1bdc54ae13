import { type Kysely, sql } from 'kysely'

/**
 * The (issuer, subject) pairs whose tokens are an agent's, and no user's. A pair of a retired agent stays, so that its
 * tokens never create a user; `revoked_at` is when the agent's keys were revoked. Changes notify with topic `agent`.
 *
 * The services lock a subject before they give a pair to anyone. The last trigger stops what does not, such as a process of
 * the version before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table agent_sign_ins (
    org_id text not null,
    id text primary key,
    agent_id text not null,
    issuer text not null,
    subject text not null,
    created_at timestamptz not null,
    revoked_at timestamptz,
    unique (org_id, id),
    unique (subject, issuer),
    foreign key (org_id, agent_id) references agents (org_id, id)
  )`,
  'create index agent_sign_ins_of on agent_sign_ins (org_id, agent_id)',
  ...[
    ['insert', 'new'],
    ['update', 'new'],
    ['delete', 'old'],
  ].map(
    ([event, rows]) => `create trigger agent_sign_ins_notify_${event} after ${event} on agent_sign_ins
      referencing ${rows} table as changed for each statement execute function gateway_notify('agent', 'agent_id')`,
  ),
  `create trigger agent_sign_ins_truncated after truncate on agent_sign_ins
    for each statement execute function gateway_truncated()`,
  `create function gateway_refuse_agents_pair() returns trigger language plpgsql as $$
  begin
    if exists (select from agent_sign_ins where subject = new.subject and issuer = new.issuer) then
      raise exception 'this issuer and subject belong to an agent' using errcode = 'unique_violation';
    end if;
    return new;
  end $$`,
  `create trigger user_subjects_not_of_agents before insert on user_subjects
    for each row execute function gateway_refuse_agents_pair()`,
]
