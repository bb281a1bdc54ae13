import { sql } from 'kysely'
import { among, differences } from './audit-differences.ts'

/** Each credited payment has one credit of its amount, no other has one, and what was taken back is in the ledger. */
export const payments = differences(
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
export const planGrants = differences(
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
