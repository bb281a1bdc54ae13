import type Stripe from 'stripe'
import { idOf } from './observe-payment.ts'
import type { Payment } from './payment.ts'

/**
 * Finds the session that Stripe created for a payment before its ID could be stored. Only our key creates sessions of this
 * customer with a client_reference_id; a Payment Link, where buyers set it, is excluded.
 */
export async function adoptSession(stripe: Stripe, payment: Payment, customerId: string): Promise<string | null> {
  const created = { gte: Math.floor(payment.createdAt.getTime() / 1000) - CLOCK_SKEW_S }
  for await (const session of stripe.checkout.sessions.list({ customer: customerId, created, limit: 100 }))
    if (
      session.client_reference_id === payment.id &&
      session.mode === 'payment' &&
      session.payment_link === null &&
      idOf(session.customer) === customerId
    )
      return session.id
  return null
}

/** By how many seconds our clock may be ahead of Stripe's. */
const CLOCK_SKEW_S = 600
