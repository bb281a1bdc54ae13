import type Stripe from 'stripe'
import type { Payment } from './payment.ts'
import type { StripeProvider } from './payment-provider.ts'
import { withStripe } from './stripe-failure.ts'

/** The outcome of a charge: a payment at the provider, or a refusal of the bank. */
export type AutoCharged = { intentId: string } | { declined: string; intentId: string | null }

/**
 * Charges a saved payment method without the buyer (off-session). Repeated calls for a payment charge once. Throws a StripeFailure if
 * the outcome is unknown.
 */
export type AutoCharge = (payment: Payment, method: { customerId: string; methodId: string }) => Promise<AutoCharged>

export function createAutoCharge({ client }: Pick<StripeProvider, 'client'>): AutoCharge {
  return async (payment, { customerId, methodId }) => {
    const stripe = await client()
    const parameters: Stripe.PaymentIntentCreateParams = {
      amount: payment.amountCents,
      currency: 'usd',
      customer: customerId,
      payment_method: methodId,
      off_session: true,
      confirm: true,
      // A bank that wants the buyer to authenticate is a refusal here.
      error_on_requires_action: true,
      description: 'Automatic balance top-up',
      metadata: { org_id: payment.orgId, payment_id: payment.id },
    }
    try {
      const { id } = await stripe.paymentIntents.create(parameters, { idempotencyKey: `auto:${payment.id}` })
      return { intentId: id }
    } catch (error) {
      const declined = declineOf(error)
      if (declined !== undefined) return declined
      return withStripe(() => Promise.reject(error))
    }
  }
}

/** The refusal of the bank by the SDK's error, which carries the payment; undefined for any other error. */
function declineOf(error: unknown): { declined: string; intentId: string | null } | undefined {
  const { type, code, payment_intent: intent } = (error ?? {}) as Partial<Stripe.errors.StripeCardError>
  if (type !== 'StripeCardError') return undefined
  return { declined: code ?? 'card_declined', intentId: intent?.id ?? null }
}

/** The preferred payment method of a customer if Stripe still has it, otherwise the newest; null if there is none. */
export function createFindMethod({ client }: Pick<StripeProvider, 'client'>) {
  return async (customerId: string, preferred: string | null): Promise<string | null> => {
    const stripe = await client()
    const { data } = await stripe.customers.listPaymentMethods(customerId, { limit: 100 })
    return data.find(({ id }) => id === preferred)?.id ?? data[0]?.id ?? null
  }
}
