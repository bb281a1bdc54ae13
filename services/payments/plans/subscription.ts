import type { Selectable } from 'kysely'
import type { SubscriptionStatus, SubscriptionsTable } from '../../../lib/database/subscription-tables.ts'

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

const DAY_MS = 86_400_000
/** How long a subscription whose renewal was not paid keeps the plan. */
const GRACE_MS = 3 * DAY_MS

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

/** A period of a subscription, from its start up to its end. */
export interface Period {
  start: Date
  end: Date
}

/** The first monthly period of a subscription that begins at `anchor`. */
export function firstPeriod(anchor: Date): Period {
  return { start: anchor, end: addMonths(anchor, 1) }
}

/**
 * The monthly period after the one that ended at `end`, counted from `anchor`: from the 31st, periods begin on the last
 * day of shorter months. Periods that are over at `now` are skipped, because nobody used them.
 */
export function nextPeriod(anchor: Date, end: Date, now: Date): Period {
  const from = now.getTime() < end.getTime() ? end : now
  let count = monthsBetween(anchor, from)
  while (addMonths(anchor, count).getTime() > from.getTime()) count--
  const start = addMonths(anchor, count)
  // An end that is not on a boundary: the period continues from it.
  return { start: start.getTime() < end.getTime() ? end : start, end: addMonths(anchor, count + 1) }
}

function monthsBetween(from: Date, to: Date): number {
  return 12 * (to.getUTCFullYear() - from.getUTCFullYear()) + to.getUTCMonth() - from.getUTCMonth()
}

/** In UTC. Libraries add months in local time, or need a second package and more lines than these. */
function addMonths(date: Date, count: number): Date {
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count, 1)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count + 1, 0)).getUTCDate()
  const ofDay = date.getTime() - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
  return new Date(first + (Math.min(date.getUTCDate(), lastDay) - 1) * DAY_MS + ofDay)
}

/** A paid invoice of a subscription, as the provider has it now. */
export interface PaidInvoice {
  id: string
  customerId: string | null
  livemode: boolean
  currency: string
  /** Without tax. */
  subtotalCents: number
  /** With tax. */
  chargedCents: number
  /** The period that it pays for. */
  start: Date
  end: Date
}

/** A subscription, as the provider has it now. */
export interface RemoteSubscription {
  id: string
  customerId: string | null
  livemode: boolean
  status: Exclude<SubscriptionStatus, 'checkout'>
  start: Date
  end: Date
  /** When it ends instead of being renewed. */
  cancelAt: Date | null
  /** The latest invoice, if it is paid. */
  paid: PaidInvoice | null
}

/** A payment page for a subscription, as the provider has it now. */
interface RemoteCheckout {
  status: 'open' | 'complete' | 'expired'
  /** Null unless it is open. */
  url: string | null
  /** The subscription that it has created. */
  subscriptionId: string | null
  customerId: string | null
}

/**
 * Subscriptions that are charged to a card, at the payment provider. Each function throws a StripeFailure if the provider
 * fails.
 */
export interface SubscriptionProvider {
  readonly livemode: boolean
  /** Opens the payment page of a subscription. Repeated calls return the same page. */
  open(subscription: Subscription): Promise<{ sessionId: string; url: string }>
  readCheckout(sessionId: string): Promise<RemoteCheckout>
  /** Closes a payment page. No error if it is complete or expired. */
  closeCheckout(sessionId: string): Promise<void>
  read(id: string): Promise<RemoteSubscription>
  /** Sets whether the subscription ends with its period. */
  setEnding(id: string, ending: boolean): Promise<void>
  /** Ends the subscription at once. No error if it has ended. */
  end(id: string): Promise<void>
  /** The subscription of an invoice, and the invoice if it is paid; undefined if it is of no subscription. */
  readInvoice(id: string): Promise<{ subscriptionId: string; paid: PaidInvoice | null } | undefined>
}
