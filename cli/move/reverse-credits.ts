import { sql, type Transaction } from 'kysely'
import type { Audit } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs, forOrg } from '../../lib/database/tenant.ts'
import type { IdSource } from '../../schemas/primitives/ids.ts'
import type { Ledger } from '../../services/billing/ledger.ts'
import { OPENING_DESCRIPTION, openingMicros } from '../../services/billing/wallets.ts'

/** A credit of development that was taken back. */
export interface ReversedCredit {
  orgId: string
  /** The posting of the reversal; null if nothing was left to take back. */
  id: string | null
  amountMicros: number
}

interface ReverseCreditsOptions {
  ledger: Pick<Ledger, 'reverse'>
  audit: Audit
  ids: IdSource
}

/**
 * Takes back the credit that development gives each new organization, and the payments of the built-in provider, which
 * nobody paid: at most what the wallet has available. What was spent stays spent, and no balance becomes negative.
 */
export async function reverseOpeningCredits(
  db: Transaction<Database>,
  { ledger, audit, ids }: ReverseCreditsOptions,
): Promise<ReversedCredit[]> {
  const { rows: credits } = await sql<{ orgId: string; posting: string; amountMicros: number }>`
    select * from (
      select distinct on (p.org_id) p.org_id as "orgId", p.id as posting, e.amount_micros as "amountMicros"
      from ledger_postings as p
      join ledger_entries as e on e.org_id = p.org_id and e.posting_id = p.id and e.account = 'wallet'
      where p.kind = 'credit' and p.description = ${OPENING_DESCRIPTION} and e.amount_micros = ${openingMicros('development')}
      order by p.org_id, p.at, p.id
    ) as opening
    union all
    select p.org_id, p.id, e.amount_micros
    from payments
    join ledger_postings as p on p.org_id = payments.org_id and p.payment_id = payments.id and p.kind = 'credit'
    join ledger_entries as e on e.org_id = p.org_id and e.posting_id = p.id and e.account = 'wallet'
    where payments.provider = 'built_in'
    order by 1, 2
  `.execute(acrossOrgs(db))
  const reversed: ReversedCredit[] = []
  for (const { orgId, posting, amountMicros: credited } of credits) {
    // What the operator took back before.
    const { rows } = await sql<{ back: number }>`
      select coalesce(-sum(gateway_posted(org_id, id)), 0)::bigint as back from ledger_postings where reverses = ${posting}`.execute(
      acrossOrgs(db),
    )
    const amountMicros = credited - (rows[0]?.back ?? 0)
    if (amountMicros <= 0) continue
    const id = ids('txn')
    const description = `Reversal of the development credit ${posting}`
    const taken = await ledger.reverse(db, { orgId, id, amountMicros, description })
    if (taken > 0) {
      const detail = { amountMicros: taken, description }
      await audit.record(forOrg(db, orgId), { by: 'operator', action: 'wallet.reverse', target: id, detail })
    }
    reversed.push({ orgId, id: taken > 0 ? id : null, amountMicros: taken })
  }
  return reversed
}

/**
 * Ends the subscriptions that nobody paid real money for: those of the built-in provider, of Stripe's test mode, and those
 * that credits of development paid for. Takes back their unused credits, at most what the wallet has available.
 */
export async function endTrialPlans(db: Transaction<Database>, { audit }: { audit: Audit }): Promise<void> {
  const everywhere = acrossOrgs(db)
  const { rows: ended } = await sql<{ orgId: string; id: string; planId: string }>`
    update subscriptions set status = 'canceled', version = version + 1
    where status not in ('canceled', 'incomplete_expired') and not (provider = 'stripe' and livemode)
    returning org_id as "orgId", id, plan_id as "planId"
  `.execute(everywhere)
  await sql`
    update plan_grants as g set period_end = greatest(g.period_start + interval '1 millisecond', now())
    from subscriptions as s
    where s.org_id = g.org_id and s.id = g.subscription_id and g.ended_at is null
      and not (s.provider = 'stripe' and s.livemode)
  `.execute(everywhere)
  await sql`
    select gateway_expire_grants(due.org_id, now() + interval '1 second', null, null)
    from (select distinct org_id from plan_grants where ended_at is null and period_end <= now() + interval '1 second') as due
  `.execute(everywhere)
  for (const { orgId, id, planId } of ended)
    await audit.record(forOrg(db, orgId), {
      by: 'operator',
      action: 'plan.end',
      target: id,
      detail: { planId, reason: 'move' },
    })
}
