import type { Kysely } from 'kysely'
import type { Database } from '../../../lib/database/tables.ts'
import { forOrg } from '../../../lib/database/tenant.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import type { Plan, Plans } from './plans.ts'
import { isLive, type Subscription } from './subscription.ts'
import type { SubscriptionRows } from './subscription-rows.ts'

/** The plan that an organization is on. */
export interface PlanStatus {
  plan: Plan
  /** What the plan is paid from; null on the free plan. */
  payFrom: 'card' | 'wallet' | null
  /** Whether the last renewal was not paid. */
  pastDue: boolean
  /** The end of the current period; null on the free plan. */
  periodEnd: Date | null
  /** When the plan ends because it was canceled; null if it will be renewed. */
  endsAt: Date | null
}

/**
 * The plan of an organization: that of any live subscription, otherwise the free one. In a transaction, pass its handle.
 * It does not check that the organization exists.
 */
export type PlanOf = (orgId: string, on?: Kysely<Database>) => Promise<PlanStatus>

export function createPlanOf(
  options: Pick<Infrastructure, 'db' | 'clock'> & { plans: Plans; rows: Pick<SubscriptionRows, 'open'> },
): PlanOf {
  const { db, clock, plans, rows } = options
  return async (orgId, on = db) => {
    const now = new Date(clock.now())
    const live = (await rows.open(forOrg(on, orgId))).filter(subscription => isLive(subscription, now))
    const best = live.sort(byPermanence)[0]
    if (best === undefined) {
      const free = plans.find('free') as Plan
      return { plan: free, payFrom: null, pastDue: false, periodEnd: null, endsAt: null }
    }
    return {
      plan: plans.pro,
      payFrom: best.provider === 'wallet' ? 'wallet' : 'card',
      pastDue: best.status === 'past_due',
      periodEnd: best.end,
      endsAt: best.cancelAt,
    }
  }
}

/** A subscription that continues comes before one that ends, then the one that is paid for the longest. */
function byPermanence(a: Subscription, b: Subscription): number {
  const ending = Number(a.cancelAt !== null) - Number(b.cancelAt !== null)
  return ending || (b.end?.getTime() ?? 0) - (a.end?.getTime() ?? 0)
}
