import type { Selectable } from 'kysely'
import type { SubscriptionsTable } from '../../lib/database/subscription-tables.ts'

/** A subscription of an organization to a plan. Amounts in micro-dollars. */
export interface Subscription {
  id: string
  orgId: string
  provider: SubscriptionsTable['provider']
  stripeId: string | null
  sessionId: string | null
  planId: string
  priceMicros: number
  includedMicros: number
  livemode: boolean
  status: SubscriptionsTable['status']
  anchor: Date | null
  /** The period that is paid for. */
  start: Date | null
  end: Date | null
  /** When it ends instead of being renewed. */
  cancelAt: Date | null
  failures: number
  version: number
  createdAt: Date
  checkedAt: Date
}

/** How long a subscription whose renewal was not paid keeps the plan. */
const GRACE_MS = 3 * 86_400_000

/** Whether a subscription gives its plan. A renewal that was not paid keeps it for three days, without new credits. */
export function isLive({ status, end, cancelAt }: Subscription, now: Date): boolean {
  if (cancelAt !== null && cancelAt.getTime() <= now.getTime()) return false
  if (status === 'active' || status === 'trialing') return true
  return status === 'past_due' && end !== null && now.getTime() < end.getTime() + GRACE_MS
}

/** Whether a subscription has ended and cannot change again. */
export function isOver({ status }: Pick<Subscription, 'status'>): boolean {
  return status === 'canceled' || status === 'incomplete_expired'
}

export function toSubscription(row: Selectable<SubscriptionsTable>): Subscription {
  return {
    id: row.id,
    orgId: row.org_id,
    provider: row.provider,
    stripeId: row.stripe_id,
    sessionId: row.session_id,
    planId: row.plan_id,
    priceMicros: row.price_micros,
    includedMicros: row.included_micros,
    livemode: row.livemode,
    status: row.status,
    anchor: row.anchor,
    start: row.period_start,
    end: row.period_end,
    cancelAt: row.cancel_at,
    failures: row.failures,
    version: row.version,
    createdAt: row.created_at,
    checkedAt: row.checked_at,
  }
}
