import { type Kysely, sql } from 'kysely'

/**
 * Checkpoints of the audit of the ledger; reconciliations of bounded overages; the renewal of holds; credits with a
 * reference, and their reversal.
 *
 * The functions raise GW005, GW006 and GW007 as those of 0007 do, GW009 if a reference belongs to another posting (the
 * DETAIL says which), and GW010 if there is no such credit.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...checkpoints, ...ledger, ...functions]) await sql.raw(statement).execute(db)
}

const SUMS = ['wallet_micros', 'revenue_micros', 'funding_micros', 'promotion_micros', 'covered_micros']

const checkpoints = [
  `create table ledger_checkpoints (
    org_id text primary key references organizations (id),
    through timestamptz not null,
    postings bigint not null,
    ${SUMS.map(name => `${name} bigint not null`).join(', ')}
  )`,
  `create table ledger_checkpoint_keys (
    org_id text not null references ledger_checkpoints (org_id) on delete cascade,
    key_id text not null,
    month date not null,
    spent_micros bigint not null,
    primary key (org_id, key_id, month)
  )`,
]

const ledger = [
  'alter table reconciliations drop constraint reconciliations_reason_check',
  // Not valid, which reads no row: the constraints before these accepted less.
  `alter table reconciliations add constraint reconciliations_reason_check
    check (reason in ('expired', 'invalid_cost', 'overage_bound')) not valid`,
  'alter table ledger_postings add column reference text, add column reverses text',
  `alter table ledger_postings add constraint ledger_postings_reverses_check
    check (reverses is null or kind = 'reversal') not valid`,
  'create unique index ledger_postings_by_reference on ledger_postings (org_id, reference) where reference is not null',
  'create index ledger_postings_reversing on ledger_postings (reverses) where reverses is not null',
]

const functions = [
  // Extends a pending hold, at most to 60 minutes after it was made. Returns when it expires; never earlier than before.
  `create function gateway_renew_hold(p_org text, p_id text, p_ttl interval) returns timestamptz language plpgsql as $$
  declare
    v_expires timestamptz;
    v_state text;
  begin
    if p_ttl is null or p_ttl <= interval '0' then
      raise exception 'a hold is renewed for a time above zero' using errcode = 'GW007';
    end if;
    perform gateway_bounded();
    update holds set expires_at = greatest(expires_at, least(now() + p_ttl, created_at + interval '60 minutes'))
      where org_id = p_org and id = p_id and state = 'pending' returning expires_at into v_expires;
    if found then
      return v_expires;
    end if;
    select state into v_state from holds where org_id = p_org and id = p_id;
    if not found then
      raise exception 'there is no such hold' using errcode = 'GW006';
    end if;
    raise exception 'the hold is settled' using errcode = 'GW005', detail = v_state;
  end $$`,

  // The caller has locked the wallet.
  `create function gateway_post_funding(
    p_org text, p_id text, p_kind text, p_amount bigint, p_description text, p_reference text, p_reverses text
  ) returns void language plpgsql as $$
  begin
    insert into ledger_postings (org_id, id, kind, description, reference, reverses)
      values (p_org, p_id, p_kind, p_description, p_reference, p_reverses);
    insert into ledger_entries (org_id, posting_id, account, amount_micros)
      values (p_org, p_id, 'wallet', p_amount), (p_org, p_id, 'funding', -p_amount);
    update wallets set balance_micros = balance_micros + p_amount where org_id = p_org;
  end $$`,

  // What a posting did to the wallet.
  `create function gateway_posted(p_org text, p_posting text) returns bigint language sql stable as
  $$ select amount_micros from ledger_entries where org_id = p_org and posting_id = p_posting and account = 'wallet' $$`,

  // Credits once per reference. Returns the posting, which can be an earlier one.
  `create function gateway_credit_once(p_org text, p_id text, p_amount bigint, p_description text, p_reference text)
  returns text language plpgsql as $$
  declare
    v_known ledger_postings;
  begin
    if p_amount is null or p_amount < 1 then
      raise exception 'a credit is of an amount above zero' using errcode = 'GW007';
    end if;
    perform gateway_bounded();
    insert into wallets (org_id) values (p_org) on conflict do nothing;
    perform from wallets where org_id = p_org for no key update;
    select * into v_known from ledger_postings where org_id = p_org and reference = p_reference;
    if not found then
      perform gateway_post_funding(p_org, p_id, 'credit', p_amount, p_description, p_reference, null);
      return p_id;
    end if;
    if v_known.kind <> 'credit' or gateway_posted(p_org, v_known.id) <> p_amount then
      raise exception 'the reference belongs to another posting' using errcode = 'GW009', detail = v_known.id;
    end if;
    return v_known.id;
  end $$`,

  // Takes back a credit that no payment paid: an amount, or all that is left of it (null), at most what the wallet has
  // available. Returns the posting (null if nothing is available), what it took, and what is left of the credit.
  `create function gateway_reverse_credit(
    p_org text, p_id text, p_credit text, p_amount bigint, p_description text, p_reference text,
    out posting text, out taken bigint, out remaining bigint
  ) language plpgsql as $$
  declare
    v_available bigint;
    v_known ledger_postings;
  begin
    if p_amount < 1 then
      raise exception 'a reversal is of an amount above zero' using errcode = 'GW007';
    end if;
    perform gateway_bounded();
    select balance_micros - held_micros into v_available from wallets where org_id = p_org for no key update;
    perform from ledger_postings where org_id = p_org and id = p_credit and kind = 'credit' and payment_id is null;
    if not found then
      raise exception 'there is no such credit' using errcode = 'GW010';
    end if;
    select gateway_posted(p_org, p_credit) + coalesce(sum(gateway_posted(p_org, id)), 0) into remaining
      from ledger_postings where reverses = p_credit and org_id = p_org;
    select * into v_known from ledger_postings where org_id = p_org and reference = p_reference;
    if found then
      posting := v_known.id;
      taken := -gateway_posted(p_org, posting);
      if v_known.reverses is distinct from p_credit or p_amount < taken then
        raise exception 'the reference belongs to another posting' using errcode = 'GW009', detail = posting;
      end if;
      return;
    end if;
    if p_amount > remaining then
      raise exception 'a reversal takes back at most what is left of the credit'
        using errcode = 'GW007', detail = remaining;
    end if;
    taken := least(coalesce(p_amount, remaining), greatest(coalesce(v_available, 0), 0));
    if taken > 0 then
      posting := p_id;
      remaining := remaining - taken;
      perform gateway_post_funding(p_org, p_id, 'reversal', -taken, p_description, p_reference, p_credit);
    end if;
  end $$`,
]
