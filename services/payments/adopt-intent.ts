import type Stripe from 'stripe'
import type { Payment } from './payment.ts'

/** By how many seconds our clock may be ahead of Stripe's. */
const CLOCK_SKEW_S = 600

/**
 * Finds the PaymentIntent of an automatic top-up whose answer was lost before its ID could be stored. Only our key creates
 * PaymentIntents of this customer, so their metadata is ours; nothing but this row is found by it.
 */
export async function adoptIntent(stripe: Stripe, payment: Payment, customerId: string): Promise<string | null> {
  const created = { gte: Math.floor(payment.createdAt.getTime() / 1000) - CLOCK_SKEW_S }
  for await (const intent of stripe.paymentIntents.list({ customer: customerId, created, limit: 100 }))
    if (intent.metadata.payment_id === payment.id && intent.amount === payment.amountCents) return intent.id
  return null
}
