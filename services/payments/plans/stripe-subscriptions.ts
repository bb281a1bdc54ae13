import type Stripe from 'stripe'
import { checkoutPage, urlOf } from '../provider/checkout-page.ts'
import type { StripeProvider } from '../provider/payment-provider.ts'
import { idOf, StripeFailure, withStripe } from '../provider/stripe-requests.ts'
import type { Plans } from './plans.ts'
import type { PaidInvoice, RemoteSubscription, Subscription, SubscriptionProvider } from './subscription.ts'

const PAGE_STATUSES = ['open', 'expired'] as const

/** The states that we know. Any other gives no plan. */
const STATUSES = [
  ...(['active', 'trialing', 'past_due', 'unpaid', 'paused', 'canceled'] as const),
  ...(['incomplete', 'incomplete_expired'] as const),
]

interface StripePlansOptions {
  provider: StripeProvider
  plans: Plans
  /** The customer of an organization at Stripe, created if there is none. */
  ensureCustomer(orgId: string): Promise<string>
}

/** Subscriptions at Stripe. The price of a subscription is the one of its row: no product or price is configured there. */
export function createStripeSubscriptions({
  provider,
  plans,
  ensureCustomer,
}: StripePlansOptions): SubscriptionProvider {
  const { client } = provider

  function pageParameters(subscription: Subscription, customerId: string): Stripe.Checkout.SessionCreateParams {
    const { id, orgId, planId, priceMicros, createdAt } = subscription
    const metadata = { org_id: orgId, subscription_id: id }
    const sale = {
      id,
      createdAt,
      customerId,
      priceMicros,
      metadata,
      product: plans.find(planId)?.name ?? planId,
      recurring: { interval: 'month' } as const,
      back: (outcome: string) => `${provider.dashboardUrl}/billing?subscription=${outcome}`,
    }
    return { mode: 'subscription', ...checkoutPage(provider, sale), subscription_data: { metadata } }
  }

  return {
    livemode: provider.livemode,

    async open(subscription) {
      return withStripe(async () => {
        const parameters = pageParameters(subscription, await ensureCustomer(subscription.orgId))
        const stripe = await client()
        const session = await stripe.checkout.sessions.create(parameters, { idempotencyKey: `pln:${subscription.id}` })
        return { sessionId: session.id, url: urlOf(session) }
      })
    },

    async readCheckout(sessionId) {
      return withStripe(async () => {
        const session = await (await client()).checkout.sessions.retrieve(sessionId)
        const { status, url } = session
        return {
          status: PAGE_STATUSES.find(known => known === status) ?? 'complete',
          url: status === 'open' ? url : null,
          subscriptionId: idOf(session.subscription),
          customerId: idOf(session.customer),
        }
      })
    },

    async closeCheckout(sessionId) {
      try {
        await withStripe(async () => (await client()).checkout.sessions.expire(sessionId))
      } catch (error) {
        // Stripe rejects this for a page that is complete or expired. The caller reads which one it is.
        if (!(error instanceof StripeFailure) || error.kind !== 'rejected') throw error
      }
    },

    async read(id) {
      return withStripe(async () => {
        const stripe = await client()
        return toRemote(await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] }))
      })
    },

    async setEnding(id, ending) {
      await withStripe(async () => (await client()).subscriptions.update(id, { cancel_at_period_end: ending }))
    },

    async end(id) {
      await withStripe(async () => {
        const { subscriptions } = await client()
        const { status } = await subscriptions.retrieve(id)
        if (status !== 'canceled' && status !== 'incomplete_expired') await subscriptions.cancel(id)
      })
    },

    async readInvoice(id) {
      return withStripe(async () => {
        const invoice = await (await client()).invoices.retrieve(id)
        const subscriptionId = idOf(invoice.parent?.subscription_details?.subscription)
        return subscriptionId === null ? undefined : { subscriptionId, paid: paidInvoice(invoice) }
      })
    },
  }
}

function toRemote(subscription: Stripe.Subscription): RemoteSubscription {
  const { id, livemode, latest_invoice: invoice } = subscription
  const [item] = subscription.items.data
  if (item === undefined) throw new TypeError(`Stripe answered subscription ${id} without an item`)
  const end = at(item.current_period_end)
  const canceled = subscription.cancel_at === null ? null : at(subscription.cancel_at)
  return {
    id,
    livemode,
    customerId: idOf(subscription.customer),
    status: STATUSES.find(status => status === subscription.status) ?? 'paused',
    start: at(item.current_period_start),
    end,
    cancelAt: subscription.cancel_at_period_end ? (canceled ?? end) : canceled,
    paid: invoice === null || typeof invoice === 'string' ? null : paidInvoice(invoice),
  }
}

/** An invoice that is paid for a period; null for any other. */
function paidInvoice(invoice: Stripe.Invoice): PaidInvoice | null {
  const line = invoice.lines.data.find(({ parent }) => parent?.subscription_item_details?.proration === false)
  if (invoice.status !== 'paid' || line === undefined || invoice.id === undefined) return null
  return {
    id: invoice.id,
    customerId: idOf(invoice.customer),
    livemode: invoice.livemode,
    currency: invoice.currency,
    subtotalCents: invoice.total_excluding_tax ?? invoice.subtotal,
    chargedCents: invoice.amount_paid,
    start: at(line.period.start),
    end: at(line.period.end),
  }
}

function at(seconds: number): Date {
  return new Date(seconds * 1000)
}
