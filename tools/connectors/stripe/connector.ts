import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { customerTools, subscriptionTools } from './tools/customers.ts'
import { disputeTools } from './tools/disputes.ts'
import { invoiceTools } from './tools/invoices.ts'
import { paymentTools } from './tools/payments.ts'
import { discountTools, productTools } from './tools/products.ts'

/**
 * Stripe's API, connected with a full or restricted key. Amounts are integers in the smallest unit of the currency. In a
 * form, an empty value clears what is stored. Source: Stripe's API reference.
 */
export const stripe = defineConnector({
  id: 'stripe',
  name: 'Stripe',
  category: 'business',
  description:
    'Search and read customers, payments, invoices and subscriptions; bill, refund and answer disputes; manage products, ' +
    'prices, discounts, payment links and payouts.',
  icon: { simpleIcon: 'stripe' },
  baseUrl: 'https://api.stripe.com',
  hosts: { files: { url: 'https://files.stripe.com', credential: true } },
  auth: {
    type: 'api_key',
    apiKey: {
      header: 'authorization',
      prefix: 'Bearer ',
      probe: true,
      hint: 'A secret key (sk_…) or, preferably, a restricted key (rk_…) with the permissions that you need, from https://dashboard.stripe.com/apikeys.',
    },
  },
  // Pinned: without this header, the response has the shape of the account's own API version.
  headers: { accept: 'application/json', 'stripe-version': '2023-08-16' },
  identity: {
    request: { url: '/v1/account' },
    label: '{/settings/dashboard/display_name} {/id}',
    key: '{/id}',
  },
  errors: {
    message: ['/error/message'],
    code: ['/error/code', '/error/type'],
    rateLimited: ['rate_limit'],
    advice: {
      lock_timeout: 'Another request is changing the same object. Try again in a moment.',
      card_error: 'The card was declined. Use another payment method.',
    },
  },
  idempotency: { header: 'idempotency-key' },
  tools: [
    ...customerTools,
    ...productTools,
    ...paymentTools,
    ...invoiceTools,
    ...subscriptionTools,
    ...discountTools,
    ...disputeTools,
  ],
})
