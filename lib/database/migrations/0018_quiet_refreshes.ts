import { type Kysely, sql } from 'kysely'

/**
 * A refreshed token notifies nobody: NOTIFY takes one lock of the whole server at each commit. A new authorization does,
 * because the old token may lack its scopes; other processes find a refreshed token by its version. Also, every statement
 * of the ledger's functions names the organization.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // Counts the authorizations of an account. A refresh, a lease and a new vault key do not change it.
  'alter table account_credentials add column authorizations integer not null default 1',
  'drop trigger account_credentials_notify_update on account_credentials',
  `create function gateway_notify_authorized() returns trigger language plpgsql as $$
  begin
    perform pg_notify('gateway_events',
      json_build_object('topic', 'account_credential', 'org_id', new.org_id, 'id', new.account_id)::text);
    return null;
  end $$`,
  // For each row, because its condition is cheaper than the tables of changed rows that a statement's trigger reads.
  `create trigger account_credentials_notify_update after update on account_credentials for each row
    when (old.authorizations is distinct from new.authorizations) execute function gateway_notify_authorized()`,

  `create or replace function gateway_expire_holds(p_org text, p_limit int) returns setof holds language plpgsql as $$
  declare
    v_ids text[];
  begin
    perform gateway_bounded();
    select array_agg(id) into v_ids from (
      select id from holds where org_id = p_org and state = 'pending' and expires_at <= now()
        order by expires_at limit p_limit for update skip locked
    ) as due;
    if v_ids is null then
      return;
    end if;
    update holds set state = 'expired', resolved_at = now() where org_id = p_org and id = any(v_ids);
    insert into reconciliations (org_id, hold_id, reason, user_id, key_id, tool, held_micros)
      select org_id, id, 'expired', user_id, key_id, tool, amount_micros from holds
        where org_id = p_org and id = any(v_ids);

    perform from key_months
      where org_id = p_org
        and (key_id, month) in (select key_id, month from holds where org_id = p_org and id = any(v_ids))
      order by key_id, month for no key update;
    update key_months as m set held_micros = m.held_micros - due.amount
      from (
        select key_id, month, sum(amount_micros) as amount from holds
          where org_id = p_org and id = any(v_ids) group by 1, 2
      ) as due
      where m.org_id = p_org and m.key_id = due.key_id and m.month = due.month;
    update wallets
      set held_micros = held_micros - (select sum(amount_micros) from holds where org_id = p_org and id = any(v_ids))
      where org_id = p_org;
    return query select * from holds where org_id = p_org and id = any(v_ids);
  end $$`,
]
