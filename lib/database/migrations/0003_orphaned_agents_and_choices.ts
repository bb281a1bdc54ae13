import { type Kysely, sql } from 'kysely'

/**
 * An agent remembers that it is suspended because its owner left, and a user's choice of an organization is told of as
 * 0002 tells of the rest: topic `active_organization`, with the user's id.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A constant default rewrites no rows, and the version before inserts without the column.
  await sql.raw('alter table agents add column orphaned boolean not null default false').execute(db)

  for (const [event, rows] of [
    ['insert', 'new'],
    ['update', 'new'],
    ['delete', 'old'],
  ]) {
    await sql
      .raw(
        `create trigger active_organizations_notify_${event} after ${event} on active_organizations
        referencing ${rows} table as changed for each statement
        execute function gateway_notify('active_organization', 'user_id')`,
      )
      .execute(db)
  }
  await sql
    .raw(
      `create trigger active_organizations_truncated after truncate on active_organizations
      for each statement execute function gateway_truncated()`,
    )
    .execute(db)
}
