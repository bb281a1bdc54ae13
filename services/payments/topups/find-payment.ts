import type Stripe from 'stripe'
import type { ApplyObjects } from '../provider/events.ts'
import { idOf } from '../provider/stripe-requests.ts'
import type { Payment, PaymentName, PaymentRows } from './payment-rows.ts'

interface ApplyOptions {
  rows: PaymentRows
  client(): Promise<Stripe>
  sync(payment: PaymentName): Promise<unknown>
}

/**
 * How objects in events are applied, by their type: each brings the payment that it belongs to to its current state. The
 * payment is found by IDs that we stored, and by relations that Stripe answers. Metadata of an object decides nothing.
 */
export function createApplyPayments({ rows, client, sync }: ApplyOptions): ApplyObjects {
  async function apply(payment: PaymentName | undefined): Promise<void> {
    if (payment !== undefined) await sync(payment)
  }

  async function byIntent(object: string | { id: string } | null): Promise<void> {
    const paymentIntentId = idOf(object)
    if (paymentIntentId === null) return
    const known = await rows.findByObject({ paymentIntentId })
    if (known !== undefined) return apply(known)
    // The event came before the one of its session.
    const stripe = await client()
    const { data } = await stripe.checkout.sessions.list({ payment_intent: paymentIntentId, limit: 1 })
    const [session] = data
    if (session !== undefined) await apply(await rows.findByObject({ sessionId: session.id }))
  }

  return {
    'checkout.session': async id => apply(await rows.findByObject({ sessionId: id })),
    payment_intent: id => byIntent(id),
    charge: async id => byIntent((await (await client()).charges.retrieve(id)).payment_intent),
    refund: async id => byIntent((await (await client()).refunds.retrieve(id)).payment_intent),
    dispute: async id => byIntent((await (await client()).disputes.retrieve(id)).payment_intent),
  }
}

// The ID of a new object is lost if the process dies, or the answer of Stripe does not arrive, before it is stored.

/** By how many seconds our clock may be ahead of Stripe's. */
const CLOCK_SKEW_S = 600

/**
 * Finds the page that Stripe created for a top-up. Only our key creates sessions of this customer with a
 * client_reference_id; a Payment Link, where buyers set it, is excluded.
 */
export async function findSession(stripe: Stripe, payment: Payment, customerId: string): Promise<string | null> {
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
export async function findIntent(stripe: Stripe, payment: Payment, customerId: string): Promise<string | null> {
  for await (const intent of stripe.paymentIntents.list(createdSince(payment, customerId)))
    if (intent.metadata.payment_id === payment.id && intent.amount === payment.amountCents) return intent.id
  return null
}

function createdSince({ createdAt }: Payment, customer: string) {
  return { customer, created: { gte: Math.floor(createdAt.getTime() / 1000) - CLOCK_SKEW_S }, limit: 100 }
}
