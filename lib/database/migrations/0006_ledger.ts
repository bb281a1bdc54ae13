import { type Kysely, sql } from 'kysely'

/**
 * Money: wallets, holds, a ledger of double entries that nobody changes, what keys have spent by month, and what was
 * given up in the customer's favour. It moves by the functions of 0007 alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...tables, ...guards]) await sql.raw(statement).execute(db)
}

/** The largest integer that JavaScript counts to. */
const MOST = '9007199254740991'

const tables = [
  'alter table organizations add column suspended_at timestamptz',
  `alter table api_keys add column monthly_cap_micros bigint check (monthly_cap_micros between 0 and ${MOST})`,
  `create table wallets (
    org_id text primary key references organizations (id),
    balance_micros bigint not null default 0 check (balance_micros between -${MOST} and ${MOST}),
    held_micros bigint not null default 0 check (held_micros between 0 and ${MOST})
  )`,
  'insert into wallets (org_id) select id from organizations',
  `create table holds (
    org_id text not null references organizations (id),
    id text primary key,
    user_id text not null,
    key_id text,
    tool text not null,
    month date not null,
    amount_micros bigint not null check (amount_micros between 1 and ${MOST}),
    state text not null default 'pending' check (state in ('pending', 'captured', 'released', 'expired')),
    cost_micros bigint check (cost_micros between 0 and ${MOST}),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    resolved_at timestamptz,
    unique (org_id, id),
    check ((state = 'pending') = (resolved_at is null)),
    check ((state = 'captured') = (cost_micros is not null))
  )`,
  // Not by organization: without statistics PostgreSQL would look for one hold among all that ever were pending of its.
  `create index holds_pending on holds (expires_at) where state = 'pending'`,
  'create index holds_swept on holds (resolved_at) where resolved_at is not null',
  `create table key_months (
    org_id text not null references organizations (id),
    key_id text not null,
    month date not null,
    spent_micros bigint not null default 0 check (spent_micros between 0 and ${MOST}),
    held_micros bigint not null default 0 check (held_micros between 0 and ${MOST}),
    primary key (org_id, key_id, month)
  )`,
  `create table ledger_postings (
    org_id text not null references organizations (id),
    id text primary key,
    kind text not null check (kind in ('credit', 'capture', 'overage')),
    at timestamptz not null default now(),
    hold_id text,
    key_id text,
    month date,
    description text not null,
    unique (org_id, id),
    check ((kind in ('capture', 'overage')) = (hold_id is not null))
  )`,
  'create index ledger_postings_by_time on ledger_postings (org_id, at, id)',
  `create table ledger_entries (
    org_id text not null,
    posting_id text not null,
    account text not null check (account in ('wallet', 'revenue', 'funding')),
    amount_micros bigint not null check (amount_micros <> 0),
    primary key (posting_id, account)
  )`,
  'create index ledger_entries_of on ledger_entries (org_id, account)',
  `create table reconciliations (
    org_id text not null references organizations (id),
    hold_id text primary key,
    reason text not null check (reason in ('expired', 'invalid_cost')),
    user_id text not null,
    key_id text,
    tool text not null,
    held_micros bigint not null,
    cost_micros bigint,
    at timestamptz not null default now(),
    unique (org_id, hold_id)
  )`,
  'create index reconciliations_swept on reconciliations (at)',
]

const guards = [
  `create function gateway_append_only() returns trigger language plpgsql as $$
  begin
    raise exception '% is only ever added to', tg_table_name using errcode = '42501';
  end $$`,
  ...['ledger_postings', 'ledger_entries'].flatMap(table => [
    `create trigger ${table}_append_only before update or delete or truncate on ${table}
      for each statement execute function gateway_append_only()`,
    // The owner's right too, which is the service's: to take it back is another step, and one that shows.
    `revoke update, delete, truncate on ${table} from public, current_user`,
  ]),
  // Not a foreign key: that locks what it points at, which takes the very right to change it that nobody has.
  `create function gateway_sum_to_zero() returns trigger language plpgsql as $$
  begin
    perform from added group by posting_id having sum(amount_micros) <> 0 or count(*) < 2;
    if found then
      raise exception 'the entries of a posting do not sum to zero' using errcode = '23514';
    end if;
    perform from added as a where not exists (
      select from ledger_postings as p where p.org_id = a.org_id and p.id = a.posting_id
    );
    if found then
      raise exception 'an entry is of no posting of its organization' using errcode = '23503';
    end if;
    return null;
  end $$`,
  `create trigger ledger_entries_sum_to_zero after insert on ledger_entries
    referencing new table as added for each statement execute function gateway_sum_to_zero()`,
]
