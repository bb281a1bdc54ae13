import { sql } from 'kysely'
import { HOLDS_KEPT_DAYS } from '../../lib/jobs/retention.ts'
import { among, differences } from './audit-differences.ts'

/** A missing hold is an error only if it is a day younger than the sweeper's limit, because the sweeper uses another clock. */
export const KEPT = sql`make_interval(days => ${sql.lit(HOLDS_KEPT_DAYS - 1)})`

/** Each posting has at least two entries, in the accounts of its kind, that sum to zero. A charge needs a captured hold. */
export const postings = differences(
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
export const entries = differences(
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
export const holds = differences(
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
export const reversals = differences(
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
export const reconciliations = differences(
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
