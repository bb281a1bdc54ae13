import type Stripe from 'stripe'
import type { Payment } from './payment.ts'

/** How long a payment page stays open, in seconds. */
const OPEN_S = 3600

interface SessionOptions {
  customerId: string
  /** The origin of the dashboard, to which the page leads back. */
  dashboardUrl: string
  /** Whether Stripe adds the tax that it computes. */
  automaticTax: boolean
  /** Whether the payment method is saved for automatic top-ups. */
  saved: boolean
}

/**
 * The parameters of the payment page of a top-up. They depend only on the payment, so that a repeated request gets the
 * same page from Stripe. `client_reference_id` and `metadata` are for the operator: nothing is routed by metadata.
 */
export function topupSession(payment: Payment, options: SessionOptions): Stripe.Checkout.SessionCreateParams {
  const { customerId, dashboardUrl, automaticTax, saved } = options
  const back = (outcome: string) => `${dashboardUrl}/billing?topup=${outcome}&payment=${payment.id}`
  const support = { org_id: payment.orgId, payment_id: payment.id }
  return {
    mode: 'payment',
    customer: customerId,
    client_reference_id: payment.id,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: payment.amountCents,
          product_data: { name: 'Balance top-up' },
          ...(automaticTax && { tax_behavior: 'exclusive' as const }),
        },
      },
    ],
    adaptive_pricing: { enabled: false },
    automatic_tax: { enabled: automaticTax },
    ...(automaticTax && { customer_update: { address: 'auto' as const } }),
    allow_promotion_codes: false,
    expires_at: Math.floor(payment.createdAt.getTime() / 1000) + OPEN_S,
    success_url: back('done'),
    cancel_url: back('canceled'),
    metadata: support,
    payment_intent_data: { metadata: support, ...(saved && { setup_future_usage: 'off_session' as const }) },
  }
}
