import type { Generated } from 'kysely'
import type { OptionalTime, Time } from './column-types.ts'

/** Who charges a subscription: the payment provider, the built-in provider of development, or the wallet. */
type SubscriptionProvider = 'stripe' | 'built_in' | 'wallet'

/** `checkout` until the provider has a subscription; the others are those of the provider. */
export type SubscriptionStatus =
  | 'checkout'
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'paused'
  | 'canceled'

/** A subscription of an organization to a plan. Its row exists before its checkout begins. */
export interface SubscriptionsTable {
  org_id: string
  id: string
  provider: SubscriptionProvider
  stripe_id: string | null
  session_id: string | null
  plan_id: string
  /** The price of a period and its included credits when the organization subscribed. */
  price_micros: number
  included_micros: number
  livemode: boolean
  status: SubscriptionStatus
  /** The start of the first period, from which the later ones are counted. */
  anchor: OptionalTime
  period_start: OptionalTime
  period_end: OptionalTime
  /** When it ends instead of being renewed. */
  cancel_at: OptionalTime
  /** How many renewals in a row have failed. */
  failures: Generated<number>
  /** Increased by each change: what was read from the provider before a change is not written after it. */
  version: Generated<number>
  created_by: string | null
  created_at: Time
  checked_at: Time
}

/** The included credits of one period of a subscription. Maintained by the functions of migration 0016. */
export interface PlanGrantsTable {
  org_id: string
  id: string
  subscription_id: string
  period_start: Time
  period_end: Time
  amount_micros: number
  /** What spending had not used when the grants of the organization were last settled. */
  unspent_micros: number
  /** What the organization had spent in total at that time. */
  settled_micros: number
  /** What was taken back when the period was over. */
  expired_micros: number | null
  ended_at: OptionalTime
  created_at: Generated<Date>
}
