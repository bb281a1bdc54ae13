import { sql } from 'kysely'
import { KEPT } from './audit-checks.ts'
import { among, differences } from './audit-differences.ts'

/** What the postings of some organizations add up to, as columns. Amounts are decimal numbers in micro-dollars. */
export interface Totals {
  orgs: string[]
  wallet: string[]
  /** The wallet without overages and what refunds and disputes took back. */
  covered: string[]
  /** The spending of keys by month. */
  keys: { orgs: string[]; ids: string[]; months: string[]; spent: string[] }
}

/**
 * The pending holds of all organizations, which are few. They are read by the index of pending holds; a condition on the
 * organization would make PostgreSQL read all holds that it ever had.
 */
const PENDING = sql`
  select org_id, key_id, month, sum(amount_micros) as amount from holds
  where state = 'pending' and expires_at > '-infinity' group by org_id, key_id, month`

/**
 * Each wallet has the sum of its entries and of its pending holds. Without overages and what refunds and disputes took back
 * (`rev_`), the balance covers the holds.
 */
export const wallets = differences(
  (totals: Totals) => sql`
    with posted as (
      select * from unnest(${totals.orgs}::text[], ${totals.wallet}::numeric[], ${totals.covered}::numeric[])
        as t (org_id, sum, covered)
    ), pending as (
      select org_id, sum(amount) as sum from (${PENDING}) as pending group by org_id
    )
    select posted.org_id, w.org_id is null as missing, coalesce(w.balance_micros, 0) as balance,
      coalesce(w.held_micros, 0) as held, posted.sum as posted, posted.covered, coalesce(pending.sum, 0) as pending
    from posted left join wallets as w on w.org_id = posted.org_id left join pending on pending.org_id = posted.org_id`,
  {
    wallet_missing: {
      when: sql`missing`,
      what: sql`format(
        'The organization has no wallet; its entries sum to %s. %s', posted,
        case when posted = 0 then 'A credit creates one.' else 'Create one with that balance: a credit would start at 0.' end
      )`,
    },
    wallet_balance: {
      when: sql`not missing and balance <> posted`,
      what: sql`format('The balance of the wallet is %s, but its entries sum to %s.', balance, posted)`,
    },
    wallet_held: {
      when: sql`held <> pending`,
      what: sql`format('The wallet holds %s, but its pending holds sum to %s.', held, pending)`,
    },
    wallet_overdrawn: {
      when: sql`covered < pending`,
      what: sql`format('Without overages and taken back payments the wallet has %s, less than the %s of its pending holds.', covered, pending)`,
    },
  },
)

/** Each key has the sums of its captures and pending holds per month, for the months that are kept. */
export const keyMonths = differences(
  (totals: Totals) => {
    const kept = sql`month >= (now() at time zone 'utc' - ${KEPT})::date`
    return sql`
      with summed as (
        select * from unnest(${totals.keys.orgs}::text[], ${totals.keys.ids}::text[], ${totals.keys.months}::date[],
          ${totals.keys.spent}::numeric[]) as t (org_id, key_id, month, spent)
      ), pending as (
        select org_id, key_id, month, amount as held from (${PENDING}) as pending
        where key_id is not null and ${among('org_id', totals.orgs)}
      )
      select org_id, key_id, to_char(month, 'YYYY-MM') as month, coalesce(counted.spent, 0) as spent,
        coalesce(counted.held, 0) as held, coalesce(summed.spent, 0) as captured, coalesce(pending.held, 0) as pending
      from (
        select org_id, key_id, month, spent_micros as spent, held_micros as held from key_months
        where ${among('org_id', totals.orgs)}
      ) as counted
      full join summed using (org_id, key_id, month)
      full join pending using (org_id, key_id, month)
      where ${kept}`
  },
  {
    key_spent: {
      when: sql`spent <> captured`,
      what: sql`format('Key %s counts %s as spent in %s, but its captures sum to %s.', key_id, spent, month, captured)`,
    },
    key_held: {
      when: sql`held <> pending`,
      what: sql`format('Key %s counts %s as held in %s, but its pending holds sum to %s.', key_id, held, month, pending)`,
    },
  },
)
