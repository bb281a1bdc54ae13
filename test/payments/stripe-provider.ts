import type Stripe from 'stripe'
import type { StripeProvider } from '../../services/payments/provider/payment-provider.ts'

/** A client of Stripe as the payment provider of a gateway. */
export function stripeProvider(client: Stripe, facts: Partial<StripeProvider> = {}): StripeProvider {
  const dashboardUrl = 'https://dashboard.example'
  return { kind: 'stripe', livemode: false, dashboardUrl, automaticTax: false, client: async () => client, ...facts }
}
