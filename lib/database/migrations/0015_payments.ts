import { type Kysely, sql } from 'kysely'

/**
 * Payments, customers, the events of the payment provider, and the functions that credit a payment and take it back. The
 * ledger gets the posting kinds of payments, grants, plan fees and adjustments, and the account `promotion`.
 *
 * The functions lock the payment first and the wallet last. They raise GW007 for an invalid amount and GW008 if there is
 * no such payment.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...tables, ...ledger, ...functions]) await sql.raw(statement).execute(db)
}

/** The largest integer that JavaScript counts to. */
const MOST = '9007199254740991'

const micros = (column: string, from: number) => `${column} bigint check (${column} between ${from} and ${MOST})`

const tables = [
  `create table customers (
    org_id text primary key references organizations (id),
    stripe_id text unique,
    livemode boolean not null,
    billing_profile jsonb not null default '{}',
    default_payment_method text,
    auto_topup boolean not null default false,
    ${micros('auto_topup_threshold_micros', 0)},
    ${micros('auto_topup_amount_micros', 1)},
    ${micros('auto_topup_monthly_micros', 1)},
    auto_topup_failures int not null default 0,
    created_at timestamptz not null default now(),
    check (not auto_topup or (auto_topup_threshold_micros is not null and auto_topup_amount_micros is not null
      and auto_topup_monthly_micros is not null))
  )`,
  `create table payments (
    org_id text not null references organizations (id),
    id text primary key,
    kind text not null check (kind in ('topup', 'auto_topup', 'subscription_period')),
    provider text not null check (provider in ('stripe', 'built_in')),
    state text not null default 'created'
      check (state in ('created', 'open', 'processing', 'paid', 'failed', 'expired')),
    amount_micros bigint not null check (amount_micros between 1 and ${MOST}),
    amount_cents bigint not null check (amount_cents * 10000 = amount_micros),
    currency text not null default 'usd' check (currency = 'usd'),
    user_id text,
    livemode boolean not null,
    request_key text,
    session_id text unique,
    payment_intent_id text unique,
    invoice_id text unique,
    charged_cents bigint check (charged_cents between 1 and ${MOST}),
    credited_at timestamptz,
    reversed_micros bigint not null default 0,
    reversals int not null default 0,
    failure text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    checked_at timestamptz not null default now(),
    unique (org_id, id),
    check (reversed_micros between 0 and amount_micros),
    check (credited_at is null or (state = 'paid' and charged_cents is not null)),
    check (credited_at is not null or reversed_micros = 0)
  )`,
  // A repeated request finds the payment of the first one.
  'create unique index payments_by_request on payments (org_id, request_key) where request_key is not null',
  `create unique index payments_one_auto_topup on payments (org_id)
    where kind = 'auto_topup' and state in ('created', 'open', 'processing')`,
  'create index payments_by_time on payments (org_id, created_at, id)',
  `create index payments_unsettled on payments (checked_at) where state in ('created', 'open', 'processing')`,
  `create table stripe_events (
    id text primary key,
    type text not null,
    object_id text,
    livemode boolean not null,
    received_at timestamptz not null default now()
  )`,
  'create index stripe_events_swept on stripe_events (received_at)',
  `create table payment_reconciliations (
    org_id text not null,
    payment_id text not null,
    reason text not null,
    detail jsonb not null,
    at timestamptz not null default now(),
    primary key (payment_id, reason),
    foreign key (org_id, payment_id) references payments (org_id, id)
  )`,
  'create index payment_reconciliations_swept on payment_reconciliations (at)',
]

const KINDS = [
  ...['credit', 'capture', 'overage', 'reversal', 'reinstatement'],
  ...['grant', 'grant_expiry', 'plan_fee', 'adjustment'],
]
const list = (texts: readonly string[]) => texts.map(text => `'${text}'`).join(', ')

const ledger = [
  'alter table ledger_postings add column payment_id text',
  'alter table ledger_postings drop constraint ledger_postings_kind_check',
  // Not valid, which reads no row: the constraints before these accepted less.
  `alter table ledger_postings add constraint ledger_postings_kind_check check (kind in (${list(KINDS)})) not valid`,
  `alter table ledger_postings add constraint ledger_postings_payment_check
    check (payment_id is null or kind in ('credit', 'reversal', 'reinstatement')) not valid`,
  'create index ledger_postings_of_payment on ledger_postings (payment_id) where payment_id is not null',
  'alter table ledger_entries drop constraint ledger_entries_account_check',
  `alter table ledger_entries add constraint ledger_entries_account_check
    check (account in ('wallet', 'revenue', 'funding', 'promotion')) not valid`,
]

const functions = [
  `create function gateway_post_payment(
    p_org text, p_id text, p_kind text, p_amount bigint, p_payment text, p_description text
  ) returns bigint language plpgsql as $$
  declare
    v_balance bigint;
  begin
    insert into ledger_postings (org_id, id, kind, payment_id, description)
      values (p_org, p_id, p_kind, p_payment, p_description);
    insert into ledger_entries (org_id, posting_id, account, amount_micros)
      values (p_org, p_id, 'wallet', p_amount), (p_org, p_id, 'funding', -p_amount);
    insert into wallets (org_id) values (p_org) on conflict do nothing;
    update wallets set balance_micros = balance_micros + p_amount where org_id = p_org
      returning balance_micros into v_balance;
    return v_balance;
  end $$`,

  // Returns the new balance, or null if the payment was credited before. It credits what the row says, nothing else.
  `create function gateway_settle_payment(p_org text, p_payment text, p_charged_cents bigint, p_description text)
  returns bigint language plpgsql as $$
  declare
    v_payment payments;
  begin
    if p_charged_cents is null or p_charged_cents < 1 then
      raise exception 'a payment charges an amount above zero' using errcode = 'GW007';
    end if;
    perform gateway_bounded();
    select * into v_payment from payments where org_id = p_org and id = p_payment for no key update;
    if not found or v_payment.kind not in ('topup', 'auto_topup') then
      raise exception 'there is no such payment' using errcode = 'GW008';
    end if;
    if v_payment.credited_at is not null then
      return null;
    end if;
    update payments set state = 'paid', charged_cents = p_charged_cents, failure = null, credited_at = now(),
      updated_at = now() where org_id = p_org and id = p_payment;
    return gateway_post_payment(p_org, 'pst_' || p_payment, 'credit', v_payment.amount_micros, p_payment, p_description);
  end $$`,

  // Posts the difference between the target and what is reversed so far, with either sign. Returns the difference.
  `create function gateway_settle_reversal(p_org text, p_payment text, p_target bigint) returns bigint
  language plpgsql as $$
  declare
    v_payment payments;
    v_difference bigint;
  begin
    perform gateway_bounded();
    select * into v_payment from payments where org_id = p_org and id = p_payment for no key update;
    if not found then
      raise exception 'there is no such payment' using errcode = 'GW008';
    end if;
    if p_target is null or p_target < 0 or p_target > v_payment.amount_micros
      or (p_target > 0 and v_payment.credited_at is null) then
      raise exception 'a reversal takes back at most what was credited' using errcode = 'GW007';
    end if;
    v_difference := p_target - v_payment.reversed_micros;
    if v_difference = 0 then
      return 0;
    end if;
    update payments set reversed_micros = p_target, reversals = reversals + 1, updated_at = now()
      where org_id = p_org and id = p_payment;
    perform gateway_post_payment(p_org, 'rev_' || p_payment || '_' || (v_payment.reversals + 1),
      case when v_difference > 0 then 'reversal' else 'reinstatement' end, -v_difference, p_payment,
      case when v_difference > 0 then 'Refund or dispute of a payment' else 'Reversal of a payment canceled' end);
    return v_difference;
  end $$`,
]
