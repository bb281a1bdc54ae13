import { type Kysely, sql } from 'kysely'

/**
 * Postings of kind `reversal`, which take back a credit, and the function that makes them. It takes at most what the
 * wallet has available, and returns how much that was.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table ledger_postings drop constraint ledger_postings_kind_check',
  // Not valid, which reads no row: the constraint before this one accepted less.
  `alter table ledger_postings add constraint ledger_postings_kind_check
    check (kind in ('credit', 'capture', 'overage', 'reversal')) not valid`,
  `create function gateway_reverse(p_org text, p_id text, p_amount bigint, p_description text) returns bigint
  language plpgsql as $$
  declare
    v_taken bigint;
  begin
    if p_amount is null or p_amount < 1 then
      raise exception 'a reversal is of an amount above zero' using errcode = 'GW007';
    end if;
    perform gateway_bounded();
    select least(p_amount, balance_micros - held_micros) into v_taken from wallets
      where org_id = p_org for no key update;
    if v_taken is null or v_taken < 1 then
      return 0;
    end if;
    perform gateway_post(p_org, p_id, 'reversal', -v_taken, 'funding', null, null, null, p_description);
    update wallets set balance_micros = balance_micros - v_taken where org_id = p_org;
    return v_taken;
  end $$`,
]
