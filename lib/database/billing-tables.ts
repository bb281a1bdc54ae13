import type { ColumnType, Generated } from 'kysely'
import type { Json, OptionalTime } from './column-types.ts'

/** An organization as the customer of the payment provider, with its settings. Amounts in micro-dollars. */
export interface CustomersTable {
  org_id: string
  /** The ID at Stripe; null for the built-in provider. */
  stripe_id: string | null
  /** Whether `stripe_id` belongs to Stripe's live mode. */
  livemode: boolean
  /** A copy for display. Stripe has the original. */
  billing_profile: ColumnType<unknown, string | undefined, string>
  default_payment_method: string | null
  auto_topup: Generated<boolean>
  /** A balance below it starts an automatic top-up. */
  auto_topup_threshold_micros: number | null
  auto_topup_amount_micros: number | null
  /** The most that automatic top-ups may charge in a month (UTC). */
  auto_topup_monthly_micros: number | null
  /** When automatic top-ups were switched on the last time. */
  auto_topup_since: OptionalTime
  created_at: Generated<Date>
}

type PaymentState = 'created' | 'open' | 'processing' | 'paid' | 'failed' | 'expired'

/** A payment. The row exists before the payment provider learns of it and is the only source of the amount. */
export interface PaymentsTable {
  org_id: string
  id: string
  kind: 'topup' | 'auto_topup' | 'subscription_period'
  provider: 'stripe' | 'built_in'
  state: Generated<PaymentState>
  /** What is credited: the subtotal without tax. */
  amount_micros: number
  /** The same amount in cents. */
  amount_cents: number
  currency: Generated<'usd'>
  /** Who started the payment; null for a job. */
  user_id: string | null
  /** Whether it is a payment in Stripe's live mode. */
  livemode: boolean
  /** The digest of the request that created it; a repeated request finds this payment. */
  request_key: string | null
  session_id: string | null
  payment_intent_id: string | null
  invoice_id: string | null
  /** What the provider charged, with tax. */
  charged_cents: number | null
  /** When it was credited, in the transaction of its posting `pst_<id>`. */
  credited_at: OptionalTime
  /** What refunds and disputes took back so far. */
  reversed_micros: Generated<number>
  /** The number of postings that took back or returned a part. */
  reversals: Generated<number>
  /** Why it failed, as a code of the provider. */
  failure: string | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
  /** When its state was last compared with the provider's. */
  checked_at: Generated<Date>
}

/** A payment that the provider reports differently from our row. Nothing was credited; the operator must check it. */
export interface PaymentReconciliationsTable {
  org_id: string
  payment_id: string
  /** What differs: `currency`, `subtotal`, `customer`, … */
  reason: string
  /** What we expected and what the provider reports. */
  detail: Json
  at: Generated<Date>
}

/** The events of Stripe that were received. Each ID is processed once. */
export interface StripeEventsTable {
  id: string
  type: string
  object_id: string | null
  livemode: boolean
  received_at: Generated<Date>
}
