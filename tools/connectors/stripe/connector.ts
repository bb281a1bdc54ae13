import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { balanceTools } from './tools/balance.ts'
import { customerTools } from './tools/customers.ts'
import { invoiceTools } from './tools/invoices.ts'
import { paymentTools } from './tools/payments.ts'
import { productTools } from './tools/products.ts'
import { subscriptionTools } from './tools/subscriptions.ts'

/**
 * Stripe's API, connected with a full or restricted key. Amounts are integers in the smallest unit of the currency. Source:
 * Stripe's API reference.
 */
export const stripe = defineConnector({
  id: 'stripe',
  name: 'Stripe',
  category: 'business',
  description:
    'Search and read customers, payments, invoices and subscriptions; bill, refund and create payment links.',
  icon: { simpleIcon: 'stripe' },
  baseUrl: 'https://api.stripe.com',
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
  tools: [...customerTools, ...productTools, ...balanceTools, ...paymentTools, ...invoiceTools, ...subscriptionTools],
})
