import { type Kysely, sql } from 'kysely'

/**
 * The functions by which money moves: each does all it has to or raises. They lock in one order, a hold, a key's month, a
 * wallet, and touch the wallet last: everybody's calls wait for it.
 *
 * What they raise: GW001 org_suspended, GW002 payment_required, GW003 key_spend_limit_exceeded, GW004
 * insufficient_balance, GW005 a hold that is settled (its state is the DETAIL), GW006 no such hold, GW007 an amount that
 * is none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of functions) await sql.raw(statement).execute(db)
}

const functions = [
  `create function gateway_month() returns date language sql stable as
  $$ select date_trunc('month', now() at time zone 'utc')::date $$`,

  // Volatile: within a call it sees what was committed meanwhile, as the statements around it do.
  `create function gateway_below(p_org text, p_threshold bigint) returns boolean language sql as
  $$ select coalesce((select balance_micros from wallets where org_id = p_org), 0) < p_threshold $$`,

  // A call must not wait for a row as long as its caller has given up, nor a process that is cut off before its commit
  // keep one locked until the server misses it, hours later.
  `create function gateway_bounded() returns void language plpgsql as $$
  begin
    perform set_config('lock_timeout', '4s', true), set_config('idle_in_transaction_session_timeout', '5s', true);
  end $$`,

  `create function gateway_refuse_suspended(p_org text) returns void language plpgsql as $$
  begin
    perform from organizations where id = p_org and suspended_at is not null;
    if found then
      raise exception 'org_suspended' using errcode = 'GW001';
    end if;
  end $$`,

  `create function gateway_hold(
    p_org text, p_id text, p_user text, p_key text, p_tool text, p_amount bigint, p_threshold bigint, p_ttl interval
  ) returns void language plpgsql as $$
  declare
    v_month date := gateway_month();
    v_cap bigint;
  begin
    perform gateway_bounded();
    perform gateway_refuse_suspended(p_org);
    if p_amount is null or p_amount < 1 then
      raise exception 'a hold is of an amount above zero' using errcode = 'GW007';
    end if;
    -- Before the rows that others wait for: what comes after them is done by one call at a time.
    insert into holds (org_id, id, user_id, key_id, tool, month, amount_micros, expires_at)
      values (p_org, p_id, p_user, p_key, p_tool, v_month, p_amount, now() + p_ttl);
    if p_key is not null then
      select monthly_cap_micros into v_cap from api_keys where org_id = p_org and id = p_key;
      -- The upsert is for the first hold of a month: on a row that many wait for, an update takes less.
      update key_months set held_micros = held_micros + p_amount
        where org_id = p_org and key_id = p_key and month = v_month
          and (v_cap is null or spent_micros + held_micros < v_cap);
      if not found then
        insert into key_months as m (org_id, key_id, month, held_micros)
          select p_org, p_key, v_month, p_amount where v_cap is null or v_cap > 0
          on conflict (org_id, key_id, month) do update set held_micros = m.held_micros + excluded.held_micros
          where v_cap is null or m.spent_micros + m.held_micros < v_cap;
      end if;
      if not found then
        if gateway_below(p_org, p_threshold) then
          raise exception 'payment_required' using errcode = 'GW002';
        end if;
        raise exception 'key_spend_limit_exceeded' using errcode = 'GW003';
      end if;
    end if;
    update wallets set held_micros = held_micros + p_amount
      where org_id = p_org and balance_micros >= p_threshold and balance_micros - held_micros >= p_amount;
    if not found then
      if gateway_below(p_org, p_threshold) then
        raise exception 'payment_required' using errcode = 'GW002';
      end if;
      raise exception 'insufficient_balance' using errcode = 'GW004';
    end if;
    -- It may have been stopped while this call waited for its turn.
    perform gateway_refuse_suspended(p_org);
  end $$`,

  `create function gateway_post(
    p_org text, p_id text, p_kind text, p_amount bigint, p_other text, p_hold text, p_key text, p_month date,
    p_description text
  ) returns void language plpgsql as $$
  begin
    insert into ledger_postings (org_id, id, kind, hold_id, key_id, month, description)
      values (p_org, p_id, p_kind, p_hold, p_key, p_month, p_description);
    insert into ledger_entries (org_id, posting_id, account, amount_micros)
      values (p_org, p_id, 'wallet', p_amount), (p_org, p_id, p_other, -p_amount);
  end $$`,

  `create function gateway_resolve(p_org text, p_id text, p_state text, p_cost bigint) returns holds
  language plpgsql as $$
  declare
    v_hold holds;
  begin
    perform gateway_bounded();
    loop
      update holds set state = p_state, cost_micros = p_cost, resolved_at = now()
        where org_id = p_org and id = p_id and state = 'pending' returning * into v_hold;
      if found then
        return v_hold;
      end if;
      select * into v_hold from holds where org_id = p_org and id = p_id;
      exit when not found;
      -- One that was made between the two statements is pending.
      if v_hold.state <> 'pending' then
        raise exception 'the hold is settled' using errcode = 'GW005', detail = v_hold.state;
      end if;
    end loop;
    raise exception 'there is no such hold' using errcode = 'GW006';
  end $$`,

  `create function gateway_capture(p_org text, p_id text, p_cost bigint) returns void language plpgsql as $$
  declare
    v_hold holds;
    v_captured bigint;
  begin
    if p_cost is null or p_cost < 0 then
      raise exception 'a cost is zero or above' using errcode = 'GW007';
    end if;
    v_hold := gateway_resolve(p_org, p_id, 'captured', p_cost);
    v_captured := least(p_cost, v_hold.amount_micros);
    if v_captured > 0 then
      perform gateway_post(p_org, 'cap' || substr(p_id, 4), 'capture', -v_captured, 'revenue', p_id, v_hold.key_id,
        v_hold.month, v_hold.tool);
    end if;
    if p_cost > v_captured then
      perform gateway_post(p_org, 'ovr' || substr(p_id, 4), 'overage', v_captured - p_cost, 'revenue', p_id,
        v_hold.key_id, v_hold.month, v_hold.tool);
    end if;
    update key_months set held_micros = held_micros - v_hold.amount_micros, spent_micros = spent_micros + p_cost
      where org_id = p_org and key_id = v_hold.key_id and month = v_hold.month;
    update wallets set held_micros = held_micros - v_hold.amount_micros, balance_micros = balance_micros - p_cost
      where org_id = p_org;
  end $$`,

  `create function gateway_release(p_org text, p_id text) returns void language plpgsql as $$
  declare
    v_hold holds;
  begin
    v_hold := gateway_resolve(p_org, p_id, 'released', null);
    update key_months set held_micros = held_micros - v_hold.amount_micros
      where org_id = p_org and key_id = v_hold.key_id and month = v_hold.month;
    update wallets set held_micros = held_micros - v_hold.amount_micros where org_id = p_org;
  end $$`,

  `create function gateway_credit(p_org text, p_id text, p_amount bigint, p_description text) returns bigint
  language plpgsql as $$
  declare
    v_balance bigint;
  begin
    if p_amount is null or p_amount < 1 then
      raise exception 'a credit is of an amount above zero' using errcode = 'GW007';
    end if;
    perform gateway_bounded();
    insert into wallets (org_id) values (p_org) on conflict do nothing;
    perform gateway_post(p_org, p_id, 'credit', p_amount, 'funding', null, null, null, p_description);
    update wallets set balance_micros = balance_micros + p_amount where org_id = p_org
      returning balance_micros into v_balance;
    return v_balance;
  end $$`,

  `create function gateway_expire_holds(p_org text, p_limit int) returns setof holds language plpgsql as $$
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
    update holds set state = 'expired', resolved_at = now() where id = any(v_ids);
    insert into reconciliations (org_id, hold_id, reason, user_id, key_id, tool, held_micros)
      select org_id, id, 'expired', user_id, key_id, tool, amount_micros from holds where id = any(v_ids);

    perform from key_months
      where org_id = p_org and (key_id, month) in (select key_id, month from holds where id = any(v_ids))
      order by key_id, month for no key update;
    update key_months as m set held_micros = m.held_micros - due.amount
      from (select key_id, month, sum(amount_micros) as amount from holds where id = any(v_ids) group by 1, 2) as due
      where m.org_id = p_org and m.key_id = due.key_id and m.month = due.month;
    update wallets
      set held_micros = held_micros - (select sum(amount_micros) from holds where id = any(v_ids))
      where org_id = p_org;
    return query select * from holds where id = any(v_ids);
  end $$`,
]
