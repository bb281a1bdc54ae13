import { type RawBuilder, sql } from 'kysely'
import { HOLDS_KEPT_DAYS } from '../../lib/jobs/retention.ts'

/** Rows of a large table that one statement reads. */
const ROWS = 5_000

/**
 * Organizations per statement, which sums all their entries and stored holds. Half a million captures take a second, so
 * the query timeout allows about three million captures in one window.
 */
const ORGANIZATIONS = 10

/** A missing hold is an error only if it is a day younger than the sweeper's limit, because the sweeper uses another clock. */
const KEPT = sql`make_interval(days => ${sql.lit(HOLDS_KEPT_DAYS - 1)})`

/** The kinds of differences that an audit finds. */
export type DifferenceKind =
  | `wallet_${'missing' | 'balance' | 'held' | 'overdrawn'}`
  | `key_${'spent' | 'held'}`
  | `hold_${'captured' | 'expired' | 'overdue'}`
  | 'reconciliation_hold'
  | `posting_${'unbalanced' | 'accounts' | 'hold'}`
  | 'entry_without_posting'

/** Part of a table: the ids above `after`, up to and including `upTo`. */
interface Window {
  after: string
  upTo: string
}

/** A table that is read window by window, and the checks of its rows. */
export interface Walk {
  /** The table, and the column that orders it. */
  table: 'ledger_postings' | 'ledger_entries' | 'holds' | 'reconciliations' | 'organizations'
  by: 'id' | 'posting_id' | 'hold_id'
  /** The rows per window. */
  rows: number
  /** The expression by which rows are counted; without one, all rows count together. */
  tally?: RawBuilder<string>
  /** Queries that return `org_id`, `kind` and `what`, a row per difference. */
  checks: readonly ((window: Window) => RawBuilder<unknown>)[]
}

/** Selects the rows of a query (`found`) that meet a condition, with a sentence that describes the difference. */
function differences(
  found: (window: Window) => RawBuilder<unknown>,
  kinds: Readonly<Partial<Record<DifferenceKind, { when: RawBuilder<unknown>; what: RawBuilder<unknown> }>>>,
): (window: Window) => RawBuilder<unknown> {
  const conditions = Object.entries(kinds).map(([kind, { when, what }]) => sql`(${sql.lit(kind)}, ${when}, ${what})`)
  return window => sql`
    with found as materialized (${found(window)})
    select org_id, difference as kind, what
    from found cross join lateral (values ${sql.join(conditions)}) as checked (difference, differs, what)
    where differs`
}

const inWindow = (column: string, { after, upTo }: Window) =>
  sql`${sql.ref(column)} > ${after} and ${sql.ref(column)} <= ${upTo}`

/** Each posting has at least two entries, in the accounts of its kind, that sum to zero. A charge needs a captured hold. */
const postings = differences(
  window => sql`
    select p.org_id, p.id, p.kind, p.at, p.hold_id, h.state, sum_of.*
    from ledger_postings as p
    left join holds as h on h.org_id = p.org_id and h.id = p.hold_id
    cross join lateral (
      select count(*) as entries, coalesce(sum(e.amount_micros), 0) as sum, count(*) filter (where e.org_id = p.org_id and
        case e.account
          when 'wallet' then (e.amount_micros > 0) = (p.kind = 'credit')
          when 'funding' then p.kind in ('credit', 'reversal') and (e.amount_micros > 0) = (p.kind = 'reversal')
          else p.kind in ('capture', 'overage') and e.amount_micros > 0
        end
      ) as fitting
      -- Found by the id alone: without statistics PostgreSQL would read all entries of the organization for each posting.
      from ledger_entries as e where e.posting_id = p.id
    ) as sum_of
    where ${inWindow('p.id', window)}`,
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

const entries = differences(
  window => sql`
    select e.org_id, e.posting_id, e.account, e.amount_micros from ledger_entries as e
    where ${inWindow('e.posting_id', window)}
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
  window => sql`
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
    where ${inWindow('h.id', window)}`,
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

/** The hold of each reconciliation has expired, or was released because its tool reported an invalid cost. */
const reconciliations = differences(
  window => sql`
    select r.org_id, r.hold_id, r.reason, r.at, h.state, case r.reason when 'expired' then 'expired' else 'released' end as due
    from reconciliations as r left join holds as h on h.org_id = r.org_id and h.id = r.hold_id
    where ${inWindow('r.hold_id', window)}`,
  {
    reconciliation_hold: {
      when: sql`case when state is null then at > now() - ${KEPT} else state <> due end`,
      what: sql`format('A reconciliation (%s) belongs to hold %s, which is %s instead of %s.', reason, hold_id, coalesce(state, 'missing'), due)`,
    },
  },
)

/** Each wallet has the sum of its entries and of its pending holds. Without overages, the balance covers the holds. */
const wallets = differences(
  window => sql`
    select o.id as org_id, w.org_id is null as missing, coalesce(w.balance_micros, 0) as balance,
      coalesce(w.held_micros, 0) as held, coalesce(posted.sum, 0) as posted, coalesce(posted.without_overages, 0) as covered,
      coalesce(pending.sum, 0) as pending
    from organizations as o
    left join wallets as w on w.org_id = o.id
    left join (
      select org_id, sum(amount_micros) as sum, sum(amount_micros) filter (where posting_id not like 'ovr%') as without_overages
      from ledger_entries where account = 'wallet' and ${inWindow('org_id', window)} group by org_id
    ) as posted on posted.org_id = o.id
    left join (
      select org_id, sum(amount_micros) as sum from holds where state = 'pending' and ${inWindow('org_id', window)} group by org_id
    ) as pending on pending.org_id = o.id
    where ${inWindow('o.id', window)}`,
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
      what: sql`format('Without overages the wallet has %s, less than the %s of its pending holds.', covered, pending)`,
    },
  },
)

/** Each key has the sums of its captured and pending holds per month, for the months whose holds are all stored. */
const keyMonths = differences(
  window => {
    const kept = sql`${inWindow('org_id', window)} and month >= (now() at time zone 'utc' - ${KEPT})::date`
    return sql`
      select org_id, key_id, to_char(month, 'YYYY-MM') as month, coalesce(counted.spent, 0) as spent,
        coalesce(counted.held, 0) as held, coalesce(summed.spent, 0) as captured, coalesce(summed.held, 0) as pending
      from (
        select org_id, key_id, month, spent_micros as spent, held_micros as held from key_months where ${kept}
      ) as counted
      full join (
        select org_id, key_id, month, sum(cost_micros) as spent, sum(amount_micros) filter (where state = 'pending') as held
        from holds where key_id is not null and state in ('captured', 'pending') and ${kept} group by 1, 2, 3
      ) as summed using (org_id, key_id, month)`
  },
  {
    key_spent: {
      when: sql`spent <> captured`,
      what: sql`format('Key %s counts %s as spent in %s, but its captured holds cost %s.', key_id, spent, month, captured)`,
    },
    key_held: {
      when: sql`held <> pending`,
      what: sql`format('Key %s counts %s as held in %s, but its pending holds sum to %s.', key_id, held, month, pending)`,
    },
  },
)

const RECENT = sql<string>`case when at > now() - interval '24 hours' then 'recent' else 'earlier' end`

/** All checks of the ledger. Large tables are read by primary key in windows, so that no statement takes long. */
export const WALKS: readonly Walk[] = [
  { table: 'organizations', by: 'id', rows: ORGANIZATIONS, checks: [wallets, keyMonths] },
  { table: 'ledger_postings', by: 'id', rows: ROWS, checks: [postings] },
  { table: 'ledger_entries', by: 'posting_id', rows: ROWS, checks: [entries] },
  { table: 'holds', by: 'id', rows: ROWS, tally: sql`state`, checks: [holds] },
  { table: 'reconciliations', by: 'hold_id', rows: ROWS, tally: RECENT, checks: [reconciliations] },
]
