import type Stripe from 'stripe'
import { CENT } from '../../../schemas/billing/money.ts'
import type { StripeProvider } from './payment-provider.ts'

/** How long a page stays open, in seconds. */
const OPEN_S = 3600

/** The row that a page is for, and what the page sells. */
interface Sale {
  id: string
  createdAt: Date
  /** The customer of the organization at Stripe. */
  customerId: string
  product: string
  priceMicros: number
  recurring?: { interval: 'month' }
  /** Shown to the operator at Stripe. Nothing is routed by metadata. */
  metadata: Record<string, string>
  /** Where the page leads back to. */
  back(outcome: 'done' | 'canceled'): string
}

/** The parameters of every page that sells something. They depend only on the row, so that a repeated request gets the same page. */
export function checkoutPage({ automaticTax }: StripeProvider, sale: Sale): Stripe.Checkout.SessionCreateParams {
  const { id, createdAt, customerId, product, priceMicros, recurring, metadata, back } = sale
  return {
    customer: customerId,
    client_reference_id: id,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: priceMicros / CENT,
          ...(recurring !== undefined && { recurring }),
          product_data: { name: product },
          ...(automaticTax && { tax_behavior: 'exclusive' as const }),
        },
      },
    ],
    automatic_tax: { enabled: automaticTax },
    ...(automaticTax && { customer_update: { address: 'auto' as const } }),
    allow_promotion_codes: false,
    expires_at: expiryOf(createdAt),
    success_url: back('done'),
    cancel_url: back('canceled'),
    metadata,
  }
}

/** When a page that is created at a time expires, in seconds since the epoch. */
export function expiryOf(createdAt: Date): number {
  return Math.floor(createdAt.getTime() / 1000) + OPEN_S
}

/** The URL of a page that Stripe has just opened. */
export function urlOf({ id, url }: Stripe.Checkout.Session): string {
  if (url === null) throw new TypeError(`Stripe answered session ${id} without a URL`)
  return url
}
