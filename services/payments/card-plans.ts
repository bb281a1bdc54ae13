import type { SubscriptionStatus } from '../../lib/database/subscription-tables.ts'
import type { Subscription } from './subscription.ts'

/** A paid invoice of a subscription, as the provider has it now. */
export interface PaidInvoice {
  id: string
  customerId: string | null
  livemode: boolean
  currency: string
  /** Without tax. */
  subtotalCents: number
  /** With tax. */
  chargedCents: number
  /** The period that it pays for. */
  start: Date
  end: Date
}

/** A subscription, as the provider has it now. */
export interface RemoteSubscription {
  id: string
  customerId: string | null
  livemode: boolean
  status: Exclude<SubscriptionStatus, 'checkout'>
  start: Date
  end: Date
  /** When it ends instead of being renewed. */
  cancelAt: Date | null
  /** The latest invoice, if it is paid. */
  paid: PaidInvoice | null
}

/** A payment page for a subscription, as the provider has it now. */
interface RemoteCheckout {
  status: 'open' | 'complete' | 'expired'
  /** Null unless it is open. */
  url: string | null
  /** The subscription that it has created. */
  subscriptionId: string | null
  customerId: string | null
}

/**
 * Subscriptions that are charged to a card, at the payment provider. Each function throws a StripeFailure if the provider
 * fails.
 */
export interface CardPlans {
  readonly livemode: boolean
  /** Opens the payment page of a subscription. Repeated calls return the same page. */
  open(subscription: Subscription): Promise<{ sessionId: string; url: string }>
  readCheckout(sessionId: string): Promise<RemoteCheckout>
  /** Closes a payment page. No error if it is complete or expired. */
  closeCheckout(sessionId: string): Promise<void>
  read(id: string): Promise<RemoteSubscription>
  /** Sets whether the subscription ends with its period. */
  setEnding(id: string, ending: boolean): Promise<void>
  /** Ends the subscription at once. No error if it has ended. */
  end(id: string): Promise<void>
  /** The subscription of an invoice, and the invoice if it is paid; undefined if it is of no subscription. */
  readInvoice(id: string): Promise<{ subscriptionId: string; paid: PaidInvoice | null } | undefined>
}
