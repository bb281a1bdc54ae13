import { type Kysely, sql } from 'kysely'

/**
 * Notifies of sign-ins that no longer belong to a user, so that no process keeps the user of a cached token. Topic
 * `user`, with an empty `org_id`, because a user belongs to no organization. A new sign-in is in no cache.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create function gateway_notify_users() returns trigger language plpgsql as $$
  begin
    if (select count(*) from changed) > 100 then
      perform pg_notify('gateway_events', json_build_object('topic', 'user', 'org_id', '', 'id', null)::text);
    else
      perform pg_notify('gateway_events', json_build_object('topic', 'user', 'org_id', '', 'id', one.user_id)::text)
        from (select distinct user_id from changed) one;
    end if;
    return null;
  end $$`,
  ...['update', 'delete'].map(
    event => `create trigger user_subjects_notify_${event} after ${event} on user_subjects
      referencing old table as changed for each statement execute function gateway_notify_users()`,
  ),
  `create or replace trigger user_subjects_truncated after truncate on user_subjects
    for each statement execute function gateway_truncated()`,
]
