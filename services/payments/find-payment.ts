import type Stripe from 'stripe'
import type { PaymentName, PaymentRows } from './payment-rows.ts'
import { idOf } from './stripe-object.ts'

/** Finds the payment that an object at Stripe belongs to; undefined if it is none of ours. */
export type FindPayment = (objectId: string) => Promise<PaymentName | undefined>

/**
 * How a payment is found by the type of object in an event: by IDs that we stored, and by relations that Stripe answers.
 * Metadata of an object decides nothing.
 */
export function createFindPayment({ rows, client }: { rows: PaymentRows; client(): Promise<Stripe> }) {
  async function byIntent(paymentIntentId: string | null): Promise<PaymentName | undefined> {
    if (paymentIntentId === null) return undefined
    const known = await rows.findByObject({ paymentIntentId })
    if (known !== undefined) return known
    // The event came before the one of its session.
    const stripe = await client()
    const { data } = await stripe.checkout.sessions.list({ payment_intent: paymentIntentId, limit: 1 })
    const [session] = data
    return session && rows.findByObject({ sessionId: session.id })
  }

  return {
    'checkout.session': id => rows.findByObject({ sessionId: id }),
    payment_intent: id => byIntent(id),
    charge: async id => byIntent(idOf((await (await client()).charges.retrieve(id)).payment_intent)),
    refund: async id => byIntent(idOf((await (await client()).refunds.retrieve(id)).payment_intent)),
    dispute: async id => byIntent(idOf((await (await client()).disputes.retrieve(id)).payment_intent)),
  } satisfies Record<string, FindPayment>
}
