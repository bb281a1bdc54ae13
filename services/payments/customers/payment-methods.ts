import type Stripe from 'stripe'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { countPerMinute } from '../../../lib/rate-counters/per-minute.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import { changeIn } from '../../organizations/change.ts'
import { expiryOf, urlOf } from '../provider/checkout-page.ts'
import type { StripeProvider } from '../provider/payment-provider.ts'
import { forPerson, idOf } from '../provider/stripe-requests.ts'
import { type BillingAdmin, type Customers, type CustomersOptions, endAutoTopups } from './customers.ts'

/** A payment method as people recognize it. Card numbers stay with the payment provider. */
export interface PaymentMethod {
  id: string
  type: string
  card: { brand: string; last4: string; expMonth: number; expYear: number } | null
  /** Whether automatic top-ups charge it. */
  isDefault: boolean
  createdAt: Date
}

/** The saved payment methods of an organization. Each function throws the errors of Customers and upstream_unavailable. */
export interface PaymentMethods {
  /** The newest first, at most 100; none with the built-in provider. */
  list(orgId: string): Promise<PaymentMethod[]>
  /**
   * Opens a page of the payment provider where one is saved. Throws invalid_request with the built-in provider, and
   * rate_limit_exceeded after ten in a minute.
   */
  add(admin: BillingAdmin): Promise<{ checkoutUrl: string }>
  /**
   * Removes one, and switches automatic top-ups off if they charge it. Throws not_found unless it belongs to the
   * organization.
   */
  remove(admin: BillingAdmin, id: string): Promise<void>
}

interface PaymentMethodsOptions extends Pick<Infrastructure, 'clock' | 'counters'>, CustomersOptions {
  customers: Customers
}

const LIMIT = { max: 10, what: 'pages', per: 'organization' }

export function createPaymentMethods(options: PaymentMethodsOptions): PaymentMethods {
  const { db, clock, log, audit, counters, provider, customers } = options

  async function openPage({ client, dashboardUrl }: StripeProvider, orgId: string, customer: string): Promise<string> {
    const stripe = await client()
    const session = await stripe.checkout.sessions.create({
      mode: 'setup',
      customer,
      currency: 'usd',
      expires_at: expiryOf(new Date(clock.now())),
      success_url: `${dashboardUrl}/billing?payment_method=done`,
      cancel_url: `${dashboardUrl}/billing?payment_method=canceled`,
      metadata: { org_id: orgId },
    })
    return urlOf(session)
  }

  /** `charged` is the method of automatic top-ups. */
  async function detach({ client }: StripeProvider, id: string, of: { customerId: string; charged: string | null }) {
    const stripe = await client()
    const owner = idOf((await stripe.paymentMethods.retrieve(id)).customer)
    // Detached before, but not forgotten here: at Stripe's dashboard, or by a request whose answer was lost.
    if (owner === null && id === of.charged) return
    // Stripe would detach a method of any customer of the account.
    if (owner !== of.customerId) throw unknown()
    await stripe.paymentMethods.detach(id)
  }

  /** Forgets a removed method. Automatic top-ups have nothing to charge then. */
  async function forget({ orgId, userId }: BillingAdmin, id: string): Promise<void> {
    const by = { orgId, userId }
    await changeIn(db, { orgId, by }, async org => {
      await audit.record(org, { by, action: 'payment_method.remove', target: id, detail: {} })
      const ofThis = org.selectFrom('customers').where('default_payment_method', '=', id)
      if ((await ofThis.select('org_id').executeTakeFirst()) === undefined) return
      await endAutoTopups(org, audit, { by, detail: { reason: 'payment_method_removed' } })
      await org.updateTable('customers').set({ default_payment_method: null }).execute()
    })
  }

  return {
    async list(orgId) {
      const { stripeId, defaultPaymentMethod } = await customers.find(orgId)
      if (provider.kind !== 'stripe' || stripeId === null) return []
      return forPerson(log, async () => {
        const stripe = await provider.client()
        const { data } = await stripe.customers.listPaymentMethods(stripeId, { limit: 100 })
        return data.map(method => toMethod(method, defaultPaymentMethod))
      })
    },

    async add({ orgId }) {
      const { stripeId } = await customers.find(orgId)
      if (provider.kind !== 'stripe' || stripeId === null)
        throw new GatewayError(
          'invalid_request',
          'The built-in payment provider charges no one, so it saves no payment methods. To use Stripe, the operator sets STRIPE_SECRET_KEY.',
        )
      await countPerMinute(counters, `payment-methods:${orgId}`, LIMIT)
      return { checkoutUrl: await forPerson(log, () => openPage(provider, orgId, stripeId)) }
    },

    async remove(admin, id) {
      const { stripeId, defaultPaymentMethod: charged } = await customers.find(admin.orgId)
      if (provider.kind !== 'stripe' || stripeId === null || !/^[\w-]{1,255}$/.test(id)) throw unknown()
      await forPerson(log, () => detach(provider, id, { customerId: stripeId, charged }))
      await forget(admin, id)
    },
  }
}

function toMethod({ id, type, card, created }: Stripe.PaymentMethod, defaultId: string | null): PaymentMethod {
  return {
    id,
    type,
    card: card ? { brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year } : null,
    isDefault: id === defaultId,
    createdAt: new Date(created * 1000),
  }
}

function unknown(): GatewayError {
  return new GatewayError('not_found', 'This organization has no such payment method.')
}
