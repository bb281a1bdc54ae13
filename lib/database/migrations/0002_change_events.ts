import { type Kysely, sql } from 'kysely'

/**
 * What tells the processes of a change, whoever makes it: a route, a migration, a hand in psql. Statement triggers bump
 * the organization's surface and notify on `gateway_events` with `{"topic", "org_id", "id"}`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of functions) await sql.raw(statement).execute(db)

  for (const table of ['memberships', 'capability_settings']) {
    await onEachChange(db, table, 'bump', 'gateway_bump_surface()')
  }
  await onEachChange(db, 'org_surface', 'notify', `gateway_notify('surface', '')`)
  await onEachChange(db, 'memberships', 'notify', `gateway_notify('membership', 'user_id')`)
  await onEachChange(db, 'agents', 'notify', `gateway_notify('agent', 'id')`)
  await onEachChange(db, 'api_keys', 'notify', `gateway_notify('api_key', 'id')`)
}

const functions = [
  // In the order of the ids, so that two transactions that touch several organizations do not wait for each other.
  `create function gateway_bump_surface() returns trigger language plpgsql as $$
  begin
    insert into org_surface as known (org_id, version)
      select org_id, 1 from changed group by org_id order by org_id
      on conflict (org_id) do update set version = known.version + 1;
    return null;
  end $$`,
  // A bulk change is one event an organization, its id null: one a row would flood the listeners.
  `create function gateway_notify() returns trigger language plpgsql as $$
  begin
    perform pg_notify('gateway_events',
        json_build_object('topic', tg_argv[0], 'org_id', one.org_id, 'id', one.id)::text)
      from (
        select org_id, to_jsonb(changed) ->> tg_argv[1] as id, count(*) over (partition by org_id) as rows from changed
      ) one
      where one.rows <= 100;
    perform pg_notify('gateway_events', json_build_object('topic', tg_argv[0], 'org_id', org_id, 'id', null)::text)
      from changed group by org_id having count(*) > 100;
    return null;
  end $$`,
  `create function gateway_truncated() returns trigger language plpgsql as $$
  begin
    update org_surface set version = version + 1;
    perform pg_notify('gateway_events', json_build_object('topic', 'reset')::text);
    return null;
  end $$`,
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
  if (table === 'org_surface') return
  await sql
    .raw(
      `create or replace trigger ${table}_truncated after truncate on ${table}
      for each statement execute function gateway_truncated()`,
    )
    .execute(db)
}
