import type Stripe from 'stripe'
import { GatewayError } from '../../lib/errors/errors.ts'
import { askOperator } from '../operator/operator-commands.ts'

/** Stripe as the payment provider. */
export interface StripeProvider {
  readonly kind: 'stripe'
  /** Whether the secret key belongs to the live mode. */
  readonly livemode: boolean
  /** The origin of the dashboard, to which payment pages lead back. */
  readonly dashboardUrl: string
  /** Whether Stripe adds the tax that it computes. */
  readonly automaticTax: boolean
  /** The client, whose module is loaded at the first call. */
  client(): Promise<Stripe>
}

/**
 * Who takes payments: Stripe; outside production without a key, the built-in provider, which settles at once and charges
 * nobody; in production without a key, nobody.
 */
export type PaymentProvider = StripeProvider | { readonly kind: 'built_in' } | { readonly kind: 'none' }

/** The error of every route that needs a payment provider. */
export function noProvider(creditCommand: string): GatewayError {
  return new GatewayError(
    'not_found',
    `No payment provider is configured on this gateway. ${askOperator(creditCommand)}`,
  )
}
