import { type Kysely, sql } from 'kysely'

/**
 * What an organization, the members of a role, an agent or a key may call. A change is a change of the organization's surface, so
 * that every process applies it at once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table policies (
    org_id text not null references organizations (id),
    layer text not null check (layer in ('organization', 'role', 'agent', 'key')),
    subject text not null,
    policy jsonb not null,
    updated_at timestamptz not null,
    primary key (org_id, layer, subject)
  )`,
  ...(
    [
      ['insert', 'new'],
      ['update', 'new'],
      ['delete', 'old'],
    ] as const
  ).map(
    ([event, rows]) => `create trigger policies_bump_${event} after ${event} on policies
      referencing ${rows} table as changed for each statement execute function gateway_bump_surface()`,
  ),
  `create trigger policies_truncated after truncate on policies
    for each statement execute function gateway_truncated()`,
]
