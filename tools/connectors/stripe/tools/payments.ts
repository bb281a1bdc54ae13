import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../../../schemas/string-enum.ts'
import { httpTool, pick, sameNames } from '../../../../services/definitions/http-tool.ts'
import { adds, reads } from '../../annotations.ts'
import {
  amount,
  customer,
  listPages,
  listQuery,
  metadata,
  page,
  paymentIntent,
  price,
  searchPages,
  searchQuery,
  searchText,
} from '../arguments.ts'

const paymentFields = [
  'id',
  'amount',
  'currency',
  'status',
  'customer',
  'description',
  'receipt_email',
  'invoice',
  'created',
]

const listPaymentIntents = httpTool({
  operation: 'list_payment_intents',
  title: 'List payment intents',
  description: 'List payments, including failed and pending ones, newest first. Filter by customer.',
  annotations: reads,
  input: { customer: Type.Optional(customer), ...page },
  request: { method: 'GET', path: '/v1/payment_intents', query: { customer: '{customer}', ...listQuery } },
  pagination: listPages,
  result: pick('/data', paymentFields),
})

const searchPaymentIntents = httpTool({
  operation: 'search_payment_intents',
  title: 'Search payment intents',
  description: 'Search payments by status, amount, currency, customer, metadata and date.',
  annotations: reads,
  input: { query: searchText('status:"succeeded" AND amount>10000.'), ...page },
  request: { method: 'GET', path: '/v1/payment_intents/search', query: searchQuery },
  pagination: searchPages,
  result: pick('/data', paymentFields),
})

const getPaymentIntent = httpTool({
  operation: 'get_payment_intent',
  title: 'Get payment intent',
  description: 'Read one payment: its status, and why it failed.',
  annotations: reads,
  input: { payment_intent: paymentIntent },
  request: { method: 'GET', path: '/v1/payment_intents/{payment_intent}' },
  // Without client_secret, which lets a browser complete the payment.
  result: pick('', [
    ...paymentFields,
    'amount_received',
    'latest_charge',
    'payment_method',
    'payment_method_types',
    'last_payment_error.code',
    'last_payment_error.decline_code',
    'last_payment_error.message',
    'canceled_at',
    'cancellation_reason',
    'metadata',
  ]),
})

const listRefunds = httpTool({
  operation: 'list_refunds',
  title: 'List refunds',
  description: 'List refunds, newest first. Filter by payment.',
  annotations: reads,
  input: { payment_intent: Type.Optional(paymentIntent), ...page },
  request: { method: 'GET', path: '/v1/refunds', query: { payment_intent: '{payment_intent}', ...listQuery } },
  pagination: listPages,
  result: pick('/data', ['id', 'amount', 'currency', 'status', 'reason', 'payment_intent', 'charge', 'created']),
})

const createRefund = httpTool({
  operation: 'create_refund',
  title: 'Create refund',
  description: 'Refund a payment, in full or in part. A refund cannot be canceled.',
  annotations: { ...adds, destructiveHint: true },
  input: {
    payment_intent: paymentIntent,
    amount: Type.Optional(amount('The amount to refund. Default: the remaining amount.')),
    reason: Type.Optional(StringEnum(['duplicate', 'fraudulent', 'requested_by_customer'])),
    metadata: Type.Optional(metadata),
  },
  request: {
    method: 'POST',
    path: '/v1/refunds',
    body: { form: sameNames('payment_intent', 'amount', 'reason', 'metadata') },
  },
  result: pick('', ['id', 'amount', 'currency', 'status', 'reason', 'payment_intent', 'failure_reason']),
})

const createPaymentLink = httpTool({
  operation: 'create_payment_link',
  title: 'Create payment link',
  description: 'Create a payment page that anyone with its URL can use. Returns the URL.',
  annotations: adds,
  input: {
    line_items: Type.Array(
      Type.Object({ price, quantity: Type.Integer({ minimum: 1, maximum: 999_999 }) }, { additionalProperties: false }),
      { minItems: 1, maxItems: 20, description: 'The items to buy.' },
    ),
    allow_promotion_codes: Type.Optional(Type.Boolean()),
    metadata: Type.Optional(metadata),
  },
  request: {
    method: 'POST',
    path: '/v1/payment_links',
    body: { form: sameNames('line_items', 'allow_promotion_codes', 'metadata') },
  },
  result: pick('', ['id', 'url', 'active', 'currency']),
})

/** Stripe tools for payments, refunds and payment links. */
export const paymentTools = [
  listPaymentIntents,
  searchPaymentIntents,
  getPaymentIntent,
  listRefunds,
  createRefund,
  createPaymentLink,
]
