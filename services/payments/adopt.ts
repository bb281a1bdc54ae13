import type Stripe from 'stripe'
import type { Payment } from './payment.ts'
import { idOf } from './stripe-object.ts'

// The ID of a new object is lost if the process dies, or the answer of Stripe does not arrive, before it is stored.

/** By how many seconds our clock may be ahead of Stripe's. */
const CLOCK_SKEW_S = 600

/**
 * Finds the page that Stripe created for a top-up. Only our key creates sessions of this customer with a
 * client_reference_id; a Payment Link, where buyers set it, is excluded.
 */
export async function adoptSession(stripe: Stripe, payment: Payment, customerId: string): Promise<string | null> {
  for await (const session of stripe.checkout.sessions.list(createdSince(payment, customerId)))
    if (
      session.client_reference_id === payment.id &&
      session.mode === 'payment' &&
      session.payment_link === null &&
      idOf(session.customer) === customerId
    )
      return session.id
  return null
}

/**
 * Finds the PaymentIntent that Stripe created for an automatic top-up. Only our key creates PaymentIntents of this customer,
 * so their metadata is ours. No other object is found by its metadata.
 */
export async function adoptIntent(stripe: Stripe, payment: Payment, customerId: string): Promise<string | null> {
  for await (const intent of stripe.paymentIntents.list(createdSince(payment, customerId)))
    if (intent.metadata.payment_id === payment.id && intent.amount === payment.amountCents) return intent.id
  return null
}

function createdSince({ createdAt }: Payment, customer: string) {
  return { customer, created: { gte: Math.floor(createdAt.getTime() / 1000) - CLOCK_SKEW_S }, limit: 100 }
}
