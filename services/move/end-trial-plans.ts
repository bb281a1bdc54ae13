import { sql, type Transaction } from 'kysely'
import type { Audit } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs, forOrg } from '../../lib/database/tenant.ts'

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
