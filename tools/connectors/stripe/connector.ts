import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { balanceTools } from './tools/balance.ts'
import { customerTools } from './tools/customers.ts'
import { invoiceTools } from './tools/invoices.ts'
import { paymentTools } from './tools/payments.ts'
import { productTools } from './tools/products.ts'
import { subscriptionTools } from './tools/subscriptions.ts'

/** A pasted key, whole or restricted; amounts are integers of a currency's smallest unit. Source: Stripe's API reference. */
export const stripe = defineConnector({
  id: 'stripe',
  name: 'Stripe',
  category: 'business',
  description: 'Search and read customers, payments, invoices and subscriptions; bill, refund and sell by link.',
  icon: { simpleIcon: 'stripe' },
  baseUrl: 'https://api.stripe.com',
  auth: {
    type: 'api_key',
    apiKey: {
      header: 'authorization',
      prefix: 'Bearer ',
      probe: true,
      hint: 'A secret key (sk_…) or, better, a restricted key (rk_…) with what the tools may do, made at https://dashboard.stripe.com/apikeys.',
    },
  },
  // Pinned: without it an answer has the shape of whatever version the account was made on.
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
      lock_timeout: 'Something else changes the same object; try again in a moment.',
      card_error: 'The card was declined: another payment method is needed.',
    },
  },
  idempotency: { header: 'idempotency-key' },
  tools: [...customerTools, ...productTools, ...balanceTools, ...paymentTools, ...invoiceTools, ...subscriptionTools],
})
