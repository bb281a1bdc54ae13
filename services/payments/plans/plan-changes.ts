import type { Actor } from '../../../lib/audit/audit.ts'
import type { OrgDatabase } from '../../../lib/database/tenant.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import type { PlanLedger } from './plan-ledger.ts'
import type { Plan, Plans } from './plans.ts'
import { firstPeriod, nextPeriod, type Subscription } from './subscription.ts'
import type { SubscriptionRows } from './subscription-rows.ts'

/** Changes of subscriptions without a card: from the wallet, or by the built-in provider. Each writes an audit row. */
export interface PlanChanges {
  /** Begins the first period and charges it. Throws what `PlanLedger.charge` throws. */
  begin(org: OrgDatabase, begun: { plan: Plan; provider: 'wallet' | 'built_in'; userId: string }): Promise<void>
  /** Begins the next period and charges it. Throws what `PlanLedger.charge` throws. */
  renew(org: OrgDatabase, known: Subscription, by: Actor): Promise<void>
  /** Sets whether the subscription ends with its period. One that is past due ends at once. */
  setEnding(org: OrgDatabase, known: Subscription, ending: boolean, by: Actor): Promise<void>
  /** Ends the subscription at once. The credits of its period stay until that is over. */
  end(org: OrgDatabase, known: Subscription, by: Actor): Promise<void>
}

interface PlanChangesOptions extends Pick<Infrastructure, 'clock' | 'audit'> {
  plans: Plans
  rows: SubscriptionRows
  ledger: PlanLedger
}

export function createPlanChanges({ clock, audit, plans, rows, ledger }: PlanChangesOptions): PlanChanges {
  async function charge(org: OrgDatabase, subscription: Subscription): Promise<void> {
    const { orgId, id, start, end, priceMicros, includedMicros, provider } = subscription
    if (start === null || end === null) throw new TypeError(`Subscription ${id} has no period`)
    const period = { orgId, subscriptionId: id, start, end, includedMicros, description: plans.pro.name }
    const now = new Date(clock.now())
    // The built-in provider of development charges nobody.
    if (provider === 'built_in') await ledger.grant(org.db, period, now)
    else await ledger.charge(org.db, { ...period, feeMicros: priceMicros }, now)
  }

  async function changed(
    org: OrgDatabase,
    known: Subscription,
    change: Parameters<SubscriptionRows['change']>[2],
  ): Promise<Subscription> {
    const now = await rows.change(org, known, change)
    if (now === undefined)
      throw new TypeError(`Subscription ${known.id} was changed under the lock of its organization`)
    return now
  }

  async function end(org: OrgDatabase, known: Subscription, by: Actor): Promise<void> {
    await changed(org, known, { status: 'canceled' })
    await audit.record(org, { by, action: 'plan.end', target: known.id, detail: { planId: known.planId } })
  }

  return {
    async begin(org, { plan, provider, userId }) {
      const period = firstPeriod(new Date(clock.now()))
      const subscription = await rows.add(org, { provider, plan, status: 'active', period, userId })
      await charge(org, subscription)
      const { id, priceMicros, includedMicros } = subscription
      const detail = { planId: plan.id, provider, priceMicros, includedMicros, end: period.end.toISOString() }
      await audit.record(org, { by: { userId, orgId: org.orgId }, action: 'plan.subscribe', target: id, detail })
    },

    async renew(org, known, by) {
      const { anchor, end: until, priceMicros, includedMicros } = known
      if (anchor === null || until === null) throw new TypeError(`Subscription ${known.id} has no period`)
      const period = nextPeriod(anchor, until, new Date(clock.now()))
      const renewed = await changed(org, known, { ...period, status: 'active', failures: 0 })
      await charge(org, renewed)
      const detail = { planId: known.planId, priceMicros, includedMicros, end: period.end.toISOString() }
      await audit.record(org, { by, action: 'plan.renew', target: known.id, detail })
    },

    async setEnding(org, known, ending, by) {
      if (ending && known.status === 'past_due') return end(org, known, by)
      const { cancelAt } = await changed(org, known, { cancelAt: ending ? known.end : null })
      const detail = { planId: known.planId, endsAt: cancelAt?.toISOString() ?? null }
      await audit.record(org, { by, action: ending ? 'plan.cancel' : 'plan.resume', target: known.id, detail })
    },

    end,
  }
}
