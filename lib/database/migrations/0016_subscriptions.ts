import { type Kysely, sql } from 'kysely'

/**
 * Subscriptions to plans, the credits that they include (grants), and the functions that grant them, let them expire and
 * charge a plan to the wallet.
 *
 * Spending uses grants first, those that expire soonest before others. No capture touches them: what was spent is the sum
 * of all other postings minus the balance, so the functions here allocate it to the grants afterwards (`settled_micros`).
 * Pending holds count as spent. The functions lock the grants, then the wallet.
 *
 * They raise GW001, GW002, GW004 and GW007 as the functions of 0007 do.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...tables, ...functions]) await sql.raw(statement).execute(db)
}

/** The largest integer that JavaScript counts to. */
const MOST = '9007199254740991'

const tables = [
  `create table subscriptions (
    org_id text not null references organizations (id),
    id text primary key,
    provider text not null check (provider in ('stripe', 'built_in', 'wallet')),
    stripe_id text unique,
    session_id text unique,
    plan_id text not null,
    price_micros bigint not null check (price_micros between 1 and ${MOST}),
    included_micros bigint not null check (included_micros between 0 and ${MOST}),
    livemode boolean not null,
    status text not null check (status in (
      'checkout', 'incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'canceled'
    )),
    anchor timestamptz,
    period_start timestamptz,
    period_end timestamptz,
    cancel_at timestamptz,
    failures int not null default 0,
    version int not null default 0,
    created_by text,
    created_at timestamptz not null,
    checked_at timestamptz not null,
    unique (org_id, id),
    check (provider = 'stripe' or (stripe_id is null and session_id is null)),
    check (status not in ('trialing', 'active', 'past_due') or (period_start < period_end))
  )`,
  `create unique index subscriptions_one_checkout on subscriptions (org_id) where status = 'checkout'`,
  `create unique index subscriptions_one_without_card on subscriptions (org_id)
    where provider <> 'stripe' and status in ('active', 'past_due')`,
  'create index subscriptions_of on subscriptions (org_id)',
  `create index subscriptions_open on subscriptions (checked_at) where status not in ('canceled', 'incomplete_expired')`,
  `create table plan_grants (
    org_id text not null references organizations (id),
    id text primary key,
    subscription_id text not null,
    period_start timestamptz not null,
    period_end timestamptz not null check (period_end > period_start),
    amount_micros bigint not null check (amount_micros between 1 and ${MOST}),
    unspent_micros bigint not null check (unspent_micros between 0 and amount_micros),
    settled_micros bigint not null,
    expired_micros bigint check (expired_micros between 0 and unspent_micros),
    ended_at timestamptz,
    created_at timestamptz not null default now(),
    unique (org_id, id),
    unique (subscription_id, period_start),
    foreign key (org_id, subscription_id) references subscriptions (org_id, id),
    check ((ended_at is null) = (expired_micros is null))
  )`,
  'create index plan_grants_of on plan_grants (org_id)',
  'create index plan_grants_open on plan_grants (period_end) where ended_at is null',
  // Failures are counted from the payments that were made since.
  `alter table customers add column auto_topup_since timestamptz, drop column auto_topup_failures,
    add check (not auto_topup or auto_topup_since is not null)`,
  // What is not spending: few rows, however many captures there are.
  `create index ledger_postings_unspent on ledger_postings (org_id) where kind not in ('capture', 'overage')`,
]

const functions = [
  // The caller has locked the wallet. Looks each entry up by its posting: without statistics PostgreSQL would read all
  // entries of the organization.
  `create function gateway_spent(p_org text, p_balance bigint) returns bigint language sql as $$
    select coalesce(sum(
      (select e.amount_micros from ledger_entries as e where e.posting_id = p.id and e.account = 'wallet')
    ), 0)::bigint - p_balance
    from ledger_postings as p where p.org_id = p_org and p.kind not in ('capture', 'overage')
  $$`,

  `create function gateway_post_promotion(p_org text, p_id text, p_kind text, p_amount bigint, p_description text)
  returns void language plpgsql as $$
  begin
    perform gateway_post(p_org, p_id, p_kind, p_amount, 'promotion', null, null, null, p_description);
    update wallets set balance_micros = balance_micros + p_amount where org_id = p_org;
  end $$`,

  // Allocates what was spent since the last time to the open grants. Leaves the wallet locked and returns it.
  `create function gateway_settle_grants(p_org text) returns wallets language plpgsql as $$
  declare
    v_wallet wallets;
    v_grant plan_grants;
    v_spent bigint;
    v_since bigint;
    v_taken bigint;
  begin
    perform gateway_bounded();
    perform from plan_grants where org_id = p_org and ended_at is null order by period_end, id for no key update;
    insert into wallets (org_id) values (p_org) on conflict do nothing;
    select * into v_wallet from wallets where org_id = p_org for no key update;
    v_spent := gateway_spent(p_org, v_wallet.balance_micros);
    for v_grant in
      select * from plan_grants where org_id = p_org and ended_at is null order by period_end, id
    loop
      v_since := coalesce(v_since, v_spent - v_grant.settled_micros);
      v_taken := greatest(0, least(v_since, v_grant.unspent_micros));
      v_since := v_since - v_taken;
      update plan_grants set unspent_micros = unspent_micros - v_taken, settled_micros = v_spent where org_id = p_org and id = v_grant.id;
    end loop;
    return v_wallet;
  end $$`,

  // Ends the grants that are over at a time, and those that a later period of their subscription replaces. Takes back
  // what is left of each, at most what the wallet has available. Returns the sum.
  `create function gateway_expire_grants(p_org text, p_now timestamptz, p_subscription text, p_start timestamptz)
  returns bigint language plpgsql as $$
  declare
    v_wallet wallets;
    v_grant plan_grants;
    v_held bigint;
    v_share bigint;
    v_expired bigint;
    v_total bigint := 0;
  begin
    v_wallet := gateway_settle_grants(p_org);
    v_held := v_wallet.held_micros;
    for v_grant in
      select * from plan_grants where org_id = p_org and ended_at is null order by period_end, id
    loop
      v_share := least(v_held, v_grant.unspent_micros);
      v_held := v_held - v_share;
      if v_grant.period_end <= p_now
        or (v_grant.subscription_id = p_subscription and v_grant.period_start < p_start) then
        v_expired := greatest(0, least(
          v_grant.unspent_micros - v_share, v_wallet.balance_micros - v_wallet.held_micros - v_total
        ));
        update plan_grants set ended_at = p_now, expired_micros = v_expired where org_id = p_org and id = v_grant.id;
        if v_expired > 0 then
          perform gateway_post_promotion(p_org, 'gex_' || v_grant.id, 'grant_expiry', -v_expired,
            'Unused credits of the plan');
        end if;
        v_total := v_total + v_expired;
      end if;
    end loop;
    return v_total;
  end $$`,

  // Grants the credits of a period once. Returns false if they were granted before, or the period is over.
  `create function gateway_grant(
    p_org text, p_subscription text, p_start timestamptz, p_end timestamptz, p_amount bigint, p_description text,
    p_now timestamptz
  ) returns boolean language plpgsql as $$
  declare
    v_id text := p_subscription || '_' || extract(epoch from p_start)::bigint;
  begin
    if p_amount is null or p_amount < 1 then
      raise exception 'a grant is of an amount above zero' using errcode = 'GW007';
    end if;
    if p_end <= p_now then
      return false;
    end if;
    perform gateway_expire_grants(p_org, p_now, p_subscription, p_start);
    insert into plan_grants (org_id, id, subscription_id, period_start, period_end, amount_micros, unspent_micros,
        settled_micros)
      select p_org, v_id, p_subscription, p_start, p_end, p_amount, p_amount, gateway_spent(p_org, balance_micros)
      from wallets where org_id = p_org
      on conflict (subscription_id, period_start) do nothing;
    if not found then
      return false;
    end if;
    perform gateway_post_promotion(p_org, 'gra_' || v_id, 'grant', p_amount, p_description);
    return true;
  end $$`,

  // Charges a period of a plan to the wallet and grants its credits. Credits of earlier grants do not pay for a plan.
  `create function gateway_plan_fee(
    p_org text, p_subscription text, p_start timestamptz, p_end timestamptz, p_fee bigint, p_included bigint,
    p_threshold bigint, p_description text, p_now timestamptz
  ) returns void language plpgsql as $$
  declare
    v_granted bigint;
  begin
    if p_fee is null or p_fee < 1 or p_included is null or p_included < 0 then
      raise exception 'a plan fee is of an amount above zero' using errcode = 'GW007';
    end if;
    perform gateway_bounded();
    perform gateway_refuse_suspended(p_org);
    perform gateway_expire_grants(p_org, p_now, p_subscription, p_start);
    select coalesce(sum(unspent_micros), 0) into v_granted from plan_grants where org_id = p_org and ended_at is null;
    update wallets set balance_micros = balance_micros - p_fee
      where org_id = p_org and balance_micros >= p_threshold
        and balance_micros - greatest(held_micros, v_granted) >= p_fee;
    if not found then
      if gateway_below(p_org, p_threshold) then
        raise exception 'payment_required' using errcode = 'GW002';
      end if;
      raise exception 'insufficient_balance' using errcode = 'GW004';
    end if;
    perform gateway_post(p_org, 'fee_' || p_subscription || '_' || extract(epoch from p_start)::bigint, 'plan_fee',
      -p_fee, 'revenue', null, null, null, p_description);
    if p_included > 0 then
      perform gateway_grant(p_org, p_subscription, p_start, p_end, p_included, p_description, p_now);
    end if;
    perform gateway_refuse_suspended(p_org);
  end $$`,
]
