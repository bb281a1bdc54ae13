import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../lib/database/tables.ts'
import { HOLDS_KEPT_DAYS } from '../../retention.ts'

/** The kinds of differences that an audit finds. */
export type DifferenceKind =
  | `wallet_${'missing' | 'balance' | 'held' | 'overdrawn'}`
  | `key_${'spent' | 'held'}`
  | `hold_${'captured' | 'expired' | 'overdue'}`
  | 'reconciliation_hold'
  | `posting_${'unbalanced' | 'accounts' | 'hold'}`
  | 'entry_without_posting'
  | 'credit_reversed'
  | 'checkpoint_sums'
  | 'payment_credit'
  | 'payment_reversed'
  | `plan_grant${'' | '_expired'}`

/** A figure of an organization that differs from what the ledger's rows add up to. */
export interface LedgerDifference {
  org: string
  kind: DifferenceKind
  /** A sentence with figures in micro-dollars. */
  what: string
}

/** Selects the rows of a query (`found`) that meet a condition, with a sentence that describes the difference. */
function differences<Of>(
  found: (of: Of) => RawBuilder<unknown>,
  kinds: Readonly<Partial<Record<DifferenceKind, { when: RawBuilder<unknown>; what: RawBuilder<unknown> }>>>,
): (of: Of) => RawBuilder<LedgerDifference> {
  const conditions = Object.entries(kinds).map(([kind, { when, what }]) => sql`(${sql.lit(kind)}, ${when}, ${what})`)
  return of => sql<LedgerDifference>`
    with found as materialized (${found(of)})
    select org_id as org, difference as kind, what
    from found cross join lateral (values ${sql.join(conditions)}) as checked (difference, differs, what)
    where differs`
}

/** Selects rows by their ids. */
const among = (column: string, ids: readonly string[]) => sql`${sql.ref(column)} = any(${ids}::text[])`

/** A missing hold is an error only if it is a day younger than the sweeper's limit, because the sweeper uses another clock. */
const KEPT = sql`make_interval(days => ${sql.lit(HOLDS_KEPT_DAYS - 1)})`

/** Each posting has at least two entries, in the accounts of its kind, that sum to zero. A charge needs a captured hold. */
const postings = differences(
  (ids: readonly string[]) => sql`
    select p.org_id, p.id, p.kind, p.at, p.hold_id, h.state, sum_of.*
    from ledger_postings as p
    left join holds as h on h.org_id = p.org_id and h.id = p.hold_id
    cross join lateral (
      select count(*) as entries, coalesce(sum(e.amount_micros), 0) as sum, count(*) filter (where e.org_id = p.org_id and
        case e.account
          when 'wallet' then (e.amount_micros > 0) = (p.kind in ('credit', 'reinstatement', 'grant'))
          when 'funding' then p.kind in ('credit', 'reversal', 'reinstatement') and (e.amount_micros > 0) = (p.kind = 'reversal')
          when 'promotion' then p.kind in ('grant', 'grant_expiry') and (e.amount_micros > 0) = (p.kind = 'grant_expiry')
          else p.kind in ('capture', 'overage', 'plan_fee') and e.amount_micros > 0
        end
      ) as fitting
      -- Found by the id alone: without statistics PostgreSQL would read all entries of the organization for each posting.
      from ledger_entries as e where e.posting_id = p.id
    ) as sum_of
    where ${among('p.id', ids)}`,
  {
    posting_unbalanced: {
      when: sql`entries < 2 or sum <> 0`,
      what: sql`format('Posting %s has %s entries, which sum to %s instead of zero.', id, entries, sum)`,
    },
    posting_accounts: {
      when: sql`fitting <> entries`,
      what: sql`format('Posting %s has %s entries. The accounts or signs of %s of them do not fit a %s.', id, entries, entries - fitting, kind)`,
    },
    posting_hold: {
      when: sql`hold_id is not null and case when state is null then at > now() - ${KEPT} else state <> 'captured' end`,
      what: sql`format('Posting %s charges for hold %s, which is %s.', id, hold_id, coalesce(state, 'missing'))`,
    },
  },
)

/** Each entry belongs to a posting of its organization. */
const entries = differences(
  (ids: readonly string[]) => sql`
    select e.org_id, e.posting_id, e.account, e.amount_micros from ledger_entries as e
    where ${among('e.posting_id', ids)}
      and (select p.org_id from ledger_postings as p where p.id = e.posting_id) is distinct from e.org_id`,
  {
    entry_without_posting: {
      when: sql`true`,
      what: sql`format('An entry of %s in %s belongs to posting %s, which its organization does not have.', amount_micros, account, posting_id)`,
    },
  },
)

/** Each captured hold has a capture of its cost, up to its amount, and an overage of the rest. */
const holds = differences(
  (ids: readonly string[]) => sql`
    select h.org_id, h.id, h.state, h.expires_at, h.amount_micros, h.cost_micros, least(h.cost_micros, h.amount_micros) as capture,
      greatest(h.cost_micros - h.amount_micros, 0) as overage, coalesce(taken.capture, 0) as captured,
      coalesce(taken.overage, 0) as overtaken, r.hold_id as reconciled
    from holds as h
    left join reconciliations as r on r.org_id = h.org_id and r.hold_id = h.id and r.reason = 'expired'
    cross join lateral (
      select -sum(e.amount_micros) filter (where p.kind = 'capture') as capture,
        -sum(e.amount_micros) filter (where p.kind = 'overage') as overage
      from ledger_postings as p join ledger_entries as e on e.posting_id = p.id
      -- The ledger's functions derive these ids from the hold, because there is no index by hold. The organization is
      -- compared in a way that no index matches, as above.
      where p.id in ('cap' || substr(h.id, 4), 'ovr' || substr(h.id, 4))
        and e.account = 'wallet' and p.hold_id = h.id and p.org_id is not distinct from h.org_id
    ) as taken
    where ${among('h.id', ids)}`,
  {
    hold_captured: {
      when: sql`state = 'captured' and (captured <> capture or overtaken <> overage)`,
      what: sql`format(
        'Hold %s of %s cost %s. Its capture is %s and its overage %s, which should be %s and %s.',
        id, amount_micros, cost_micros, captured, overtaken, capture, overage
      )`,
    },
    hold_expired: {
      when: sql`state = 'expired' and reconciled is null`,
      what: sql`format('Hold %s of %s has expired without a reconciliation.', id, amount_micros)`,
    },
    hold_overdue: {
      when: sql`state = 'pending' and expires_at < now() - interval '1 hour'`,
      what: sql`format(
        'Hold %s of %s should have expired at %s, but is still pending. The job billing.expire-holds does not run.',
        id, amount_micros, to_char(expires_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
      )`,
    },
  },
)

/** A reversal of the operator takes back a credit that no payment paid, and all of them at most its amount. */
const reversals = differences(
  (ids: readonly string[]) => sql`
    select p.org_id, p.id, p.reverses, coalesce(gateway_posted(c.org_id, c.id), 0) as credited, (
      select -sum(gateway_posted(r.org_id, r.id)) from ledger_postings as r
      where r.reverses = p.reverses and r.org_id is not distinct from p.org_id
    ) as taken
    from ledger_postings as p
    left join ledger_postings as c on c.id = p.reverses and c.org_id = p.org_id and c.kind = 'credit' and c.payment_id is null
    where p.reverses is not null and ${among('p.id', ids)}`,
  {
    credit_reversed: {
      when: sql`taken > credited`,
      what: sql`format('Posting %s takes back credit %s of %s, of which %s is taken back in all.', id, reverses, credited, taken)`,
    },
  },
)

/** What became of a hold, by the reason of its reconciliation. */
const DUE = sql`case r.reason when 'expired' then 'expired' when 'invalid_cost' then 'released' else 'captured' end`

/** The hold of each reconciliation has expired, was released for an invalid cost, or captured at the bound of its overage. */
const reconciliations = differences(
  (ids: readonly string[]) => sql`
    select r.org_id, r.hold_id, r.reason, r.at, h.state, ${DUE} as due
    from reconciliations as r left join holds as h on h.org_id = r.org_id and h.id = r.hold_id
    where ${among('r.hold_id', ids)}`,
  {
    reconciliation_hold: {
      when: sql`case when state is null then at > now() - ${KEPT} else state <> due end`,
      what: sql`format('A reconciliation (%s) belongs to hold %s, which is %s instead of %s.', reason, hold_id, coalesce(state, 'missing'), due)`,
    },
  },
)

/** Each credited payment has one credit of its amount, no other has one, and what was taken back is in the ledger. */
const payments = differences(
  (ids: readonly string[]) => sql`
    select p.org_id, p.id, p.amount_micros, p.credited_at is not null as is_credited, p.reversed_micros,
      coalesce(posted.credited, 0) as credited, coalesce(posted.reversed, 0) as reversed
    from payments as p
    cross join lateral (
      select sum(e.amount_micros) filter (where l.kind = 'credit') as credited,
        -sum(e.amount_micros) filter (where l.kind in ('reversal', 'reinstatement')) as reversed
      from ledger_postings as l join ledger_entries as e on e.posting_id = l.id and e.account = 'wallet'
      -- Found by the payment alone: without statistics PostgreSQL would read all postings of the organization.
      where l.payment_id = p.id and l.org_id is not distinct from p.org_id
    ) as posted
    where p.kind in ('topup', 'auto_topup') and ${among('p.id', ids)}`,
  {
    payment_credit: {
      when: sql`credited <> case when is_credited then amount_micros else 0 end`,
      what: sql`format(
        'Payment %s of %s is %s, but the ledger has credits of %s for it.',
        id, amount_micros, case when is_credited then 'credited' else 'not credited' end, credited
      )`,
    },
    payment_reversed: {
      when: sql`reversed <> reversed_micros`,
      what: sql`format('Payment %s counts %s as taken back, but the ledger has %s.', id, reversed_micros, reversed)`,
    },
  },
)

/** Each grant of a plan has one posting of its amount, and one of what has expired. */
const planGrants = differences(
  (ids: readonly string[]) => sql`
    select g.org_id, g.id, g.amount_micros, coalesce(g.expired_micros, 0) as expired_micros,
      coalesce(posted.granted, 0) as granted, coalesce(posted.expired, 0) as expired
    from plan_grants as g
    cross join lateral (
      select sum(e.amount_micros) filter (where l.kind = 'grant') as granted,
        -sum(e.amount_micros) filter (where l.kind = 'grant_expiry') as expired
      from ledger_postings as l join ledger_entries as e on e.posting_id = l.id and e.account = 'wallet'
      -- The functions of plans derive these ids from the grant.
      where l.id in ('gra_' || g.id, 'gex_' || g.id) and l.org_id is not distinct from g.org_id
    ) as posted
    where ${among('g.id', ids)}`,
  {
    plan_grant: {
      when: sql`granted <> amount_micros`,
      what: sql`format('Grant %s is of %s, but the ledger has grants of %s for it.', id, amount_micros, granted)`,
    },
    plan_grant_expired: {
      when: sql`expired <> expired_micros`,
      what: sql`format('Of grant %s, %s has expired, but the ledger has %s.', id, expired_micros, expired)`,
    },
  },
)

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
const wallets = differences(
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
const keyMonths = differences(
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

/** What each row of a table must meet. A check takes the IDs of the rows, and returns a row per difference. */
export const ROW_CHECKS = {
  ledger_postings: [postings, reversals],
  ledger_entries: [entries],
  holds: [holds],
  payments: [payments],
  plan_grants: [planGrants],
  reconciliations: [reconciliations],
} satisfies Partial<Record<keyof Database, unknown>>

/** What the sums of organizations must meet. */
export const SUM_CHECKS = [wallets, keyMonths]
